"""fast-agent: three folders, the last above the others, and what stands beside."""

from __future__ import annotations

from metier.testing import Link
from tests.making import library

FILE = "---\nname: {}\ndescription: Does it & more\n---\n\n Do it. \n"


def test_the_last_folder_counts_in_any_case_and_takes_the_place_it_has():
    found = library(
        {
            "/proj/.fast-agent/skills/a/SKILL.md": FILE.format("PDF"),
            "/proj/.agents/skills/b/SKILL.md": FILE.format("zip"),
            "/proj/.claude/skills/c/SKILL.md": FILE.format("pdf"),
        },
        "fast-agent",
    )
    assert [skill.path for skill in found.skills] == [
        "/proj/.agents/skills/b/SKILL.md",
        "/proj/.claude/skills/c/SKILL.md",
    ]
    assert [lost.rule for lost in found.shadowed] == ["last-wins"]


def test_a_variable_says_where_its_own_folder_is():
    found = library(
        {
            "/other/skills/a/SKILL.md": FILE.format("a"),
            "/proj/.fast-agent/skills/b/SKILL.md": FILE.format("b"),
        },
        "fast-agent",
        variables={"FAST_AGENT_HOME": "/other"},
    )
    assert found.names == ("a",)


def test_two_folders_that_are_one_are_read_once():
    found = library(
        {
            "/proj/.agents/skills/a/SKILL.md": FILE.format("a"),
            "/proj/.claude/skills": Link("../.agents/skills"),
        },
        "fast-agent",
    )
    assert [skill.path for skill in found.skills] == ["/proj/.agents/skills/a/SKILL.md"]
    assert [lost.rule for lost in found.shadowed] == ["same-file"]


def test_the_catalog_names_the_folders_that_are_there():
    found = library(
        {
            "/proj/.agents/skills/a/SKILL.md": FILE.format("it's"),
            "/proj/.agents/skills/a/scripts/x.py": "",
            "/proj/.agents/skills/a/assets/y.png": "",
            "/proj/.agents/skills/a/other/z": "",
        },
        "fast-agent",
    )
    assert found.catalog().partition("<available_skills>\n")[2] == (
        "<skill>\n"
        "  <name>it&#x27;s</name>\n"
        "  <description>Does it &amp; more</description>\n"
        "  <location>/proj/.agents/skills/a/SKILL.md</location>\n"
        "  <directory>/proj/.agents/skills/a</directory>\n"
        "  <scripts>/proj/.agents/skills/a/scripts</scripts>\n"
        "  <assets>/proj/.agents/skills/a/assets</assets>\n"
        "</skill>\n"
        "</available_skills>"
    )


def test_the_model_reads_the_file_as_it_is():
    text = FILE.format("a")
    found = library({"/proj/.agents/skills/a/SKILL.md": text}, "fast-agent")
    assert found.load("a").output == text


def test_a_key_that_the_library_needs_for_itself_costs_the_skill():
    text = FILE.format("a").replace("\n---\n\n", "\ncontent: x\n---\n\n")
    found = library({"/proj/.agents/skills/a/SKILL.md": text}, "fast-agent")
    assert [lost.rule for lost in found.rejected] == ["key-reserved"]


def test_fields_are_texts_or_nothing():
    lines = (
        "license: ' MIT '\ncompatibility: 1.0\nallowed-tools: [a]\nmetadata: {1: no}"
    )
    text = FILE.format("a").replace("\n---\n\n", f"\n{lines}\n---\n\n")
    (skill,) = library({"/proj/.agents/skills/a/SKILL.md": text}, "fast-agent").skills
    assert skill.fields == {
        "license": "MIT",
        "compatibility": None,
        "allowed_tools": None,
        "metadata": {"1": "False"},
    }
