"""Whether what a skill needs is there, and how that is told."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from metier.core.requirements import Need, Requirement, SystemNames
from metier.core.surroundings import (
    Standing,
    Surroundings,
    judge_requirements,
    standing_of,
)
from metier.diagnostics import Severity
from metier.world.surroundings import SearchPath, SetVariables, read_surroundings

HERE = Surroundings(
    system="linux",
    programs={"git", "jq"},
    variables={"KEY"},
    servers={"github"},
    tools={"Bash"},
    settings={"browser.enabled"},
    conditions={"exe.dev"},
)
NOWHERE = Surroundings(
    system="win32",
    programs=(),
    variables=(),
    servers=(),
    tools=(),
    settings=(),
    conditions=(),
)


def need(kind: Need, *names: str) -> Requirement:
    return Requirement(need=kind, names=names, key="k")


@pytest.mark.parametrize(
    ("required", "standing"),
    [
        pytest.param(need(Need.PROGRAMS, "git", "jq"), Standing.MET, id="all"),
        pytest.param(need(Need.PROGRAMS, "git", "rg"), Standing.UNMET, id="not all"),
        pytest.param(need(Need.ANY_PROGRAM, "rg", "jq"), Standing.MET, id="one"),
        pytest.param(need(Need.ANY_PROGRAM, "rg", "ag"), Standing.UNMET, id="none"),
        pytest.param(need(Need.VARIABLES, "KEY"), Standing.MET, id="a variable"),
        pytest.param(need(Need.VARIABLES, "key"), Standing.UNMET, id="another one"),
        pytest.param(need(Need.SERVERS, "github"), Standing.MET, id="a server"),
        pytest.param(need(Need.SERVERS, "rube"), Standing.UNMET, id="no server"),
        pytest.param(need(Need.TOOLS, "Bash"), Standing.MET, id="a tool"),
        pytest.param(need(Need.TOOLS, "Bash", "Read"), Standing.UNMET, id="no tool"),
        pytest.param(need(Need.NO_TOOLS, "Read"), Standing.MET, id="not needless"),
        pytest.param(
            need(Need.NO_TOOLS, "Read", "Bash"), Standing.UNMET, id="needless"
        ),
        pytest.param(need(Need.SETTINGS, "browser.enabled"), Standing.MET, id="on"),
        pytest.param(need(Need.SETTINGS, "voice.enabled"), Standing.UNMET, id="off"),
        pytest.param(need(Need.CONDITIONS, "exe.dev"), Standing.MET, id="it holds"),
        pytest.param(need(Need.CONDITIONS, "mars"), Standing.UNMET, id="it does not"),
        pytest.param(need(Need.SYSTEM, "linux"), Standing.MET, id="this system"),
        pytest.param(need(Need.SYSTEM, "darwin"), Standing.UNMET, id="another system"),
    ],
)
def test_what_is_needed_is_there_or_not(required: Requirement, standing: Standing):
    assert standing_of(required, HERE, SystemNames.COMMON) is standing
    unknown = standing_of(required, Surroundings(), SystemNames.COMMON)
    assert unknown is Standing.UNKNOWN


MET, UNMET, UNKNOWN = Standing.MET, Standing.UNMET, Standing.UNKNOWN


@pytest.mark.parametrize(
    ("words", "system", "common", "node", "python"),
    [
        (("linux",), "linux", MET, MET, MET),
        (("Linux",), "linux", MET, UNMET, MET),
        (("macos",), "darwin", MET, UNMET, MET),
        (("darwin",), "darwin", MET, MET, MET),
        (("OSX", "Windows"), "win32", MET, UNMET, MET),
        (("windows",), "linux", UNMET, UNMET, UNMET),
        (("win32", "linux"), "darwin", UNMET, UNMET, UNMET),
        (("opencode",), "linux", UNKNOWN, UNMET, UNMET),
        (("opencode", "linux"), "linux", MET, MET, MET),
        (("opencode", "darwin"), "linux", UNMET, UNMET, UNMET),
        (("freebsd",), "freebsd14", MET, UNMET, MET),
        (("lin",), "linux", UNKNOWN, UNMET, MET),
    ],
)
def test_systems_have_many_names(
    words: tuple[str, ...],
    system: str,
    common: Standing,
    node: Standing,
    python: Standing,
):
    here = Surroundings(system=system)
    required = need(Need.SYSTEM, *words)
    found = [standing_of(required, here, names) for names in SystemNames]
    assert found == [common, node, python]


@pytest.mark.parametrize(
    ("required", "message", "help"),
    [
        (
            need(Need.PROGRAMS, "git"),
            "the program `git` is not on the search path",
            "install it",
        ),
        (
            need(Need.PROGRAMS, "a", "b"),
            "the programs `a`, `b` are not on the search path",
            "install it",
        ),
        (
            need(Need.ANY_PROGRAM, "a", "b"),
            "the programs `a`, `b` are not on the search path",
            "install one of them",
        ),
        (
            need(Need.VARIABLES, "KEY"),
            "the variable `KEY` is not set",
            "set it in the environment",
        ),
        (
            need(Need.SERVERS, "rube"),
            "the MCP server `rube` is not connected",
            "connect it",
        ),
        (need(Need.TOOLS, "Bash"), "the tool `Bash` is not there", None),
        (
            need(Need.SETTINGS, "a.b"),
            "the setting `a.b` is not switched on",
            "switch it on",
        ),
        (need(Need.CONDITIONS, "mars"), "the condition `mars` is not met", None),
        (
            need(Need.SYSTEM, "linux", "darwin"),
            "the systems `linux`, `darwin` are another one than `win32`",
            None,
        ),
    ],
)
def test_what_is_missing_is_told(required: Requirement, message: str, help: str | None):
    (found,) = judge_requirements([required], NOWHERE)
    assert (found.rule, found.severity, found.message, found.help) == (
        "requirement-unmet",
        Severity.WARNING,
        f"`k`: {message}",
        help,
    )


def test_what_is_there_is_not_told():
    assert judge_requirements([need(Need.PROGRAMS, "git")], HERE) == ()


def test_only_what_is_missing_is_named():
    required = [need(Need.PROGRAMS, "git", "rg"), need(Need.NO_TOOLS, "Read", "Bash")]
    assert [each.message for each in judge_requirements(required, HERE)] == [
        "`k`: the program `rg` is not on the search path",
        "`k`: the tool `Bash` is there, which makes the skill needless",
    ]


def test_what_nobody_has_told_is_no_verdict():
    required = [need(Need.SERVERS, "rube", "github"), need(Need.SYSTEM, "opencode")]
    here = Surroundings(system="linux")
    found = judge_requirements(required, here)
    assert [(each.rule, each.severity, each.message) for each in found] == [
        (
            "requirement-unknown",
            Severity.INFO,
            "`k`: nobody has told whether the MCP servers `rube`, `github` are there",
        ),
        (
            "requirement-unknown",
            Severity.INFO,
            "`k`: nobody has told whether the system `opencode` is there",
        ),
    ]


def test_a_name_of_a_skill_cannot_mislead_a_terminal():
    (found,) = judge_requirements([need(Need.PROGRAMS, "a\x1b[2J\nb" * 40)], NOWHERE)
    assert found.message.isprintable()
    assert len(found.message) < 200


# --- this machine -------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a program, and with what is none."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "git"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / "bin" / "notes").write_text("Notes.")
    (tmp_path / "bin" / "lib").mkdir()
    (tmp_path / "outside").write_text("#!/bin/sh\n")
    (tmp_path / "outside").chmod(0o755)
    return tmp_path / "bin"


@pytest.mark.parametrize(
    ("name", "is_there"),
    [
        ("git", True),
        ("jq", False),
        ("notes", False),
        ("lib", False),
        ("../outside", False),
        ("", False),
        (".", False),
        ("..", False),
        ("a\0b", False),
        ("\udcff", False),
        ("x" * 5000, False),
    ],
)
def test_a_program_is_one_in_a_folder_of_the_search_path(
    folder: Path, name: str, is_there: bool
):
    path = SearchPath([str(folder)])
    assert [name in path, name in path] == [is_there] * 2


def test_what_is_no_name_is_nowhere(folder: Path):
    nothing: Any = 7
    assert nothing not in SearchPath([str(folder)])
    assert nothing not in SetVariables({"7": "x"})


def test_the_surroundings_are_those_of_the_process(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}relative")
    monkeypatch.setenv("KEY", "secret")
    monkeypatch.setenv("EMPTY", "")
    around = read_surroundings()
    assert around.system == sys.platform
    assert around.programs is not None
    assert around.variables is not None
    assert [each in around.programs for each in ("git", "jq")] == [True, False]
    names = ("KEY", "EMPTY", "NONE")
    assert [each in around.variables for each in names] == [True, False, False]
    assert "secret" not in repr(around)


def test_what_only_the_agent_knows_has_to_be_told():
    around = read_surroundings(
        variables={}, system="plan9", servers=["github"], tools=["Bash"]
    )
    assert around == Surroundings(
        system="plan9",
        programs=around.programs,
        variables=around.variables,
        servers=frozenset(["github"]),
        tools=frozenset(["Bash"]),
    )
    assert read_surroundings(settings=["a"], conditions=["b"]).settings == {"a"}
