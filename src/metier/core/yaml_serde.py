"""YAML as serde_yaml reads it: what an alias stands for where anchors share a name.

The library counts the names that it has seen, and that is the number of an anchor. A
name that is there already is no new one, so the next name gets the same number: an
alias then stands for what has its number last, which may only come behind it.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Any

import yaml

from metier.core.nodes import (
    Alias,
    Documents,
    Mapping,
    Node,
    Scalar,
    Sequence,
    target_of,
)
from metier.core.yaml_events import (
    LOADER,
    Collection,
    parse_events,
    read_events,
    scalar_of,
)

# How deep the library goes, through aliases too.
_DEEPEST = 128


def parse_serde_yaml(text: str, *, documents: Documents) -> Node | None:
    """The tree of `text`, None where it holds no node; raises `YamlError`."""
    if text[:1] == "\ufeff":
        # It is passed over there, but takes a column.
        text = f" {text[1:]}"
    root = parse_events(text, documents=documents)
    if text.count("&") < 2 or root is None:
        return root
    events = _first_document(text)
    targets = _targets_of(events)
    return root if targets is None else _Builder(events, targets).build(0)


def _first_document(text: str) -> list[Any]:
    """The events of its nodes."""
    events = takewhile(_is_within, read_events(text, LOADER))
    return [
        e for e in events if isinstance(e, yaml.NodeEvent | yaml.CollectionEndEvent)
    ]


def _is_within(event: Any) -> bool:
    return not isinstance(event, yaml.DocumentEndEvent)


def _targets_of(events: list[Any]) -> dict[int, int] | None:
    """Where what each alias stands for begins; None where no name is used twice."""
    names: dict[str, int] = {}
    places: dict[int, int] = {}
    numbers: dict[int, int] = {}
    has_repeats = False
    for place, event in enumerate(events):
        name = getattr(event, "anchor", None)
        if isinstance(event, yaml.AliasEvent):
            numbers[place] = names[event.anchor]
        elif name is not None:
            has_repeats |= name in names
            names[name] = len(names)
            places[names[name]] = place
    if not has_repeats:
        return None
    return {place: places[number] for place, number in numbers.items()}


class _Builder:
    """Builds each node once: what an alias stands for, when the alias is met."""

    def __init__(self, events: list[Any], targets: dict[int, int]) -> None:
        self._events = events
        self._targets = targets
        self._ends = _ends_of(events)
        self._nodes: dict[int, Node] = {}
        self._open: set[int] = set()

    def build(self, place: int, depth: int = 0) -> Node:
        """The node whose first event stands at `place`."""
        if place not in self._nodes:
            self._open.add(place)
            self._nodes[place] = self._built(place, depth)
            self._open.discard(place)
        return self._nodes[place]

    def _built(self, place: int, depth: int) -> Node:
        event = self._events[place]
        if isinstance(event, yaml.ScalarEvent):
            return scalar_of(event)
        if isinstance(event, yaml.AliasEvent):
            target = self._target(self._targets[place], depth)
            span = event.start_mark.index, event.end_mark.index
            return Alias(str(event.anchor), target, *span)
        node, end = Collection(event), self._ends[place]
        inner = place + 1
        while inner < end:
            node.items.append(self.build(inner, depth + 1))
            inner = self._ends.get(inner, inner) + 1
        return node.close(self._events[end].end_mark.index)

    def _target(self, place: int, depth: int) -> Scalar | Sequence | Mapping | None:
        if place in self._open or depth > _DEEPEST:
            return None
        return target_of(self.build(place, depth + 1))


def _ends_of(events: list[Any]) -> dict[int, int]:
    """Where each list and each map ends, by where it starts."""
    ends: dict[int, int] = {}
    starts: list[int] = []
    for place, event in enumerate(events):
        if isinstance(event, yaml.CollectionStartEvent):
            starts.append(place)
        elif isinstance(event, yaml.CollectionEndEvent):
            ends[starts.pop()] = place
    return ends
