"""As much of a shell's grammar as it takes to know how a place is quoted."""

from __future__ import annotations

import re
from enum import Enum


class Quoting(Enum):
    """How the shell reads what stands at a place."""

    PLAIN = "plain"
    SINGLE = "single"
    DOUBLE = "double"
    COMMENT = "comment"
    UNSURE = "unsure"  # a here-document, backquotes, arithmetic: anything else


# Where a command begins, after its assignments.
_BEGIN = (
    r"(?:\A|[;|&(\n`{]|(?<![\w-])(?:then|do|else|elif|if|while|until|time|command|builtin"
    r"|exec|env|!)(?=\s))[ \t]*+(?:\w++=[^\s;|&]*+[ \t]++)*+"
)
# Each puts the content of its operands through the shell a second time: as a command,
# as arithmetic (where `a[$(command)]` is run), or as the name of a variable.
_READS_TWICE = re.compile(
    rf"{_BEGIN}(?:eval|let|declare|typeset|local|export|readonly|unset|read|mapfile|trap"
    r"|alias|case|(?:test|\[)[ \t]++-v|printf[ \t]++-v)(?![\w-])|\[\[|\(\(|\$\["
)
_SHELL = re.compile(r"(?<![\w.-])(?:ba|da|z|k|mk|a)?sh((?:[ \t]++-\S++)++)")
_TAKES_TEXT = re.compile(r"[ \t]-[a-zA-Z]*c")


def reads_twice(command: str) -> bool:
    """Whether a shell might take the content of a variable in `command` for code."""
    if _READS_TWICE.search(command):
        return True
    options = (found[1] for found in _SHELL.finditer(command))
    return any(_TAKES_TEXT.search(each) for each in options)


# A run of what changes nothing is one piece.
_PIECE = {
    Quoting.PLAIN: re.compile(
        r"\\.|\$\{\w++\}|\$\(\(|\$[({']|<<<|<<|[\"'`()#]|[^\\$<\"'`()#]++|.", re.DOTALL
    ),
    Quoting.DOUBLE: re.compile(
        r"\\.|\$\{\w++\}|\$\(\(|\$[({]|[\"`]|[^\\$\"`]++|.", re.DOTALL
    ),
    Quoting.SINGLE: re.compile(r"'|[^']++"),
    Quoting.COMMENT: re.compile(r"\n|[^\n]++"),
}
_ENDS = {Quoting.SINGLE: "'", Quoting.DOUBLE: '"', Quoting.COMMENT: "\n"}
_OPENS = {"'": Quoting.SINGLE, '"': Quoting.DOUBLE}
_UNSURE = frozenset(("`", "$((", "${", "$'", "<<"))


class QuotingReader:
    """Goes through a command from left to right."""

    def __init__(self) -> None:
        self._quoting = Quoting.PLAIN
        self._outer: list[Quoting] = []
        self._last = "\n"

    @property
    def quoting(self) -> Quoting:
        """How what follows is read; `UNSURE` behind what would take it in."""
        if self._quoting in (Quoting.PLAIN, Quoting.DOUBLE) and self._last in "\\$":
            return Quoting.UNSURE
        return self._quoting

    def skip_word(self) -> None:
        """Go past a word that is put here."""
        self._last = "x"

    def feed(self, text: str) -> None:
        """Go past `text`."""
        at = 0
        while at < len(text) and self._quoting is not Quoting.UNSURE:
            found = _PIECE[self._quoting].match(text, at)
            piece = found[0] if found else text[at]
            self._take(piece)
            # An escaped character is no syntax.
            self._last = "x" if len(piece) == 2 and piece[0] == "\\" else piece[-1]
            at += len(piece)

    def _take(self, piece: str) -> None:
        if piece == _ENDS.get(self._quoting):
            self._quoting = Quoting.PLAIN
        elif self._quoting in (Quoting.SINGLE, Quoting.COMMENT):
            return
        elif piece in _UNSURE:
            self._quoting = Quoting.UNSURE
        elif piece == "$(" or (piece == "(" and self._quoting is Quoting.PLAIN):
            self._outer.append(self._quoting)
            self._quoting = Quoting.PLAIN
        elif self._quoting is Quoting.PLAIN:
            self._take_plain(piece)

    def _take_plain(self, piece: str) -> None:
        if piece == ")" and self._outer:
            self._quoting = self._outer.pop()
        elif piece == "#" and (self._last.isspace() or self._last in ";|&()"):
            self._quoting = Quoting.COMMENT
        else:
            self._quoting = _OPENS.get(piece, Quoting.PLAIN)
