"""Files that a body asks for, read under a policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from metier.core.execution import Reach
from metier.core.resources import (
    MAX_RESOURCE,
    Resource,
    ResourceKind,
    cut_page,
    parse_place,
)
from metier.core.substitution import (
    FileBase,
    FileInsert,
    FileRule,
    substitution_of,
)
from metier.errors import ResourceError, RunRefused
from metier.runtime.clearance import open_for_run
from metier.runtime.policy import Insertion, RunPolicy
from metier.runtime.resources import read_bytes

if TYPE_CHECKING:
    from metier.core.skill import Skill
    from metier.core.templates import FileInsertion
    from metier.core.tree import Tree
    from metier.library import Library


class Files(NamedTuple):
    """What stands for each reference, None for one that stays; and what goes beside."""

    texts: tuple[str | None, ...]
    attachments: tuple[Resource, ...] = ()


def read_files(
    library: Library,
    skill: Skill,
    tree: Tree | None,
    references: Sequence[FileInsertion],
    policy: RunPolicy,
) -> Files:
    """The files that a body refers to, if `policy` lets them be read."""
    left = Files((None,) * len(references))
    if not references or policy.files is not Insertion.FILLED:
        return left
    rule = substitution_of(library.dialect).files
    try:
        tree = open_for_run(library, skill, policy, tree)
    except RunRefused:
        return left
    found: dict[str, Resource | None] = {}
    for each in references:
        if each.path not in found and len(found) < policy.limits.files:
            found[each.path] = _read(library, skill, tree, each.path, rule, policy)
    resources = [found.get(each.path) for each in references]
    if rule.insert is FileInsert.INLINE:
        return Files(tuple(map(_text_of, resources)))
    attached = tuple(each for each in found.values() if each is not None)
    return left._replace(attachments=attached)


def _text_of(resource: Resource | None) -> str | None:
    if resource is None or resource.kind is ResourceKind.BINARY:
        return None
    return resource.text


def _read(
    library: Library,
    skill: Skill,
    tree: Tree,
    path: str,
    rule: FileRule,
    policy: RunPolicy,
) -> Resource | None:
    place = parse_place(path)
    if place.refusal is not None:
        return None
    try:
        if rule.base is FileBase.SKILL:
            data = read_bytes(library, skill, tree, place.path)
        elif policy.project is Reach.NONE:
            return None
        else:
            data = _read_project(library, place.path)
    except (ResourceError, OSError):
        return None
    return cut_page(place.path, data, offset=0, limit=policy.limits.output)


def _read_project(library: Library, path: str) -> bytes:
    top = library.environment.git_root or library.environment.cwd
    most = MAX_RESOURCE + 1
    found = library.filesystem.read_below(top, path, most)
    if found.size > MAX_RESOURCE:
        raise OSError(f"larger than {MAX_RESOURCE:,} bytes: {path}")
    return found.data
