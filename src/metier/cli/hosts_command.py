"""`metier hosts`: the agents that metier knows, and those that this machine has."""

from __future__ import annotations

from collections.abc import Iterator

import click

from metier.cli.options import GlobalOptions, global_options
from metier.cli.output import write_line, write_note
from metier.report.hosts import HostRow, hosts_as_json, render_hosts
from metier.report.jsons import JSON_VERSION, render_json
from metier.world.dialects import dialect_names, load_agreement, load_dialect
from metier.world.environment import read_environment, read_search_path
from metier.world.filesystem import DiskFileSystem
from metier.world.hosts import find_traces


@click.command("hosts")
@click.option(
    "--installed",
    is_flag=True,
    help="Only those whose program or folder this machine has.",
)
@global_options
def command(options: GlobalOptions, installed: bool) -> int:  # noqa: FBT001
    """List the dialects, how each was checked, and how far it agrees with its agent.

    With --installed, what there is of each agent stands below it: its programs on the
    PATH, and its folders in the home. Exit 3 where there is none. Nothing is run.
    """
    rows = list(_known_hosts(options))
    if installed:
        rows = list(_present(rows, options))
    if options.json:
        value = {"version": JSON_VERSION, "hosts": hosts_as_json(rows)}
        write_line(render_json(value))
    elif rows:
        write_line(render_hosts(rows))
    else:
        write_note("none of the agents is installed here", options)
    return 0 if rows else 3


def _known_hosts(options: GlobalOptions) -> Iterator[HostRow]:
    measured = load_agreement()
    is_every = options.dialect in (None, "all")
    for name in dialect_names() if is_every else (options.dialect or "",):
        yield HostRow(load_dialect(name), measured.get(name, {}))


def _present(rows: list[HostRow], options: GlobalOptions) -> Iterator[HostRow]:
    """The rows of the agents of which there is something, and what that is."""
    files, path = DiskFileSystem(), read_search_path()
    environment = read_environment(files, cwd=options.cwd, home=options.home)
    for row in rows:
        host = row.dialect.host
        traces = find_traces(host, environment, files, search_path=path)
        if traces.programs or traces.folders:
            yield row._replace(traces=traces)
