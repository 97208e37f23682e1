"""Code in Markdown: fenced blocks and inline spans."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from metier.diagnostics import Span


class Fence(NamedTuple):
    """A fenced block: all of it, what stands behind its opening, and its content."""

    span: Span
    info: str
    content: Span


_FENCE_LINE = re.compile(r"^[ \t]*+(`{3,}+|~{3,}+)([^\n]*+)(\n|\Z)", re.MULTILINE)
_RUN = re.compile("`++")
_BLANK_LINE = re.compile(r"\n[ \t]*+\n")


def find_fences(text: str) -> tuple[Fence, ...]:
    """The fenced blocks; one that is never closed goes to the end."""
    found: list[Fence] = []
    opener: re.Match[str] | None = None
    for line in _FENCE_LINE.finditer(text):
        if opener is None:
            opener = line if _opens(line) else None
        elif _closes(line, opener):
            found.append(_fence(opener, line.start(), line.end()))
            opener = None
    if opener is not None:
        found.append(_fence(opener, len(text), len(text)))
    return tuple(found)


def _opens(line: re.Match[str]) -> bool:
    # Behind backquotes no other may follow: that is a span, not a block.
    return line[1][0] == "~" or "`" not in line[2]


def _closes(line: re.Match[str], opener: re.Match[str]) -> bool:
    is_long_enough = len(line[1]) >= len(opener[1])
    return is_long_enough and line[1][0] == opener[1][0] and not line[2].strip()


def _fence(opener: re.Match[str], content_end: int, end: int) -> Fence:
    content = Span(opener.end(), max(opener.end(), content_end))
    return Fence(Span(opener.start(), end), opener[2].strip(), content)


def find_code_spans(
    text: str, fences: Iterable[Fence], *, shortest: int = 1
) -> tuple[Span, ...]:
    """The inline code outside of `fences` between `shortest` backquotes or more.

    A backquote by itself behind a `!` begins a command and no code.
    """
    found: list[Span] = []
    for start, end in _paragraphs(text, fences):
        found += _paired(text, _RUN.finditer(text, start, end), shortest)
    return tuple(found)


def _paragraphs(text: str, fences: Iterable[Fence]) -> Iterator[tuple[int, int]]:
    start = 0
    for cut in (*(fence.span for fence in fences), Span(len(text), len(text))):
        for blank in _BLANK_LINE.finditer(text, start, cut.start):
            yield start, blank.start()
            start = blank.end()
        yield start, cut.start
        start = cut.end


def _paired(text: str, runs: Iterable[re.Match[str]], shortest: int) -> Iterator[Span]:
    spans = [run.span() for run in runs]
    closers = _closers(spans)
    index = 0
    while index < len(spans):
        start, end = spans[index]
        if end - start == 1 and text.startswith("!", start - 1 if start else 0):
            index += 2
        elif end - start >= shortest and closers[index]:
            yield Span(start, spans[closers[index]][1])
            index = closers[index] + 1
        else:
            index += 1


def _closers(spans: Sequence[tuple[int, int]]) -> list[int]:
    """For each run the next one of its length, 0 where there is none."""
    closers = [0] * len(spans)
    latest: dict[int, int] = {}
    for index in range(len(spans) - 1, -1, -1):
        length = spans[index][1] - spans[index][0]
        closers[index] = latest.get(length, 0)
        latest[length] = index
    return closers
