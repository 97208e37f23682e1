"""What a header says that its skill needs, under rules that say where to look."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from metier.core.requirements import (
    Need,
    Requirement,
    RequirementRules,
    TextMaps,
    Unmet,
    read_requirements,
    requirement_rules,
)
from metier.core.skill import Skill
from metier.errors import DialectError
from metier.world.dialects import dialect_names, load_dialect, read_dialect
from tests.making import SKILLS, dialect, library


def headed(header: str, using: str = "agentskills") -> Skill:
    """The skill of that header."""
    text = f"---\nname: pdf\ndescription: Fills\n{header}\n---\nDo it.\n"
    folder = {"agentskills": SKILLS, "shelley": "/proj/.skills"}[using]
    found = library({f"{folder}/pdf/SKILL.md": text}, using)
    return found["pdf"]


def needs(header: str, rules: RequirementRules | None = None) -> list[tuple[Any, ...]]:
    skill = headed(header)
    used = rules or requirement_rules(skill.origin.dialect)
    return [
        (each.need, each.names, each.key) for each in read_requirements(skill, used)
    ]


PROGRAMS = RequirementRules(programs=("requires.bins",))


@pytest.mark.parametrize(
    ("header", "names"),
    [
        pytest.param("requires:\n  bins: [git, jq]", ("git", "jq"), id="a list"),
        pytest.param("requires: {bins: [git, git]}", ("git",), id="twice the same"),
        pytest.param("requires:\n  bins: git, jq", ("git", "jq"), id="a text"),
        pytest.param("requires:\n  bins: git jq", ("git", "jq"), id="blanks"),
        pytest.param("requires: {bins: {git: any, jq: 2}}", ("git", "jq"), id="a map"),
        pytest.param(
            "requires: {bins: {git: {required: true}, jq: {}}}",
            ("git", "jq"),
            id="maps",
        ),
        pytest.param(
            "requires: {bins: [{name: git}, {name: jq, required: true}]}",
            ("git", "jq"),
            id="maps with names",
        ),
        pytest.param(
            "requires: {bins: [{name: git, required: false}, {x: y}, [z], '', jq]}",
            ("jq",),
            id="what is not required, or has no name",
        ),
        pytest.param("requires: {bins: ['null', 7]}", ("null", "7"), id="odd names"),
        pytest.param("requires: {bins: [python3.10]}", ("python3.10",), id="a dot"),
        pytest.param("x: &a [git]\nrequires: {bins: *a}", ("git",), id="an alias"),
        pytest.param(
            """requires: '{"bins": ["git"], "x": "\\ud83d\\udcc8", "y": [1, null]}'""",
            ("git",),
            id="JSON as a text",
        ),
        pytest.param(
            "requires: '{bins: [git],}'", ("git",), id="something like JSON as a text"
        ),
        pytest.param(
            "requires: {bins: [old]}\nrequires: {bins: [git], bins: [jq]}",
            ("jq",),
            id="the last of two",
        ),
        pytest.param('"re\\x71uires": {bins: [git]}', ("git",), id="an escape"),
        pytest.param("""'requires': {"bins":[git]}""", ("git",), id="quoted keys"),
        pytest.param("requires : {bins\t: [git]}", ("git",), id="blanks after keys"),
        pytest.param("requires: {bins\n:\n[git]}", ("git",), id="lines of their own"),
        pytest.param("requires:\n  ? bins # x\n  : [git]", ("git",), id="a comment"),
        pytest.param(
            "x: &a bins\nrequires: {*a : [git]}", ("git",), id="a key's alias"
        ),
    ],
)
def test_names_are_read_in_every_form(header: str, names: tuple[str, ...]):
    assert needs(header, PROGRAMS) == [(Need.PROGRAMS, names, "requires.bins")]


@pytest.mark.parametrize(
    "header",
    [
        pytest.param("license: MIT", id="nothing"),
        pytest.param("requires: [git]", id="a list"),
        pytest.param("requires: git and jq", id="a text"),
        pytest.param("requires:", id="nothing behind the key"),
        pytest.param("requires: {bins: }", id="nothing in it"),
        pytest.param("requires: {bins: []}", id="an empty list"),
        pytest.param("requires: {bins: [null, ~]}", id="a list of nothing"),
        pytest.param("requires: {bins: null}", id="nothing by its name"),
        pytest.param("requires: {bins: true}", id="a flag"),
        pytest.param("requires: {bins: {git: {required: false}}}", id="optional ones"),
        pytest.param("requires: {bin: [git]}", id="another key"),
        pytest.param("requires: '{bins: [git'", id="a text that is no map"),
        pytest.param("requires: '{[}'", id="a text that is nothing"),
        pytest.param("requires: '{}'", id="an empty one"),
        pytest.param(f"requires: '{'{' * 400}'", id="a deep one"),
        pytest.param("requires: {? [a] : b}", id="a key that is no text"),
        pytest.param("bins: [git]", id="the wrong place"),
        pytest.param("description2: requires bins", id="only the words"),
    ],
)
def test_where_nothing_is_said_nothing_is_needed(header: str):
    assert needs(header, PROGRAMS) == []


def test_an_agent_may_look_at_the_top_of_a_header():
    rules = RequirementRules(system=("platforms",), conditions=("when",))
    assert needs("platforms: [macos, linux]\nwhen: exe.dev", rules) == [
        (Need.SYSTEM, ("macos", "linux"), "platforms"),
        (Need.CONDITIONS, ("exe.dev",), "when"),
    ]


BLOCKS = RequirementRules(
    blocks=("metadata.new", "metadata.old"),
    programs=("metadata.new.bins", "metadata.old.bins", "bins"),
)


@pytest.mark.parametrize(
    ("metadata", "keys"),
    [
        pytest.param(
            {"new": {"bins": ["a"]}, "old": {"bins": ["b"]}},
            ["metadata.new.bins"],
            id="both",
        ),
        pytest.param({"old": {"bins": ["b"]}}, ["metadata.old.bins"], id="the second"),
        pytest.param({"new": {}, "old": {"bins": ["b"]}}, [], id="an empty first"),
        pytest.param(
            {"new": "x", "old": {"bins": ["b"]}}, ["metadata.old.bins"], id="no map"
        ),
        pytest.param({}, [], id="none"),
    ],
)
def test_of_some_blocks_the_first_counts(metadata: dict[str, Any], keys: list[str]):
    found = needs(f"metadata: {json.dumps(metadata)}\nbins: c", BLOCKS)
    assert [key for _, _, key in found] == [*keys, "bins"]


@pytest.mark.parametrize(
    ("flag", "kept"),
    [
        pytest.param("true", [Need.SYSTEM], id="set"),
        pytest.param("false", [Need.PROGRAMS, Need.SYSTEM], id="not set"),
        pytest.param("[]", [Need.PROGRAMS, Need.SYSTEM], id="no flag"),
        pytest.param('"true"', [Need.PROGRAMS, Need.SYSTEM], id="a text"),
    ],
)
def test_a_flag_waives_all_but_the_system(flag: str, kept: list[Need]):
    rules = RequirementRules(programs=("bins",), system=("os",), waived_by=("always",))
    found = needs(f"always: {flag}\nbins: git\nos: linux", rules)
    assert [need for need, _, _ in found] == kept


# --- the reading of the default dialect ---------------------------------------------


@pytest.mark.parametrize(
    ("header", "found"),
    [
        pytest.param(
            "requires: {bins: [git], anyBins: [a, b], env: [KEY], os: [linux], "
            "mcp: [github], tools: [Bash]}",
            [
                (Need.PROGRAMS, ("git",), "requires.bins"),
                (Need.ANY_PROGRAM, ("a", "b"), "requires.anyBins"),
                (Need.VARIABLES, ("KEY",), "requires.env"),
                (Need.SYSTEM, ("linux",), "requires.os"),
                (Need.SERVERS, ("github",), "requires.mcp"),
                (Need.TOOLS, ("Bash",), "requires.tools"),
            ],
            id="a map of its own",
        ),
        pytest.param(
            "metadata:\n  requires-programs: git jq\n  requires-mcp: github",
            [
                (Need.PROGRAMS, ("git", "jq"), "metadata.requires-programs"),
                (Need.SERVERS, ("github",), "metadata.requires-mcp"),
            ],
            id="as the specification has metadata: texts",
        ),
        pytest.param(
            'metadata: {"openclaw": {"os": ["darwin"], "requires": {"env": ["KEY"]}}}',
            [
                (Need.VARIABLES, ("KEY",), "metadata.openclaw.requires.env"),
                (Need.SYSTEM, ("darwin",), "metadata.openclaw.os"),
            ],
            id="a block that another agent reads",
        ),
        pytest.param(
            'metadata: {"openclaw": {"always": true, "requires": {"bins": ["git"]}}}',
            [],
            id="a block that waives what it says",
        ),
        pytest.param("compatibility: Requires git and jq", [], id="words for people"),
        pytest.param("platforms: [opencode, cursor]", [], id="the names of agents"),
    ],
)
def test_the_default_dialect_reads_what_skills_say(
    header: str, found: list[tuple[Any, ...]]
):
    assert needs(header) == found


def test_a_header_without_yaml_is_read_too():
    skill = headed("requires:\n  bins: git", "shelley")
    assert read_requirements(skill, PROGRAMS) == (
        Requirement(need=Need.PROGRAMS, names=("git",), key="requires.bins"),
    )


# --- the table of a dialect ---------------------------------------------------------


def test_an_agent_that_says_nothing_needs_nothing():
    rules = requirement_rules(dialect(requirements={}))
    assert rules == RequirementRules()
    assert (rules.unmet, list(rules.places())) == (Unmet.IGNORE, [])


@pytest.mark.parametrize("name", dialect_names())
def test_every_table_that_is_shipped_makes_sense(name: str):
    rules = requirement_rules(load_dialect(name))
    assert all(path for path, _ in rules.places())


def test_a_table_that_makes_no_sense_is_an_error(tmp_path: Path):
    with pytest.raises(DialectError, match=r"requirements\.unmet: `maybe` is none of"):
        requirement_rules(dialect(requirements={"unmet": "maybe"}))
    text = (files("metier") / "dialects" / "agentskills.toml").read_text("utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(text.replace('unmet = "warn"', 'unmet = "maybe"'))
    with pytest.raises(DialectError, match="`maybe` is none of"):
        read_dialect(str(path))


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("meta: \"{bins: ['git'],}\"", [(Need.PROGRAMS, ("git",), "meta.bins")]),
        ("meta: '{bins: [git]}'", []),
        ("meta: {bins: [git]}", [(Need.PROGRAMS, ("git",), "meta.bins")]),
        ("metabins: x", []),
    ],
)
def test_a_text_may_have_to_be_json5(header: str, found: list[tuple[Any, ...]]):
    rules = RequirementRules(programs=("meta.bins",), text_maps=TextMaps.JSON5)
    assert needs(header, rules) == found
