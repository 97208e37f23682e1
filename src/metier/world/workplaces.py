"""The folders of a run: a private copy of the skill, and one to write to.

The copy is written from bytes that were read before, and judged: nothing is read a
second time. It is nobody else's, and gone when the run is over.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from tempfile import mkdtemp
from typing import NamedTuple

from metier.core.tree import EntryKind, Tree

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Workplace(NamedTuple):
    """Where the copy of the skill is, and where a program may write."""

    skill: str
    scratch: str


@contextmanager
def set_up(tree: Tree, scratch: str | None = None) -> Generator[Workplace]:
    """The folders of a run, removed when it is over; a given `scratch` stays."""
    top = os.path.realpath(mkdtemp(prefix="metier-"))
    try:
        skill = f"{top}/skill"
        write_tree(tree, skill)
        if scratch is None:
            scratch = f"{top}/scratch"
            os.mkdir(scratch, 0o700)
        yield Workplace(skill, scratch)
    finally:
        _remove(top)


def write_tree(tree: Tree, folder: str) -> None:
    """Write what `tree` holds into the new `folder`.

    A link that leads out of the skill is left out, and so is what is no file.
    """
    os.mkdir(folder, 0o700)
    for entry in tree.entries:
        path = f"{folder}/{entry.path}"
        if entry.kind is EntryKind.FOLDER:
            os.mkdir(path, 0o700)
        elif entry.kind is EntryKind.LINK:
            if tree.resolve(entry.path) is not None:
                os.symlink(tree.targets[entry.path], path)
        elif entry.kind is not EntryKind.SPECIAL:
            mode = 0o600 if entry.kind is EntryKind.FILE else 0o700
            _write(path, tree.contents[entry.path], mode)


def _write(path: str, data: bytes, mode: int) -> None:
    with os.fdopen(os.open(path, _NEW, mode), "wb") as file:
        file.write(data)


def _remove(top: str) -> None:
    # A program may have closed its folders to everybody.
    for folder, names, _ in os.walk(top):
        for name in names:
            path = f"{folder}/{name}"
            if not os.path.islink(path):
                os.chmod(path, 0o700)
    shutil.rmtree(top, ignore_errors=True)
