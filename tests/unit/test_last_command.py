"""The command that a script ends with."""

from __future__ import annotations

import pytest

from metier.core.last_command import ends_with_any

PROGRAMS = ("grep", "[", "git diff")


@pytest.mark.parametrize(
    "script",
    [
        "grep x f",
        "  grep\tx f  ",
        "exit 1 | grep x",
        "exit 1 |& grep x",
        "true; grep x f;",
        "true && grep x f # why",
        "[[ a = b ]] || [ a = b ]",
        "(true; false)\ngrep x f\n\n# the end\n",
        "false # not; this\ngrep x f",
        "echo 'a; b' \"$(c; d)\" | grep x",
        "find . -exec ls {} \\; | grep x",
        "false & grep x",
        "grep x f >| out 2>&1",
        'grep "${x:-y}" f',
        "echo; git diff --quiet",
        "git -C . -c a=b --no-pager diff",
    ],
)
def test_it_is_found_behind_what_separates_commands(script: str):
    assert ends_with_any(script, PROGRAMS)


@pytest.mark.parametrize(
    "script",
    [
        "",
        "# grep",
        "grep x f; true",
        "grep x f || exit 1",
        "(grep x f)",
        "{ grep x f; }",
        "X=1 grep x f",
        "/bin/grep x f",
        "'grep' x f",
        "! grep x f",
        "true # | grep x f",
        "echo '; grep x'",
        'echo "$(a; grep x)"',
        "find . -exec ls \\; grep",
        "if grep x f; then a; else b; fi",
        "git log; git status diff",
        "git -C diff status",
        "git",
    ],
)
def test_something_else_is_not_taken_for_it(script: str):
    assert not ends_with_any(script, PROGRAMS)


@pytest.mark.parametrize("script", ["cat <<E\ngrep x\nE", "echo `a; b`; grep x"])
def test_where_nothing_is_certain_it_is_none_of_them(script: str):
    assert not ends_with_any(script, PROGRAMS)
