"""The agents that metier knows, and how each dialect was checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metier.core.dialect import Dialect
    from metier.world.dialects import Agreed
    from metier.world.hosts import Traces

# The kinds of recorded cases, in the order in which they are told.
KINDS = {
    "edge": "hand-made files",
    "corpus": "real files",
    "trees": "trees",
    "facts": "facts of its own tests",
}


class HostRow(NamedTuple):
    """A dialect, what was measured of it, and what this machine has of its agent."""

    dialect: Dialect
    measured: Mapping[str, Agreed]
    traces: Traces | None = None

    @property
    def agreed(self) -> int:
        """In how many recorded cases metier answers as the agent did."""
        return sum(each.agreed for each in self.measured.values())

    @property
    def total(self) -> int:
        """How many cases were recorded."""
        return sum(each.total for each in self.measured.values())

    @property
    def cases(self) -> str:
        """Of which kinds the cases are."""
        return ", ".join(
            f"{self.measured[kind].total:,} {what}"
            for kind, what in KINDS.items()
            if kind in self.measured
        )


def render_hosts(rows: Sequence[HostRow]) -> str:
    """A line for each dialect, and one for what the machine has of its agent."""
    width = max((len(row.dialect.name) for row in rows), default=0)
    return "\n".join(line for row in rows for line in _lines(row, width))


def _lines(row: HostRow, width: int) -> list[str]:
    about = row.dialect
    head = f"{about.name:<{width}}  {about.title}, {about.version}; {_checked(row)}"
    if row.traces is None:
        return [head]
    found = (*row.traces.programs, *row.traces.folders)
    return [head, *(f"{'':<{width}}  {path}" for path in found)]


def _checked(row: HostRow) -> str:
    evidence = row.dialect.evidence.value
    if not row.total:
        return evidence
    return f"{evidence}: agrees in {row.agreed:,} of {row.total:,} cases"


def hosts_as_json(rows: Sequence[HostRow]) -> list[dict[str, Any]]:
    """What `metier hosts --json` prints for each dialect."""
    return [_as_json(row) for row in rows]


def _as_json(row: HostRow) -> dict[str, Any]:
    about, traces = row.dialect, row.traces
    return {
        "dialect": about.name,
        "title": about.title,
        "version": about.version,
        "evidence": about.evidence.value,
        "agreed": row.agreed,
        "total": row.total,
        "cases": {
            kind: {"agreed": each.agreed, "total": each.total}
            for kind, each in row.measured.items()
        },
        "differences": [
            {"case": each.case, "because": each.because} for each in about.differences
        ],
        "programs": list(traces.programs) if traces else None,
        "folders": list(traces.folders) if traces else None,
    }
