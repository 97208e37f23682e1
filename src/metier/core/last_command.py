"""The command that a script for a shell ends with, where that is certain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from metier.core.shell_quoting import Quoting, QuotingReader

# `2>&1` and `>|` separate nothing.
_SEPARATOR = re.compile(r"&&|(?<!>)\|[|&]?|(?<![<>])&(?!>)|[;\n]")


def ends_with_any(script: str, programs: Iterable[str]) -> bool:
    """Whether `script` ends with a call of one of `programs`, as `git diff` is one."""
    words = _last_command(script)
    return any(_calls(words, program.split()) for program in programs)


def _calls(words: list[str], program: list[str]) -> bool:
    called = [*words[:1], *_operands(words)]
    return called[: len(program)] == program


def _operands(words: list[str]) -> Iterator[str]:
    """The words that are no options, and do not belong to an option of one letter."""
    before = ""
    for word in words[1:]:
        if not word.startswith("-") and not re.fullmatch("-[A-Za-z]", before):
            yield word
        before = word


def _last_command(script: str) -> list[str]:
    words: list[str] = []
    for command in _commands(script):
        found = command.split()
        if found and not found[0].startswith("#"):
            words = found
    return words


def _commands(script: str) -> Iterator[str]:
    """The commands of the script, but not those within others.

    Nothing is the last of them where it is not certain how what follows is quoted.
    """
    reader = QuotingReader()
    start = at = 0
    for found in _SEPARATOR.finditer(script):
        reader.feed(script[at : found.start()])
        if reader.is_lost:
            yield _UNKNOWN
            return
        if reader.is_outside or (
            reader.quoting is Quoting.COMMENT and found[0] == "\n"
        ):
            yield script[start : found.start()]
            start = found.end()
        reader.feed(found[0])
        at = found.end()
    yield script[start:]


_UNKNOWN = "?"
