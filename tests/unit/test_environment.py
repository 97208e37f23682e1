from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from metier.core.roots import Environment
from metier.errors import ConfigError
from metier.testing import Link, MemoryFileSystem
from metier.world.dialects import dialect_names, load_dialect
from metier.world.environment import find_git_root, read_environment

NOTHING = MemoryFileSystem()


def test_the_environment_of_this_process(
    project: Path, home: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OPENCODE_X", "1")
    monkeypatch.setenv("PASSWORD", "secret")
    read = read_environment(NOTHING)
    assert (read.cwd, read.home) == (str(project), str(home))
    assert read.variables["OPENCODE_X"] == "1"
    assert read.variables["XDG_CONFIG_HOME"] == str(home / ".config")
    assert "PASSWORD" not in read.variables
    assert "HOME" not in read.variables


def test_everything_can_be_named():
    read = read_environment(
        NOTHING, cwd="/a/../w/", home="/h/.", variables={"CODEX_HOME": "/c", "X": "y"}
    )
    assert read == Environment(
        cwd="/w", home="/h", variables={"CODEX_HOME": "/c"}, git_root=None
    )


@pytest.mark.parametrize("name", dialect_names())
def test_every_variable_that_a_dialect_names_is_read(name: str):
    dialect = load_dialect(name)
    rules = (*dialect.roots, *((dialect.config,) if dialect.config else ()))
    named = {rule.variable for rule in rules if rule.variable is not None}
    for rule in dialect.roots:
        named |= {*rule.unless_variables, *rule.unless_given}
    given = dict.fromkeys(named, "/x")
    assert read_environment(NOTHING, cwd="/", variables=given).variables == given


def test_relative_folders_start_from_the_working_directory(project: Path):
    read = read_environment(NOTHING, cwd="a", home="../h", variables={})
    assert (read.cwd, read.home) == (str(project / "a"), str(project.parent / "h"))


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        pytest.param({"HOME": "/h/"}, "/h", id="absolute"),
        pytest.param({"HOME": "h"}, None, id="relative"),
        pytest.param({"HOME": ""}, None, id="empty"),
        pytest.param({}, None, id="not set"),
    ],
)
def test_the_home_of_a_process_is(variables: dict[str, str], expected: str | None):
    assert read_environment(NOTHING, cwd="/", variables=variables).home == expected


def test_a_home_that_is_named_replaces_the_folders_that_go_with_the_old_one():
    variables = {"HOME": "/old", "XDG_CONFIG_HOME": "/old/c", "CLAUDE_X": "1"}
    read = read_environment(NOTHING, cwd="/", home="/new", variables=variables)
    assert (read.home, read.variables) == ("/new", {"CLAUDE_X": "1"})


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("/w/repo/a/b", "/w/repo", id="above"),
        pytest.param("/w/repo", "/w/repo", id="the folder itself"),
        pytest.param("/w/repo/sub/x", "/w/repo/sub", id="the nearest"),
        pytest.param("/w/linked/x", "/w/linked", id="a link to a repository"),
        pytest.param("/w/dead/x", None, id="a link to nowhere"),
        pytest.param("/w", None, id="none"),
    ],
)
def test_the_repository_is(path: str, expected: str | None):
    files = MemoryFileSystem(
        {
            "/w/repo/.git/HEAD": "",
            "/w/repo/sub/.git": "gitdir: elsewhere",
            "/w/linked/.git": Link("/w/repo/.git"),
            "/w/dead/.git": Link("gone"),
        }
    )
    assert find_git_root(path, files) == expected
    assert read_environment(files, cwd=path, variables={}).git_root == expected
    assert files.reads == files.listings == []


def test_the_top_of_the_disk_may_be_a_repository():
    files = MemoryFileSystem({"/.git/HEAD": ""})
    assert find_git_root("/a/b", files) == "/"


@pytest.fixture
def _gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()


@pytest.mark.usefixtures("_gone")
@pytest.mark.parametrize(
    "options",
    [{}, {"cwd": "a"}, {"cwd": "/", "home": "h"}],
    ids=["no folder", "a relative folder", "a relative home"],
)
def test_a_working_directory_that_is_gone_is_told(options: dict[str, Any]):
    with pytest.raises(ConfigError, match="the working directory is gone"):
        read_environment(NOTHING, **options)


@pytest.mark.usefixtures("_gone")
def test_it_is_not_asked_for_where_it_does_not_count():
    read = read_environment(NOTHING, cwd="/w", home="/h", variables={})
    assert (read.cwd, read.home) == ("/w", "/h")
