"""What a catalog tells of a skill beside its name, and of the folders it looks in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from metier.core.record import record

if TYPE_CHECKING:
    from metier.core.roots import Root
    from metier.core.skill import Skill
    from metier.core.values import FieldValue


@record
class PartItem:
    """One optional field as a text; `item` knows `{value}`, which may be several."""

    field: str
    item: str = "{value}"


@record
class PartRule:
    """What stands for `{NAME}` in an item: nothing, where no field of it is there."""

    items: tuple[PartItem, ...]
    before: str = ""
    between: str = ""
    after: str = ""


@record
class SourceList:
    """The folders that were searched, told behind the `before` of the catalog.

    `item` knows `{source}` and `{path}`; `last` stands behind the last of them.
    """

    item: str = ""
    between: str = ""
    last: str = ""
    after: str = ""


def render_parts(
    skill: Skill, rules: Mapping[str, PartRule], escape: Callable[[str], str] = str
) -> Mapping[str, str]:
    """The text of each part for `skill`, its values escaped."""
    if not rules:
        return {}
    fields = skill.fields
    return {name: _render_part(fields, rule, escape) for name, rule in rules.items()}


def _render_part(
    fields: Mapping[str, FieldValue], rule: PartRule, escape: Callable[[str], str]
) -> str:
    texts = [escape(t) for each in rule.items for t in _texts(fields, each)]
    return f"{rule.before}{rule.between.join(texts)}{rule.after}" if texts else ""


def _texts(fields: Mapping[str, FieldValue], rule: PartItem) -> Iterator[str]:
    value = fields.get(rule.field)
    values = value if isinstance(value, tuple) else (value,)
    for each in values:
        if isinstance(each, str) and each:
            yield rule.item.format(value=each)


def render_sources(roots: Sequence[Root], rule: SourceList) -> str:
    """The list of `roots`."""
    if not rule.item:
        return ""
    told = [rule.item.format(source=root.source, path=root.path) for root in roots]
    return f"{rule.between.join(told)}{rule.last if told else ''}{rule.after}"
