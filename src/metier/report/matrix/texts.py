"""A comparison for a terminal: a paragraph for each skill, agents in groups."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import basename, dirname
from typing import TYPE_CHECKING

from metier.core.outcome import Outcome
from metier.diagnostics import printable
from metier.report.matrix.groups import (
    count_available,
    group_cells,
    mark_of,
    summarize,
)

if TYPE_CHECKING:
    from metier.matrix import Cell, Matrix, Row
    from metier.report.matrix.groups import Group, Places

_MAX_NAME = 32
_LABEL = max(len(each.value) for each in Outcome)


def render_matrix(matrix: Matrix, *, places: Places, width: int) -> str:
    """A paragraph for each skill that is not loaded alike everywhere, and a sum."""
    lines = [line for row in matrix.skills for line in _paragraph(row, places, width)]
    strays = (places.shown(row.found) for row in matrix.rows if row.is_stray)
    lines.extend(f"- {path}: no header, no skill" for path in strays)
    return "\n".join([*lines, summarize(matrix)])


def _paragraph(row: Row, places: Places, width: int) -> Iterator[str]:
    have, agents = count_available(row), len(row.cells)
    count = f"all {agents}" if have == agents else f"{have} of {agents}"
    yield f"{mark_of(row)} {shown_name(row)}  {places.shown(row.found)}: {count}"
    groups = group_cells(row)
    largest = _largest_plain(groups)
    for group in groups:
        if group is not largest:
            yield from _group(group, width)
        elif group.outcome is not Outcome.LOADED:
            yield f"{_label(group)}the other {len(group.cells)}"


def _largest_plain(groups: tuple[Group, ...]) -> Group | None:
    """The agents that need no names, as all others have theirs."""
    plain = [
        group for group in groups if group.outcome in _UNEVENTFUL and group.is_plain
    ]
    return max(plain, key=lambda group: len(group.cells), default=None)


_UNEVENTFUL = (Outcome.LOADED, Outcome.NOT_LOOKED_FOR)


def shown_name(row: Row) -> str:
    """The name; where nobody gives one, that of its folder in parentheses."""
    if row.name:
        return printable(row.name, limit=_MAX_NAME)
    return f"({printable(basename(dirname(row.path)), limit=_MAX_NAME - 2)})"


def _group(group: Group, width: int) -> Iterator[str]:
    label = _label(group)
    for line in _wrapped(group.agents, width - len(label)):
        yield label + line
        label = " " * len(label)
    if not group.is_plain:
        yield label + printable(group.reason, limit=1000)


def _label(group: Group) -> str:
    return f"  {group.outcome.value:<{_LABEL}}  "


def _wrapped(names: tuple[str, ...], width: int) -> Iterator[str]:
    """Lines of names with commas, no wider than they have to be."""
    line = ""
    for index, name in enumerate(names):
        word = name if index == len(names) - 1 else f"{name},"
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = ""
        line = f"{line} {word}" if line else word
    yield line


def render_answers(cells: tuple[Cell, ...]) -> str:
    """A line for each agent: what became of one skill there."""
    names = max((len(cell.dialect) for cell in cells), default=0)
    return "\n".join(
        f"{cell.dialect:<{names}}  {cell.outcome.value:<{_LABEL}}  {_told(cell)}"
        for cell in cells
    )


def _told(cell: Cell) -> str:
    path = printable(cell.path or "", limit=1000)
    if cell.outcome in (Outcome.LOADED, Outcome.HIDDEN):
        return path
    reason = f"{cell.rule}: {printable(cell.because, limit=1000)}"
    return f"{reason} ({path})" if path else reason
