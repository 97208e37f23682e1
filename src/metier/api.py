"""The front door: `discover`, and its async twin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import TYPE_CHECKING

from metier.core.dialect import Dialect
from metier.core.roots import Trust
from metier.engine import Engine, RootLike
from metier.library import Library
from metier.world.dialects import DEFAULT_DIALECT, load_dialect
from metier.world.environment import read_environment
from metier.world.filesystem import DiskFileSystem, FileSystem

if TYPE_CHECKING:
    from metier.core.roots import Environment
    from metier.world.trust_store import TrustStore


def discover(
    *,
    roots: Sequence[RootLike] | None = None,
    dialect: str | Dialect = DEFAULT_DIALECT,
    cwd: str | PathLike[str] | None = None,
    home: str | PathLike[str] | None = None,
    variables: Mapping[str, str] | None = None,
    filesystem: FileSystem | None = None,
    trust: Trust | TrustStore = Trust.ALL,
) -> Library:
    """The skills that an agent of this dialect has here.

    `roots` replaces the dialect's own folders; each is a path, or a path and its
    precedence. `home` replaces the home directory and the XDG folders with it,
    `variables` the environment. `trust` says which skills of a project count, a store
    stands for `Trust.STORED` with it. Nothing is cached: `library.refresh()` looks
    again.
    """
    files = filesystem or DiskFileSystem()
    engine = Engine(
        dialect=load_dialect(dialect) if isinstance(dialect, str) else dialect,
        environment=_environment(files, cwd, home, variables),
        filesystem=files,
    )
    if trust is not Trust.ALL:
        engine = _gated(engine, trust)
    return engine.discover(roots)


def _gated(engine: Engine, trust: Trust | TrustStore) -> Engine:
    from metier.runtime.trust import Gate, find_store

    gate = Gate(
        mode=trust if isinstance(trust, Trust) else Trust.STORED,
        store=find_store(engine.environment) if isinstance(trust, Trust) else trust,
        filesystem=engine.filesystem,
        environment=engine.environment,
        dialect=engine.dialect,
    )
    return replace(engine, gate=gate)


def _environment(
    files: FileSystem,
    cwd: str | PathLike[str] | None,
    home: str | PathLike[str] | None,
    variables: Mapping[str, str] | None,
) -> Environment:
    return read_environment(
        files,
        cwd=fspath(cwd) if cwd is not None else None,
        home=fspath(home) if home is not None else None,
        variables=variables,
    )


async def adiscover(
    *,
    roots: Sequence[RootLike] | None = None,
    dialect: str | Dialect = DEFAULT_DIALECT,
    cwd: str | PathLike[str] | None = None,
    home: str | PathLike[str] | None = None,
    variables: Mapping[str, str] | None = None,
    filesystem: FileSystem | None = None,
    trust: Trust | TrustStore = Trust.ALL,
) -> Library:
    """`discover`, off the event loop."""
    import asyncio

    return await asyncio.to_thread(
        discover,
        roots=roots,
        dialect=dialect,
        cwd=cwd,
        home=home,
        variables=variables,
        filesystem=filesystem,
        trust=trust,
    )
