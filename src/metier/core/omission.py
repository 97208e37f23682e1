"""Why a walk hands on nothing of a file below one of its roots, for people.

The walk itself decides in `world/scan.py`; here its rules are held against one path.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from metier.core.selection import (
    Case,
    FlatReach,
    Hidden,
    Links,
    Nested,
    RootFile,
    Selection,
    is_skipped,
)


class _Place(NamedTuple):
    """A file, and the folders between it and the root."""

    folders: Sequence[str]
    name: str
    rule: Selection
    is_link: Callable[[str], bool]


def explain_omission(
    path: str, selection: Selection, *, is_link: Callable[[str], bool]
) -> str:
    """The rule by which `path`, relative to a root, is no skill file of `selection`.

    `is_link` is asked about the folders on the way, relative to the root as well.
    """
    *folders, name = path.split("/")
    place = _Place(folders, name, selection, is_link)
    reasons = (reason(place) for reason in _REASONS)
    return next(filter(None, reasons), "the walk does not reach it")


def _is_skipped(place: _Place) -> str | None:
    for folder in place.folders:
        if folder in place.rule.skip:
            return f"folders called `{folder}` are not searched"
        if place.rule.hidden is Hidden.SKIP and folder.startswith("."):
            return "folders whose name starts with a dot are not searched"
        if is_skipped(folder, place.rule):
            unread = next(c for c in place.rule.skip_characters if c in folder)
            told = unread.encode("unicode_escape").decode()
            return f"folders with `{told}` in their name are not searched"
    return None


def _is_elsewhere(place: _Place) -> str | None:
    under, path = place.rule.under, "/".join((*place.folders, ""))
    if not under or any(path.startswith(f"{each}/") for each in under):
        return None
    return f"only {_listed(under)} is searched"


def _is_misnamed(place: _Place) -> str | None:
    rule, name = place.rule, place.name
    is_flat = not place.folders or rule.flat_reach is FlatReach.ANYWHERE
    if is_flat and rule.flat_suffix and name.endswith(rule.flat_suffix):
        return None
    if not rule.names:
        return f"only files that end in `{rule.flat_suffix}` are looked for"
    if (name.lower() if rule.case is Case.INSENSITIVE else name) in rule.names:
        return None
    return f"the file would have to be called {_listed(rule.names)}"


def _is_too_deep(place: _Place) -> str | None:
    most = place.rule.max_depth
    if len(place.folders) <= most:
        return None
    return f"it is searched {most} folder{'s' * (most != 1)} deep"


def _is_in_root(place: _Place) -> str | None:
    if place.folders or place.rule.root_file is not RootFile.IGNORE:
        return None
    return "a file directly in it is no skill"


def _is_linked(place: _Place) -> str | None:
    if place.rule.directory_links is Links.FOLLOW:
        return None
    steps = range(1, len(place.folders) + 1)
    if not any(place.is_link("/".join(place.folders[:step])) for step in steps):
        return None
    if place.rule.directory_links is Links.CONTAINED:
        return "links to folders are followed within the root alone"
    return "links to folders are not followed"


def _is_nested(place: _Place) -> str | None:
    if len(place.folders) > 1 and place.rule.nested is Nested.STOP:
        return "below a skill no other one is looked for"
    return None


_REASONS: tuple[Callable[[_Place], str | None], ...] = (
    _is_skipped,
    _is_elsewhere,
    _is_misnamed,
    _is_too_deep,
    _is_in_root,
    _is_linked,
    _is_nested,
)


def _listed(names: Sequence[str]) -> str:
    return " or ".join(f"`{name}`" for name in names)
