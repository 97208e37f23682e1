"""The arguments of an invocation: what was typed, and its words as an agent counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from metier.core.command_words import split_command
from metier.core.substitution import Splitting, Unbalanced
from metier.core.text import WHITE_SPACE


class Words(NamedTuple):
    """The arguments one by one; `problem` where they cannot be told apart."""

    words: tuple[str, ...]
    problem: str | None = None


def split_arguments(text: str, splitting: Splitting, unbalanced: Unbalanced) -> Words:
    """The words of `text`."""
    if splitting is Splitting.BLANKS:
        return Words(tuple(text.split()))
    if splitting is Splitting.RUNS:
        return Words(tuple(_QUOTE_ENDS.sub("", run) for run in _RUNS.findall(text)))
    if splitting is Splitting.COMMAND:
        return Words(split_command(text) or tuple(text.split()))
    if splitting is Splitting.LEADING_QUOTES:
        words, open_quote = _split_at_leading_quotes(text)
    else:
        words, open_quote = _split_quoted(text, splitting)
    if open_quote and unbalanced is Unbalanced.ERROR:
        return Words((), f"the arguments have a {open_quote} without its partner")
    return Words(words)


# Blanks as ECMAScript has them, which is where this one is at home.
_BLANK = r"\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_RUNS = re.compile(
    rf"\[[Ii][Mm][Aa][Gg][Ee][{_BLANK}]++[0-9]++\]"
    rf"|\"[^\"]*+\"|'[^']*+'|[^{_BLANK}\"']++"
)
_QUOTE_ENDS = re.compile(r"^[\"']|[\"']\Z")

# The pieces of a word: a run of plain characters, a quoted run, an escape, a gap. What
# is left over at the end is a quote without its partner.
_SHELL_PIECE = re.compile(
    r"(?P<plain>[^\s\"'\\]++)|(?P<gap>\s++)|'(?P<single>[^']*+)'"
    r"|\"(?P<double>(?>(?:[^\"\\]++|\\.)*))\"|\\(?P<escaped>.)|(?P<last>\\)"
    r"|(?P<open>[\"'])",
    re.DOTALL,
)
_DOUBLE_PIECE = re.compile(
    r"(?P<plain>[^\s\"]++)|(?P<gap>\s++)|\"(?P<single>[^\"]*+)\"|(?P<open>\")"
)
# Within double quotes a shell takes a backslash only before these.
_ESCAPED = re.compile(r"\\([\"\\$`])|\\\n")


def _unescape(text: str) -> str:
    return _ESCAPED.sub(lambda found: found[1] or "", text)


def _as_it_is(text: str) -> str:
    return text


_MEANINGS: Mapping[str, Callable[[str], str]] = {
    "plain": _as_it_is,
    "single": _as_it_is,
    "double": _unescape,
    "escaped": _as_it_is,
    "last": _as_it_is,
}


def _split_quoted(text: str, splitting: Splitting) -> tuple[tuple[str, ...], str]:
    piece = _SHELL_PIECE if splitting is Splitting.SHELL else _DOUBLE_PIECE
    words: list[str] = []
    current: list[str] | None = None
    for found in piece.finditer(text):
        kind = found.lastgroup or ""
        if kind == "gap":
            if current is not None:
                words.append("".join(current))
            current = None
        elif kind == "open":
            words.append("".join((*(current or ()), text[found.end() :])))
            return tuple(words), found[0]
        else:
            current = [] if current is None else current
            current.append(_MEANINGS[kind](found[kind]))
    if current is not None:
        words.append("".join(current))
    return tuple(words), ""


def _split_at_leading_quotes(text: str) -> tuple[tuple[str, ...], str]:
    words: list[str] = []
    word = quote = ""
    for char in text:
        if char == quote:
            quote = ""
        elif not quote and (char == '"' or (char == "'" and not word)):
            quote = char
        elif char in WHITE_SPACE and not quote:
            words.append(word)
            word = ""
        else:
            word += char
    words.append(word)
    return tuple(filter(None, words)), quote
