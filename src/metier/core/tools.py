"""Splitting what `allowed-tools` says.

The specification separates by spaces, most authors by commas, and both occur
inside parentheses: `Bash(git add *), Read`.
"""

from __future__ import annotations

import re

from metier.core.text import WHITE_SPACE

_SEPARATORS = re.compile("[, ]")
_OPENERS = {"(": ")", "[": "]", "{": "}"}


def split_words(text: str) -> tuple[str, ...]:
    """Cut at every comma and space, parentheses or not."""
    words = (word.strip(WHITE_SPACE) for word in _SEPARATORS.split(text))
    return tuple(word for word in words if word)


def split_tools(text: str) -> tuple[str, ...]:
    """Cut at commas and blanks that stand outside of parentheses and quotes."""
    tools: list[str] = []
    closers: list[str] = []
    quote = ""
    current = ""
    for char in text:
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and closers:
            quote = char
        elif char in _OPENERS:
            closers.append(_OPENERS[char])
        elif closers and char == closers[-1]:
            closers.pop()
        elif not closers and (char == "," or char.isspace()):
            tools.append(current)
            current = ""
            continue
        current += char
    tools.append(current)
    return tuple(tool for tool in tools if tool)
