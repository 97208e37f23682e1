"""The escapes in double quotes, as YAML has them, and two halves of one character."""

from __future__ import annotations

import re

ESCAPES = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "\t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    " ": " ",
    '"': '"',
    "/": "/",
    "\\": "\\",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}

_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def join_surrogates(text: str) -> str:
    """`text` with a character for each pair of surrogates.

    JavaScript's texts are made of them: two escapes can make one character.
    """
    return _SURROGATE_PAIR.sub(_join, text)


def _join(pair: re.Match[str]) -> str:
    return pair[0].encode("utf-16", "surrogatepass").decode("utf-16")
