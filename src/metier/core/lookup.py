"""Which skills are meant by a name that somebody asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from posixpath import basename, dirname
from typing import TYPE_CHECKING

from metier.core.activation import Lookup
from metier.core.resolve import spelled
from metier.core.skill import Shadowed, Skill, key_of

if TYPE_CHECKING:
    from metier.core.dialect import Dialect
    from metier.core.roots import Root

Index = Mapping[str, tuple[Skill, ...]]


def index_skills(
    skills: Sequence[Skill],
    shadowed: Sequence[Shadowed],
    roots: Sequence[Root],
    dialect: Dialect,
) -> Index:
    """The skills that each name stands for, the one that counts first."""
    match dialect.activation.lookup:
        case Lookup.KEY:
            rule = dialect.precedence
            return _gathered((spelled(each.key, rule), each) for each in skills)
        case Lookup.PATH:
            every = (*skills, *(lost.skill for lost in shadowed))
            return _gathered(_paths_of(every, roots, dialect.activation.lookup_file))
        case _:  # Lookup.NAME_OR_FOLDER
            return _gathered(_names_of(skills))


def _gathered(pairs: Iterable[tuple[str, Skill]]) -> Index:
    index: dict[str, tuple[Skill, ...]] = {}
    for name, skill in pairs:
        known = index.get(name, ())
        if skill not in known:
            index[name] = (*known, skill)
    return index


def _paths_of(
    skills: Sequence[Skill], roots: Sequence[Root], file: str
) -> Iterator[tuple[str, Skill]]:
    """Every skill file by the path of its folder, those of the last root first."""
    ranks = {root.path: -rank for rank, root in enumerate(roots)}
    for skill in sorted(skills, key=lambda each: ranks[each.root.path]):
        if basename(skill.path) == file and dirname(skill.path) != skill.root.path:
            yield key_of(skill.path, skill.root.path), skill


def _names_of(skills: Sequence[Skill]) -> Iterator[tuple[str, Skill]]:
    for skill in skills:
        yield skill.name, skill
        yield basename(skill.directory), skill
        yield key_of(skill.path, skill.root.path), skill
