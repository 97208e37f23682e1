"""A command of a body as a script and its positional parameters.

No value is ever part of a script's text. Where the command has a placeholder, the
script names a variable, quoted for its place, and the shell gets the value as a
parameter: whatever is in it, it is an argument and no syntax. Where that is not
certain, there is no script but a problem.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from metier.core.filling import Values
from metier.core.shell_quoting import (
    Quoting,
    QuotingReader,
    interprets,
    is_whole_word,
    reads_twice,
)
from metier.core.substitution import Placeholder
from metier.core.templates import Argument, Command, Part


class Script(NamedTuple):
    """What a shell runs; `problem` where there is nothing that it could safely run."""

    text: str
    parameters: tuple[str, ...] = ()
    problem: str | None = None


# Of a command with values; a longer one is a script, and those have files.
MAX_COMMAND = 8 * 1024
# A NUL ends an argument; half a pair is in no text that has bytes.
_IMPOSSIBLE = re.compile("[\0\ud800-\udc7f\udd00-\udfff]")


def is_passable(argument: str) -> bool:
    """Whether a program can be given `argument`."""
    return _IMPOSSIBLE.search(argument) is None


def build_script(command: Command, values: Values) -> Script:
    """The script of `command` with `values`."""
    builder = _Builder(values)
    pieces = [builder.add(part) for part in command.parts]
    if not builder.has_values:
        return Script("".join(piece or "" for piece in pieces))
    if len(command.source) > MAX_COMMAND:
        return _refused(f"it has arguments and more than {MAX_COMMAND:,} characters")
    if reads_twice(command.source):
        return _refused("the shell might read an argument as code")
    if interprets(command.source) and not _are_words(command, values):
        return _refused("a program might read an argument as code")
    if None in pieces:
        return _refused("it is not certain how an argument is quoted")
    if not all(map(is_passable, builder.parameters)):
        return _refused("an argument has a character that no program can be given")
    text = "".join((builder.prologue, *(piece or "" for piece in pieces)))
    return Script(text, tuple(builder.parameters))


def merge_streams(script: Script) -> Script:
    """The same, with all of stderr on stdout, also what the shell itself says."""
    return Script(_MERGING, (script.text, *script.parameters))


# What is evaluated has no value in it: those are parameters here as there.
_MERGING = 'exec 2>&1; metier_0=$1; shift; eval "$metier_0"'

# How many parts around a value are looked at: more than a word has.
_AROUND = 20


def _are_words(command: Command, values: Values) -> bool:
    """Whether every value is a word by itself, and none of somebody's code."""
    reader = QuotingReader()
    shown: list[str] = []
    places: dict[int, Quoting] = {}
    for place, part in enumerate(command.parts):
        if values.of_known(part) is None:
            shown.append(values.of(part))
            reader.feed(shown[-1])
        else:
            shown.append("x")
            places[place] = reader.quoting
            reader.skip_word()
    return all(
        is_whole_word(
            "".join(shown[max(0, place - _AROUND) : place]),
            "".join(shown[place + 1 : place + _AROUND]),
            quoting,
        )
        for place, quoting in places.items()
    )


def _refused(problem: str) -> Script:
    return Script("", (), problem)


class _Builder:
    """Writes one script from left to right."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.has_values = False
        self.parameters: list[str] = []
        self._reader = QuotingReader()

    @property
    def prologue(self) -> str:
        """Names for the parameters, so that a `$1` of the command is none of them."""
        count = len(self.parameters)
        names = " ".join(f"metier_{n}=${{{n}}}" for n in range(1, count + 1))
        return f"{names}; shift {count}; " if count else ""

    def add(self, part: Part) -> str | None:
        """What the script says for `part`; None where nothing is safe to say."""
        value = self.values.of_known(part)
        if value is None:
            text = self.values.of(part)
            self._reader.feed(text)
            return text
        self.has_values = True
        match self._reader.quoting:
            case Quoting.PLAIN:
                self._reader.skip_word()
                return self._words(part, value)
            case Quoting.DOUBLE:
                return self._named(value)
            case Quoting.SINGLE:
                return f"'\"{self._named(value)}\"'"
            case Quoting.COMMENT:
                return ""
            case _:
                return None

    def _words(self, part: Part, value: str) -> str:
        if isinstance(part, Argument) and part.kind is Placeholder.ALL:
            # Pasted, they would be words: so each is an argument of its own.
            return " ".join(f'"{self._named(word)}"' for word in self.values.words)
        return f'"{self._named(value)}"'

    def _named(self, value: str) -> str:
        self.parameters.append(value)
        return f"${{metier_{len(self.parameters)}}}"
