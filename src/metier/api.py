"""The front door: `discover`, and its async twin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import TYPE_CHECKING

from metier.core.dialect import Dialect
from metier.core.roots import Trust
from metier.engine import Engine, RootLike
from metier.errors import ConfigError
from metier.library import Library
from metier.world.dialects import DEFAULT_DIALECT, dialect_names, load_dialect
from metier.world.environment import read_environment
from metier.world.filesystem import DiskFileSystem, FileSystem

if TYPE_CHECKING:
    from metier.core.requirements import Unmet
    from metier.core.roots import Environment
    from metier.core.surroundings import Surroundings
    from metier.difference import Difference
    from metier.matrix import Matrix
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
    unmet: Unmet | None = None,
    surroundings: Surroundings | None = None,
) -> Library:
    """The skills that an agent of this dialect has here.

    `roots` replaces the dialect's own folders; each is a path, or a path and its
    precedence. `home` replaces the home directory and the XDG folders with it,
    `variables` the environment. `trust` says which skills of a project count, a store
    stands for `Trust.STORED` with it. `unmet` says what becomes of a skill that needs
    what is not there, `surroundings` what there is; without them, an agent that hides
    such skills does. Nothing is cached: `library.refresh()` looks again.
    """
    files = filesystem or DiskFileSystem()
    engine = Engine(
        dialect=load_dialect(dialect) if isinstance(dialect, str) else dialect,
        environment=_environment(files, cwd, home, variables),
        filesystem=files,
    )
    if trust is not Trust.ALL:
        engine = _gated(engine, trust)
    library = engine.discover(roots)
    if unmet or surroundings or _hides_unmet(engine.dialect):
        return library.equipped(surroundings or _around(variables), unmet=unmet)
    return library


def _hides_unmet(dialect: Dialect) -> bool:
    return dialect.requirements.values.get("unmet") == "hide"


def _around(variables: Mapping[str, str] | None) -> Surroundings | None:
    if variables is None:
        return None
    from metier.world.surroundings import read_surroundings

    return read_surroundings(variables=variables)


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
    unmet: Unmet | None = None,
    surroundings: Surroundings | None = None,
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
        unmet=unmet,
        surroundings=surroundings,
    )


def compare(
    *,
    dialects: Iterable[str | Dialect] | None = None,
    roots: Sequence[RootLike] | None = None,
    cwd: str | PathLike[str] | None = None,
    home: str | PathLike[str] | None = None,
    variables: Mapping[str, str] | None = None,
    filesystem: FileSystem | None = None,
) -> Matrix:
    """What becomes of each skill file here in each agent; without names, in all.

    The other arguments are those of `discover`. Each file is read once.
    """
    from metier.comparison import build_matrix
    from metier.sharing import SharedScan

    files = filesystem or DiskFileSystem()
    columns = distinct_dialects(dialect_names() if dialects is None else dialects)
    scan = SharedScan(_environment(files, cwd, home, variables), files)
    libraries = [scan.discover(each, roots) for each in columns]
    return build_matrix(libraries, scan, reference=load_dialect(DEFAULT_DIALECT))


def distinct_dialects(given: Iterable[str | Dialect]) -> tuple[Dialect, ...]:
    """The dialects, each once; `ConfigError` where two of them have one name."""
    found: dict[str, Dialect] = {}
    for each in given:
        dialect = load_dialect(each) if isinstance(each, str) else each
        if found.setdefault(dialect.name, dialect) != dialect:
            raise ConfigError(f"two dialects are called `{dialect.name}`")
    return tuple(found.values())


def diff(
    old: str | Dialect,
    new: str | Dialect,
    *,
    roots: Sequence[RootLike] | None = None,
    cwd: str | PathLike[str] | None = None,
    home: str | PathLike[str] | None = None,
    variables: Mapping[str, str] | None = None,
    filesystem: FileSystem | None = None,
) -> Difference:
    """What changes for the skills here when `new` takes the place of `old`."""
    from metier.difference import find_difference
    from metier.sharing import SharedScan

    files = filesystem or DiskFileSystem()
    scan = SharedScan(_environment(files, cwd, home, variables), files)
    dialects = (load_dialect(d) if isinstance(d, str) else d for d in (old, new))
    before, after = (scan.discover(each, roots) for each in dialects)
    return find_difference(before, after, scan, reference=load_dialect(DEFAULT_DIALECT))
