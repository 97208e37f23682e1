"""Agent skills for Python: find them, read them, rank them, show them, say why."""

from __future__ import annotations

# Not imported from `typing`, which takes longer to load than all of this; type
# checkers know the name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from metier.accounts import Account as Account
    from metier.api import adiscover as adiscover
    from metier.api import compare as compare
    from metier.api import diff as diff
    from metier.api import discover as discover
    from metier.core.activation import Activation as Activation
    from metier.core.catalog import Catalog as Catalog
    from metier.core.dialect import Dialect as Dialect
    from metier.core.execution import Sandbox as Sandbox
    from metier.core.outcome import Outcome as Outcome
    from metier.core.permission import Action as Action
    from metier.core.permission import Ruleset as Ruleset
    from metier.core.roots import Trust as Trust
    from metier.core.skill import Rejection as Rejection
    from metier.core.skill import Shadowed as Shadowed
    from metier.core.skill import Skill as Skill
    from metier.diagnostics import Diagnostic as Diagnostic
    from metier.diagnostics import Severity as Severity
    from metier.difference import Difference as Difference
    from metier.errors import LoadError as LoadError
    from metier.errors import MetierError as MetierError
    from metier.errors import PermissionDenied as PermissionDenied
    from metier.errors import RunRefused as RunRefused
    from metier.errors import SkillNotFound as SkillNotFound
    from metier.library import Library as Library
    from metier.matrix import Matrix as Matrix
    from metier.runtime.policy import RunPolicy as RunPolicy
    from metier.runtime.tool import SkillTool as SkillTool
    from metier.world.dialects import load_dialect as load_dialect

# Loaded on first use: importing metier costs next to nothing.
_HOMES = {
    "Account": "metier.accounts",
    "Action": "metier.core.permission",
    "Activation": "metier.core.activation",
    "Catalog": "metier.core.catalog",
    "Diagnostic": "metier.diagnostics",
    "Dialect": "metier.core.dialect",
    "Difference": "metier.difference",
    "Library": "metier.library",
    "LoadError": "metier.errors",
    "Matrix": "metier.matrix",
    "MetierError": "metier.errors",
    "Outcome": "metier.core.outcome",
    "PermissionDenied": "metier.errors",
    "Rejection": "metier.core.skill",
    "Ruleset": "metier.core.permission",
    "RunPolicy": "metier.runtime.policy",
    "RunRefused": "metier.errors",
    "Sandbox": "metier.core.execution",
    "Severity": "metier.diagnostics",
    "Shadowed": "metier.core.skill",
    "Skill": "metier.core.skill",
    "SkillNotFound": "metier.errors",
    "SkillTool": "metier.runtime.tool",
    "Trust": "metier.core.roots",
    "adiscover": "metier.api",
    "compare": "metier.api",
    "diff": "metier.api",
    "discover": "metier.api",
    "load_dialect": "metier.world.dialects",
}

__version__ = "0.1.0"
__all__ = [
    "Account",
    "Action",
    "Activation",
    "Catalog",
    "Diagnostic",
    "Dialect",
    "Difference",
    "Library",
    "LoadError",
    "Matrix",
    "MetierError",
    "Outcome",
    "PermissionDenied",
    "Rejection",
    "Ruleset",
    "RunPolicy",
    "RunRefused",
    "Sandbox",
    "Severity",
    "Shadowed",
    "Skill",
    "SkillNotFound",
    "SkillTool",
    "Trust",
    "adiscover",
    "compare",
    "diff",
    "discover",
    "load_dialect",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module `metier` has no attribute `{name}`")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
