"""What became of everything that was found: the answer to "why?"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from posixpath import basename, dirname
from typing import TYPE_CHECKING

from metier.core.requirements import Unmet
from metier.core.rules import axis_of
from metier.core.skill import Rejection, Shadowed, Skill, Status

if TYPE_CHECKING:
    from metier.core.dialect import Dialect
    from metier.core.roots import Root
    from metier.diagnostics import Diagnostic, Diagnostics
    from metier.library import Library


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What became of one candidate, which rule decided and where it comes from."""

    name: str | None
    description: str | None
    path: str
    root: Root
    status: Status
    rule: str
    because: str
    source: str | None
    diagnostics: Diagnostics = ()
    key: str | None = None

    def is_about(self, query: str) -> bool:
        """Whether `query` is its name, its path or the folder of its file."""
        if query in (self.name, self.key, self.path, dirname(self.path)):
            return True
        return self.name is None and basename(dirname(self.path)) == query


def list_accounts(library: Library) -> Iterator[Account]:
    """What became of everything: the loaded first, in the dialect's order."""
    dialect = library.dialect
    for skill in library.skills:
        yield _loaded(skill, library)
    for shadowed in library.shadowed:
        yield _shadowed(shadowed, dialect)
    for rejection in library.rejected:
        yield _rejected(rejection, dialect)


def _loaded(skill: Skill, library: Library) -> Account:
    dialect = library.dialect
    status = Status.HIDDEN if skill.is_hidden else Status.LOADED
    hiding = _hiding(skill, library)
    if hiding is not None:
        source = dialect.source_of(axis_of(hiding.rule))
        return _account(skill, status, hiding.rule, hiding.message, source)
    because = f"found in {skill.root.scope.value} folder {skill.root.path}"
    source = dialect.source_of(skill.root.axis)
    if skill.is_hidden:
        because = f"{because}; the model may not invoke it by itself"
        source = dialect.source_of("fields.other")
    return _account(skill, status, status.value, because, source)


def _hiding(skill: Skill, library: Library) -> Diagnostic | None:
    """What hides a skill, but for the wish of its author that a person invokes it."""
    rules = ["skill-disabled"]
    if library.unmet is Unmet.HIDE:
        rules.append("requirement-unmet")
    return next((d for d in skill.diagnostics if d.rule in rules), None)


def _shadowed(shadowed: Shadowed, dialect: Dialect) -> Account:
    because = f"{shadowed.by.path} counts instead"
    source = dialect.source_of("precedence")
    return _account(shadowed.skill, Status.SHADOWED, shadowed.rule, because, source)


def _rejected(rejection: Rejection, dialect: Dialect) -> Account:
    deciding = (d for d in rejection.diagnostics if d.rule == rejection.rule)
    finding = next(deciding, None)
    return Account(
        name=rejection.name,
        description=None,
        path=rejection.path,
        root=rejection.root,
        status=Status.REJECTED,
        rule=rejection.rule,
        because=finding.message if finding else rejection.rule,
        source=dialect.source_of(axis_of(rejection.rule)),
        diagnostics=rejection.diagnostics,
    )


def _account(
    skill: Skill, status: Status, rule: str, because: str, source: str | None
) -> Account:
    return Account(
        name=skill.name,
        description=skill.description,
        path=skill.path,
        root=skill.root,
        status=status,
        rule=rule,
        because=because,
        source=source,
        diagnostics=skill.diagnostics,
        key=skill.alias,
    )
