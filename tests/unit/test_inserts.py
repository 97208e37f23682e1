"""What stands for a command, in the words of each agent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from metier.core.execution import Backend, Ending
from metier.core.fields import Unit
from metier.core.inserts import Insert, Said, read_ending, render_insert
from metier.core.substitution import (
    CommandFailure,
    CommandRule,
    OutputReading,
    OutputTrim,
    Streams,
)
from tests.unit.test_substitution import rule

FAILED = Said(stdout="out\n", stderr=" oh\n", status=3)
LATE = Said(stdout="out\n", status=None, timed_out=True, seconds=10.0)
ODD = Said(problem="it is odd")


def text(said: Said, using: CommandRule, command: str = "ls") -> str:
    insert = render_insert(command, said, using)
    assert insert.problem is None
    return insert.text


ABORTING = CommandRule(failure=CommandFailure.ABORT)
NOTING = CommandRule(
    failure=CommandFailure.NOTE, failed="[{command} {status}: {error}|{reason}]"
)


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (FAILED, "the command `ls` failed with status 3: oh"),
        (replace(FAILED, stderr=""), "the command `ls` failed with status 3"),
        (
            replace(FAILED, status=None),
            "the command `ls` failed with status unknown: oh",
        ),
        (LATE, "the command `ls` took more than 10 s"),
        (ODD, "the command `ls` is not run: it is odd"),
    ],
)  # fmt: skip
def test_where_a_failure_ends_all_there_is_a_problem_and_no_text(
    said: Said, problem: str
):
    assert render_insert("ls", said, ABORTING) == Insert("", problem)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (FAILED, "[ls 3:  oh\n|oh]"),
        (LATE, "[command stopped after 10 s: ls]"),
        (ODD, "[ls 0: it is odd|it is odd]"),
    ],
)
def test_a_note_stands_for_a_command_that_failed(said: Said, expected: str):
    assert text(said, NOTING) == expected


def test_where_a_failure_is_nothing_the_output_stands_there():
    silent = CommandRule(failure=CommandFailure.OUTPUT)
    assert text(FAILED, silent) == "out"
    # What was not run has said nothing: that cannot be passed over.
    assert text(ODD, silent) == "[command failed with status 0: ls]"


def test_a_note_may_be_for_those_that_said_nothing():
    using = CommandRule(
        failure=CommandFailure.OUTPUT_OR_NOTE, failed="[failed]\n{reason}"
    )
    assert text(FAILED, using) == "out"
    assert text(replace(FAILED, stdout=""), using) == "[failed]\noh"
    assert text(replace(FAILED, stdout="", stderr="\n"), using) == "[failed]"


@pytest.mark.parametrize(
    ("trim", "expected"),
    [
        (OutputTrim.NONE, "\n a \n\n"),
        (OutputTrim.LINE_ENDS, "\n a "),
        (OutputTrim.END, "\n a"),
        (OutputTrim.BOTH, "a"),
        (OutputTrim.BLANK_LINES, " a"),
    ],
)
def test_an_output_is_trimmed_as_the_agent_does(trim: OutputTrim, expected: str):
    assert text(Said(stdout="\n a \n\n"), CommandRule(trim=trim)) == expected


def test_blanks_of_a_line_are_those_of_javascript():
    using = CommandRule(trim=OutputTrim.BLANK_LINES)
    assert text(Said(stdout="\ufeff\r\n \u2028\n\r x\u3000"), using) == "\r x"
    assert text(Said(stdout="\x1c\n\x85\nx\x1c"), using) == "\x1c\n\x85\nx\x1c"


@pytest.mark.parametrize(
    ("streams", "stdout", "stderr", "expected"),
    [
        (Streams.STDOUT, "a", "b", "a"),
        (Streams.STDOUT_OR_STDERR, "a", "b", "a"),
        (Streams.STDOUT_OR_STDERR, "\n", "b", "b"),
        (Streams.BOTH, "a", "b", "a\n[stderr]\nb"),
        (Streams.BOTH, "", "b", "[stderr]\nb"),
        (Streams.BOTH, "a", " ", "a"),
    ],
)
def test_what_counts_of_both_outputs_is_the_agents_to_say(
    streams: Streams, stdout: str, stderr: str, expected: str
):
    said = Said(stdout=stdout, stderr=stderr)
    assert text(said, CommandRule(streams=streams)) == expected


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        (Unit.BYTES, "\U0001f600 [cut]"),
        (Unit.UTF16, "\U0001f600 ab[cut]"),
        (Unit.CHARACTERS, "\U0001f600 abc[cut]"),
    ],
)
def test_an_output_is_cut_by_what_the_agent_counts(unit: Unit, expected: str):
    using = CommandRule(max_output=5, output_unit=unit, cut="[cut]")
    assert text(Said(stdout="\U0001f600 abcdefg"), using) == expected.replace(
        "[cut]", "[cut]"
    )
    assert text(Said(stdout="abcde"), using) == "abcde"


def test_no_character_is_cut_in_half():
    using = CommandRule(max_output=3, cut="")
    assert text(Said(stdout="aéé"), using) == "aé"


def test_what_was_cut_before_says_so():
    assert text(Said(stdout="abc", is_cut=True), CommandRule()) == "abc\n[output cut]"


def test_braces_of_a_command_are_its_own():
    said = replace(FAILED, stderr="{x}")
    assert text(said, NOTING, "echo {}") == "[echo {} 3: {x}|{x}]"


def test_a_real_agent_says_it_like_this():
    openhands = rule("openhands").commands
    failed = "[Error: Command `ls` exited with code 3:  oh\n]"
    assert text(FAILED, openhands) == failed
    assert text(LATE, openhands) == "[Error: Command `ls` timed out after 10s]"


def test_what_was_not_run_may_have_words_of_its_own():
    using = replace(NOTING, unrunnable="[no {command}: {error}]")
    assert text(ODD, using) == "[no ls: it is odd]"
    assert text(FAILED, using) == "[ls 3:  oh\n|oh]"


def test_what_says_nothing_may_have_a_text():
    using = CommandRule(silent="(nothing)")
    assert text(Said(stdout=" \n"), using) == "(nothing)"
    assert text(Said(stdout="a"), using) == "a"


@pytest.mark.parametrize(
    ("command", "status", "has_worked"),
    [
        ("grep x", 0, True),
        ("grep x", 1, True),
        ("grep x", 2, False),
        ("grep x", None, False),
        ("ls x", 1, False),
    ],
)
def test_some_programs_answer_with_their_status(
    command: str, status: int | None, has_worked: bool
):
    using = replace(ABORTING, answering=("grep",))
    insert = render_insert(command, Said(stdout="a", status=status), using)
    assert (insert == Insert("a")) is has_worked
    assert (insert.problem is None) is has_worked


LAST_WORDS = replace(
    ABORTING,
    aborted="{written} failed: {said}",
    unrunnable="{written} not run: {error}",
    stderr="[said] {error}",
)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (FAILED, "!`ls` failed: [said] oh"),
        (replace(FAILED, stderr=" \n"), "!`ls` failed:"),
        (ODD, "!`ls` not run: it is odd"),
        (LATE, ""),
    ],
)
def test_an_agent_that_hands_nothing_over_may_say_why(said: Said, words: str):
    insert = render_insert("ls", said, LAST_WORDS, written="!`ls`")
    assert (insert.text, insert.problem is None) == (words, False)


def test_where_both_outputs_are_one_that_is_where_the_error_is():
    using = replace(LAST_WORDS, streams=Streams.MERGED, max_output=5)
    said = Said(stdout=" out oh\n", status=2)
    insert = render_insert("ls", said, using, written="!`ls`")
    assert insert == Insert(
        "!`ls` failed: [said] out", "the command `ls` failed with status 2: out oh"
    )


# --- previews ------------------------------------------------------------------------

PREVIEWING = CommandRule(
    trim=OutputTrim.BLANK_LINES,
    max_output=30,
    preview="{size}: {beginning}",
    preview_cut="...",
    max_preview=10,
    silent="(nothing)",
)


@pytest.mark.parametrize(
    ("stdout", "expected"),
    [
        ("x" * 30, "x" * 30),
        ("x" * 31, "0KB: xxxxxxxxxx..."),
        ("x" * 30 + "\n", "0KB: xxxxxxxxxx..."),
        ("\n" * 25 + "x" * 9, "0KB: xxxxx"),
        ("x\n" + "\n" * 30, "0KB: x"),
        ("\n" * 31, "0KB: "),
        ("xxxxxx\n" + "y" * 40, "0KB: xxxxxx..."),
        ("xxxxx\n" + "y" * 40, "0KB: xxxxx\nyyyy..."),
        ("\U0001f600" * 8, "0KB: " + "\U0001f600" * 5 + "..."),
        ("x" + "\U0001f600" * 8, "0KB: x" + "\U0001f600" * 4 + "\ufffd..."),
        ("x" * 29_952, "29.3KB: xxxxxxxxxx..."),
        ("x" * 300_000, "293KB: xxxxxxxxxx..."),
        ("x" * 1_500_000, "1.4MB: xxxxxxxxxx..."),
    ],
)
def test_of_what_is_too_long_the_beginning_may_be_shown(stdout: str, expected: str):
    assert text(Said(stdout=stdout), PREVIEWING) == expected


# --- from bytes ----------------------------------------------------------------------

PYTHON = CommandRule(reading=OutputReading.PYTHON_TEXT)


def ending(stdout: bytes, stderr: bytes = b"", *, is_cut: bool = False) -> Ending:
    return Ending(
        exit_code=3,
        signal=None,
        stdout=stdout,
        stderr=stderr,
        stdout_is_cut=is_cut,
        stderr_is_cut=False,
        seconds=0.5,
        timed_out=False,
        backend=Backend.NONE,
    )


def test_bytes_that_are_no_text_are_replaced_and_line_ends_stay():
    said = read_ending(ending(b"a\r\xff", b"b\xc3"), CommandRule(), 2.0)
    assert said == Said(stdout="a\r\ufffd", stderr="b\ufffd", status=3, seconds=2.0)


def test_python_makes_all_line_ends_one():
    said = read_ending(ending(b"a\r\nb\r\n\rc", b"\r"), PYTHON, 2.0)
    assert said == Said(stdout="a\nb\n\nc", stderr="\n", status=3, seconds=2.0)


@pytest.mark.parametrize(
    ("stdout", "stderr", "problem"),
    [
        (b"a\xff", b"", "can't decode byte 0xff in position 1: invalid start byte"),
        (b"a", b"\xc3", "can't decode byte 0xc3 in position 0: unexpected end of data"),
    ],
)
def test_to_python_a_command_that_prints_no_text_is_one_that_is_not_run(
    stdout: bytes, stderr: bytes, problem: str
):
    said = read_ending(ending(stdout, stderr), PYTHON, 2.0)
    assert said == Said(problem=f"'utf-8' codec {problem}", status=3, seconds=2.0)


def test_to_python_a_signal_is_a_status():
    killed = replace(ending(b""), exit_code=None, signal=9)
    assert read_ending(killed, PYTHON, 2.0) == Said(status=-9, seconds=2.0)
    assert read_ending(killed, CommandRule(), 2.0) == Said(status=None, seconds=2.0)


def test_a_character_that_is_cut_in_half_is_no_fault():
    said = read_ending(ending(b"a\xc3", is_cut=True), PYTHON, 2.0)
    assert said == Said(stdout="a", status=3, seconds=2.0, is_cut=True)
