"""The dialect files that come with metier, and those of a caller."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from metier.core.dialect import Dialect, parse_dialect
from metier.core.selection import Links
from metier.errors import DialectError, UnknownDialect
from metier.world.filesystem import DiskFileSystem, reason_of

_FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "dialects")
DEFAULT_DIALECT = "agentskills"


@cache
def dialect_names() -> tuple[str, ...]:
    """The dialects that come with metier, sorted."""
    files = os.listdir(_FOLDER)
    return tuple(sorted(f.removesuffix(".toml") for f in files if f.endswith(".toml")))


def load_dialect(name: str) -> Dialect:
    """The dialect called `name`, or the one in the TOML file at that path."""
    return read_dialect(name) if name.endswith(".toml") else _shipped_dialect(name)


@cache
def _shipped_dialect(name: str) -> Dialect:
    if name not in dialect_names():
        raise UnknownDialect(name, known=dialect_names())
    return _read(os.path.join(_FOLDER, f"{name}.toml"))


class Agreed(NamedTuple):
    """In how many of some recorded cases metier answers as the agent did."""

    agreed: int
    total: int


@cache
def load_agreement() -> Mapping[str, Mapping[str, Agreed]]:
    """What was measured for each dialect, by the kind of its recorded cases.

    The tests measure it and write the file; a dialect without recordings is absent.
    """
    import json

    with open(os.path.join(_FOLDER, "agreement.json"), "rb") as file:
        measured = json.load(file)
    return {
        name: {kind: Agreed(*counts) for kind, counts in kinds.items()}
        for name, kinds in measured.items()
    }


def read_dialect(path: str) -> Dialect:
    """The dialect that the file at `path` states, every table of it checked."""
    from metier.core.requirements import requirement_rules
    from metier.core.sidecar import sidecar_of
    from metier.core.substitution import substitution_of

    dialect = _read(path)
    substitution_of(dialect)
    requirement_rules(dialect)
    sidecar_of(dialect)
    return dialect


# The largest that comes with metier has 12 KB.
MAX_DIALECT = 1024 * 1024


def _read(path: str) -> Dialect:
    try:
        reading = DiskFileSystem().read_file(path, MAX_DIALECT, Links.FOLLOW)
        if reading.size > MAX_DIALECT:
            raise DialectError("more than 1 MiB, which no dialect has", key=path)
        return parse_dialect(tomllib.loads(reading.data.decode("utf-8")))
    except OSError as error:
        raise DialectError(reason_of(error), key=path) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DialectError(str(error), key=path) from error
