"""A value out of a header as JavaScript's `JSON.stringify` writes it."""

from __future__ import annotations

import json
import re

from metier.core.js_text import js_text
from metier.core.names import is_array_index
from metier.core.nodes import Mapping, Node, Scalar, Sequence, target_of
from metier.core.scalars import Kind, ScalarSchema, kind_of

_SCHEMA = ScalarSchema.CORE
# A surrogate without its other half.
_LONE = re.compile("[\ud800-\udfff]")
_NO_NUMBERS = frozenset(("NaN", "Infinity", "-Infinity"))


def write_json(node: Node) -> str:
    """`node` as JSON without blanks; ValueError for an alias within its own anchor."""
    target = target_of(node)
    if target is None:
        raise ValueError("it holds itself")
    if isinstance(target, Mapping):
        members = _members(target).items()
        pairs = (f"{_quoted(key)}:{write_json(value)}" for key, value in members)
        return "{" + ",".join(pairs) + "}"
    if isinstance(target, Sequence):
        return "[" + ",".join(map(write_json, target.items)) + "]"
    return _scalar(target)


def _members(node: Mapping) -> dict[str, Node]:
    """The members in the order of an object: those that are like an index first."""
    named = {js_text(key, _SCHEMA): value for key, value in node.entries}
    indices = sorted(filter(is_array_index, named), key=int)
    return {**{key: named[key] for key in indices}, **named}


def _scalar(node: Scalar) -> str:
    match kind_of(node, _SCHEMA):
        case Kind.NULL:
            return "null"
        case Kind.BOOL:
            return js_text(node, _SCHEMA)
        case Kind.INT | Kind.FLOAT:
            number = js_text(node, _SCHEMA)
            return "null" if number in _NO_NUMBERS else number
        case _:
            return _quoted(node.text)


def _quoted(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return _LONE.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)
