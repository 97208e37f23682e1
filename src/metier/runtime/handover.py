"""What is handed over of a skill: out of its approved tree, else from the disk."""

from __future__ import annotations

from dataclasses import replace
from posixpath import basename
from typing import TYPE_CHECKING

from metier.core.activation import (
    Activation,
    Content,
    ResourceList,
    Resources,
    Suggestions,
    render_activation,
    render_ambiguous,
    render_invoked,
    render_refused,
    render_unknown,
)
from metier.core.catalog import Looks
from metier.core.document import MAX_FILE, body_of, split_document, whole_of
from metier.core.invocation import is_disabled
from metier.core.locations import Places
from metier.core.text import LineEnds
from metier.diagnostics import Severity
from metier.errors import LoadError, SkillNotFound
from metier.runtime.filled import Filled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metier.core.activation import ActivationRule
    from metier.core.dialect import Dialect
    from metier.core.skill import Skill
    from metier.core.tree import Tree
    from metier.diagnostics import Diagnostics
    from metier.library import Library
    from metier.runtime.occasion import Occasion
    from metier.world.filesystem import Reading


# A catalog of files for the model, not an archive: what is left out is counted.
MAX_RESOURCES = 100


def hand_over(
    library: Library,
    skill: Skill,
    tree: Tree | None,
    occasion: Occasion | None = None,
) -> Activation:
    """The text for the model, as the agent writes it on this occasion."""
    rule = library.dialect.activation
    body = read_body(library, skill, tree)
    filled = _fill(library, skill, body, tree, occasion)
    resources = _resources_beside(library, skill, tree)
    place = _place_of(library, skill) if "{place}" in rule.output else ""
    activation = render_activation(
        skill,
        filled.text,
        rule,
        resources=resources,
        place=place,
        arguments=occasion.arguments if occasion else "",
    )
    if filled.runs or filled.attachments:
        runs, attached = filled.runs, filled.attachments
        activation = replace(activation, runs=runs, attachments=attached)
    if tree is None:
        return activation
    return replace(activation, tree_digest=tree.digest)


def places_of(library: Library) -> Places:
    """The folders that were scanned, and the links in them, where the agent tells."""
    aliases = library.dialect.catalog.aliases
    if not aliases.name and not aliases.home:
        return Places()
    paths = (root.path for root in library.roots)
    roots = tuple((path, _real_path(library, path)) for path in paths)
    return Places(roots=roots, links=library.links, homes=_homes(library))


def _homes(library: Library) -> tuple[str, ...]:
    """The paths of the user's home folder, with and without links."""
    home = library.environment.home
    paths = {home, _real_path(library, home)} if home else ()
    return tuple(sorted(paths, key=len, reverse=True))


def _real_path(library: Library, folder: str) -> str:
    try:
        return library.filesystem.stamp(folder).path
    except OSError:  # it is gone since the scan
        return folder


def _fill(
    library: Library,
    skill: Skill,
    body: str,
    tree: Tree | None,
    occasion: Occasion | None,
) -> Filled:
    if not library.dialect.substitution.values:
        return Filled(body)
    from metier.runtime.filling import fill_body
    from metier.runtime.occasion import Occasion

    filled = fill_body(library, skill, body, tree, occasion or Occasion())
    if filled.problem is not None:
        raise _failed(library.dialect, filled.problem, filled.diagnostics)
    return filled


def looks_of(library: Library) -> Looks:
    """How a catalog looks at the disk."""

    def body_or_nothing(skill: Skill) -> str:
        try:
            return library.read_body(skill)
        except LoadError:  # it is gone since the scan, or nobody approved it
            return ""

    is_directory = library.filesystem.is_directory
    return Looks(is_directory=is_directory, read_body=body_or_nothing)


def _place_of(library: Library, skill: Skill) -> str:
    """The real folder of `skill`, from the working directory if it is below."""
    place = _real_path(library, skill.directory)
    here = _real_path(library, library.environment.cwd)
    return "." if place == here else place.removeprefix(f"{here.rstrip('/')}/")


def as_invoked(
    activation: Activation, arguments: str, rule: ActivationRule
) -> Activation:
    """The same, with what a person said behind the name of the skill."""
    output = render_invoked(activation, arguments, rule)
    return replace(activation, output=output)


def _resources_beside(
    library: Library, skill: Skill, tree: Tree | None
) -> ResourceList:
    rule = library.dialect.activation
    if rule.resources is Resources.UNLISTED:
        return ResourceList()
    if rule.resources is Resources.LISTED:
        return library.resources(skill, tree)
    from metier.world.resources import draw_resources, draw_tree

    if tree is not None:
        return draw_tree(tree, rule)
    return draw_resources(library.filesystem, skill.directory, rule)


def list_beside(library: Library, skill: Skill, tree: Tree | None) -> ResourceList:
    """The files beside the skill file, as many as the agent or metier lists."""
    from metier.world.resources import list_resources, resources_in

    rule = library.dialect.activation
    limit = min(rule.max_resources or MAX_RESOURCES, MAX_RESOURCES)
    if tree is not None:
        return resources_in(tree, basename(skill.path), limit=limit)
    return list_resources(
        library.filesystem,
        skill.path,
        limit=limit,
        enough=rule.max_walked,
        closed=rule.closed_folders,
        unlisted=rule.unlisted,
    )


def describe_unknown(
    name: str,
    names: Sequence[str],
    rule: ActivationRule,
    *,
    rivals: Sequence[Skill] = (),
) -> SkillNotFound:
    """The agent's own words for a name that is not there, or stands for several."""
    from difflib import get_close_matches

    if len(rivals) > 1 and rule.ambiguous:
        message = render_ambiguous(name, rivals, rule)
        return SkillNotFound(message, name=name, suggestions=())
    if len(rivals) == 1 and is_disabled(rivals[0]):
        message = render_refused(name, rivals[0], rule)
        return SkillNotFound(message, name=name, suggestions=())
    message = render_unknown(name, names, rule)
    close = get_close_matches(name, names, n=3, cutoff=0.6)
    if close and rule.suggestions is Suggestions.OFFERED:
        message += f"; did you mean `{close[0]}`?"
    return SkillNotFound(message, name=name, suggestions=close)


def read_body(library: Library, skill: Skill, tree: Tree | None) -> str:
    """What the agent hands over of the file; `LoadError` where it cannot."""
    data = _read_bytes(library, skill, tree)
    dialect = library.dialect
    parts = split_document(data, dialect)
    if parts.fenced is None:
        errors = (d for d in parts.diagnostics if d.severity is Severity.ERROR)
        message = next(errors, parts.diagnostics[0]).message
        raise _failed(dialect, message, parts.diagnostics)
    match dialect.activation.content:
        case Content.FILE:
            return whole_of(data, dialect, LineEnds.KEEP)
        case Content.PYTHON_TEXT:
            return whole_of(data, dialect, LineEnds.UNIVERSAL)
        case Content.BODY:
            return body_of(parts, dialect)


def _read_bytes(library: Library, skill: Skill, tree: Tree | None) -> bytes:
    if tree is not None:
        data = tree.read(basename(skill.path))
        if data is None:
            raise _failed(library.dialect, f"no such file: {skill.path}")
        size = len(data)
    else:
        data, size = _read_file(library, skill)
    if size > MAX_FILE:
        message = f"larger than {MAX_FILE:,} bytes: {skill.path}"
        raise _failed(library.dialect, message)
    return data


def _read_file(library: Library, skill: Skill) -> Reading:
    links = library.dialect.selections[skill.root.select].file_links
    from metier.world.filesystem import read_linked, reason_of

    try:
        return read_linked(library.filesystem, skill.path, MAX_FILE, links)
    except OSError as error:
        message = f"{reason_of(error)}: {skill.path}"
        raise _failed(library.dialect, message) from error


def _failed(dialect: Dialect, error: str, diagnostics: Diagnostics = ()) -> LoadError:
    message = dialect.activation.load_failed.format(error=error)
    return LoadError(message, diagnostics=diagnostics)
