"""The values of a comparison: a row for each file, a cell for each agent."""

from __future__ import annotations

from dataclasses import dataclass
from posixpath import dirname
from typing import TYPE_CHECKING

from metier.core.outcome import Outcome

if TYPE_CHECKING:
    from metier.accounts import Account
    from metier.core.dialect import Dialect
    from metier.diagnostics import Diagnostics


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What became of one file in one agent, by which rule, from which source.

    `account` is what `Library.why` of that agent says, None where it says nothing.
    """

    dialect: str
    outcome: Outcome
    rule: str
    because: str
    source: str | None
    account: Account | None = None

    @property
    def name(self) -> str | None:
        """What the agent calls the skill."""
        return self.account.name if self.account else None

    @property
    def path(self) -> str | None:
        """Where the agent found the file."""
        return self.account.path if self.account else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One file, and what each agent makes of it.

    `path` is without links, which makes the file one row, however many paths lead to
    it; `found` is the one by which the first agent knows it. A stray is a file without
    a header that is looked at only because it ends like one.
    """

    path: str
    found: str
    name: str | None
    description: str | None
    cells: tuple[Cell, ...]
    is_stray: bool = False

    def __getitem__(self, dialect: str) -> Cell:
        for cell in self.cells:
            if cell.dialect == dialect:
                return cell
        raise KeyError(dialect)

    @property
    def is_portable(self) -> bool:
        """Whether every agent has the skill, under the name that is written."""
        return all(cell.outcome.is_portable for cell in self.cells)

    def count(self, *outcomes: Outcome) -> int:
        """How many agents make one of these of it."""
        return sum(cell.outcome in outcomes for cell in self.cells)

    def is_about(self, query: str) -> bool:
        """Whether `query` is its name for any agent, a path of it, or its folder."""
        if query in (self.name, self.path, dirname(self.path)):
            return True
        accounts = (cell.account for cell in self.cells)
        return any(
            account is not None and account.is_about(query) for account in accounts
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """Rows by path, cells in the order of `dialects`."""

    dialects: tuple[Dialect, ...]
    rows: tuple[Row, ...]
    notes: Diagnostics = ()

    @property
    def skills(self) -> tuple[Row, ...]:
        """The rows without the strays."""
        return tuple(row for row in self.rows if not row.is_stray)

    @property
    def portable(self) -> tuple[Row, ...]:
        """The skills that every agent has."""
        return tuple(row for row in self.skills if row.is_portable)

    def answers(self, query: str) -> tuple[Cell, ...]:
        """For each agent, what became of the skill of that name or path.

        Of several files the one counts that fares best; nothing where there is none.
        """
        rows = [row for row in self.rows if row.is_about(query)]
        order = list(Outcome)
        return tuple(
            min(column, key=lambda cell: order.index(cell.outcome))
            for column in zip(*(row.cells for row in rows), strict=True)
        )
