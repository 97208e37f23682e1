"""Roots, skills, rejections, dialects and libraries, made for a test in one call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from metier.api import discover
from metier.core.dialect import Dialect
from metier.core.roots import Root, Scope
from metier.core.skill import Origin, Rejection, Skill
from metier.diagnostics import Diagnostic, Severity
from metier.library import Library
from metier.testing import Content, MemoryFileSystem
from metier.world.dialects import load_dialect
from tests.conformance.loading import altered_dialect

CWD, HOME = "/proj", "/home"
# Where the default dialect looks first.
SKILLS = "/proj/.agents/skills"


def dialect(name: str = "agentskills", **changes: Any) -> Dialect:
    """A shipped dialect, with some of the tables of its file changed."""
    return altered_dialect(name, **changes) if changes else load_dialect(name)


def root(
    path: str = "/r",
    *,
    precedence: int = 0,
    select: str = "default",
    axis: str = "",
    scope: Scope = Scope.PROJECT,
    base: str = "",
) -> Root:
    return Root(
        path=path,
        base=base,
        scope=scope,
        precedence=precedence,
        select=select,
        axis=axis or "roots[0]",
    )


def skill(
    name: str,
    description: str | None = "Does it",
    *,
    path: str | None = None,
    precedence: int = 0,
    is_hidden: bool = False,
    scope: Scope = Scope.PROJECT,
) -> Skill:
    return Skill(
        name,
        description,
        path or f"/r/{name}/SKILL.md",
        Origin(root(precedence=precedence, scope=scope), load_dialect("agentskills")),
        "",
        is_hidden,
    )


def rejection(path: str, *severities: Severity, name: str | None = None) -> Rejection:
    """A file that broke the rule `yaml-invalid`, once with each severity."""
    found = tuple(
        Diagnostic(rule="yaml-invalid", severity=each, message=f"bad {path}")
        for each in severities or (Severity.ERROR,)
    )
    origin = Origin(root(), load_dialect("agentskills"))
    return Rejection(path, origin, "yaml-invalid", found, name)


def library(
    files: Mapping[str, Content] | MemoryFileSystem,
    using: str | Dialect = "agentskills",
    *,
    folders: Iterable[str] = (),
    variables: Mapping[str, str] | None = None,
    **options: Any,
) -> Library:
    """What an agent in `/proj` with its home in `/home` has, in memory."""
    memory = files if isinstance(files, MemoryFileSystem) else MemoryFileSystem(files)
    for folder in (CWD, HOME, *folders):
        memory.make_folder(folder)
    return discover(
        dialect=using,
        cwd=CWD,
        home=HOME,
        variables=variables or {},
        filesystem=memory,
        **options,
    )
