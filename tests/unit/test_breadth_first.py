"""The walk level by level, and paths without links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from metier.core.selection import Hidden, Links, Paths, Selection, Traversal
from metier.testing import Content, Link, MemoryFileSystem
from metier.world.scan import Walk, scan_root

LEVELS = Selection(
    traversal=Traversal.BREADTH_FIRST, paths=Paths.REAL, hidden=Hidden.SKIP
)


def walk(
    files: str | Mapping[str, Content], selection: Selection = LEVELS
) -> tuple[list[str], list[tuple[str, str]]]:
    """The paths that were visited under `/r/s`, and what was noted, below `/r`."""
    given = dict.fromkeys(files.split(), "") if isinstance(files, str) else files
    visits: list[str] = []
    notes: list[tuple[str, str]] = []
    described = Walk(
        filesystem=MemoryFileSystem({f"/r/{path}": c for path, c in given.items()}),
        selection=selection,
        head=100,
        visit=lambda path, _folder, _reading: visits.append(path[3:]),
        fail=lambda path, finding: notes.append((path[3:], finding.rule)),
        note=lambda finding: notes.append(((finding.path or "")[3:], finding.rule)),
    )
    scan_root("/r/s", described)
    return visits, notes


def test_what_is_nearer_to_the_root_comes_first() -> None:
    files = "s/a/x/SKILL.md s/a/SKILL.md s/b/SKILL.md s/SKILL.md s/b/.h/SKILL.md"
    nearer = ["s/SKILL.md", "s/a/SKILL.md", "s/b/SKILL.md", "s/a/x/SKILL.md"]
    assert walk(files) == (nearer, [])


def test_a_folder_is_entered_once_by_the_shortest_way() -> None:
    files = {"s/a/b/c/SKILL.md": "", "s/z": Link("a/b"), "s/y": Link("a/b")}
    assert walk(files, replace(LEVELS, max_depth=2)) == (["s/a/b/c/SKILL.md"], [])
    assert walk(files, replace(LEVELS, max_depth=1)) == ([], [])


def test_a_link_up_is_followed_to_where_nobody_was() -> None:
    files = {"s/a/SKILL.md": "", "s/up": Link(".."), "t/SKILL.md": ""}
    assert walk(files) == (["s/a/SKILL.md", "t/SKILL.md"], [])


def test_a_root_that_is_a_link_is_known_by_what_it_leads_to() -> None:
    files = {"t/a/SKILL.md": "", "s": Link("t")}
    assert walk(files) == (["t/a/SKILL.md"], [])


def test_links_to_folders_may_be_ignored_and_those_to_nowhere_are_nothing() -> None:
    files = {"t/SKILL.md": "", "s/l": Link("../t"), "s/none": Link("gone")}
    ignoring = replace(LEVELS, directory_links=Links.IGNORE)
    assert walk(files, ignoring) == ([], [])
    assert walk(files) == (["t/SKILL.md"], [])


def test_a_root_that_is_not_there_is_noted() -> None:
    assert walk("x/SKILL.md") == ([], [("s", "folder-unreadable")])


def test_folders_above_the_bound_are_noted_and_not_entered() -> None:
    bounded = replace(LEVELS, max_folders=3)
    found = walk("s/a/SKILL.md s/b/SKILL.md s/c/SKILL.md s/a/x/SKILL.md", bounded)
    notes = [("s/c", "scan-limit"), ("s/a/x", "scan-limit")]
    assert found == (["s/a/SKILL.md", "s/b/SKILL.md"], notes)


def test_above_the_bound_of_entries_the_walk_ends() -> None:
    files = "s/a/SKILL.md s/b/SKILL.md s/b/z s/c/SKILL.md"
    found = walk(files, replace(LEVELS, max_entries=4))
    assert found == (["s/a/SKILL.md"], [("s", "scan-limit")])
    assert len(walk(files, replace(LEVELS, max_entries=7))[0]) == 3


def test_a_walk_to_the_bottom_may_know_files_by_what_they_are_too() -> None:
    files = {"t/SKILL.md": "", "s/l": Link("../t")}
    assert walk(files, Selection(paths=Paths.REAL)) == (["t/SKILL.md"], [])
    flat = Selection(paths=Paths.REAL, max_depth=1)
    assert walk(files, flat) == (["t/SKILL.md"], [])
