"""The rules under which Linux keeps a program away from files, ports and signals."""

from __future__ import annotations

import sys
from functools import cache
from typing import NamedTuple

from metier.core.execution import Confinement, Network
from metier.world.visibility import (
    DEVICES,
    FACTS,
    SETTINGS,
    SETTINGS_FOLDERS,
    SYSTEM,
)

# Before this one a program could signal every other process of its user, and connect
# to sockets that have a name and no path.
OLDEST_VERSION = 6

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_EVERY_FILE_RIGHT = (1 << 16) - 1
_MAKE_CHARACTER_DEVICE, _MAKE_BLOCK_DEVICE, _CONTROL_DEVICE = 1 << 6, 1 << 11, 1 << 15
_BIND_AND_CONNECT = 1 | 2
_ABSTRACT_SOCKETS_AND_SIGNALS = 1 | 2

READ = _EXECUTE | _READ_FILE | _READ_DIR
WRITE = _EVERY_FILE_RIGHT & ~(
    _MAKE_CHARACTER_DEVICE | _MAKE_BLOCK_DEVICE | _CONTROL_DEVICE
)
DEVICE = _READ_FILE | _WRITE_FILE


class Ruleset(NamedTuple):
    """What is forbidden (files, ports, scopes), and to which paths what is allowed."""

    handled: tuple[int, int, int]
    rules: tuple[tuple[str, int], ...]


@cache
def find_version() -> int:
    """The version of Landlock that this kernel has; 0 where it has none."""
    if sys.platform != "linux":
        return 0
    import ctypes

    call = ctypes.CDLL(None, use_errno=True).syscall
    call.restype = ctypes.c_long
    # No ruleset but the question for the version.
    return max(0, call(ctypes.c_long(444), None, ctypes.c_size_t(0), ctypes.c_uint(1)))


def build_ruleset(confinement: Confinement) -> Ruleset:
    """The rules for a program that is confined like this."""
    rules = [(path, READ) for path in (*SYSTEM, *confinement.readable)]
    rules += [(path, _READ_FILE) for path in (*SETTINGS, *FACTS)]
    rules += [(path, READ) for path in SETTINGS_FOLDERS]
    rules += [(path, DEVICE) for path in DEVICES]
    rules += [(path, WRITE) for path in confinement.writable]
    ports = 0 if confinement.network is Network.ALL else _BIND_AND_CONNECT
    handled = (_EVERY_FILE_RIGHT, ports, _ABSTRACT_SOCKETS_AND_SIGNALS)
    return Ruleset(handled, tuple(rules))
