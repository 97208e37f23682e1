from __future__ import annotations

import time

import pytest

from metier.core.references import (
    FileReference,
    ReferenceSyntax,
    ShellCommand,
    ShellSyntax,
    find_file_references,
    find_shell_commands,
)
from metier.diagnostics import Span

ASCII = ReferenceSyntax.AT_PATH_ASCII_UNIQUE
UNICODE = ReferenceSyntax.AT_PATH_UNICODE
BOTH = pytest.mark.parametrize("syntax", [ASCII, UNICODE], ids=lambda s: s.value)


def paths(text: str, syntax: ReferenceSyntax) -> list[str]:
    return [found.path for found in find_file_references(text, syntax)]


def commands(text: str) -> list[str]:
    found = find_shell_commands(text, ShellSyntax.BANG_BACKTICK)
    return [one.command for one in found]


@BOTH
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("@", [""]),
        ("a lone @ sign", [""]),
        ("@,x", [""]),
        ("@.", ["."]),
        ("@..", ["."]),
        ("@../up.md", ["../up.md"]),
        ("@foo.md.", ["foo.md"]),
        ("@foo.md...", ["foo.md"]),
        ("(@paren)", ["paren)"]),
        ("@@x", ["@x"]),
        ("a@b", []),
        ("_@b", []),
        ("`@b", []),
        ("é@foo", ["foo"]),
        ("٣@foo", ["foo"]),
        ("@a`b", ["a"]),
        ("@a,@b", ["a", "b"]),
        ("@a\x1cb", ["a\x1cb"]),
        ("@a\x85b", ["a\x85b"]),
        ("@日本/語.md", ["日本/語.md"]),
    ],
)
def test_a_reference_starts_and_ends_where_both_systems_say(
    text: str, found: list[str], syntax: ReferenceSyntax
):
    assert paths(text, syntax) == found


@BOTH
@pytest.mark.parametrize("blank", "\t\n\f\r ")
def test_an_ascii_blank_ends_a_path(blank: str, syntax: ReferenceSyntax):
    assert paths(f"@a{blank}b", syntax) == ["a"]


@pytest.mark.parametrize(
    "blank",
    "\v\u00a0\u1680\u2000\u2005\u200a\u2028\u2029\u202f\u205f\u3000\ufeff",
    ids=lambda blank: f"U+{ord(blank):04X}",
)
def test_any_other_blank_ends_a_path_in_one_syntax_only(blank: str):
    assert paths(f"@a{blank}b", UNICODE) == ["a"]
    assert paths(f"@a{blank}b", ASCII) == [f"a{blank}b"]


@pytest.mark.parametrize("char", ["\u180e", "\u200b", "\u2060"])
def test_an_invisible_character_that_is_no_blank_stays_in_the_path(char: str):
    assert paths(f"@a{char}b", UNICODE) == [f"a{char}b"]


def test_a_path_counts_once_or_every_time():
    assert paths("@b @a @b", ASCII) == ["b", "a"]
    assert paths("@b @a @b", UNICODE) == ["b", "a", "b"]


@BOTH
def test_a_span_covers_the_sign_and_the_path(syntax: ReferenceSyntax):
    text = "read @docs/x.md, then @"
    assert find_file_references(text, syntax) == (
        FileReference(path="docs/x.md", span=Span(5, 15)),
        FileReference(path="", span=Span(22, 23)),
    )


def test_without_a_syntax_nothing_is_found():
    assert find_file_references("@a", ReferenceSyntax.NONE) == ()
    assert find_shell_commands("!`ls`", ShellSyntax.NONE) == ()


def test_a_shell_command_is_found_with_its_span():
    found = find_shell_commands("now: !`git log -3`.", ShellSyntax.BANG_BACKTICK)
    assert found == (ShellCommand(command="git log -3", span=Span(5, 18)),)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("!`a` !`b` !`a`", ["a", "b", "a"]),
        ("!`two\nlines`", ["two\nlines"]),
        ("!``", []),
        ("!``x`", []),
        ("!`open", []),
        ("! `ls`", []),
        ("`!`ls`", ["ls"]),
        ("!!`ls`", ["ls"]),
        ("```!`ls` ```", ["ls"]),
    ],
)
def test_a_shell_command_stands_between_its_marks(text: str, found: list[str]):
    assert commands(text) == found


# One second is the aim, three leave room for a busy machine; what is quadratic takes
# minutes.
SECONDS = 3


def assert_quick(text: str) -> None:
    for syntax in (ASCII, UNICODE, ReferenceSyntax.AT_BLANK_UNIQUE):
        began = time.process_time()
        find_file_references(text, syntax)
        assert time.process_time() - began < SECONDS
    began = time.process_time()
    find_shell_commands(text, ShellSyntax.BANG_BACKTICK)
    assert time.process_time() - began < SECONDS


@pytest.mark.parametrize(
    "unit", ["@", "@.", ".", "@a.", "!`", "`", "!", "!`a`", "a", "!``"]
)
def test_a_megabyte_of_the_worst_costs_little(unit: str):
    assert_quick("@!`" + unit * (1_000_000 // len(unit)))


@pytest.mark.parametrize("unit", ["@ ", "@,", "@a "])
def test_a_hundred_thousand_references_cost_little(unit: str):
    assert_quick(unit * 100_000)
