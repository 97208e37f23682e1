"""Data to stdout, byte for byte; everything else to stderr."""

from __future__ import annotations

import errno
import os
import re
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
    if sys.stdout is None:
        raise OSError(errno.EBADF, "stdout is closed")
    stream = sys.stdout.buffer
    try:
        stream.write(_encoded(text))
        if text and not text.endswith("\n") and sys.stdout.isatty():
            stream.write(b"\n")  # for the prompt; a program gets the exact bytes
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError:
        # What could not be written would be tried again at the end, and be in the way.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


def _encoded(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        # Half a pair, out of an escape such as `\ud800`: U+FFFD, as the hosts write it.
        # The other surrogates are bytes that were not UTF-8, and come out as such.
        whole = re.sub("[\ud800-\udc7f\udd00-\udfff]", "\ufffd", text)
        return whole.encode("utf-8", "surrogateescape")


# Where output goes to a file, or to a terminal that does not say.
_DEFAULT_WIDTH = 100


def terminal_width() -> int:
    """How many columns there are for a line."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and 0 < len(columns) < 6 and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or _DEFAULT_WIDTH
    except (OSError, ValueError, AttributeError):
        return _DEFAULT_WIDTH


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
