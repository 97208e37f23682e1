"""A header that goccy/go-yaml reads into a struct: values first, then fields.

The whole document is made into values before the struct is filled, so what is wrong
anywhere rejects it. A key that is no text empties the struct, and `<<` may not bring a
key that is there already.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator

from metier.core import nodes
from metier.core.nodes import Node, Scalar, Sequence, Style, YamlError, diagnose_yaml
from metier.core.readers import FieldShape, ReaderRule
from metier.core.readers.trees import Fields, Header
from metier.core.text import WHITE_SPACE
from metier.core.yaml_goccy import parse_goccy
from metier.core.yaml_goccy_tokens import Type, number_in, write_float
from metier.core.yaml_goccy_tree import (
    Aliased,
    Anchored,
    Asked,
    Leaf,
    Listed,
    Mapped,
    Tagged,
    Tree,
)
from metier.diagnostics import Diagnostics

# Far more than a header of 64 KiB can hold, but for aliases of lists of aliases.
MAX_VALUES = 200_000


class _Unfit(Exception):
    """A value that does not fit its tag; never leaves this module."""


class Moment:
    """What `!!timestamp` makes of a text: no text any more."""


Value = (
    None
    | bool
    | int
    | float
    | str
    | bytes
    | Moment
    | list["Value"]
    | dict[str, "Value"]
)


def read_goccy_struct(
    header: Header, rule: ReaderRule
) -> tuple[Fields | None, Diagnostics]:
    """The known fields of `header`, or None and what is wrong with it."""
    try:
        return _Decoder().decode(header.content, rule), ()
    except YamlError as error:
        problem = error
    except RecursionError:
        # A chain of aliases: no map or list nests that deep.
        problem = YamlError("aliases of aliases, too many", 0, rule="yaml-too-deep")
    return None, (diagnose_yaml(problem, header.text, header_start=header.start),)


def _error(problem: str, tree: Tree, rule: str = "yaml-invalid") -> YamlError:
    return YamlError(problem, tree.token.start, rule)


class _Decoder:
    __slots__ = ("_anchors", "_left", "_open", "_values")

    def __init__(self) -> None:
        self._left = MAX_VALUES
        self._anchors: dict[str, Tree | None] = {}
        self._values: dict[str, Value] = {}
        self._open: list[str] = []

    def decode(self, text: str, rule: ReaderRule) -> Fields:
        documents = parse_goccy(text)
        first: Tree | None = None
        for tree in documents:
            value = None if tree is None else self.value(tree)
            is_null = isinstance(tree, Leaf) and tree.token.type is Type.NULL
            if first is None and (value is not None or is_null):
                first = tree
        self._values.clear()
        if first is None:
            return {}
        found = self._fields(self._map_of(first, merges=False))
        fields: Fields = {}
        for name, shape in rule.types.items():
            if found is not None and name in found:
                fields[name] = self._shaped(name, found[name], shape)
        return fields

    def value(self, tree: Tree) -> Value:
        """What `tree` is, where nobody asks for a type."""
        self._spend(tree)
        match tree:
            case Leaf():
                return _leaf_value(tree)
            case Tagged():
                return self._tagged(tree)
            case Anchored():
                self._anchors[tree.name] = None
                self._open.append(tree.name)
                value = self.value(tree.value)
                self._open.pop()
                self._anchors[tree.name] = tree.value
                self._values[tree.name] = value
                return value
            case Aliased():
                return self._aliased(tree)
            case Asked():
                return self.value(tree.value)
            case Listed():
                return [self.value(item) for item in tree.items]
            case _:
                values: dict[str, Value] = {}
                self._collect(tree, values)
                return values

    def _spend(self, tree: Tree) -> None:
        self._left -= 1
        if self._left < 0:
            raise _error("aliases stand for too many values", tree)

    def _collect(self, mapped: Mapped, values: dict[str, Value]) -> None:
        for key, value in mapped.entries:
            if _is_merge(key):
                for each in self._map_of(value, merges=True):
                    self._collect(each, values)
            else:
                name = self._key_text(key)
                values[name] = self.value(value)

    def _key_text(self, key: Tree) -> str:
        value = self.value(key)
        return "null" if value is None else _print(value)

    def _aliased(self, alias: Aliased) -> Value:
        name = alias.name
        if name in self._open:
            return None
        if name in self._values:
            return self._values[name]
        if name not in self._anchors:
            raise _error(f"undefined alias `*{name[:60]}`", alias)
        tree = self._anchors[name]
        return None if tree is None else self.value(tree)

    def _tagged(self, tagged: Tagged) -> Value:
        value = self.value(tagged.value)
        if tagged.is_redefined:
            return "" if value is None else _print(value)
        convert = _TAGS.get(tagged.token.value)
        if convert is None:
            return value
        try:
            return convert(value)
        except _Unfit as error:
            raise _error(str(error), tagged) from error

    # --- maps --------------------------------------------------------------------

    def _map_of(self, tree: Tree, *, merges: bool) -> list[Mapped]:
        """The map that `tree` is, or the maps of a list that is merged."""
        self._spend(tree)
        match tree:
            case Mapped():
                return [tree]
            case Anchored():
                self._anchors[tree.name] = tree.value
                return self._map_of(tree.value, merges=merges)
            case Aliased():
                target = self._anchors.get(tree.name)
                if target is None:
                    raise _error(f"no anchor `{tree.name[:60]}`", tree)
                return self._map_of(target, merges=merges)
            case Listed() if merges:
                found = (self._map_of(item, merges=False) for item in tree.items)
                return [each for maps in found for each in maps]
            case _:
                raise _error("a value that has to be a map", tree, "field-not-a-map")

    def _fields(self, maps: list[Mapped]) -> dict[str, Tree] | None:
        """The values by their keys; None where a key is no text."""
        fields: dict[str, Tree] = {}
        for key, value in _entries(maps):
            if _is_merge(key):
                merged = self._fields(self._map_of(value, merges=False)) or {}
                for name, each in merged.items():
                    _add(fields, name, each, key)
                continue
            name = self.value(key)
            if not isinstance(name, str):
                return None
            _add(fields, name, value, key)
        return fields

    # --- fields ------------------------------------------------------------------

    def _shaped(self, name: str, tree: Tree, shape: FieldShape) -> Node:
        return _SHAPES[shape](self, name, tree)

    def _settled(self, tree: Tree) -> Tree:
        """What an alias stands for."""
        if isinstance(tree, Aliased):
            return self._anchors.get(tree.name) or tree
        return tree

    def text(self, name: str, tree: Tree) -> Scalar:
        if isinstance(tree, Aliased) and isinstance(self._values.get(tree.name), str):
            return _text_node(str(self._values[tree.name]), tree)
        return _text_node(self._text(name, self._settled(tree)), tree)

    def _text(self, name: str, tree: Tree) -> str:
        if isinstance(tree, Anchored):
            self._open.append(tree.name)
            text = self._text(name, tree.value)
            self._open.pop()
            self._values[tree.name] = text
            return text
        value = self.value(tree)
        if value is None:
            return ""
        if isinstance(value, bytes):
            return value.decode("utf-8", "surrogateescape")
        if isinstance(value, (str, bool, int, float)):
            return _print(value)
        rule = f"{name}-not-text" if name in _NEEDED else "field-not-text"
        raise _error(f"`{name}` is no text", tree, rule)

    def text_map(self, name: str, tree: Tree) -> Node:
        tree = self._settled(tree)
        if _is_null(tree):
            return nodes.Mapping((), *_span(tree))
        texts = self._text_map(name, tree, merges=False)
        pairs = ((_text_node(key, tree), text) for key, text in texts.items())
        return nodes.Mapping(tuple(pairs), *_span(tree))

    def _text_map(self, name: str, tree: Tree, *, merges: bool) -> dict[str, Scalar]:
        if isinstance(tree, Anchored):
            tree = tree.value
        texts: dict[str, Scalar] = {}
        merged: dict[str, Scalar] = {}
        for key, value in _entries(self._map_of(tree, merges=merges)):
            if _is_merge(key):
                merged = self._text_map(name, value, merges=True)
                texts.update(merged)
                continue
            text = self.text(name, key).text
            if text in texts and text not in merged:
                raise _error(f"`{text[:60]}` stands twice", key, "key-duplicate")
            texts[text] = self.text(f"{name}.{text}", value)
        return texts

    def texts(self, name: str, tree: Tree) -> Node:
        tree = self._settled(tree)
        if _is_null(tree):
            return Sequence((), *_span(tree))
        inner = tree.value if isinstance(tree, Anchored) else tree
        listed = self._settled(inner)
        if isinstance(listed, Tagged) and not isinstance(listed.value, Listed):
            raise _error(f"on the tag of `{name}` the host panics", tree, "host-panics")
        if isinstance(listed, Tagged):
            listed = listed.value
        if isinstance(listed, Listed):
            items = tuple(self.text(name, item) for item in listed.items)
            return Sequence(items, *_span(tree))
        parts = self._text(name, inner).split(",")
        words = (part.strip(WHITE_SPACE) for part in parts)
        return Sequence(
            tuple(_text_node(word, tree) for word in words if word), *_span(tree)
        )


def _add(fields: dict[str, Tree], name: str, value: Tree, key: Tree) -> None:
    if name in fields:
        raise _error(f"`{name[:60]}` stands twice", key, "key-duplicate")
    fields[name] = value


def _entries(maps: list[Mapped]) -> Iterator[tuple[Tree, Tree]]:
    for each in maps:
        yield from each.entries


def _is_merge(key: Tree) -> bool:
    if isinstance(key, (Asked, Tagged, Anchored)):
        return _is_merge(key.value)
    return isinstance(key, Leaf) and key.token.type is Type.MERGE_KEY


def _is_null(tree: Tree) -> bool:
    return isinstance(tree, Leaf) and tree.token.type is Type.NULL


def _leaf_value(leaf: Leaf) -> Value:
    value = leaf.value
    match leaf.token.type:
        case Type.NULL | Type.MERGE_KEY:
            return None
        case Type.BOOL:
            return value.lower() == "true"
        case Type.INTEGER | Type.FLOAT:
            return number_in(value)
        case Type.INFINITY:
            return float(value.replace(".", ""))
        case Type.NAN:
            return float("nan")
        case _:
            return value


def _print(value: Value) -> str:
    """`value` as Go's `fmt.Sprint` writes it."""
    match value:
        case None:
            return "<nil>"
        case bool():
            return "true" if value else "false"
        case float():
            return write_float(value)
        case _:
            return str(value)


def _to_integer(value: Value) -> Value:
    found = _DECIMAL.fullmatch(_print(value))
    return int(found[0]) if found else 0


def _to_float(value: Value) -> Value:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    return 0


def _to_bytes(value: Value) -> Value:
    if not isinstance(value, str):
        raise _Unfit("a value that is no text, and so no base64")
    # What is no base64 is lost, and all that stands behind it.
    found = _BASE64.match(value.replace("\n", ""))
    return base64.b64decode(found[0]) if found else b""


def _to_flag(value: Value) -> Value:
    word = _print(value).lower()
    if word in ("1", "t", "true", "yes"):
        return True
    if word in ("0", "f", "false", "no"):
        return False
    raise _Unfit("a value that is neither true nor false")


def _to_text(value: Value) -> Value:
    return "" if value is None else _print(value)


def _to_moment(value: Value) -> Value:
    del value
    return Moment()


def _to_nothing(value: Value) -> Value:
    del value


_TAGS: dict[str, Callable[[Value], Value]] = {
    "!!int": _to_integer,
    "!!float": _to_float,
    "!!binary": _to_bytes,
    "!!bool": _to_flag,
    "!!str": _to_text,
    "!!timestamp": _to_moment,
    "!!null": _to_nothing,
}
_BASE64 = re.compile(
    "(?>(?:[A-Za-z0-9+/]{4})*)(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"
)
_DECIMAL = re.compile("[-+]?[0-9]{1,18}")
_NEEDED = ("name", "description")


def _span(tree: Tree) -> tuple[int, int]:
    return tree.token.start, tree.token.end


def _text_node(text: str, tree: Tree) -> Scalar:
    return Scalar(text, Style.DOUBLE, *_span(tree))


_SHAPES: dict[FieldShape, Callable[[_Decoder, str, Tree], Node]] = {
    FieldShape.TEXT: _Decoder.text,
    FieldShape.TEXT_MAP: _Decoder.text_map,
    FieldShape.TEXTS: _Decoder.texts,
}
