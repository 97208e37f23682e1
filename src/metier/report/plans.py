"""What would be run, as text for a person."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

from metier.diagnostics import printable

if TYPE_CHECKING:
    from metier.core.script_results import RunPlan

_LONGEST = 4096


def render_plan(plan: RunPlan) -> str:
    """A line for each thing that can be told of a run before it begins."""
    sight = plan.confinement
    rows = {
        "run": " ".join(map(quote, plan.argv)),
        "in": plan.cwd,
        "script": f"{plan.script} ({plan.digest})",
        "sandbox": plan.sandbox.value,
        "reads": " ".join(map(quote, sight.readable)),
        "writes": " ".join(map(quote, sight.writable)),
        "network": sight.network.value,
        "variables": " ".join(plan.environment),
        "stdin": f"{plan.stdin_size} bytes",
        "time": f"{plan.limits.seconds:g} s",
    }
    return "\n".join(
        f"{name:<10}{printable(value, limit=_LONGEST)}" for name, value in rows.items()
    )
