"""The texts of npm's `yaml`, version 2: from a token to what it says."""

from __future__ import annotations

import re
from typing import NamedTuple

from metier.core.nodes import Style, YamlError
from metier.core.yaml_escapes import ESCAPES, join_surrogates
from metier.core.yaml_npm_tokens import Token, TokenKind

_LINE_END = re.compile(r"\r?\n")
_NEVER_FIRST = "\t,%|>@`"


class Place(NamedTuple):
    """Where a block of text stands: how deep, and whether nothing is around it."""

    indent: int = 0
    is_alone: bool = False


def read_text(token: Token, place: Place) -> tuple[str, Style]:
    """What a text says, and how it is written; raises `YamlError`."""
    match token.kind:
        case TokenKind.SINGLE:
            return _read_single(token), Style.SINGLE
        case TokenKind.DOUBLE:
            return _read_double(token), Style.DOUBLE
        case TokenKind.BLOCK:
            folds = token.text[0] == ">"
            text = _Block(token, place).read()
            return text, Style.FOLDED if folds else Style.LITERAL
        case _:
            return _read_plain(token), Style.PLAIN


def _read_plain(token: Token) -> str:
    first = token.text[:1]
    if first and first in _NEVER_FIRST:
        problem = f"found character `{first}` that cannot start any token"
        raise YamlError(problem, token.start)
    return _unfold(token.text)


def _read_single(token: Token) -> str:
    _check_closed(token)
    return _unfold(token.text[1:-1]).replace("''", "'")


def _check_closed(token: Token) -> None:
    # The last character decides, even where it is escaped.
    if len(token.text) < 2 or token.text[-1] != token.text[0]:
        raise YamlError(f"expected a closing `{token.text[0]}`", token.start)


def _unfold(text: str) -> str:
    """Each line end a blank, and each blank line a line feed."""
    first, *lines = _LINE_END.split(text)
    if not lines:
        return text
    parts = [first.rstrip(" \t")]
    blank = 0
    for line in lines[:-1]:
        if stripped := line.strip(" \t"):
            parts += "\n" * blank or " ", stripped
            blank = 0
        else:
            blank += 1
    return "".join((*parts, "\n" * blank or " ", lines[-1].lstrip(" \t")))


# An escape, or blanks and the line ends behind them.
_SPECIAL = re.compile(
    r"\\(?:(?P<cut>\r?\n[ \t]*+)|x(?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})"
    r"|U(?P<U>[0-9a-fA-F]{8})|(?P<sign>.))"
    r"|(?P<blanks>[ \t]*+)(?:(?P<fold>\r?\n(?>(?:[ \t\n]++|\r(?=\n))*))|(?<=[ \t]))",
    re.DOTALL,
)


def _read_double(token: Token) -> str:
    _check_closed(token)
    text = token.text[1:-1]
    slashes = len(text) - len(text.rstrip("\\"))
    if slashes % 2:
        text += '"'  # what looks like the closing quote is escaped, and read twice

    def replace(found: re.Match[str]) -> str:
        return _special(found, token)

    return join_surrogates(_SPECIAL.sub(replace, text))


def _special(found: re.Match[str], token: Token) -> str:
    if found["fold"] is not None:
        return "\n" * (found["fold"].count("\n") - 1) or " "
    if found["blanks"] is not None:
        return found["blanks"]
    if found["cut"] is not None:
        return ""
    sign = found["sign"]
    if sign in ESCAPES:
        return ESCAPES[sign]
    code = int(found["x"] or found["u"] or found["U"] or "110000", 16)
    if code > 0x10FFFF:
        raise YamlError("unknown escape sequence", token.start + 1 + found.start())
    return chr(code)


_HEADER = re.compile(r"[|>](?:(?P<first>[-+])?(?P<indent>[1-9])?(?P<last>[-+])?)")


class _Line(NamedTuple):
    indent: int
    content: str

    def text(self, margin: int) -> str:
        """The line without the margin that all lines have."""
        return " " * (self.indent - margin) + self.content


class _Block:
    """A block of text, of which the margin comes off."""

    def __init__(self, token: Token, place: Place) -> None:
        header = _HEADER.fullmatch(token.text)
        if header is None or (header["first"] and header["last"]):
            problem = "a block scalar states its indentation and its end once each"
            raise YamlError(problem, token.start)
        self._start = token.start
        self._stated = int(header["indent"] or 0)
        self._chomp = header["first"] or header["last"] or ""
        self._folds = token.text[0] == ">"
        self._place = place
        self._margin = place.indent + self._stated
        self._lines = [_split(line) for line in token.body.split("\n")]
        if not token.body:
            self._lines = []

    def read(self) -> str:
        end = len(self._lines)
        while end and not self._lines[end - 1].content:
            end -= 1
        if not end:
            kept = self._chomp == "+" and len(self._lines) > 0
            return "\n" * max(1, len(self._lines) - 1) if kept else ""
        start = self._find_margin()
        for index in range(end, len(self._lines)):
            if self._lines[index].indent > self._margin:
                end = index + 1
        lead = "".join(line.text(self._margin) + "\n" for line in self._lines[:start])
        lines = self._lines[start:end]
        self._check(lines)
        texts = [line.text(self._margin) for line in lines]
        text = _fold(texts) if self._folds else "\n".join(texts)
        return lead + text + self._end(end)

    def _find_margin(self) -> int:
        """Set the margin; which line is the first that is not blank."""
        index = 0
        while not self._lines[index].content:
            if not self._stated:
                self._margin = max(self._margin, self._lines[index].indent)
            index += 1
        indent = self._lines[index].indent
        if indent < self._margin:
            raise YamlError("a block scalar starts with deeper blanks", self._start)
        if not self._stated:
            self._margin = indent
        if self._margin == 0 and not self._place.is_alone:
            raise YamlError("expected an indented block scalar", self._start)
        return index

    def _check(self, lines: list[_Line]) -> None:
        if any(line.content and line.indent < self._margin for line in lines):
            raise YamlError("bad indentation of a block scalar", self._start)

    def _end(self, end: int) -> str:
        if self._chomp != "+":
            return "" if self._chomp == "-" else "\n"
        kept = "".join("\n" + line.text(self._margin) for line in self._lines[end:])
        return kept if kept.endswith("\n") else kept + "\n"


def _split(line: str) -> _Line:
    content = line.lstrip(" ")
    return _Line(len(line) - len(content), content.removesuffix("\r"))


def _fold(texts: list[str]) -> str:
    """The lines of a block, of which those that are not set off are one."""
    parts: list[str] = []
    between = ""
    was_set_off = False
    for text in texts:
        if text[:1] in (" ", "\t"):
            if between == " ":
                between = "\n"
            elif not was_set_off and between == "\n":
                between = "\n\n"
            parts += between, text
            between, was_set_off = "\n", True
        elif not text:
            if between == "\n":
                parts.append("\n")
            else:
                between = "\n"
        else:
            parts += between, text
            between, was_set_off = " ", False
    return "".join(parts)
