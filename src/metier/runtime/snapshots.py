"""What a library holds at this moment, as a value to compare with another moment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from metier.core.changes import SkillState
from metier.core.snapshots import CatalogSnapshot
from metier.core.tree import digest_text
from metier.errors import LoadError

if TYPE_CHECKING:
    from metier.core.catalog import Catalog
    from metier.core.skill import Skill
    from metier.library import Library


def take_snapshot(
    library: Library, catalog: Catalog, offered: tuple[Skill, ...]
) -> CatalogSnapshot:
    """`catalog`, and the state of every file in `library`."""
    return CatalogSnapshot(
        catalog=catalog,
        rule=library.dialect.catalog,
        offered=offered,
        states=tuple(list_states(library)),
    )


def list_states(library: Library) -> Iterator[SkillState]:
    """The state of every file; the instructions of those that count are read."""
    skills = {skill.path: skill for skill in library}
    for account in library.accounts():
        skill = skills.get(account.path)
        yield SkillState(
            path=account.path,
            name=account.name,
            description=account.description,
            status=account.status,
            rule=account.rule,
            header=digest_text(skill.header) if skill else None,
            body=_digest_of(library, skill) if skill else None,
        )


def _digest_of(library: Library, skill: Skill) -> str | None:
    try:
        return digest_text(library.read_body(skill))
    except LoadError:  # it went since, or is not what was approved
        return None
