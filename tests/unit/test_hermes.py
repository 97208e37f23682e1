"""Hermes: categories, short descriptions, lines where YAML fails, answers as JSON."""

from __future__ import annotations

import json

import pytest

from metier.errors import SkillNotFound
from metier.library import Library
from tests.making import library

ROOT = "/home/.hermes/skills"


def found(files: dict[str, str]) -> Library:
    return library({f"{ROOT}/{k}": v for k, v in files.items()}, "hermes")


@pytest.mark.parametrize(
    ("text", "name", "description"),
    [
        pytest.param("", "a", None, id="nothing"),
        pytest.param("---name: x\n--- \nb", "x", None, id="on the opener's line"),
        pytest.param("---\n- x\n---\n", "a", None, id="no map"),
        pytest.param("---\nname:\n---\n", "None", None, id="null"),
        pytest.param("---\nname: ''\n---\n", "", None, id="an empty name"),
        pytest.param("---\ndescription: 0\n---\n", "a", None, id="false"),
        pytest.param("---\ndescription: \" 'x'\"\n---\n", "a", "x", id="quotes"),
        pytest.param(
            "---\ndescription: " + "x" * 61 + "\n---\n", "a", "x" * 57 + "...", id="cut"
        ),
        pytest.param(
            "---\nname: b\ndescription: Use: 'x'\n---\n", "b", "Use: 'x", id="lines"
        ),
        pytest.param(
            "---\ndescription: 2026-02-30\n---\n", "a", "2026-02-30", id="no date"
        ),
    ],
)
def test_name_and_description(text: str, name: str, description: str | None):
    (skill,) = found({"a/SKILL.md": text})
    assert (skill.name, skill.description) == (name, description)


def test_the_list_is_in_categories_each_with_what_its_folder_says():
    skills = found(
        {
            "web/b/SKILL.md": "---\ndescription: Reads\n---\n",
            "web/a/SKILL.md": "",
            "web/DESCRIPTION.md": "---\ndescription: '\"" + "w" * 70 + "\"'\n---\n",
            "pdf/SKILL.md": "---\nname: PDF\n---\n",
            "pdf/DESCRIPTION.md": "no header",
            "SKILL.md": "---\nname: top\n---\n",
        }
    )
    text = skills.catalog().partition("<available_skills>\n")[2]
    assert text.partition("\n</available_skills>")[0] == (
        "  general:\n    - top\n  pdf:\n    - PDF\n"
        f"  web: {'w' * 70}\n    - a\n    - b: Reads"
    )


def test_what_belongs_to_a_skill_and_what_is_no_source_is_not_searched():
    skills = found(
        {
            "a/SKILL.md": "",
            "a/scripts/b/SKILL.md": "",
            "a/more/c/SKILL.md": "",
            "scripts/d/SKILL.md": "",
            "node_modules/e/SKILL.md": "",
            ".hidden/f/SKILL.md": "",
        }
    )
    assert skills.names == ("f", "a", "c", "d")


def test_two_of_a_name_stay_and_the_tool_takes_neither():
    skills = found(
        {
            "web/pdf/SKILL.md": "---\nname: x\n---\n",
            "pdf/SKILL.md": "---\nname: x\n---\n",
            "zip/SKILL.md": "---\nname: y\n---\n",
        }
    )
    assert skills.names == ("x", "x", "y")
    assert skills["zip"].name == "y"
    assert skills["web/pdf"].path == f"{ROOT}/web/pdf/SKILL.md"
    with pytest.raises(SkillNotFound) as caught:
        skills.load("x")
    answer = json.loads(str(caught.value))
    assert answer["matches"] == [f"{ROOT}/pdf/SKILL.md", f"{ROOT}/web/pdf/SKILL.md"]
    with pytest.raises(SkillNotFound) as caught:
        skills.load('no "such"')
    answer = json.loads(str(caught.value))
    assert answer["error"] == "Skill 'no \"such\"' not found."
    assert answer["available_skills"] == ["x", "x", "y"]


def test_the_tool_answers_with_a_record():
    text = "---\nname: x\ndescription: d\ntags: a, b\n---\r\nIn ${HERMES_SKILL_DIR}.\n"
    skills = found({"web/pdf/SKILL.md": text, "web/pdf/references/r.md": ""})
    answer = json.loads(skills.load("pdf").output)
    folder = f"{ROOT}/web/pdf"
    assert answer["content"] == (
        f"---\nname: x\ndescription: d\ntags: a, b\n---\nIn {folder}.\n"
    )
    assert answer["tags"] == ["a", "b"]
    assert answer["related_skills"] == []
    assert answer["path"] == "web/pdf/SKILL.md"
    assert answer["linked_files"] == {"references": ["references/r.md"]}
    assert "compatibility" not in answer


def test_its_configuration_names_more_folders_of_which_its_own_come_first():
    config = "skills:\n  external_dirs: [../more, /else]\n"
    files = {
        f"{ROOT}/a/SKILL.md": "",
        "/home/.hermes/config.yaml": config,
        "/home/more/a/SKILL.md": "",
        "/else/b/SKILL.md": "",
    }
    skills = library(files, "hermes")
    assert [each.path for each in skills] == [
        f"{ROOT}/a/SKILL.md",
        "/else/b/SKILL.md",
    ]
    assert [each.skill.path for each in skills.shadowed] == ["/home/more/a/SKILL.md"]


def test_without_a_home_there_is_no_configuration():
    skills = library({}, "hermes")
    assert (skills.names, skills.notes) == ((), ())
