"""The walk of agents that obey ignore files."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from metier.core.ignore_rules import MAX_RULES
from metier.core.selection import Hidden, Nested, RootFile, Selection
from metier.diagnostics import Diagnostic
from metier.testing import Content, Link, MemoryFileSystem
from metier.world.scan import Walk, scan_root

OBEDIENT = Selection(
    root_file=RootFile.ONLY,
    nested=Nested.STOP,
    hidden=Hidden.SKIP,
    skip=("node_modules",),
    flat_suffix=".md",
    ignore_files=(".gitignore", ".ignore"),
)


def walk(
    files: Mapping[str, Content], selection: Selection = OBEDIENT
) -> tuple[list[str], list[tuple[str, str]]]:
    """The paths that were visited under `/r`, and what was told of others."""
    visits: list[str] = []
    told: list[tuple[str, str]] = []

    def tell(path: str, finding: Diagnostic) -> None:
        told.append((path[3:], finding.rule))

    filesystem = MemoryFileSystem({f"/r/{path}": c for path, c in files.items()})
    described = Walk(
        filesystem=filesystem,
        selection=selection,
        head=100,
        visit=lambda path, _folder, _reading: visits.append(path[3:]),
        fail=tell,
        note=lambda finding: tell(finding.path or "", finding),
    )
    scan_root("/r", described)
    return visits, told


def skills(paths: str) -> dict[str, Content]:
    return dict.fromkeys(paths.split(), "")


IGNORED = "path-ignored"


@pytest.mark.parametrize(
    ("files", "visits", "told"),
    [
        pytest.param(
            {**skills("a/SKILL.md b/SKILL.md"), ".gitignore": "a"},
            ["b/SKILL.md"],
            [("a", IGNORED)],
            id="a folder",
        ),
        pytest.param(
            {**skills("a/SKILL.md a/x/SKILL.md"), "a/.gitignore": "SKILL.md"},
            ["a/x/SKILL.md"],
            [("a/SKILL.md", IGNORED)],
            id="a skill, and those below it count",
        ),
        pytest.param(
            {**skills("SKILL.md a/SKILL.md b.md c.md"), ".ignore": "/SKILL.md\nb.md"},
            ["c.md"],
            [("SKILL.md", IGNORED), ("b.md", IGNORED), ("a/SKILL.md", IGNORED)],
            id="the root's own, at any depth, and a flat file",
        ),
        pytest.param(
            {**skills("a/b/SKILL.md a/c/SKILL.md b/SKILL.md"), "a/.gitignore": "b"},
            ["a/c/SKILL.md", "b/SKILL.md"],
            [("a/b", IGNORED)],
            id="in one folder only",
        ),
        pytest.param(
            {**skills("a/SKILL.md"), ".gitignore": "a", ".ignore": "!a"},
            ["a/SKILL.md"],
            [],
            id="the second file has the last word",
        ),
        pytest.param(
            {**skills("a/SKILL.md"), ".gitignore": Link("/none"), ".ignore/x": ""},
            ["a/SKILL.md"],
            [],
            id="what cannot be read says nothing",
        ),
        pytest.param(
            {**skills("t/SKILL.md"), "a": Link("/r/t"), ".gitignore": "a/\nt/"},
            [],
            [("a", IGNORED), ("t", IGNORED)],
            id="a link to a folder is one",
        ),
        pytest.param(
            {**skills("a/SKILL.md a/x/SKILL.md"), "a/.gitignore": "x"},
            ["a/SKILL.md"],
            [],
            id="nothing is told of what is below a skill",
        ),
        pytest.param(
            skills(".a/SKILL.md .b.md node_modules/SKILL.md a.md/SKILL.md .md b.txt"),
            ["a.md/SKILL.md"],
            [],
            id="what is hidden, or skipped, is no skill either",
        ),
    ],
)
def test_what_is_passed_over(
    files: Mapping[str, Content], visits: list[str], told: list[tuple[str, str]]
) -> None:
    assert walk(files) == (visits, told)


def test_so_many_rules_are_enough() -> None:
    files = {"a/SKILL.md": "", ".gitignore": "b\n" * MAX_RULES + "a"}
    assert walk(files) == (["a/SKILL.md"], [(".gitignore", "scan-limit")])


def test_a_finding_names_the_file_that_says_so() -> None:
    found: list[Diagnostic] = []
    described = Walk(
        filesystem=MemoryFileSystem(
            {"/r/a/.ignore": "b/\nSKILL.md", "/r/a/b/SKILL.md": "", "/r/a/SKILL.md": ""}
        ),
        selection=OBEDIENT,
        head=100,
        visit=lambda *_: None,
        fail=lambda _, finding: found.append(finding),
        note=found.append,
    )
    scan_root("/r", described)
    assert [(each.path, each.severity.value, each.message) for each in found] == [
        ("/r/a/SKILL.md", "error", "passed over, as `a/.ignore` says"),
        ("/r/a/b", "info", "passed over, as `a/.ignore` says"),
    ]
