"""Values reach a shell as parameters; its script names them."""

from __future__ import annotations

import pytest

from metier.core.filling import prepare_values
from metier.core.shell_scripts import Script, build_script, is_passable
from metier.core.substitution import CommandSyntax, Variable
from metier.core.templates import parse_template
from tests.unit.test_substitution import rule

CLAUDE = rule("claude-code")
UNSURE = Script("", (), "it is not certain how an argument is quoted")
CODE = Script("", (), "the shell might read an argument as code")


def script(command: str, arguments: str = "a 'b c'") -> Script:
    template = parse_template(f"```!\n{command}\n```", CLAUDE)
    variables = {Variable.SKILL_DIRECTORY: "/s"}
    values = prepare_values(template, CLAUDE, arguments, variables).values
    found = build_script(template.commands[0], values)
    return found._replace(text=found.text.removesuffix("\n"))


def named(text: str, *parameters: str) -> Script:
    names = " ".join(f"metier_{n + 1}=${{{n + 1}}}" for n in range(len(parameters)))
    return Script(f"{names}; shift {len(parameters)}; {text}", parameters)


def test_a_command_without_values_is_the_script_itself():
    assert CLAUDE.commands.syntax is CommandSyntax.AFTER_BLANK
    assert script("awk '{print $7}' x; eval y") == Script("awk '{print $7}' x; eval y")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git show $1", named('git show "${metier_1}"', "b c")),
        ('git show "x $1 y"', named('git show "x ${metier_1} y"', "b c")),
        ("git show 'x $1'", named("git show 'x '\"${metier_1}\"''", "b c")),
        ("ls ${CLAUDE_SKILL_DIR}/x", named('ls "${metier_1}"/x', "/s")),
        ("log $ARGUMENTS", named('log "${metier_1}" "${metier_2}"', "a", "b c")),
        ('git log "$ARGUMENTS"', named('git log "${metier_1}"', "a 'b c'")),
        ("ls # $0\nls $0", named('ls # \nls "${metier_1}"', "a")),
        ("ls x#$0", named('ls x#"${metier_1}"', "a")),
        ("echo $(ls $0) $0", named('echo $(ls "${metier_1}") "${metier_2}"', "a", "a")),
        ('echo "$(ls "$0")"', named('echo "$(ls "${metier_1}")"', "a")),
        ("(ls $0)", named('(ls "${metier_1}")', "a")),
        ("ls) $0", named('ls) "${metier_1}"', "a")),
        ("ls ${HOME} $0", named('ls ${HOME} "${metier_1}"', "a")),
        ('ls "${HOME} \\" $0"', named('ls "${HOME} \\" ${metier_1}"', "a")),
        ("ls \\\\$0", named('ls \\\\"${metier_1}"', "a")),
        ("ls \\' $0", named("ls \\' \"${metier_1}\"", "a")),
        ("ls <<< $0", named('ls <<< "${metier_1}"', "a")),
        ("ls \"$HOME\" '$9' $0", named("ls \"$HOME\" '$9' \"${metier_1}\"", "a")),
        ("bash x.sh -c $0", named('bash x.sh -c "${metier_1}"', "a")),
        ("git log --read $0", named('git log --read "${metier_1}"', "a")),
    ],
)  # fmt: skip
def test_a_placeholder_becomes_a_name_that_is_quoted_for_its_place(
    command: str, expected: Script
):
    assert script(command) == expected


def test_no_arguments_are_no_words():
    assert script("git log $ARGUMENTS", "") == Script("git log ")


@pytest.mark.parametrize(
    "command",
    [
        "cat <<EOF\n$0\nEOF",
        "echo `ls $0`",
        'echo "`ls $0`"',
        "echo ${x:-$0}",
        'echo "${x:-$0}"',
        "echo $'$0'",
        "ls $$0",
        'ls "$$0"',
        "ls <<< ${x#y} $0",
    ],
)
def test_a_place_whose_quoting_is_not_certain_gets_nothing(command: str):
    assert script(command) == UNSURE


@pytest.mark.parametrize(
    "command",
    [
        "eval ls $0",
        "ls; eval $0",
        "x=1 eval $0",
        "if eval $0; then ls; fi",
        "echo $(( $0 + 1 ))",
        "(( $0 ))",
        "[[ $0 -eq 1 ]]",
        "echo $[ $0 ]",
        "let x=$0",
        "declare $0=1",
        "printf -v $0 x",
        "test -v $0",
        "[ -v $0 ]",
        "trap $0 EXIT",
        "case $0 in a) ls;; esac",
        "sh -c 'ls $0'",
        '/bin/bash -e -xc "ls $0"',
        "read $0",
    ],
)
def test_an_argument_never_stands_where_a_shell_reads_twice(command: str):
    assert script(command) == CODE


@pytest.mark.parametrize("argument", ["a\0b", "\ud800x"])
def test_what_no_program_can_be_given_is_no_argument(argument: str):
    problem = "an argument has a character that no program can be given"
    assert script('x "$ARGUMENTS"', argument) == Script("", (), problem)
    assert not is_passable(argument)


def test_a_byte_that_was_not_text_is_an_argument():
    assert is_passable("\udc80")
