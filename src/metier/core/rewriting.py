"""What agents do to a name or a description before they look at it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from metier.core.fields import Rewriting
from metier.core.text import WHITE_SPACE


def _as_it_is(text: str) -> str:
    return text


def _as_single_line(text: str) -> str:
    return _white_space().sub(" ", text).strip(" ")


@cache
def _white_space() -> re.Pattern[str]:
    return re.compile(f"[{WHITE_SPACE}]+")


def _as_file_name(text: str) -> str:
    return text.translate(_IN_NO_FILE_NAME)


def _without_tags(text: str) -> str:
    # Behind the last `>` each `<` would be searched to the end, for nothing.
    end = text.rfind(">") + 1
    return _tags().sub("", text[:end]) + text[end:]


@cache
def _tags() -> re.Pattern[str]:
    return re.compile("<[^>]+>")


_IN_NO_FILE_NAME = {ord(char): "-" for char in ':\\/<>*?"|'}
REWRITINGS: dict[Rewriting, Callable[[str], str]] = {
    Rewriting.NONE: _as_it_is,
    Rewriting.SINGLE_LINE: _as_single_line,
    Rewriting.FILE_NAME: _as_file_name,
    Rewriting.NO_TAGS: _without_tags,
}
