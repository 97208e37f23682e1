"""A process that swaps a folder for a link as fast as it can, and those who read."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

CANARY = b"CANARY"
# On Linux both names change hands in one step, so that each of them is always there.
_FLIP = """
import ctypes, os, sys
one, two = (os.fsencode(each) for each in sys.argv[1:3])
libc = ctypes.CDLL(None)
exchange = getattr(libc, "renameat2", None)
def swap():
    if exchange is None or exchange(-100, one, -100, two, 2):
        os.rename(one, one + b".away")
        os.rename(two, one)
        os.rename(one + b".away", two)
print("ready", flush=True)
while os.getppid() == int(sys.argv[3]):
    for _ in range(1000):
        swap()
"""


@contextmanager
def flipping(one: Path, two: Path) -> Generator[None]:
    """While this lasts, `one` and `two` change places all the time."""
    command = [sys.executable, "-c", _FLIP, str(one), str(two), str(os.getpid())]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield
        finally:
            process.kill()


class Raced(NamedTuple):
    """How many readings held the canary, how many were good, how many refused."""

    leaked: int = 0
    good: int = 0
    refused: int = 0

    def with_more(self, more: Raced) -> Raced:
        return Raced(*(one + other for one, other in zip(self, more, strict=True)))


def leaks(read: Callable[[], bytes | None], *, count: int) -> Raced:
    """What came of `count` readings."""
    leaked = good = 0
    for _ in range(count):
        try:
            data = read()
        except OSError:
            continue
        leaked += data is not None and CANARY in data
        good += data is not None and CANARY not in data
    return Raced(leaked, good, count - leaked - good)


@dataclass(frozen=True)
class Arena:
    """A workspace with a skill, and a canary that stands outside of it.

    `folders` and `files` are each a thing of the skill's and a link to the canary.
    """

    workspace: Path
    folders: tuple[Path, Path]
    files: tuple[Path, Path]


def set_arena(folder: Path) -> Arena:
    skills = folder / "workspace" / "skills"
    (skills / "pdf").mkdir(parents=True)
    (skills / "pdf" / "SKILL.md").write_text("good")
    (skills / "pdf" / "notes.md").write_text("good")
    secret = folder / "secret"
    secret.mkdir()
    for name in ("SKILL.md", "notes.md"):
        (secret / name).write_bytes(CANARY)
    (skills / "evil").symlink_to(secret)
    (skills / "pdf" / "evil.md").symlink_to(secret / "notes.md")
    pdf = skills / "pdf"
    return Arena(
        folder / "workspace",
        (pdf, skills / "evil"),
        (pdf / "notes.md", pdf / "evil.md"),
    )


# However slow the machine is, one of so many rounds sees both faces of the thing.
_ROUNDS = 1_000


def race(
    pair: tuple[Path, Path], read: Callable[[], bytes | None], *, count: int
) -> Raced:
    """What comes of `count` readings while the two change places, or of more.

    It ends when the reader has met both of them, and a careless one has lost: before
    that, nothing is proved.
    """
    path, top = pair[0], pair[0].parents[1]
    file = path / "SKILL.md" if path.is_dir() else path
    careless = read_after_checking(file, top)
    with flipping(*pair):
        found = leaks(read, count=count)
        for _ in range(_ROUNDS):
            if found.good and found.refused and leaks(careless, count=1_000).leaked:
                return found
            found = found.with_more(leaks(read, count=1_000))
    raise AssertionError("nobody loses this race, so that it proves nothing")


def read_after_checking(path: Path, top: Path) -> Callable[[], bytes]:
    """What many programs do: look where a path leads, then open it."""

    def read() -> bytes:
        if not os.path.realpath(path).startswith(f"{top}/"):
            raise PermissionError("outside")
        return path.read_bytes()

    return read
