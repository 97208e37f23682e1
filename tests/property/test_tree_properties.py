"""A tree on the disk and the same tree in memory are the same to every agent."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from posixpath import normpath
from typing import Any

from hypothesis import given

from metier.api import discover
from metier.core.dialect import Dialect
from metier.library import Library
from metier.testing import Content, Link, MemoryFileSystem, Special
from metier.world.dialects import dialect_names, load_dialect
from metier.world.filesystem import DiskFileSystem, FileSystem
from tests.property.strategies import trees

Tree = dict[str, tuple[str, Any]]


def places() -> tuple[tuple[str, ...], ...]:
    """For each agent, the folders in which it looks in a project and in a home."""
    return tuple(
        tuple(sorted(places_of(load_dialect(name)))) for name in dialect_names()
    )


def places_of(dialect: Dialect) -> set[str]:
    found = {
        normpath(f"{base}/{path}/{under}")
        for base in BASES
        for root in dialect.roots
        for path in root.paths
        for under in dialect.selections[root.select].under or ("",)
    }
    return found | {"store"}


BASES = ("proj", "proj/pkg", "home")
FOLDERS = ("proj/pkg", "home", "store")


def plant(root: Path, tree: Tree) -> DiskFileSystem:
    for folder in FOLDERS:
        (root / folder).mkdir(parents=True)
    for name, (kind, content) in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if kind == "folder":
            path.mkdir(exist_ok=True)
        elif kind == "link":
            path.symlink_to(content)
        elif kind == "pipe":
            os.mkfifo(path)
        else:
            path.write_bytes(
                content if isinstance(content, bytes) else content.encode()
            )
    return DiskFileSystem()


def remember(root: Path, tree: Tree) -> MemoryFileSystem:
    files = MemoryFileSystem()
    for folder in FOLDERS:
        files.make_folder(str(root / folder))
    for name, (kind, content) in tree.items():
        if kind == "folder":
            files.make_folder(str(root / name))
        else:
            files.write(str(root / name), as_content(kind, content))
    return files


def as_content(kind: str, content: Any) -> Content:
    match kind:
        case "link":
            return Link(content)
        case "pipe":
            return Special()
        case _:
            return content


def told(library: Library) -> dict[str, Any]:
    return {
        "roots": library.roots,
        "skills": library.skills,
        "shadowed": library.shadowed,
        "rejected": library.rejected,
        "notes": library.notes,
        "aborted": library.aborted_by,
        "catalog": library.catalog(),
    }


def look(root: Path, files: FileSystem, dialect: str) -> dict[str, Any]:
    library = discover(
        dialect=dialect,
        cwd=root / "proj/pkg",
        home=root / "home",
        variables={},
        filesystem=files,
    )
    return told(library)


@given(trees(places()))
def test_the_disk_and_the_memory_give_the_same_library(tree: Tree):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        disk, memory = plant(root, tree), remember(root, tree)
        for dialect in dialect_names():
            assert look(root, memory, dialect) == look(root, disk, dialect), dialect


@given(trees(places()))
def test_no_file_below_a_root_is_read_twice_for_one_path(tree: Tree):
    root = Path("/w")
    for dialect in dialect_names():
        files = remember(root, tree)
        look(root, files, dialect)
        read = [path for path in files.reads if files.exists(path)]
        # A folder under two roots of different rules is walked for each of them.
        assert max(map(read.count, read), default=0) <= len(load_dialect(dialect).roots)


@given(trees(places()))
def test_what_was_found_has_one_account_for_each_time_it_was_found(tree: Tree):
    for dialect in dialect_names():
        library = discover(
            dialect=dialect,
            cwd="/w/proj/pkg",
            home="/w/home",
            variables={},
            filesystem=remember(Path("/w"), tree),
        )
        accounts = list(library.accounts())
        found = len(library.skills) + len(library.shadowed) + len(library.rejected)
        assert len(accounts) == found
        assert all(account in library.why(account.path) for account in accounts)
