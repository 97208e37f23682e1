"""A body in which everything stands that belongs there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from metier.core.inserts import CommandRun
    from metier.core.resources import Resource
    from metier.diagnostics import Diagnostics


class Filled(NamedTuple):
    """The text, what was run for it and what goes beside it.

    `problem` says why the agent would hand nothing over.
    """

    text: str
    runs: tuple[CommandRun, ...] = ()
    attachments: tuple[Resource, ...] = ()
    problem: str | None = None
    diagnostics: Diagnostics = ()
