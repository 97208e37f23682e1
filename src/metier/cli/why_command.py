"""`metier why`: what happened to a skill, by which rule, from which source."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from metier.accounts import Account
from metier.cli.discovery import discover_with, is_aborted, policy_of
from metier.cli.naming import NameCommand
from metier.cli.options import GlobalOptions, global_options, root_option, unmet_option
from metier.cli.output import write_line, write_note
from metier.diagnostics import printable
from metier.engine import RootLike
from metier.library import Library
from metier.report.jsons import JSON_VERSION, account_as_json, render_json
from metier.report.texts import render_accounts

if TYPE_CHECKING:
    from metier.core.requirements import Unmet


@click.command("why", cls=NameCommand)
@click.argument("name")
@root_option
@unmet_option
@global_options
def command(
    options: GlobalOptions,
    roots: tuple[RootLike, ...],
    unmet: Unmet | None,
    name: str,
) -> int:
    """Tell what became of every candidate for NAME (a skill's name, or a path).

    With --dialect all, a line for each agent: what became of the skill there. Exit 1
    where there is no candidate.
    """
    if options.dialect == "all":
        return _compare(options, roots, name)
    library = discover_with(options, roots, unmet=policy_of(options, unmet))
    accounts = _accounts(library, name, options)
    if options.json:
        found = [account_as_json(account) for account in accounts]
        value = {"version": JSON_VERSION, "dialect": library.dialect.name}
        write_line(render_json({**value, "name": name, "candidates": found}))
    elif accounts:
        write_line(render_accounts(accounts))
    else:
        _tell_where_not(library, name, options)
    is_aborted(library, options)
    return 0 if accounts else 1


def _accounts(
    library: Library, name: str, options: GlobalOptions
) -> tuple[Account, ...]:
    found = (library.why(query) for query in _queries(name, options))
    return next(filter(None, found), ())


def _queries(name: str, options: GlobalOptions) -> Iterator[str]:
    """What NAME may mean: a name, a path from here, or one from where the agent is."""
    yield name
    yield os.path.abspath(name)
    yield os.path.abspath(os.path.join(options.cwd or "", name))


def _tell_where_not(library: Library, name: str, options: GlobalOptions) -> None:
    write_note(f"no candidate for `{printable(name)}`; looked in:", options)
    for root in library.roots:
        write_note(f"  {root.path} ({root.scope.value})", options)
    if not library.roots:
        write_note("  none of the agent's folders exist here", options)


def _compare(options: GlobalOptions, roots: tuple[RootLike, ...], name: str) -> int:
    from metier.api import compare
    from metier.report.matrix.jsons import cell_as_json
    from metier.report.matrix.texts import render_answers

    matrix = compare(roots=list(roots) or None, cwd=options.cwd, home=options.home)
    answers = (matrix.answers(query) for query in _queries(name, options))
    cells = next(filter(None, answers), ())
    if options.json:
        agents = [cell_as_json(cell) for cell in cells]
        value = {"version": JSON_VERSION, "name": name, "agents": agents}
        write_line(render_json(value))
    elif cells:
        write_line(render_answers(cells))
    else:
        write_note(f"no agent has a candidate for `{printable(name)}`", options)
    return 0 if cells else 1
