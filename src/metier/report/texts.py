"""Libraries, accounts and diagnostics as text for a terminal."""

from __future__ import annotations

from posixpath import basename, dirname
from typing import TYPE_CHECKING

from metier.core.skill import Status
from metier.diagnostics import Severity, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from metier.accounts import Account
    from metier.core.roots import Root
    from metier.diagnostics import Diagnostic
    from metier.library import Library

_MARKS = {
    Status.LOADED: "+",
    Status.HIDDEN: "o",
    Status.SHADOWED: "-",
    Status.REJECTED: "x",
}
SEVERITY_COLORS = {
    Severity.ERROR: "red",
    Severity.WARNING: "yellow",
    Severity.INFO: "cyan",
}
_MAX_NAME = 32


def render_library(library: Library, accounts: Sequence[Account], *, width: int) -> str:
    """One line a candidate, in the order in which the agent has them."""
    names = [_shown_name(account) for account in accounts]
    column = max((len(name) for name in names), default=0)
    lines = [
        _render_row(account, name.ljust(column), width)
        for account, name in zip(accounts, names, strict=True)
    ]
    return "\n".join([*lines, _render_summary(library, accounts)])


def _shown_name(account: Account) -> str:
    """The name; where the file states none, its folder's in parentheses."""
    if account.name:
        return printable(account.name, limit=_MAX_NAME)
    return f"({printable(basename(dirname(account.path)), limit=_MAX_NAME - 2)})"


def _mark(account: Account) -> str:
    if account.status is Status.LOADED and account.diagnostics:
        return "!"
    return _MARKS[account.status]


def _render_row(account: Account, name: str, width: int) -> str:
    text = account.description or ""
    if account.status in (Status.SHADOWED, Status.REJECTED):
        text = f"{account.path}: {account.because} ({account.rule})"
    elif account.status is Status.HIDDEN:
        is_usual = account.rule == Status.HIDDEN.value
        text = f"({'manual only' if is_usual else account.because}) {text}"
    row = f"{_mark(account)} {name}  {printable(text, limit=10_000)}"
    # What lost is told in full: that is where the reason stands.
    if account.status in (Status.SHADOWED, Status.REJECTED) or len(row) <= width:
        return row
    return row[: width - 3] + "..."


def _render_summary(library: Library, accounts: Sequence[Account]) -> str:
    counts = [
        f"{sum(account.status is status for account in accounts)} {status.value}"
        for status in Status
    ]
    folders = f"{len(library.roots)} folder{'s' * (len(library.roots) != 1)}"
    return f"{library.dialect.name}: {', '.join(counts)}, in {folders}"


def render_accounts(accounts: Iterable[Account]) -> str:
    """What `metier why` prints: each candidate, the rule, and where it comes from."""
    return "\n\n".join(_render_account(account) for account in accounts)


def _render_account(account: Account) -> str:
    lines = [
        f"{_mark(account)} {_shown_name(account)}: {account.status.value}",
        f"  file    {printable(account.path, limit=1000)}",
        f"  root    {_render_root(account.root)}",
        f"  rule    {account.rule}: {printable(account.because, limit=1000)}",
    ]
    if account.source:
        lines.append(f"  source  {account.source}")
    found = (each.located(account.path) for each in account.diagnostics)
    lines.extend(f"  {render_diagnostic(each)}" for each in found)
    return "\n".join(lines)


def _render_root(root: Root) -> str:
    path = printable(root.path, limit=1000)
    return f"{path} ({root.scope.value}, precedence {root.precedence})"


def render_diagnostic(found: Diagnostic) -> str:
    """`file:line:column: severity: message [rule]`, and the remedy below it."""
    place = printable(found.path or "", limit=1000)
    if found.position:
        place += f":{found.position.line}:{found.position.column}"
    head = f"{place}: " if place else ""
    message = printable(found.message, limit=1000)
    text = f"{head}{found.severity.value}: {message} [{found.rule}]"
    if found.help is None:
        return text
    return f"{text}\n    help: {printable(found.help, limit=1000)}"
