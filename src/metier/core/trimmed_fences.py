"""Fences that some agents look for with blanks around them, or anywhere."""

from __future__ import annotations

import re

from metier.core.fenced import (
    Fenced,
    FenceResult,
    tell_missing,
    tell_panic,
    tell_unclosed,
)
from metier.core.text import WHITE_SPACE


def find_cut_prefix(text: str) -> FenceResult:
    """Any line that starts with `---`; a character behind the first is lost."""
    if not text.startswith("---"):
        return None, (tell_missing(text),)
    end = text.find("\n---", 3)
    if end < 0:
        return None, (tell_unclosed(text, 3),)
    if end == 3:
        return None, (tell_panic(text),)
    # Of a character beyond ASCII only the first byte is lost; a surrogate is one byte.
    is_byte = text[3].isascii() or "\ud800" <= text[3] <= "\udfff"
    start = 4 if is_byte else 3
    return Fenced(start, end, end + 4), ()


def find_split(text: str) -> FenceResult:
    """The first two `---`, wherever they stand."""
    start = text.find("---")
    if start < 0:
        return None, (tell_missing(text),)
    end = text.find("---", start + 3)
    if end < 0:
        return None, (tell_unclosed(text, start + 3),)
    return _trimmed(text, start + 3, end, end + 3), ()


def _trimmed(text: str, start: int, end: int, body: int) -> Fenced:
    """A header without the blanks at its ends."""
    header = text[start:end].strip(WHITE_SPACE)
    start = text.find(header, start) if header else start
    return Fenced(start, start + len(header), body)


# With one of these the opening `---` is more than a fence: it starts a document.
_DOCUMENT_SIGN = re.compile(r"^(?:%|---|\.\.\.)", re.MULTILINE)
_EXACT_CLOSER = re.compile(r"\n---(?:\r?\n|\Z)")


def find_exact_closer(text: str) -> FenceResult:
    """A text that starts with `---`, up to a line that is no more than that."""
    opener = len(text) - len(text.lstrip(WHITE_SPACE))
    if not text.startswith("---", opener):
        return None, (tell_missing(text),)
    closed = _EXACT_CLOSER.search(text, opener)
    if closed is None:
        return None, (tell_unclosed(text, opener + 3),)
    end = closed.start() + 1
    start = text.index("\n", opener) + 1
    is_plain = text[opener:start] in ("---\n", "---\r\n")
    if not is_plain or _DOCUMENT_SIGN.search(text, start, end):
        start = opener
    return Fenced(start, end, closed.end()), ()


_LOOSE_OPENER = re.compile(rf"[{WHITE_SPACE}]*+---[ \t]*+\r?\n")
_LOOSE_CLOSER = re.compile(r"\r?\n---[ \t]*+\r?\n")


def find_loose_closed(text: str) -> FenceResult:
    """Lines that are `---` and blanks, each with its line break."""
    opened = _LOOSE_OPENER.match(text)
    if opened is None:
        return None, (tell_missing(text),)
    closed = _LOOSE_CLOSER.search(text, opened.end())
    if closed is None:
        return None, (tell_unclosed(text, opened.end()),)
    return _trimmed(text, opened.end(), closed.start(), closed.end()), ()


def find_trimmed(text: str) -> FenceResult:
    """Lines that are `---` without the blanks around them."""
    start = _line_end(text, 0)
    if start is None or text[: start - 1].strip(WHITE_SPACE) != "---":
        return None, (tell_missing(text),)
    closer = _next_trimmed_line(text, start)
    if closer is None:
        return None, (tell_unclosed(text, start),)
    line, end = closer
    if line == start:
        return None, (tell_missing(text),)  # nothing between the fences
    header_end = line - 1
    header_end -= header_end > start and text[header_end - 1] == "\r"
    return Fenced(start, header_end, end), ()


def find_late_trimmed(text: str) -> FenceResult:
    """The same behind blank lines."""
    opener = len(text) - len(text.lstrip(WHITE_SPACE))
    start = _line_end(text, opener)
    if start is None or text[opener : start - 1].strip(WHITE_SPACE) != "---":
        return None, (tell_missing(text),)
    closer = _next_trimmed_line(text, start)
    if closer is None:
        return None, (tell_unclosed(text, start),)
    return Fenced(start, max(closer[0] - 1, start), closer[1]), ()


def _line_end(text: str, at: int) -> int | None:
    """Where the line behind the one at `at` starts."""
    return text.find("\n", at) + 1 or None


def _next_trimmed_line(text: str, start: int) -> tuple[int, int] | None:
    """Start and end of the next line that is `---` without the blanks around it."""
    at = text.find("---", start)
    while at >= 0:
        line = text.rfind("\n", start - 1, at) + 1
        end = text.find("\n", at)
        end = end if end >= 0 else len(text)
        if text[line:end].strip(WHITE_SPACE) == "---":
            return line, min(end + 1, len(text))
        at = text.find("---", end)
    return None
