"""Which skills are meant by a name, under each way of looking for one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from metier.core.activation import Lookup
from metier.core.lookup import find_meant, index_skills
from metier.core.resolve import Spelling
from metier.core.skill import Shadowed
from metier.world.dialects import load_dialect
from tests.making import root, skill

PDF = skill("PDF", path="/r/web/pdf/SKILL.md")
OLD = skill("pdf", path="/r/pdf/SKILL.md")
TOP = skill("top", path="/r/SKILL.md")


def meant(lookup: Lookup, spelling: Spelling = Spelling.EXACT) -> dict[str, int]:
    """How many skills each name stands for."""
    plain = load_dialect("agentskills")
    dialect = replace(
        plain,
        activation=replace(plain.activation, lookup=lookup),
        precedence=replace(plain.precedence, spelling=spelling),
    )
    index = index_skills((PDF, TOP), (Shadowed(OLD, PDF, "x"),), (root(),), dialect)
    return {name: len(skills) for name, skills in index.items()}


@pytest.mark.parametrize(
    ("lookup", "spelling", "expected"),
    [
        (Lookup.KEY, Spelling.EXACT, {"PDF": 1, "top": 1}),
        (Lookup.KEY, Spelling.ANY_CASE, {"pdf": 1, "top": 1}),
        (Lookup.PATH, Spelling.EXACT, {"web/pdf": 1, "pdf": 1}),
        (
            Lookup.NAME_OR_FOLDER,
            Spelling.EXACT,
            {"PDF": 1, "pdf": 1, "web/pdf": 1, "top": 1, "r": 1, "root": 1},
        ),
        (
            Lookup.LAST_PART,
            Spelling.LOWER,
            {"pdf": 1, ":pdf": 1, "top": 1, ":top": 1},
        ),
    ],
)
def test_a_name_stands_for_skills(
    lookup: Lookup, spelling: Spelling, expected: dict[str, int]
):
    assert meant(lookup, spelling) == expected


def test_of_two_at_one_path_that_of_the_later_root_comes_first():
    plain = load_dialect("letta-code")
    roots = (root("/a"), root("/b"))
    a, b = (
        replace(skill(at, path=f"/{at}/x/SKILL.md"), origin=replace(PDF.origin, root=r))
        for at, r in zip("ab", roots, strict=True)
    )
    index = index_skills((a,), (Shadowed(b, a, "x"),), roots, plain)
    assert index == {"x": (b, a)}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("pdf", "pdf"),
        ("PDF", "pdf"),
        (" //Pdf\n", "pdf"),
        ("/ pdf", ""),
        ("any:thing:pdf", "pdf office:PDF"),
        ("office:pdf", "office:PDF"),
        ("zip", "a:zip b:zip"),
        ("b:zip", "b:zip"),
        (":zip", ":zip"),
        ("off", "a:off"),
        ("gone", "x:gone y:gone"),
        ("/", ""),
        ("", ""),
        ("x:", ""),
        ("none", ""),
    ],
)
def test_a_name_may_stand_for_what_ends_with_it(name: str, expected: str):
    dialect = load_dialect("cline")
    names = ("pdf", "office:PDF", "a:zip", "b:zip", ":zip", "a:off", "x:gone")
    skills = (
        *(skill(each, is_hidden=each in (":zip", "x:gone")) for each in names),
        *(skill(each, is_hidden=True) for each in ("b:off", "y:gone")),
    )
    index = index_skills(skills, (), (root(),), dialect)
    found = find_meant(index, name, dialect)
    assert " ".join(each.name for each in found) == expected


def test_elsewhere_a_name_is_all_of_it():
    dialect = load_dialect("agentskills")
    index = index_skills((PDF, TOP), (), (root(),), dialect)
    assert find_meant(index, "PDF", dialect) == (PDF,)
    assert find_meant(index, "/PDF", dialect) == ()
