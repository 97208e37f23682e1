"""What there is to say of a path that was not read, as findings."""

from __future__ import annotations

import errno
from posixpath import basename, dirname

from metier.core.roots import parents_of
from metier.diagnostics import Diagnostic, Severity, printable
from metier.world.filesystem import FileSystem, is_special, reason_of


def describe_error(path: str, error: OSError) -> Diagnostic:
    """Why the file at `path` was not read; errors are those that a host sees too."""
    if isinstance(error, IsADirectoryError):
        message = f"`{basename(path)}` is a folder, not a file"
        return finding("not-a-file", message, path, severity=Severity.ERROR)
    if is_special(error):
        message = "not a regular file; metier does not open it, a host may hang"
        return finding("special-file", message, path, severity=Severity.ERROR)
    if error.errno == errno.ENOENT:
        message = "a link that leads nowhere"
        return finding("link-dangling", message, path, severity=Severity.ERROR)
    if error.errno == errno.ELOOP:
        message = "a link that leads to itself"
        return finding("link-cycle", message, path, severity=Severity.ERROR)
    message = f"the file cannot be read: {reason_of(error)}"
    return finding("file-unreadable", message, path, severity=Severity.ERROR)


def unreadable_folder(path: str, error: OSError) -> Diagnostic:
    """That nothing is known of what lies in the folder at `path`."""
    message = f"the folder cannot be read: {reason_of(error)}"
    return finding("folder-unreadable", message, path)


def find_bar(path: str, filesystem: FileSystem) -> Diagnostic | None:
    """The folder that lets nobody look whether there is a `path`."""
    try:
        filesystem.identity(path)
    except PermissionError as error:
        above = filter(filesystem.exists, parents_of(dirname(path)))
        return unreadable_folder(next(above, path), error)
    except (OSError, ValueError):  # there is none, or no such path
        pass
    return None


def limit_finding(message: str, path: str) -> Diagnostic:
    """That a walk ended, or left something out, as it had seen enough."""
    return finding("scan-limit", message, path)


def finding(
    rule: str, message: str, path: str, *, severity: Severity = Severity.WARNING
) -> Diagnostic:
    """A finding about `path`, which is spelled out where nobody could read it."""
    shown = message if path.isprintable() else f"{message} ({printable(path)})"
    return Diagnostic(rule=rule, severity=severity, message=shown, path=path)
