"""The cursor of js-yaml's grammar, and its scalars.

js-yaml keeps the indentation of the line that it is on as a state of its own, apart
from the column: it counts spaces only, and only after a line break. What it accepts
hangs on that, so the cursor keeps it too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple, NoReturn

from metier.core.nodes import Scalar, Style, YamlError
from metier.core.yaml_escapes import ESCAPES, join_surrogates
from metier.core.yaml_js_values import JsYaml

# Ends the text; js-yaml refuses it anywhere else, so it needs no bounds check.
END = "\0"
BREAKS = "\r\n"
BLANKS = " \t"
SPACES = BLANKS + BREAKS
FLOW_MARKS = ",[]{}"


class Comments(Enum):
    """Whether `#` starts a comment in the space that is skipped."""

    SKIP = "skip"
    KEEP = "keep"


class Area(Enum):
    """Whether a plain scalar stands inside brackets, whose marks end it."""

    BLOCK = "block"
    FLOW = "flow"


class Mark(NamedTuple):
    """A place to come back to."""

    pos: int
    line_start: int
    indent: int
    tab: int


_SPACE_RUN = re.compile(r" *")
_BLANK_RUN = re.compile(r"[ \t]*")
_LINE_REST = re.compile(r"[^\r\n\0]*")


class Cursor:
    """A place in the text, and what js-yaml knows about its line."""

    __slots__ = ("indent", "line_start", "pos", "tab", "text", "version")

    def __init__(self, text: str, version: JsYaml) -> None:
        self.version = version
        self.text = text + END if text.endswith(("\n", "\r")) else text + "\n" + END
        self.pos = self.line_start = int(text.startswith("\ufeff"))
        self.indent = 0
        # The first tab among the blanks of the line, which only version 4 minds.
        self.tab = -1
        if END in text:
            self.pos = text.index(END)
            self.fail("a null character is not allowed")

    def fail(self, problem: str) -> NoReturn:
        raise YamlError(problem, min(self.pos, len(self.text) - 2))

    @property
    def char(self) -> str:
        return self.text[self.pos]

    def mark(self) -> Mark:
        return Mark(self.pos, self.line_start, self.indent, self.tab)

    def reset(self, mark: Mark) -> None:
        self.pos, self.line_start, self.indent, self.tab = mark

    def in_tabs(self) -> bool:
        """Whether a tab before this place keeps version 4 from a block collection."""
        return self.tab >= 0 and self.version is not JsYaml.V3

    def followed_by(self, marks: str) -> bool:
        return self.text[self.pos + 1] in marks

    def skip_blanks(self) -> None:
        self.pos += len(self.match(_BLANK_RUN))

    def skip_spaces(self, limit: int) -> int:
        """Step over at most `limit` spaces, which are the line's indentation."""
        self.indent = min(len(self.match(_SPACE_RUN)), limit)
        self.pos += self.indent
        return self.indent

    def skip_line(self) -> str:
        """Step to the end of the line; what was stepped over."""
        rest = self.match(_LINE_REST)
        self.pos += len(rest)
        return rest

    def break_line(self) -> None:
        """Step over the line break that is known to be here."""
        self.pos += 2 if self.text.startswith("\r\n", self.pos) else 1
        self.line_start = self.pos
        self.tab = -1

    def skip_space(self, comments: Comments = Comments.SKIP) -> int:
        """Step over blanks, line breaks and comments; how many breaks there were."""
        text = self.text
        breaks = 0
        while True:
            if text[self.pos] in BLANKS:
                self._skip_noting_tab()
            if text[self.pos] == "#" and comments is Comments.SKIP:
                self.skip_line()
            if text[self.pos] not in BREAKS:
                return breaks
            self.break_line()
            breaks += 1
            self.skip_spaces(len(text))

    def _skip_noting_tab(self) -> None:
        start = self.pos
        self.skip_blanks()
        if self.tab < 0:
            self.tab = self.text.find("\t", start, self.pos)

    def at_separator(self) -> bool:
        """Whether `---` or `...` stands alone at the start of this line."""
        at = self.pos
        return (
            at == self.line_start
            and self.text[at : at + 3] in ("---", "...")
            and self.text[at + 3] in SPACES + END
        )

    def match(self, run: re.Pattern[str]) -> str:
        """What `run` takes here; it takes nothing where it does not match."""
        found = run.match(self.text, self.pos)
        return found[0] if found else ""


_NON_PRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]"
    "|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]"
)


def _check_printable(cursor: Cursor, content: str) -> None:
    if content.isascii() and content.isprintable():
        return
    if _NON_PRINTABLE.search(content):
        cursor.fail("found a character that is not printable")


def _fold(breaks: int) -> str:
    return " " if breaks == 1 else "\n" * (breaks - 1)


_NEVER_PLAIN = frozenset(SPACES + FLOW_MARKS + "#&*!|>'\"%@`")
_BLOCK_LINE = re.compile(r"(?:[^:#\r\n\0]+|:(?![ \t\r\n])|(?<![ \t\r\n])#)*")
_FLOW_LINE = re.compile(
    r"(?:[^:#\r\n\0,\[\]{}]+|:(?![ \t\r\n,\[\]{}])|(?<![ \t\r\n])#)*"
)


def read_plain(cursor: Cursor, indent: int, area: Area) -> Scalar | None:
    """A plain scalar whose further lines are indented by `indent` or more."""
    in_flow = area is Area.FLOW
    if cursor.char in _NEVER_PLAIN:
        return None
    indicator_ends = SPACES + FLOW_MARKS if in_flow else SPACES
    if cursor.char in "?-" and cursor.followed_by(indicator_ends):
        return None
    rule = _FLOW_LINE if in_flow else _BLOCK_LINE
    start = end = cursor.pos
    parts: list[str] = []
    breaks = 0
    while content := _plain_line(cursor, rule):
        if parts:
            parts.append(_fold(breaks))
        parts.append(content)
        mark = cursor.mark()
        end = mark.pos
        cursor.skip_blanks()
        if cursor.char not in BREAKS:
            break
        breaks = cursor.skip_space(Comments.KEEP)
        if cursor.indent < indent:
            cursor.reset(mark)
            break
    text = "".join(parts)
    return Scalar(text, Style.PLAIN, start, end) if text else None


def _plain_line(cursor: Cursor, rule: re.Pattern[str]) -> str:
    """What one line gives to a plain scalar; the cursor stops behind it."""
    if cursor.pos == cursor.line_start and cursor.at_separator():
        return ""
    content = cursor.match(rule).rstrip(BLANKS)
    _check_printable(cursor, content)
    cursor.pos += len(content)
    return content


_SINGLE_RUN = re.compile(r"[^'\r\n\0]*")
_DOUBLE_RUN = re.compile(r'[^"\\\r\n\0]*')
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_HEX = {
    "x": re.compile(r"[0-9a-fA-F]{2}"),
    "u": re.compile(r"[0-9a-fA-F]{4}"),
    "U": re.compile(r"[0-9a-fA-F]{8}"),
}


def read_single(cursor: Cursor) -> Scalar:
    """A scalar in single quotes, from its opening one."""
    start = cursor.pos
    text = _read_quoted(cursor, _SINGLE_RUN, _single_special)
    return Scalar(text, Style.SINGLE, start, cursor.pos)


def read_double(cursor: Cursor) -> Scalar:
    """A scalar in double quotes, from its opening one."""
    start = cursor.pos
    text = _read_quoted(cursor, _DOUBLE_RUN, _double_special)
    return Scalar(join_surrogates(text), Style.DOUBLE, start, cursor.pos)


def _read_quoted(
    cursor: Cursor, run: re.Pattern[str], special: Callable[[Cursor], str | None]
) -> str:
    start = cursor.pos
    cursor.pos += 1
    parts: list[str] = []
    piece: str | None = ""
    while piece is not None:
        parts.append(piece)
        segment = cursor.match(run)
        cursor.pos += len(segment)
        if cursor.char in BREAKS:
            segment, piece = _trimmed(cursor, segment), _fold_quoted(cursor)
        else:
            piece = special(cursor)
        parts.append(segment)
    if _CONTROL.search(cursor.text, start, cursor.pos):
        cursor.fail("found a control character inside quotes")
    return "".join(parts)


def _trimmed(cursor: Cursor, segment: str) -> str:
    # Until 4.1 the blanks at the end of a folded line stay.
    return segment.rstrip(BLANKS) if cursor.version is JsYaml.V4 else segment


def _fold_quoted(cursor: Cursor) -> str:
    breaks = cursor.skip_space(Comments.KEEP)
    if cursor.at_separator():
        cursor.fail("the document ends inside a quoted scalar")
    return _fold(breaks)


def _single_special(cursor: Cursor) -> str | None:
    if cursor.char == END:
        cursor.fail("expected a closing `'`")
    cursor.pos += 1
    if cursor.char != "'":
        return None
    cursor.pos += 1
    return "'"


def _double_special(cursor: Cursor) -> str | None:
    if cursor.char == END:
        cursor.fail('expected a closing `"`')
    cursor.pos += 1
    if cursor.text[cursor.pos - 1] == '"':
        return None
    escape = cursor.char
    if escape in BREAKS:
        _fold_quoted(cursor)
        return ""
    cursor.pos += 1
    return ESCAPES[escape] if escape in ESCAPES else _read_code(cursor, escape)


def _read_code(cursor: Cursor, escape: str) -> str:
    if escape not in _HEX:
        cursor.fail("unknown escape sequence")
    digits = cursor.match(_HEX[escape])
    if not digits:
        cursor.fail("expected hexadecimal digits")
    cursor.pos += len(digits)
    return _from_code(int(digits, 16))


def _from_code(code: int) -> str:
    # js-yaml counts in signed 32 bits and cuts to 16: no code is out of range.
    if code <= 0xFFFF or code >= 1 << 31:
        return chr(code & 0xFFFF)
    high = ((code - 0x10000) >> 10) + 0xD800
    return chr(high & 0xFFFF) + chr((code & 0x3FF) + 0xDC00)


class _Chomp(Enum):
    CLIP = ""
    STRIP = "-"
    KEEP = "+"


class _BlockText:
    """The text of a block scalar while its lines come in."""

    def __init__(self, style: Style) -> None:
        self.parts: list[str] = []
        self._folds = style is Style.FOLDED
        self._empty = 0
        self._was_deeper = False

    def add_empty(self) -> None:
        self._empty += 1

    def add(self, content: str, first: str) -> None:
        lead = self._folded_lead(first) if self._folds else self._breaks()
        self.parts += lead, content
        self._empty = 0

    def _breaks(self) -> str:
        return "\n" * (self._empty + bool(self.parts))

    def _folded_lead(self, first: str) -> str:
        # Lines that start with a blank keep their breaks, and so does the next one.
        if first in BLANKS:
            self._was_deeper = True
            return self._breaks()
        if self._was_deeper:
            self._was_deeper = False
            return "\n" * (self._empty + 1)
        return "\n" * self._empty or " " * bool(self.parts)

    def close(self, chomp: _Chomp) -> None:
        if chomp is _Chomp.KEEP:
            self.parts.append(self._breaks())
        elif chomp is _Chomp.CLIP and self.parts:
            self.parts.append("\n")


def read_block(cursor: Cursor, indent: int) -> Scalar:
    """A block scalar, from its `|` or `>`; `indent` is the least it may have."""
    start = cursor.pos
    style = Style.LITERAL if cursor.char == "|" else Style.FOLDED
    chomp, width = _read_header(cursor)
    block = _BlockText(style)
    fixed = width > 0
    indent = indent + width - 1 if fixed else indent
    end = cursor.pos
    while cursor.char != END:
        cursor.break_line()
        spaces = cursor.skip_spaces(indent if fixed else len(cursor.text))
        # Blank lines count: the deepest of those that lead sets the indentation.
        indent = indent if fixed else max(indent, spaces)
        if cursor.char in BREAKS:
            block.add_empty()
            continue
        if not fixed and indent == 0 and cursor.version is JsYaml.V4:
            cursor.fail("expected an indented block scalar")
        if spaces < indent:
            block.close(chomp)
            break
        first = cursor.char
        content = cursor.skip_line()
        _check_printable(cursor, content)
        block.add(content, first)
        fixed, end = True, cursor.pos
    # The line break that was added to the text is no part of it.
    end = min(end, len(cursor.text) - 2)
    return Scalar("".join(block.parts), style, start, end)


_HEADER = re.compile(r"[-+0-9]*")
_AFTER_HEADER = re.compile(r"[ \t]+(?:#[^\r\n]*)?")


def _read_header(cursor: Cursor) -> tuple[_Chomp, int]:
    """How the block ends, and its stated indentation, 0 for none."""
    cursor.pos += 1
    marks = cursor.match(_HEADER)
    digits, chomps = marks.strip("-+"), marks.strip("0123456789")
    if len(digits) > 1 or len(chomps) > 1:
        cursor.fail("a block scalar states its indentation and its end once each")
    if digits == "0":
        cursor.fail("a block scalar cannot be indented by 0")
    cursor.pos += len(marks)
    cursor.pos += len(cursor.match(_AFTER_HEADER))
    if cursor.char not in BREAKS:
        cursor.fail("expected a line break after the header of a block scalar")
    return _Chomp(chomps), int(digits or 0)
