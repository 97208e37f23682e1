"""Whom a person trusts: folders by what they are, skills by what they hold.

A folder is its real path, device, inode and owner together: another folder in the same
place is another folder. A skill is approved with the digest of its whole tree.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, NamedTuple

from metier.core.tree import (
    EntryKind,
    Tree,
    TreeChange,
    TreeEntry,
    compare_trees,
    digest_of,
)


class Stamp(NamedTuple):
    """Which folder it is, and whose; `path` is the real one."""

    path: str
    device: int
    inode: int
    owner: int


class Standing(Enum):
    """What the book says about a folder or a skill."""

    KNOWN = "known"
    UNKNOWN = "unknown"
    CHANGED = "changed"  # it was known, and is another one now


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustedFolder:
    """A folder that a person trusts, and since when."""

    stamp: Stamp
    since: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A skill that a person has approved, and all that it held then."""

    path: str
    digest: str
    entries: tuple[TreeEntry, ...]
    since: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustBook:
    """Everything that a person has ever agreed to and not taken back."""

    folders: Mapping[str, TrustedFolder]
    approvals: Mapping[str, Approval]

    def standing_of(self, stamp: Stamp) -> Standing:
        """Whether this very folder is trusted."""
        known = self.folders.get(stamp.path)
        if known is None:
            return Standing.UNKNOWN
        return Standing.KNOWN if known.stamp == stamp else Standing.CHANGED

    def standing_of_tree(self, path: str, tree: Tree) -> Standing:
        """Whether the skill at `path` was approved with exactly this content."""
        known = self.approvals.get(path)
        if known is None:
            return Standing.UNKNOWN
        return Standing.KNOWN if known.digest == tree.digest else Standing.CHANGED

    def change_of(self, path: str, tree: Tree) -> TreeChange:
        """What is different from what was approved; all of it where nothing was."""
        known = self.approvals.get(path)
        return compare_trees(known.entries if known else (), tree.entries)

    def with_folder(self, folder: TrustedFolder) -> TrustBook:
        """The book with one more folder, or with what it is now."""
        return replace(self, folders={**self.folders, folder.stamp.path: folder})

    def with_approval(self, approval: Approval) -> TrustBook:
        """The book with one more skill, or with what it holds now."""
        return replace(self, approvals={**self.approvals, approval.path: approval})

    def without(self, path: str) -> TrustBook:
        """The book without `path` and without everything below it."""
        below = path.rstrip("/") + "/"
        return TrustBook(
            folders={
                key: each
                for key, each in self.folders.items()
                if key != path and not key.startswith(below)
            },
            approvals={
                key: each
                for key, each in self.approvals.items()
                if key != path and not key.startswith(below)
            },
        )


EMPTY_BOOK = TrustBook(folders={}, approvals={})
BOOK_VERSION = 1


class BookInvalid(ValueError):
    """The text is not a book that metier wrote."""


def render_book(book: TrustBook) -> str:
    """The book as the text of its file."""
    value = {
        "version": BOOK_VERSION,
        "folders": [
            {**each.stamp._asdict(), "since": each.since}
            for _, each in sorted(book.folders.items())
        ],
        "approvals": [
            {
                "path": each.path,
                "digest": each.digest,
                "since": each.since,
                "entries": [
                    [entry.kind.value, entry.digest, entry.size, entry.path]
                    for entry in each.entries
                ],
            }
            for _, each in sorted(book.approvals.items())
        ],
    }
    return json.dumps(value, indent=1) + "\n"


def parse_book(text: str | bytes) -> TrustBook:
    """The book that `text` is; anything odd in it makes all of it invalid."""
    try:
        value: Any = json.loads(text)
        if value["version"] != BOOK_VERSION:
            raise BookInvalid("not a version that is known here")
        folders = [_parse_folder(each) for each in _items(value["folders"])]
        approvals = [_parse_approval(each) for each in _items(value["approvals"])]
    except BookInvalid:
        raise
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BookInvalid("not the JSON that metier writes") from error
    return TrustBook(
        folders={each.stamp.path: each for each in folders},
        approvals={each.path: each for each in approvals},
    )


def _parse_folder(value: Any) -> TrustedFolder:
    stamp = Stamp(
        path=_text(value["path"]),
        device=_number(value["device"]),
        inode=_number(value["inode"]),
        owner=_number(value["owner"]),
    )
    return TrustedFolder(stamp=stamp, since=_text(value["since"]))


def _parse_approval(value: Any) -> Approval:
    entries = tuple(_parse_entry(each) for each in _items(value["entries"]))
    if digest_of(entries) != value["digest"]:
        raise BookInvalid("a digest that is not that of its entries")
    return Approval(
        path=_text(value["path"]),
        digest=_text(value["digest"]),
        entries=entries,
        since=_text(value["since"]),
    )


def _parse_entry(value: Any) -> TreeEntry:
    kind, digest, size, path = _items(value)
    return TreeEntry(
        _text(path),
        EntryKind(kind),
        _text(digest),
        _number(size),
    )


def _items(value: Any) -> list[Any]:
    return _expect(value, list)


def _text(value: Any) -> str:
    return _expect(value, str)


def _number(value: Any) -> int:
    return _expect(value, int)


def _expect(value: Any, kind: type[Any]) -> Any:
    if type(value) is not kind:  # True is an int, and no inode
        raise BookInvalid(f"not a {kind.__name__} where one is expected")
    return value
