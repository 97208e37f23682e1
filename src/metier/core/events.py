"""What happens to the skills of a running agent, as values for who watches over it.

A callback gets one of them each time; nothing waits for its answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Invoker(Enum):
    """Who asked for a skill."""

    MODEL = "model"
    PERSON = "person"


class Cause(Enum):
    """Why a skill, or a file of one, was not handed over."""

    ARGUMENTS = "arguments"  # the call of the tool made no sense
    UNKNOWN = "unknown"  # there is no such skill for who asked
    PERMISSION = "permission"  # a rule, or the person who was asked, said no
    FAILURE = "failure"  # its file could not be handed over


@dataclass(frozen=True, slots=True, kw_only=True)
class Activated:
    """The instructions of a skill were handed over for the first time."""

    name: str
    at: str
    by: Invoker
    path: str
    digest: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """They were handed over again, as they are not what was handed over before."""

    name: str
    at: str
    by: Invoker
    path: str
    digest: str
    before: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeated:
    """A skill was asked for that is in the conversation; `tokens` were spared."""

    name: str
    at: str
    by: Invoker
    digest: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reloaded:
    """The same was handed over again: it was lost, or is handed over each time."""

    name: str
    at: str
    by: Invoker
    path: str
    digest: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Nothing was handed over; `message` is what the model was told."""

    name: str
    at: str
    by: Invoker
    cause: Cause
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceRead:
    """A page of a file of a skill was read."""

    name: str
    at: str
    path: str
    media_type: str
    offset: int
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptRan:
    """A script of a skill was run; one that was killed has no `exit_code`."""

    name: str
    at: str
    script: str
    exit_code: int | None
    seconds: float
    sandbox: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unloaded:
    """A skill is active no more."""

    name: str
    at: str
    digest: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinjected:
    """A conversation was compacted, and these skills were put into it again."""

    at: str
    whole: tuple[str, ...]
    cut: tuple[str, ...]
    listed: tuple[str, ...]
    omitted: tuple[str, ...]
    tokens: int


Event = (
    Activated
    | Changed
    | Repeated
    | Reloaded
    | Refused
    | ResourceRead
    | ScriptRan
    | Unloaded
    | Reinjected
)


def kind_of(event: Event) -> str:
    """The kind of an event in one word: `activated`, `resource-read`, ..."""
    name = type(event).__name__
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in name).removeprefix(
        "-"
    )
