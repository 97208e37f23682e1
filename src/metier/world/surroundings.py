"""What this machine has of what a skill may need, asked when somebody wants to know."""

from __future__ import annotations

import os
import sys
from collections.abc import Container, Iterable, Mapping
from posixpath import join

from metier.core.surroundings import Surroundings
from metier.world.environment import read_search_path
from metier.world.hosts import is_program


def read_surroundings(
    *,
    variables: Mapping[str, str] | None = None,
    system: str | None = None,
    servers: Iterable[str] | None = None,
    tools: Iterable[str] | None = None,
    settings: Iterable[str] | None = None,
    conditions: Iterable[str] | None = None,
) -> Surroundings:
    """The search path, the variables and the system of this process.

    `variables` replaces its environment, and the search path with it. The others are
    what only the agent knows: of those that are left out, nothing is concluded.
    """
    given = os.environ if variables is None else variables
    return Surroundings(
        system=system or sys.platform,
        programs=SearchPath(read_search_path(given)),
        variables=SetVariables(given),
        servers=_names(servers),
        tools=_names(tools),
        settings=_names(settings),
        conditions=_names(conditions),
    )


def _names(given: Iterable[str] | None) -> Container[str] | None:
    return None if given is None else frozenset(given)


class SearchPath:
    """The programs in some folders, each looked for once."""

    def __init__(self, folders: Iterable[str]) -> None:
        self._folders = tuple(folders)
        self._known: dict[str, bool] = {}

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        if name not in self._known:
            self._known[name] = self._find(name)
        return self._known[name]

    def _find(self, name: str) -> bool:
        # A name with a slash would lead out of the folders: no skill gets to ask that.
        if name in ("", ".", "..") or "/" in name or "\0" in name:
            return False
        return any(is_program(join(folder, name)) for folder in self._folders)


class SetVariables:
    """The names of the variables that hold something; what they hold, nobody asks."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and bool(self._variables.get(name))
