"""Which agents a machine has: their programs, and the folders that they keep."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from posixpath import join
from typing import NamedTuple

from metier.core.dialect import Host
from metier.core.roots import Environment, absolute_path
from metier.world.filesystem import FileSystem


class Traces(NamedTuple):
    """What there is of one agent, as absolute paths; nothing is run to find it."""

    programs: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()


def find_traces(
    host: Host,
    environment: Environment,
    filesystem: FileSystem,
    *,
    search_path: Sequence[str],
) -> Traces:
    """The programs of an agent on the search path, and its folders in the home."""
    folders = (_home_folder(each, environment) for each in host.folders)
    return Traces(
        tuple(_programs(host.programs, search_path)),
        tuple(path for path in folders if path and filesystem.is_directory(path)),
    )


def _programs(names: Sequence[str], search_path: Sequence[str]) -> Iterator[str]:
    """The first program of each name: the one that a shell would start."""
    for name in names:
        paths = (join(folder, name) for folder in search_path)
        yield from _first(path for path in paths if is_program(path))


def _first(paths: Iterator[str]) -> Iterator[str]:
    for path in paths:
        yield path
        return


def is_program(path: str) -> bool:
    """Whether a shell would start what is at `path`."""
    return os.path.isfile(path) and os.access(path, os.X_OK)


_CONFIG = ".config/"


def _home_folder(folder: str, environment: Environment) -> str | None:
    config = environment.variables.get("XDG_CONFIG_HOME", "")
    if config and folder.startswith(_CONFIG):
        base = absolute_path(config, base=environment.cwd)
        return join(base, folder.removeprefix(_CONFIG))
    return environment.home and join(environment.home, folder)
