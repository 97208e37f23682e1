"""The program `bwrap` as a sandbox: what is put in front of a command."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from functools import cache
from shutil import which

from metier.core.execution import Confinement, Network, Order
from metier.world.visibility import FACTS, SETTINGS, SETTINGS_FOLDERS, SYSTEM

# With the rights that root keeps under Landlock as well.
_KEPT = ("CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID")
_PROBE_SECONDS = 5


@cache
def find_bubblewrap() -> str | None:
    """The path of a `bwrap` that works on this machine."""
    path = which("bwrap")
    if path is None:
        return None
    probe = [path, "--unshare-all", *_binds(Confinement()), "--", "/bin/true"]
    try:
        done = subprocess.run(
            probe, capture_output=True, timeout=_PROBE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return path if done.returncode == 0 else None


def build_prefix(path: str, order: Order) -> tuple[str, ...]:
    """What stands in front of the program of `order`.

    `{filter}` stands for the descriptor from which the filter for seccomp is read.
    """
    network = order.confinement.network
    sharing = ["--share-net"] if network is Network.ALL else []
    kept = [word for each in _KEPT for word in ("--cap-add", each)]
    words = [
        *(path, "--unshare-all", *sharing, "--die-with-parent", "--new-session"),
        *("--cap-drop", "ALL", *(kept if os.geteuid() == 0 else [])),
        *_binds(order.confinement),
        *("--chdir", order.cwd),
    ]
    return (*(_literal(each) for each in words), "--seccomp", "{filter}", "--")


def _literal(word: str) -> str:
    return word.replace("{", "{{").replace("}", "}}")


def _binds(confinement: Confinement) -> Iterator[str]:
    for path in SYSTEM:
        if os.path.islink(path):
            yield from ("--symlink", os.readlink(path), path)
        else:
            yield from ("--ro-bind-try", path, path)
    for path in (*SETTINGS, *SETTINGS_FOLDERS):
        yield from ("--ro-bind-try", path, path)
    yield from ("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp")  # noqa: S108
    # The settings of the kernel are the machine's, and those of root are writable.
    yield from ("--ro-bind-try", "/proc/sys", "/proc/sys")
    for path in FACTS:
        if path.startswith("/sys/"):
            yield from ("--ro-bind-try", path, path)
    for path in confinement.readable:
        yield from ("--ro-bind-try", path, path)
    for path in confinement.writable:
        yield from ("--bind-try", path, path)
