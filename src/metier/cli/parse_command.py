"""`metier parse`: what one file says, to one dialect, whatever folder it is in."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import click

from metier.cli.options import GlobalOptions, global_options, require_one_dialect
from metier.cli.output import write_findings, write_line
from metier.core.values import FieldValue
from metier.report.jsons import render_json
from metier.world.dialects import DEFAULT_DIALECT, load_dialect
from metier.world.files import ParsedFile, parse_file
from metier.world.filesystem import DiskFileSystem

_OPTIONAL = (
    "when_to_use",
    "allowed_tools",
    "disable_model_invocation",
    "license",
    "compatibility",
    "metadata",
)


@click.command("parse")
@click.argument("files", nargs=-1, type=click.Path(readable=False))
@click.option("--stdin-list", is_flag=True, help="Read paths from stdin, one a line.")
@global_options
def command(options: GlobalOptions, files: tuple[str, ...], stdin_list: bool) -> int:  # noqa: FBT001
    """Read skill files one by one; a JSON line each with --json, in order."""
    require_one_dialect(options)
    dialect = load_dialect(options.dialect or DEFAULT_DIALECT)
    paths = [*files, *(_listed_paths() if stdin_list else ())]
    if not paths and not stdin_list:
        raise click.UsageError("no FILE given; or use --stdin-list")
    is_fine = True
    for path in paths:
        parsed = parse_file(path, dialect, DiskFileSystem())
        is_fine = is_fine and parsed.error is None
        if options.json:
            write_line(render_json(_as_json(parsed), indent=None))
        else:
            _tell(parsed, options)
    if not paths:
        return 3  # what made the list found nothing
    return 0 if is_fine else 1


def _listed_paths() -> Iterator[str]:
    # A closed stdin is None.
    for line in sys.stdin.buffer if sys.stdin else ():
        if path := line.rstrip(b"\n"):
            yield os.fsdecode(path)


def _tell(parsed: ParsedFile, options: GlobalOptions) -> None:
    verdict = "ok" if parsed.error is None else parsed.error
    write_line(f"{parsed.path}: {verdict}")
    write_findings((d.located(parsed.path) for d in parsed.diagnostics), options)


def _as_json(parsed: ParsedFile) -> dict[str, Any]:
    body = parsed.body
    data = None if body is None else body.encode("utf-8", "surrogateescape")
    return {
        "path": parsed.path,
        "ok": parsed.error is None,
        "error": parsed.error,
        "name": parsed.name,
        "description": parsed.description,
        **{key: _plain(parsed.fields.get(key)) for key in _OPTIONAL},
        "body_bytes": None if data is None else len(data),
        "body_sha256": None if data is None else sha256(data).hexdigest(),
        "diagnostics": [found.as_json() for found in parsed.diagnostics],
    }


def _plain(value: FieldValue) -> FieldValue | list[str]:
    return list(value) if isinstance(value, tuple) else value
