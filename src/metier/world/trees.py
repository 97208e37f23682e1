"""A folder read whole, through descriptors, so that no link leads out of it.

Each step of a path is opened below the descriptor of the one before, and never through
a link: whoever swaps a folder for a link while it is read gets an error, not a file
from elsewhere. What was read is in memory; nothing is opened a second time.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager

from metier.core.tree import EntryKind, Part, Tree, build_tree
from metier.core.trust import Stamp

# The largest of 4,156 real skills has 194 files, 5.6 MB in all and 5 levels.
MAX_TREE_ENTRIES = 10_000
MAX_TREE_DEPTH = 16
MAX_TREE_FILE = 16 * 1024 * 1024
MAX_TREE_BYTES = 64 * 1024 * 1024

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class TreeTooLarge(OSError):
    """The folder holds more than a skill can have."""


class OutOfBounds(OSError):
    """The path leads out of the folder in which it has to stay."""


def stamp_of(path: str) -> Stamp:
    """The stamp of the folder that `path` leads to; OSError where there is none."""
    real = os.path.realpath(path, strict=True)
    found = os.stat(real, follow_symlinks=False)
    return Stamp(real, found.st_dev, found.st_ino, found.st_uid)


def read_tree(path: str, *, within: Stamp, only: str | None = None) -> Tree:
    """All that the folder at `path` holds, or its file `only`.

    OSError where `within` is not what it was, and where `path` leads out of it.
    """
    with _opened(path, within) as folder:
        reader = _Reader()
        if only is None:
            reader.read_folder(folder, "", depth=0)
        else:
            reader.read_entry(folder, only, "", depth=0)
    return build_tree(reader.parts)


@contextmanager
def _opened(path: str, within: Stamp) -> Generator[int]:
    """A descriptor of the folder at `path`, reached from `within` without a link."""
    top = os.open(within.path, _FOLDER)
    try:
        found = os.fstat(top)
        if (found.st_dev, found.st_ino, found.st_uid) != within[1:]:
            raise OSError(errno.ESTALE, "the folder is another one now", within.path)
        descriptor = _open_below(top, path, within.path)
        try:
            yield descriptor
        finally:
            os.close(descriptor)
    finally:
        os.close(top)


def _open_below(top: int, path: str, top_path: str) -> int:
    try:
        return _walk_down(top, _steps_below(path, top_path))
    except OSError as error:
        if error.errno not in _LINKED:
            raise
    # There are links on the way: allowed, if they lead to something inside.
    real = os.path.realpath(path, strict=True)
    return _walk_down(top, _steps_below(real, top_path))


# What a link on the way is answered with; the last one is our own.
_LINKED = (errno.ELOOP, errno.ENOTDIR, errno.EXDEV)


def _walk_down(top: int, steps: list[str]) -> int:
    descriptor = os.dup(top)
    try:
        for step in steps:
            above, descriptor = descriptor, os.open(step, _FOLDER, dir_fd=descriptor)
            os.close(above)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _steps_below(path: str, top: str) -> list[str]:
    if path == top:
        return []
    inside = top.rstrip("/") + "/"
    steps = path.removeprefix(inside).split("/")
    if not path.startswith(inside) or ".." in steps:
        raise OutOfBounds(errno.EXDEV, "the folder leads out of the workspace", path)
    return [step for step in steps if step not in ("", ".")]


class _Reader:
    """Collects the parts, and stops at the bounds."""

    __slots__ = ("entries", "parts", "size")

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.entries = 0
        self.size = 0

    def read_folder(self, folder: int, below: str, *, depth: int) -> None:
        if depth > MAX_TREE_DEPTH:
            raise _too_large(f"folders nest deeper than {MAX_TREE_DEPTH}", below)
        for name in os.listdir(folder):
            self.read_entry(folder, name, below, depth=depth)

    def read_entry(self, folder: int, name: str, below: str, *, depth: int) -> None:
        self.entries += 1
        if self.entries > MAX_TREE_ENTRIES:
            raise _too_large(f"more than {MAX_TREE_ENTRIES:,} files", below)
        path = f"{below}{name}"
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        if stat.S_ISREG(mode):
            self._read_file(folder, name, path)
        elif stat.S_ISDIR(mode):
            self.parts.append(Part(path, EntryKind.FOLDER))
            inner = os.open(name, _FOLDER, dir_fd=folder)
            try:
                self.read_folder(inner, f"{path}/", depth=depth + 1)
            finally:
                os.close(inner)
        elif stat.S_ISLNK(mode):
            target = os.fsencode(os.readlink(name, dir_fd=folder))
            self.parts.append(Part(path, EntryKind.LINK, target))
        else:
            self.parts.append(Part(path, EntryKind.SPECIAL))

    def _read_file(self, folder: int, name: str, path: str) -> None:
        descriptor = os.open(name, _FILE, dir_fd=folder)
        try:
            mode = os.fstat(descriptor).st_mode
            if not stat.S_ISREG(mode):
                raise OSError(errno.ESTALE, "the file changed while it was read", path)
            data = self._read_bytes(descriptor, path)
        finally:
            os.close(descriptor)
        self.parts.append(Part(path, _kind_of(mode), data))

    def _read_bytes(self, descriptor: int, path: str) -> bytes:
        limit = min(MAX_TREE_FILE, MAX_TREE_BYTES - self.size)
        chunks: list[bytes] = []
        read = 0
        while chunk := os.read(descriptor, min(_CHUNK, limit + 1 - read)):
            chunks.append(chunk)
            read += len(chunk)
            if read > limit:
                raise _too_large(self._bound(), path)
        self.size += read
        return b"".join(chunks)

    def _bound(self) -> str:
        if MAX_TREE_BYTES - self.size < MAX_TREE_FILE:
            return f"more than {MAX_TREE_BYTES:,} bytes"
        return f"a file of more than {MAX_TREE_FILE:,} bytes"


_CHUNK = 1024 * 1024


def _kind_of(mode: int) -> EntryKind:
    if mode & (stat.S_ISUID | stat.S_ISGID):
        return EntryKind.PRIVILEGED
    if mode & (stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH):
        return EntryKind.PROGRAM
    return EntryKind.FILE


def _too_large(reason: str, path: str) -> TreeTooLarge:
    return TreeTooLarge(errno.EFBIG, reason, path)
