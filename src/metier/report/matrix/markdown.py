"""A comparison as a table in Markdown, every cell of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from metier.core.outcome import Outcome
from metier.report.matrix.groups import summarize
from metier.report.matrix.texts import shown_name

if TYPE_CHECKING:
    from metier.matrix import Cell, Matrix, Row
    from metier.report.matrix.groups import Places


def render_markdown(matrix: Matrix, *, places: Places) -> str:
    """A row for each skill, a column for each agent, and a sum below."""
    names = [dialect.name for dialect in matrix.dialects]
    head = ["skill", "file", *map(escape_markdown, names)]
    rows = [_row(row, places) for row in matrix.skills]
    table = [_line(head), _line("---" for _ in head), *rows]
    strays = list(_strays(matrix, places))
    return "\n".join([*table, "", f"{summarize(matrix)}.", *strays])


def _row(row: Row, places: Places) -> str:
    start = map(escape_markdown, (shown_name(row), places.shown(row.found)))
    return _line((*start, *map(_cell, row.cells)))


def _cell(cell: Cell) -> str:
    if cell.outcome in (Outcome.LOADED, Outcome.HIDDEN):
        return cell.outcome.value
    return f"{cell.outcome.value}: `{cell.rule}`"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _strays(matrix: Matrix, places: Places) -> Iterator[str]:
    strays = [row.found for row in matrix.rows if row.is_stray]
    if strays:
        paths = map(places.shown, strays)
        yield ""
        yield f"No header, no skill: {', '.join(map(escape_markdown, paths))}."


# What may start a link, a mention, a tag, an entity, code, emphasis or a formula, or
# end a cell.
_SPECIAL = re.compile(r"[\\`*_\[\]<>|&~$@!#]")


def escape_markdown(text: str) -> str:
    """`text` so that it is shown as it is, in a table as well."""
    return _SPECIAL.sub(r"\\\g<0>", text)
