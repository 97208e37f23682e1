"""JSON5, JSON as people write it in JavaScript, as the tree that YAML becomes."""

from __future__ import annotations

import re
from typing import NoReturn

from metier.core.nodes import MAX_DEPTH, Mapping, Node, Scalar, Sequence, Style
from metier.core.text import JS_WHITE_SPACE
from metier.core.yaml_escapes import join_surrogates

_GAP = re.compile(rf"(?:[{JS_WHITE_SPACE}]|//[^\n\r\u2028\u2029]*|/\*(?s:.)*?\*/)*")
_WORD = re.compile(r"[^\W\d][\w$\u200c\u200d]*|\$[\w$\u200c\u200d]*")
_NUMBER = re.compile(
    r"[+-]?(?:0[xX][0-9a-fA-F]+|(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)"
    r"(?:[eE][+-]?[0-9]+)?|Infinity|NaN)(?![\w$.])"
)
_RUNS = {'"': re.compile(r'[^"\\\n\r]*'), "'": re.compile(r"[^'\\\n\r]*")}
_ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(\r\n|[\n\r\u2028\u2029])"
    r"|(0)(?![0-9])|([^xu0-9\r\n\u2028\u2029]))"
)
_SIGNS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def parse_json5(text: str) -> Node:
    """The tree of `text`; ValueError where it is no JSON5."""
    reader = _Reader(text)
    root = reader.value()
    if reader.here():
        reader.fail()
    return root


class _Reader:
    """Where it stands in the text, and how deep."""

    __slots__ = ("at", "depth", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0

    def fail(self) -> NoReturn:
        raise ValueError(f"not JSON5 at {self.at}")

    def here(self) -> str:
        """The next sign behind blanks and comments, nothing at the end."""
        self.at = self._expect(_GAP).end()
        return self.text[self.at : self.at + 1]

    def _expect(self, pattern: re.Pattern[str]) -> re.Match[str]:
        found = pattern.match(self.text, self.at)
        if found is None:
            self.fail()
        self.at = found.end()
        return found

    def _takes(self, sign: str) -> bool:
        is_there = self.here() == sign
        self.at += is_there
        return is_there

    def value(self) -> Node:
        sign = self.here()
        if sign in ("{", "["):
            return self._collection(sign)
        if sign in _RUNS:
            return Scalar(self._string(sign), Style.DOUBLE)
        if number := _NUMBER.match(self.text, self.at):
            self.at = number.end()
            return Scalar(number[0])
        word = self._expect(_WORD)[0]
        if word not in ("null", "true", "false"):
            self.fail()
        return Scalar(word)

    def _collection(self, sign: str) -> Node:
        self.at += 1
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail()
        node = self._map() if sign == "{" else self._list()
        self.depth -= 1
        return node

    def _map(self) -> Mapping:
        entries: list[tuple[Node, Node]] = []
        while not self._takes("}"):
            key = self._key()
            if not self._takes(":"):
                self.fail()
            entries.append((key, self.value()))
            self._comma("}")
        return Mapping(tuple(entries))

    def _key(self) -> Scalar:
        sign = self.here()
        text = self._string(sign) if sign in _RUNS else self._expect(_WORD)[0]
        return Scalar(text, Style.DOUBLE)

    def _list(self) -> Sequence:
        items: list[Node] = []
        while not self._takes("]"):
            items.append(self.value())
            self._comma("]")
        return Sequence(tuple(items))

    def _comma(self, closer: str) -> None:
        """Behind what is not the last one there has to be a comma."""
        if not self._takes(",") and self.here() != closer:
            self.fail()

    def _string(self, quote: str) -> str:
        self.at += 1
        parts: list[str] = []
        while True:
            parts.append(self._expect(_RUNS[quote])[0])
            if self.text.startswith(quote, self.at):
                self.at += 1
                return join_surrogates("".join(parts))
            parts.append(self._escape())

    def _escape(self) -> str:
        two, four, line_end, zero, sign = self._expect(_ESCAPE).groups()
        if line_end:
            return ""
        if zero:
            return "\0"
        return _SIGNS.get(sign, sign) if sign else chr(int(two or four, 16))
