"""Everything that a folder holds, as one value, and the digest that stands for it.

The digest is over names, kinds, link targets and bytes; empty folders and hidden files
count. Times, owners and who may read or write are not in it: they change nothing of
what a model or an interpreter gets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

# As on Linux: a path that leads through more links leads nowhere.
MAX_LINKS = 40
# In front of the lines, so that the digest of nothing else can be taken for a tree's.
_HEADING = b"metier tree 1\0"


class EntryKind(Enum):
    """What stands under a name, as far as it changes what may happen."""

    FILE = "file"
    PROGRAM = "program"  # a file that somebody may execute
    PRIVILEGED = "privileged"  # a program that runs as its owner or as its group
    FOLDER = "folder"
    LINK = "link"
    SPECIAL = "special"  # a pipe, socket or device: never opened


class Part(NamedTuple):
    """One name below a folder as it was read; `data` is a link's target or bytes."""

    path: str
    kind: EntryKind
    data: bytes = b""


class TreeEntry(NamedTuple):
    """What a tree remembers of a part when its bytes are gone."""

    path: str
    kind: EntryKind
    digest: str
    size: int


@dataclass(frozen=True, slots=True)
class Tree:
    """A folder at one moment: its entries by path, and every byte of its files.

    What is served out of a tree is what its digest stands for: nothing is opened a
    second time.
    """

    digest: str
    entries: tuple[TreeEntry, ...]
    contents: Mapping[str, bytes] = field(repr=False, compare=False)
    targets: Mapping[str, str] = field(repr=False, compare=False)

    def read(self, path: str) -> bytes | None:
        """The bytes of a file; a link counts where it stays inside of the tree."""
        data = self.contents.get(path)
        if data is not None:
            return data
        real = self.resolve(path)
        return None if real is None else self.contents.get(real)

    def resolve(self, path: str) -> str | None:
        """What `path` is without its links; None where they lead out of the tree."""
        done: list[str] = []
        left = path.split("/")
        followed = 0
        while left:
            step = left.pop(0)
            target = self.targets.get("/".join((*done, step)))
            if target is not None:
                followed += 1
                if followed > MAX_LINKS or target.startswith("/"):
                    return None
                left = [*target.split("/"), *left]
            elif step == "..":
                if not done:
                    return None
                done.pop()
            elif step not in ("", "."):
                done.append(step)
        return "/".join(done)


def build_tree(parts: Iterable[Part]) -> Tree:
    """The tree of the parts, in whichever order they come."""
    ordered = sorted(parts, key=_raw_path)
    entries = tuple(
        TreeEntry(each.path, each.kind, _sha256(each.data), len(each.data))
        for each in ordered
    )
    return Tree(
        digest=digest_of(entries),
        entries=entries,
        contents={each.path: each.data for each in ordered if each.kind in _FILES},
        targets={
            each.path: each.data.decode("utf-8", "surrogateescape")
            for each in ordered
            if each.kind is EntryKind.LINK
        },
    )


def _raw_path(part: Part) -> bytes:
    return part.path.encode("utf-8", "surrogateescape")


_FILES = frozenset((EntryKind.FILE, EntryKind.PROGRAM, EntryKind.PRIVILEGED))


def digest_of(entries: Iterable[TreeEntry]) -> str:
    """`sha256:` over one line an entry: kind, digest of the content, path, NUL.

    No path can hold a NUL, so that two trees never have the same lines.
    """
    lines = [_HEADING]
    for entry in entries:
        line = f"{entry.kind.value} {entry.digest} {entry.path}\0"
        lines.append(line.encode("utf-8", "surrogateescape"))
    return f"sha256:{_sha256(b''.join(lines))}"


def digest_text(text: str) -> str:
    """`sha256:` over the UTF-8 of `text`."""
    return digest_bytes(text.encode("utf-8", "surrogatepass"))


def digest_bytes(data: bytes) -> str:
    """`sha256:` over `data`."""
    return f"sha256:{_sha256(data)}"


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeChange:
    """What is different between two trees, as sorted paths."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)


def compare_trees(old: Iterable[TreeEntry], new: Iterable[TreeEntry]) -> TreeChange:
    """What happened between the two; a new name of a file is one less and one more."""
    before = {entry.path: entry for entry in old}
    after = {entry.path: entry for entry in new}
    return TreeChange(
        added=tuple(sorted(after.keys() - before.keys())),
        changed=tuple(
            path
            for path in sorted(before.keys() & after.keys())
            if before[path] != after[path]
        ),
        removed=tuple(sorted(before.keys() - after.keys())),
    )
