"""Two agents over the same files: what changes for the skills on the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from metier.comparison import build_matrix, cuts_of
from metier.core.outcome import Departure, Outcome

if TYPE_CHECKING:
    from metier.core.dialect import Dialect
    from metier.core.skill import Skill
    from metier.core.values import FieldValue
    from metier.library import Library
    from metier.matrix import Cell
    from metier.sharing import SharedScan


class ChangeKind(Enum):
    """What becomes of a skill when another agent takes over, the worst first."""

    LOST = "lost"
    REPLACED = "replaced"  # another file of the same name counts
    RENAMED = "renamed"
    CHANGED = "changed"  # the same name, and something else is read of it
    GAINED = "gained"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """What one agent has for a field, and the other; None: nothing is read."""

    field: str
    old: FieldValue
    new: FieldValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What happens to one skill.

    `old_path` and `new_path` are the files that the two agents have for it. The rule is
    why the new agent does not have `old_path`, has it under another name, or why the
    old one does not have `new_path`.
    """

    kind: ChangeKind
    name: str
    new_name: str | None = None
    old_path: str | None = None
    new_path: str | None = None
    rule: str | None = None
    because: str | None = None
    source: str | None = None
    fields: tuple[FieldChange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Every change, the losses first; `same` names the skills without one."""

    old: Dialect
    new: Dialect
    changes: tuple[Change, ...]
    same: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.changes)


def find_difference(
    old: Library, new: Library, scan: SharedScan, *, reference: Dialect
) -> Difference:
    """What changes for the skills of `old` when the agent of `new` reads the files."""
    matrix = build_matrix((old, new), scan, reference=reference)
    sides = _Side(old), _Side(new)
    lost: list[_Half] = []
    gained: list[_Half] = []
    changes: list[Change] = []
    same: list[str] = []
    for row in matrix.rows:
        before, after = row.cells
        had, has = sides[0].view(before), sides[1].view(after)
        if had and has:
            renaming = after if after.outcome is Outcome.RENAMED else before
            change = _compare(had, has, renaming)
            changes += [change] if change else []
            same += [] if change else [had.skill.name]
        elif had:
            lost.append(_Half(had, after))
        elif has:
            gained.append(_Half(has, before))
    changes += _exchange(lost, gained)
    kinds = list(ChangeKind)
    return Difference(
        old=old.dialect,
        new=new.dialect,
        changes=tuple(sorted(changes, key=lambda change: kinds.index(change.kind))),
        same=tuple(same),
    )


class _View(NamedTuple):
    """A skill as one agent has it, and as its model is shown it."""

    skill: Skill
    showing: str


class _Side:
    """One of the two agents."""

    def __init__(self, library: Library) -> None:
        self.skills = {skill.path: skill for skill in library.skills}
        self.cuts = cuts_of(library.render())

    def view(self, cell: Cell) -> _View | None:
        """What the agent has of a file, None where it has not."""
        skill = self.skills.get(cell.path or "") if cell.outcome.is_available else None
        return _View(skill, self._showing_of(skill)) if skill else None

    def _showing_of(self, skill: Skill) -> str:
        return "hidden" if skill.is_hidden else _SHOWINGS[self.cuts.get(skill.name)]


class _Half(NamedTuple):
    """What one agent has of a file, and why the other one has nothing."""

    view: _View
    why: Cell


_SHOWINGS = {
    None: "whole",
    Departure.CUT.value: "cut",
    Departure.BARE.value: "by name only",
    Departure.OMITTED.value: "left out",
}


def _compare(old: _View, new: _View, cell: Cell) -> Change | None:
    """The change of a file that both agents have, if it is one."""
    name, new_name = old.skill.name, new.skill.name
    fields = tuple(_field_changes(old, new))
    if name == new_name and not fields:
        return None
    is_renamed = name != new_name
    return Change(
        kind=ChangeKind.RENAMED if is_renamed else ChangeKind.CHANGED,
        name=name,
        new_name=new_name,
        old_path=old.skill.path,
        new_path=new.skill.path,
        rule=cell.rule if is_renamed else None,
        because=cell.because if is_renamed else None,
        source=cell.source if is_renamed else None,
        fields=fields,
    )


def _exchange(lost: Sequence[_Half], gained: Sequence[_Half]) -> Iterator[Change]:
    """What is lost, with what takes its place, and what is only gained."""
    successors: dict[str, list[_Half]] = {}
    for each in gained:
        successors.setdefault(each.view.skill.name, []).append(each)
    for each in lost:
        waiting = successors.get(each.view.skill.name)
        yield _replaced(each, waiting.pop(0)) if waiting else _lost(each)
    for waiting in successors.values():
        yield from map(_gained, waiting)


def _lost(half: _Half) -> Change:
    change = _unmatched(half, ChangeKind.LOST)
    return replace(change, old_path=half.view.skill.path)


def _gained(half: _Half) -> Change:
    skill, change = half.view.skill, _unmatched(half, ChangeKind.GAINED)
    return replace(change, new_name=skill.name, new_path=skill.path)


def _unmatched(half: _Half, kind: ChangeKind) -> Change:
    """What one side has, and why the other one has not."""
    why = half.why
    return Change(
        kind=kind,
        name=half.view.skill.name,
        rule=why.rule,
        because=why.because,
        source=why.source,
    )


def _replaced(half: _Half, successor: _Half) -> Change:
    skill = successor.view.skill
    return replace(
        _lost(half),
        kind=ChangeKind.REPLACED,
        new_name=skill.name,
        new_path=skill.path,
        fields=tuple(_field_changes(half.view, successor.view)),
    )


def _field_changes(old: _View, new: _View) -> Iterator[FieldChange]:
    """What is read differently; how blanks are folded is nobody's business."""
    before, after = old.skill.description, new.skill.description
    if (before or "").split() != (after or "").split():
        yield FieldChange(field="description", old=before, new=after)
    if old.showing != new.showing:
        yield FieldChange(field="shown", old=old.showing, new=new.showing)
    yield from _optional_changes(old.skill, new.skill)
    meanings = _meaning_of(old.skill), _meaning_of(new.skill)
    if None not in meanings and meanings[0] != meanings[1]:
        yield FieldChange(field="allowed_tools mean", old=meanings[0], new=meanings[1])


def _optional_changes(old: Skill, new: Skill) -> Iterator[FieldChange]:
    before, after = _stated(old), _stated(new)
    for field in dict.fromkeys((*before, *after)):
        if before.get(field) != after.get(field):
            yield FieldChange(field=field, old=before.get(field), new=after.get(field))


def _stated(skill: Skill) -> Mapping[str, FieldValue]:
    """The optional fields that stand in the header."""
    return {
        name: value for name, value in skill.fields.items() if skill.is_stated(name)
    }


def _meaning_of(skill: Skill) -> str | None:
    """What its list of tools means to the agent, where there is one."""
    if not skill.is_stated(_ALLOWED_TOOLS):
        return None
    return skill.origin.dialect.permission.allowed_tools.value


_ALLOWED_TOOLS = "allowed_tools"
