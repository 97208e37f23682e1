"""How far a walk goes: which folder it starts in, and what it passes over there."""

from __future__ import annotations

from itertools import islice

from metier.core.selection import Selection, is_skipped
from metier.world.filesystem import Entry, FileSystem, Kind

_NO_FOLDERS = (Kind.FILE, Kind.OTHER)


def base_of(root: str, selection: Selection, filesystem: FileSystem) -> str:
    """The inner folder of `root` where there are skills in it, else `root` itself."""
    folder = f"{root}/{selection.inner}"
    return folder if _holds_skills(folder, selection, filesystem) else root


def _holds_skills(folder: str, selection: Selection, filesystem: FileSystem) -> bool:
    if not filesystem.is_directory(folder):
        return False
    try:
        entries = filesystem.list_folder(folder)
    except OSError:
        return False
    names = (name for name, _, _ in entries if not is_skipped(name, selection))
    files = (f"{folder}/{name}/{each}" for name in names for each in selection.names)
    return any(map(filesystem.exists, files))


def is_below(folder: str, root: str, filesystem: FileSystem) -> bool:
    """Whether `folder`, which may be a link, leads into `root`."""
    real = filesystem.stamp(folder).path
    return f"{real}/".startswith(f"{filesystem.stamp(root).path}/")


def surplus_of(
    folder: str, entries: list[Entry], selection: Selection, filesystem: FileSystem
) -> frozenset[Entry]:
    """The folders in `folder` that are more than the agent looks into."""

    def is_candidate(entry: Entry) -> bool:
        name, kind, _ = entry
        if kind in _NO_FOLDERS or is_skipped(name, selection):
            return False
        return kind is Kind.FOLDER or filesystem.is_directory(f"{folder}/{name}")

    found = filter(is_candidate, entries)
    return frozenset(islice(found, selection.max_candidates, None))
