"""Optional fields as programs in JavaScript read them: texts, flags, patterns."""

from __future__ import annotations

from collections.abc import Iterator

from metier.core.fields import Effect, FieldRule, FieldType
from metier.core.js_text import js_text
from metier.core.nodes import Node, Scalar, Sequence, target_of
from metier.core.scalars import Kind, ScalarSchema, kind_of
from metier.core.tools import split_patterns

# The pattern that every path matches.
EVERYTHING = "**"
# What lists within lists of a header may hold; more is an attack.
_MAX_TEXTS = 1_000


def read_js_field(
    node: Node | None, rule: FieldRule, schema: ScalarSchema
) -> str | bool | tuple[str, ...] | None:
    """The value of a field of one of these types, None where it is not there."""
    if rule.type is FieldType.PATTERNS:
        return _read_patterns(node, schema)
    if rule.type is FieldType.JS_FLAG:
        if node is None:
            return rule.effect is Effect.BARS_PEOPLE
        return _kind_of(node, schema) in _FLAGS and js_text(node, schema) == "true"
    if node is None or _kind_of(node, schema) is Kind.NULL:
        return None
    return js_text(node, schema) or None


_FLAGS = (Kind.BOOL, Kind.STRING)


def _kind_of(node: Node, schema: ScalarSchema) -> Kind | None:
    return kind_of(node, schema) if isinstance(node, Scalar) else None


def _read_patterns(node: Node | None, schema: ScalarSchema) -> tuple[str, ...]:
    texts = _texts_in(node, schema) if node else ()
    patterns = tuple(pattern for text in texts for pattern in split_patterns(text))
    return patterns if any(each != EVERYTHING for each in patterns) else ()


def _texts_in(node: Node, schema: ScalarSchema) -> Iterator[str]:
    """The texts in a list and in the lists in it, or the one that it is."""
    waiting: list[Node] = [node]
    for _ in range(_MAX_TEXTS):
        if not waiting:
            return
        target = target_of(waiting.pop())
        if isinstance(target, Sequence):
            waiting += reversed(target.items)
        elif isinstance(target, Scalar) and kind_of(target, schema) is Kind.STRING:
            yield target.text
