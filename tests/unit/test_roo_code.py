"""Roo Code: the project above the user, modes, and a check that it demands."""

from __future__ import annotations

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
