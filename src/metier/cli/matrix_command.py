"""`metier matrix`: what becomes of each skill in each agent."""

from __future__ import annotations

from enum import Enum
from pathlib import PurePath
from typing import TYPE_CHECKING

import click

from metier.api import compare
from metier.cli.discovery import places_of
from metier.cli.options import GlobalOptions, global_options, root_option
from metier.cli.output import terminal_width, write_findings, write_line, write_note
from metier.report.matrix.groups import summarize
from metier.world.dialects import dialect_names
from metier.world.files import write_text

if TYPE_CHECKING:
    from metier.engine import RootLike
    from metier.matrix import Matrix


class Format(Enum):
    """How a comparison is written."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    HTML = "html"


_SUFFIXES = {
    ".json": Format.JSON,
    ".md": Format.MARKDOWN,
    ".html": Format.HTML,
    ".htm": Format.HTML,
}


@click.command("matrix")
@click.option(
    "--dialects", metavar="NAME,...", help="The agents to compare; without it, all."
)
@root_option
@click.option(
    "--format",
    "form",
    type=click.Choice([each.value for each in Format]),
    help="How to write it; otherwise as the name of the --output ends, or text.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write to this file, and the sum alone to stderr.",
)
@global_options
def command(
    options: GlobalOptions,
    dialects: str | None,
    roots: tuple[RootLike, ...],
    form: str | None,
    output: str | None,
) -> int:
    """Compare agents: a row for each skill file, a column for each agent.

    A cell says loaded, hidden (not offered to the model), truncated (the model sees
    less of the description), renamed, shadowed (another file of that name counts),
    dropped or not looked for, and the rule. With --root every agent reads those folders
    instead of its own.

    Marks: + portable, which is loaded or hidden everywhere under the name that is
    written; ! portable, but truncated somewhere; x not portable. Exit 1 where a skill
    is not portable, 3 where there is none.
    """
    how = _format(form, output, options)
    matrix = compare(
        dialects=_columns(dialects, options),
        roots=list(roots) or None,
        cwd=options.cwd,
        home=options.home,
    )
    text = _render(matrix, how, options)
    if output is None:
        write_line(text)
    else:
        write_text(output, text + "\n")
        write_note(summarize(matrix), options)
    write_findings(matrix.notes, options)
    if not matrix.skills:
        return 3
    return 0 if len(matrix.portable) == len(matrix.skills) else 1


def _columns(dialects: str | None, options: GlobalOptions) -> tuple[str, ...]:
    if dialects and options.dialect:
        raise click.UsageError("`--dialect` and `--dialects` cannot go together")
    given = dialects or options.dialect or "all"
    names = dict.fromkeys(name.strip() for name in given.split(",") if name.strip())
    if not names:
        raise click.UsageError("`--dialects` names no agent")
    return dialect_names() if "all" in names else tuple(names)


def _format(form: str | None, output: str | None, options: GlobalOptions) -> Format:
    if options.json:
        if form not in (None, Format.JSON.value):
            raise click.UsageError(f"`--json` and `--format {form}` cannot go together")
        return Format.JSON
    if form:
        return Format(form)
    return _SUFFIXES.get(PurePath(output or "").suffix.lower(), Format.TEXT)


def _render(matrix: Matrix, how: Format, options: GlobalOptions) -> str:
    places = places_of(options)
    match how:
        case Format.TEXT:
            from metier.report.matrix.texts import render_matrix

            return render_matrix(matrix, places=places, width=terminal_width())
        case Format.JSON:
            from metier.report.jsons import render_json
            from metier.report.matrix.jsons import matrix_as_json

            return render_json(matrix_as_json(matrix))
        case Format.MARKDOWN:
            from metier.report.matrix.markdown import render_markdown

            return render_markdown(matrix, places=places)
        case Format.HTML:
            from metier.report.matrix.pages import render_page
            from metier.world.assets import read_asset

            style, script = read_asset("matrix.css"), read_asset("matrix.js")
            return render_page(matrix, places=places, style=style, script=script)
