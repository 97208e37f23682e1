"""What most commands start with: the library that the options describe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from metier.api import discover
from metier.cli.options import GlobalOptions, require_one_dialect
from metier.cli.output import write_findings, write_note
from metier.core.roots import Trust
from metier.engine import RootLike
from metier.library import Library
from metier.world.dialects import DEFAULT_DIALECT, load_dialect
from metier.world.environment import read_environment
from metier.world.filesystem import DiskFileSystem

if TYPE_CHECKING:
    from metier.core.requirements import Unmet
    from metier.report.matrix.groups import Places


def discover_with(
    options: GlobalOptions,
    roots: Sequence[RootLike] = (),
    *,
    trust: Trust = Trust.ALL,
    unmet: Unmet | None = None,
) -> Library:
    """The library of one dialect; says what waits for trust."""
    library = look(options, roots, trust=trust, unmet=unmet)
    waiting = len(library.untrusted)
    if waiting and trust in (Trust.WORKSPACE, Trust.STORED):
        skills = "1 skill waits" if waiting == 1 else f"{waiting} skills wait"
        write_note(f"{skills} for your trust: see `metier trust status`", options)
    return library


def policy_of(options: GlobalOptions, unmet: Unmet | None) -> Unmet:
    """What becomes of a skill that needs what is not there: as told, or by dialect."""
    from metier.core.requirements import requirement_rules

    require_one_dialect(options)
    dialect = load_dialect(options.dialect or DEFAULT_DIALECT)
    return unmet or requirement_rules(dialect).unmet


def look(
    options: GlobalOptions,
    roots: Sequence[RootLike] = (),
    *,
    trust: Trust,
    unmet: Unmet | None = None,
) -> Library:
    """The library of one dialect, and not a word."""
    require_one_dialect(options)
    return discover(
        dialect=options.dialect or DEFAULT_DIALECT,
        roots=list(roots) or None,
        cwd=options.cwd,
        home=options.home,
        trust=trust,
        unmet=unmet,
    )


def is_aborted(library: Library, options: GlobalOptions) -> bool:
    """Whether the agent itself would have given up; says so."""
    if library.aborted_by is None:
        return False
    write_findings([library.aborted_by], options)
    return True


def places_of(options: GlobalOptions) -> Places:
    """The folders against which paths are shown."""
    from metier.report.matrix.groups import Places

    here = read_environment(DiskFileSystem(), cwd=options.cwd, home=options.home)
    return Places(here.cwd, here.home)
