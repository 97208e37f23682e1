"""Splitting a field that holds several things in one line of text.

For `allowed-tools` the specification separates by spaces, most authors by commas, and
both occur inside parentheses: `Bash(git add *), Read`. Phrases and path patterns hold
blanks, and commas within brackets: `*.{ts,tsx}, my file.md`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from metier.core.text import JS_WHITE_SPACE, WHITE_SPACE

_SEPARATORS = re.compile("[, ]")
_OPENERS = {"(": ")", "[": "]", "{": "}"}


def split_words(text: str) -> tuple[str, ...]:
    """Cut at every comma and space, parentheses or not."""
    words = (word.strip(WHITE_SPACE) for word in _SEPARATORS.split(text))
    return tuple(word for word in words if word)


def split_tools(text: str) -> tuple[str, ...]:
    """Cut at commas and blanks that stand outside of parentheses and quotes."""
    return tuple(filter(None, _outside_of_brackets(text, _is_comma_or_blank)))


def split_phrases(text: str) -> tuple[str, ...]:
    """Cut at commas and line ends that stand outside of brackets."""
    phrases = _outside_of_brackets(text, _is_comma_or_line_end)
    return tuple(filter(None, map(unquote, phrases)))


# What the braces of one pattern may stand for; more is an attack.
_MAX_PATTERNS = 1_000
_BRACES = re.compile(r"([^{]*+)\{([^}]++)\}(.*)", re.DOTALL)


def split_patterns(text: str) -> tuple[str, ...]:
    """Patterns of paths, one for each way to read its braces; `a/**` is `a`."""
    waiting = [each.strip(JS_WHITE_SPACE) for each in _outside_of_braces(text)]
    waiting.reverse()
    patterns: list[str] = []
    for _ in range(_MAX_PATTERNS):
        if not waiting:
            break
        pattern = waiting.pop()
        if braces := _BRACES.fullmatch(pattern):
            choices = reversed(braces[2].split(","))
            waiting += (f"{braces[1]}{each.strip()}{braces[3]}" for each in choices)
        else:
            patterns.append(pattern.removesuffix("/**"))
    return tuple(filter(None, patterns))


def _outside_of_braces(text: str) -> list[str]:
    parts, depth = [""], 0
    for char in text:
        depth += (char == "{") - (char == "}")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts


def unquote(phrase: str) -> str:
    """`phrase` without the blanks around it, and one pair of quotes."""
    phrase = phrase.strip()
    if len(phrase) > 1 and phrase[0] == phrase[-1] and phrase[0] in "\"'":
        return phrase[1:-1].strip()
    return phrase


def _is_comma_or_blank(char: str) -> bool:
    return char == "," or char.isspace()


def _is_comma_or_line_end(char: str) -> bool:
    return char in ",\n"


def _outside_of_brackets(text: str, is_cut: Callable[[str], bool]) -> list[str]:
    """Quotes count within brackets only: outside, one is mostly an apostrophe."""
    parts: list[str] = []
    closers: list[str] = []
    quote = ""
    start = 0
    for at, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and closers:
            quote = char
        elif char in _OPENERS:
            closers.append(_OPENERS[char])
        elif closers and char == closers[-1]:
            closers.pop()
        elif not closers and is_cut(char):
            parts.append(text[start:at])
            start = at + 1
    parts.append(text[start:])
    return parts
