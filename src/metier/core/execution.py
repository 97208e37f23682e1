"""What a program may do that is run for a skill, as values."""

from __future__ import annotations

from dataclasses import field
from enum import Enum

from metier.core.record import record


class Sandbox(Enum):
    """What is asked of a sandbox."""

    REQUIRED = "required"  # where there is none, nothing is run
    PREFERRED = "preferred"  # the first one that works, or else none
    NONE = "none"


class Backend(Enum):
    """What holds a program in."""

    LANDLOCK = "landlock"  # Linux itself: Landlock for files, seccomp for the rest
    BUBBLEWRAP = "bubblewrap"  # the program `bwrap`: namespaces, and seccomp too
    NONE = "none"


class Network(Enum):
    """Which sockets a program may open; a pair of its own it always may."""

    NONE = "none"
    LOCAL = "local"  # those to other programs of this machine, by a path
    ALL = "all"  # and TCP and UDP


class Reach(Enum):
    """What a program may do with the files of the project."""

    NONE = "none"
    READ = "read"
    WRITE = "write"


@record
class Limits:
    """How much a program may use; one that goes on for longer is ended.

    Sizes count bytes. `memory` holds for each process, `output` for each of stdout and
    stderr, and for each file that is put in; `total_seconds`, `commands` and `files`
    are for all that one body asks for.
    """

    # A call of a tool that takes longer is one that somebody waits for in vain.
    seconds: float = 30.0
    total_seconds: float = 120.0
    # Python with NumPy needs 1 GiB of addresses, and Node 600 MiB.
    memory: int = 4 * 1024 * 1024 * 1024
    file_size: int = 64 * 1024 * 1024
    open_files: int = 256
    # Threads count: Node has 11 of them.
    processes: int = 128
    output: int = 1024 * 1024
    commands: int = 32
    files: int = 32


@record
class Confinement:
    """What a program sees of the machine: all else is out of its reach.

    `readable` may be run, too; `writable` is more than that.
    """

    readable: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()
    network: Network = Network.NONE


@record
class Order:
    """A program that is to be run, and how; `program` is the path of `argv[0]`."""

    program: str
    argv: tuple[str, ...]
    environment: dict[str, str] = field(repr=False)
    cwd: str
    stdin: bytes = b""
    limits: Limits = field(default_factory=Limits)
    confinement: Confinement = field(default_factory=Confinement)


@record
class Ending:
    """What became of a program: how it ended, what it said, and what held it.

    A program that was killed has no `exit_code` but a `signal`.
    """

    exit_code: int | None
    signal: int | None
    stdout: bytes
    stderr: bytes
    stdout_is_cut: bool
    stderr_is_cut: bool
    seconds: float
    timed_out: bool
    backend: Backend
