"""What serde makes of values whose types nobody knows, and what it refuses.

`serde_yaml::Value` wants each key once in its map, `serde_json::Value` knows no tags.
Both refuse a number of more than 64 bits, and a text that does not fit a core tag.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from metier.core.nodes import (
    Alias,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Style,
    YamlError,
    diagnose_yaml,
    target_of,
)
from metier.core.readers import ReaderRule
from metier.core.readers.trees import Fields, Header, tell_duplicate
from metier.core.scalars import Kind, ScalarSchema, kind_of, kind_of_plain
from metier.diagnostics import Diagnostic, Diagnostics


class Values(Enum):
    """Whose values they are."""

    YAML = "yaml"
    JSON = "json"


class Misfit(NamedTuple):
    """A node that cannot be a value; a `rule` of its own, where it has one."""

    problem: str
    node: Node
    rule: str = "yaml-invalid"


_SCHEMA = ScalarSchema.SERDE_YAML
_TYPED = (Kind.NULL, Kind.BOOL, Kind.INT, Kind.FLOAT)
_LEAST, _MOST = -(2**63), 2**64 - 1
# What fits into 128 bits is a number that nobody takes; beyond it is a fraction.
_LEAST_READ, _MOST_READ = -(2**127), 2**128 - 1


def read_serde_value(
    root: Node | None, header: Header, rule: ReaderRule
) -> tuple[Fields | None, Diagnostics]:
    """The fields of `root`, which is a map or says nothing."""
    misfit = find_misfit(root, values=Values.YAML) if root else None
    if misfit is not None:
        return None, (_tell(misfit, header, rule),)
    top = target_of(root) if root else None
    if not isinstance(top, Mapping) or _is_local(top.tag):
        return {}, ()
    fields: Fields = {}
    for written, value in top.entries:
        key = _plain_text(written)
        if isinstance(key, Scalar) and kind_of(key, _SCHEMA) is Kind.STRING:
            fields[key.text] = _plain_text(value)
    return fields, ()


def _plain_text(node: Node) -> Node:
    """`node`, without a core tag that says nothing here, such as `!!binary`."""
    target = target_of(node)
    if not isinstance(target, Scalar) or target.tag is None:
        return node
    is_odd = kind_of(target, _SCHEMA) is Kind.OTHER and not _is_local(target.tag)
    return target._replace(style=Style.DOUBLE, tag=None) if is_odd else node


def _tell(misfit: Misfit, header: Header, rule: ReaderRule) -> Diagnostic:
    node = misfit.node
    if misfit.rule == "key-duplicate":
        key = Scalar(misfit.problem, start=node.start, end=node.end)
        return tell_duplicate(key, header, rule)
    error = YamlError(misfit.problem, node.start, misfit.rule)
    return diagnose_yaml(error, header.text, header_start=header.start)


def find_misfit(root: Node, *, values: Values = Values.JSON) -> Misfit | None:
    """The first node below `root` that cannot be a value."""
    waiting: list[Node] = [root]
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, Alias):
            if node.target is None:
                return Misfit("an alias in what it stands for", node)
            node = node.target
        if id(node) in seen:
            continue
        seen.add(id(node))
        misfit = _misfit_of(node, values)
        if misfit is not None:
            return misfit
        waiting.extend(reversed(list(_children(node, values))))
    return None


def _children(node: Node, values: Values) -> Iterator[Node]:
    if isinstance(node, Sequence):
        yield from node.items
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            if values is Values.YAML:
                yield key
            yield value


def _misfit_of(node: Node, values: Values) -> Misfit | None:
    if isinstance(node, Scalar):
        problem = _problem_of(node, values)
        return Misfit(problem, node) if problem else None
    if values is Values.JSON and not isinstance(node, Alias) and _is_local(node.tag):
        return Misfit(f"`{node.tag}` is no tag of JSON", node)
    if isinstance(node, Mapping):
        return _misfit_key(node, values)
    return None


def _is_local(tag: str | None) -> bool:
    return tag is not None and tag.startswith("!")


def _problem_of(scalar: Scalar, values: Values) -> str | None:
    tag = scalar.tag
    kind = kind_of(scalar, _SCHEMA)
    if tag is not None and tag != "!":
        if values is Values.JSON and _is_local(tag):
            return f"`{tag}` is no tag of JSON"
        if kind in _TYPED and not _fits(scalar.text, kind):
            return f"a text that does not fit its tag `{tag}`"
    if kind is Kind.INT and _is_too_large(scalar.text):
        return "a number of more than 64 bits"
    return None


def _fits(text: str, kind: Kind) -> bool:
    found = kind_of_plain(text, _SCHEMA)
    if kind is Kind.FLOAT:
        return found in (Kind.FLOAT, Kind.INT)
    return found is kind and (text != "" or kind is not Kind.NULL)


def _is_too_large(text: str) -> bool:
    number = int(text, 0) if len(text) < _MOST_DIGITS else _MOST_READ + 1
    in_64_bits = _LEAST <= number <= _MOST
    return not in_64_bits and _LEAST_READ <= number <= _MOST_READ


# 128 bits and a prefix: `-0b` and as many digits.
_MOST_DIGITS = 132


def _misfit_key(mapping: Mapping, values: Values) -> Misfit | None:
    seen: set[tuple[str | None, Kind, str | int]] = set()
    for written, _ in mapping.entries:
        key = target_of(written)
        if not isinstance(key, Scalar):
            if values is Values.JSON:
                return Misfit("a key that is a list or a map", written)
            continue
        identity = _identity(key)
        if identity in seen and values is Values.YAML:
            return Misfit(key.text, written, "key-duplicate")
        seen.add(identity)
    return None


def _identity(key: Scalar) -> tuple[str | None, Kind, str | int]:
    """What two keys that are one have in common."""
    kind = kind_of(key, _SCHEMA)
    tag = key.tag if _is_local(key.tag) else None
    is_integer = kind is Kind.INT and len(key.text) < _MOST_DIGITS
    return tag, kind, int(key.text, 0) if is_integer else key.text
