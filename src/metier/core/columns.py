"""How many columns of a terminal a text takes, which is how some agents measure."""

from __future__ import annotations

import re
from functools import cache
from unicodedata import category, east_asian_width

_STYLE, _JOINER, _KEYCAP = "\ufe0f", "\u200d", "\u20e3"
_TONES = "[\U0001f3fb-\U0001f3ff]"
# A key, and a sign with what makes one picture of it and others.
_PICTURE = re.compile(
    rf"[0-9#*]{_STYLE}?{_KEYCAP}"
    rf"|(?P<base>.)(?=[{_STYLE}{_JOINER}]|{_TONES}){_STYLE}?{_TONES}?"
    rf"(?>(?:{_JOINER}.{_STYLE}?{_TONES}?)*)",
    re.DOTALL,
)
_TWO_COLUMNS = "\u3000"
_ESCAPE_SEQUENCE = re.compile(r"\x1b\[[0-?]*+[ -/]*+[@-~]")
_CONTROLS = re.compile(r"[\0-\x1f\x7f]")
# Letters and signs of these kinds take no room of their own.
_NO_WIDTH = frozenset(("Cc", "Cf", "Mn", "Me"))
_WIDE = frozenset("WF")
_SIGNS = frozenset(("So", "Sm", "Po"))


def columns_of(text: str) -> int:
    """The columns of `text`, with pictures of several characters as one."""
    if "\x1b" in text:
        text = _ESCAPE_SEQUENCE.sub("", text)
    if text.isascii():
        return len(text) - len(_CONTROLS.findall(text))
    return sum(map(_columns_of_char, _PICTURE.sub(_as_one, text)))


def _as_one(found: re.Match[str]) -> str:
    base = found["base"]
    if base is None or _columns_of_char(base) == 2:
        return _TWO_COLUMNS
    # A sign that is a picture only where that is asked for.
    is_picture = found[0][1:2] == _STYLE and not base.isascii()
    return _TWO_COLUMNS if is_picture and category(base) in _SIGNS else found[0]


@cache
def _columns_of_char(char: str) -> int:
    if category(char) in _NO_WIDTH:
        return 0
    return 2 if east_asian_width(char) in _WIDE else 1
