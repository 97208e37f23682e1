"""Ignore files, as npm's `ignore` reads them: which paths below a root they name.

The patterns are those of `.gitignore`, in any letter case; of all that name a path the
last one counts, and below a folder that is ignored everything is. A pattern is matched
name by name, and each name in linear time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from metier.core.text import BYTE_ORDER_MARK, JS_WHITE_SPACE

# Longer ones are no patterns that a person writes.
MAX_PATTERN = 1024
# Each path is held against each of them: real files have some hundred.
MAX_RULES = 5_000

_LINE_END = re.compile(r"\r?\n")


class _Rule(NamedTuple):
    """One pattern; None stands for any number of names."""

    names: tuple[re.Pattern[str] | None, ...]
    is_negative: bool
    is_anchored: bool
    folders_only: bool
    source: str


class IgnoreRules:
    """The rules of one root, to which each folder that is entered may add some."""

    def __init__(self) -> None:
        self._rules: list[_Rule] = []
        self._folders: dict[str, str | None] = {}

    @property
    def is_full(self) -> bool:
        """Whether no more rules are taken."""
        return len(self._rules) >= MAX_RULES

    def add(self, text: str, folder: str, source: str) -> None:
        """Take in `text`, the file `source` in `folder`, which is relative to the root.

        Below the root a pattern is only about what lies directly in its folder, unless
        it says otherwise; in the root it is about any depth, also behind a `/`.
        """
        is_first = True
        for line in _LINE_END.split(text):
            bare = line.strip(JS_WHITE_SPACE)
            if not bare or bare[0] == "#" or self.is_full:
                continue
            pattern = _placed(line, folder)
            if is_first and pattern:
                pattern = pattern.removeprefix(BYTE_ORDER_MARK)
            is_first = is_first and not pattern
            rule = _rule_of(pattern, source) if len(pattern) <= MAX_PATTERN else None
            if rule is not None:
                self._rules.append(rule)
                self._folders.clear()

    def find(self, path: str, *, is_folder: bool) -> str | None:
        """The file that says to ignore `path`, None where none does."""
        if not self._rules:
            return None
        *folders, name = path.split("/")
        for count in range(1, len(folders) + 1):
            source = self._find_folder(tuple(folders[:count]))
            if source is not None:
                return source
        if is_folder:
            return self._find_folder((*folders, name))
        return self._decide((*folders, name), is_folder=False)

    def _find_folder(self, names: tuple[str, ...]) -> str | None:
        path = "/".join(names)
        if path not in self._folders:
            self._folders[path] = self._decide(names, is_folder=True)
        return self._folders[path]

    def _decide(self, names: Sequence[str], *, is_folder: bool) -> str | None:
        folded = [_fold(name) for name in names]
        for rule in reversed(self._rules):
            if rule.folders_only and not is_folder:
                continue
            if _is_match(folded if rule.is_anchored else folded[-1:], rule.names):
                return None if rule.is_negative else rule.source
        return None


def _placed(line: str, folder: str) -> str:
    """The pattern of `line` as one of the root's; "" where there is none."""
    sign = "!" if line[0] == "!" else ""
    pattern = line.removeprefix("!") if sign else line
    if not sign and line.startswith("\\!"):
        pattern = line[1:]
    pattern = pattern.removeprefix("/")
    placed = f"{folder}/{pattern}" if folder else pattern
    return f"{sign}{placed}"


def _rule_of(pattern: str, source: str) -> _Rule | None:
    """What `pattern` says, None where it can name nothing."""
    if pattern[:1] == "#":
        return None
    is_negative = pattern[:1] == "!"
    body = _without_blanks(pattern[1:] if is_negative else pattern)
    if not body or _ends_escaped(body):
        return None
    if body[:2] in ("\\!", "\\#"):
        body = body[1:]
    parts = _split(body)
    if parts is None:
        return None
    is_anchored = "/" in body[:-1]
    folders_only = body[-1] == "/"
    parts = parts[body[0] == "/" : len(parts) - folders_only]
    if not all(map(any, parts)):
        return None
    names = tuple(map(_compile, parts))
    return _Rule(names, is_negative, is_anchored, folders_only, source)


def _without_blanks(body: str) -> str:
    """`body` without blanks at its end, but for one that a backslash keeps."""
    body = body.removesuffix("\r")
    bare = body.rstrip(" ")
    if len(bare) < len(body) and _ends_escaped(bare):
        return bare[:-1] + " "
    return bare


def _ends_escaped(text: str) -> bool:
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1


# Of a name: a text with the expression of one character each, or any number of stars.
_STAR = "*"
_Part = list[str]


def _split(body: str) -> list[_Part] | None:
    """The names of a pattern, as expressions; None where it can name nothing."""
    parts: list[_Part] = [[]]
    at = 0
    while at < len(body):
        char = body[at]
        at += 1
        if char == "\\":
            char = body[at]
            at += 1
            if char == "/" and at == len(body):
                return None
            if char == "/":
                # Beside it, two stars are but one.
                parts[-1].append("")
                parts.append([""])
            else:
                parts[-1].append(re.escape(_fold(char)))
        elif char == "[":
            bracket = _Bracket(body, at)
            if not bracket.read():
                return None
            parts[-1].append(bracket.expression())
            at = bracket.at
        elif char == "/":
            parts.append([])
        elif char == "*":
            parts[-1].append(_STAR)
        else:
            parts[-1].append("." if char == "?" else re.escape(_fold(char)))
    return parts


def _compile(part: _Part) -> re.Pattern[str] | None:
    if len(part) > 1 and all(each is _STAR for each in part):
        return None
    pieces: list[str] = [""]
    for each in part:
        if each is not _STAR:
            pieces[-1] += each
        elif len(pieces) == 1 or pieces[-1]:
            pieces.append("")
    first, *others = pieces
    if not others:
        return re.compile(first, re.DOTALL)
    # What follows a star stands as early as it can: nothing has to be tried again.
    middle = "".join(f"(?>.*?{piece})" for piece in others[:-1])
    return re.compile(f"{first}{middle}.*{others[-1]}", re.DOTALL)


def _is_match(names: Sequence[str], patterns: Sequence[re.Pattern[str] | None]) -> bool:
    # Only the last `**` has to be tried again; one at the end takes a name at least.
    at = step = 0
    retry: tuple[int, int] | None = None
    while at < len(names):
        if step < len(patterns):
            pattern = patterns[step]
            if pattern is None:
                if step == len(patterns) - 1:
                    return True
                retry = at, step
                step += 1
                continue
            if pattern.fullmatch(names[at]):
                at, step = at + 1, step + 1
                continue
        if retry is None:
            return False
        retry = retry[0] + 1, retry[1]
        at, step = retry[0], retry[1] + 1
    return step == len(patterns)


def _fold(text: str) -> str:
    """`text` so that only its letters count and not their case, as JavaScript does."""
    return text.upper() if text.isascii() else "".join(map(_fold_char, text))


def _fold_char(char: str) -> str:
    upper = char.upper()
    is_alone = len(upper) == 1 and (char < "\x80" or upper >= "\x80")
    return upper if is_alone else char


_CLASSES = {
    "alnum": "09AZaz",
    "alpha": "AZaz",
    "blank": "  \t\t",
    "cntrl": "\x00\x1f\x7f\x7f",
    "digit": "09",
    "graph": "!~",
    "lower": "az",
    "print": " ~",
    "punct": "!/:@[`{~",
    "space": "  \t\n\r\r",
    "upper": "AZ",
    "xdigit": "09AFaf",
}
# A range of more characters is taken as it is, beyond ASCII.
_MAX_FOLDED = 512


class _Bracket:
    """The members of `[...]`, of which one is there even where it is a `]`."""

    def __init__(self, body: str, start: int) -> None:
        self.at = start
        self._body = body
        self._is_negative = body[start : start + 1] in ("!", "^")
        self.at += self._is_negative
        self._ranges: list[tuple[str, str]] = []
        self._low = ""  # what a hyphen could make a range of

    def read(self) -> bool:
        """Whether it ends, and all of it is known; `at` is behind it then."""
        while True:
            char = self._next()
            if char == "-" and self._low and self._is_range():
                self._add_range()
            elif char == "[" and self._peek() == ":":
                if not self._add_class():
                    return False
            elif char:
                self._add(self._next() if char == "\\" else char)
            else:
                return False
            if self._peek() == "]":
                self.at += 1
                return True

    def _next(self) -> str:
        char = self._peek()
        self.at += 1
        return char

    def _peek(self) -> str:
        return self._body[self.at : self.at + 1]

    def _is_range(self) -> bool:
        return self._peek() not in ("", "]")

    def _add(self, char: str) -> None:
        self._ranges.append((char, char))
        self._low = char

    def _add_range(self) -> None:
        high = self._next()
        if high == "\\":
            high = self._next()
        if self._low <= high:
            self._ranges.append((self._low, high))
        self._low = ""

    def _add_class(self) -> bool:
        end = self._body.find("]", self.at + 1)
        if end < 0:
            return False
        name = self._body[self.at + 1 : end]
        if len(name) < 1 or name[-1] != ":":
            self._add("[")
            return True
        members = _CLASSES.get(name[:-1])
        if members is None:
            return False
        self._ranges += zip(members[::2], members[1::2], strict=True)
        self._low = ""
        self.at = end + 1
        return True

    def expression(self) -> str:
        """The same for names that are folded."""
        ranges = [each for low, high in self._ranges for each in _folded(low, high)]
        members = "".join(f"{re.escape(a)}-{re.escape(b)}" for a, b in ranges)
        if self._is_negative:
            return f"[^{members}]"
        return f"[{members}]"


def _folded(low: str, high: str) -> list[tuple[str, str]]:
    """The range, and what its letters are in the other case."""
    first, last = ord(low), ord(high)
    last_folded = last if last - first < _MAX_FOLDED else min(last, 0x7F)
    chars = map(chr, range(first, last_folded + 1))
    return [(low, high), *((each, each) for each in map(_fold_char, chars))]
