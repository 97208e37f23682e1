"""Bodies that ask for commands, and argument strings that try to be commands."""

from __future__ import annotations

import random
import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from metier.api import discover
from metier.core.dialect import Dialect
from metier.core.execution import Sandbox
from metier.library import Library
from metier.runtime.policy import RunPolicy
from metier.testing import MemoryFileSystem, make_skill
from tests.making import dialect
from tests.unit.test_substitution import TABLES

OPEN = RunPolicy(sandbox=Sandbox.NONE)
HOME_SKILLS = "/home/.agents/skills"


def using(name: str, **changes: Any) -> Dialect:
    """The default dialect, filling in as the agent of that name does.

    `changes` are about `commands` and `files`, or about other tables of the dialect.
    """
    table: dict[str, Any] = {**TABLES[name]}
    for key in ("commands", "files"):
        if key in changes:
            table[key] = {**table.get(key, {}), **changes.pop(key)}
    return dialect(substitution=table, **changes)


def skill_with(
    body: str,
    agent: Dialect,
    *,
    cwd: Path,
    folder: str = HOME_SKILLS,
    files: Mapping[str, str] | None = None,
    fields: Mapping[str, object] | None = None,
) -> Library:
    """A library with the one skill `x`, whose commands start in `cwd`."""
    text = make_skill("x", "Does it", body=body, fields=fields)
    named = {f"{folder}/x/{name}": each for name, each in (files or {}).items()}
    memory = MemoryFileSystem({f"{folder}/x/SKILL.md": text, **named})
    memory.make_folder(str(cwd))
    return discover(
        dialect=agent, cwd=cwd, home="/home", variables={}, filesystem=memory
    )


# --- arguments ----------------------------------------------------------------------

_PIECES = (
    *("a", "b", " ", "  ", "\n", "\t", "'", '"', "\\", "`", "$", "$(", ")", "${", "}"),
    *("$1", "$ARGUMENTS", "$ARGUMENTS[0]", "!`id`", "@SKILL.md", ";", "&&", "|", ">"),
    *("*", "?", "[", "]", "~", "#", "!", "!!", "-", "--", "-rf", "=", "{a,b}", "%s"),
    *("\x1b", "\x7f", "é", "\u202e", "\U0001f600", "\udcff", "$'\\n'", "<<EOF", "\r"),
    *("metier_1", "${metier_1}", "$@", "$*", "$$", "$?", "\\\n", "'\"'\"'", ""),
)


def any_argument(chance: random.Random) -> str:
    """Something that a shell would like to understand."""
    return "".join(chance.choices(_PIECES, k=chance.randint(0, 6)))


# How a placeholder may stand in a command; each gives a word with `{}` in it.
_PLACES = (
    "${}",
    '"${}"',
    "'${}'",
    'a"${}"b',
    "a'${}'b",
    "x=${}",
    '"$(printf %s ${})x"',
)


def command_for(
    arguments: Iterable[str], chance: random.Random
) -> tuple[str, list[str]]:
    """A command that prints all its words, and the words that it should print."""
    words: list[str] = []
    expected: list[str] = []
    for place, argument in enumerate(arguments):
        shape = chance.choice(_PLACES)
        words.append(shape.replace("{}", str(place)))
        expected.append(_printed(shape, argument))
    return f"printf '%s\\0' {' '.join(words)}", expected


def _printed(shape: str, argument: str) -> str:
    if shape.startswith('"$('):
        return argument.rstrip("\n") + "x"  # a shell takes line ends off there
    plain = shape.replace('"', "").replace("'", "")
    before, after = plain.split("${}")
    return f"{before}{argument}{after}"


def typed(arguments: Iterable[str]) -> str:
    """What a person types so that these are the arguments."""
    return " ".join(shlex.quote(each) for each in arguments)


def rounds(count: int, *, at_once: int, seed: int) -> Iterator[list[str]]:
    """`count` arguments, so many at once."""
    chance = random.Random(seed)
    for start in range(0, count, at_once):
        yield [any_argument(chance) for _ in range(min(at_once, count - start))]


def wrong_arguments(count: int, *, at_once: int, cwd: Path) -> list[tuple[str, str]]:
    """Of `count` arguments, those that a program gets otherwise than they were."""
    agent = using("claude-code", commands={"trim": "none", "shell": "sh"})
    chance = random.Random(count)
    wrong: list[tuple[str, str]] = []
    for arguments in rounds(count, at_once=at_once, seed=at_once):
        command, expected = command_for(arguments, chance)
        skills = skill_with(f"```!\n{command}\n```\n", agent, cwd=cwd)
        loaded = skills.load("x", arguments=typed(arguments), policy=OPEN)
        printed = loaded.body.removesuffix("\n").split("\0")[:-1]
        shown = [each.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
                 for each in expected]  # fmt: skip
        wrong += [
            pair for pair in zip(shown, printed, strict=True) if len(set(pair)) > 1
        ]
    return wrong
