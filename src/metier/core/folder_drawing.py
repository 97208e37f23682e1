"""A folder drawn as a tree of lines, level by level until there are enough items."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from metier.core.collation import locale_key

# The names of the files and of the folders in one folder, links and others left out.
Listing = tuple[Sequence[str], Sequence[str]]


class Drawing(NamedTuple):
    """The lines, and whether some of them stand for more than is shown."""

    text: str
    is_cut: bool


@dataclass(slots=True)
class _Folder:
    path: str
    files: list[str] = field(default_factory=list[str])
    folders: list[_Folder] = field(default_factory=list["_Folder"])
    is_closed: bool = False
    lacks_files: bool = False
    lacks_folders: bool = False

    @property
    def is_cut(self) -> bool:
        return self.is_closed or self.lacks_files or self.lacks_folders


def draw_folder(
    list_folder: Callable[[str], Listing],
    *,
    limit: int,
    closed: frozenset[str],
) -> Drawing:
    """The drawing of what `list_folder` has below "".

    Files come before folders, each in the order of `localeCompare`; `limit` items are
    shown, and what is in the folders named in `closed` is not.
    """
    root = _Folder("")
    shown = _read_levels(root, list_folder, limit, closed)
    lines = "\n".join(_lines(root, ""))
    return Drawing(lines, any(folder.is_cut for folder in shown))


def _read_levels(
    root: _Folder,
    list_folder: Callable[[str], Listing],
    limit: int,
    closed: frozenset[str],
) -> list[_Folder]:
    every, pending, left = [root], deque([root]), limit
    while pending and left > 0:
        folder = pending.popleft()
        files, names = (
            sorted(each, key=locale_key) for each in list_folder(folder.path)
        )
        folder.files, folder.lacks_files = files[:left], len(files) > left
        left -= len(folder.files)
        folder.lacks_folders = len(names) > left
        folder.folders = [_below(folder, name, closed) for name in names[:left]]
        left -= len(folder.folders)
        every.extend(folder.folders)
        pending.extend(each for each in folder.folders if not each.is_closed)
    return every


def _below(folder: _Folder, name: str, closed: frozenset[str]) -> _Folder:
    path = f"{folder.path}/{name}" if folder.path else name
    return _Folder(path, is_closed=name in closed)


_MORE = "..."
_INNER, _LAST = "├───", "└───"


def _lines(folder: _Folder, indent: str) -> Iterator[str]:
    parts = list(_parts(folder))
    for index, (name, inner) in enumerate(parts):
        is_last = index == len(parts) - 1
        yield f"{indent}{_LAST if is_last else _INNER}{name}"
        if inner is not None:
            yield from _lines(inner, indent + ("    " if is_last else "│   "))


def _parts(folder: _Folder) -> Iterator[tuple[str, _Folder | None]]:
    """What is drawn of a folder itself, and the folders to go on with."""
    for name in folder.files:
        yield name, None
    if folder.lacks_files:
        yield _MORE, None
    for each in folder.folders:
        mark = _MORE if each.is_closed else ""
        yield f"{each.path.rpartition('/')[2]}/{mark}", each
    if folder.lacks_folders:
        yield _MORE, None
