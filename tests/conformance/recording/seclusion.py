"""A place without a network: the loopback and nothing else."""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct
from pathlib import Path

_NEW_USER, _NEW_NET = 0x10000000, 0x40000000
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 0x1


def leave_the_network() -> None:
    """Move this process, and all it starts from here, to where there is only loopback.

    Only while it has one thread. `OSError` where the system does not allow it: then no
    agent is run.
    """
    user, group = os.getuid(), os.getgid()
    flags = _NEW_NET if user == 0 else _NEW_USER | _NEW_NET
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(flags):
        code = ctypes.get_errno()
        raise OSError(code, f"no network namespace: {os.strerror(code)}")
    if user:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    _raise_loopback()


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        request = struct.pack("16sH14x", b"lo", 0)
        answer = fcntl.ioctl(asked, _GET_FLAGS, request)
        flags = struct.unpack("16sH14x", answer)[1]
        fcntl.ioctl(asked, _SET_FLAGS, struct.pack("16sH14x", b"lo", flags | _UP))
