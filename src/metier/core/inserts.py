"""What stands in a body for a command that was run, in the words of an agent."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from metier.core.execution import Backend, Ending
from metier.core.fields import Unit
from metier.core.record import record
from metier.core.substitution import (
    CommandFailure,
    CommandRule,
    OutputReading,
    OutputTrim,
    Streams,
)


@record
class Said:
    """What came of a command; `problem` says why it was not run at all.

    A `status` of None is that of a command that something killed.
    """

    stdout: str = ""
    stderr: str = ""
    status: int | None = 0
    timed_out: bool = False
    seconds: float = 0.0
    is_cut: bool = False
    problem: str | None = None


@record
class CommandRun:
    """A command of a body that was run, and how it ended."""

    command: str
    exit_code: int | None
    timed_out: bool
    seconds: float
    sandbox: Backend


def read_ending(ending: Ending, rule: CommandRule, seconds: float) -> Said:
    """What a command with `rule` said that ended like this, after `seconds` at most."""
    said = Said(
        status=ending.exit_code,
        timed_out=ending.timed_out,
        seconds=seconds,
        is_cut=ending.stdout_is_cut,
    )
    try:
        stdout = _text(ending.stdout, ending.stdout_is_cut, rule.reading)
        stderr = _text(ending.stderr, ending.stderr_is_cut, rule.reading)
    except UnicodeDecodeError as error:
        return replace(said, problem=str(error))
    return replace(said, stdout=stdout, stderr=stderr)


def _text(data: bytes, is_cut: bool, reading: OutputReading) -> str:  # noqa: FBT001
    if reading is OutputReading.UTF_8:
        return data.decode("utf-8", "replace")
    # What was cut may end within a character: that is no fault of the command.
    text = codecs.getincrementaldecoder("utf-8")().decode(data, not is_cut)
    return text.replace("\r\n", "\n").replace("\r", "\n")


class Insert(NamedTuple):
    """The text in the place of a command; `problem` where there can be none."""

    text: str
    problem: str | None = None


def render_insert(command: str, said: Said, rule: CommandRule) -> Insert:
    """What an agent with `rule` puts in the place of `command`."""
    if said.problem is None and said.status == 0 and not said.timed_out:
        return Insert(_printed(said, rule))
    if rule.failure is CommandFailure.ABORT:
        return Insert("", _problem(command, said))
    if said.timed_out:
        seconds = f"{said.seconds:g}"
        return Insert(rule.timed_out.format(command=command, seconds=seconds))
    if said.problem is not None or _is_noted(said, rule):
        return Insert(_note(command, said, rule))
    return Insert(_printed(said, rule))


def _is_noted(said: Said, rule: CommandRule) -> bool:
    if rule.failure is CommandFailure.OUTPUT_OR_NOTE:
        return not said.stdout
    return rule.failure is CommandFailure.NOTE


def _problem(command: str, said: Said) -> str:
    if said.problem is not None:
        return f"the command `{command}` is not run: {said.problem}"
    if said.timed_out:
        return f"the command `{command}` took more than {said.seconds:g} s"
    reason = f": {said.stderr.strip()}" if said.stderr.strip() else ""
    return f"the command `{command}` failed with status {_status(said)}{reason}"


def _status(said: Said) -> str:
    return "unknown" if said.status is None else str(said.status)


def _note(command: str, said: Said, rule: CommandRule) -> str:
    error = said.stderr if said.problem is None else said.problem
    template = rule.failed if said.problem is None else rule.unrunnable or rule.failed
    note = template.format(
        command=command, status=_status(said), error=error, reason=error.strip()
    )
    return note.rstrip()


def _printed(said: Said, rule: CommandRule) -> str:
    stdout, stderr = map(_TRIMS[rule.trim], (said.stdout, said.stderr))
    text = stdout
    if rule.streams is Streams.STDOUT_OR_STDERR and not stdout:
        text = stderr
    elif rule.streams is Streams.BOTH and stderr:
        told = rule.stderr.format(error=stderr)
        text = f"{stdout}\n{told}" if stdout else told
    cut = _cut(text, rule)
    return f"{cut}{rule.cut}" if said.is_cut or len(cut) < len(text) else text


_TRIMS: Mapping[OutputTrim, Callable[[str], str]] = {
    OutputTrim.NONE: str,
    OutputTrim.LINE_ENDS: lambda text: text.rstrip("\n"),
    OutputTrim.END: str.rstrip,
    OutputTrim.BOTH: str.strip,
}


def _cut(text: str, rule: CommandRule) -> str:
    most = rule.max_output
    if not most:
        return text
    if rule.output_unit is Unit.CHARACTERS:
        return text[:most]
    coding = "utf-16-le" if rule.output_unit is Unit.UTF16 else "utf-8"
    size = 2 * most if rule.output_unit is Unit.UTF16 else most
    data = text.encode(coding, "replace")
    return text if len(data) <= size else data[:size].decode(coding, "ignore")
