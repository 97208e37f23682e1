"""The grammar of libyaml and its ports, through PyYAML's parser events."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any

import yaml

from metier.core.nodes import (
    MAX_DEPTH,
    Alias,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Style,
    YamlError,
)

# PyYAML may come without libyaml: the pure parser gives the same events, slower.
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_STYLES = {
    None: Style.PLAIN,
    "": Style.PLAIN,
    "'": Style.SINGLE,
    '"': Style.DOUBLE,
    "|": Style.LITERAL,
    ">": Style.FOLDED,
}


class Documents(Enum):
    """What a second YAML document in the header means."""

    FIRST = "first"  # only the first is read, what follows may be anything
    ONE = "one"  # more than one is an error


def parse_events(text: str, *, documents: Documents) -> Node | None:
    """The tree of `text`, None where it holds no node; raises `YamlError`."""
    try:
        return _build(_events(text), documents)
    except yaml.MarkedYAMLError as error:
        raise problem_of(error) from error
    except yaml.reader.ReaderError as error:
        position = int(error.position) if isinstance(error.position, int) else 0
        raise YamlError(error.reason, position) from error
    except UnicodeEncodeError as error:
        raise YamlError("invalid UTF-8", error.start) from error


def problem_of(error: yaml.MarkedYAMLError) -> YamlError:
    """PyYAML's error as ours."""
    mark = error.problem_mark or error.context_mark
    return YamlError(error.problem or str(error), mark.index if mark else 0)


def _events(text: str) -> Iterator[Any]:
    loader = LOADER(text)
    try:
        while loader.check_event():
            yield loader.get_event()
    finally:
        loader.dispose()


class _Open:
    """A collection whose end has not been seen yet."""

    __slots__ = ("anchor", "is_map", "items", "start", "tag")

    def __init__(self, event: Any, *, is_map: bool) -> None:
        self.items: list[Node] = []
        self.start: int = event.start_mark.index
        self.anchor: str | None = event.anchor
        self.tag: str | None = event.tag
        self.is_map = is_map

    def close(self, end: int) -> Sequence | Mapping:
        if not self.is_map:
            return Sequence(tuple(self.items), self.start, end, self.tag)
        pairs = tuple(zip(self.items[::2], self.items[1::2], strict=True))
        return Mapping(pairs, self.start, end, self.tag)


def _build(events: Iterator[Any], documents: Documents) -> Node | None:
    stack: list[_Open] = []
    anchors: dict[str, Scalar | Sequence | Mapping | None] = {}
    root: Node | None = None
    for event in events:
        node: Node | None = None
        if isinstance(event, yaml.ScalarEvent):
            node = _scalar_of(event)
        elif isinstance(event, yaml.AliasEvent):
            node = _alias_of(event, anchors)
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            _check_depth(stack, event)
            is_map = isinstance(event, yaml.MappingStartEvent)
            stack.append(_Open(event, is_map=is_map))
            if event.anchor:
                anchors[event.anchor] = None
            continue
        elif isinstance(event, yaml.CollectionEndEvent):
            node = stack[-1].close(event.end_mark.index)
            _remember(anchors, stack.pop().anchor, node)
        elif isinstance(event, yaml.DocumentEndEvent):
            if documents is Documents.FIRST:
                return root
            continue
        elif isinstance(event, yaml.DocumentStartEvent) and root is not None:
            raise YamlError("expected a single document", event.start_mark.index)
        if node is None:
            continue
        if isinstance(node, Scalar):
            _remember(anchors, event.anchor, node)
        if stack:
            stack[-1].items.append(node)
        else:
            root = node
    return root


def _scalar_of(event: Any) -> Scalar:
    return Scalar(
        event.value,
        _STYLES[event.style],
        event.start_mark.index,
        event.end_mark.index,
        event.tag,
    )


def _alias_of(
    event: Any, anchors: dict[str, Scalar | Sequence | Mapping | None]
) -> Alias:
    start, end = event.start_mark.index, event.end_mark.index
    if event.anchor not in anchors:
        raise YamlError(f"undefined alias `*{event.anchor}`", start)
    return Alias(event.anchor, anchors[event.anchor], start, end)


def _remember(
    anchors: dict[str, Scalar | Sequence | Mapping | None],
    anchor: str | None,
    node: Scalar | Sequence | Mapping,
) -> None:
    if anchor:
        anchors[anchor] = node


def _check_depth(stack: list[_Open], event: Any) -> None:
    if len(stack) >= MAX_DEPTH:
        raise YamlError(
            f"nested deeper than {MAX_DEPTH} levels",
            event.start_mark.index,
            rule="yaml-too-deep",
        )
