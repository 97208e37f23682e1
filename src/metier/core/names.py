"""Names and those of folders: whether they are alike, and what is made of one.

And which descriptions say nothing.
"""

from __future__ import annotations

import re
from functools import cache

from metier.core.fields import FromBody, Likeness, Presence
from metier.core.text import JS_WHITE_SPACE, WHITE_SPACE

# From these a description comes also where the header has a blank one.
ALSO_WHERE_BLANK = (FromBody.FIRST_HEADING, FromBody.PROSE)
_BLANKS = {Presence.NON_BLANK: JS_WHITE_SPACE, Presence.NON_WHITE: WHITE_SPACE}


def is_blank(text: str, presence: Presence) -> bool:
    """Whether a text is none where it has to be more than white space."""
    blanks = _BLANKS.get(presence)
    return blanks is not None and not text.strip(blanks)


def title_of(key: str) -> str:
    """The last part of a path as a title: its words with a capital each."""
    return _word_starts().sub(_upper, key.rpartition("/")[2].replace("-", " "))


@cache
def _word_starts() -> re.Pattern[str]:
    return re.compile(r"\b\w", re.ASCII)


def _upper(found: re.Match[str]) -> str:
    return found[0].upper()


def hyphenate(name: str) -> str:
    """`name` as a word that can be typed: in lower case, hyphens for what is odd."""
    # Takes its time to load, and few agents ask for it.
    from unicodedata import category

    signs = (
        char if char in "_.:@" or category(char)[0] in "LN" else "-"
        for char in name.lower()
    )
    return re.sub("-+", "-", "".join(signs)).strip("-")


def is_alike(name: str, directory: str, likeness: Likeness) -> bool:
    """Whether the name of a skill is that of its folder."""
    if name == directory or likeness is Likeness.EXACT:
        return name == directory
    if likeness is Likeness.COMPOSED:
        return compose(name) == compose(directory)
    return _folded(name) == _folded(directory)


def _folded(text: str) -> str:
    # A character that folds to several, such as the sharp s, stands for itself.
    folds = ((char, char.casefold()) for char in text)
    return "".join(fold if len(fold) == 1 else char for char, fold in folds)


def compose(text: str) -> str:
    """`text` with its compatible characters composed (NFKC)."""
    if text.isascii():
        return text
    # Takes its time to load, and few names ask for it.
    from unicodedata import normalize

    return normalize("NFKC", text)


def is_array_index(text: str) -> bool:
    """Whether an object of JavaScript has `text` among its numbered members."""
    if not (text.isascii() and text.isdigit()) or len(text) > 10:
        return False
    return str(int(text)) == text and int(text) < 2**32 - 1
