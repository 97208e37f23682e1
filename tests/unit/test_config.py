from __future__ import annotations

from dataclasses import replace

import pytest

from metier.core.roots import Config, ConfigRule, Environment
from metier.diagnostics import Diagnostic, Severity
from metier.testing import Content, Link, MemoryFileSystem, Special, make_skill
from metier.world.config import load_config
from tests.making import dialect, library

PATH = "/proj/.opencode/config.yaml"
RULE = dialect("brutus").config
HERE = Environment(cwd="/proj", home="/home")
OFF = "disable_claude_paths"


def load(content: Content, rule: ConfigRule | None = RULE) -> Config:
    """What a configuration file without mistakes says."""
    assert rule
    config, found = load_config(rule, HERE, MemoryFileSystem({PATH: content}))
    assert found == ()
    return config


def mistake(content: Content) -> str:
    """The one finding about a configuration that says nothing, for it is broken."""
    assert RULE
    config, (found,) = load_config(RULE, HERE, MemoryFileSystem({PATH: content}))
    assert config == Config()
    assert found == Diagnostic(
        rule="config-invalid",
        severity=Severity.WARNING,
        message=found.message,
        path=PATH,
    )
    return found.message


@pytest.mark.parametrize(
    ("content", "is_set"),
    [
        ("skill: {disable_claude_paths: true}", True),
        ("skill:\n  disable_claude_paths: yes\n", True),
        ("skill: {disable_claude_paths: false}", False),
        ("skill: {disable_claude_paths: }", False),
        ("skill: {disable_claude_paths: [true]}", False),
        ("skill: {other: true}", False),
        ("disable_claude_paths: true", False),
        ("x: &x {disable_claude_paths: true}\nskill: *x", True),
        ("x: &x true\nskill: {disable_claude_paths: *x}", True),
    ],
)
def test_a_flag_is_set_where_the_section_says_so(content: str, is_set: bool):
    assert (OFF in load(content).flags) is is_set


@pytest.mark.parametrize(
    ("value", "paths"),
    [
        pytest.param("[/a, b, ~/c]", ("/a", "b", "~/c"), id="a list"),
        pytest.param("\n    - /a\n    - [b]\n    - c", ("/a", "c"), id="texts only"),
        pytest.param("/a", ("/a",), id="one text"),
        pytest.param("'~'", ("~",), id="the home, quoted"),
        pytest.param("", (), id="nothing"),
        pytest.param("null", (), id="null"),
        pytest.param("~", (), id="null, as YAML writes it"),
        pytest.param("{a: b}", (), id="a map"),
        pytest.param("[&a /a, *a]", ("/a", "/a"), id="an alias"),
    ],
)
def test_additional_paths_are(value: str, paths: tuple[str, ...]):
    content = f"skill:\n  additional_paths: {value}\n"
    assert load(content) == Config(extra_paths=paths)


@pytest.mark.parametrize(
    "content",
    ["", "# nothing\n", "text", "[a, b]", "skill:", "skill: [a]", "1: 2", "[a]: b"],
)
def test_a_file_about_something_else_says_nothing(content: str):
    assert load(content) == Config()


def test_additional_paths_may_be_an_alias():
    content = "x: &x [/a]\nskill: {additional_paths: *x}"
    assert load(content) == Config(extra_paths=("/a",))


def test_a_dialect_without_additional_paths_has_none():
    rule = ConfigRule(path=".opencode/config.yaml", section="skill")
    assert load("skill: {additional_paths: [/a], '': [/b]}", rule) == Config()


def test_no_file_says_nothing():
    assert RULE
    assert load_config(RULE, HERE, MemoryFileSystem()) == (Config(), ())


@pytest.mark.parametrize(
    ("content", "beginning"),
    [
        pytest.param("skill: [", "not valid YAML: ", id="not YAML"),
        pytest.param(b"skill: \xff", "not valid YAML: ", id="not UTF-8"),
        pytest.param(Special(), "not a regular file", id="a pipe"),
        pytest.param(Link("config.yaml"), "too many levels of", id="a loop"),
        pytest.param("#" * 65_537, "larger than 65,536 bytes", id="too large"),
    ],
)
def test_a_broken_file_is_told_and_ignored(content: Content, beginning: str):
    message = mistake(content)
    assert message.startswith(f"the configuration is ignored: {beginning}")


def test_a_path_that_cannot_be_is_told_and_the_others_are_used():
    assert RULE
    content = r'skill: {additional_paths: ["a\0b", /c]}'
    config, found = load_config(RULE, HERE, MemoryFileSystem({PATH: content}))
    assert config == Config(extra_paths=("/c",))
    assert [each.rule for each in found] == ["config-invalid"]
    assert "`a\\x00b` is no path" in found[0].message


# --- what becomes of it -------------------------------------------------------------

FILES: dict[str, Content] = {
    "/proj/.claude/skills/a/SKILL.md": make_skill("a", "In the project"),
    "/home/.claude/skills/b/SKILL.md": make_skill("b", "In the home"),
    "/proj/.opencode/skill/c/SKILL.md": make_skill("c", "The agent's own"),
    "/proj/more/d/SKILL.md": make_skill("d", "Relative"),
    "/home/more/e/SKILL.md": make_skill("e", "Below the home"),
    "/share/f/SKILL.md": make_skill("f", "Absolute"),
}


@pytest.mark.parametrize(
    ("config", "names"),
    [
        pytest.param(None, "a b c", id="no file"),
        pytest.param("skill: {disable_claude_paths: true}", "c", id="switched off"),
        pytest.param(
            "skill: {additional_paths: [more, ~/more, /share]}",
            "a b c d e f",
            id="more of them",
        ),
        pytest.param(
            "skill: {disable_claude_paths: true, additional_paths: [/share]}",
            "c f",
            id="both",
        ),
        pytest.param("skill: [", "a b c", id="a broken file"),
    ],
)
def test_the_configuration_decides_what_there_is(config: str | None, names: str):
    files = FILES | ({PATH: config} if config else {})
    assert library(files, "brutus").names == tuple(names.split())


def test_a_broken_configuration_is_noted_in_the_library():
    found = library({PATH: "skill: ["}, "brutus")
    assert [(note.rule, note.path) for note in found.notes] == [
        ("config-invalid", PATH)
    ]


def test_an_additional_path_that_is_not_there_is_noted():
    found = library({PATH: "skill: {additional_paths: [gone]}"}, "brutus")
    assert ("folder-unreadable", "/proj/gone") in [
        (note.rule, note.path) for note in found.notes
    ]


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("skills: {off: [a, ' b ', [c], 1]}", {"a", "b", "1"}),
        ("skills: {off: a b}", {"a b"}),
        ("skills: {off: }", set[str]()),
        ("skills: {on: [a]}", set[str]()),
    ],
)
def test_skills_are_switched_off_by_their_names(content: str, names: set[str]):
    assert RULE
    rule = replace(RULE, section="skills", disabled="off")
    assert load(content, rule).disabled == names
    assert load(content, replace(rule, disabled=None)).disabled == set()
