"""The YAML that strictyaml takes: no flow style, anchors, tags or duplicates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

from metier.core.nodes import Mapping, Node, Scalar, Sequence, Style, YamlError
from metier.core.yaml_events import Documents, build_tree, read_events

Entries = list[tuple[Scalar, Node]]


def parse_strict_yaml(text: str) -> Node | None:
    """The tree of `text`, None where it holds no node; raises `YamlError`."""
    events = _plain_events(read_events(text, _Loader))
    root = build_tree(events, Documents.ONE)
    if root is None:
        return None
    root = _settled(root, text)
    return _marked(root, text) if isinstance(root, Mapping) else root


_SafeLoader: Any = yaml.SafeLoader


class _Loader(_SafeLoader):
    """PyYAML's with what the library that strictyaml stands on does in another way."""

    def forward(self, length: int = 1) -> None:
        """Go on; of the breaks only the line feed starts a new line."""
        loader: Any = self
        line, column, start = loader.line, loader.column, loader.pointer
        _SafeLoader.forward(self, length)
        passed: str = loader.buffer[start : start + length]
        if "\n" not in passed and not passed.isascii():
            loader.line, loader.column = line, column + length

    def parse_block_mapping_key(self) -> Any:
        """A key, which may also be nothing at all."""
        if self.check_token(yaml.ValueToken):
            self.state = self.parse_block_mapping_value
            return self.process_empty_scalar(self.peek_token().start_mark)
        return _SafeLoader.parse_block_mapping_key(self)


def _plain_events(events: Iterator[Any]) -> Iterator[Any]:
    for event in events:
        problem = _problem(event)
        if problem:
            raise YamlError(problem, event.start_mark.index)
        yield event


def _problem(event: Any) -> str | None:
    if getattr(event, "anchor", None) is not None:
        return "strictyaml takes no anchors and aliases"
    if getattr(event, "tag", None) is not None:
        return "strictyaml takes no tags"
    if getattr(event, "flow_style", None):
        return "strictyaml takes no lists and maps in brackets"
    return None


def _settled(node: Node, text: str) -> Node:
    """`node` without its merges, which count for nothing, once all is in order."""
    if isinstance(node, Sequence):
        return node._replace(items=tuple(_settled(each, text) for each in node.items))
    if isinstance(node, Scalar):
        # Whatever looks like a number is a text as if it stood in quotes.
        return node._replace(style=Style.DOUBLE)
    return _settled_map(node, text) if isinstance(node, Mapping) else node


def _settled_map(node: Mapping, text: str) -> Mapping:
    entries = [(_key(key), value) for key, value in node.entries]
    for key, value in entries:
        if _is_merge(key) and not _is_mergeable(value):
            raise YamlError("`<<` takes a map or a list of maps", value.start)
    entries = [
        (key._replace(style=Style.DOUBLE), _settled(value, text))
        for key, value in entries
        if not _is_merge(key)
    ]
    _check_keys(entries)
    _check_indents(entries, text)
    return node._replace(entries=tuple(entries))


def _marked(root: Mapping, text: str) -> Mapping:
    """`root`, in which a lone `=` or `<<` is something else than a text."""
    entries = ((key, _mark(value, text)) for key, value in root.entries)
    return root._replace(entries=tuple(entries))


def _mark(node: Node, text: str) -> Node:
    is_odd = isinstance(node, Scalar) and text[node.start : node.end] in ("=", "<<")
    return node._replace(tag=_NO_TEXT) if is_odd else node


_NO_TEXT = "tag:yaml.org,2002:value"


def _key(node: Node) -> Scalar:
    if not isinstance(node, Scalar):
        raise YamlError("a list or a map cannot be a key", node.start)
    return node


def _is_merge(key: Scalar) -> bool:
    return key.text == "<<" and key.style is Style.PLAIN


def _is_mergeable(node: Node) -> bool:
    if isinstance(node, Sequence):
        return all(isinstance(each, Mapping) for each in node.items)
    return isinstance(node, Mapping)


def _check_keys(entries: Entries) -> None:
    seen: set[str] = set()
    for key, _ in entries:
        if key.text in seen:
            problem = f"`{key.text[:60]}` stands twice"
            raise YamlError(problem, key.start, rule="key-duplicate")
        seen.add(key.text)


def _check_indents(entries: Entries, text: str) -> None:
    """Maps below the keys of one map start in one column."""
    below = [value for _, value in entries if isinstance(value, Mapping)]
    columns = [each.start - text.rfind("\n", 0, each.start) for each in below]
    for value, column in zip(below, columns, strict=True):
        if column != columns[0]:
            raise YamlError(
                "a map that is indented unlike those before it", value.start
            )
