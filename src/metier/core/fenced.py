"""What a fence finder hands over: a text cut in three, or why it cannot be."""

from __future__ import annotations

import re
from typing import NamedTuple

from metier.diagnostics import (
    Diagnostic,
    Diagnostics,
    Severity,
    Span,
    diagnostic_at,
)


class Fenced(NamedTuple):
    """A text cut in three; `language` is what stands behind the opening fence."""

    header_start: int
    header_end: int
    body_start: int
    language: str = ""


FenceResult = tuple[Fenced | None, Diagnostics]

_GLUED_CLOSER = re.compile(r"^[ \t]*---.*$", re.MULTILINE)


def tell_panic(text: str) -> Diagnostic:
    """The finding about a file with nothing between its fences."""
    return diagnostic_at(
        "host-panics",
        Severity.ERROR,
        "on a frontmatter without a line the host panics",
        text=text,
        span=Span(0, 3),
        help="write `name: ...` and `description: ...` between the `---`",
    )


def tell_missing(text: str, *, severity: Severity = Severity.ERROR) -> Diagnostic:
    """The finding about a file that starts with no fence."""
    first_line = text[: text.find("\n")] if "\n" in text else text
    return diagnostic_at(
        "frontmatter-missing",
        severity,
        "no frontmatter: the first line is not `---`",
        text=text,
        span=Span(0, min(len(first_line), 80)),
        help="start the file with `---`, `name:`, `description:` and `---`",
    )


def tell_unclosed(
    text: str, start: int, *, severity: Severity = Severity.ERROR
) -> Diagnostic:
    """The finding about a file whose header starts at `start` and never ends."""
    glued = _GLUED_CLOSER.search(text, start)
    message = "the frontmatter has no closing `---`"
    if glued:
        message = "the closing `---` does not stand alone on its line"
    return diagnostic_at(
        "frontmatter-unclosed",
        severity,
        message,
        text=text,
        span=Span(*glued.span()) if glued else Span(0, 3),
        help="put `---` alone on the line after the last field",
    )
