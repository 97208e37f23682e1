"""The scalars of Bun's YAML parser: plain, in quotes, and blocks."""

from __future__ import annotations

import re

from metier.core.nodes import Scalar, Style
from metier.core.yaml_bun_cursor import (
    BLANKS,
    BREAKS,
    END,
    FLOW_MARKS,
    SPACES,
    Cursor,
)
from metier.core.yaml_escapes import ESCAPES

_MARKERS = {"-": "---", ".": "..."}


# --- plain ---------------------------------------------------------------------------

_PLAIN_RUN = re.compile(r"[^\0\-.:#,\[\]{} \t\r\n]+")


def read_plain(cursor: Cursor) -> Scalar:
    """The plain scalar at the cursor, over as many lines as it has."""
    start = end = cursor.pos
    pieces: list[str] = []
    gap = ""  # space that counts only if something follows
    while not _ends_plain(cursor):
        char = cursor.char
        if char in BREAKS:
            folded = _fold_plain(cursor)
            if folded is None:
                break
            gap = folded
        elif char in BLANKS:
            gap += char
            cursor.pos += 1
        else:
            piece = _plain_piece(cursor)
            pieces += (gap, piece)
            gap = ""
            cursor.pos += len(piece)
            end = cursor.pos
    return Scalar("".join(pieces), Style.PLAIN, start, end)


def _plain_piece(cursor: Cursor) -> str:
    found = _PLAIN_RUN.match(cursor.text, cursor.pos)
    return found[0] if found else cursor.char


def _ends_plain(cursor: Cursor) -> bool:
    char = cursor.char
    if char == END:
        return True
    if char in "-.":
        return cursor.indent == 0 and cursor.is_at_marker(_MARKERS[char])
    if char == "#":
        return cursor.is_at_line_start or cursor.text[cursor.pos - 1] in SPACES
    if char == ":":
        after = cursor.next_char
        if after in SPACES or cursor.pos + 1 >= cursor.size:
            return True
        return cursor.is_in_flow and after in FLOW_MARKS
    return char in FLOW_MARKS and cursor.is_in_flow


def _fold_plain(cursor: Cursor) -> str | None:
    """What the line breaks here stand for; None where the scalar ends at them."""
    cursor.break_whole_line()
    lines = cursor.fold_lines()
    if cursor.is_outside_block:
        return None
    return "\n" * lines or " "


# --- in quotes -----------------------------------------------------------------------

_SINGLE_RUN = re.compile(r"[^\0\-.' \t\r\n]+")
_DOUBLE_RUN = re.compile(r"[^\0\-.\"\\ \t\r\n]+")


def read_single(cursor: Cursor) -> Scalar:
    """The scalar in single quotes at the cursor."""
    start = cursor.pos
    cursor.pos += 1
    pieces: list[str] = []
    while True:
        if cursor.char == "'":
            cursor.pos += 1
            if cursor.char != "'":
                text = "".join(pieces)
                return Scalar(text, Style.SINGLE, start, cursor.pos)
            pieces.append("'")
            cursor.pos += 1
        else:
            pieces.append(_quoted_piece(cursor, _SINGLE_RUN))


def read_double(cursor: Cursor) -> Scalar:
    """The scalar in double quotes at the cursor."""
    start = cursor.pos
    cursor.pos += 1
    pieces: list[str] = []
    while cursor.char != '"':
        if cursor.char == "\\":
            cursor.pos += 1
            pieces.append(_read_escape(cursor))
        else:
            pieces.append(_quoted_piece(cursor, _DOUBLE_RUN))
    cursor.pos += 1
    return Scalar("".join(pieces), Style.DOUBLE, start, cursor.pos)


def _quoted_piece(cursor: Cursor, run: re.Pattern[str]) -> str:
    char = cursor.char
    if char == END:
        cursor.fail("found the end of the text in a quoted scalar")
    if char in BREAKS:
        return _fold_quoted(cursor) or " "
    if char in BLANKS:
        start = cursor.pos
        cursor.skip_blanks()
        return "" if cursor.char in BREAKS else cursor.text[start : cursor.pos]
    if char in _MARKERS:
        _refuse_marker(cursor, _MARKERS[char])
    found = run.match(cursor.text, cursor.pos)
    piece = found[0] if found else char
    cursor.pos += len(piece)
    return piece


def _refuse_marker(cursor: Cursor, marker: str) -> None:
    is_last = cursor.pos + len(marker) >= cursor.size
    if not is_last and cursor.is_at_marker(marker):
        cursor.fail(f"found `{marker}` in a quoted scalar")


def _fold_quoted(cursor: Cursor) -> str:
    # Of `\r\n` each is a line break here, so that lines are joined with a line feed.
    cursor.break_line()
    lines = cursor.fold_lines()
    if cursor.is_outside_block:
        cursor.fail("a quoted scalar has to be indented further")
    return "\n" * lines


_HEX_LENGTHS = {"x": 2, "u": 4, "U": 8}
_HEX = re.compile(r"[0-9a-fA-F]+")
_SURROGATES = range(0xD800, 0xE000)
_LOW_SURROGATES = range(0xDC00, 0xE000)


def _read_escape(cursor: Cursor) -> str:
    char = cursor.char
    if char in BREAKS:
        folded = _fold_quoted(cursor)
        cursor.skip_blanks()
        return folded
    cursor.pos += 1
    if char in _HEX_LENGTHS:
        return _read_code_point(cursor, char)
    if char not in ESCAPES:
        cursor.fail("found unknown escape character")
    return ESCAPES[char]


def _read_code_point(cursor: Cursor, kind: str) -> str:
    code = _read_hex(cursor, _HEX_LENGTHS[kind])
    if code in _SURROGATES:
        is_high = kind == "u" and code not in _LOW_SURROGATES
        if not is_high or not cursor.text.startswith("\\u", cursor.pos):
            cursor.fail("found half of a surrogate pair")
        cursor.pos += 2
        low = _read_hex(cursor, 4)
        if low not in _LOW_SURROGATES:
            cursor.fail("found half of a surrogate pair")
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
    if code > 0x10FFFF:
        cursor.fail("found a character beyond Unicode")
    return chr(code)


def _read_hex(cursor: Cursor, length: int) -> int:
    digits = cursor.text[cursor.pos : cursor.pos + length]
    if len(digits) < length or not _HEX.fullmatch(digits):
        cursor.fail("expected hexadecimal digits")
    cursor.pos += length
    return int(digits, 16)


# --- blocks --------------------------------------------------------------------------

_BLOCK_RUN = re.compile(r"[^\0\r\n]+")
_CHOMPS = "-+"


def read_block(cursor: Cursor) -> Scalar:
    """The literal or folded scalar at the cursor."""
    start = cursor.pos
    is_folded = cursor.char == ">"
    cursor.pos += 1
    block = _Block(cursor, is_folded=is_folded)
    block.read_header()
    text = block.read_text()
    style = Style.FOLDED if is_folded else Style.LITERAL
    return Scalar(text, style, start, block.end)


class _Block:
    """A block scalar while it is read."""

    def __init__(self, cursor: Cursor, *, is_folded: bool) -> None:
        self.cursor = cursor
        self.is_folded = is_folded
        self.chomp = ""
        self.stated = 0  # the digit in the header
        self.indent = 0
        self.deepest = 0  # the longest run of spaces before the first text
        self.breaks = 0
        self.end = cursor.pos
        self.pieces: list[str] = []
        # A line that starts with a blank is not folded with the ones around it.
        self.is_deeper = self.was_deeper = False

    def read_header(self) -> None:
        cursor = self.cursor
        while (char := cursor.char) not in BREAKS:
            if char == END:
                return
            if char in BLANKS:
                cursor.skip_blanks()
                if cursor.char == "#":
                    cursor.skip_line()
            else:
                self._read_indicator(char)
                cursor.pos += 1
                self.end = cursor.pos
        cursor.break_whole_line()
        self._refuse_tab()

    def _read_indicator(self, char: str) -> None:
        if char in _CHOMPS and not self.chomp:
            self.chomp = char
        elif char in "123456789" and not self.stated:
            self.stated = int(char)
        else:
            self.cursor.fail("expected a line break behind the block's indicators")

    def _refuse_tab(self) -> None:
        if self.cursor.char == "\t":
            self.cursor.fail_at_tab()

    def read_text(self) -> str:
        if not self._find_text():
            return self._chomped()
        cursor = self.cursor
        self._note_depth()
        least = max(self.indent, cursor.blocks[-1] + 1 if cursor.blocks else 0)
        while cursor.char != END:
            if cursor.char in BREAKS:
                self._break_lines()
                continue
            if self._is_at_marker() or cursor.indent < least:
                break
            found = _BLOCK_RUN.match(cursor.text, cursor.pos)
            piece = found[0] if found else ""
            self._append(piece)
            cursor.pos += len(piece)
            self.end = cursor.pos
        return self._chomped()

    def _is_at_marker(self) -> bool:
        marker = _MARKERS.get(self.cursor.char)
        if marker is None or self.cursor.indent:
            return False
        return self.cursor.is_at_marker(marker)

    def _note_depth(self) -> None:
        self.is_deeper = self.cursor.char in BLANKS
        if self.cursor.char == "\t":
            self.cursor.is_tabbed = True

    def _find_text(self) -> bool:
        """Go to the first text and take the indent from it; whether there is any."""
        return self._find_at_stated() if self.stated else self._find_at_any()

    def _find_at_stated(self) -> bool:
        cursor = self.cursor
        self.indent = self.stated + (cursor.blocks[-1] if cursor.blocks else 0)
        is_indented = False
        while True:
            if cursor.char == " ":
                cursor.indent = cursor.skip_spaces(max(self.indent, 1))
                is_indented = is_indented or cursor.indent >= self.indent
            if cursor.is_at_line_end:
                if cursor.char == END:
                    self.breaks += is_indented
                    return False
                self._break_empty_line()
                is_indented = False
            else:
                return True

    def _find_at_any(self) -> bool:
        cursor = self.cursor
        is_indented = False
        while True:
            char = cursor.char
            if char in BREAKS:
                self._break_empty_line()
                is_indented = False
            elif char == " ":
                cursor.indent = cursor.skip_spaces()
                self.deepest = max(self.deepest, cursor.indent)
                is_indented = True
            else:
                self.indent = cursor.indent
                self.breaks += is_indented and char == END
                return char != END

    def _break_empty_line(self) -> None:
        self.cursor.break_whole_line()
        self._refuse_tab()
        self.breaks += 1

    def _break_lines(self) -> None:
        """Go past line breaks and the indent behind them."""
        cursor = self.cursor
        self.breaks += 1
        cursor.break_whole_line()
        while cursor.char in BREAKS:
            self._break_empty_line()
        if cursor.char == " ":
            cursor.indent = cursor.skip_spaces(self.indent)
        self._note_depth()

    def _append(self, piece: str) -> None:
        """The text of one line, behind the breaks before it."""
        if not self.pieces:
            if not self.stated and self.indent < self.deepest:
                self.cursor.fail("a blank line is indented further than the text")
            self.pieces.append("\n" * self.breaks)
        else:
            self.pieces.append(self._folded_breaks())
        self.pieces.append(piece)
        self.breaks = 0
        self.was_deeper = self.is_deeper

    def _folded_breaks(self) -> str:
        if not self.is_folded or self.was_deeper or self.is_deeper:
            return "\n" * self.breaks
        return "\n" * (self.breaks - 1) or " "

    def _chomped(self) -> str:
        text = "".join(self.pieces)
        if self.chomp == "-":
            return text
        if self.chomp == "+":
            return text + "\n" * max(self.breaks, 1 if text else 0)
        return text + "\n" if text else ""
