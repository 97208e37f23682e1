"""Names and those of folders: whether they are alike, and a title made of one."""

from __future__ import annotations

import re
from functools import cache

from metier.core.fields import Likeness


def title_of(key: str) -> str:
    """The last part of a path as a title: its words with a capital each."""
    return _word_starts().sub(_upper, key.rpartition("/")[2].replace("-", " "))


@cache
def _word_starts() -> re.Pattern[str]:
    return re.compile(r"\b\w", re.ASCII)


def _upper(found: re.Match[str]) -> str:
    return found[0].upper()


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
