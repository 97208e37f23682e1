"""What lies where skills are looked for, without a byte of it being read.

Two sights are equal where no file was written, came or went. So they tell when to look
for skills again, and which folders to watch until then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from posixpath import dirname
from typing import NamedTuple

from metier.core.roots import Root, parents_of
from metier.core.selection import Links, Selection, is_skipped
from metier.world.filesystem import Entry, FileSystem, Kind
from metier.world.scan import MAX_ENTRIES, Identity


class Sought(NamedTuple):
    """The folders and files that decide about the skills, there or not."""

    roots: tuple[Root, ...]
    files: tuple[str, ...] = ()


class Sight(NamedTuple):
    """What each path is, None where it leads nowhere, and the folders to watch.

    A folder is to be watched by itself, not with what is below it.
    """

    marks: Mapping[str, tuple[int, ...] | None]
    folders: frozenset[str]


def look(
    filesystem: FileSystem, sought: Sought, selections: Mapping[str, Selection]
) -> Sight:
    """All that is where a scan would look, as it is now."""
    looker = _Looker(filesystem)
    for root in sought.roots:
        looker.look_below(root.path, selections[root.select])
    for path in sought.files:
        looker.look_at(path)
    return Sight(looker.marks, frozenset(looker.folders))


class _Looker:
    """One look: folders in the order in which they are met, each once for a root."""

    def __init__(self, filesystem: FileSystem) -> None:
        self.filesystem = filesystem
        self.marks: dict[str, tuple[int, ...] | None] = {}
        self.folders: set[str] = set()

    def look_at(self, path: str) -> None:
        """Look at one file, or at the place where it would be."""
        self.marks[path] = self._mark(path)
        self.folders.add(self._nearest(dirname(path)))

    def look_below(self, root: str, selection: Selection) -> None:
        entered: set[Identity] = set()
        pending = [(base, 0) for base in _bases(root, selection)]
        while pending and len(self.marks) < MAX_ENTRIES:
            folder, depth = pending.pop()
            inner = self._enter(folder, selection, entered)
            if depth < selection.max_depth:
                pending.extend((path, depth + 1) for path in inner)

    def _enter(
        self, folder: str, selection: Selection, entered: set[Identity]
    ) -> list[str]:
        """The folders in `folder`, whose files are looked at."""
        identity = self._identity(folder)
        self.marks[folder] = identity
        if identity is None:
            self.folders.add(self._nearest(dirname(folder)))
            return []
        if identity in entered:
            return []
        entered.add(identity)
        self.folders.add(folder)
        entries = (e for e in self._entries(folder) if not _skips(selection, e[0]))
        return [path for e in entries if (path := self._meet(folder, e, selection))]

    def _meet(self, folder: str, entry: Entry, selection: Selection) -> str | None:
        """The path of what may be entered; anything else is looked at."""
        name, kind, _ = entry
        path = f"{folder}/{name}"
        if kind is Kind.FOLDER:
            return path
        if kind is Kind.LINK and self.filesystem.is_directory(path):
            self.marks[path] = self._identity(path)
            return None if selection.directory_links is Links.IGNORE else path
        self.marks[path] = self._mark(path)
        if kind is Kind.LINK:
            self.folders.add(self._home_of(path))
        return None

    def _entries(self, folder: str) -> Iterable[Entry]:
        try:
            return self.filesystem.list_folder(folder)
        except OSError:
            return ()

    def _mark(self, path: str) -> tuple[int, ...] | None:
        try:
            return self.filesystem.mark(path)
        except OSError:
            return None

    def _identity(self, path: str) -> Identity | None:
        if not self.filesystem.is_directory(path):
            return None
        try:
            return self.filesystem.identity(path)
        except OSError:  # it went just now
            return None

    def _home_of(self, link: str) -> str:
        """The folder in which a write changes what a link to a file leads to."""
        try:
            return dirname(self.filesystem.stamp(link).path)
        except OSError:
            return dirname(link)

    def _nearest(self, folder: str) -> str:
        """The folder itself, or the first one above it that there is."""
        found = (each for each in parents_of(folder) if self._is_folder(each))
        return next(found, "/")

    def _is_folder(self, path: str) -> bool:
        return self.filesystem.is_directory(path)


def _bases(root: str, selection: Selection) -> Iterator[str]:
    for name in selection.under or ("",):
        yield f"{root}/{name}" if name else root


def _skips(selection: Selection, name: str) -> bool:
    return name not in selection.ignore_files and is_skipped(name, selection)
