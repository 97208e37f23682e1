"""Quoted scalars as goccy/go-yaml reads them, its slips with tabs included."""

from __future__ import annotations

import re
from typing import NamedTuple

from metier.core.nodes import YamlError
from metier.core.yaml_escapes import ESCAPES


class Place(NamedTuple):
    """Where the scanner stands."""

    at: int
    line: int
    column: int


class Quoted(NamedTuple):
    """A quoted scalar, and where it ends."""

    value: str
    origin: str
    place: Place


_WIDTHS = {"x": 2, "u": 4, "U": 8}
_BLANKS = re.compile(r"[ \t]*")


def is_document_marker(text: str, at: int) -> bool:
    """Whether a line that starts at `at` is `---` or `...`."""
    head = text[at : at + 4]
    if len(head) == 4:
        head = head.rstrip(" \t\n\r")
    return head in ("---", "...")


def scan_quoted(text: str, place: Place, delimiter: int) -> Quoted:
    """The scalar whose opening quote stands at `place`; raises `YamlError`."""
    return _Quote(text, place, delimiter).scan()


class _Quote:
    __slots__ = (
        "blanks_end",
        "column",
        "delimiter",
        "index",
        "is_line_start",
        "line",
        "origin",
        "quote",
        "skipped",
        "start",
        "text",
        "value",
    )

    def __init__(self, text: str, place: Place, delimiter: int) -> None:
        self.text = text
        self.delimiter = delimiter
        self.start = place.at
        self.index, self.line, self.column = place
        self.quote = text[place.at]
        self.value: list[str] = []
        self.origin = [self.quote]
        self.is_line_start = False
        self.skipped = 0
        self.blanks_end = 0

    def scan(self) -> Quoted:
        text, size = self.text, len(self.text)
        self._step()
        while self.index < size:
            char = text[self.index]
            self.origin.append(char)
            if char == "\n":
                self._break_line()
            elif self.is_line_start and char in " \t":
                if char == "\t" and self.delimiter >= self.column:
                    raise self._error("a tab cannot indent a quoted text")
                self._step()
            elif char == self.quote:
                if not self._is_doubled():
                    self._step()
                    return self._quoted()
            elif char == "\\" and self.quote == '"':
                self._escape()
            elif char == "\t" and self.quote == '"':
                self._tab()
            else:
                self.value.append(char)
                self.is_line_start = False
                self._step()
        raise YamlError("could not find the end of a quoted text", self.start)

    def _quoted(self) -> Quoted:
        place = Place(self.index + self.skipped, self.line, self.column)
        return Quoted("".join(self.value), "".join(self.origin), place)

    def _step(self, count: int = 1) -> None:
        self.index += count
        self.column += count

    def _is_doubled(self) -> bool:
        if self.quote != "'" or self.text[self.index + 1 : self.index + 2] != "'":
            return False
        self.value.append("'")
        self.origin.append("'")
        self._step(2)
        return True

    def _break_line(self) -> None:
        while self.value and self.value[-1] == " ":
            self.value.pop()
        self.value.append("\n" if self.is_line_start else " ")
        self._next_line()
        if is_document_marker(self.text, self.index):
            raise self._error("found unexpected document separator")

    def _next_line(self) -> None:
        self.is_line_start = True
        self.index += 1
        self.line += 1
        self.column = 1

    def _escape(self) -> None:
        self.is_line_start = False
        char = self.text[self.index + 1 : self.index + 2]
        if char == "\n":
            self.origin.append(char)
            self.index += 1
            self._next_line()
        elif char in _WIDTHS:
            self._code(char)
        elif char in ESCAPES:
            self.origin.append(char)
            self.value.append(ESCAPES[char])
            self._step(2)
        elif not char:
            self.value.append("\\")
            self._step()
        else:
            raise self._error("found unknown escape character")

    def _code(self, kind: str) -> None:
        width = _WIDTHS[kind]
        if self.index + width + 1 >= len(self.text):
            if kind != "x":
                raise self._error("not enough length for an escaped character")
            self.origin.append(kind)
            self.value.append(kind)
            self._step(2)
            return
        code = self._hex(self.index + 2, width)
        self._step(width + 2)
        if kind == "u" and 0xD800 <= code <= 0xDBFF:
            code = 0x10000 + (code - 0xD800) * 0x400 + self._low_surrogate()
        self.value.append(_char(code))

    def _low_surrogate(self) -> int:
        """The second half of a character; raises where there is none."""
        at = self.index
        if at + 5 >= len(self.text) or self.text[at : at + 2] != "\\u":
            raise self._error("no second half behind a high surrogate")
        low = self._hex(at + 2, 4)
        if not 0xDC00 <= low <= 0xDFFF:
            raise self._error("found unexpected low surrogate")
        self._step(6)
        return low - 0xDC00

    def _hex(self, at: int, width: int) -> int:
        signs = self.text[at : at + width]
        # What is no digit counts all the same, by its place in Unicode.
        values = (
            _hex_value(sign) << 4 * (width - n - 1) for n, sign in enumerate(signs)
        )
        return sum(values)

    def _tab(self) -> None:
        """A tab is kept where anything but blanks follows on its line.

        Unless a quote follows, the library then counts it twice, and reads on so much
        further behind the closing quote.
        """
        if self.index >= self.blanks_end:
            run = _BLANKS.match(self.text, self.index)
            self.blanks_end = run.end() if run else self.index
        if self.text[self.blanks_end : self.blanks_end + 1] in ("", "\n"):
            self._step(self.blanks_end - self.index)
            return
        self.value.append("\t")
        if self.text[self.index + 1] != '"':
            self.skipped += 1
            self.column += 1
        self._step()

    def _error(self, problem: str) -> YamlError:
        return YamlError(problem, self.index)


def _hex_value(sign: str) -> int:
    if "A" <= sign <= "F":
        return ord(sign) - ord("A") + 10
    if "a" <= sign <= "f":
        return ord(sign) - ord("a") + 10
    return ord(sign) - ord("0")


def _char(code: int) -> str:
    code &= 0xFFFFFFFF
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return chr(code)
