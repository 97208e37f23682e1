"""The environment of a program: nothing that was not asked for."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from metier.core.execution import Backend, Confinement
from metier.core.redaction import secrets_in
from metier.world.visibility import is_visible


def build_environment(
    names: Iterable[str],
    settings: Mapping[str, str],
    *,
    scratch: str,
    cwd: str,
    confinement: Confinement,
    backend: Backend,
) -> dict[str, str]:
    """The variables of `names` as they are here, those of `settings`, and three more.

    `HOME` and `TMPDIR` are the folder to write to, unless they were asked for.
    """
    made = {"HOME": scratch, "TMPDIR": scratch, "PWD": cwd}
    made.update({name: os.environ[name] for name in names if name in os.environ})
    if "PATH" in made:
        made["PATH"] = _clean_path(made["PATH"], confinement, backend)
    made.update(settings)
    return made


def _clean_path(path: str, confinement: Confinement, backend: Backend) -> str:
    """The folders that are there for the program.

    A relative one would be the project's to fill; one that a sandbox hides has
    programs that are found and cannot be run.
    """
    folders = [each for each in path.split(os.pathsep) if os.path.isabs(each)]
    if backend is not Backend.NONE:
        folders = [each for each in folders if is_visible(each, confinement)]
    return os.pathsep.join(dict.fromkeys(folders))


def known_secrets(settings: Mapping[str, str]) -> frozenset[str]:
    """What this process knows, or a program was given, and nobody should read."""
    return secrets_in(os.environ) | secrets_in(settings)
