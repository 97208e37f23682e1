"""For the tests of those who build on metier: a file system in memory, and skills.

>>> from metier.testing import MemoryFileSystem, make_skill
>>> files = MemoryFileSystem({
...     "/proj/.agents/skills/pdf/SKILL.md": make_skill("pdf", "Fills PDF forms"),
... })
>>> import metier
>>> skills = metier.discover(cwd="/proj", home="/home", filesystem=files)
>>> skills.names
('pdf',)
"""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from posixpath import dirname, join, normpath

from metier.core.selection import Links
from metier.core.tree import EntryKind, Part, Tree, build_tree
from metier.core.trust import Stamp
from metier.world.filesystem import Entry, Kind, Mark, NotAFile, Reading

_MAX_LINKS = 40  # as Linux


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link to `target`."""

    target: str


@dataclass(frozen=True, slots=True)
class Special:
    """A FIFO, socket or device: there, but no file."""


Content = str | bytes | Link | Special


class MemoryFileSystem:
    """A tree of files by absolute path; folders are there where files need them.

    `reads` and `listings` record what was opened and listed, in order.
    """

    def __init__(self, files: Mapping[str, Content] | None = None) -> None:
        self._files: dict[str, Content] = {}
        self._folders: dict[str, int] = {"/": 1}
        self._marks: dict[str, int] = {}
        self._writes = 0
        self.reads: list[str] = []
        self.listings: list[str] = []
        for path, content in (files or {}).items():
            self.write(path, content)

    def write(self, path: str, content: Content) -> None:
        """Put a file, a link or something special at `path`."""
        self._files[normpath(path)] = content
        self._writes += 1
        self._marks[normpath(path)] = self._writes
        self.make_folder(dirname(normpath(path)))

    def make_folder(self, path: str) -> None:
        """Make a folder, and those above it."""
        path = normpath(path)
        while path not in self._folders:
            self._folders[path] = len(self._folders) + 1
            path = dirname(path)

    def remove(self, path: str) -> None:
        """Take a file or a link away."""
        del self._files[normpath(path)]

    def list_folder(self, path: str) -> list[Entry]:
        self.listings.append(path)
        real = self._resolve(path)
        if real not in self._folders:
            raise _error(
                errno.ENOENT if real not in self._files else errno.ENOTDIR, path
            )
        names = {p for p in (*self._files, *self._folders) if dirname(p) == real}
        names.discard("/")
        return sorted((self._entry(p) for p in names), key=lambda entry: entry[0])

    def read_file(self, path: str, limit: int, links: Links) -> Reading:
        self.reads.append(path)
        if links is Links.IGNORE and self.is_link(path):
            raise _error(errno.ELOOP, path)
        real = self._resolve(path)
        if real in self._folders:
            raise _error(errno.EISDIR, path)
        content = self._files.get(real)
        if content is None:
            raise _error(errno.ENOENT, path)
        if isinstance(content, (Special, Link)):
            raise NotAFile(f"not a regular file: {path}")
        data = content.encode() if isinstance(content, str) else content
        return Reading(data[:limit], len(data))

    def read_below(self, folder: str, path: str, limit: int) -> Reading:
        tree = self.read_tree(folder, self.stamp(folder))
        real, data = tree.resolve(path), tree.read(path)
        self.reads.append(f"{folder}/{path}")
        if real is None:
            raise _error(errno.EXDEV, path)
        if data is not None:
            return Reading(data[:limit], len(data))
        if any(entry.path == real for entry in tree.entries):
            raise NotAFile(f"not a regular file: {path}")
        raise _error(errno.ENOENT, path)

    def is_directory(self, path: str) -> bool:
        try:
            return self._resolve(path) in self._folders
        except OSError:
            return False

    def is_link(self, path: str) -> bool:
        folder, _, name = normpath(path).rpartition("/")
        try:
            return isinstance(self._files.get(join(self._resolve(folder), name)), Link)
        except OSError:
            return False

    def exists(self, path: str) -> bool:
        try:
            real = self._resolve(path)
        except OSError:
            return False
        return real in self._folders or real in self._files

    def identity(self, path: str) -> tuple[int, int]:
        real = self._resolve(path)
        if real in self._folders:
            return 1, self._folders[real]
        if real in self._files:
            return 1, -1 - list(self._files).index(real)
        raise _error(errno.ENOENT, path)

    def count_names(self, path: str) -> int:
        self.identity(path)
        return 1

    def mark(self, path: str) -> Mark:
        real = self._resolve(path)
        content = self._files.get(real)
        size = len(content) if isinstance(content, (str, bytes)) else 0
        _, inode = self.identity(real)
        return self._marks.get(real, 0), size, inode

    def stamp(self, path: str) -> Stamp:
        real = self._resolve(path)
        return Stamp(real, *self.identity(real), owner=0)

    def read_tree(self, path: str, within: Stamp, only: str | None = None) -> Tree:
        real = self._resolve(path)
        top = within.path.rstrip("/")
        if self.stamp(within.path) != within:
            raise _error(errno.ESTALE, within.path)
        if real != within.path and not real.startswith(f"{top}/"):
            raise _error(errno.EXDEV, path)
        if real not in self._folders:
            raise _error(errno.ENOTDIR, path)
        below = real.rstrip("/") + "/"
        names = [*self._files, *self._folders]
        inside = [name for name in names if name.startswith(below) and name != below]
        if only is not None:
            inside = [name for name in inside if name == below + only]
        if only is not None and not inside:
            raise _error(errno.ENOENT, path)
        return build_tree(self._part(name, name[len(below) :]) for name in inside)

    def _part(self, path: str, name: str) -> Part:
        if path in self._folders:
            return Part(name, EntryKind.FOLDER)
        match self._files[path]:
            case Link(target):
                return Part(name, EntryKind.LINK, target.encode())
            case Special():
                return Part(name, EntryKind.SPECIAL)
            case str(text):
                return Part(name, EntryKind.FILE, text.encode())
            case data:
                return Part(name, EntryKind.FILE, data)

    def _entry(self, path: str) -> Entry:
        name = path.rpartition("/")[2]
        if path in self._folders:
            return name, Kind.FOLDER, self._folders[path]
        content = self._files[path]
        if isinstance(content, Link):
            return name, Kind.LINK, 0
        return name, Kind.OTHER if isinstance(content, Special) else Kind.FILE, 0

    def _resolve(self, path: str) -> str:
        done, left, followed = "/", path.split("/"), 0
        while left:
            step = left.pop(0)
            if step and done not in self._folders:
                number = errno.ENOTDIR if done in self._files else errno.ENOENT
                raise _error(number, path)
            here = normpath(join(done, step))
            content = self._files.get(here)
            if isinstance(content, Link):
                followed += 1
                if followed > _MAX_LINKS:
                    raise _error(errno.ELOOP, path)
                left = [*content.target.split("/"), *left]
                done = "/" if content.target.startswith("/") else done
                continue
            done = here
        return done


def _error(number: int, path: str) -> OSError:
    return OSError(number, os.strerror(number), path)


def make_skill(
    name: str,
    description: str,
    *,
    body: str = "Do it.\n",
    fields: Mapping[str, object] | None = None,
) -> str:
    """The text of a valid SKILL.md; values of `fields` are written as JSON."""
    values = {"name": name, "description": description, **(fields or {})}
    lines = (f"{key}: {_quote(value)}" for key, value in values.items())
    return "\n".join(("---", *lines, "---", "", body))


# JSON leaves them as they are; YAML refuses them, or reads them as line ends.
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")


def _quote(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
