"""`metier match`: the skill that fits a turn."""

from __future__ import annotations

import click

from metier.cli.discovery import discover_with, is_aborted
from metier.cli.options import GlobalOptions, global_options, root_option, trust_option
from metier.cli.output import write_line, write_note
from metier.core.roots import Trust
from metier.core.triggers import Matcher
from metier.engine import RootLike
from metier.report.jsons import match_as_json, render_json


@click.command("match")
@click.argument("turn")
@click.option(
    "--path",
    "paths",
    multiple=True,
    metavar="FILE",
    help="A file that the turn is about, relative to the project; repeatable.",
)
@root_option
@trust_option
@global_options
def command(
    options: GlobalOptions,
    roots: tuple[RootLike, ...],
    trust: Trust,
    turn: str,
    paths: tuple[str, ...],
) -> int:
    """Print the skill that the agent's matcher picks for TURN; exit 1 for none."""
    library = discover_with(options, roots, trust=trust)
    if is_aborted(library, options):
        return 1
    match = library.match(turn, paths=paths)
    if options.json:
        write_line(render_json(match_as_json(match)))
    elif match.winner is not None:
        write_line(match.winner)
        best = next(score for score in match.scores if score.name == match.winner)
        write_note(f"because: {best.because}", options)
    elif library.dialect.matching is Matcher.NONE:
        write_note(f"{library.dialect.title} matches no skill by itself", options)
    return 0 if match.winner is not None else 1
