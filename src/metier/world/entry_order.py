"""The order in which an agent looks at what is in one folder."""

from __future__ import annotations

from collections.abc import Container

from metier.core.collation import locale_key
from metier.core.selection import EntryOrder
from metier.world.filesystem import Entry, Kind


def in_order(
    entries: list[Entry], taken: Container[str], order: EntryOrder
) -> list[Entry]:
    """`entries`, which come by name, as `order` has them; `taken` are skill files."""
    if order is EntryOrder.BY_LOCALE:
        return sorted(entries, key=lambda each: locale_key(each[0]))
    if order is EntryOrder.BY_PATH:
        return sorted(entries, key=_path_of)
    files = [each for each in entries if each[0] in taken]
    return files + [each for each in reversed(entries) if each[0] not in taken]


def _path_of(entry: Entry) -> str:
    name, kind, _ = entry
    return name if kind in (Kind.FILE, Kind.OTHER) else f"{name}/"
