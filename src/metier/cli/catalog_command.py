"""`metier catalog`: the exact text that the model sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from metier.cli.discovery import discover_with, is_aborted, policy_of
from metier.cli.options import (
    GlobalOptions,
    global_options,
    root_option,
    trust_option,
    unmet_option,
)
from metier.cli.output import write_exact, write_line, write_note
from metier.core.catalog import Place
from metier.core.roots import Trust
from metier.engine import RootLike
from metier.report.catalogs import catalog_notes
from metier.report.jsons import catalog_as_json, render_json

if TYPE_CHECKING:
    from metier.core.requirements import Unmet


@click.command("catalog")
@click.option(
    "--window",
    type=click.IntRange(min=0),
    help="The model's context in tokens, of which some agents give skills a share.",
)
@click.option(
    "--budget",
    type=click.IntRange(min=0),
    help="At most so many tokens, whatever the agent's own rule is.",
)
@root_option
@trust_option
@unmet_option
@global_options
def command(
    options: GlobalOptions,
    roots: tuple[RootLike, ...],
    trust: Trust,
    unmet: Unmet | None,
    window: int | None,
    budget: int | None,
) -> int:
    """Print the bytes that the model sees, and nothing else.

    What did not fit is told on stderr; `--json` has the whole report. Tokens are
    estimates: no agent's tokenizer is at hand.
    """
    policy = policy_of(options, unmet)
    library = discover_with(options, roots, trust=trust, unmet=policy)
    if is_aborted(library, options):
        return 1
    catalog = library.render(budget=budget, window=window)
    if options.json:
        value = catalog_as_json(catalog, library.dialect.name, asked=budget)
        write_line(render_json(value))
        return 0
    write_exact(catalog.text)
    if library.dialect.catalog.place is Place.NOWHERE:
        write_note(f"{library.dialect.title} shows the model no catalog", options)
    for note in catalog_notes(catalog):
        write_note(note, options)
    return 0
