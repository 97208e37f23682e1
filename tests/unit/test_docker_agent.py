"""docker-agent: a grammar of its own, folders from far to near, the last one counts."""

from __future__ import annotations

import pytest

from tests.making import library

FILE = "---\nname: pdf\ndescription: {}\n---\n\nDo it.\n"


def test_the_nearest_folder_of_the_project_counts():
    paths = (
        "/home/.codex/skills/a/b/pdf",
        "/home/.claude/skills/pdf",
        "/home/.agents/skills/a/pdf",
        "/proj/.claude/skills/pdf",
        "/proj/.agents/skills/pdf",
    )
    for end in range(1, len(paths) + 1):
        files = {f"{path}/SKILL.md": FILE.format(path) for path in paths[:end]}
        found = library(files, "docker-agent")
        assert [each.description for each in found.skills] == [paths[end - 1]]


@pytest.mark.parametrize(
    "path",
    [
        "/home/.claude/skills/a/pdf/SKILL.md",
        "/proj/.agents/skills/a/pdf/SKILL.md",
        "/proj/.agents/skills/.pdf/SKILL.md",
        "/home/.codex/skills/.system/pdf/SKILL.md",
        "/proj/.agents/skills/SKILL.md",
    ],
)
def test_where_it_does_not_look(path: str):
    assert library({path: FILE.format("d")}, "docker-agent").skills == ()


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("---\n---\n", "host-panics"),
        ("---\nname: a\ndescription: d\nallowed-tools: !!str b\n---\n", "host-panics"),
        ("---\nname: a\ndescription: {b: c}\n---\n", "description-not-text"),
        ("---\nname: a\ndescription: d\nlicense: [MIT]\n---\n", "field-not-text"),
        ("---\nname: a\ndescription: d\nname: b\n---\n", "key-duplicate"),
        ("---\nname: a\n---\n", "description-missing"),
        ("---\nname:\ndescription: d\n---\n", "name-empty"),
        ("---\n1: a\nname: a\ndescription: d\n---\n", "name-missing"),
    ],
)
def test_what_is_no_skill(text: str, rule: str):
    found = library({"/proj/.agents/skills/a/SKILL.md": text}, "docker-agent")
    assert [each.rule for each in found.rejected] == [rule]


@pytest.mark.parametrize(
    ("header", "fields"),
    [
        ("name: 0x10\ndescription: a\tb", ("16", "ab", ())),
        (
            "name: a\ndescription: 1.50\nallowed-tools: x y, z",
            ("a", "1.5", ("x y", "z")),
        ),
        ("name: a\ndescription: >-\n  b\n  c", ("a", "b\nc", ())),
        ("name: a\ndescription: >-\n  b\n  cd", ("a", "b cd", ())),
        ("name: a\ndescription: |-\n  b \nallowed-tools: [x]", ("a", "b", ("x",))),
    ],
)
def test_its_grammar_has_slips(header: str, fields: tuple[object, ...]):
    path = "/proj/.agents/skills/a/SKILL.md"
    found = library({path: f"---\n{header}\n---\n"}, "docker-agent")
    (skill,) = found.skills
    tools = skill.fields["allowed_tools"]
    assert (skill.name, skill.description, tools) == fields


def test_the_model_is_told_of_names_and_gets_the_file():
    path = "/proj/.agents/skills/pdf/SKILL.md"
    found = library({path: FILE.format("Reads <PDF>")}, "docker-agent")
    assert found.catalog().endswith(
        "<available_skills>\n  <skill>\n    <name>pdf</name>\n"
        "    <description>Reads <PDF></description>\n  </skill>\n</available_skills>"
    )
    assert found.load("pdf").output == FILE.format("Reads <PDF>")


def test_a_person_gets_the_whole_file_in_other_words_than_the_model():
    text = FILE.format("d")
    skills = library({"/proj/.agents/skills/pdf/SKILL.md": text}, "docker-agent")
    assert skills.load("pdf").output == text
    invoked = skills.invoke("/pdf  fill\nthis ")
    assert invoked is not None
    assert invoked.output == (
        "Use the following skill.\n\nUser's request: fill\nthis\n\n"
        f'<skill name="pdf">\n{text}\n</skill>'
    )
    bare = skills.invoke("/pdf")
    assert bare is not None
    assert bare.output == (
        f'Use the following skill.\n\n<skill name="pdf">\n{text}\n</skill>'
    )
    assert skills.invoke("/usr/bin is broken") is None
