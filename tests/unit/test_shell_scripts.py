"""Values reach a shell as parameters; its script names them."""

from __future__ import annotations

import subprocess
import time

import pytest

from metier.core.filling import prepare_values
from metier.core.shell_scripts import Script, build_script, is_passable, merge_streams
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
        "readarray -C $0",
        "compgen -W $0",
        "complete -C $0 x",
        "getopts x $0",
        "source $0",
        ". <(echo $0)",
        "arr[$0]=1",
        "x=1 arr[$0]+=2",
        "time arr[$0]=1",
        "arr=([$0]=1)",
        "x=$0; arr[x]=1",
        "x=$0; echo ${arr[x]}",
        "x=$0; echo ${!x}",
        "x=$0; echo ${HOME:x}",
        "PS4=$0; set -x; ls",
        "echo $0 | sh",
        "echo $0 | /bin/bash -e",
        "bash <<< $0",
        "bash <(echo $0)",
        "bash -s $0",
        "ssh host ls $0",
        "watch ls $0",
        "su -c $0",
        "flock lock -c $0",
        "script -qc $0 /dev/null",
        "env -S $0",
    ],
)
def test_an_argument_never_stands_where_a_shell_reads_twice(command: str):
    assert script(command) == CODE


@pytest.mark.parametrize(
    "command",
    [
        "python3 -c \"print('$0')\"",
        "python3 -c $0",
        'perl -e "$0"',
        "ruby -ne 'print $0'",
        'node --eval="$0"',
        "awk '{print $0}' x",
        "awk $0 x",
        "sed s/a/$0/ x",
        "sed -n -e $0 x",
        'jq ".$0" x.json',
        "sqlite3 x.db 'select $0'",
        "ls | gawk -F $0 $1",
        "python3 x$0.py",
        "python3 $0.py",
    ],
)
def test_an_argument_is_no_part_of_code_in_another_language(command: str):
    problem = "a program might read an argument as code"
    assert script(command) == Script("", (), problem)


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("python3 x.py $0", 'python3 x.py "${metier_1}"'),
        ('python3 -c "import sys" "$0"', 'python3 -c "import sys" "${metier_1}"'),
        ("sed -n 1p '$0'|cat", "sed -n 1p ''\"${metier_1}\"''|cat"),
        ("awk 1 <$0", None),
        ("bash scripts/x.sh $0", 'bash scripts/x.sh "${metier_1}"'),
        ("./push.sh $0", './push.sh "${metier_1}"'),
        ("ls *.awk $0", 'ls *.awk "${metier_1}"'),
    ],
)  # fmt: skip
def test_an_argument_that_is_a_word_by_itself_is_one(command: str, text: str | None):
    found = script(command)
    if text is None:
        assert found.problem == "a program might read an argument as code"
    else:
        assert found == named(text, "a")


def test_a_long_command_gets_no_arguments():
    problem = "it has arguments and more than 8,192 characters"
    assert script("echo $0 " + "x" * 8_192) == Script("", (), problem)
    assert script("echo " + "x" * 8_192).problem is None


def test_a_script_whose_streams_are_one_has_its_values_as_before():
    before = Script("echo $1", ("a",))
    merged = merge_streams(before)
    assert merged.parameters == ("echo $1", "a")
    printed = subprocess.run(
        ["/bin/sh", "-c", merged.text, "sh", "echo $1; nosuch; echo $#", "a b"],
        capture_output=True,
        check=True,
        text=True,
    )
    first, middle, last = printed.stdout.splitlines()
    assert (first, last, printed.stderr) == ("a b", "1", "")
    assert "nosuch" in middle


@pytest.mark.parametrize(
    "piece", ["su ", "a=(", "${x", "env ", "python3 ", "sh -", "x["]
)
def test_a_hostile_command_is_judged_in_no_time(piece: str):
    command = f"{piece * (8_000 // len(piece))} $0"
    started = time.process_time()
    script(command)
    assert time.process_time() - started < 2


@pytest.mark.parametrize("argument", ["a\0b", "\ud800x"])
def test_what_no_program_can_be_given_is_no_argument(argument: str):
    problem = "an argument has a character that no program can be given"
    assert script('x "$ARGUMENTS"', argument) == Script("", (), problem)
    assert not is_passable(argument)


def test_a_byte_that_was_not_text_is_an_argument():
    assert is_passable("\udc80")
