"""`metier load`: the exact text that the agent hands over for a skill."""

from __future__ import annotations

import click

from metier.cli.discovery import discover_with, is_aborted
from metier.cli.naming import NameCommand
from metier.cli.options import GlobalOptions, global_options, root_option, trust_option
from metier.cli.output import write_exact, write_line
from metier.core.roots import Trust
from metier.engine import RootLike
from metier.report.jsons import JSON_VERSION, render_json


@click.command("load", cls=NameCommand)
@click.argument("name")
@click.option(
    "--args",
    "arguments",
    metavar="TEXT",
    default="",
    help="What a person says behind the name; the agent's rules fill it in.",
)
@root_option
@trust_option
@global_options
def command(
    options: GlobalOptions,
    roots: tuple[RootLike, ...],
    trust: Trust,
    name: str,
    arguments: str,
) -> int:
    """Print what the agent hands over for the skill NAME, and nothing else.

    Where the agent knows them, `/NAME` works as well.
    """
    library = discover_with(options, roots, trust=trust)
    if is_aborted(library, options):
        return 1
    turn = f"{name} {arguments}" if arguments else name
    loaded = library.invoke(turn) or library.load(name, arguments=arguments)
    if not options.json:
        write_exact(loaded.output)
        return 0
    value = {
        "version": JSON_VERSION,
        "dialect": library.dialect.name,
        "name": loaded.name,
        "title": loaded.title,
        "output": loaded.output,
        "directory": loaded.directory,
        "path": loaded.path,
    }
    write_line(render_json(value))
    return 0
