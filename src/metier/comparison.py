"""The same files in many agents: what each of them makes of each one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from posixpath import basename
from typing import TYPE_CHECKING, NamedTuple

from metier.core.judging import UNIT_NAMES
from metier.core.lengths import length_of
from metier.core.omission import explain_omission
from metier.core.outcome import Departure, Outcome, is_shortened, most_given, outcome_of
from metier.core.rules import axis_of
from metier.core.selection import Case
from metier.core.skill import Status
from metier.diagnostics import printable
from metier.matrix import Cell, Matrix, Row

if TYPE_CHECKING:
    from metier.accounts import Account
    from metier.core.catalog import Catalog
    from metier.core.dialect import Dialect
    from metier.core.document import Document
    from metier.core.roots import Root
    from metier.diagnostics import Diagnostic
    from metier.library import Library
    from metier.sharing import SharedScan


# What the cells say already.
_TOLD = frozenset(("name-collision", "name-collision-undefined", "host-aborts"))


def build_matrix(
    libraries: Sequence[Library], scan: SharedScan, *, reference: Dialect
) -> Matrix:
    """What `libraries`, all of them out of `scan`, say about each file.

    `reference` is whose reading says what is written.
    """
    columns = [_Column(library, scan) for library in libraries]
    found: dict[str, str] = {}
    for column in columns:
        for path, account in column.accounts.items():
            found.setdefault(path, account.path)
    rows = (
        _build_row(_File(path, shown, scan.read(path, reference)), columns)
        for path, shown in found.items()
    )
    notes = (note for library in libraries for note in library.notes)
    return Matrix(
        dialects=tuple(library.dialect for library in libraries),
        rows=tuple(sorted(rows, key=_order_from(scan.environment.cwd))),
        notes=tuple(dict.fromkeys(note for note in notes if note.rule not in _TOLD)),
    )


def _order_from(cwd: str) -> Callable[[Row], tuple[bool, str, str]]:
    """By path, what is below the working directory first."""
    top = f"{cwd.rstrip('/')}/"
    return lambda row: (not row.found.startswith(top), row.found, row.path)


class _File(NamedTuple):
    """A file that some agent looked at, and what is written in it."""

    path: str
    found: str
    document: Document | None

    @property
    def name(self) -> str | None:
        if self.document is None:
            return None
        # What was replaced for the reader's sake is not what is written.
        is_cleaned = any(d.rule == "text-control" for d in self.document.diagnostics)
        return None if is_cleaned else self.document.name or None

    @property
    def description(self) -> str | None:
        return self.document.description if self.document else None


class _Column:
    """One agent: what it says of each file, by the file's real path."""

    def __init__(self, library: Library, scan: SharedScan) -> None:
        self.library = library
        self.dialect = library.dialect
        self.scan = scan
        self.accounts: dict[str, Account] = {}
        for account in library.accounts():
            self._enter(scan.real_path(account.path), account)
        self.cuts = cuts_of(library.render())

    def _enter(self, path: str, account: Account) -> None:
        """Of several paths to one file the one counts that fares best."""
        known = self.accounts.setdefault(path, account)
        if _STATUSES.index(account.status) < _STATUSES.index(known.status):
            self.accounts[path] = account


_STATUSES = tuple(Status)


def cuts_of(catalog: Catalog) -> Mapping[str, str]:
    """By which rule the catalog shows less of a skill than there is, by its name."""
    cut = (catalog.trimmed, catalog.bare, catalog.omitted)
    return {
        name: rule for names, rule in zip(cut, _CUTS, strict=True) for name in names
    }


_CUTS = (Departure.CUT.value, Departure.BARE.value, Departure.OMITTED.value)


def _build_row(file: _File, columns: Sequence[_Column]) -> Row:
    accounts = [column.accounts.get(file.path) for column in columns]
    name = file.name or most_given(account.name for account in accounts if account)
    cells = (
        _judge(account, column, file, name) if account else _absent(column, file)
        for account, column in zip(accounts, columns, strict=True)
    )
    descriptions = (account.description for account in accounts if account)
    return Row(
        path=file.path,
        found=file.found,
        name=name,
        description=file.description or next(filter(None, descriptions), None),
        cells=tuple(cells),
        is_stray=all(
            _is_stray(account, column.dialect)
            for account, column in zip(accounts, columns, strict=True)
            if account
        ),
    )


def _is_stray(account: Account, dialect: Dialect) -> bool:
    if account.rule != "frontmatter-missing":
        return False
    name, selection = basename(account.path), dialect.selections[account.root.select]
    compared = name.lower() if selection.case is Case.INSENSITIVE else name
    return compared not in selection.names


def _judge(account: Account, column: _Column, file: _File, name: str | None) -> Cell:
    """The cell of an agent that looked at the file."""
    loss = _loss_of(account, column, file)
    is_renamed = name is not None and account.name != name
    outcome = outcome_of(account.status, is_renamed=is_renamed, is_cut=loss is not None)
    if outcome is Outcome.RENAMED:
        return _cell(column, outcome, _renaming_of(account), account)
    if outcome is Outcome.TRUNCATED and loss:
        return _cell(column, outcome, loss, account)
    return Cell(
        dialect=column.dialect.name,
        outcome=outcome,
        rule=account.rule,
        because=_because(account, column.library),
        source=account.source,
        account=account,
    )


def _because(account: Account, library: Library) -> str:
    culprit = library.aborted_by
    if account.rule != _ABORTS or culprit is None:
        return account.because
    return f"{account.because}, in {culprit.path}"


_ABORTS = "host-aborts"


class _Reason(NamedTuple):
    """A rule, and what it means here."""

    rule: str
    because: str


def _cell(
    column: _Column, outcome: Outcome, reason: _Reason, account: Account | None = None
) -> Cell:
    return Cell(
        dialect=column.dialect.name,
        outcome=outcome,
        rule=reason.rule,
        because=reason.because,
        source=column.dialect.source_of(axis_of(reason.rule)),
        account=account,
    )


_RENAMINGS = frozenset(("name-rewritten", "name-not-text"))


def _renaming_of(account: Account) -> _Reason:
    for found in account.diagnostics:
        if found.rule in _RENAMINGS:
            return _Reason(found.rule, found.message)
    return _Reason(
        Departure.RENAMED.value, f"it is called `{printable(account.name or '')}` there"
    )


def _loss_of(account: Account, column: _Column, file: _File) -> _Reason | None:
    """What the model does not see of the description, and why."""
    read, written = account.description or "", file.description or ""
    if is_shortened(read, written):
        told = f"{len(read):,} of {len(written):,} characters are read"
        return _Reason(Departure.SHORTENED.value, told)
    rule = column.cuts.get(account.name or "")
    if rule is None:
        return None
    limit = column.dialect.catalog.description
    if limit.max_length is None or length_of(read, limit.unit) <= limit.max_length:
        return _Reason(rule, "the catalog would not fit otherwise")
    most, unit = limit.max_length, UNIT_NAMES[limit.unit]
    return _Reason(rule, f"the catalog shows {most:,} {unit} of {len(read):,}")


def _absent(column: _Column, file: _File) -> Cell:
    return _cell(column, Outcome.NOT_LOOKED_FOR, _absence_of(column, file))


def _absence_of(column: _Column, file: _File) -> _Reason:
    places = _places(column, file)
    nearest = min(places, key=lambda place: len(place[1]), default=None)
    if nearest is None:
        return _Reason(
            Departure.NOT_SEARCHED.value, "no folder of this agent leads there"
        )
    note = _note_about(column.library.notes, file)
    if note is not None:
        return _Reason(note.rule, note.message)
    root, below = nearest
    top, files = root.path.rstrip("/"), column.scan.files
    because = explain_omission(
        below,
        column.dialect.selections[root.select],
        is_link=lambda folder: files.is_link(f"{top}/{folder}"),
    )
    return _Reason(
        Departure.PASSED_OVER.value, f"{root.path} is searched, but {because}"
    )


def _places(column: _Column, file: _File) -> Iterator[tuple[Root, str]]:
    """The roots above the file, and where it stands below each of them."""
    for root in column.library.roots:
        real = column.scan.real_path(root.path)
        for top, path in ((root.path, file.found), (real, file.path)):
            below = path.removeprefix(f"{top.rstrip('/')}/")
            if below != path:
                yield root, below
                break


def _note_about(notes: Iterable[Diagnostic], file: _File) -> Diagnostic | None:
    """The remark of a walk about a folder in which the file stands."""
    for note in notes:
        if note.path and axis_of(note.rule) == "selections":
            top = f"{note.path.rstrip('/')}/"
            if file.found.startswith(top) or file.path.startswith(top):
                return note
    return None
