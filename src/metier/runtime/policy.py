"""What an embedding program lets skills run, and within which bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from metier.core.execution import Backend, Limits, Network, Reach, Sandbox
from metier.core.roots import Scope


class Eligible(Enum):
    """Which skills may run something."""

    # Those of the user, and those of a project that the user trusts and has approved.
    TRUSTED = "trusted"
    # Whatever is in the library: for a program that has judged its skills elsewhere.
    ALL = "all"


class Insertion(Enum):
    """What becomes of a command or a file that a body asks for."""

    FILLED = "filled"  # it is run, or read, and what comes out stands in its place
    LEFT = "left"  # it stays as it is written
    DISABLED = "disabled"  # the agent's own words for "not here"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPolicy:
    """What may be run for a skill; without a policy, no command in a body ever is.

    `environment` names the variables that a program gets out of this one's, `settings`
    gives it others. Paths in `readable` and `writable` are open to it beside its own
    folders; `scratch` is a folder to write to that stays, `cwd` where it starts
    instead of the project. What stands in `secrets`, and every variable that is called
    like a secret, is taken out of what a program says.
    """

    eligible: Eligible = Eligible.TRUSTED
    scopes: frozenset[Scope] = frozenset(Scope)
    sandbox: Sandbox = Sandbox.REQUIRED
    backends: tuple[Backend, ...] = (Backend.LANDLOCK, Backend.BUBBLEWRAP)
    commands: Insertion = Insertion.FILLED
    files: Insertion = Insertion.FILLED
    limits: Limits = field(default_factory=Limits)
    network: Network = Network.NONE
    project: Reach = Reach.READ
    cwd: str | None = None
    scratch: str | None = None
    readable: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()
    environment: tuple[str, ...] = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ")
    settings: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)
