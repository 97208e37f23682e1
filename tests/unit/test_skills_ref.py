"""skills-ref: the strict reading of the specification, for folders that are named."""

from __future__ import annotations

import pytest

from metier.library import Library
from tests.making import library


def found(header: str, folder: str = "pdf") -> Library:
    path = f"/skills/{folder}/SKILL.md"
    text = f"---\n{header}\n---\n\n Do it. \n"
    return library({path: text}, "skills-ref", roots=["/skills"])


GOOD = "name: pdf\ndescription: Reads it"


@pytest.mark.parametrize(
    ("header", "rule"),
    [
        (f"{GOOD}\nversion: 1", "key-unknown"),
        (f"{GOOD}\nmetadata: {{a: b}}", "yaml-invalid"),
        (f"{GOOD}\nmetadata: &a", "yaml-invalid"),
        (f"{GOOD}\nmetadata: !!str a", "yaml-invalid"),
        (f"{GOOD}\nlicense: a\nlicense: b", "key-duplicate"),
        (f"{GOOD}\nmetadata:\n  ? - a\n  : b", "yaml-invalid"),
        (f"{GOOD}\nmetadata:\n  a:\n    b: c\n  d:\n      e: f", "yaml-invalid"),
        (f"{GOOD}\n<<: a", "yaml-invalid"),
        (f"{GOOD}\n<<:\n  - a", "yaml-invalid"),
        (f"{GOOD}\ncompatibility: {'x' * 501}", "compatibility-too-long"),
        (f"{GOOD}\ncompatibility:\n  a: b", "field-misfit"),
        (f"{GOOD}\ncompatibility: =", "field-misfit"),
        ("- name", "frontmatter-not-a-map"),
        ("name: pdf", "description-missing"),
        ("name: pdf\ndescription: <<", "description-not-text"),
        ("name: pdf\ndescription: ' '", "description-empty"),
        (f"name: pdf\ndescription: |\n  {'x' * 1024}", "description-too-long"),
        ("name: PDF\ndescription: a", "name-invalid"),
        ("name: p_f\ndescription: a", "name-invalid"),
        ("name: zip\ndescription: a", "name-not-directory"),
        (f"name: {'ﬃ' * 22}\ndescription: a", "name-too-long"),
    ],
)
def test_what_it_complains_about(header: str, rule: str):
    assert [lost.rule for lost in found(header).rejected] == [rule]


def test_everything_is_a_text_and_merges_are_dropped():
    header = (
        f"{GOOD}\ncompatibility: 1.0\nlicense: ~\nallowed-tools: Bash(git *) Read\n"
        "<<:\n  name: zip\nmetadata:\n  version: 1.50\n  list:\n    - yes\n  : empty"
    )
    (skill,) = found(header).skills
    assert (skill.name, skill.fields) == (
        "pdf",
        {
            "license": "~",
            "compatibility": "1.0",
            "allowed_tools": ("Bash(git", "*)", "Read"),
            "metadata": {"version": "1.50", "list": "['yes']", "": "empty"},
        },
    )


@pytest.mark.parametrize(
    ("name", "folder"),
    [("ﬁ", "fi"), ("u\u0308ber", "über"), ("技能", "技能"), ("' pdf '", "pdf")],
)
def test_names_are_compared_once_composed(name: str, folder: str):
    (skill,) = found(f"name: {name}\ndescription: a", folder).skills
    assert skill.name == name.strip("' ")


def test_only_a_line_feed_ends_a_line():
    header = "name: pdf\ndescription: a\x85b \u2028c"
    assert [skill.description for skill in found(header).skills] == ["a b\u2028c"]


def test_without_folders_there_is_nothing():
    skills = library({"/proj/.agents/skills/a/SKILL.md": GOOD}, "skills-ref")
    assert (skills.roots, skills.names) == ((), ())
    assert skills.catalog() == "<available_skills>\n</available_skills>"


def test_the_catalog_escapes_all_but_the_place():
    (text,) = (found("name: pdf\ndescription: it's <b>", "pdf").catalog(),)
    assert text == (
        "<available_skills>\n<skill>\n<name>\npdf\n</name>\n"
        "<description>\nit&#x27;s &lt;b&gt;\n</description>\n"
        "<location>\n/skills/pdf/SKILL.md\n</location>\n</skill>\n</available_skills>"
    )
