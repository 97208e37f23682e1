"""A reader of lines in JavaScript, for headers that are no YAML.

It knows lists and maps of one level, and gives values their types: a number is what
JavaScript's `Number` takes for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite
from typing import NamedTuple

from metier.core.js_text import as_double, number_text
from metier.core.nodes import Mapping, Node, Scalar, Sequence, Style
from metier.core.text import JS_WHITE_SPACE

Fields = dict[str, Node]

_ITEM = "  - "
_INNER = "  "


class _Line(NamedTuple):
    text: str
    start: int

    def pair(self) -> tuple[str, Scalar | None, bool]:
        """The key, its value, and whether one is written; null is None."""
        key, _, value = self.text.partition(":")
        scalar = self.value_at(len(key) + 1)
        return key.strip(JS_WHITE_SPACE), scalar, bool(value.strip(JS_WHITE_SPACE))

    def value_at(self, offset: int) -> Scalar | None:
        value = self.text[offset:].strip(JS_WHITE_SPACE)
        start = self.text.find(value, offset) if value else len(self.text)
        start += self.start
        return _scalar(value, start, start + len(value))


def read_two_levels(header: str) -> Fields:
    """The fields of lines; a null is not there."""
    return _Reader().read([*_lines(header)])


def _lines(header: str) -> Iterator[_Line]:
    at = 0
    for text in header.split("\n"):
        bare = text.strip(JS_WHITE_SPACE)
        if bare and bare[0] != "#":
            yield _Line(text, at)
        at += len(text) + 1


class _Reader:
    """What is read, and the list and the map that are open."""

    def __init__(self) -> None:
        self.fields: Fields = {}
        self.key = ""  # of the list that may come
        self.items: list[Scalar] | None = None
        self.owner = ""  # of the map that is open
        self.pairs: dict[str, Scalar] | None = None

    def read(self, lines: list[_Line]) -> Fields:
        for index, line in enumerate(lines):
            if line.text.startswith(_ITEM):
                self._add_item(line)
                continue
            self._end_list()
            if line.text.startswith(_INNER) and self.pairs is not None:
                self._add_pair(line)
                continue
            self._end_map()
            following = lines[index + 1].text if index + 1 < len(lines) else ""
            self._read_key(line, following)
        self._end_list()
        self._end_map()
        return self.fields

    def _add_item(self, line: _Line) -> None:
        if self.items is None:
            self.items = []
        value = line.value_at(len(_ITEM))
        self.items += (value,) if value is not None else ()

    def _add_pair(self, line: _Line) -> None:
        key, value, _ = line.pair()
        pairs = self.pairs if self.pairs is not None else {}
        pairs.pop(key, None)
        if value is not None:
            pairs[key] = value

    def _read_key(self, line: _Line, following: str) -> None:
        if ":" not in line.text:
            return
        key, value, is_written = line.pair()
        if is_written:
            self._set(key, value)
        elif following.startswith(_INNER) and not following.startswith(_ITEM):
            self.owner, self.pairs, self.key = key, {}, ""
        else:
            self.key = key

    def _end_list(self) -> None:
        if self.items is not None:
            self._set(self.key, Sequence(tuple(self.items), *_span(self.items)))
            self.items, self.key = None, ""

    def _end_map(self) -> None:
        if self.pairs is not None:
            pairs = tuple((Scalar(key), value) for key, value in self.pairs.items())
            self._set(self.owner, Mapping(pairs, *_span([*self.pairs.values()])))
            self.pairs, self.owner = None, ""

    def _set(self, key: str, value: Node | None) -> None:
        self.fields.pop(key, None)
        if value is not None:
            self.fields[key] = value


def _span(values: list[Scalar]) -> tuple[int, int]:
    return (values[0].start, values[-1].end) if values else (0, 0)


def _scalar(value: str, start: int, end: int) -> Scalar | None:
    if value == "null":
        return None
    if value in ("true", "false"):
        return Scalar(value, Style.PLAIN, start, end)
    if len(value) > 1 and value[0] == value[-1] == '"':
        text = value[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        return Scalar(text, Style.DOUBLE, start, end)
    number = _number(value)
    if number is not None:
        return Scalar(number_text(number), Style.PLAIN, start, end)
    return Scalar(value, Style.DOUBLE, start, end)


_NUMBER = re.compile(
    r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
    r"|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+"
)
_BASES = {"0x": 16, "0o": 8, "0b": 2}


def _number(text: str) -> float | None:
    if not _NUMBER.fullmatch(text):
        return None
    base = _BASES.get(text[:2].lower())
    number = float(text) if base is None else as_double(int(text, base))
    return number if isfinite(number) else None
