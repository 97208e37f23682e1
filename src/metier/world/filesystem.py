"""Reading files and folders so that no file can hang, flood or fool the reader.

Files are opened without blocking and without following a link that was not
expected; only regular files are read, and never more of them than was asked for.
"""

from __future__ import annotations

import errno
import os
import stat
from enum import Enum
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, Protocol

from metier.core.selection import Links

if TYPE_CHECKING:
    from metier.core.tree import Tree
    from metier.core.trust import Stamp


class Kind(Enum):
    """What an entry of a folder is, before any link is followed."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    OTHER = "other"


# Name, kind and inode of one entry of a folder; a bare tuple, as a scan makes one for
# every file that there is.
Entry = tuple[str, Kind, int]


# When a file was written, in nanoseconds, how many bytes it has, and its inode.
Mark = tuple[int, int, int]


class Reading(NamedTuple):
    """The first bytes of a file, and how many it has."""

    data: bytes
    size: int


class NotAFile(OSError):
    """There is something of that name, but it is no regular file."""


# What a socket, and a pipe or a terminal, answer to a reader.
_NO_FILE = frozenset((errno.ENXIO, errno.EAGAIN, errno.ESPIPE))


def is_special(error: OSError) -> bool:
    """Whether it was a pipe, a socket or a device that nobody opens."""
    return isinstance(error, NotAFile) or error.errno in _NO_FILE


def reason_of(error: OSError) -> str:
    """Why something could not be read, in words that go into a sentence."""
    if is_special(error):
        return "not a regular file"
    return (error.strerror or str(error)).lower()


class FileSystem(Protocol):
    """What metier asks of a file system; `metier.testing` has one in memory."""

    def list_folder(self, path: str) -> list[Entry]:
        """The entries of a folder, sorted by name; OSError where it has none."""
        ...

    def read_file(self, path: str, limit: int, links: Links) -> Reading:
        """Up to `limit` bytes of a regular file; OSError, or `NotAFile`."""
        ...

    def read_below(self, folder: str, path: str, limit: int) -> Reading:
        """The same of a file below `folder`; no link may lead out of it."""
        ...

    def is_directory(self, path: str) -> bool:
        """Whether `path` leads to a folder, following links."""
        ...

    def is_link(self, path: str) -> bool:
        """Whether `path` is itself a symbolic link."""
        ...

    def exists(self, path: str) -> bool:
        """Whether `path` leads anywhere."""
        ...

    def identity(self, path: str) -> tuple[int, int]:
        """Device and inode of what `path` leads to; OSError where nowhere."""
        ...

    def count_names(self, path: str) -> int:
        """How many names the file has that `path` leads to; OSError where nowhere."""
        ...

    def mark(self, path: str) -> Mark:
        """What is another one when the file at `path` was written; OSError."""
        ...

    def stamp(self, path: str) -> Stamp:
        """Which folder `path` leads to, and whose it is; OSError where nowhere."""
        ...

    def read_tree(self, path: str, within: Stamp, only: str | None = None) -> Tree:
        """All that a folder holds, or its file `only`; OSError, or out of `within`."""
        ...


_PLAIN = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
_THROUGH = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


class DiskFileSystem:
    """The real one."""

    __slots__ = ()

    def list_folder(self, path: str) -> list[Entry]:
        with os.scandir(path) as entries:
            listed = [
                (
                    each.name,
                    _FILE if each.is_file(follow_symlinks=False) else _kind_of(each),
                    each.inode(),
                )
                for each in entries
            ]
        if len(listed) > 1:
            listed.sort(key=_NAME)
        return listed

    def read_file(self, path: str, limit: int, links: Links) -> Reading:
        descriptor = os.open(path, _PLAIN if links is Links.IGNORE else _THROUGH)
        try:
            # `pread`, as it takes nothing out of a pipe or a terminal: it fails there.
            data = os.pread(descriptor, limit, 0)
            size = len(data)
            # Nothing to read, or more than asked for: what is it? A FIFO that was
            # opened without blocking gives nothing, a device never ends.
            if size in (0, limit):
                return _examined(descriptor, data, limit, path)
            return Reading(data, size)
        finally:
            os.close(descriptor)

    def read_below(self, folder: str, path: str, limit: int) -> Reading:
        from metier.world.contained import read_below

        return read_below(folder, path, limit)

    def is_directory(self, path: str) -> bool:
        return os.path.isdir(path)

    def is_link(self, path: str) -> bool:
        return os.path.islink(path)

    def exists(self, path: str) -> bool:
        return os.path.exists(path)

    def identity(self, path: str) -> tuple[int, int]:
        found = os.stat(path)
        return found.st_dev, found.st_ino

    def count_names(self, path: str) -> int:
        found = os.stat(path)
        return found.st_nlink if stat.S_ISREG(found.st_mode) else 1

    def mark(self, path: str) -> Mark:
        found = os.stat(path)
        return found.st_mtime_ns, found.st_size, found.st_ino

    def stamp(self, path: str) -> Stamp:
        from metier.world.trees import stamp_of

        return stamp_of(path)

    def read_tree(self, path: str, within: Stamp, only: str | None = None) -> Tree:
        from metier.world.trees import read_tree

        return read_tree(path, within=within, only=only)


def read_linked(files: FileSystem, path: str, limit: int, links: Links) -> Reading:
    """`files.read_file`; where links are contained, none leads out of the folder."""
    if links is not Links.CONTAINED:
        return files.read_file(path, limit, links)
    if not files.is_link(path):
        return files.read_file(path, limit, Links.IGNORE)
    folder, _, name = path.rpartition("/")
    return files.read_below(folder or "/", name, limit)


_NAME = itemgetter(0)
_FILE = Kind.FILE


def _kind_of(entry: os.DirEntry[str]) -> Kind:
    """The kind of what is no plain file."""
    if entry.is_dir(follow_symlinks=False):
        return Kind.FOLDER
    return Kind.LINK if entry.is_symlink() else Kind.OTHER


def _examined(descriptor: int, data: bytes, limit: int, path: str) -> Reading:
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        raise NotAFile(f"not a regular file: {path}")
    # One call may give less than was asked for.
    while len(data) < min(limit, found.st_size):
        more = os.pread(descriptor, limit - len(data), len(data))
        if not more:
            break
        data += more
    return Reading(data, max(found.st_size, len(data)))
