"""Where the frontmatter starts and ends.

One function per way that real readers find the fences; a dialect names one of
them. Each searches by hand, in linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from functools import cache

from metier.core.fenced import Fenced, FenceResult, tell_missing, tell_unclosed
from metier.core.python_fences import (
    find_spaced,
    find_spaced_closer,
    find_stripped,
)
from metier.core.text import JS_WHITE_SPACE, WHITE_SPACE
from metier.core.trimmed_fences import (
    find_cut_prefix,
    find_exact_closer,
    find_late_trimmed,
    find_loose_closed,
    find_split,
    find_trimmed,
)
from metier.diagnostics import (
    Diagnostic,
    Diagnostics,
    Severity,
    Span,
    diagnostic_at,
)


class FenceStyle(Enum):
    """How an agent finds the two `---`."""

    TOLERANT_LINES = "tolerant-lines"  # blanks before and after, glued text named
    EXACT_LINES = "exact-lines"  # `---` alone on its line, nothing else
    LATER_LINES = "later-lines"  # like exact, but line two is never the closer
    CLOSED_LINES = "closed-lines"  # like exact, and a line break after the closer
    ENDED_LINES = "ended-lines"  # or the end of the text after it
    PREFIX = "prefix"  # any line that starts with `---` closes
    LINE_PREFIX = "line-prefix"  # the same behind a `---` that is alone on line one
    ANYWHERE = "anywhere"  # the next `---`, wherever it stands
    # The same behind a `---` that is alone on line one, but for the white space that
    # JavaScript knows; what of it stands behind either of them belongs to nothing.
    LINE_ANYWHERE = "line-anywhere"
    # `---` and the character behind it open, whichever that is; a line that starts with
    # `---` closes, and what is behind these belongs to the body.
    FOUR_CHARACTERS = "four-characters"
    # `---` alone on line one; a later line that starts with it closes, and what is
    # behind it belongs to the body.
    LINE_TO_PREFIX = "line-to-prefix"
    GRAY_MATTER = "gray-matter"  # gray-matter 4: language after the opener
    TRIMMED_LINES = "trimmed-lines"  # a line that is `---` without the blanks around it
    LATE_TRIMMED_LINES = "late-trimmed-lines"  # the same, also behind blank lines
    DASH_LINES = "dash-lines"  # lines of three dashes or more, only blanks before them
    # The library: like that, but blanks may also stand before the opener, on its line;
    # JSON in braces is read too, and without fences there are no fields, all is body.
    PYTHON_FRONTMATTER = "python-frontmatter"
    # Any line that starts with `---`; what stands behind the first dashes is lost: one
    # character of it, or the line break.
    CUT_PREFIX = "cut-prefix"
    # Three dashes and blanks, alone on a line that any line end ends; without a second
    # such line all the rest is header.
    OPEN_END = "open-end"
    # The expressions of Python: white space behind the dashes, line ends among it.
    SPACED_LINES = "spaced-lines"  # behind both, up to the last line end of it
    SPACED_CLOSER = "spaced-closer"  # behind the closer; any text may follow the opener
    # Lines as `str.strip` leaves them; the closer may be line two.
    STRIPPED_LINES = "stripped-lines"
    # The first two `---`, wherever they stand; what is before them is lost, and so are
    # the blanks at both ends of what is between them.
    SPLIT = "split"
    # Behind blanks a text that starts with `---`, up to a line that is `---` and no
    # more. What stands on the first line belongs to the header.
    EXACT_CLOSER = "exact-closer"
    # Behind blanks a line that is `---`, and another one, with its line break; blanks
    # may stand behind both, and those at the ends of what is between them are lost.
    LOOSE_CLOSED_LINES = "loose-closed-lines"


class Headless(Enum):
    """What a file without a frontmatter is."""

    REJECTED = "rejected"  # no skill
    BODY = "body"  # a body with an empty header


_TOLERANT_OPEN = re.compile(r"[ \t\r\n]*---[ \t\xa0]*(?:\r?\n|\Z)")
_CLOSER = re.compile(r"^---[ \t\xa0]*(?:\r?\n|\r?\Z)", re.MULTILINE)
_BREAKS = re.compile(r"[\r\n]*+")
_BREAK = re.compile(r"\r?\n")


def find_fence(text: str, style: FenceStyle) -> FenceResult:
    """The frontmatter of `text`, or None and the reason."""
    return _FINDERS[style](text)


def _find_tolerant(text: str) -> FenceResult:
    if text.startswith("---\n"):
        end = text.find("\n---\n", 3)
        if end >= 0:
            # An earlier tolerated closer (`--- `) would have to win over this one.
            odd = text.find("\n---", 3, end)
            if odd < 0:
                return Fenced(4, max(end + 1, 4), end + 5), ()
    opened = _TOLERANT_OPEN.match(text)
    if opened is None:
        return None, (tell_missing(text),)
    start = opened.end()
    closed = _CLOSER.search(text, start)
    if closed is None:
        return None, (tell_unclosed(text, start),)
    fenced = Fenced(start, closed.start(), closed.end())
    return fenced, _tolerated(text, opened, closed)


def _tolerated(text: str, opened: re.Match[str], closed: re.Match[str]) -> Diagnostics:
    found: list[Diagnostic] = []
    lead = text.find("---")
    if lead > 0:
        found.append(
            diagnostic_at(
                "fence-leading-blank",
                Severity.WARNING,
                "blank lines before the opening `---`",
                text=text,
                span=Span(0, lead),
                help="start the file with `---`",
            )
        )
    for fence, start in ((opened, lead), (closed, closed.start())):
        tail = text[start + 3 : fence.end()].rstrip("\r\n")
        if tail:
            found.append(
                diagnostic_at(
                    "fence-trailing-blank",
                    Severity.WARNING,
                    "blanks after `---`",
                    text=text,
                    span=Span(start + 3, start + 3 + len(tail)),
                    help="remove them: several agents do not see this fence",
                )
            )
    return tuple(found)


def without_header(found: Diagnostics) -> tuple[Fenced, Diagnostics]:
    """A text that is all body; what was `found` is no error then."""
    told = (replace(each, severity=Severity.WARNING) for each in found)
    return Fenced(0, 0, 0), tuple(told)


def _find_exact(text: str) -> FenceResult:
    # One step back: the first line of the header may be the closer.
    return _find_whole_lines(text, -1)


def _find_later(text: str) -> FenceResult:
    return _find_whole_lines(text, 0)


def _find_whole_lines(text: str, skipped: int) -> FenceResult:
    start = _exact_opener(text)
    if start is None:
        return None, (tell_missing(text),)
    at = text.find("\n---", start + skipped)
    while at >= 0:
        line_end = text.find("\n", at + 1)
        line_end = line_end if line_end >= 0 else len(text)
        if text[at + 1 : line_end].rstrip("\r") == "---":
            return Fenced(start, at + 1, min(line_end + 1, len(text))), ()
        at = text.find("\n---", at + 1)
    return None, (tell_unclosed(text, start),)


def _exact_opener(text: str) -> int | None:
    if text.startswith("---\n"):
        return 4
    return 5 if text.startswith("---\r\n") else None


def _find_closed(text: str) -> FenceResult:
    return _find_line_ends(text, _BREAK)


def _find_ended(text: str) -> FenceResult:
    return _find_line_ends(text, _BREAK_OR_END)


_BREAK_OR_END = re.compile(r"\r?\n|\Z")


def _find_line_ends(text: str, closer_end: re.Pattern[str]) -> FenceResult:
    start = _exact_opener(text)
    if start is None:
        return None, (tell_missing(text),)
    at = text.find("\n---", start)
    while at >= 0:
        closed = closer_end.match(text, at + 4)
        if closed:
            end = at - 1 if text[at - 1] == "\r" and at > start else at
            return Fenced(start, end, closed.end()), ()
        at = text.find("\n---", at + 1)
    return None, (tell_unclosed(text, start),)


def _find_prefix(text: str) -> FenceResult:
    start = len(text) - len(text.lstrip(WHITE_SPACE))
    if not text.startswith("---", start):
        return None, (tell_missing(text),)
    start = _skip_breaks(text, start + 3)
    at = text.find("\n---", start)
    if at < 0:
        return None, (tell_unclosed(text, start),)
    return Fenced(start, at, _skip_breaks(text, at + 4)), ()


def _find_line_prefix(text: str) -> FenceResult:
    start = _exact_opener(text)
    if start is None:
        return None, (tell_missing(text),)
    at = text.find("\n---", start)
    if at < 0:
        return None, (tell_unclosed(text, start),)
    end = at - 1 if text[at - 1] == "\r" and at > start else at
    body = _BREAK.match(text, at + 4)
    # Text behind the dashes, and all below it, is lost to such a reader.
    return Fenced(start, end, body.end() if body else len(text)), ()


def _skip_breaks(text: str, at: int) -> int:
    found = _BREAKS.match(text, at)
    return found.end() if found else at


def _find_anywhere(text: str) -> FenceResult:
    if not text.startswith("---"):
        return None, (tell_missing(text),)
    end = text.find("---", 3)
    if end < 0:
        return None, (tell_unclosed(text, 3),)
    return Fenced(3, end, end + 3), ()


def _find_four_characters(text: str) -> FenceResult:
    if not text.startswith("---"):
        return None, (tell_missing(text),)
    end = text.find("\n---", 3)
    if end < 0:
        return None, (tell_unclosed(text, 3),)
    return Fenced(min(4, end), end, end + 4), ()


def _find_line_to_prefix(text: str) -> FenceResult:
    start = 5 if text.startswith("---\r\n") else 4
    if not text.startswith(("---\n", "---\r\n")):
        return None, (tell_missing(text),)
    end = text.find("\n---", start)
    if end < 0:
        return None, (tell_unclosed(text, start),)
    header_end = end - (end > start and text[end - 1] == "\r")
    return Fenced(start, header_end, end + 4), ()


def _find_line_anywhere(text: str) -> FenceResult:
    start = text.rfind("\n", 3, _blank_end(text, 3)) + 1
    if not start or not text.startswith("---"):
        return None, (tell_missing(text),)
    end = text.find("---", start)
    if end < 0:
        return None, (tell_unclosed(text, start),)
    return Fenced(start, end, _blank_end(text, end + 3)), ()


def _blank_end(text: str, start: int) -> int:
    """Where the white space from `start` on ends, as JavaScript has it."""
    found = _js_blanks().match(text, start)
    return found.end() if found else start


@cache
def _js_blanks() -> re.Pattern[str]:
    return re.compile(f"[{JS_WHITE_SPACE}]*+")


def _find_gray_matter(text: str) -> FenceResult:
    first = int(text.startswith("\ufeff"))  # it strips a byte order mark itself
    if not text.startswith("---", first) or text.startswith("----", first):
        # gray-matter takes the whole file for the body, and hands over no data.
        return Fenced(0, 0, first), (tell_missing(text),)
    opened = first + 3
    line_end = text.find("\n", opened)
    line_end = line_end if line_end >= 0 else len(text) - 1
    raw = text[opened:line_end].removesuffix("\r")
    language = raw.strip(JS_WHITE_SPACE)
    start = opened + len(raw) if language else opened
    end = text.find("\n---", start)
    if end < 0:
        found = (tell_unclosed(text, start, severity=Severity.WARNING),)
        return Fenced(start, len(text), len(text), language), found
    body = end + 4
    body += text.startswith("\r", body)
    body += text.startswith("\n", body)
    return Fenced(start, end, body, language), ()


# As Python has it: `$` stands before a line break, and `\s` may take some on the way.
_DASH_LINE = re.compile(r"^-{3,}\s*$", re.MULTILINE)
_BRACE_LINE = re.compile(r"^[{}]$", re.MULTILINE)


def _find_dash_lines(text: str) -> FenceResult:
    opened = _DASH_LINE.search(text)
    if opened is None or text[: opened.start()].strip():
        return None, (tell_missing(text),)
    closed = _DASH_LINE.search(text, opened.end())
    if closed is None:
        return None, (tell_unclosed(text, opened.end()),)
    return Fenced(opened.end(), closed.start(), closed.end()), ()


def _find_python_frontmatter(text: str) -> FenceResult:
    shift = len(text) - len(text.lstrip())
    stripped = text.strip()
    line = _BRACE_LINE if stripped[:1] in ("{", "}") else _DASH_LINE
    opened = line.match(stripped)
    if opened is None:
        found = tell_missing(text, severity=Severity.WARNING)
        return Fenced(0, 0, 0), (found,)
    start = shift + opened.end()
    closed = line.search(stripped, opened.end())
    if closed is None:
        found = tell_unclosed(text, start, severity=Severity.WARNING)
        return Fenced(0, 0, 0), (found,)
    language = "json" if line is _BRACE_LINE else ""
    end, body = shift + closed.start(), shift + closed.end()
    return Fenced(start, end, body, language), ()


_BLANK_ENDED = (
    "---[" + JS_WHITE_SPACE.replace("\r", "").replace("\n", "") + r"]*(?:\r\n|\r|\n|\Z)"
)
_OPEN_OPENER = re.compile(_BLANK_ENDED)
_OPEN_CLOSER = re.compile(rf"(?<=[\r\n]){_BLANK_ENDED}")


def _find_open_end(text: str) -> FenceResult:
    opened = _OPEN_OPENER.match(text)
    if opened is None:
        return None, (tell_missing(text),)
    start = opened.end()
    closed = _OPEN_CLOSER.search(text, start)
    if closed is None:
        found = tell_unclosed(text, start, severity=Severity.WARNING)
        return Fenced(start, len(text), len(text)), (found,)
    return Fenced(start, closed.start(), closed.end()), ()


# Where the header starts, and how many characters of the closer's line break it has,
# when the first line is `---` and the first `\n---` is a line of its own as well.
_PLAIN_CUTS = {
    FenceStyle.TOLERANT_LINES: (4, 1),
    FenceStyle.EXACT_LINES: (4, 1),
    FenceStyle.CLOSED_LINES: (4, 0),
    FenceStyle.ENDED_LINES: (4, 0),
    FenceStyle.FOUR_CHARACTERS: (4, 0),
    FenceStyle.GRAY_MATTER: (3, 0),
    FenceStyle.DASH_LINES: (3, 1),
    FenceStyle.PYTHON_FRONTMATTER: (3, 1),
}
# With these, blank lines behind the opener belong to it, whichever blanks they hold.
_TAKE_BLANKS = frozenset((FenceStyle.DASH_LINES, FenceStyle.PYTHON_FRONTMATTER))


def find_plain_header(
    head: bytes, closer: int, style: FenceStyle
) -> tuple[int, int] | None:
    """The header of a file with the plainest of fences; None where it takes a search.

    `closer` is where the first line that starts with `---` ends the one before it. What
    is found is what `find_fence` would find in the text of the whole file.
    """
    cut = _PLAIN_CUTS.get(style)
    if cut is None or closer < len(b"---\n") or not head.startswith(b"---\n"):
        return None
    if not head.startswith(b"\n---\n", closer) or head[closer - 1] == _RETURN:
        return None
    if style in _TAKE_BLANKS and not 0x20 < head[4] < 0x7F:
        return None
    return cut[0], closer + cut[1]


_RETURN = 13

_FINDERS: dict[FenceStyle, Callable[[str], FenceResult]] = {
    FenceStyle.TOLERANT_LINES: _find_tolerant,
    FenceStyle.EXACT_LINES: _find_exact,
    FenceStyle.LATER_LINES: _find_later,
    FenceStyle.CLOSED_LINES: _find_closed,
    FenceStyle.ENDED_LINES: _find_ended,
    FenceStyle.PREFIX: _find_prefix,
    FenceStyle.LINE_PREFIX: _find_line_prefix,
    FenceStyle.ANYWHERE: _find_anywhere,
    FenceStyle.FOUR_CHARACTERS: _find_four_characters,
    FenceStyle.LINE_TO_PREFIX: _find_line_to_prefix,
    FenceStyle.LINE_ANYWHERE: _find_line_anywhere,
    FenceStyle.GRAY_MATTER: _find_gray_matter,
    FenceStyle.TRIMMED_LINES: find_trimmed,
    FenceStyle.DASH_LINES: _find_dash_lines,
    FenceStyle.PYTHON_FRONTMATTER: _find_python_frontmatter,
    FenceStyle.LATE_TRIMMED_LINES: find_late_trimmed,
    FenceStyle.CUT_PREFIX: find_cut_prefix,
    FenceStyle.OPEN_END: _find_open_end,
    FenceStyle.SPACED_LINES: find_spaced,
    FenceStyle.SPACED_CLOSER: find_spaced_closer,
    FenceStyle.STRIPPED_LINES: find_stripped,
    FenceStyle.SPLIT: find_split,
    FenceStyle.EXACT_CLOSER: find_exact_closer,
    FenceStyle.LOOSE_CLOSED_LINES: find_loose_closed,
}
