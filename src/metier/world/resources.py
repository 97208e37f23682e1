"""The files that lie beside a skill file, listed and not read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection
from posixpath import basename, dirname

from metier.core.activation import ActivationRule, ResourceList
from metier.core.folder_drawing import Listing, draw_folder
from metier.core.tree import EntryKind, Tree
from metier.world.filesystem import FileSystem, Kind

# Deep enough for `scripts/lib/x.py`; a skill's own tree is 5 deep at most.
_MAX_DEPTH = 5
# Folders that hold no file do not count as found: without a bound, a million of them
# would all be listed.
_MAX_FOLDERS = 1_000
# As many lines as a model may get, where its agent sets no bound.
_MAX_DRAWN = 200
_SKIPPED = frozenset((".git", "node_modules", "__pycache__"))


def list_resources(
    filesystem: FileSystem,
    path: str,
    *,
    limit: int,
    enough: int | None = None,
    closed: Collection[str] = (),
    unlisted: Collection[str] = (),
) -> ResourceList:
    """Paths relative to the skill's folder, sorted, no more than `limit` of them.

    The walk ends where it has found `enough`; what is in folders that are `closed`, or
    else in those that nobody wants, is not listed, nor is a file by an `unlisted` name.
    """
    skipped = closed or _SKIPPED
    enough = limit + 1 if enough is None else enough
    folder = dirname(path)
    found: list[str] = []
    pending = [("", 0)]
    left = _MAX_FOLDERS
    too_deep = False
    while pending and len(found) < enough and left:
        below, depth = pending.pop()
        left -= 1
        try:
            entries = filesystem.list_folder(f"{folder}/{below}" if below else folder)
        except OSError:
            continue
        for name, kind, _ in entries:
            inside = f"{below}/{name}" if below else name
            is_listed = inside != basename(path) and name not in unlisted
            if kind is Kind.FILE and is_listed:
                found.append(inside)
            elif kind is Kind.FOLDER and name not in skipped:
                if depth < _MAX_DEPTH:
                    pending.append((inside, depth + 1))
                else:
                    too_deep = True
    is_cut = len(found) > limit or bool(pending) or too_deep
    return ResourceList(paths=tuple(sorted(found)[:limit]), is_cut=is_cut)


def resources_in(tree: Tree, name: str, *, limit: int) -> ResourceList:
    """The same, out of a tree that was read already; `name` is the skill's own file."""
    beside = [path for path in tree.contents if path != name and _is_listed(path)]
    found = [path for path in beside if path.count("/") <= _MAX_DEPTH]
    is_cut = len(beside) > min(len(found), limit)
    return ResourceList(paths=tuple(sorted(found)[:limit]), is_cut=is_cut)


def draw_resources(
    filesystem: FileSystem, folder: str, rule: ActivationRule
) -> ResourceList:
    """The folder of a skill as a tree of lines; links are not in it."""

    def list_folder(below: str) -> Listing:
        try:
            entries = filesystem.list_folder(f"{folder}/{below}" if below else folder)
        except OSError:
            return (), ()
        files = [name for name, kind, _ in entries if kind is Kind.FILE]
        return files, [name for name, kind, _ in entries if kind is Kind.FOLDER]

    return _drawn(list_folder, rule)


def draw_tree(tree: Tree, rule: ActivationRule) -> ResourceList:
    """The same, out of a tree that was read already."""
    folders: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for entry in tree.entries:
        above, _, name = entry.path.rpartition("/")
        if entry.kind is EntryKind.FOLDER:
            folders[above][1].append(name)
        elif entry.kind not in (EntryKind.LINK, EntryKind.SPECIAL):
            folders[above][0].append(name)
    return _drawn(folders.__getitem__, rule)


def _drawn(list_folder: Callable[[str], Listing], rule: ActivationRule) -> ResourceList:
    limit = rule.max_resources or _MAX_DRAWN
    closed = frozenset(rule.closed_folders)
    text, is_cut = draw_folder(list_folder, limit=limit, closed=closed)
    return ResourceList(drawing=text, is_cut=is_cut)


def _is_listed(path: str) -> bool:
    return _SKIPPED.isdisjoint(path.split("/")[:-1])
