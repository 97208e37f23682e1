"""`metier diff`: what changes for the skills here when another agent takes over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from metier.api import diff
from metier.cli.discovery import places_of
from metier.cli.options import (
    GlobalOptions,
    global_options,
    require_one_dialect,
    root_option,
)
from metier.cli.output import write_line
from metier.report.differences import difference_as_json, render_difference
from metier.report.jsons import render_json
from metier.world.dialects import DEFAULT_DIALECT

if TYPE_CHECKING:
    from metier.engine import RootLike


@click.command("diff")
@click.option("--from", "old", metavar="NAME", help="The agent that reads them now.")
@click.option("--to", "new", metavar="NAME", required=True, help="The one to come.")
@root_option
@global_options
def command(
    options: GlobalOptions, old: str | None, new: str, roots: tuple[RootLike, ...]
) -> int:
    """Tell what changes for the skills here when another agent reads them.

    Without --from it is the agent of --dialect. Marks: - lost, = replaced by another
    file of that name, > renamed, ~ changed (something else is read of it, or the model
    is shown more or less), + gained. Exit 1 where something changes.
    """
    require_one_dialect(options)
    found = diff(
        old or options.dialect or DEFAULT_DIALECT,
        new,
        roots=list(roots) or None,
        cwd=options.cwd,
        home=options.home,
    )
    if options.json:
        write_line(render_json(difference_as_json(found)))
    else:
        write_line(render_difference(found, places=places_of(options)))
    return 1 if found else 0
