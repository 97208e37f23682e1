"""Hermes: categories, short descriptions, lines where YAML fails, answers as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from metier.api import discover
from metier.errors import SkillNotFound
from metier.library import Library
from metier.runtime.policy import RunPolicy
from tests.inserting import OPEN
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


@pytest.mark.parametrize("listed", ["[a, ' x ', 3]", "x"])
def test_its_configuration_switches_skills_off(listed: str):
    skills = library(
        {
            f"{ROOT}/a/SKILL.md": "---\nname: a b\n---\n",
            f"{ROOT}/b/SKILL.md": "---\nname: x\n---\n",
            f"{ROOT}/c/SKILL.md": "---\nname: y\n---\n",
            "/home/.hermes/config.yaml": f"skills: {{disabled: {listed}}}\n",
        },
        "hermes",
    )
    is_list = listed.startswith("[")
    assert [each.name for each in skills.offered] == ["a b", "y"][is_list:]
    assert [each.name for each in skills.invocable] == ["a b", "y"]
    (account,) = skills.why("x")
    because = "`disabled` in the configuration switches it off"
    assert (account.rule, account.because) == ("skill-disabled", because)
    answer = {
        "success": False,
        "error": "Skill 'x' is disabled. Enable it with `hermes skills` or inspect the "
        "files directly on disk.",
    }
    assert json.loads(skills.tool().call({"name": "x"}).output) == answer
    with pytest.raises(SkillNotFound) as caught:
        skills.load("b")
    assert json.loads(str(caught.value)) == answer
    # Its folder alone is called like that: it is not in the list, and can be had.
    assert json.loads(skills.tool().call({"name": "a"}).output)["name"] == "a b"


def test_without_a_home_there_is_no_configuration():
    skills = library({}, "hermes")
    assert (skills.names, skills.notes) == ((), ())


def content(body: str, folder: Path, policy: RunPolicy | None = OPEN) -> str:
    """What the tool hands over of a skill with this body, and a file `data`."""
    skill = folder / ".hermes" / "skills" / "x"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text(body)
    (skill / "data").write_text("data\r\n\n")
    skills = discover(dialect="hermes", cwd=folder, home=folder, variables={})
    return json.loads(skills.load("x", policy=policy).output)["content"]


def test_without_a_policy_a_command_stays_as_it_is_written(tmp_path: Path):
    body = "---\ntags: !`date`\n---\n!`touch ran`"
    assert content(body, tmp_path, None) == body
    assert not list(tmp_path.rglob("ran"))


@pytest.mark.parametrize(
    ("command", "said"),
    [
        pytest.param("cat data", "data", id="in the folder of the skill"),
        pytest.param("\xa0cat data\u2003", "data", id="blanks around it"),
        pytest.param(" ", "", id="nothing"),
        pytest.param("echo ' a '; echo b >&2", " a ", id="both"),
        pytest.param("echo; echo b >&2; exit 3", "b", id="only stderr"),
        pytest.param("echo a; exit 3", "a", id="a failure"),
        pytest.param("printf 'a\\rb'", "a\nb", id="line ends"),
        pytest.param(
            "printf 'é%.0s' $(seq 4001)", "é" * 4000 + "...[truncated]", id="too long"
        ),
        pytest.param(
            "printf '\\377'",
            "[inline-shell error: 'utf-8' codec can't decode byte 0xff in position 0: "
            "invalid start byte]",
            id="no text",
        ),
    ],
)
def test_under_a_policy_commands_are_run(tmp_path: Path, command: str, said: str):
    body = f"---\ntags: !`echo a`\n---\n\\!`{command}`.\n```\n!`a\nb`\n```\n"
    expected = f"---\ntags: a\n---\n\\{said}.\n```\n!`a\nb`\n```\n"
    assert content(body, tmp_path) == expected
