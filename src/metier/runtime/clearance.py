"""Which skills may run something, and the bytes with which they do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from metier.core.roots import Trust
from metier.diagnostics import Diagnostic, Severity
from metier.errors import RunRefused
from metier.runtime.policy import Eligible, RunPolicy
from metier.runtime.trust import Gate, find_store, place_of

if TYPE_CHECKING:
    from metier.core.skill import Skill
    from metier.core.tree import Tree
    from metier.library import Library


def open_for_run(
    library: Library, skill: Skill, policy: RunPolicy, tree: Tree | None = None
) -> Tree:
    """All that `skill` holds, if it may run something; `RunRefused` if not.

    Where trust is about bytes, these are the bytes; `tree` are those of a skill that
    was opened, and found approved, before.
    """
    if skill.root.scope not in policy.scopes:
        message = f"skills of the {skill.root.scope.value} run nothing here"
        raise refuse("run-out-of-scope", message, skill)
    tree = tree or library.open_tree(skill)
    if tree is None and policy.eligible is Eligible.TRUSTED:
        tree = _approved(library, skill)
    return _read(library, skill) if tree is None else tree


def cleared_skills(
    library: Library, skills: Iterable[Skill], policy: RunPolicy
) -> Iterator[Skill]:
    """Those of `skills` that may run something, as they are now."""
    view = None
    if policy.eligible is Eligible.TRUSTED:
        view = gate_of(library).look()
    for skill in skills:
        if skill.root.scope not in policy.scopes:
            continue
        if view is None:
            yield skill
            continue
        judged = view.judge(skill.path, skill.root, view.admission(skill.root))
        if judged.finding is None:
            yield skill


def _approved(library: Library, skill: Skill) -> Tree | None:
    """What a person approved; None for a skill of the user's own."""
    judged = gate_of(library).open(skill)
    if judged.finding is None:
        return judged.tree
    help = judged.finding.help
    raise refuse("run-untrusted", judged.finding.message, skill, help=help)


def gate_of(library: Library) -> Gate:
    """The gate of `library`, or the one that would stand there under `Trust.STORED`."""
    if library.gate is not None:
        return library.gate
    return Gate(
        mode=Trust.STORED,
        store=find_store(library.environment),
        filesystem=library.filesystem,
        environment=library.environment,
        dialect=library.dialect,
    )


def _read(library: Library, skill: Skill) -> Tree:
    """What a skill holds about which nobody has to be asked."""
    place = place_of(skill.path, library.dialect.selections[skill.root.select])
    files = library.filesystem
    try:
        return files.read_tree(place.folder, files.stamp(place.folder), place.only)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        message = f"what the skill holds cannot be copied: {reason}"
        raise refuse("run-unbound", message, skill) from error


def refuse(
    rule: str, message: str, skill: Skill, *, help: str | None = None
) -> RunRefused:
    """The exception for what is not run, with its finding."""
    finding = Diagnostic(
        rule=rule,
        severity=Severity.ERROR,
        message=message,
        path=skill.path,
        help=help,
    )
    shown = f"{message}; {help}" if help else message
    return RunRefused(shown, diagnostics=(finding,))
