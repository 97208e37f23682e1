"""Where a program is that runs scripts, and what it needs to see of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from posixpath import dirname
from typing import NamedTuple

from metier.core.execution import Confinement
from metier.world.visibility import is_visible

# A link to a link to a link, as installers of interpreters make them.
_MAX_HOPS = 8


class Program(NamedTuple):
    """The path of a program, and the folders that it lives in."""

    path: str
    readable: tuple[str, ...] = ()


def find_program(
    names: Sequence[str], folders: Sequence[str], home: str | None
) -> Program | None:
    """The first program of one of `names`, by itself or in `folders`.

    One that is itself a script, as version managers put them in front, comes last.
    """
    candidates = list(_candidates(names, folders))
    candidates.sort(key=_is_script)
    for path in candidates:
        return Program(path, _surroundings(path, home))
    return None


def _candidates(names: Sequence[str], folders: Sequence[str]) -> Iterator[str]:
    for name in names:
        if "/" in name:
            if name.startswith("/") and _is_program(name):
                yield name
            continue
        yield from filter(_is_program, (f"{folder}/{name}" for folder in folders))
        if name.startswith("python") and sys.executable:
            yield sys.executable


def _is_program(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def _is_script(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return True


def _surroundings(path: str, home: str | None) -> tuple[str, ...]:
    """What has to be readable for a program that is not one of the machine's."""
    needed: list[str] = []
    for _ in range(_MAX_HOPS):
        if not is_visible(dirname(path), Confinement()):
            prefix = dirname(dirname(path))
            needed.append(prefix if _is_its_own(prefix, home) else path)
        if not os.path.islink(path):
            break
        path = os.path.normpath(os.path.join(dirname(path), os.readlink(path)))
    return tuple(dict.fromkeys(needed))


def _is_its_own(prefix: str, home: str | None) -> bool:
    """Whether a folder can be nothing but that of an installation: `X` of `X/bin`."""
    if prefix.count("/") < 2:
        return False
    if home is None:
        return True
    home = home.rstrip("/")
    return prefix not in (home, f"{home}/.local") and not home.startswith(f"{prefix}/")
