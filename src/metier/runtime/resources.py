"""Reading a file of a skill: for a program, and as a tool for a model.

Every byte comes through one door: out of the approved tree where a gate stands before
the skill, and out of the skill's folder, contained by descriptors, where none does.
"""

from __future__ import annotations

import errno
from difflib import get_close_matches
from posixpath import basename
from typing import TYPE_CHECKING, Any

from metier.core.resources import (
    MAX_RESOURCE,
    PAGE_SIZE,
    Refusal,
    Resource,
    cut_page,
    parse_place,
    render_resource,
)
from metier.core.tree import EntryKind
from metier.diagnostics import Diagnostic, Severity, printable
from metier.errors import ResourceError
from metier.runtime.model_tool import ArgumentError, Call, ModelTool
from metier.runtime.tool import ToolResult
from metier.runtime.trust import place_of
from metier.world.filesystem import NotAFile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from metier.core.skill import Skill
    from metier.core.tree import Tree
    from metier.library import Library


def read_resource(
    library: Library, skill: Skill, path: str, *, offset: int, limit: int | None
) -> Resource:
    """The page of a file of `skill`; `ResourceError` where there is none."""
    tree = library.open_tree(skill)
    place = parse_place(path)
    if place.refusal is not None:
        raise refused_place(skill, path, place.refusal)
    data = read_bytes(library, skill, tree, place.path)
    return cut_page(place.path, data, offset=offset, limit=limit)


def read_bytes(library: Library, skill: Skill, tree: Tree | None, path: str) -> bytes:
    """All bytes of the file at `path` below the folder of `skill`."""
    if tree is not None:
        return _read_tree(library, skill, tree, path)
    only = place_of(skill.path, library.dialect.selections[skill.root.select]).only
    if only is not None and path != only:
        raise _missing(library, skill, tree, path)  # its folder is not its own
    try:
        found = library.filesystem.read_below(skill.directory, path, MAX_RESOURCE + 1)
    except OSError as error:
        raise _unreadable(library, skill, path, error) from error
    if found.size > MAX_RESOURCE:
        message = f"`{_shown(path)}` has more than {MAX_RESOURCE:,} bytes"
        raise _error("resource-too-large", message, skill)
    return found.data


def _read_tree(library: Library, skill: Skill, tree: Tree, path: str) -> bytes:
    data = tree.read(path)
    if data is not None:
        return data
    real = tree.resolve(path)
    if real is None:
        raise refused_place(skill, path, Refusal.OUTSIDE)
    if any(each.path == real and each.kind in _NO_FILES for each in tree.entries):
        raise _not_a_file(skill, path)
    raise _missing(library, skill, tree, path)


_NO_FILES = (EntryKind.FOLDER, EntryKind.SPECIAL)


def _unreadable(
    library: Library, skill: Skill, path: str, error: OSError
) -> ResourceError:
    if isinstance(error, NotAFile):
        return _not_a_file(skill, path)
    if error.errno == errno.EXDEV:
        return refused_place(skill, path, Refusal.OUTSIDE)
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return _missing(library, skill, None, path)
    reason = (error.strerror or str(error)).lower()
    message = f"`{_shown(path)}` cannot be read: {reason}"
    return _error("resource-unreadable", message, skill)


def refused_place(skill: Skill, path: str, refusal: Refusal) -> ResourceError:
    """The exception for a path that is no file of `skill`."""
    message = f"`{_shown(path)}` is no file of the skill: {refusal.value}"
    return _error("resource-outside", message, skill)


def _not_a_file(skill: Skill, path: str) -> ResourceError:
    message = f"`{_shown(path)}` is not a regular file"
    return _error("resource-not-a-file", message, skill)


def _missing(
    library: Library, skill: Skill, tree: Tree | None, path: str
) -> ResourceError:
    message = f"there is no file `{_shown(path)}` in the skill `{skill.name}`"
    paths = library.resources(skill, tree).paths
    close = get_close_matches(path, paths, n=1, cutoff=0.6)
    close = close or [p for p in paths if basename(p) == basename(path)]
    if close:
        message += f"; did you mean `{_shown(close[0])}`?"
    return _error("resource-missing", message, skill)


def _error(rule: str, message: str, skill: Skill) -> ResourceError:
    finding = Diagnostic(
        rule=rule, severity=Severity.ERROR, message=message, path=skill.path
    )
    return ResourceError(message, diagnostics=(finding,))


def _shown(path: str) -> str:
    return printable(path, limit=200)


# --- the tool -----------------------------------------------------------------------


class ResourceTool(ModelTool):
    """The tool with which a model reads the files of a skill, page by page."""

    name = "read_resource"
    description = (
        "Read a file of a skill that you have loaded. A long file comes in pages: read "
        "on with the offset that a page names at its end."
    )
    required = ("path",)

    @property
    def properties(self) -> dict[str, Any]:
        return {
            "path": {
                "type": "string",
                "description": "The file, relative to the skill's folder",
            },
            "offset": {
                "type": "integer",
                "minimum": 0,
                "description": "The byte to start with (default 0)",
            },
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": PAGE_SIZE,
                "description": f"At most so many bytes (default {PAGE_SIZE})",
            },
        }

    def _run(self, call: Call) -> ToolResult:
        skill, values = call.skill, call.arguments
        offset = _number(values, "offset", 0)
        limit = min(_number(values, "limit", PAGE_SIZE), PAGE_SIZE)
        path = str(values["path"])
        resource = read_resource(self.library, skill, path, offset=offset, limit=limit)
        if self.ledger is not None:
            self.ledger.note_reading(skill.key, resource)
        metadata = {
            "name": skill.name,
            "path": resource.path,
            "type": resource.media_type,
            "size": str(resource.size),
        }
        return ToolResult(
            output=render_resource(resource, skill.name),
            title=f"{skill.name}/{resource.path}",
            metadata=metadata,
            decision=self._decide(call),
        )


def _number(values: Mapping[str, Any], key: str, default: int) -> int:
    value = values.get(key, default)
    if value is None:
        return default
    # Some providers have no whole numbers.
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if type(value) is not int:
        raise ArgumentError(f"the argument `{key}` is not a whole number")
    return value
