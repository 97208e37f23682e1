"""What is different between two looks at the same folders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from metier.core.skill import Status


class Aspect(Enum):
    """What of a skill is another one now."""

    NAME = "name"
    DESCRIPTION = "description"
    HEADER = "header"  # anything in its header, the two above included
    BODY = "body"
    STATUS = "status"  # what became of it: loaded, hidden, shadowed or rejected


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillState:
    """What there was of one file at one moment.

    The digests are those of the header and of the instructions; None for what is not
    read: a file that lost.
    """

    path: str
    name: str | None
    description: str | None
    status: Status
    rule: str
    header: str | None = None
    body: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillChange:
    """One file before and after, and in what they differ."""

    before: SkillState
    after: SkillState
    aspects: tuple[Aspect, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What happened to the files, by their paths: a new path is a new file.

    What was there before stands in the order of before, all else in that of after.
    """

    added: tuple[SkillState, ...] = ()
    changed: tuple[SkillChange, ...] = ()
    removed: tuple[SkillState, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)


def compare_states(
    before: Iterable[SkillState], after: Iterable[SkillState]
) -> Changes:
    """What happened between the two."""
    old, new = _by_path(before), _by_path(after)
    pairs = ((old[path], new[path]) for path in new if path in old)
    found = (
        SkillChange(before=one, after=other, aspects=_differences(one, other))
        for one, other in pairs
    )
    return Changes(
        added=tuple(new[path] for path in new if path not in old),
        changed=tuple(each for each in found if each.aspects),
        removed=tuple(old[path] for path in old if path not in new),
    )


def _by_path(states: Iterable[SkillState]) -> Mapping[str, SkillState]:
    found: dict[str, SkillState] = {}
    for each in states:
        found.setdefault(each.path, each)  # the first one is the one that counts most
    return found


def _differences(before: SkillState, after: SkillState) -> tuple[Aspect, ...]:
    pairs = {
        Aspect.NAME: (before.name, after.name),
        Aspect.DESCRIPTION: (before.description, after.description),
        Aspect.HEADER: (before.header, after.header),
        Aspect.BODY: (before.body, after.body),
        Aspect.STATUS: (
            (before.status, before.rule),
            (after.status, after.rule),
        ),
    }
    return tuple(aspect for aspect, (one, other) in pairs.items() if one != other)
