"""The files that lie beside a skill file, listed and not read."""

from __future__ import annotations

from posixpath import basename, dirname

from metier.core.activation import ResourceList
from metier.world.filesystem import FileSystem, Kind

# Deep enough for `scripts/lib/x.py`; a skill's own tree is 5 deep at most.
_MAX_DEPTH = 5
_SKIPPED = frozenset((".git", "node_modules", "__pycache__"))


def list_resources(filesystem: FileSystem, path: str, *, limit: int) -> ResourceList:
    """Paths relative to the skill's folder, sorted, no more than `limit` of them."""
    folder = dirname(path)
    found: list[str] = []
    pending = [("", 0)]
    while pending and len(found) <= limit:
        below, depth = pending.pop()
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
    return ResourceList(paths=tuple(sorted(found)[:limit]), is_cut=len(found) > limit)
