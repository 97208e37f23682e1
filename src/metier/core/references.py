"""`@file` references and shell commands in a skill's text: found, never followed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cache

from metier.core.record import record
from metier.diagnostics import Span


class ReferenceSyntax(Enum):
    """What counts as a reference to a file."""

    NONE = "none"
    # Only ASCII blanks end a path, and a path counts once.
    AT_PATH_ASCII_UNIQUE = "at-path-ascii-unique"
    # Any blank of ECMAScript ends a path, and every mention counts.
    AT_PATH_UNICODE = "at-path-unicode"
    # Behind white space, up to the last letter of ASCII, digit or `_` before the next
    # blank, or `@"in quotes"`; a `#` ends the path, and a path counts once.
    AT_BLANK_UNIQUE = "at-blank-unique"


class ShellSyntax(Enum):
    """What counts as a shell command that an agent would run."""

    NONE = "none"
    BANG_BACKTICK = "bang-backtick"


@record
class FileReference:
    """An `@path`; the span begins at the `@`. A lone `@` has an empty path."""

    path: str
    span: Span


@record
class ShellCommand:
    """A command as written; the span takes in the marks around it."""

    command: str
    span: Span


# Go's `\s` and ECMAScript's `\s`, character by character: Python's own `\s` also
# takes U+001C..U+001F and U+0085, and leaves out U+FEFF.
_GO_BLANKS = r"\t\n\f\r "
_ECMASCRIPT_BLANKS = (
    r"\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)


@cache
def _at_path(blanks: str) -> re.Pattern[str]:
    # Everything after the `@` may be empty, so a match never fails and the
    # possessive `*+` changes no answer: it only drops the backtracking, and with it
    # the memory kept for each repetition. The word characters are spelled out
    # because both languages have an ASCII `\w`.
    run = rf"[^`,.{blanks}]"
    return re.compile(rf"(?<![`0-9A-Za-z_])@(\.?{run}*+(?>(?:\.{run}++)*))")


_AT_PATH_BLANKS = {
    ReferenceSyntax.AT_PATH_ASCII_UNIQUE: _GO_BLANKS,
    ReferenceSyntax.AT_PATH_UNICODE: _ECMASCRIPT_BLANKS,
}
_BANG_BACKTICK = re.compile("!`([^`]++)`")


def find_file_references(
    text: str, syntax: ReferenceSyntax
) -> tuple[FileReference, ...]:
    """The references to files in `text`, in order."""
    if syntax is ReferenceSyntax.NONE:
        return ()
    if syntax is ReferenceSyntax.AT_BLANK_UNIQUE:
        return tuple(_behind_blanks(text))
    matches: Iterable[re.Match[str]] = _at_path(_AT_PATH_BLANKS[syntax]).finditer(text)
    if syntax is ReferenceSyntax.AT_PATH_ASCII_UNIQUE:
        matches = _first_of_each_path(matches)
    return tuple(FileReference(path=m[1], span=Span(*m.span())) for m in matches)


@cache
def _at_blank() -> re.Pattern[str]:
    blanks = _ECMASCRIPT_BLANKS
    return re.compile(
        rf"(?<![^{blanks}])@(?:\"(?P<quoted>[^\"]++)\"|(?P<plain>[^{blanks}]*[0-9A-Za-z_]))"
    )


def _behind_blanks(text: str) -> Iterator[FileReference]:
    known: set[str] = set()
    for found in _at_blank().finditer(text):
        path = (found["quoted"] or found["plain"]).partition("#")[0]
        if path not in known:
            known.add(path)
            yield FileReference(path=path, span=Span(*found.span()))


def _first_of_each_path(matches: Iterable[re.Match[str]]) -> Iterable[re.Match[str]]:
    first: dict[str, re.Match[str]] = {}
    for match in matches:
        first.setdefault(match[1], match)
    return first.values()


def find_shell_commands(text: str, syntax: ShellSyntax) -> tuple[ShellCommand, ...]:
    """The shell commands in `text`, in order; none of them is run."""
    if syntax is ShellSyntax.NONE:
        return ()
    return tuple(
        ShellCommand(command=match[1], span=Span(*match.span()))
        for match in _BANG_BACKTICK.finditer(text)
    )
