"""All that a header says, for the agents that show the model every field of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from metier.core.catalog import FieldList, FieldOrder
from metier.core.nodes import Scalar, target_of
from metier.core.skill import Skill


def render_fields(skill: Skill, rule: FieldList) -> str:
    """Every field of `skill` that holds a text, under its template."""
    fields = skill.read_nodes()
    nodes = {key: target_of(node) for key, node in fields.items() if node}
    texts = {k: node.text for k, node in nodes.items() if isinstance(node, Scalar)}
    return rule.between.join(
        rule.item.format(key=key, value=texts[key])
        for key in _ORDERS[rule.order](texts)
    )


def _as_written(keys: Iterable[str]) -> list[str]:
    return list(keys)


# The number of buckets that a `HashMap` starts with, and how full they may get.
_BUCKETS, _LOAD = 16, 0.75


def copied_map_order(keys: Iterable[str]) -> list[str]:
    """In which order Java goes over a copy of the `HashMap` that `keys` were put in."""
    found = list(keys)
    size = _BUCKETS
    while len(found) > size * _LOAD:
        size *= 2
    original = _by_bucket(found, size)
    wanted = int(len(found) / _LOAD + 1)
    return _by_bucket(original, 1 << (wanted - 1).bit_length())


def _by_bucket(keys: list[str], size: int) -> list[str]:
    return sorted(keys, key=lambda key: _spread(_hash(key)) & (size - 1))


def _hash(text: str) -> int:
    units = text.encode("utf-16-be", "surrogatepass")
    value = 0
    for high, low in zip(units[::2], units[1::2], strict=True):
        value = (31 * value + (high << 8 | low)) & 0xFFFFFFFF
    return value


def _spread(value: int) -> int:
    return value ^ value >> 16


_ORDERS: dict[FieldOrder, Callable[[Iterable[str]], list[str]]] = {
    FieldOrder.AS_WRITTEN: _as_written,
    FieldOrder.JAVA_MAP: copied_map_order,
}
