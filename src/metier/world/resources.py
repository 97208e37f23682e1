"""The files that lie beside a skill file, listed and not read."""

from __future__ import annotations

from posixpath import basename, dirname

from metier.core.activation import ResourceList
from metier.core.tree import Tree
from metier.world.filesystem import FileSystem, Kind

# Deep enough for `scripts/lib/x.py`; a skill's own tree is 5 deep at most.
_MAX_DEPTH = 5
# Folders that hold no file do not count as found: without a bound, a million of them
# would all be listed.
_MAX_FOLDERS = 1_000
_SKIPPED = frozenset((".git", "node_modules", "__pycache__"))


def list_resources(filesystem: FileSystem, path: str, *, limit: int) -> ResourceList:
    """Paths relative to the skill's folder, sorted, no more than `limit` of them."""
    folder = dirname(path)
    found: list[str] = []
    pending = [("", 0)]
    left = _MAX_FOLDERS
    while pending and len(found) <= limit and left:
        below, depth = pending.pop()
        left -= 1
        try:
            entries = filesystem.list_folder(f"{folder}/{below}" if below else folder)
        except OSError:
            continue
        for name, kind, _ in entries:
            inside = f"{below}/{name}" if below else name
            if kind is Kind.FILE and inside != basename(path):
                found.append(inside)
            elif kind is Kind.FOLDER and name not in _SKIPPED and depth < _MAX_DEPTH:
                pending.append((inside, depth + 1))
    is_cut = len(found) > limit or bool(pending)
    return ResourceList(paths=tuple(sorted(found)[:limit]), is_cut=is_cut)


def resources_in(tree: Tree, name: str, *, limit: int) -> ResourceList:
    """The same, out of a tree that was read already; `name` is the skill's own file."""
    found = [
        path
        for path in tree.contents
        if path != name and path.count("/") <= _MAX_DEPTH and _is_listed(path)
    ]
    return ResourceList(paths=tuple(sorted(found)[:limit]), is_cut=len(found) > limit)


def _is_listed(path: str) -> bool:
    return _SKIPPED.isdisjoint(path.split("/")[:-1])
