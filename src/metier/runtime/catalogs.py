"""The catalog of a library, with all that it tells beside the skills."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from metier.core.catalog import Catalog, CatalogContext
from metier.core.catalog_groups import Grouping, group_folder, group_of
from metier.core.catalog_sheet import render_catalog
from metier.core.document import MAX_FILE, read_all_fields, split_document
from metier.core.fields import FieldRules
from metier.core.judging import Judge
from metier.core.selection import Links
from metier.runtime.handover import looks_of, places_of

if TYPE_CHECKING:
    from metier.core.dialect import Dialect
    from metier.core.roots import Root
    from metier.core.skill import Skill
    from metier.library import Library


def write_catalog(
    library: Library,
    skills: Sequence[Skill],
    *,
    budget: int | None = None,
    window: int | None = None,
) -> Catalog:
    """The catalog of `skills`, as `Library.render` hands it out."""
    return render_catalog(
        skills,
        library.dialect.catalog,
        budget=budget,
        window=window,
        places=places_of(library),
        looks=looks_of(library),
        around=_look_around(library, skills),
    )


def _look_around(library: Library, skills: Sequence[Skill]) -> CatalogContext:
    """The folders that were searched, and what the groups of `skills` are about."""
    groups: dict[str, str] = {}
    rule = library.dialect.catalog.groups
    if rule.by is Grouping.CATEGORY and rule.file:
        is_open = _find_open(library)
        for skill in skills:
            group = group_of(skill, rule.by)
            if group not in groups and is_open(skill.root):
                path = f"{group_folder(skill)}/{rule.file}"
                if text := _description_in(library, path):
                    groups[group] = text
    return CatalogContext(roots=library.roots, groups=groups)


def _find_open(library: Library) -> Callable[[Root], bool]:
    """Whether what lies beside the skills of a root may be read, approved or not."""
    if library.gate is None:
        return lambda _: True
    from metier.runtime.trust import Access

    view = library.gate.look()
    return lambda root: view.admission(root).access is Access.OPEN


def _description_in(library: Library, path: str) -> str | None:
    try:
        reading = library.filesystem.read_file(path, MAX_FILE, Links.FOLLOW)
    except OSError:
        return None
    dialect = library.dialect
    fields, _ = read_all_fields(split_document(reading.data, dialect), dialect)
    return _judge(dialect).judge(fields or {}, "").description


def _judge(dialect: Dialect) -> Judge:
    """The rules for a description, but for how long it may be."""
    rules = dialect.fields
    whole = replace(rules.description, max_length=None)
    return Judge(FieldRules(name=rules.name, description=whole), dialect.reader.schema)
