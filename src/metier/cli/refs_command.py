"""`metier refs`: the file references and shell commands in a skill, not run."""

from __future__ import annotations

from typing import Any

import click

from metier.cli.options import GlobalOptions, global_options, require_one_dialect
from metier.cli.output import write_line
from metier.core.references import (
    FileReference,
    ShellCommand,
    find_file_references,
    find_shell_commands,
)
from metier.diagnostics import Lines, printable
from metier.report.jsons import JSON_VERSION, render_json
from metier.world.dialects import DEFAULT_DIALECT, load_dialect
from metier.world.files import load_text
from metier.world.filesystem import DiskFileSystem


@click.command("refs")
@click.argument("file", type=click.Path(readable=False))
@global_options
def command(options: GlobalOptions, file: str) -> int:
    """List the `@file` references and !`commands` in the body of FILE."""
    require_one_dialect(options)
    dialect = load_dialect(options.dialect or DEFAULT_DIALECT)
    text, start = load_text(file, dialect, DiskFileSystem())
    body = text[start:]
    files = find_file_references(body, dialect.references.files)
    commands = find_shell_commands(body, dialect.references.shell)
    lines = Lines(text)
    found_files = [_row("path", each.path, each, lines, start) for each in files]
    found_commands = [
        _row("command", each.command, each, lines, start) for each in commands
    ]
    if options.json:
        value = {"version": JSON_VERSION, "dialect": dialect.name, "path": file}
        found = {"files": found_files, "commands": found_commands}
        write_line(render_json({**value, **found}))
        return 0
    for row in found_files:
        write_line(_line(file, row, "@" + row["path"]))
    for row in found_commands:
        write_line(_line(file, row, f"!`{row['command']}`"))
    return 0


def _row(
    key: str, value: str, found: FileReference | ShellCommand, lines: Lines, start: int
) -> dict[str, Any]:
    at = start + found.span.start
    position = lines.position(at)
    return {
        key: value,
        "line": position.line,
        "column": position.column,
        "span": [at, start + found.span.end],
    }


def _line(file: str, row: dict[str, Any], text: str) -> str:
    return f"{file}:{row['line']}:{row['column']}: {printable(text, limit=200)}"
