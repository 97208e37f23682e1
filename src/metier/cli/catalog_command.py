"""`metier catalog`: the exact text that the model sees."""

from __future__ import annotations

import click

from metier.cli.discovery import discover_with, is_aborted
from metier.cli.options import GlobalOptions, global_options, root_option
from metier.cli.output import write_exact, write_line, write_note
from metier.core.catalog import Place
from metier.engine import RootLike
from metier.report.jsons import catalog_as_json, render_json


@click.command("catalog")
@click.option("--budget", type=click.IntRange(min=0), help="At most so many tokens.")
@root_option
@global_options
def command(
    options: GlobalOptions, roots: tuple[RootLike, ...], budget: int | None
) -> int:
    """Print the bytes that the model sees, and nothing else."""
    library = discover_with(options, roots)
    if is_aborted(library, options):
        return 1
    catalog = library.render(budget=budget)
    if options.json:
        write_line(render_json(catalog_as_json(catalog, library.dialect.name)))
        return 0
    write_exact(catalog.text)
    if library.dialect.catalog.place is Place.NOWHERE:
        write_note(f"{library.dialect.title} shows the model no catalog", options)
    elif catalog.omitted:
        write_note(f"{len(catalog.omitted)} skills did not fit the budget", options)
    if budget is not None and catalog.tokens > budget:
        write_note(f"even so it is about {catalog.tokens} tokens", options)
    return 0
