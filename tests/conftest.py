"""Every test stands in a world of its own: nobody's home, nobody's settings."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from pathlib import Path

# What decides where an agent looks and what it may do, and what the terminal is told.
HOST_PREFIXES = (
    "AGENTS_",
    "BATUTA_",
    "BRUTUS_",
    "CLAUDE_",
    "CODEX_",
    "GEMINI_",
    "METIER_",
    "OPENCODE_",
    "OPI_",
    "SHELLEY_",
    "XDG_",
)
TERMINAL = frozenset(
    (
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "COLUMNS",
        "FORCE_COLOR",
        "LINES",
        "NO_COLOR",
        "TERM",
    )
)

settings.register_profile(
    # The same examples in every run, few enough for the whole suite to stay under four
    # minutes on two cores; no deadline, because a busy machine is no bug.
    "default",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=60,
)
settings.register_profile(
    # For a night: `make test ARGS="--hypothesis-profile=soak tests/property"`.
    "soak",
    deadline=None,
    max_examples=20_000,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("default")


@pytest.fixture
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder beside `tmp_path`, holding only the empty `home` and `project`."""
    folder = tmp_path_factory.mktemp("world")
    (folder / "home").mkdir()
    (folder / "project").mkdir()
    return folder


@pytest.fixture
def home(world: Path) -> Path:
    """The home folder of this test."""
    return world / "home"


@pytest.fixture
def project(world: Path) -> Path:
    """The folder in which this test runs."""
    return world / "project"


@pytest.fixture(autouse=True)
def _isolated(home: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith(HOST_PREFIXES) or name in TERMINAL:
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / ".cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / ".local" / "share"))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / ".local" / "state"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.chdir(project)
