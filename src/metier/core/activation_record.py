"""What a tool returns as JSON: a record with an entry for each thing it tells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from metier.core.record import record

if TYPE_CHECKING:
    from metier.core.skill import Skill


class Entry(Enum):
    """What one entry of the record holds."""

    TEXT = "text"  # a text by a template, with the names that `output` knows
    JSON = "json"  # what stands there, as JSON
    FIELD = "field"  # an optional field of that name
    STATED_FIELD = "stated-field"  # the same, only where the header has it
    LINKED = "linked"  # the files beside the skill by their kinds; null without any
    IF_LINKED = "if-linked"  # a text where there are such files, null where not


@record
class RecordEntry:
    """One entry; `value` is what its kind makes of it.

    An optional field that is not there is the `default`, as JSON.
    """

    key: str
    kind: Entry
    value: str = ""
    default: str = "null"


@record
class RecordRule:
    """The entries in their order; `linked` are patterns for each kind of file."""

    entries: tuple[RecordEntry, ...] = ()
    linked: dict[str, tuple[str, ...]]


NO_RECORD = RecordRule(linked={})


def render_record(
    skill: Skill, rule: RecordRule, texts: Mapping[str, str], paths: Iterable[str]
) -> str:
    """The record as JSON; `texts` are what the templates know."""
    import json

    linked = _linked(rule, tuple(paths))
    entries = _entries(skill, rule, texts, linked)
    return json.dumps(dict(entries), ensure_ascii=False)


def _entries(
    skill: Skill,
    rule: RecordRule,
    texts: Mapping[str, str],
    linked: Mapping[str, list[str]],
) -> Iterator[tuple[str, Any]]:
    import json

    for entry in rule.entries:
        match entry.kind:
            case Entry.TEXT:
                yield entry.key, entry.value.format(**texts)
            case Entry.JSON:
                yield entry.key, json.loads(entry.value)
            case Entry.LINKED:
                yield entry.key, linked or None
            case Entry.IF_LINKED:
                yield entry.key, entry.value if linked else None
            case _:
                if entry.kind is Entry.FIELD or skill.is_stated(entry.value):
                    value = skill.fields[entry.value]
                    yield entry.key, value or json.loads(entry.default)


def _linked(rule: RecordRule, paths: tuple[str, ...]) -> Mapping[str, list[str]]:
    found = {
        kind: [path for path in paths if _fits(path, patterns)]
        for kind, patterns in rule.linked.items()
    }
    return {kind: listed for kind, listed in found.items() if listed}


def _fits(path: str, patterns: tuple[str, ...]) -> bool:
    """Whether `path` fits one; `*` is no slash, `**/` any folders or none."""
    return any(_fits_one(path, each) for each in patterns)


def _fits_one(path: str, pattern: str) -> bool:
    if "**/" in pattern:
        start, _, end = pattern.partition("**/")
        name = path.rpartition("/")[2]
        return path.startswith(start) and fnmatchcase(name, end)
    return path.count("/") == pattern.count("/") and fnmatchcase(path, pattern)
