"""The envelope around a skill that was handed over: closed by nothing inside of it.

What stands inside can be read back exactly: a sign that is written in another way says
how often that was done to it.
"""

from __future__ import annotations

import re
from functools import lru_cache


def close_proof(text: str, tag: str) -> str:
    """`text` with every `</tag` defused, so that it cannot end its own envelope.

    `<` becomes `&lt;`, and a `&lt;` in that place `&amp;lt;`. `reopen` undoes it. What
    only looks like a closing tag, to a model above all, is one.
    """
    if not tag:
        return text
    rest = _rest_of(tag)
    return _escape(
        text, rf"([{_OPENERS}])(?={rest})|&((?:amp;)*{_WRITTEN_OPENER})(?={rest})"
    )


def reopen(text: str, tag: str) -> str:
    """What `close_proof` was given."""
    if not tag:
        return text
    return _unescape(text, rf"&(amp;)?((?:amp;)*{_WRITTEN_OPENER})(?={_rest_of(tag)})")


def on_one_line(text: str) -> str:
    """`text` with its line feeds written `&#10;`; `on_its_lines` undoes it."""
    return _escape(text, r"(\n)|&((?:amp;)*#10;)")


def on_its_lines(text: str) -> str:
    """What `on_one_line` was given."""
    return _unescape(text, r"&(amp;)?((?:amp;)*#10;)")


def _escape(text: str, pattern: str) -> str:
    def write(found: re.Match[str]) -> str:
        return f"&{_WRITTEN[found[1]] if found[1] else f'amp;{found[2]}'}"

    return re.sub(pattern, write, text, flags=re.IGNORECASE)


def _unescape(text: str, pattern: str) -> str:
    def read(found: re.Match[str]) -> str:
        return f"&{found[2]}" if found[1] else _READ[found[2].lower()]

    return re.sub(pattern, read, text, flags=re.IGNORECASE)


# --- what a closing tag looks like --------------------------------------------------

_OPENERS = "<\u02c2\u1438\u2039\u2329\u276e\u2770\u27e8\u3008\ufe64\uff1c"
_SLASH = "[/\u2044\u2215\u2571\u27cb\u29f8\uff0f]"
# What nobody sees: white space, controls, marks of direction, joiners, tags, variation
# selectors; and the backslash, with which some languages write a slash.
_GAP = (
    r"[\s\\\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    r"\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0"
    r"\U000e0000-\U000e0fff]*+"
)
# Of the letters that look like those of ASCII the ones that are told apart worst.
_ALIKE = {
    "_": "\ufe4d\ufe4e\ufe4f\uff3f",
    "a": "\u0430\u0251\u03b1",
    "c": "\u0441\u03f2\u217d",
    "d": "\u0501\u217e",
    "e": "\u0435\u0454\u04bd",
    "i": "\u0456\u0269\u03b9\u2170",
    "k": "\u043a\u03ba",
    "l": "\u04cf\u217c",
    "n": "\u0578",
    "o": "\u043e\u03bf\u0585",
    "p": "\u0440\u03c1",
    "r": "\u0433",
    "s": "\u0455",
    "t": "\u0442\u03c4",
    "u": "\u03c5\u057d",
    "v": "\u0475\u03bd\u2174",
}
# Mathematicians have thirteen alphabets of their own, each with capitals first.
_ALPHABETS = tuple(range(0x1D400, 0x1D400 + 13 * 52, 52))

_WRITTEN = {
    "\n": "#10;",
    **{each: f"#x{ord(each):x};" for each in _OPENERS},
    "<": "lt;",
}
_READ = {written: sign for sign, written in _WRITTEN.items()}
_WRITTEN_OPENER = f"(?:{'|'.join(_WRITTEN[each] for each in _OPENERS)})"


@lru_cache
def _rest_of(tag: str) -> str:
    """What follows the first sign of a closing tag, in any way that looks like it."""
    letters = _GAP.join(map(_alike, tag))
    return rf"{_GAP}{_SLASH}{_GAP}{letters}\b"


def _alike(sign: str) -> str:
    place = ord(sign.lower()) - ord("a")
    if not 0 <= place < 26:
        return f"[{re.escape(sign)}{_ALIKE.get(sign, '')}]"
    capitals = [0xFF21 + place, *(start + place for start in _ALPHABETS)]
    small = [start + 26 + place for start in _ALPHABETS]
    return f"[{sign}{_ALIKE.get(sign, '')}{''.join(map(chr, capitals + small))}]"
