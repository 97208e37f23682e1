"""What stands in a body for a command that was run, in the words of an agent."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from metier.core.execution import Backend, Ending
from metier.core.fields import Unit
from metier.core.last_command import ends_with_any
from metier.core.record import record
from metier.core.substitution import (
    CommandFailure,
    CommandRule,
    OutputReading,
    OutputTrim,
    Streams,
)
from metier.core.text import JS_WHITE_SPACE


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
        status=_status_of(ending, rule.reading),
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


def _status_of(ending: Ending, reading: OutputReading) -> int | None:
    if ending.signal is not None and reading is OutputReading.PYTHON_TEXT:
        return -ending.signal
    return ending.exit_code


def _text(data: bytes, is_cut: bool, reading: OutputReading) -> str:  # noqa: FBT001
    if reading is OutputReading.UTF_8:
        return data.decode("utf-8", "replace")
    # What was cut may end within a character: that is no fault of the command.
    text = codecs.getincrementaldecoder("utf-8")().decode(data, not is_cut)
    return text.replace("\r\n", "\n").replace("\r", "\n")


class Insert(NamedTuple):
    """The text in the place of a command.

    Where there can be none, `problem` says why, and `text` may say it in the agent's
    words.
    """

    text: str
    problem: str | None = None


def render_insert(
    command: str, said: Said, rule: CommandRule, *, written: str = ""
) -> Insert:
    """What an agent with `rule` puts in the place of `command`, marks and all."""
    if _has_worked(command, said, rule):
        return Insert(_printed(said, rule))
    if rule.failure is CommandFailure.ABORT:
        words = _last_words(command, said, rule, written)
        return Insert(words, _problem(command, said, rule))
    if said.timed_out:
        seconds = f"{said.seconds:g}"
        return Insert(rule.timed_out.format(command=command, seconds=seconds))
    if said.problem is not None or _is_noted(said, rule):
        told = said.problem is not None and rule.unrunnable
        return Insert(_worded(told or rule.failed, command, said, written))
    return Insert(_printed(said, rule))


def _has_worked(command: str, said: Said, rule: CommandRule) -> bool:
    if said.problem is not None or said.timed_out:
        return False
    if said.status == 1 and rule.answering:
        return ends_with_any(command, rule.answering)
    return said.status == 0


def _is_noted(said: Said, rule: CommandRule) -> bool:
    if rule.failure is CommandFailure.OUTPUT_OR_NOTE:
        return not said.stdout
    return rule.failure is CommandFailure.NOTE


def _last_words(command: str, said: Said, rule: CommandRule, written: str) -> str:
    """What the agent says that hands nothing over."""
    if said.problem is not None:
        return _worded(rule.unrunnable, command, said, written)
    if said.timed_out:
        return ""
    error = _cut(_error(said, rule), rule).strip(JS_WHITE_SPACE)
    told = rule.stderr.format(error=error) if error else ""
    return rule.aborted.format(written=written, said=told).rstrip()


def _error(said: Said, rule: CommandRule) -> str:
    return said.stdout if rule.streams is Streams.MERGED else said.stderr


def _problem(command: str, said: Said, rule: CommandRule) -> str:
    if said.problem is not None:
        return f"the command `{command}` is not run: {said.problem}"
    if said.timed_out:
        return f"the command `{command}` took more than {said.seconds:g} s"
    error = _error(said, rule).strip()
    reason = f": {error}" if error else ""
    return f"the command `{command}` failed with status {_status(said)}{reason}"


def _status(said: Said) -> str:
    return "unknown" if said.status is None else str(said.status)


def _worded(template: str, command: str, said: Said, written: str) -> str:
    error = said.stderr if said.problem is None else said.problem
    words = template.format(
        command=command,
        written=written,
        status=_status(said),
        error=error,
        reason=error.strip(),
    )
    return words.rstrip()


def _printed(said: Said, rule: CommandRule) -> str:
    if rule.preview and len(said.stdout.encode("utf-8")) > rule.max_output:
        return _preview(said.stdout, rule)
    text = _told(said, rule)
    cut = _cut(text, rule)
    if said.is_cut or len(cut) < len(text):
        return f"{cut}{rule.cut}"
    return text or rule.silent


def _told(said: Said, rule: CommandRule) -> str:
    stdout, stderr = map(_TRIMS[rule.trim], (said.stdout, said.stderr))
    if rule.streams is Streams.STDOUT_OR_STDERR and not stdout:
        return stderr
    if rule.streams is Streams.BOTH and stderr:
        told = rule.stderr.format(error=stderr)
        return f"{stdout}\n{told}" if stdout else told
    return stdout


def _preview(stdout: str, rule: CommandRule) -> str:
    text = _TRIMS[rule.trim](_cut(stdout, rule))
    beginning = _beginning(text, rule.max_preview)
    more = rule.preview_cut if len(beginning) < len(text) else ""
    size = _size(len(stdout.encode("utf-8")))
    return rule.preview.format(size=size, beginning=f"{beginning}{more}")


def _beginning(text: str, most: int) -> str:
    """As much of `text`, up to the end of a line if that is more than half of it."""
    data = text.encode("utf-16-le")
    if len(data) <= 2 * most:
        return text
    cut = data[: 2 * most].decode("utf-16-le", "replace")
    lines = cut[: max(cut.rfind("\n"), 0)]
    return lines if len(lines.encode("utf-16-le")) > most else cut


def _size(count: int) -> str:
    """A number of bytes as people read it, with one digit behind the point if any."""
    unit, size = ("KB", 1024) if count < 1024 * 1024 else ("MB", 1024 * 1024)
    tenths = (20 * count + size) // (2 * size)
    return f"{tenths / 10:.1f}".removesuffix(".0") + unit


# As JavaScript has it, from which nothing of Unicode's other controls is a blank.
_BLANK_LINES = re.compile(rf"\A[{JS_WHITE_SPACE}]*\n")


def _without_blank_lines(text: str) -> str:
    return _BLANK_LINES.sub("", text).rstrip(JS_WHITE_SPACE)


_TRIMS: Mapping[OutputTrim, Callable[[str], str]] = {
    OutputTrim.NONE: str,
    OutputTrim.LINE_ENDS: lambda text: text.rstrip("\n"),
    OutputTrim.END: str.rstrip,
    OutputTrim.BOTH: str.strip,
    OutputTrim.BLANK_LINES: _without_blank_lines,
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
