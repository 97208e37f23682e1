"""Every exception that metier raises.

    MetierError
    ├── DialectError          a dialect file says something that makes no sense
    ├── UnknownDialect        no dialect of that name
    ├── ConfigError           a configuration value that cannot be used
    ├── LedgerError           a saved ledger that metier did not write
    ├── SkillNotFound         the library holds no such skill (also a KeyError)
    ├── PermissionDenied      a rule or the person asked said no
    └── LoadError             the skill is known, its file cannot be handed over
        ├── NotApproved       it is not what a person approved; `question` says more
        ├── ResourceError     a file beside it cannot be handed over
        └── RunRefused        a script or a command of it is not run

What is wrong with a *skill file* is never an exception: it is a `Diagnostic`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metier.core.permission import Decision
    from metier.diagnostics import Diagnostic
    from metier.runtime.trust import Question


class MetierError(Exception):
    """The base of them all."""


class DialectError(MetierError):
    """A dialect file says something that makes no sense; `key` says where."""

    def __init__(self, message: str, *, key: str) -> None:
        super().__init__(f"{key}: {message}" if key else message)
        self.key = key


class UnknownDialect(MetierError):
    """There is no dialect of that name."""

    def __init__(self, name: str, *, known: Sequence[str]) -> None:
        super().__init__(f"unknown dialect `{name}`")
        self.name = name
        self.known = tuple(known)


class ConfigError(MetierError):
    """A configuration value that cannot be used."""


class LedgerError(MetierError):
    """A saved ledger that metier did not write, or that was damaged since."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the saved ledger cannot be read: {reason}")
        self.reason = reason


class SkillNotFound(MetierError, KeyError):
    """The library holds no such skill; the message is the dialect's own."""

    def __init__(self, message: str, *, name: str, suggestions: Sequence[str]) -> None:
        super().__init__(message)
        self.message = message
        self.name = name
        self.suggestions = tuple(suggestions)

    def __str__(self) -> str:
        return self.message


class PermissionDenied(MetierError):
    """A rule, or the person who was asked, said no."""

    def __init__(self, message: str, *, decision: Decision) -> None:
        super().__init__(message)
        self.decision = decision


class LoadError(MetierError):
    """The skill is known, but its file cannot be handed over now."""

    def __init__(self, message: str, *, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)


class NotApproved(LoadError):
    """The skill is not what a person approved, or its folder is not trusted."""

    def __init__(
        self,
        message: str,
        *,
        diagnostics: Sequence[Diagnostic],
        question: Question | None,
    ) -> None:
        super().__init__(message, diagnostics=diagnostics)
        self.question = question


class ResourceError(LoadError):
    """A file beside a skill cannot be handed over; the message is for a model too."""


class RunRefused(LoadError):
    """A script or a command of a skill is not run; the message is for a model too."""

    @property
    def rule(self) -> str:
        """Why, as the name of a rule."""
        return self.diagnostics[0].rule
