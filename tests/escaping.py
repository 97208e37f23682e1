"""A machine in which somebody tries to get out: what there is to reach."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metier.core.execution import Backend, Confinement, Limits, Network, Order
from metier.world.processes import Jail, Run
from metier.world.programs import find_program
from metier.world.sandboxes import build_jail
from tests.hostile import escapes

SECRET = "swordfish-in-the-environment"
LIMITS = Limits(
    seconds=60,
    memory=1024 * 1024 * 1024,
    file_size=1024 * 1024,
    open_files=64,
    processes=20,
)


_FILES = ("file", "doomed", "named")


@dataclass(frozen=True)
class Prison:
    """Folders, sockets and a process that nobody in a sandbox may get at."""

    top: Path
    targets: Mapping[str, Any]

    def order(self, *argv: str, network: Network = Network.NONE) -> Order:
        """A Python program in the sandbox, with a folder to write to."""
        python = find_program(("python3",), ("/usr/bin", "/bin"), None)
        assert python is not None
        (self.top / "scratch").mkdir(exist_ok=True)
        return Order(
            program=python.path,
            argv=(python.path, "-I", *argv),
            environment={"PATH": "/usr/bin:/bin"},
            cwd=str(self.top / "scratch"),
            limits=LIMITS,
            confinement=Confinement(
                readable=(
                    *python.readable,
                    str(self.top / "project"),
                    str(self.top / "skill"),
                ),
                writable=(str(self.top / "scratch"),),
                network=network,
            ),
        )

    def try_all(
        self, backend: Backend, alter: Callable[[Jail], Jail] | None = None
    ) -> dict[str, str]:
        """What came of every way out."""
        script = self.top / "skill" / "escapes.py"
        order = self.order(str(script), json.dumps(dict(self.targets)))
        jail = build_jail(order, backend)
        outcome = Run(order, alter(jail) if alter else jail).finish()
        shutil.rmtree(self.top / "scratch")
        assert outcome.exit_code == 0, outcome
        return json.loads(outcome.stdout)


@contextmanager
def prison(top: Path) -> Generator[Prison]:
    """The prison, its sockets and its victim, for as long as it lasts."""
    for name in ("home", "outside", "project", "skill"):
        (top / name).mkdir(parents=True)
    for name in ("home/secret", "outside/secret", "outside/movable"):
        (top / name).write_text(SECRET)
    (top / "home" / "program").write_text("#!/bin/sh\n")
    (top / "home" / "program").chmod(0o755)
    for name in ("outside/changed", *(f"project/{n}" for n in _FILES)):
        (top / name).write_text("x")
    shutil.copy(escapes.__file__, top / "skill")
    name = f"metier-{os.getpid()}"
    with ExitStack() as stack:
        port = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        for address in (str(top / "outside" / "socket"), f"\0{name}"):
            server = stack.enter_context(socket.socket(socket.AF_UNIX))
            server.bind(address)
            server.listen()
        victim = stack.enter_context(_victim(top / "outside"))
        targets = {
            "home": str(top / "home"),
            "outside": str(top / "outside"),
            "project": str(top / "project"),
            "port": port.getsockname()[1],
            "name": name,
            "victim": victim,
            "starter": os.getpid(),
            "secret": SECRET,
            "processes": 2 * LIMITS.processes,
            "memory": 2 * LIMITS.memory,
            "file_size": 2 * LIMITS.file_size,
            "open_files": 2 * LIMITS.open_files,
        }
        yield Prison(top, targets)


@contextmanager
def _victim(folder: Path) -> Generator[int]:
    """A process that has a secret in its environment, and does nothing."""
    program = "print('ready', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=folder,
        env={"TOKEN": SECRET},
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield process.pid
        finally:
            process.kill()
