"""Agents of which only the documentation, or the source, is known."""

from __future__ import annotations

import pytest

from metier.library import Library
from metier.testing import make_skill
from tests.making import library


def places(dialect: str, *folders: str) -> Library:
    """Skills of different names, one in each of `folders`."""
    files = {
        f"{folder}/skill-{index}/SKILL.md": make_skill(f"skill-{index}", "Does it")
        for index, folder in enumerate(folders)
    }
    return library(files, dialect)


@pytest.mark.parametrize(
    ("dialect", "read", "not_read"),
    [
        ("amp", "/home/.config/amp/skills", "/home/.agents/skills"),
        ("antigravity", "/home/.gemini/config/skills", "/home/.agents/skills"),
        ("copilot-cli", "/proj/.github/skills", "/home/.claude/skills"),
        ("cursor", "/proj/.codex/skills", "/proj/.github/skills"),
        ("factory-droid", "/proj/.agent/skills", "/proj/.agents/skills"),
        ("junie", "/proj/.junie/skills", "/proj/.claude/skills"),
        ("kilo-code", "/proj/.kilocode/skill", "/proj/.opencode/skill"),
        ("kiro", "/home/.kiro/skills", "/home/.claude/skills"),
    ],
)
def test_each_looks_into_its_own_folders(dialect: str, read: str, not_read: str):
    found = places(dialect, read, not_read)
    assert [skill.root.path for skill in found] == [read.removesuffix("/skill")]


def same(dialect: str, *folders: str) -> Library:
    """One name in several folders."""
    files = {f"{folder}/pdf/SKILL.md": make_skill("pdf", "Reads") for folder in folders}
    return library(files, dialect)


@pytest.mark.parametrize(
    ("dialect", "winner", "loser"),
    [
        ("amp", "/proj/.agents/skills", "/home/.config/agents/skills"),
        ("copilot-cli", "/proj/.github/skills", "/proj/.agents/skills"),
        ("factory-droid", "/proj/.factory/skills", "/home/.factory/skills"),
        ("kilo-code", "/home/.kilo/skills", "/proj/.claude/skills"),
        ("kiro", "/proj/.kiro/skills", "/home/.kiro/skills"),
    ],
)
def test_of_two_with_one_name_the_documented_one_counts(
    dialect: str, winner: str, loser: str
):
    found = same(dialect, winner, loser)
    assert found["pdf"].path == f"{winner}/pdf/SKILL.md"


@pytest.mark.parametrize("dialect", ["cursor", "junie"])
def test_where_nothing_is_documented_nobody_guesses(dialect: str):
    folders = ("/proj/.agents/skills", "/home/.agents/skills")
    mine = "/home/.junie/skills" if dialect == "junie" else folders[1]
    lost = same(dialect, folders[0], mine).shadowed
    assert [each.rule for each in lost] == ["name-collision-undefined"]


def test_a_name_may_hold_letters_digits_and_hyphens_where_that_is_documented():
    folder = "/proj/.github/skills"
    files = {
        f"{folder}/a/SKILL.md": make_skill("-Odd--Name-", "Does it"),
        f"{folder}/b/SKILL.md": make_skill("b c", "Does it"),
    }
    found = library(files, "copilot-cli")
    assert (found.names, [r.rule for r in found.rejected]) == (
        ("-Odd--Name-",),
        ["name-invalid"],
    )


def test_a_variable_may_name_several_folders():
    files = {
        f"{folder}/{name}/SKILL.md": make_skill(name, "Does it")
        for name, folder in (("a", "/one"), ("b", "/proj/two"), ("c", "/three"))
    }
    variables = {"COPILOT_SKILLS_DIRS": "/one, two"}
    found = library(files, "copilot-cli", variables=variables)
    assert found.names == ("a", "b")


def test_a_skill_may_have_another_name_for_its_file():
    files = {"/proj/.factory/skills/pdf/skill.mdx": "---\n# nothing\n---\nRead.\n"}
    found = library(files, "factory-droid")
    assert [(skill.name, skill.description) for skill in found] == [("pdf", None)]
