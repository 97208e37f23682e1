"""`metier why`: what happened to a skill, by which rule, from which source."""

from __future__ import annotations

import os

import click

from metier.accounts import Account
from metier.cli.discovery import discover_with, is_aborted
from metier.cli.naming import NameCommand
from metier.cli.options import GlobalOptions, global_options, root_option
from metier.cli.output import write_line, write_note
from metier.core.skill import Status
from metier.diagnostics import printable
from metier.engine import RootLike
from metier.library import Library
from metier.report.jsons import JSON_VERSION, account_as_json, render_json
from metier.report.texts import render_accounts
from metier.world.dialects import dialect_names


@click.command("why", cls=NameCommand)
@click.argument("name")
@root_option
@global_options
def command(options: GlobalOptions, roots: tuple[RootLike, ...], name: str) -> int:
    """Tell what became of every candidate for NAME (a skill's name, or a path)."""
    if options.dialect == "all":
        return _compare(options, roots, name)
    library = discover_with(options, roots)
    accounts = _accounts(library, name)
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


def _accounts(library: Library, name: str) -> tuple[Account, ...]:
    return library.why(name) or library.why(os.path.abspath(name))


def _tell_where_not(library: Library, name: str, options: GlobalOptions) -> None:
    write_note(f"no candidate for `{printable(name)}`; looked in:", options)
    for root in library.roots:
        write_note(f"  {root.path} ({root.scope.value})", options)
    if not library.roots:
        write_note("  none of the agent's folders exist here", options)


def _compare(options: GlobalOptions, roots: tuple[RootLike, ...], name: str) -> int:
    rows = [_outcome(each, options, roots, name) for each in dialect_names()]
    if options.json:
        write_line(render_json({"version": JSON_VERSION, "name": name, "agents": rows}))
    else:
        width = max(len(str(row["dialect"])) for row in rows)
        for row in rows:
            head = f"{row['dialect']:<{width}}  {row['status']:<9}"
            write_line(f"{head} {_told(row)}")
    return 0 if any(row["status"] != "absent" for row in rows) else 1


def _told(row: dict[str, str | None]) -> str:
    path = printable(row["path"] or "", limit=1000)
    if row["status"] in (Status.LOADED.value, Status.HIDDEN.value):
        return path
    return f"{row['rule']}: {row['because']}" + (f" ({path})" if path else "")


def _outcome(
    dialect: str, options: GlobalOptions, roots: tuple[RootLike, ...], name: str
) -> dict[str, str | None]:
    own = GlobalOptions(dialect=dialect, cwd=options.cwd, home=options.home)
    accounts = _accounts(discover_with(own, roots), name)
    if not accounts:
        because = "not in any folder of this agent"
        absent = {"status": "absent", "rule": "roots", "because": because}
        return {"dialect": dialect, **absent, "path": None, "source": None}
    order = list(Status)
    first = min(accounts, key=lambda account: order.index(account.status))
    return {
        "dialect": dialect,
        "status": first.status.value,
        "rule": first.rule,
        "because": first.because,
        "path": first.path,
        "source": first.source,
    }
