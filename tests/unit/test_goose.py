"""Goose: the first folder counts, what stands before a fence is lost."""

from __future__ import annotations

import pytest

from metier.core.filling import prepare_values, render_appendix, render_template
from metier.core.substitution import substitution_of
from metier.core.templates import parse_template
from metier.world.dialects import load_dialect
from tests.making import library

FILE = "---\nname: pdf\ndescription: {}\n---\n\nDo it.\n"
PATH = "/proj/.agents/skills/pdf/SKILL.md"


def test_the_first_of_its_folders_counts():
    paths = (
        "/proj/.agents/skills",
        "/proj/.goose/skills",
        "/proj/.claude/skills",
        "/home/.agents/skills",
        "/home/.config/goose/skills",
        "/home/.claude/skills",
        "/home/.config/agents/skills",
    )
    for start, path in enumerate(paths):
        files = {f"{each}/a/b/SKILL.md": FILE.format(each) for each in paths[start:]}
        found = library(files, "goose")
        assert [each.description for each in found.skills] == [path]


def test_a_variable_moves_the_folder_of_the_user():
    given = {"GOOSE_PATH_ROOT": "/g", "XDG_CONFIG_HOME": "/x"}
    files = {
        "/g/config/skills/pdf/SKILL.md": FILE.format("moved"),
        "/x/goose/skills/pdf/SKILL.md": FILE.format("not looked at"),
    }
    found = library(files, "goose", variables=given)
    assert [each.description for each in found.skills] == ["moved"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("text --- name: a --- b", ("a", "", "b")),
        ("\n---\nname: 1\ndescription: ~\n---\n b --- c \n", ("1", "~", "b --- c")),
        ("---\nname: a b\ndescription:\n---\n", ("a b", "", "")),
        ("---\nname: a\nmetadata: {x: [1]}\n---\n", ("a", "", "")),
    ],
)
def test_what_is_a_skill(text: str, told: tuple[str, str, str]):
    found = library({PATH: text}, "goose")
    (skill,) = found.skills
    body = found.read_body(skill)
    assert (skill.name, skill.description or "", body) == told


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("---\nname: a/b\n---\n", "name-invalid"),
        ("---\nname: ~\n---\n", "name-empty"),
        ("---\ndescription: d\n---\n", "name-missing"),
        ("---\nname: a\ndescription: b --- c\n---\n", None),
        ("---\nname: a\ndescription: [b]\n---\n", "description-not-text"),
        ("---\nname: a\nmetadata: [b]\n---\n", "field-not-a-map"),
        ("---\nname: a\nmetadata: {b: !c d}\n---\n", "field-not-text"),
        ("---\nname: a\nname: b\n---\n", "key-duplicate"),
        ("---\nname: a\n", "frontmatter-unclosed"),
    ],
)
def test_what_is_none(text: str, rule: str | None):
    found = library({PATH: text}, "goose")
    assert [each.rule for each in found.rejected] == ([rule] if rule else [])


def test_the_model_gets_the_files_beside_the_skill_with_the_call_for_each():
    files = {PATH: FILE.format("Reads"), "/proj/.agents/skills/pdf/a/b.md": "x"}
    found = library(files, "goose")
    assert found.catalog() == (
        "\n\nYou have these skills at your disposal, when it is clear they can help "
        "you solve a problem or you are asked to use them:\n• pdf - Reads"
    )
    assert found.load("pdf").output == (
        "# Loaded Skill: pdf (skill)\n\nReads\n\n## Content\n\nDo it.\n"
        "\n## Supporting Files\n\nSkill directory: /proj/.agents/skills/pdf\n\n"
        '- a/b.md → load_skill(name: "pdf/a/b.md")\n'
    )


@pytest.mark.parametrize(
    ("body", "arguments", "expected"),
    [
        ("Run $ARGUMENTS now.", "a 'b c'", "Run a 'b c' now."),
        ("$1|$ARGUMENTS[0]|$2|$9|$0", "x 'y z'", "x|x|y z||"),
        ("$from to $to $other", "a b", "a to b $other"),
        ("$from", "don't", "don't"),
        ("static", "a b", "static\n\nARGUMENTS: a b"),
        ("$ARGUMENTSX $ARGUMENTS[a]", "b", "$ARGUMENTSX b[a]"),
    ],
)
def test_what_is_filled_in(body: str, arguments: str, expected: str):
    rule = substitution_of(load_dialect("goose"))
    template = parse_template(body, rule, names=("from", "to"))
    values, problem = prepare_values(template, rule, arguments, {})
    filled = render_template(template, values)
    appendix = render_appendix(template, rule, arguments)
    assert (filled + appendix, problem) == (expected, None)
