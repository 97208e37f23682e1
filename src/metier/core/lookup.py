"""Which skills are meant by a name that somebody asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from posixpath import basename, dirname
from typing import TYPE_CHECKING

from metier.core.activation import Lookup, bare_name
from metier.core.resolve import PrecedenceRule, spelled
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
        case Lookup.NAME_OR_FOLDER:
            return _gathered(_names_of(skills))
        case _:  # Lookup.LAST_PART
            return _gathered(_last_parts_of(skills, dialect.precedence))


def find_meant(index: Index, name: str, dialect: Dialect) -> tuple[Skill, ...]:
    """The skills that `name` stands for, as somebody asks for it."""
    rule = dialect.precedence
    name = spelled(bare_name(name, dialect.activation), rule)
    found = index.get(name, ())
    if dialect.activation.lookup is not Lookup.LAST_PART:
        return found
    exact = tuple(each for each in found if spelled(each.key, rule) == name)
    if exact or not name:
        return exact
    found = index.get(f":{name.rpartition(':')[2]}", ())
    return tuple(each for each in found if not each.is_hidden) or found


def _gathered(pairs: Iterable[tuple[str, Skill]]) -> Index:
    index: dict[str, tuple[Skill, ...]] = {}
    for name, skill in pairs:
        known = index.get(name, ())
        if skill not in known:
            index[name] = (*known, skill)
    return index


def _last_parts_of(
    skills: Sequence[Skill], rule: PrecedenceRule
) -> Iterator[tuple[str, Skill]]:
    for skill in skills:
        key = spelled(skill.key, rule)
        yield key, skill
        yield f":{key.rpartition(':')[2]}", skill


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
