"""Roo Code: the project above the user, modes, and a check that it demands."""

from __future__ import annotations

import pytest

from tests.making import library

FILE = "---\nname: pdf\ndescription: ' {}. '\n---\n\nDo it.\n"


def test_the_project_is_above_the_user_and_its_own_folder_above_the_shared_one():
    found = library(
        {
            "/proj/.agents/skills/pdf/SKILL.md": FILE.format("shared"),
            "/proj/.roo/skills/pdf/SKILL.md": FILE.format("own"),
            "/home/.roo/skills/pdf/SKILL.md": FILE.format("user"),
        },
        "roo-code",
    )
    assert [skill.path for skill in found.skills] == ["/proj/.roo/skills/pdf/SKILL.md"]


def test_a_skill_of_the_mode_is_above_one_for_all_modes():
    found = library(
        {
            "/home/.agents/skills-code/pdf/SKILL.md": FILE.format("for code"),
            "/home/.roo/skills/pdf/SKILL.md": FILE.format("for all"),
        },
        "roo-code",
    )
    assert [skill.description for skill in found.skills] == ["for code."]


def test_what_the_model_gets_names_the_source_and_the_description():
    path = "/home/.roo/skills/pdf/SKILL.md"
    found = library({path: FILE.format("Reads <PDF>")}, "roo-code")
    assert found.load("pdf").output == (
        "Skill: pdf\nDescription: Reads <PDF>.\nSource: global\n\n"
        "--- Skill Instructions ---\n\nDo it."
    )
    item = (
        "  <skill>\n    <name>pdf</name>\n"
        "    <description>Reads &lt;PDF&gt;.</description>\n"
        f"    <location>{path}</location>\n  </skill>\n</available_skills>\n"
    )
    assert item in found.catalog()


@pytest.mark.parametrize(
    ("header", "is_there"),
    [
        ("modeSlugs: [architect, code]", True),
        ("modeSlugs: [architect, ask]", False),
        ("modeSlugs: [Code]", False),
        ("modeSlugs: []", True),
        ("modeSlugs: [1, '', [architect]]", True),
        ("modeSlugs: [1, code]", True),
        ("modeSlugs: architect", True),
        ("mode: architect", False),
        ("mode: code", True),
        ("mode: ''", True),
        ("mode: [architect]", True),
        ("mode: 1", True),
        ("mode: architect\nmodeSlugs: []", True),
        ("mode: architect\nmodeSlugs: [code]", True),
        ("mode: code\nmodeSlugs: [ask]", False),
        ("mode: ask\nmodeSlugs: code", False),
        ("mode: &x ask\nmodeSlugs: [*x]", False),
    ],
)
def test_a_skill_may_be_for_other_modes(header: str, is_there: bool):
    text = f"---\nname: pdf\ndescription: d\n{header}\n---\n"
    for folder in ("skills", "skills-code"):
        found = library({f"/proj/.roo/{folder}/pdf/SKILL.md": text}, "roo-code")
        assert len(found.skills) == is_there
        lost = [(each.rule, each.diagnostics[-1].message) for each in found.rejected]
        message = "it is for `architect`, `ask` alone"
        if "architect, ask" in header:
            assert lost == [("mode-other", message)]
        assert {rule for rule, _ in lost} <= {"mode-other"}


def test_a_skill_for_other_modes_takes_the_place_of_none():
    found = library(
        {
            "/proj/.roo/skills/pdf/SKILL.md": FILE.replace(
                "---\n\n", "mode: ask\n---\n"
            ),
            "/home/.roo/skills/pdf/SKILL.md": FILE.format("user"),
        },
        "roo-code",
    )
    assert [skill.description for skill in found.skills] == ["user."]
