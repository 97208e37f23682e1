"""The walk: which files under a root are skills, and their bytes.

One walker serves every dialect; a `Selection` says what it enters and takes. It
never follows a link to one of its own parents, opens nothing but regular files,
and counts what it has seen. Each file is handed on as soon as it is read, so that
a scan holds one file at a time.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Container, Iterator
from dataclasses import field
from posixpath import basename, dirname

from metier.core.record import record
from metier.core.roots import parents_of
from metier.core.selection import (
    Case,
    EntryOrder,
    FlatReach,
    HardLinks,
    Links,
    Nested,
    Paths,
    Pick,
    RootFile,
    RootName,
    Selection,
    Traversal,
    Visits,
    is_flat,
    is_skipped,
)
from metier.diagnostics import Diagnostic, Severity
from metier.world.bounds import base_of, is_below, surplus_of
from metier.world.filesystem import (
    Entry,
    FileSystem,
    Kind,
    NotAFile,
    Reading,
    read_linked,
)
from metier.world.findings import (
    describe_error,
    find_bar,
    finding,
    limit_finding,
    unreadable_folder,
)

# Enough for 100,000 skills with their files; a tree with more is not a skill tree.
MAX_ENTRIES = 1_000_000
# Links can make a small tree endless: two of them in each of 16 folders are 65,536
# paths. No real tree reaches this number of folders through links.
MAX_LINKED_FOLDERS = 10_000

Identity = tuple[int, int]


@record
class Walk:
    """One scan: what to take, and who is told what.

    `visit` is given the path, the name of the folder and the first bytes of each
    skill file; `fail` a path that should have been one; `note` everything else.
    `visited` may be shared by the scans of several roots. Where folders are known by
    their real paths, `links` are those below the root that a link led to.
    """

    filesystem: FileSystem
    selection: Selection
    head: int
    visit: Callable[[str, str, Reading], None]
    fail: Callable[[str, Diagnostic], None]
    note: Callable[[Diagnostic], None]
    visited: set[Identity] = field(default_factory=set[Identity])
    links: dict[str, str] = field(default_factory=dict[str, str])


def scan_root(root: str, walk: Walk) -> None:
    """Hand every skill file under `root` to `walk.visit`, in order of names."""
    try:
        _walker_of(walk).start(root)
    except LimitReached as limit:
        walk.note(limit_finding(str(limit), root))


def _walker_of(walk: Walk) -> Walker:
    if walk.selection.ignore_files:
        from metier.world.ignoring import IgnoringWalker

        return IgnoringWalker(walk)
    if walk.selection.traversal is Traversal.DEPTH_FIRST:
        return Walker(walk)
    from metier.world.breadth_first import LevelWalker

    return LevelWalker(walk)


class LimitReached(Exception):
    """The walk has seen enough."""


class Walker:
    """One walk, depth first; a subclass enters the folders in another order."""

    __slots__ = (
        "entries",
        "filesystem",
        "first_name",
        "link_depth",
        "linked",
        "parents",
        "root",
        "selection",
        "stops",
        "stops_at_root",
        "takes_root",
        "told",
        "visited",
        "walk",
    )

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.filesystem = walk.filesystem
        self.selection = walk.selection
        self.first_name = _only_name(walk.selection)
        is_shared = walk.selection.visits is not Visits.ONCE_IN_ROOT
        self.visited = walk.visited if is_shared else set[Identity]()
        self.parents: list[Identity] = []
        self.told: set[tuple[Identity, str]] = set()
        self.root = ""
        self.entries = 0
        self.linked = 0
        self.link_depth = 0
        self.stops = walk.selection.nested is Nested.STOP
        root_file = walk.selection.root_file
        self.stops_at_root = self.stops and root_file is RootFile.ONLY
        self.takes_root = self.stops_at_root or root_file in _AMONG_OTHERS

    def start(self, root: str) -> None:
        filesystem = self.filesystem
        if self.selection.paths is Paths.REAL_ROOT:
            root = filesystem.stamp(root).path
        self.root = root
        if self.selection.root_name is RootName.CHECKED and self._skips(basename(root)):
            return
        if self.selection.root_link is Links.IGNORE and filesystem.is_link(root):
            return
        if self.selection.inner:
            base = base_of(root, self.selection, self.filesystem)
            if base != root and not self._is_followed(base):
                return
            root = self.root = base
        is_only = self.selection.root_file is RootFile.ONLY and not self.stops_at_root
        if is_only and self._take_first(root):
            return
        # A link to a folder above the root would read the root again, and all beside.
        self.parents = [*self._identities_above(root)]
        if not self.selection.under:
            self._enter_through_link(root, 0)
            return
        bars: dict[str | None, Diagnostic] = {}
        for name in self.selection.under:
            folder = f"{root}/{name}"
            if filesystem.is_directory(folder):
                self._enter_through_link(folder, 0)
            elif bar := find_bar(folder, filesystem):
                bars[bar.path] = bar
        for bar in bars.values():
            self.walk.note(bar)

    def _is_followed(self, folder: str) -> bool:
        """Whether the agent goes where `folder` leads, which may be through a link."""
        if self.selection.directory_links is not Links.CONTAINED:
            return True
        if is_below(folder, self.root, self.filesystem):
            return True
        message = "a link that leads out of the root, which the agent passes over"
        self.walk.note(finding("link-ignored", message, folder))
        return False

    def _identities_above(self, root: str) -> Iterator[Identity]:
        for folder in parents_of(dirname(root)):
            try:
                yield self.filesystem.identity(folder)
            except OSError:
                continue

    def _enter_through_link(self, folder: str, depth: int) -> None:
        """Enter a folder whose identity the listing of its parent did not give."""
        try:
            identity = self.filesystem.identity(folder)
        except OSError as error:
            self._note_unreadable(folder, error)
            return
        if identity in self.parents:
            self._note_cycle(folder)
            return
        self._enter(self._known_as(folder), depth, identity)

    def _note_cycle(self, link: str) -> None:
        # In a mesh of links each of them is met again below all the others.
        known = (self.parents[-1], basename(link))
        if known not in self.told:
            self.told.add(known)
            message = "a link to one of its own parents"
            self.walk.note(finding("link-cycle", message, link))

    def _known_as(self, folder: str) -> str:
        """The path of a folder that may be a link, as the dialect tells it."""
        if self.selection.paths not in (Paths.REAL, Paths.REAL_FILE):
            return folder
        try:
            real = self.filesystem.stamp(folder).path
        except OSError:  # a link that leads nowhere, or a plain file
            return folder
        if folder not in (real, self.root):
            self.walk.links.setdefault(real, folder)
        return real

    def _name_of(self, folder: str) -> str:
        """The name that `folder` lends to a skill."""
        if self.selection.paths is Paths.REAL_FILE:
            folder = self.walk.links.get(folder, folder)
        return folder.rpartition("/")[2]

    def _read(self, path: str) -> Reading:
        links = self.selection.file_links
        is_ignored = self.selection.hard_links is HardLinks.IGNORE
        if is_ignored and self.filesystem.count_names(path) > 1:
            raise OSError(errno.EMLINK, "Too many links", path)
        return read_linked(self.filesystem, path, self.walk.head, links)

    def _enter(self, folder: str, depth: int, identity: Identity) -> None:
        if self.selection.visits in _ONCE:
            if identity in self.visited:
                message = "the folder was already read under another path"
                self.walk.note(
                    finding("folder-repeated", message, folder, severity=_INFO)
                )
                return
            self.visited.add(identity)
        try:
            entries = self.filesystem.list_folder(folder)
        except OSError as error:
            self._note_unreadable(folder, error)
            return
        self._count(entries)
        if depth == 1 and self._is_closed(entries):
            return
        self.parents.append(identity)
        self._read_entries(folder, entries, depth, identity[0])
        self.parents.pop()

    def _is_closed(self, entries: list[Entry]) -> bool:
        closing = self.selection.closed_by
        return bool(closing) and any(name.lower() in closing for name, _, _ in entries)

    def _count(self, entries: list[Entry]) -> None:
        self.entries += len(entries)
        if self.entries > MAX_ENTRIES:
            raise LimitReached(f"more than {MAX_ENTRIES:,} files and folders")
        self.linked += self.link_depth > 0
        if self.linked > MAX_LINKED_FOLDERS:
            raise LimitReached(f"more than {MAX_LINKED_FOLDERS:,} folders by links")

    def _read_entries(
        self, folder: str, entries: list[Entry], depth: int, device: int
    ) -> None:
        if self.selection.max_candidates is not None:
            entries = self._bound(folder, entries, self.selection.max_candidates)
        chosen = self._choose(folder, entries, depth)
        ends = self._ends(chosen, depth)
        enters = not ends and self._enters(folder, entries, depth)
        if self._takes_flat(depth) and not ends:
            files = entries if not self.stops else self._files_of(folder, entries)
            chosen = (*chosen, *self._choose_flat(folder, files))
        # Flat files: all of a folder may be chosen.
        taken = frozenset(chosen) if len(chosen) > 8 else chosen
        if self.selection.entry_order is not EntryOrder.BY_NAME:
            from metier.world.entry_order import in_order

            entries = in_order(entries, taken, self.selection.entry_order)
        closed = self._closed(folder, entries, taken)
        for entry in entries:
            name, kind, inode = entry
            if name in taken:
                self._take_entry(folder, entry)
            if kind is _FILE or kind is _OTHER or not enters:
                continue
            if self._skips(name) or name in closed:
                continue
            if self.selection.max_depth == 1 and self.selection.case is Case.EXACT:
                self._take_first(f"{folder}/{name}")
            elif kind is _FOLDER:
                self._enter(f"{folder}/{name}", depth + 1, (device, inode))
            else:
                self._follow(f"{folder}/{name}", depth + 1)

    def _bound(self, folder: str, entries: list[Entry], most: int) -> list[Entry]:
        """`entries` without the folders that are too many."""
        surplus = surplus_of(folder, entries, self.selection, self.filesystem)
        if surplus:
            self.walk.note(limit_finding(f"more than {most:,} folders", folder))
        return [each for each in entries if each not in surplus]

    def _choose(self, folder: str, entries: list[Entry], depth: int) -> tuple[str, ...]:
        """The names in this folder that are skill files."""
        if depth == 0 and not self.takes_root:
            return ()
        named = self._named(entries)
        if not self.stops or not named:
            return named
        files = {name for name, _, _ in self._files_of(folder, entries)}
        return tuple(name for name in named if name in files)

    def _ends(self, chosen: tuple[str, ...], depth: int) -> bool:
        """Whether a skill in a folder is all that is looked for there."""
        return self.stops and bool(chosen) and (depth > 0 or self.stops_at_root)

    def _files_of(self, folder: str, entries: list[Entry]) -> list[Entry]:
        return [each for each in entries if self._is_file(folder, each)]

    def _choose_flat(self, folder: str, entries: list[Entry]) -> Iterator[str]:
        """The names of the files that are skills by their suffix."""
        flat = (each for each in entries if is_flat(each[0], self.selection))
        return (each[0] for each in flat if not self._is_folder(folder, each))

    def _is_file(self, folder: str, entry: Entry) -> bool:
        """Whether it leads to what may be a file."""
        name, kind, _ = entry
        if kind is not Kind.LINK:
            return kind is not _FOLDER
        path = f"{folder}/{name}"
        return self.filesystem.exists(path) and not self.filesystem.is_directory(path)

    def _takes_flat(self, depth: int) -> bool:
        reach = self.selection.flat_reach
        is_reached = depth == 0 or reach is FlatReach.ANYWHERE
        return is_reached and self.selection.flat_suffix is not None

    def _closed(
        self, folder: str, entries: list[Entry], taken: Container[str]
    ) -> tuple[str, ...]:
        """The folders that are not entered as a skill file lies beside them."""
        if not self.selection.skip_in_skill:
            return ()
        files = (each for each in entries if each[0] in taken)
        is_skill = not all(self._is_folder(folder, each) for each in files)
        return self.selection.skip_in_skill if is_skill else ()

    def _is_folder(self, folder: str, entry: Entry) -> bool:
        name, kind, _ = entry
        if kind is _FILE or kind is _OTHER:
            return False
        return kind is _FOLDER or self.filesystem.is_directory(f"{folder}/{name}")

    def _named(self, entries: list[Entry]) -> tuple[str, ...]:
        if self.first_name is not None:
            for entry in entries:
                if entry[0] == self.first_name:
                    return (self.first_name,)
            return ()
        names = self.selection.names
        if self.selection.case is Case.INSENSITIVE:
            found = tuple(name for name, _, _ in entries if name.lower() in names)
        else:
            present = {name for name, _, _ in entries}
            found = tuple(name for name in names if name in present)
        return found[:1] if self.selection.pick is Pick.FIRST else found

    def _enters(self, folder: str, entries: list[Entry], depth: int) -> bool:
        if depth < self.selection.max_depth:
            return True
        if depth > 1 and any(kind is Kind.FOLDER for _, kind, _ in entries):
            message = f"folders below depth {self.selection.max_depth} are not read"
            self.walk.note(finding("scan-depth", message, folder, severity=_INFO))
        return False

    def _follow(self, path: str, depth: int) -> None:
        if self.selection.directory_links is Links.IGNORE:
            return
        if not self.filesystem.is_directory(path):
            self._note_loop(path)
            return
        if not self._is_followed(path):
            return
        self.link_depth += 1
        self._enter_through_link(path, depth)
        self.link_depth -= 1

    def _note_loop(self, path: str) -> None:
        if basename(path) in self.selection.names:
            return  # told when it was taken for a file
        try:
            self.filesystem.identity(path)
        except OSError as error:
            if error.errno == errno.ELOOP:
                self.walk.note(finding("link-cycle", "a link to itself", path))

    def _skips(self, name: str) -> bool:
        return is_skipped(name, self.selection)

    def _take_first(self, folder: str) -> bool:
        """Take the first skill file of a folder without listing it."""
        folder = self._known_as(folder)
        for name in self.selection.names:
            path = f"{folder}/{name}"
            try:
                reading = self._read(path)
            except (FileNotFoundError, NotADirectoryError) as error:
                if error.errno == errno.ENOENT and self.filesystem.is_link(path):
                    self.walk.fail(path, describe_error(path, error))
                continue
            except OSError as error:
                # A host that may not look into the folder finds no skill in it.
                if error.errno == errno.EACCES and not self.filesystem.exists(path):
                    if folder != self.root:  # that one is told when it is listed
                        self._note_unreadable(folder, error)
                    return False
                self.walk.fail(path, self._describe(path, error))
                return True
            self.walk.visit(path, self._name_of(folder), reading)
            return True
        return False

    def _take_entry(self, folder: str, entry: Entry) -> None:
        name, kind, _ = entry
        path = f"{folder}/{name}"
        is_first = folder == self.root and kind is Kind.LINK
        if is_first and self.selection.root_file is RootFile.FILE:
            self.walk.fail(path, _passed_over(path))
            return
        try:
            if kind is _OTHER:
                raise NotAFile(f"not a regular file: {path}")
            reading = self._read(path)
        except OSError as error:
            self.walk.fail(path, self._describe(path, error))
            return
        self.walk.visit(path, self._name_of(folder), reading)

    def _describe(self, path: str, error: OSError) -> Diagnostic:
        is_link = error.errno == errno.ELOOP and self.filesystem.is_link(path)
        if is_link and self.selection.file_links is Links.IGNORE:
            return _passed_over(path)
        if error.errno == errno.EXDEV:
            message = "a link that leads out of its folder, which the agent passes over"
            return finding("link-ignored", message, path, severity=Severity.ERROR)
        if error.errno == errno.EMLINK:
            message = "a file with a second name, which the agent passes over"
            return finding("link-ignored", message, path, severity=Severity.ERROR)
        return describe_error(path, error)

    def _note_unreadable(self, folder: str, error: OSError) -> None:
        self.walk.note(unreadable_folder(folder, error))


_ONCE = (Visits.ONCE, Visits.ONCE_IN_ROOT)


def _only_name(selection: Selection) -> str | None:
    """The one name to look for, where there is no choice to make."""
    if selection.case is Case.EXACT and len(selection.names) == 1:
        return selection.names[0]
    return None


def _passed_over(path: str) -> Diagnostic:
    message = "a link, which the agent passes over"
    return finding("link-ignored", message, path, severity=Severity.ERROR)


_AMONG_OTHERS = (RootFile.ALSO, RootFile.FILE)
_INFO = Severity.INFO
_FILE, _FOLDER, _OTHER = Kind.FILE, Kind.FOLDER, Kind.OTHER
