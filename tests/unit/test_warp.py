"""Warp: folders of eleven agents, files without a header, copies that count once."""

from __future__ import annotations

import pytest

from tests.making import library

FILE = "---\nname: pdf\ndescription: {}\n---\n\nDo it.\n"
PATH = "/proj/.warp/skills/folder/SKILL.md"


def test_copies_in_the_folders_of_several_agents_are_one_skill():
    copied = FILE.format("copied")
    found = library(
        {
            "/proj/.claude/skills/pdf/SKILL.md": copied,
            "/proj/.agents/skills/doc/SKILL.md": copied,
            "/proj/.kiro/skills/pdf/SKILL.md": FILE.format("other"),
            "/home/.claude/skills/pdf/SKILL.md": copied,
            "/given/pdf/SKILL.md": copied,
        },
        "warp",
        variables={"WARP_SKILL_DIRS": "/given"},
    )
    assert [each.path for each in found.skills] == [
        "/home/.claude/skills/pdf/SKILL.md",
        "/proj/.agents/skills/doc/SKILL.md",
        "/proj/.kiro/skills/pdf/SKILL.md",
        "/given/pdf/SKILL.md",
    ]
    assert [(each.skill.path, each.rule) for each in found.shadowed] == [
        ("/proj/.claude/skills/pdf/SKILL.md", "same-content")
    ]


def test_long_files_are_compared_to_their_ends():
    long = FILE.format("d") + "x" * 20_000
    found = library(
        {
            "/proj/.agents/skills/a/SKILL.md": long,
            "/proj/.warp/skills/a/SKILL.md": f"{long}y",
            "/proj/.claude/skills/a/SKILL.md": long,
        },
        "warp",
    )
    assert [each.root.path for each in found.skills] == [
        "/proj/.agents/skills",
        "/proj/.warp/skills",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("---\nname: ' pdf '\ndescription: d \n---\nb", ("pdf", "d")),
        ("---\nname: 12\ndescription: d\n---\nb", ("folder", "d")),
        ("---\nname: !x pdf\n---\n# A\n\nb\nc\n\nd", ("folder", "b c")),
        ("---\nname: pdf\n---", ("folder", "--- name: pdf ---")),
        ("# A\r\n\r\nb\r\nc\r\n", ("folder", "b c")),
        ("---\n- a\n---\nb", ("folder", "b")),
        ("---\ndescription: '  '\n---\n", ("folder", "")),
        ("---\nx: 1\n---\n" + "One. " * 200, ("folder", ("One. " * 102).strip())),
        ("---\nx: 1\n---\n" + "one " * 200, ("folder", ("one " * 128).strip())),
    ],
)
def test_what_a_skill_is_called_and_said_to_be(text: str, told: tuple[str, str]):
    (skill,) = library({PATH: text}, "warp").skills
    assert (skill.name, skill.description) == told


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("---\na: b\na: c\n---\n", "key-duplicate"),
        ("---\na: [\n---\n", "yaml-invalid"),
        ("---\na: 18446744073709551616\n---\n", "yaml-invalid"),
        (b"\xff", "text-not-utf8"),
    ],
)
def test_what_is_no_skill(text: str | bytes, rule: str):
    found = library({PATH: text}, "warp")
    assert [each.rule for each in found.rejected] == [rule]


def test_the_model_gets_the_whole_file_and_metier_knows_no_list():
    found = library({PATH: FILE.format("d")}, "warp")
    assert (found.catalog(), found.load("pdf").output) == ("", FILE.format("d"))
