"""The arguments of a script: JSON of a model, or values of a program, to words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from metier.core.shell_scripts import is_passable

# As many as Linux passes on in one piece, without its closing NUL.
MAX_ARGUMENT = 128 * 1024 - 1
MAX_ARGUMENTS = 1_000
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*+", re.ASCII)


class ArgumentsInvalid(ValueError):
    """The arguments are none that a script could be given; says why, for a model."""


def read_arguments(value: object) -> tuple[str, ...]:
    """The words that a script gets for `value`.

    A list is the words themselves. An object is options: `{"max-pages": 3}` becomes
    `--max-pages 3`, a name of one letter `-n 3`; true is the option alone, false and
    null are nothing, a list is the option once for each value. A value that starts
    with a hyphen is bound to its name with `=`, so that it is no option of its own.
    """
    if value is None:
        return ()
    if isinstance(value, Mapping):
        options = cast("Mapping[object, object]", value)
        words = tuple(_options(options))
    elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
        items = cast("Sequence[object]", value)
        words = tuple(_word(each, "an argument") for each in items)
    else:
        raise ArgumentsInvalid("the arguments are neither a list nor an object")
    _check(words)
    return words


def _options(options: Mapping[object, object]) -> Iterator[str]:
    for name, value in options.items():
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise ArgumentsInvalid(f"`{name!s:.40}` is no name of an option")
        values = cast("list[object]", value) if isinstance(value, list) else [value]
        for each in values:
            yield from _option(name, each)


def _option(name: str, value: object) -> tuple[str, ...]:
    flag = f"-{name}" if len(name) == 1 else f"--{name}"
    if value is None or value is False:
        return ()
    if value is True:
        return (flag,)
    word = _word(value, f"the value of `{name}`")
    if not word.startswith("-"):
        return flag, word
    return (f"{flag}{word}",) if len(name) == 1 else (f"{flag}={word}",)


def _word(value: object, what: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return json.dumps(value)
    raise ArgumentsInvalid(f"{what} is neither text nor a number")


def _check(words: tuple[str, ...]) -> None:
    if len(words) > MAX_ARGUMENTS:
        raise ArgumentsInvalid(f"more than {MAX_ARGUMENTS:,} arguments")
    for word in words:
        if not is_passable(word):
            raise ArgumentsInvalid("an argument that no program can be given")
        if len(word.encode("utf-8", "surrogateescape")) > MAX_ARGUMENT:
            raise ArgumentsInvalid(f"an argument of more than {MAX_ARGUMENT:,} bytes")
