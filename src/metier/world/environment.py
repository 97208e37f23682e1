"""Where metier runs: read once, handed on as a value."""

from __future__ import annotations

import os
from collections.abc import Mapping

from metier.core.roots import Environment, absolute_path, parents_of
from metier.world.filesystem import FileSystem

# Only these are looked at: the rest of the environment is nobody's business.
_PREFIXES = ("XDG_", "OPENCODE_", "CODEX_", "CLAUDE_", "METIER_")


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
    here = absolute_path(cwd or ".", base=os.getcwd()) if _needs_cwd(cwd) else cwd
    base = absolute_path(here or "/", base="/")
    return Environment(
        cwd=base,
        home=absolute_path(home, base=os.getcwd()) if home else _home(given),
        variables=known,
        git_root=find_git_root(base, filesystem),
    )


def _needs_cwd(cwd: str | None) -> bool:
    return cwd is None or not os.path.isabs(cwd)


def _home(variables: Mapping[str, str]) -> str | None:
    home = variables.get("HOME", "")
    return absolute_path(home, base="/") if home.startswith("/") else None


def find_git_root(path: str, filesystem: FileSystem) -> str | None:
    """The nearest folder above `path` with a `.git`, whose content is not read."""
    for folder in parents_of(path):
        if filesystem.exists(f"{folder.rstrip('/')}/.git"):
            return folder
    return None
