"""The grammar of libyaml and its ports, through PyYAML's parser events."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import yaml

from metier.core.nodes import (
    MAX_DEPTH,
    Alias,
    Documents,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Style,
    YamlError,
)

# PyYAML may come without libyaml: the pure parser gives the same events, slower.
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_SURROGATE = re.compile("[\ud800-\udfff]")
_STYLES = {
    None: Style.PLAIN,
    "": Style.PLAIN,
    "'": Style.SINGLE,
    '"': Style.DOUBLE,
    "|": Style.LITERAL,
    ">": Style.FOLDED,
}


def parse_events(text: str, *, documents: Documents) -> Node | None:
    """The tree of `text`, None where it holds no node; raises `YamlError`."""
    events = read_events(text, LOADER)
    if LOADER is yaml.SafeLoader:
        events = _refuse_surrogates(events)
    return build_tree(events, documents)


def build_tree(events: Iterator[Any], documents: Documents) -> Node | None:
    """The tree that `events` make, None where none does; raises `YamlError`."""
    try:
        return _build(events, documents)
    except yaml.MarkedYAMLError as error:
        raise problem_of(error) from error
    except yaml.reader.ReaderError as error:
        position = int(error.position) if isinstance(error.position, int) else 0
        raise YamlError(error.reason, position) from error
    except UnicodeEncodeError as error:
        raise YamlError("invalid UTF-8", error.start) from error
    except (ValueError, OverflowError) as error:
        # The pure parser hands `\UFFFFFFFF` to `chr`, and a long version to `int`.
        raise YamlError("found an escape or a number out of range", 0) from error


def problem_of(error: yaml.MarkedYAMLError) -> YamlError:
    """PyYAML's error as ours."""
    mark = error.problem_mark or error.context_mark
    return YamlError(error.problem or str(error), mark.index if mark else 0)


def read_events(text: str, loader_class: Any) -> Iterator[Any]:
    """The events of `text` as one of PyYAML's loaders has them."""
    loader = loader_class(text)
    try:
        while loader.check_event():
            yield loader.get_event()
    finally:
        loader.dispose()


def _refuse_surrogates(events: Iterator[Any]) -> Iterator[Any]:
    # libyaml refuses an escape for one; the pure parser would let it through.
    for event in events:
        is_quoted = isinstance(event, yaml.ScalarEvent) and event.style == '"'
        if is_quoted and _SURROGATE.search(event.value):
            problem = "found invalid Unicode character escape code"
            raise YamlError(problem, event.start_mark.index)
        yield event


def scalar_of(event: Any) -> Scalar:
    """The scalar that `event` is about."""
    return Scalar(
        event.value,
        _STYLES[event.style],
        event.start_mark.index,
        event.end_mark.index,
        event.tag,
    )


class Collection:
    """A collection whose end has not been seen yet."""

    __slots__ = ("anchor", "is_map", "items", "start", "tag")

    def __init__(self, event: Any) -> None:
        self.items: list[Node] = []
        self.start: int = event.start_mark.index
        self.anchor: str | None = event.anchor
        self.tag: str | None = event.tag
        self.is_map = isinstance(event, yaml.MappingStartEvent)

    def close(self, end: int) -> Sequence | Mapping:
        if not self.is_map:
            return Sequence(tuple(self.items), self.start, end, self.tag)
        pairs = tuple(zip(self.items[::2], self.items[1::2], strict=True))
        return Mapping(pairs, self.start, end, self.tag)


class _Builder:
    """Takes events and grows a tree, without recursion."""

    __slots__ = ("_anchors", "_stack", "root")

    def __init__(self) -> None:
        self.root: Node | None = None
        self._stack: list[Collection] = []
        self._anchors: dict[str, Scalar | Sequence | Mapping | Collection] = {}

    def scalar(self, event: Any) -> None:
        node = scalar_of(event)
        if event.anchor:
            self._anchors[event.anchor] = node
        self._add(node)

    def alias(self, event: Any) -> None:
        name, start = event.anchor, event.start_mark.index
        if name not in self._anchors:
            raise YamlError(f"undefined alias `*{name}`", start)
        target = self._anchors[name]
        target = None if isinstance(target, Collection) else target
        self._add(Alias(name, target, start, event.end_mark.index))

    def open(self, event: Any) -> None:
        if len(self._stack) >= MAX_DEPTH:
            problem = f"nested deeper than {MAX_DEPTH} levels"
            raise YamlError(problem, event.start_mark.index, rule="yaml-too-deep")
        opened = Collection(event)
        self._stack.append(opened)
        if event.anchor:
            self._anchors[event.anchor] = opened

    def close(self, event: Any) -> None:
        opened = self._stack.pop()
        node = opened.close(event.end_mark.index)
        # What has the same name and started later is what the name stands for.
        if opened.anchor and self._anchors[opened.anchor] is opened:
            self._anchors[opened.anchor] = node
        self._add(node)

    def document(self, event: Any) -> None:
        if self.root is not None:
            raise YamlError("expected a single document", event.start_mark.index)

    def _add(self, node: Node) -> None:
        if self._stack:
            self._stack[-1].items.append(node)
        else:
            self.root = node


_HANDLERS: dict[type[object], Callable[[_Builder, Any], None]] = {
    yaml.ScalarEvent: _Builder.scalar,
    yaml.AliasEvent: _Builder.alias,
    yaml.MappingStartEvent: _Builder.open,
    yaml.SequenceStartEvent: _Builder.open,
    yaml.MappingEndEvent: _Builder.close,
    yaml.SequenceEndEvent: _Builder.close,
    yaml.DocumentStartEvent: _Builder.document,
}


def _build(events: Iterator[Any], documents: Documents) -> Node | None:
    builder = _Builder()
    for event in events:
        kind: type[object] = event.__class__
        if handler := _HANDLERS.get(kind):
            handler(builder, event)
        elif kind is yaml.DocumentEndEvent and documents is Documents.FIRST:
            break
    return builder.root
