"""The grammar of goccy/go-yaml: a parser over its grouped tokens.

Indents are columns here: what stands in the column of a key is its sibling, what stands
left of it ends the map. A key may stand once in its map, whatever it is written like.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from metier.core.nodes import MAX_DEPTH, YamlError
from metier.core.yaml_goccy_groups import (
    Cursor,
    Group,
    Item,
    Items,
    Kind,
    column_of,
    fail,
    first_token,
    group_documents,
    items_of,
    kind_of,
    line_of,
    misplaced,
    type_of,
)
from metier.core.yaml_goccy_scanner import scan_goccy
from metier.core.yaml_goccy_tokens import Token, Type
from metier.core.yaml_goccy_tree import (
    Aliased,
    Anchored,
    Asked,
    Leaf,
    Listed,
    Mapped,
    Tagged,
    Tree,
    text_of,
)


def parse_goccy(text: str) -> list[Tree | None]:
    """The documents of `text`, None for a mere directive; raises `YamlError`."""
    parser = _Parser()
    # Each byte that is not UTF-8 is a sign of its own to the library.
    tokens = scan_goccy(_BROKEN.sub("\ufffd", text))
    return [parser.document(items) for items in group_documents(tokens)]


_TEXTS = (Type.STRING, Type.SINGLE_QUOTE, Type.DOUBLE_QUOTE)
_VALUES = frozenset(
    (
        *_TEXTS,
        Type.MERGE_KEY,
        Type.NULL,
        Type.BOOL,
        Type.INTEGER,
        Type.FLOAT,
        Type.INFINITY,
        Type.NAN,
    )
)
_MAP_SIGNS = (Type.MAPPING_START, Type.MAPPING_END)
_VERSIONS = ("1.0", "1.1", "1.2", "1.3")
# What a tag without a value stands for.
_DEFAULTS = {
    "!!int": (Type.INTEGER, "0"),
    "!!float": (Type.FLOAT, "0.0"),
    "!!str": (Type.STRING, ""),
    "!!binary": (Type.STRING, ""),
    "!!timestamp": (Type.STRING, ""),
    "!!bool": (Type.BOOL, "false"),
    "!!null": (Type.NULL, "null"),
}


class _Parser:
    __slots__ = ("_depth", "_is_redefined", "_keys", "_version")

    def __init__(self) -> None:
        self._depth = 0
        self._keys: set[str] = set()
        self._is_redefined = False
        self._version = ""

    def document(self, items: Items) -> Tree | None:
        self._keys = set()
        cursor = Cursor(items)
        tree = self.value(cursor, items[0])
        if cursor.item is not None:
            fail("value is not allowed in this context", cursor.item)
        return None if kind_of(items[0]) is Kind.DIRECTIVE else tree

    def _directive(self, cursor: Cursor, group: Group) -> Tree:
        name = self._name(cursor, group)
        values = [first_token(item).value for item in group.items[2:]]
        if name == "YAML" and values:
            if len(values) != 1 or values[0] not in _VERSIONS or self._version:
                fail("unexpected YAML directive", group)
            self._version = values[0]
        elif name == "TAG" and values:
            if len(values) != 2:
                fail("unexpected TAG directive", group)
            self._is_redefined = self._is_redefined or values[0] == "!!"
        return _null(group.first)

    def value(self, cursor: Cursor, item: Item) -> Tree:
        """Whatever starts with `item`."""
        self._depth += 1
        if self._depth > _MAX_NESTED:
            problem = f"nested deeper than {MAX_DEPTH} levels"
            raise YamlError(problem, first_token(item).start, rule="yaml-too-deep")
        tree = self._value(cursor, item)
        self._depth -= 1
        return tree

    def _value(self, cursor: Cursor, item: Item) -> Tree:
        kind = kind_of(item)
        if kind in (Kind.MAP_KEY, Kind.PAIR):
            return self._map(cursor, item)
        reader = None if isinstance(item, Group) else _READERS.get(item.type)
        if reader is not None:
            return reader(self, cursor, item)
        tree = self._scalar(cursor, item)
        if kind is not Kind.ANCHOR_NAME:
            cursor.step()
        return tree

    def _scalar(self, cursor: Cursor, item: Item) -> Tree:
        """A scalar, or what is taken for one."""
        if not isinstance(item, Group):
            if item.type is Type.TAG:
                return self._scalar_tag(cursor, item)
            if item.type not in _VALUES:
                fail("unexpected scalar value", item)
            return Leaf(item, item.value)
        match item.kind:
            case Kind.DIRECTIVE:
                return self._directive(cursor, item)
            case Kind.ANCHOR:
                inner = cursor.within(item)
                return self._anchored(inner, item.items[0])
            case Kind.ANCHOR_NAME:
                return self._anchored(cursor, item)
            case Kind.ALIAS:
                # The library looks for the name as it would write it.
                is_null = type_of(item.items[1]) is Type.NULL
                name = "null" if is_null else self._name(cursor, item)
                return Aliased(item.first, name)
            case Kind.BLOCK:
                return self._block(item)
            case Kind.SCALAR_TAG:
                return self.tag(cursor.within(item), item)
            case _:
                raise misplaced("unexpected scalar value", item)

    def _name(self, cursor: Cursor, group: Item) -> str:
        """What stands behind the sign with which `group` starts."""
        inner = cursor.within(group)
        inner.step()
        return self._scalar(inner, items_of(group)[1]).token.value

    def _anchored(self, cursor: Cursor, name: Item) -> Tree:
        cursor.step()
        value = self.value(cursor, cursor.needed("an anchor without a value", name))
        if isinstance(value, Anchored):
            fail("anchors cannot be used consecutively", value.token)
        return Anchored(first_token(name), self._name(cursor, name), value)

    def _block(self, group: Group) -> Tree:
        texts = group.items[1:]
        return Leaf(group.first, first_token(texts[0]).value if texts else "")

    def _scalar_tag(self, cursor: Cursor, item: Item) -> Tree:
        tree = self.tag(cursor, item)
        if isinstance(tree.value, (Mapped, Listed)):
            fail("a tag without a scalar", item)
        return tree

    def tag(self, cursor: Cursor, item: Item) -> Tagged:
        tag = first_token(item)
        cursor.step()
        value = cursor.item
        if not self._is_redefined:
            return Tagged(tag, self._tagged(cursor, tag, value))
        if value is None:
            fail("a tag without a value", tag)
        text = first_token(value)._replace(type=Type.STRING)
        return Tagged(tag, Leaf(text, text.value), is_redefined=True)

    def _tagged(self, cursor: Cursor, tag: Token, item: Item | None) -> Tree:
        if item is None:
            return _null(tag)
        if tag.value in ("!!map", "!!set"):
            if not _is_map_item(item):
                fail("could not find map", item)
            is_flow = type_of(item) is Type.MAPPING_START
            return (self.flow_map if is_flow else self._map)(cursor, item)
        if tag.value in ("!!seq", "!!omap"):
            is_flow = type_of(item) is Type.SEQUENCE_START
            return (self.flow_list if is_flow else self.block_list)(cursor, item)
        default = _DEFAULTS.get(tag.value)
        if default is None:
            return self.value(cursor, item)
        if isinstance(item, Group) and item.kind is Kind.BLOCK:
            return self._block(item)
        if type_of(item) in (Type.COLLECT_ENTRY, Type.MAPPING_VALUE):
            return Leaf(tag._replace(type=default[0]), default[1])
        scalar = self._scalar(cursor, item)
        cursor.step()
        return scalar

    # --- maps --------------------------------------------------------------------

    def _map(self, cursor: Cursor, first: Item) -> Tree:
        column = column_of(first)
        entries = [self._entry(cursor, first)]
        # A `}` in this column ends one of the maps that began with each of the keys.
        begun = 1
        while (item := cursor.item) is not None and column_of(item) == column:
            if cursor.in_flow and type_of(item) is Type.SEQUENCE_END:
                break
            if not _is_map_item(item):
                fail("non-map value is specified", item)
            if type_of(item) is Type.MAPPING_END:
                cursor.step()
                begun -= 1
                if not begun:
                    break
            else:
                entries.append(self._entry(cursor, item))
                begun += 1
        return Mapped(first_token(first), tuple(entries))

    def _entry(self, cursor: Cursor, item: Item) -> tuple[Tree, Tree]:
        if not isinstance(item, Group):
            fail("unexpected map key", item)
        if item.kind is Kind.PAIR:
            entry = self._pair(cursor, item)
            cursor.step()
            _check_behind_pair(cursor, item)
            return entry
        key = self._key(cursor, item)
        cursor.step()
        value = cursor.item
        if line_of(item) == line_of(value) and type_of(value) is Type.SEQUENCE_ENTRY:
            fail("a list cannot start on the line of its key", item)
        path = cursor.path
        cursor.path = _child(path, text_of(key))
        tree = self._map_value(cursor, key.token)
        cursor.path = path
        return key, tree

    def _pair(self, cursor: Cursor, group: Group) -> tuple[Tree, Tree]:
        inner = cursor.within(group)
        key = self._key(inner, group.items[0])
        inner.path = _child(inner.path, text_of(key))
        return key, self.value(inner, group.items[1])

    def _key(self, cursor: Cursor, group: Item) -> Tree:
        """The key, which must not have been in this map before."""
        first, last = items_of(group)[0], items_of(group)[-1]
        if type_of(first) is Type.MAPPING_KEY:
            inner = cursor.within(first if isinstance(first, Group) else group)
            inner.step()
            item = inner.needed("could not find value for mapping key", first)
            key: Tree = Asked(first_token(first), self._scalar(inner, item))
        else:
            key = self._scalar(cursor.within(group), first)
        path = _child(cursor.path, text_of(key))
        self._check_key(cursor, key.token, path, last)
        self._keys.add(path)
        return key

    def _check_key(self, cursor: Cursor, key: Token, path: str, colon: Item) -> None:
        if path in self._keys:
            problem = f"mapping key `{key.value[:60]}` already defined"
            raise YamlError(problem, key.start, rule="key-duplicate")
        origin = key.origin.lstrip(" \r\n")
        if cursor.in_flow:
            lines = origin.rstrip(" \r\n").count("\n")
            if key.type is Type.STRING and key.line + lines != line_of(colon):
                fail("a key over several lines", key)
        elif key.type in _TEXTS and "\n" in origin:
            fail("a key over several lines", key)

    def _map_value(self, cursor: Cursor, key: Token) -> Tree:
        item = cursor.item
        if item is None:
            return _null(key)
        column, line = column_of(item), line_of(item)
        is_key = kind_of(item) in (Kind.MAP_KEY, Kind.PAIR)
        if is_key and column != key.column and line == key.line:
            fail("mapping value is not allowed in this context", item)
        if column == key.column and _is_map_item(item):
            return _null(key)
        return self._value_right_of(cursor, item, key, _is_map_item)

    def _value_right_of(
        self, cursor: Cursor, item: Item, owner: Token, is_sibling: _Test
    ) -> Tree:
        """A value that stands right of `owner`; nothing where there is none."""
        column = column_of(item)
        if isinstance(item, Group) and item.kind is Kind.ANCHOR_NAME:
            if line_of(item) == owner.line and _is_last(cursor, owner, is_sibling):
                return self._anchored_null(cursor, item)
            if column <= owner.column:
                fail("an anchor is not allowed in this context", item)
        if column <= owner.column and type_of(item) is Type.TAG:
            fail("a tag is not allowed in this context", item)
        if column < owner.column:
            return _null(owner)
        tree = self.value(cursor, item)
        _check_tag_of_anchor(tree, owner.column)
        return tree

    def _anchored_null(self, cursor: Cursor, group: Group) -> Tree:
        cursor.step()
        return Anchored(group.first, self._name(cursor, group), _null(group.first))

    def flow_map(self, cursor: Cursor, start: Item) -> Tree:
        was_in_flow, cursor.in_flow = cursor.in_flow, True
        items = _flow_items(cursor, start, Type.MAPPING_END)
        entries = tuple(self._flow_entry(cursor, item) for item in items)
        cursor.in_flow = was_in_flow
        return Mapped(first_token(start), entries)

    def _flow_entry(self, cursor: Cursor, item: Item) -> tuple[Tree, Tree]:
        if isinstance(item, Group) and item.kind is Kind.PAIR:
            entry = self._pair(cursor, item)
            cursor.step()
            return entry
        is_last = type_of(cursor.following) in (Type.MAPPING_END, Type.COLLECT_ENTRY)
        if not isinstance(item, Group) or item.kind is not Kind.MAP_KEY:
            if not is_last:
                fail("could not find flow map content", item)
            key = self._scalar(cursor, item)
            cursor.step()
            return key, _null(key.token)
        key = self._key(cursor, item)
        cursor.step()
        if is_last:
            return key, _null(key.token)
        path = cursor.path
        cursor.path = _child(path, text_of(key))
        value = self.value(cursor, cursor.needed("could not find map value", item))
        cursor.path = path
        return key, value

    # --- lists -------------------------------------------------------------------

    def flow_list(self, cursor: Cursor, start: Item) -> Tree:
        was_in_flow, cursor.in_flow = cursor.in_flow, True
        path = cursor.path
        items: list[Tree] = []
        for item in _flow_items(cursor, start, Type.SEQUENCE_END):
            cursor.path = f"{path}[{len(items)}]"
            items.append(self.value(cursor, item))
        cursor.path, cursor.in_flow = path, was_in_flow
        return Listed(first_token(start), tuple(items))

    def block_list(self, cursor: Cursor, first: Item) -> Tree:
        start = first_token(first)
        items: list[Tree] = []
        path = cursor.path
        item: Item | None = first
        while item is not None and _is_dash(item) and column_of(item) == start.column:
            cursor.step()
            cursor.path = f"{path}[{len(items)}]"
            items.append(self._list_value(cursor, first_token(item)))
            item = cursor.item
        cursor.path = path
        return Listed(start, tuple(items))

    def _list_value(self, cursor: Cursor, dash: Token) -> Tree:
        item = cursor.item
        if item is None:
            return _null(dash)
        if column_of(item) == dash.column and _is_dash(item):
            return _null(dash)
        return self._value_right_of(cursor, item, dash, _is_dash)


_Test = Callable[[Item], bool]
_READERS: dict[Type, Callable[[_Parser, Cursor, Item], Tree]] = {
    Type.TAG: _Parser.tag,
    Type.MAPPING_START: _Parser.flow_map,
    Type.SEQUENCE_START: _Parser.flow_list,
    Type.SEQUENCE_ENTRY: _Parser.block_list,
}


def _flow_items(cursor: Cursor, start: Item, closer: Type) -> Iterator[Item]:
    """The items up to the closing bracket, one by one, and past it."""
    cursor.step()
    is_first = True
    while (item := cursor.item) is not None and type_of(item) is not closer:
        if type_of(item) is Type.COLLECT_ENTRY:
            if is_first and closer is Type.SEQUENCE_END:
                fail("expected an item, but found ','", item)
            cursor.step()
        elif not is_first:
            fail("',' or a closing bracket must be specified", item)
        if cursor.is_done or type_of(cursor.item) is closer:
            break
        yield cursor.item
        is_first = False
    if cursor.is_done:
        fail("could not find the closing bracket", start)
    cursor.step()


def _null(token: Token) -> Leaf:
    return Leaf(token._replace(type=Type.NULL), "null")


def _is_map_item(item: Item) -> bool:
    if isinstance(item, Group):
        return item.kind in (Kind.MAP_KEY, Kind.PAIR)
    return item.type in _MAP_SIGNS


def _is_last(cursor: Cursor, owner: Token, is_sibling: _Test) -> bool:
    """Whether the item here is all that `owner` has."""
    behind = cursor.following
    if behind is None or column_of(behind) < owner.column:
        return True
    return column_of(behind) == owner.column and is_sibling(behind)


def _is_dash(item: Item) -> bool:
    return type_of(item) is Type.SEQUENCE_ENTRY


def _check_behind_pair(cursor: Cursor, pair: Item) -> None:
    item = cursor.item
    if item is None or column_of(item) <= column_of(pair):
        return
    if cursor.in_flow and type_of(item) in (Type.COLLECT_ENTRY, Type.SEQUENCE_END):
        return
    fail("a value is not allowed behind a key and its value", item)


def _check_tag_of_anchor(tree: Tree, column: int) -> None:
    if not isinstance(tree, Anchored) or not isinstance(tree.value, Tagged):
        return
    tag = tree.value.token
    if tag.line != tree.token.line and tag.column <= column:
        fail("a tag is not allowed in this context", tag)


def _child(path: str, key: str) -> str:
    is_plain = _PATH_SIGNS.search(key) is None
    return f"{path}.{key}" if is_plain else f"{path}.'{key}'"


_BROKEN = re.compile("[\ud800-\udfff]")
_PATH_SIGNS = re.compile(r"[$*.\[\]]")
# A tag, an anchor and a list in each level.
_MAX_NESTED = 3 * MAX_DEPTH
