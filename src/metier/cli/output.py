"""Data to stdout, byte for byte; everything else to stderr."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from metier.cli.options import GlobalOptions, Verbosity
from metier.diagnostics import Severity
from metier.report.texts import SEVERITY_COLORS, render_diagnostic

if TYPE_CHECKING:
    from collections.abc import Iterable

    from metier.diagnostics import Diagnostic


def write_exact(text: str) -> None:
    """`text` and nothing else, with the bytes that were not UTF-8 as they were."""
    stream = sys.stdout.buffer
    stream.write(text.encode("utf-8", "surrogateescape"))
    stream.flush()


def write_line(text: str) -> None:
    """`text` and a line end."""
    write_exact(text + "\n")


def write_findings(found: Iterable[Diagnostic], options: GlobalOptions) -> None:
    """Diagnostics on stderr: errors and warnings, with `-v` the rest too."""
    if options.verbosity is Verbosity.QUIET:
        return
    for diagnostic in found:
        is_quiet = diagnostic.severity is Severity.INFO
        if is_quiet and options.verbosity is not Verbosity.VERBOSE:
            continue
        color = SEVERITY_COLORS[diagnostic.severity]
        text = click.style(render_diagnostic(diagnostic), fg=color)
        click.echo(_printable(text), err=True, color=options.is_colored)


def write_note(text: str, options: GlobalOptions) -> None:
    """A remark on stderr."""
    if options.verbosity is not Verbosity.QUIET:
        click.echo(_printable(text), err=True)


def _printable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
