"""Kimi CLI: flat files, folders of other brands, scopes as headings."""

from __future__ import annotations

import pytest

from metier.library import Library
from metier.testing import Content
from tests.making import library

ROOT = "/proj/.kimi/skills"


def found(files: dict[str, Content], **variables: str) -> Library:
    return library(files, "kimi-cli", variables=variables)


@pytest.mark.parametrize(
    ("text", "name", "description"),
    [
        pytest.param("", "a", "No description provided.", id="nothing"),
        pytest.param("---\n---\n \n---\n# T\n", "a", "# T", id="no fields"),
        pytest.param("---\nname: 0\ndescription: []\n---\nb", "a", "b", id="false"),
        pytest.param("---\nname: x\n b", "a", "name: x", id="no closer"),
        pytest.param("---\n name: x\n\n ---\nb", "x", "b", id="blanks around"),
        pytest.param("a" * 241, "a", "a" * 239 + "\u2026", id="a long line"),
        pytest.param("---\ntype: 0\n---\nb", "a", "b", id="no type"),
    ],
)
def test_name_and_description(text: str, name: str, description: str):
    (skill,) = found({f"{ROOT}/a/SKILL.md": text})
    assert (skill.name, skill.description) == (name, description)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("---\n# a comment\n---\n", "frontmatter-not-a-map"),
        ("---\nname: 1\n---\n", "name-not-text"),
        ("---\ntype: other\n---\n", "field-no-choice"),
        ("---\ntype: [flow]\n---\n", "field-no-choice"),
        ("---\na: b: c\n---\n", "yaml-invalid"),
    ],
)
def test_what_is_rejected(text: str, rule: str):
    skills = found({f"{ROOT}/a/SKILL.md": text, f"{ROOT}/b/SKILL.md": ""})
    assert [(each.path, each.rule) for each in skills.rejected] == [
        (f"{ROOT}/a/SKILL.md", rule)
    ]
    assert skills.names == ("b",)


def test_a_file_is_a_skill_too_by_its_name_but_for_one():
    skills = found(
        {
            f"{ROOT}/a.b.MD": "flat",
            f"{ROOT}/Skill.md": "a marker",
            f"{ROOT}/x.md/SKILL.md": "in a folder",
            f"{ROOT}/y.txt": "no skill",
        }
    )
    assert [(each.name, each.description) for each in skills] == [
        ("a.b", "flat"),
        ("x.md", "in a folder"),
    ]
    assert skills.rejected == ()


def test_of_one_name_in_any_case_the_last_folder_of_the_first_root_counts():
    skills = found(
        {
            f"{ROOT}/a/SKILL.md": "---\nname: PDF\n---\n",
            f"{ROOT}/b/SKILL.md": "---\nname: pdf\n---\n",
            f"{ROOT}/c.md": "---\nname: Pdf\n---\n",
            "/proj/.claude/skills/pdf/SKILL.md": "",
        }
    )
    assert [each.path for each in skills] == [f"{ROOT}/b/SKILL.md"]
    assert skills["pDF"].name == "pdf"


def test_of_two_flat_files_with_one_name_the_first_counts():
    text = "---\nname: x\n---\n"
    skills = found({f"{ROOT}/a.md": text, f"{ROOT}/b.md": text})
    assert [each.path for each in skills] == [f"{ROOT}/a.md"]


def test_a_folder_that_is_no_utf8_stops_the_agent_and_a_flat_file_does_not():
    flat = found({f"{ROOT}/a.md": b"\xff", f"{ROOT}/b/SKILL.md": ""})
    assert (flat.names, flat.aborted_by) == (("b",), None)
    stopped = found({f"{ROOT}/a/SKILL.md": b"\xff", f"{ROOT}/b/SKILL.md": ""})
    assert stopped.names == ()
    assert stopped.aborted_by is not None
    assert stopped.aborted_by.rule == "text-not-utf8"


def test_the_list_has_the_scopes_as_headings():
    skills = found(
        {
            "/home/.agents/skills/b/SKILL.md": "of the user",
            "/home/.config/agents/skills/c/SKILL.md": "more of the user",
            f"{ROOT}/a/SKILL.md": "of the project",
            "/share/plugins/d/SKILL.md": "of a plugin",
        },
        KIMI_SHARE_DIR="/share",
    )
    text = skills.catalog()
    start = text.index("### ")
    assert text[start : text.index("\n\n## How to")] == (
        f"### Project\n- a\n  - Path: {ROOT}/a/SKILL.md\n"
        "  - Description: of the project\n\n"
        "### User\n- c\n  - Path: /home/.config/agents/skills/c/SKILL.md\n"
        "  - Description: more of the user\n\n"
        "### Extra\n- d\n  - Path: /share/plugins/d/SKILL.md\n"
        "  - Description: of a plugin"
    )
    assert "\n\nNo skills found.\n\n## How" in found({}).catalog()


def test_a_person_asks_with_a_prefix_and_says_more():
    skills = found({f"{ROOT}/a/SKILL.md": "\n# A\r\n\r\n"})
    assert skills.invocations("/a") == ()
    invoked = skills.invoke("/skill:a do it")
    assert invoked is not None
    assert invoked.output == "# A\n\nUser request:\ndo it"
