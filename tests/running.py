"""Programs that are run in a test, and whether anything of them is left."""

from __future__ import annotations

import os
import select
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from metier.core.execution import Backend, Confinement, Limits, Order
from metier.world.processes import Run
from metier.world.programs import find_program
from metier.world.sandboxes import BACKENDS, start, works

# All that this machine has, and none.
HERE = (*(each for each in BACKENDS if works(each)), Backend.NONE)
PATH = {"PATH": "/usr/bin:/bin"}


def shell_order(
    script: str, *arguments: str, folder: Path, stdin: bytes = b"", **limits: float
) -> Order:
    """A shell script that may write into `folder`, and starts there."""
    return Order(
        program="/bin/sh",
        argv=("sh", "-c", script, "sh", *arguments),
        environment=dict(PATH),
        cwd=str(folder),
        stdin=stdin,
        limits=Limits(**{"seconds": 60, **limits}),
        confinement=Confinement(writable=(str(folder),)),
    )


def python_order(program: str, *arguments: str, folder: Path) -> Order:
    """A Python program that may write into `folder`, and starts there."""
    python = find_program(("python3",), ("/usr/bin", "/bin"), None)
    assert python is not None
    return Order(
        program=python.path,
        argv=(python.path, "-I", "-S", "-c", program, *arguments),
        environment=dict(PATH),
        cwd=str(folder),
        limits=Limits(seconds=60),
        confinement=Confinement(readable=python.readable, writable=(str(folder),)),
    )


# Its children leave it, their group and their session, and their children do it again.
_GETTING_AWAY = """
import os, signal, sys
alive = os.open("alive", os.O_WRONLY)
heard, said = os.pipe()
for _ in range(2):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.write(said, b"x")
            signal.pause()
        os._exit(0)
os.read(heard, 1), os.read(heard, 1)
os.write(alive, b"!")
if sys.argv[1] == "stay":
    signal.pause()
"""


@dataclass(frozen=True)
class Getaway:
    """A program whose children got away from it; they all hold the pipe `alive`."""

    run: Run
    alive: int

    def wait(self) -> None:
        """Until the children are on their own."""
        select.select([self.alive], [], [])
        assert os.read(self.alive, 9) == b"!"

    def is_over(self) -> bool:
        """Whether nobody holds the pipe any more."""
        try:
            while os.read(self.alive, 9):
                pass
        except BlockingIOError:
            return False
        return True


@contextmanager
def getaway(folder: Path, backend: Backend, *, then: str) -> Generator[Getaway]:
    """A program that leaves children behind; `then` it goes, or has to `stay`."""
    os.mkfifo(folder / "alive")
    alive = os.open(folder / "alive", os.O_RDONLY | os.O_NONBLOCK)
    try:
        yield Getaway(
            start(python_order(_GETTING_AWAY, then, folder=folder), backend), alive
        )
    finally:
        os.close(alive)
        os.unlink(folder / "alive")
