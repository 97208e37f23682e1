"""What serde makes of values whose types nobody knows, and what it refuses.

`serde_yaml::Value` wants each key once in its map, `serde_json::Value` knows no tags.
Both refuse a number of more than 64 bits, and a text that does not fit a core tag.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from math import isinf
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
        key = target_of(written)
        if isinstance(key, Scalar) and _is_text(key):
            fields[key.text] = _as_text(value)
    return fields, ()


def _is_text(scalar: Scalar) -> bool:
    """Whether it is a text: most tags of YAML's own say nothing here."""
    if scalar.tag is not None and _is_local(scalar.tag):
        return False
    kind = kind_of(scalar, _SCHEMA)
    if kind is Kind.FLOAT:
        return isinf(_float(scalar.text))
    if kind is Kind.INT and scalar.text.lstrip("+-")[1:2] in _PREFIXES:
        return _is_unreadable(scalar.text)
    return kind not in _TYPED


# Digits behind one of these are no fraction.
_PREFIXES = ("x", "o", "b")


def _float(text: str) -> float:
    # `.inf` is one; what only becomes one is a text.
    return 0.0 if text.lstrip("+-")[:2] in (".i", ".I", ".n", ".N") else float(text)


def _as_text(node: Node) -> Node:
    """`node`, as a text that nobody takes for a number, where it is one."""
    target = target_of(node)
    if not isinstance(target, Scalar):
        return node
    if _is_text(target):
        return target._replace(style=Style.DOUBLE, tag=None)
    # Elsewhere this tag makes a text of anything.
    return target._replace(tag=_LOCAL) if target.tag == "!" else node


_LOCAL = "!!"


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
    if tag is not None:
        if values is Values.JSON and _is_local(tag):
            return f"`{tag}` is no tag of JSON"
        if kind in _TYPED and not _fits(scalar.text, kind):
            return f"a text that does not fit its tag `{tag}`"
    if kind is Kind.INT and not _is_unreadable(scalar.text) and _is_too_large(scalar):
        return "a number of more than 64 bits"
    return None


def _fits(text: str, kind: Kind) -> bool:
    found = kind_of_plain(text, _SCHEMA)
    if kind is Kind.FLOAT:
        return found in (Kind.FLOAT, Kind.INT)
    return found is kind and (text != "" or kind is not Kind.NULL)


def _is_too_large(scalar: Scalar) -> bool:
    return not _LEAST <= int(scalar.text, 0) <= _MOST


def _is_unreadable(text: str) -> bool:
    """Whether a number has more than 128 bits."""
    if len(text) > _MOST_DIGITS:
        return True
    return not _LEAST_READ <= int(text, 0) <= _MOST_READ


# 128 bits and a prefix: `-0b` and as many digits.
_MOST_DIGITS = 132


def _misfit_key(mapping: Mapping, values: Values) -> Misfit | None:
    keys = [target_of(written) for written, _ in mapping.entries]
    if values is Values.JSON:
        odd = (key for key in keys if not isinstance(key, Scalar))
        misfit = next(odd, None)
        return Misfit("a key that is a list or a map", misfit) if misfit else None
    seen: set[object] = set()
    compared = _Keys()
    for (written, _), key in zip(mapping.entries, keys, strict=True):
        identity = compared.identity(key)
        if identity in seen:
            text = key.text if isinstance(key, Scalar) else "a list or a map"
            return Misfit(text, written, "key-duplicate")
        seen.add(identity)
    return None


class _Keys:
    """The keys of one map, told apart by what they say."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = MAX_COMPARED

    def identity(self, node: Node | None) -> object:
        """What two keys that are one have in common."""
        target = target_of(node) if node else None
        self._left -= 1
        if target is None or self._left < 0:
            return object()
        tag = target.tag if _is_local(target.tag) else None
        if isinstance(target, Scalar):
            return (tag, *_said(target))
        if isinstance(target, Sequence):
            return tag, tuple(map(self.identity, target.items))
        pairs = target.entries
        return tag, frozenset((self.identity(k), self.identity(v)) for k, v in pairs)


# Maps and lists as keys are compared up to so many parts: aliases may repeat them.
MAX_COMPARED = 10_000


def _said(scalar: Scalar) -> tuple[Kind, str | float]:
    kind = Kind.STRING if _is_text(scalar) else kind_of(scalar, _SCHEMA)
    text = scalar.text
    match kind:
        case Kind.NULL:
            return kind, ""
        case Kind.BOOL:
            return kind, text.lower()
        case Kind.INT if len(text) < _MOST_DIGITS:
            return kind, int(text, 0)
        case Kind.FLOAT if text[-1] in "0123456789.":
            return kind, float(text)
        case _:
            return kind, text
