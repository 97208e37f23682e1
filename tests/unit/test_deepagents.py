"""deepagents: texts as Python writes them, a list with parts, folders of a project."""

from __future__ import annotations

import pytest

from metier.library import Library
from metier.testing import Link
from tests.making import library

ROOT = "/home/.agents/skills"
FILE = "---\nname: {}\ndescription: {}\n---\nDo it.\n"


def only(header: str) -> Library:
    return library({f"{ROOT}/a/SKILL.md": f"---\n{header}\n---\n"}, "deepagents")


@pytest.mark.parametrize(
    ("header", "name", "description"),
    [
        ("name: ~\ndescription: yes", "None", "True"),
        ("name: [a, 1.50]\ndescription: {b: ~}", "['a', 1.5]", "{'b': None}"),
        ("name: ' a '\ndescription: ' b '", "a", "b"),
        ("name: a\ndescription: " + "b" * 1025, "a", "b" * 1024),
    ],
)
def test_name_and_description(header: str, name: str, description: str):
    (skill,) = only(header)
    assert (skill.name, skill.description) == (name, description)


@pytest.mark.parametrize(
    ("header", "rule"),
    [
        ("name: ' '\ndescription: b", "name-empty"),
        ("name: a", "description-missing"),
        ("- a", "frontmatter-not-a-map"),
        ("name: a: b", "yaml-invalid"),
    ],
)
def test_what_is_rejected(header: str, rule: str):
    skills = only(header)
    assert [each.rule for each in skills.rejected] == [rule]
    assert skills.aborted_by is None


def test_a_date_that_is_none_stops_the_agent():
    skills = library(
        {
            f"{ROOT}/a/SKILL.md": FILE.format("a", "2026-02-30"),
            f"{ROOT}/b/SKILL.md": FILE.format("b", "d"),
        },
        "deepagents",
    )
    assert skills.names == ()
    assert skills.aborted_by is not None
    assert skills.aborted_by.rule == "yaml-value"


def test_folders_of_a_project_count_in_a_repository_only():
    files = {
        "/proj/.agents/skills/a/SKILL.md": FILE.format("a", "project"),
        f"{ROOT}/a/SKILL.md": FILE.format("a", "user"),
        "/home/.claude/skills/b/SKILL.md": FILE.format("b", "claude"),
    }
    outside = library(files, "deepagents")
    assert [each.description for each in outside] == ["user", "claude"]
    inside = library(files, "deepagents", folders=["/proj/.git"])
    assert [each.description for each in inside] == ["project", "claude"]


def test_folders_come_in_the_order_of_their_paths_and_linked_files_do_not():
    skills = library(
        {
            f"{ROOT}/a/SKILL.md": FILE.format("one", "d"),
            f"{ROOT}/a-b/SKILL.md": FILE.format("two", "d"),
            f"{ROOT}/c/SKILL.md": Link(f"{ROOT}/a/SKILL.md"),
            f"{ROOT}/SKILL.md": FILE.format("three", "d"),
        },
        "deepagents",
    )
    assert skills.names == ("two", "one")
    assert [each.rule for each in skills.rejected] == ["link-ignored"]


def test_the_list_has_annotations_tools_and_folders():
    header = (
        "name: a\ndescription: d\nlicense: ~\ncompatibility: 3.10\n"
        'allowed-tools: [" b ", 1, c]'
    )
    text = only(header).catalog()
    assert f"**User Agents Skills**: `{ROOT}` (higher priority)\n\n" in text
    assert (
        "- **a**: d (License: None, Compatibility: 3.1)\n"
        "  -> Allowed tools: b, c\n"
        f"  -> Read `{ROOT}/a/SKILL.md` for full instructions\n\n"
    ) in text
    empty = library({}, "deepagents", folders=["/home/.claude/skills"]).catalog()
    assert (
        "(No skills available yet. You can create skills in /home/.claude/skills)"
    ) in empty


def test_optional_fields_are_cut_and_split():
    long = "c" * 501
    (skill,) = only(
        f"name: a\ndescription: d\ncompatibility: {long}\nallowed-tools: b,c  d"
    )
    assert skill.fields["compatibility"] == "c" * 500
    assert skill.fields["allowed_tools"] == ("b", "c", "d")


def test_a_person_hands_over_the_whole_file():
    skills = library({f"{ROOT}/a/SKILL.md": FILE.format("a", "d")}, "deepagents")
    invoked = skills.invoke("/skill:a now")
    assert invoked is not None
    assert invoked.output == (
        "I'm invoking the skill `a`. Below are the full instructions from the skill's "
        "SKILL.md file. Follow these instructions to complete the task.\n\n"
        "---\n---\nname: a\ndescription: d\n---\nDo it.\n\n---\n\n**User request:** now"
    )
