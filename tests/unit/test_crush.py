"""Crush: the alphabet decides, and a header is a struct with types."""

from __future__ import annotations

import pytest

from tests.making import library

FILE = "---\nname: pdf\ndescription: {}\n---\n\n Do <it>.\n"


def test_the_folder_that_is_last_in_the_alphabet_counts_whosever_it_is():
    files = {
        "/proj/.agents/skills/pdf/SKILL.md": FILE.format("shared"),
        "/proj/.Crush/skills/pdf/SKILL.md": FILE.format("nobody looks there"),
        "/proj/.claude/skills/pdf/SKILL.md": FILE.format("of the project"),
        "/home/.claude/skills/pdf/SKILL.md": FILE.format("of the user"),
    }
    found = library(files, "crush")
    assert [each.description for each in found.skills] == ["of the project"]
    lower = {path.replace("/home/", "/zoe/"): text for path, text in files.items()}
    assert [
        each.description
        for each in library(
            lower, "crush", variables={"CRUSH_SKILLS_DIR": "/zoe"}
        ).skills
    ] == ["of the user"]


def test_a_variable_stands_for_all_folders_of_the_user():
    found = library(
        {
            "/home/.config/crush/skills/pdf/SKILL.md": FILE.format("a"),
            "/home/.agents/skills/pdf/SKILL.md": FILE.format("b"),
            "/given/pdf/SKILL.md": FILE.format("c"),
        },
        "crush",
        variables={"CRUSH_SKILLS_DIR": "/given"},
    )
    assert [root.path for root in found.roots] == ["/given"]


@pytest.mark.parametrize(
    ("folder", "header", "rule"),
    [
        ("PDF", "name: pdf\ndescription: d", None),
        ("Pdf", "name: pDF\ndescription: d", None),
        ("doc", "name: pdf\ndescription: d", "name-not-directory"),
        ("pdf", "name: pdf\ndescription: ''", "description-empty"),
        ("pdf", f"name: pdf\ndescription: {'字' * 341}", None),
        ("pdf", f"name: pdf\ndescription: {'字' * 342}", "description-too-long"),
        ("pdf", "name: pdf\ndescription: d\nmetadata: {a: [b]}", "field-not-text"),
        ("pdf", "name: pdf\ndescription: d\nmetadata: {a: 1}", None),
        ("pdf", "name: pdf\ndescription: d\nuser-invocable: 'true'", "field-not-flag"),
        (
            "pdf",
            f"name: pdf\ndescription: d\ncompatibility: {'é' * 251}",
            "compatibility-too-long",
        ),
    ],
)
def test_what_counts_as_a_skill(folder: str, header: str, rule: str | None):
    path = f"/proj/.crush/skills/{folder}/SKILL.md"
    found = library({path: f"---\n{header}\n---\n"}, "crush")
    rules = [each.rule for each in found.rejected]
    assert rules == ([rule] if rule else [])


def test_a_person_may_ask_for_a_skill_that_says_so_only():
    found = library(
        {
            "/proj/.crush/skills/a/SKILL.md": "---\nname: a\ndescription: d\n---\n",
            "/proj/.crush/skills/b/SKILL.md": (
                "---\nname: b\ndescription: d\nuser-invocable: yes\n---\n"
            ),
        },
        "crush",
    )
    assert [each.name for each in found.invocable] == ["b"]


def test_the_catalog_and_what_is_handed_over_are_escaped():
    path = "/proj/.crush/skills/pdf/SKILL.md"
    found = library({path: FILE.format("Reads <PDF> & 'more'")}, "crush")
    description = "Reads &lt;PDF&gt; &amp; &apos;more&apos;"
    listed = (
        "<available_skills>\n  <skill>\n    <name>pdf</name>\n"
        f"    <description>{description}</description>\n"
        f"    <location>{path}</location>\n  </skill>\n</available_skills>\n\n"
        "<skills_usage>\n"
    )
    assert found.catalog().startswith(listed)
    assert found.load("pdf").output == (
        "<loaded_skill>\n  <name>pdf</name>\n"
        f"  <description>{description}</description>\n"
        f"  <location>{path}</location>\n"
        "  <instructions>\nDo &lt;it&gt;.\n  </instructions>\n</loaded_skill>"
    )
