"""The occasion on which a skill is handed over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from metier.core.substitution import Variable
from metier.core.templates import Caller

if TYPE_CHECKING:
    from metier.runtime.policy import RunPolicy
    from metier.runtime.runs import Switch


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """Who asks for a skill, with what arguments, and what may be run for it.

    `variables` are those that only the running agent knows, such as its session. A
    `switch` ends what is run.
    """

    caller: Caller = Caller.MODEL
    arguments: str = ""
    variables: Mapping[Variable, str] = field(default_factory=dict[Variable, str])
    policy: RunPolicy | None = None
    switch: Switch | None = None


def said_by(arguments: str, policy: RunPolicy | None) -> Occasion:
    """The occasion of a call: with arguments, it is as if a person said them."""
    caller = Caller.PERSON if arguments else Caller.MODEL
    return Occasion(caller=caller, arguments=arguments, policy=policy)


def said_by_a_person(arguments: str, policy: RunPolicy | None) -> Occasion:
    """The occasion of `/name arguments`, which may have none."""
    return Occasion(caller=Caller.PERSON, arguments=arguments, policy=policy)
