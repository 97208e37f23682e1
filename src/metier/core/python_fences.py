"""Fences as expressions and lines of Python find them."""

from __future__ import annotations

import re

from metier.core.fenced import Fenced, FenceResult, tell_missing, tell_unclosed

_PYTHON_BLANKS = re.compile(r"\s*+")


def find_spaced(text: str) -> FenceResult:
    """Dashes and white space up to a line end, twice."""
    start = _spaced_end(text, 3) if text.startswith("---") else None
    if start is None:
        return None, (tell_missing(text),)
    # Python would try an earlier line end as well: then only blanks are in between.
    return _close_spaced(text, start)


def find_spaced_closer(text: str) -> FenceResult:
    """A text that starts with dashes, and dashes with white space."""
    if not text.startswith("---"):
        return None, (tell_missing(text),)
    return _close_spaced(text, 3)


def _close_spaced(text: str, start: int) -> FenceResult:
    at = text.find("\n---", start)
    while at >= 0:
        body = _spaced_end(text, at + 4)
        if body is not None:
            return Fenced(start, at, body), ()
        at = text.find("\n---", at + 4)
    return None, (tell_unclosed(text, start),)


def _spaced_end(text: str, at: int) -> int | None:
    """Behind the last line end in the white space at `at`."""
    blanks = _PYTHON_BLANKS.match(text, at)
    return text.rfind("\n", at, blanks.end() if blanks else at) + 1 or None


def find_stripped(text: str) -> FenceResult:
    """Two lines that are dashes once they are stripped."""
    lines = _line_end(text, 0) or len(text)
    if text[:lines].strip() != "---":
        return None, (tell_missing(text),)
    start = at = lines
    while at < len(text):
        end = _line_end(text, at) or len(text)
        if text[at:end].strip() == "---":
            return _without_blanks(text, Fenced(start, at, end)), ()
        at = end
    return None, (tell_unclosed(text, start),)


def _without_blanks(text: str, fenced: Fenced) -> Fenced:
    header = text[fenced.header_start : fenced.header_end]
    start = fenced.header_end - len(header.lstrip())
    end = start + len(header.strip())
    return fenced._replace(header_start=start, header_end=end)


def _line_end(text: str, at: int) -> int | None:
    """Where the line behind the one at `at` starts."""
    return text.find("\n", at) + 1 or None
