"""A comparison as one page of HTML that needs nothing else.

Names, paths and descriptions come out of files that anybody may have written: all of
them go through `_text`, and the policy of the page runs no script but its own.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING

from metier.core.outcome import Outcome
from metier.diagnostics import printable
from metier.report.matrix.groups import (
    count_available,
    group_cells,
    mark_of,
    summarize,
)
from metier.report.matrix.texts import shown_name

if TYPE_CHECKING:
    from metier.core.dialect import Dialect
    from metier.matrix import Cell, Matrix, Row
    from metier.report.matrix.groups import Group, Places

# With more columns than this they are as narrow as their signs.
_MANY = 20
_WORDS = {"+": "portable", "!": "portable, but truncated", "x": "not portable"}


def render_page(matrix: Matrix, *, places: Places, style: str, script: str) -> str:
    """The page, with `style` and `script` in it."""
    title = f"Skills in {_counted(len(matrix.dialects), 'agent')}"
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            _policy(style, script),
            f"<title>{title}</title>",
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            *_header(matrix, title, places),
            *_tools(matrix),
            *_table(matrix, places),
            *_footer(matrix, places),
            f"<script>{script}</script>",
            "</body>",
            "</html>",
        )
    )


def _policy(style: str, script: str) -> str:
    sources = (f"style-src {_digest(style)}", f"script-src {_digest(script)}")
    policy = "; ".join(("default-src 'none'", "img-src data:", *sources))
    return f'<meta http-equiv="Content-Security-Policy" content="{policy}">'


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _text(value: str, *, limit: int = 1000) -> str:
    """Any text as the content of an element, or of an attribute in quotes."""
    return escape(printable(value, limit=limit))


def _folded(value: str) -> str:
    return " ".join(value.split())


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _class(outcome: Outcome) -> str:
    return outcome.value.replace(" ", "-")


# --- above the table ------------------------------------------------------------------


def _header(matrix: Matrix, title: str, places: Places) -> Iterator[str]:
    yield '<header class="top">'
    yield f"<h1>{title}</h1>"
    yield f'<p class="lede">{_text(summarize(matrix))}.</p>'
    yield f'<p class="where">Seen from <bdi class="path">{_text(places.cwd)}</bdi></p>'
    yield "</header>"


def _tools(matrix: Matrix) -> Iterator[str]:
    yield '<form class="tools" role="search" aria-label="Filter and sort">'
    yield '<label class="find"><span class="sr">Find a skill</span>'
    yield '<input type="search" name="q" placeholder="Find a skill" autocomplete="off">'
    yield "</label>"
    yield from _agent_menu(matrix)
    yield from _sort_menu(matrix)
    yield '<button type="reset">Clear</button>'
    yield '<output name="shown" role="status"></output>'
    yield '<fieldset class="chips"><legend class="sr">Outcomes</legend>'
    for outcome in Outcome:
        yield _chip(outcome, sum(row.count(outcome) for row in matrix.skills))
    yield "</fieldset></form>"


def _chip(outcome: Outcome, count: int) -> str:
    return (
        f'<label class="chip {_class(outcome)}"><input type="checkbox" name="outcome" '
        f'value="{_class(outcome)}"><i aria-hidden="true"></i>'
        f"<span>{outcome.value}</span> <b>{count:,}</b></label>"
    )


def _agent_menu(matrix: Matrix) -> Iterator[str]:
    yield '<details class="menu"><summary>Agents</summary>'
    yield '<fieldset><legend class="sr">Agents</legend>'
    for dialect in matrix.dialects:
        name = _text(dialect.name)
        yield (
            f'<label><input type="checkbox" name="agent" value="{name}" checked>'
            f"<span>{name}</span> <small>{_text(_about(dialect))}</small></label>"
        )
    yield "</fieldset></details>"


def _about(dialect: Dialect) -> str:
    return f"{dialect.title}, {dialect.version}"


def _sort_menu(matrix: Matrix) -> Iterator[str]:
    yield '<label class="sort"><span>Sort by</span> <select name="sort">'
    choices = {"file": "file", "skill": "skill", "agents": "most agents"}
    for value, label in {**choices, "-agents": "fewest agents"}.items():
        yield f'<option value="{value}">{label}</option>'
    for dialect in matrix.dialects:
        name = _text(dialect.name)
        yield f'<option value="-agent:{name}">worst in {name}</option>'
    yield "</select></label>"


# --- the table ------------------------------------------------------------------------


def _table(matrix: Matrix, places: Places) -> Iterator[str]:
    many = " many" if len(matrix.dialects) > _MANY else ""
    yield '<main class="scroll" tabindex="0" aria-label="Skills and agents">'
    yield f'<table role="table" class="matrix{many}">'
    yield '<caption class="sr">What becomes of each skill in each agent</caption>'
    yield '<thead role="rowgroup"><tr role="row">'
    yield '<th role="columnheader" scope="col" class="skill">'
    yield '<button type="button" data-sort="skill">Skill</button>'
    yield '<button type="button" data-sort="file">File</button></th>'
    yield '<th role="columnheader" scope="col" class="have">'
    yield '<button type="button" data-sort="agents">Agents</button></th>'
    yield from map(_column, matrix.dialects)
    yield "</tr></thead>"
    for index, row in enumerate(matrix.skills):
        yield from _body(row, index, places)
    yield "</table>"
    yield '<p class="empty" hidden>No skill is like that.</p>'
    yield "</main>"


def _column(dialect: Dialect) -> str:
    name = _text(dialect.name)
    return (
        f'<th role="columnheader" scope="col" class="agent" data-agent="{name}" '
        f'title="{_text(_about(dialect))}"><button type="button" '
        f'data-sort="agent:{name}"><span>{name}</span></button></th>'
    )


def _body(row: Row, index: int, places: Places) -> Iterator[str]:
    """A skill: the line of its cells, and what is told when it is opened."""
    path = _text(places.shown(row.found))
    about = _text(_folded(row.description or ""), limit=2000)
    word, have = _WORDS[mark_of(row)], count_available(row)
    yield f'<tbody role="rowgroup" data-index="{index}">'
    yield '<tr role="row"><th role="rowheader" scope="row" class="skill">'
    yield (
        f'<button type="button" class="name" aria-expanded="false" '
        f'aria-controls="skill-{index}"><bdi>{_text(shown_name(row))}</bdi></button>'
    )
    yield f'<bdi class="path">{path}</bdi> <bdi class="about">{about}</bdi></th>'
    yield f'<td role="cell" class="have" title="{word}">'
    yield f'<span class="count"><b>{have}</b> of {len(row.cells)}</span>'
    yield f'<span class="sr">{word}</span>{_bar(row)}</td>'
    yield from map(_cell, row.cells)
    yield "</tr>"
    yield f'<tr role="row" class="detail" id="skill-{index}">'
    yield f'<td role="cell" colspan="{len(row.cells) + 2}"><div class="groups">'
    yield f'<p class="about"><bdi>{about}</bdi></p>'
    for group in group_cells(row):
        yield from _group(group)
    yield "</div></td></tr></tbody>"


def _cell(cell: Cell) -> str:
    told = f"{cell.dialect}: {cell.outcome.value}, {cell.rule}"
    return (
        f'<td role="cell" class="cell {_class(cell.outcome)}" '
        f'data-agent="{_text(cell.dialect)}" title="{_text(told)}">'
        f'<i aria-hidden="true"></i><span class="sr">{cell.outcome.value}</span></td>'
    )


def _bar(row: Row) -> str:
    """The outcomes side by side, as wide as there are of each."""
    parts: list[str] = []
    start = 0
    for outcome in Outcome:
        count = row.count(outcome)
        parts.append(
            f'<rect class="{_class(outcome)}" x="{start}" width="{count}" height="1"/>'
        )
        start += count
    return (
        f'<svg class="bar" viewBox="0 0 {start} 1" preserveAspectRatio="none" '
        f'aria-hidden="true">{"".join(parts)}</svg>'
    )


def _group(group: Group) -> Iterator[str]:
    kind = f"{_class(group.outcome)}{' plain' * group.is_plain}"
    yield f'<section class="group {kind}">'
    yield f'<h3><i aria-hidden="true"></i>{group.outcome.value}</h3>'
    if not group.is_plain:
        rules = " ".join(f"<code>{_text(rule)}</code>" for rule in group.rules)
        yield f"<p>{rules} <bdi>{_text(group.because)}</bdi></p>"
    yield '<ul role="list">'
    yield from (_agent(cell) for cell in group.cells)
    yield "</ul></section>"


def _agent(cell: Cell) -> str:
    return (
        f'<li data-agent="{_text(cell.dialect)}" title="{_text(cell.because)}">'
        f"{_text(cell.dialect)}</li>"
    )


def _footer(matrix: Matrix, places: Places) -> Iterator[str]:
    strays = [places.shown(row.found) for row in matrix.rows if row.is_stray]
    if strays:
        paths = ", ".join(f"<bdi>{_text(path)}</bdi>" for path in strays)
        yield f'<footer><p class="path">No header, no skill: {paths}</p></footer>'
