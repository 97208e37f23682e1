"""`metier list`: every skill, and what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from metier.cli.discovery import discover_with, is_aborted, policy_of
from metier.cli.options import (
    GlobalOptions,
    Verbosity,
    global_options,
    root_option,
    trust_option,
    unmet_option,
)
from metier.cli.output import terminal_width, write_findings, write_line
from metier.core.roots import Trust
from metier.engine import RootLike
from metier.report.texts import render_library

if TYPE_CHECKING:
    from metier.core.requirements import Unmet

# What the rows, or the line about an abort, say already.
_TOLD = frozenset(("name-collision", "host-aborts"))


@click.command("list")
@root_option
@trust_option
@unmet_option
@global_options
def command(
    options: GlobalOptions,
    roots: tuple[RootLike, ...],
    trust: Trust,
    unmet: Unmet | None,
) -> int:
    """List the skills that the agent has here, and those that lost.

    Marks: + loaded, ! loaded with a warning (see `why`), o loaded but not offered to
    the model, - shadowed by another skill, x rejected.
    """
    policy = policy_of(options, unmet)
    library = discover_with(options, roots, trust=trust, unmet=policy)
    accounts = tuple(library.accounts())
    if options.json:
        from metier.report.jsons import library_as_json, render_json

        write_line(render_json(library_as_json(library, accounts)))
    else:
        width = terminal_width()
        write_line(render_library(library, accounts, width=width))
        is_verbose = options.verbosity is Verbosity.VERBOSE
        found = library.diagnostics if is_verbose else library.notes
        told = (library.aborted_by,)
        news = (d for d in found if d.rule not in _TOLD and d not in told)
        write_findings(news, options)
    if is_aborted(library, options):
        return 1
    return 0 if accounts else 3
