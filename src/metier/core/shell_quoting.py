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
    r"|coproc|exec|env|!)(?=\s))[ \t]*+(?>(?:\w++=[^\s;|&]*+[ \t]++)*)"
)
# Each puts the content of its operands through the shell a second time: as a command,
# as arithmetic (where `a[$(command)]` is run), or as the name of a variable.
_BUILTINS = (
    r"(?:eval|let|declare|typeset|local|export|readonly|unset|read|mapfile|readarray"
    r"|getopts|compgen|complete|source|\.(?=\s)|trap|alias|case|(?:test|\[)[ \t]++-v"
    r"|printf[ \t]++-v)(?![\w-])"
)
_READS_TWICE = re.compile(
    # The subscript of an array is arithmetic, and so is the start of a substring.
    rf"{_BEGIN}(?:{_BUILTINS}|\w++\[)|\[\[|\(\(|\$\[|\w\+?=\([^)]*\["
    r"|\$\{(?!#?\w++(?:(?::?[-=?+]|##?|%%?|//?|\^\^?|,,?)[^}\[]*+)?\})"
    # It is expanded before each command that is traced.
    r"|(?<!\w)PS4="
)
# A shell that reads its commands from elsewhere than a file that has a name, and those
# that hand text to one.
_SHELL = re.compile(
    r"(?<![\w.-])(?:ba|da|z|k|mk|a|fi)?sh(?![\w.-])(?P<options>(?>(?:[ \t]++-\S++)*))"
    r"[ \t]*+(?P<file>[^\s;|&<>()])?"
)
_TAKES_TEXT = re.compile(r"[ \t]-[a-zA-Z]*[cs]")
_HANDS_OVER = re.compile(
    r"(?<![\w.-])(?:(?:ssh|rsh|watch|parallel)(?![\w-])"
    r"|(?:su|sudo|doas|runuser|script|flock)\s[^;|&\n]*?-\w*c(?![\w-])"
    r"|env\s[^;|&\n]*?(?:-\w*S|--split-string))"
)


def reads_twice(command: str) -> bool:
    """Whether a shell might take the content of a variable in `command` for code."""
    if _READS_TWICE.search(command) or _HANDS_OVER.search(command):
        return True
    return any(
        found["file"] is None or _TAKES_TEXT.search(found["options"])
        for found in _SHELL.finditer(command)
    )


# Programs that take code in another language among their arguments.
_INTERPRETS = re.compile(
    r"(?<![\w.-])(?:python|pypy|perl|ruby|node|deno|bun|php|lua|Rscript|osascript|[gmn]?awk"
    r"|g?sed|jq|yq|sqlite3|psql|mysql|tclsh|expect|gdb|vim?|emacs|ed|m4)[\d.]*+(?![\w-])"
)
_CODE = re.compile(
    r"(?:[ \t]-\w*[cefEprx]|--(?:eval|print|execute|command|expression)"
    rf"|{_INTERPRETS.pattern}(?>(?:[ \t]++-\S++)*))[ \t=]*+['\"]?+\Z"
)


def interprets(command: str) -> bool:
    """Whether a program in `command` might take an argument for code of its own."""
    return _INTERPRETS.search(command) is not None


def is_whole_word(before: str, after: str, quoting: Quoting) -> bool:
    """Whether what stands between the two is a word, and not one of code."""
    mark = _MARKS.get(quoting, "")
    if not re.search(rf"(?:\A|\s){mark}\Z", before):
        return False
    if not re.match(rf"{mark}(?:\Z|[\s;|&)<>])", after):
        return False
    return _CODE.search(before) is None


_MARKS = {Quoting.SINGLE: "'", Quoting.DOUBLE: '"'}

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

    @property
    def is_outside(self) -> bool:
        """Whether what follows stands in no quotes and no parentheses."""
        return self.quoting is Quoting.PLAIN and not self._outer

    @property
    def is_lost(self) -> bool:
        """Whether nothing is certain from here on."""
        return self._quoting is Quoting.UNSURE

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
