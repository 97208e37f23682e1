"""What metier has to say about a file, as values.

A diagnostic is made where the fact is known and rendered somewhere else. Its
identity is a rule name in kebab-case, never a number.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, NamedTuple


class Severity(Enum):
    """How much a finding weighs: an error costs the skill, a warning does not."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Span(NamedTuple):
    """A stretch of the decoded text, as offsets; `end` is exclusive."""

    start: int
    end: int


class Position(NamedTuple):
    """A place for people: both numbers start at 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A second place that explains the first one."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """An edit that removes the cause: `span` becomes `replacement`."""

    title: str
    span: Span
    replacement: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One finding: the problem in `message`, the remedy in `help`."""

    rule: str
    severity: Severity
    message: str
    path: str | None = None
    position: Position | None = None
    span: Span | None = None
    labels: tuple[Label, ...] = ()
    help: str | None = None
    fix: Fix | None = None
    source: str | None = None

    def located(self, path: str) -> Diagnostic:
        """The same finding, in the file at `path`."""
        return replace(self, path=path)

    def as_json(self) -> dict[str, Any]:
        """The finding as plain values, for `--json`."""
        return {
            "rule": self.rule,
            "severity": self.severity.value,
            "message": self.message,
            "path": self.path,
            "line": self.position.line if self.position else None,
            "column": self.position.column if self.position else None,
            "span": list(self.span) if self.span else None,
            "help": self.help,
            "source": self.source,
        }


Diagnostics = tuple[Diagnostic, ...]


def position_of(text: str, offset: int) -> Position:
    """The line and column of an offset, counting only line feeds as line ends."""
    line_start = text.rfind("\n", 0, offset) + 1
    return Position(text.count("\n", 0, offset) + 1, offset - line_start + 1)


class Lines:
    """Where the lines of a text start: made once, for many positions."""

    __slots__ = ("_starts",)

    def __init__(self, text: str) -> None:
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def position(self, offset: int) -> Position:
        """The same as `position_of` of that text."""
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1)


def diagnostic_at(
    rule: str,
    severity: Severity,
    message: str,
    *,
    text: str,
    span: Span,
    help: str | None = None,
    fix: Fix | None = None,
) -> Diagnostic:
    """A finding about `text[span]`, with its line and column worked out."""
    return Diagnostic(
        rule=rule,
        severity=severity,
        message=message,
        position=position_of(text, span.start),
        span=span,
        help=help,
        fix=fix,
    )


def printable(text: str, *, limit: int = 80) -> str:
    """`text` for a message: controls and invisible characters made visible, cut."""
    shown = "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode() for c in text
    )
    return shown if len(shown) <= limit else shown[: limit - 3] + "..."
