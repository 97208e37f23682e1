"""What changes between two agents, as text and as plain values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from metier.diagnostics import printable
from metier.report.jsons import JSON_VERSION

if TYPE_CHECKING:
    from metier.core.values import FieldValue
    from metier.difference import Change, Difference, FieldChange
    from metier.report.matrix.groups import Places

_MARKS = {"lost": "-", "replaced": "=", "renamed": ">", "changed": "~", "gained": "+"}
_WIDTH = max(map(len, _MARKS))
_MAX_VALUE = 60


def render_difference(difference: Difference, *, places: Places) -> str:
    """A line for each change, the reason and what else is read below it."""
    lines = [line for each in difference.changes for line in _lines(each, places)]
    return "\n".join([*lines, _summary(difference)])


def _lines(change: Change, places: Places) -> Iterator[str]:
    kind = change.kind.value
    yield f"{_MARKS[kind]} {kind:<{_WIDTH}}  {_what(change, places)}"
    if change.rule:
        yield f"    {change.rule}: {printable(change.because or '', limit=1000)}"
    for field in change.fields:
        old, new = _shown_value(field.old), _shown_value(field.new)
        yield f"    {field.field}: {old} -> {new}"


def _what(change: Change, places: Places) -> str:
    """The name and the path; both of each where they differ."""
    names = (change.name, change.new_name)
    paths = (change.old_path, change.new_path)
    shown = (places.shown(path) if path else None for path in paths)
    return f"{_arrow(*names)}  {_arrow(*shown)}"


def _arrow(old: str | None, new: str | None) -> str:
    values = dict.fromkeys(each for each in (old, new) if each is not None)
    return " -> ".join(printable(each, limit=1000) for each in values)


def _shown_value(value: FieldValue) -> str:
    match value:
        case None:
            return "not read"
        case bool():
            return str(value).lower()
        case tuple():
            text = ", ".join(value)
        case dict():
            text = ", ".join(f"{key}: {each}" for key, each in value.items())
        case _:
            text = value
    return f"`{printable(text, limit=_MAX_VALUE)}`"


def _summary(difference: Difference) -> str:
    kinds = [change.kind.value for change in difference.changes]
    counts = [f"{kinds.count(kind)} {kind}" for kind in _MARKS]
    same = f"{len(difference.same)} the same"
    names = f"{difference.old.name} -> {difference.new.name}"
    return f"{names}: {', '.join([*counts, same])}"


def difference_as_json(difference: Difference) -> dict[str, Any]:
    """What `metier diff --json` prints."""
    return {
        "version": JSON_VERSION,
        "from": difference.old.name,
        "to": difference.new.name,
        "changes": [_change_as_json(change) for change in difference.changes],
        "same": list(difference.same),
    }


def _change_as_json(change: Change) -> dict[str, Any]:
    return {
        "kind": change.kind.value,
        "name": change.name,
        "new_name": change.new_name,
        "old_path": change.old_path,
        "new_path": change.new_path,
        "rule": change.rule,
        "because": change.because,
        "source": change.source,
        "fields": [_field_as_json(field) for field in change.fields],
    }


def _field_as_json(field: FieldChange) -> dict[str, Any]:
    return {"field": field.field, "from": field.old, "to": field.new}
