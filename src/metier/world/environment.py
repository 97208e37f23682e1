"""Where metier runs: read once, handed on as a value."""

from __future__ import annotations

import os
from collections.abc import Mapping

from metier.core.roots import Environment, absolute_path, parents_of
from metier.errors import ConfigError
from metier.world.filesystem import FileSystem

# Only these are looked at: the rest of the environment is nobody's business.
_PREFIXES = (
    "XDG_",
    "METIER_",
    "CLAUDE_",
    "CLINE_",
    "CODEX_",
    "COPILOT_SKILLS_DIRS",
    "CRUSH_",
    "FAST_AGENT_",
    "GEMINI_CLI_HOME",
    "GOOSE_",
    "HERMES_",
    "LETTA_",
    "MEMORY_DIR",
    "OH_",
    "OPENCLAW_",
    "KILO_",
    "KIMI_",
    "OPENCODE_",
    "PI_CODING_AGENT_DIR",
    "QWEN_HOME",
    "VIBE_",
    "WARP_",
)


def read_environment(
    filesystem: FileSystem,
    *,
    cwd: str | None = None,
    home: str | None = None,
    variables: Mapping[str, str] | None = None,
) -> Environment:
    """The environment of this process, with what the caller states instead."""
    given = os.environ if variables is None else variables
    known = {k: v for k, v in given.items() if k.startswith(_PREFIXES)}
    if home is not None:
        # A home that the caller names replaces the folders that go with the old one.
        known = {k: v for k, v in known.items() if not k.startswith("XDG_")}
    base = _absolute(cwd or ".")
    return Environment(
        cwd=base,
        home=_absolute(home) if home else _home(given),
        variables=known,
        git_root=find_git_root(base, filesystem),
    )


def read_search_path(variables: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The folders in which programs are looked for; relative ones are nobody's."""
    given = os.environ if variables is None else variables
    folders = given.get("PATH", "").split(os.pathsep)
    return tuple(dict.fromkeys(each for each in folders if os.path.isabs(each)))


def _absolute(path: str) -> str:
    # The working directory may be gone: it is asked for only where it counts.
    if os.path.isabs(path):
        return absolute_path(path, base="/")
    try:
        return absolute_path(path, base=os.getcwd())
    except OSError as error:
        message = "the working directory is gone; name one with `--cwd`"
        raise ConfigError(message) from error


def _home(variables: Mapping[str, str]) -> str | None:
    home = variables.get("HOME", "")
    return absolute_path(home, base="/") if home.startswith("/") else None


def find_git_root(path: str, filesystem: FileSystem) -> str | None:
    """The nearest folder above `path` with a `.git`, whose content is not read."""
    for folder in parents_of(path):
        if filesystem.exists(f"{folder.rstrip('/')}/.git"):
            return folder
    return None
