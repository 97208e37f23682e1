"""What Python makes of YAML: PyYAML's safe loader, its grammar, types and errors.

The tree is built within our limits first. Then PyYAML's own constructor makes values
of it: it alone knows every date that is none, and how Python writes the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import yaml

from metier.core.nodes import (
    MAX_HEADER,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Style,
    YamlError,
    target_of,
)
from metier.core.yaml_events import (
    LOADER,
    Documents,
    build_tree,
    problem_of,
    read_events,
)


class Grammar(Enum):
    """Which of PyYAML's two parsers reads the text; they differ about tabs."""

    PURE = "pure"  # `yaml.safe_load`
    LIBYAML = "libyaml"  # with `CSafeLoader`


_LOADERS: dict[Grammar, Any] = {
    Grammar.PURE: yaml.SafeLoader,
    Grammar.LIBYAML: LOADER,
}
# What aliases may make of a header, written out: 64 KiB could be gigabytes.
_MAX_WRITTEN = 4 * MAX_HEADER


class Loaded(NamedTuple):
    """What the loader returns, and the nodes of a map's text keys, merges included."""

    value: object
    fields: dict[str, Node]


def load_python(text: str, grammar: Grammar) -> Loaded:
    """What `yaml.load` makes of `text`; raises `YamlError` where it raises anything."""
    events = read_events(text, _LOADERS[grammar])
    root = build_tree(_composed(events), Documents.ONE)
    if root is None:
        return Loaded(None, {})
    if "*" in text and _written_size(root, {}) > _MAX_WRITTEN:
        problem = "aliases make it larger than is read"
        raise YamlError(problem, root.start, rule="yaml-too-large")
    return load_tree(root)


def load_tree(root: Node) -> Loaded:
    """The same for a tree that is there already."""
    converter = _Converter()
    top = converter.convert(root)
    value = _construct(top)
    fields: dict[str, Node] = {}
    if isinstance(value, dict):
        # The constructor has merged in place what `<<` names, and in its order.
        for key, node in top.value:
            if key.tag == _TEXT:
                fields[key.value] = converter.origins[id(node)]
    return Loaded(value, fields)


def construct_python(node: Node) -> object:
    """The Python value of a node out of such a tree."""
    return _construct(_Converter().convert(node))


def write_python(node: Node) -> str:
    """What Python's `str` makes of the value of a node."""
    return str(construct_python(node))


_TEXT = "tag:yaml.org,2002:str"


def _composed(events: Iterator[Any]) -> Iterator[Any]:
    """The events as PyYAML's composer takes them: an anchor stands once."""
    anchors: set[str] = set()
    for event in events:
        anchor = getattr(event, "anchor", None)
        if isinstance(event, yaml.ScalarEvent) and event.tag in (None, "!"):
            _settle_tag(event)
        if anchor is not None and not isinstance(event, yaml.AliasEvent):
            if anchor in anchors:
                problem = f"found duplicate anchor `&{anchor}`"
                raise YamlError(problem, event.start_mark.index)
            anchors.add(anchor)
        yield event


def _settle_tag(event: Any) -> None:
    if event.implicit[0]:
        # `! "yes"` is read as if it were plain, ...
        event.style = None
        event.tag = None
    elif event.tag == "!":
        # ... but a lone `!` is a text to libyaml.
        event.tag = _TEXT


def _written_size(node: Node, known: dict[int, int]) -> int:
    """About how long it would be without its aliases."""
    target = target_of(node)
    if target is None:
        problem = "an alias within its own anchor"
        raise YamlError(problem, node.start, rule="yaml-too-deep")
    if id(target) not in known:
        known[id(target)] = 4 + _content_size(target, known)
    return known[id(target)]


def _content_size(node: Scalar | Sequence | Mapping, known: dict[int, int]) -> int:
    match node:
        case Scalar():
            return len(node.text)
        case Sequence():
            return sum(_written_size(item, known) for item in node.items)
        case _:  # Mapping
            return sum(
                _written_size(each, known) for pair in node.entries for each in pair
            )


class _Converter:
    """Our tree as PyYAML's; what an alias names becomes one and the same node."""

    __slots__ = ("_done", "_resolver", "origins")

    def __init__(self) -> None:
        self.origins: dict[int, Node] = {}
        self._done: dict[int, Any] = {}
        self._resolver: Any = yaml.resolver.Resolver()

    def convert(self, node: Node) -> Any:
        target = target_of(node)
        if id(target) not in self._done:
            made = self._made(cast("Scalar | Sequence | Mapping", target))
            self._done[id(target)] = made
            self.origins[id(made)] = node
        return self._done[id(target)]

    def _made(self, node: Scalar | Sequence | Mapping) -> Any:
        mark: Any = SimpleNamespace(index=node.start)
        tag = None if node.tag == "!" else node.tag
        match node:
            case Scalar():
                return yaml.ScalarNode(tag or self._tag_of(node), node.text, mark)
            case Sequence():
                items = [self.convert(item) for item in node.items]
                return yaml.SequenceNode(tag or _LIST, items, mark)
            case _:  # Mapping
                pairs = [(self.convert(k), self.convert(v)) for k, v in node.entries]
                return yaml.MappingNode(tag or _MAP, pairs, mark)

    def _tag_of(self, scalar: Scalar) -> str:
        is_plain = scalar.style is Style.PLAIN
        implicit = (is_plain, not is_plain)
        return self._resolver.resolve(yaml.ScalarNode, scalar.text, implicit)


_LIST = "tag:yaml.org,2002:seq"
_MAP = "tag:yaml.org,2002:map"


_SafeConstructor: Any = yaml.constructor.SafeConstructor


class _Constructor(_SafeConstructor):
    """PyYAML's, which says of every value that cannot be made where it stands."""

    def construct_object(self, node: Any, deep: bool = False) -> object:  # noqa: FBT001, FBT002
        try:
            return _SafeConstructor.construct_object(self, node, deep)
        except (ValueError, ArithmeticError, LookupError, AttributeError) as error:
            # `2026-02-30`, `0x_`, `!!bool maybe`: no error that PyYAML foresees.
            problem = f"`{str(node.value)[:40]}` cannot be made a value"
            at: int = node.start_mark.index
            raise YamlError(problem, at, rule="yaml-value") from error


def _construct(node: Any) -> object:
    constructor: Any = _Constructor()
    try:
        return constructor.construct_document(node)
    except yaml.MarkedYAMLError as error:
        raise problem_of(error) from error
