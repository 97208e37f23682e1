"""The agents that make the same of a skill, told together."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from metier.core.outcome import Departure, Outcome
from metier.core.rules import RULES
from metier.core.skill import Status
from metier.diagnostics import printable

if TYPE_CHECKING:
    from metier.matrix import Cell, Matrix, Row


class Group(NamedTuple):
    """Some agents, what they make of a skill, by which rules and why."""

    outcome: Outcome
    rules: tuple[str, ...]
    because: str
    cells: tuple[Cell, ...]

    @property
    def agents(self) -> tuple[str, ...]:
        return tuple(cell.dialect for cell in self.cells)

    @property
    def is_plain(self) -> bool:
        """Whether the outcome says it all."""
        return self.rules in _PLAIN

    @property
    def reason(self) -> str:
        """The rules and the reason, in one line."""
        return f"{', '.join(self.rules)}: {self.because}"


_PLAIN = (
    (Status.LOADED.value,),
    (Status.HIDDEN.value,),
    (Departure.NOT_SEARCHED.value,),
)


def group_cells(row: Row) -> tuple[Group, ...]:
    """The cells of a row by outcome and reason, the best outcome first."""
    by_rule: dict[tuple[Outcome, str], list[Cell]] = {}
    for cell in row.cells:
        by_rule.setdefault((cell.outcome, cell.rule), []).append(cell)
    groups: dict[tuple[Outcome, str], Group] = {}
    for (outcome, rule), cells in by_rule.items():
        because = _common_reason(rule, cells)
        group = Group(outcome, (rule,), because, tuple(cells))
        known = groups.get((outcome, because))
        groups[outcome, because] = _merged(known, group) if known else group
    order = list(Outcome)
    return tuple(sorted(groups.values(), key=lambda group: order.index(group.outcome)))


def _merged(one: Group, other: Group) -> Group:
    rules, cells = one.rules + other.rules, one.cells + other.cells
    return one._replace(rules=rules, cells=cells)


def _common_reason(rule: str, cells: list[Cell]) -> str:
    """The one reason of all of them, else what the rule says in general."""
    reasons = {cell.because for cell in cells}
    if len(reasons) == 1 or rule not in RULES:
        return cells[0].because
    return RULES[rule].summary


def mark_of(row: Row) -> str:
    """`+` portable, `!` portable and cut somewhere, `x` not portable."""
    if not row.is_portable:
        return "x"
    return "!" if row.count(Outcome.TRUNCATED) else "+"


def count_available(row: Row) -> int:
    """How many agents have the skill, under whatever name."""
    return sum(cell.outcome.is_available for cell in row.cells)


def summarize(matrix: Matrix) -> str:
    """How many skills are portable, in one sentence."""
    skills, names = len(matrix.skills), [each.name for each in matrix.dialects]
    few = len(names) <= _FEW
    agents = " and ".join(names) if few else f"all {len(names)} agents"
    are = "skill is" if skills == 1 else "skills are"
    return f"{len(matrix.portable)} of {skills} {are} portable to {agents}"


# So many agents are told by name.
_FEW = 2


class Places(NamedTuple):
    """The folders against which paths are shown."""

    cwd: str
    home: str | None = None

    def shown(self, path: str) -> str:
        """`path` from the working directory, or from `~`, fit for a line."""
        below = path.removeprefix(f"{self.cwd.rstrip('/')}/")
        if below == path and self.home:
            home = f"{self.home.rstrip('/')}/"
            below = f"~/{path.removeprefix(home)}" if path.startswith(home) else path
        return printable(below, limit=1000)
