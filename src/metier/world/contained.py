"""The one reader of what lies below a folder: no path and no link leads out of it.

Linux opens a path below a descriptor by itself (`openat2`). Elsewhere each step is
opened below the one before, never through a link; where a link stands, its target is
walked in the same way. Either way the answer is a descriptor, and what is read is what
was opened: whoever swaps something in between gets an error.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

from metier.core.tree import MAX_LINKS
from metier.world.filesystem import NotAFile, Reading

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_CHUNK = 1024 * 1024

Opener = Callable[[int, str], int]


def read_below(
    folder: str, path: str, limit: int, *, opener: Opener | None = None
) -> Reading:
    """Up to `limit` bytes of the regular file at `path` below `folder`.

    OSError with EXDEV where it leads out, `NotAFile` for what is no regular file. The
    folder itself may be reached through links: they are the affair of who named it.
    """
    if path.startswith("/"):
        raise _outside(path)
    if "\0" in path:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), path)
    top = os.open(folder, _FOLDER)
    try:
        descriptor = (opener or find_opener())(top, path)
    finally:
        os.close(top)
    try:
        return _read_regular(descriptor, path, limit)
    finally:
        os.close(descriptor)


def _read_regular(descriptor: int, path: str, limit: int) -> Reading:
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        raise NotAFile(f"not a regular file: {path}")
    data = bytearray()
    while chunk := os.read(descriptor, min(_CHUNK, limit - len(data))):
        data += chunk
    return Reading(bytes(data), max(found.st_size, len(data)))


@cache
def find_opener() -> Opener:
    """The best way that this machine has."""
    try:
        here = os.open("/", _FOLDER)
        try:
            os.close(_open_by_kernel(here, "."))
        finally:
            os.close(here)
    except OSError:
        return open_by_steps
    return open_below


def open_below(top: int, path: str) -> int:
    """A descriptor of what `path` names below `top`, by the kernel."""
    try:
        return _open_by_kernel(top, path)
    except OSError as error:
        # Something was renamed just then, and the kernel is not sure.
        if error.errno != errno.EAGAIN:
            raise
        return open_by_steps(top, path)


# --- openat2 ------------------------------------------------------------------------

# Calls that are this young have one number on all machines but the oldest.
_OPENAT2 = 437
_SAME_NUMBERS = frozenset(
    "x86_64 aarch64 armv7l armv8l i686 riscv64 ppc64le s390x loongarch64".split()
)
_NO_MAGIC_LINKS = 0x02
_BENEATH = 0x08


def _open_by_kernel(top: int, path: str) -> int:
    if sys.platform != "linux" or os.uname().machine not in _SAME_NUMBERS:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    import ctypes

    how = (ctypes.c_uint64 * 3)(_FILE, 0, _BENEATH | _NO_MAGIC_LINKS)
    size = ctypes.c_size_t(ctypes.sizeof(how))
    name = ctypes.c_char_p(os.fsencode(path))
    opened = _syscall()(
        ctypes.c_long(_OPENAT2), ctypes.c_int(top), name, ctypes.byref(how), size
    )
    if opened < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), path)
    return opened


@cache
def _syscall() -> Any:
    import ctypes

    call = ctypes.CDLL(None, use_errno=True).syscall
    call.restype = ctypes.c_long
    return call


# --- step by step -------------------------------------------------------------------


def open_by_steps(top: int, path: str) -> int:
    """The same, where the kernel has no such call."""
    walk = _Walk(top)
    try:
        return walk.open(path)
    finally:
        walk.close()


class _Walk:
    """The folders from the top to where we are, each held open.

    `..` is the folder before in this list, whatever it has been renamed to since.
    """

    def __init__(self, top: int) -> None:
        self._top = top
        self._opened: list[int] = []
        self._links = 0

    def close(self) -> None:
        while self._opened:
            os.close(self._opened.pop())

    def open(self, path: str) -> int:
        left = path.split("/")
        while left:
            step = left.pop(0)
            if step in ("", "."):
                continue
            if step == "..":
                self._leave(path)
                continue
            here = self._opened[-1] if self._opened else self._top
            target = _link_at(here, step)
            if target is not None:
                left = [*self._steps_of(target, path), *left]
            elif any(each not in ("", ".") for each in left):
                # Behind a step with more to come there has to be a folder.
                self._opened.append(_open_step(here, step, _FOLDER))
            else:
                return _open_step(here, step, _FOLDER if left else _FILE)
        here = self._opened[-1] if self._opened else self._top
        return os.open(".", _FOLDER, dir_fd=here)

    def _leave(self, path: str) -> None:
        if not self._opened:
            raise _outside(path)
        os.close(self._opened.pop())

    def _steps_of(self, target: str, path: str) -> list[str]:
        self._links += 1
        if self._links > MAX_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
        if target.startswith("/"):
            raise _outside(path)
        return target.split("/")


def _link_at(folder: int, name: str) -> str | None:
    try:
        return os.readlink(name, dir_fd=folder)
    except OSError as error:
        if error.errno == errno.EINVAL:  # there is something, and it is no link
            return None
        raise


def _open_step(folder: int, name: str, flags: int) -> int:
    return os.open(name, flags | os.O_NOFOLLOW, dir_fd=folder)


def _outside(path: str) -> OSError:
    return OSError(errno.EXDEV, os.strerror(errno.EXDEV), path)
