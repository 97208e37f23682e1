"""What becomes of one file in one agent, in the words of a comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import Enum

from metier.core.skill import Status


class Outcome(Enum):
    """What an agent makes of a file; from the best to the worst."""

    LOADED = "loaded"
    HIDDEN = "hidden"  # loaded, but not offered to the model
    TRUNCATED = "truncated"  # the model sees less of the description than is written
    RENAMED = "renamed"  # loaded under another name than the one that is written
    SHADOWED = "shadowed"  # another skill of the same name counts
    DROPPED = "dropped"
    NOT_LOOKED_FOR = "not looked for"  # no folder of the agent leads there

    @property
    def is_available(self) -> bool:
        """Whether the agent has the skill, be it cut or under another name."""
        return self in _AVAILABLE

    @property
    def is_portable(self) -> bool:
        """Whether what the author wrote is what the agent has."""
        return self.is_available and self is not Outcome.RENAMED


_AVAILABLE = frozenset(
    (Outcome.LOADED, Outcome.HIDDEN, Outcome.TRUNCATED, Outcome.RENAMED)
)


class Departure(Enum):
    """The rules that a comparison adds to those of the agents."""

    RENAMED = "name-differs"
    SHORTENED = "description-shortened"
    CUT = "description-cut"
    BARE = "description-omitted"
    OMITTED = "skill-omitted"
    NOT_SEARCHED = "folder-not-searched"
    PASSED_OVER = "file-passed-over"


def outcome_of(status: Status, *, is_renamed: bool, is_cut: bool) -> Outcome:
    """The one word for what became of a candidate."""
    if status is Status.SHADOWED:
        return Outcome.SHADOWED
    if status is Status.REJECTED:
        return Outcome.DROPPED
    if is_renamed:
        return Outcome.RENAMED
    # Where the model is offered none of it, nothing is cut.
    if status is Status.HIDDEN:
        return Outcome.HIDDEN
    return Outcome.TRUNCATED if is_cut else Outcome.LOADED


def is_shortened(read: str | None, written: str | None) -> bool:
    """Whether a reader lost a part of a text; how it folds blanks is its own affair."""
    return len("".join((read or "").split())) < len("".join((written or "").split()))


def most_given(names: Iterable[str | None]) -> str | None:
    """The name that most agents give; of several the one that comes first."""
    counted = Counter(name for name in names if name)
    return counted.most_common(1)[0][0] if counted else None
