"""Block scalars, and plain ones that go on with a dash, as goccy/go-yaml has them."""

from __future__ import annotations

import re


class Buffer:
    """What was read of a scalar: its text so far, and its source.

    `text` may be longer than `size`: what was cut off at the end is still there, and
    `solid` may reach into it. The library's slices are like that, and a key behind an
    empty block scalar is read otherwise because of it.
    """

    __slots__ = ("origin", "origin_solid", "size", "solid", "text")

    def __init__(self) -> None:
        self.text: list[str] = []
        self.origin: list[str] = []
        self.size = self.solid = self.origin_solid = 0

    def reset(self) -> None:
        """Start anew."""
        self.size = self.solid = self.origin_solid = 0
        self.origin.clear()

    def put(self, char: str) -> None:
        """Add `char`, wherever it is."""
        if self.size < len(self.text):
            self.text[self.size] = char
        else:
            self.text.append(char)
        self.size += 1

    def add(self, char: str) -> None:
        """Add `char`, but no blank at the start; one at the end may not count."""
        if not self.size and char in " \t":
            return
        self.put(char)
        if char not in " \t":
            self.solid = self.size

    def add_with_tab(self, char: str) -> None:
        """The same, where a tab is a character like any other."""
        self.put(char)
        if char != " ":
            self.solid = self.size

    def add_origin(self, char: str) -> None:
        self.origin.append(char)
        if char not in " \t":
            self.origin_solid = len(self.origin)

    def last(self) -> str:
        """The last character."""
        return self.text[self.size - 1] if self.size else ""

    def written(self) -> str:
        """The text without the blanks behind it."""
        return "".join(self.text[: self.solid])

    def drop_second_break(self) -> None:
        """Of two line breaks at the end one is left."""
        if self.text[self.size - 2] == "\n":
            self.size -= 1
            self.solid = self.size

    def drop_blanks(self) -> None:
        """Forget the blanks at the end of a line."""
        if len(self.origin) > self.origin_solid:
            del self.origin[self.origin_solid :]
            self.size = self.solid


class BlockError(Exception):
    """A block scalar with wrong indents; never leaves the scanner."""


class Block:
    """One block scalar in the making: its indents, and what becomes of line breaks."""

    __slots__ = (
        "blank_column",
        "column",
        "first_column",
        "is_literal",
        "is_new_line",
        "is_raw",
        "option",
        "previous_column",
        "solid_column",
    )

    def __init__(
        self, option: str = "", *, is_literal: bool = False, is_raw: bool = False
    ) -> None:
        self.option = option
        self.is_literal = is_literal
        self.is_raw = is_raw
        self.is_new_line = False
        self.first_column = self.column = self.previous_column = 0
        self.solid_column = self.blank_column = 0

    def set_indent(self, delimiter: int) -> None:
        """Take the indent that the header states."""
        indent = indent_in(self.option)
        if indent > 0:
            self.first_column = delimiter + indent

    @property
    def delimiter(self) -> int:
        """The column that the content has to be right of; 0 where none is known."""
        return self.first_column - 1 if self.first_column else 0

    def see_column(self, column: int) -> None:
        """A line has its first sign in this column."""
        self.first_column = self.first_column or column
        self.column = self.column or column
        if indent_in(self.option) and self.first_column > self.column:
            raise BlockError("invalid number of indent in the multi-line header")

    def see_blank_line(self, column: int) -> None:
        if self.first_column == 0:
            self.blank_column = column

    def check_behind_blanks(self, column: int) -> None:
        if self.first_column == 0 and self.blank_column > column:
            raise BlockError("invalid number of indent after blanks only")

    def end_line(self) -> None:
        self.previous_column = self.column
        if self.column:
            self.solid_column = self.column
        self.is_new_line = True
        self.column = 0

    def is_indent(self, column: int) -> bool:
        """Whether a sign in this column is still part of the indent."""
        if self.first_column == 0:
            return column == 1
        return self.first_column > column

    def indent(self, buffer: Buffer, column: int) -> None:
        """A blank before the first sign of a line: beyond the indent it counts."""
        if self.first_column == 0 or column < self.first_column:
            return
        if not self.is_literal:
            self.is_new_line = False
        buffer.put(" ")
        buffer.solid = buffer.size

    def fold(self, buffer: Buffer, column: int) -> None:
        """The break before a line that is indented as the one above is a blank."""
        if self.is_literal or not self.is_new_line:
            return
        self.is_new_line = False
        if self.column == self.previous_column:
            buffer.text[buffer.size - 1] = " "
        elif self.previous_column == 0 and self.solid_column == column:
            buffer.drop_second_break()

    def chomp(self, text: str) -> str:
        """`text` with the line breaks at its end that it keeps."""
        strips = self.option[:1] == "-" or self.option[-1:] == "-" or self.is_raw
        keeps = self.option[:1] == "+" or self.option[-1:] == "+"
        if strips:
            text = text.rstrip("\n").rstrip(" ")
        elif not keeps:
            bare = text.rstrip("\n")
            text = bare + "\n" if len(bare) < len(text) else text
        text = "" if text == "\n" else text
        return "\n" if keeps and not text else text


_NUMBER = re.compile("[-+]?[0-9]{1,18}")


def _bare(option: str) -> str:
    option = option.removeprefix("-").removeprefix("+")
    return option.removesuffix("-").removesuffix("+")


def indent_in(option: str) -> int:
    """The number in the header of a block scalar, 0 where there is none."""
    digits = _bare(option)
    return int(digits) if _NUMBER.fullmatch(digits) else 0


def is_header(option: str) -> bool:
    """Whether that may stand behind `|` or `>`."""
    digits = _bare(option)
    if not digits:
        return True
    is_number = _NUMBER.fullmatch(digits) is not None
    return digits != "0" and is_number and int(digits) <= 9
