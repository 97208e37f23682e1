"""The grammar of js-yaml, which many agents read their headers with.

It is no port of libyaml: it takes a node wherever one fits, minds indentation only
where a block collection goes on, and registers some anchors before it knows what
they name. Those traits decide which headers load, so they are kept, each where its
comment says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

from metier.core.nodes import (
    MAX_DEPTH,
    Alias,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Style,
    YamlError,
    target_of,
)
from metier.core.yaml_js_properties import (
    Anchor,
    Anchors,
    Properties,
    Role,
    Slot,
    apply_tag,
    refuse,
)
from metier.core.yaml_js_scalars import (
    END,
    SPACES,
    Area,
    Cursor,
    read_block,
    read_double,
    read_plain,
    read_single,
)
from metier.core.yaml_js_values import (
    MERGE,
    RAW,
    STR,
    Built,
    JsYaml,
    Kind,
    MergeBudget,
    Pairs,
    RefusedError,
    Value,
    plain_value,
)

__all__ = ["JsYaml", "parse_js_yaml"]


def parse_js_yaml(text: str, *, version: JsYaml = JsYaml.V3) -> Node | None:
    """The tree of `text`, None where it holds no node; raises `YamlError`."""
    cursor = Cursor(text, version)
    cursor.skip_spaces(len(text))
    if cursor.pos >= len(cursor.text) - 2:
        return None
    return _Reader(cursor).read_document()


# Only these go on where the indentation ran out: a sequence may stand level with its
# key.
_LEVEL_ROLES = frozenset((Role.ROOT, Role.VALUE, Role.EXPLICIT))


class _Reader:
    """Reads one document; each method starts and ends at the cursor."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self.version = cursor.version
        self.properties = Properties(cursor)
        self.anchors = Anchors()
        self.budget = MergeBudget()
        self.depth = 0

    def read_document(self) -> Node | None:
        cursor = self.cursor
        self.properties.read_directives()
        found = self._node(Role.ROOT, cursor.indent - 1)
        cursor.skip_space()
        if cursor.at_separator():
            if cursor.char == ".":
                cursor.pos += 3
                cursor.skip_space()
            if cursor.char != END:
                cursor.fail("expected a single document")
        elif cursor.char != END:
            self._fail_at_rest()
        return found.node if found else None

    def _fail_at_rest(self) -> NoReturn:
        char = self.cursor.char
        if char in "@`%":
            self.cursor.fail(f"found character `{char}` that cannot start any token")
        self.cursor.fail("expected the end of the document")

    def _node(self, role: Role, indent: int) -> Built | None:
        """The node here, None where nothing is written."""
        slot = Slot(role, indent)
        seeks = role is Role.VALUE or role is Role.EXPLICIT
        if seeks and self.cursor.skip_space():
            slot.note_line(self.cursor)
        if slot.depth > 0:
            self.properties.read(slot)
        slot.blocks = slot.blocks and (slot.fresh or role is not Role.VALUE)
        found = self._content(slot)
        if found is None and slot.tag is None and slot.anchor is None:
            return None
        found = found or _nothing_at(slot.end)
        if slot.tag is not None:
            found = apply_tag(slot.tag, found, self.version)
        if slot.anchor is not None and self._rebinds(slot):
            self.anchors.bind(slot.anchor, Anchor(found.node, found.value))
        return found

    def _content(self, slot: Slot) -> Built | None:
        if slot.depth > 0:
            return self._deeper_content(slot)
        if slot.depth == 0 and slot.blocks and slot.role in _LEVEL_ROLES:
            return self._block_sequence(slot)
        return None

    def _deeper_content(self, slot: Slot) -> Built | None:
        cursor = self.cursor
        if slot.blocks:
            column = cursor.pos - cursor.line_start
            found = self._block_sequence(slot) or self._block_mapping(slot, column)
            if found is not None:
                return found
        if cursor.char in "[{":
            return self._flow(slot)
        return self._keyed_by_property(slot) or self._leaf(slot)

    def _leaf(self, slot: Slot) -> Built | None:
        slot.binds = True
        match self.cursor.char:
            case "'":
                return _quoted(read_single(self.cursor))
            case '"':
                return _quoted(read_double(self.cursor))
            case "|" | ">" if slot.in_block:
                return _quoted(read_block(self.cursor, slot.inner))
            case "*":
                return self._alias(slot)
            case _:
                return self._plain(slot)

    def _plain(self, slot: Slot) -> Built | None:
        area = Area.FLOW if slot.role is Role.ENTRY else Area.BLOCK
        node = read_plain(self.cursor, slot.inner, area)
        if node is None:
            return None
        if slot.tag is not None:
            return _quoted(node)
        if node.text == "<<":
            return Built(node, node.text, Kind.SCALAR, MERGE)
        return Built(node, plain_value(node.text, self.version), Kind.SCALAR)

    def _alias(self, slot: Slot) -> Built:
        start = self.cursor.pos
        name = self.properties.read_name()
        anchor = self.anchors.get(name)
        if anchor is None:
            raise YamlError(f"undefined alias `*{name}`", start)
        if slot.tag is not None or slot.anchor is not None:
            raise YamlError("an alias cannot carry a tag or an anchor", start)
        target = anchor.node and target_of(anchor.node)
        node = Alias(name, target, start, self.cursor.pos)
        self.cursor.skip_space()
        return Built(node, anchor.value)

    def _open(self, slot: Slot, value: Value) -> Anchor:
        """Name a collection before it is read, as js-yaml does even if none comes."""
        anchor = Anchor(None, value)
        if slot.anchor is not None:
            self.anchors.bind(slot.anchor, anchor)
        return anchor

    def _rebinds(self, slot: Slot) -> bool:
        if slot.tag is None:
            # Version 3 leaves `&a` at the empty collection that it expected where the
            # content starts on the next line and is a scalar.
            return slot.binds or self.version is not JsYaml.V3
        return slot.binds or slot.tag != RAW

    def _enter(self) -> None:
        if self.depth >= MAX_DEPTH:
            self._fail_deep(self.cursor.pos)
        self.depth += 1

    def _check_height(self, node: Node) -> None:
        """Refuse a collection that turned out to be one level deeper than it began."""
        if self.depth + _height(node) > MAX_DEPTH:
            self._fail_deep(node.start)

    def _fail_deep(self, at: int) -> NoReturn:
        problem = f"nested deeper than {MAX_DEPTH} levels"
        raise YamlError(problem, at, rule="yaml-too-deep")

    def _block_sequence(self, slot: Slot) -> Built | None:
        cursor = self.cursor
        if cursor.in_tabs() or (slot.anchor is None and cursor.char != "-"):
            return None
        start, column = cursor.pos, cursor.pos - cursor.line_start
        items: list[Node] = []
        values: list[Value] = []
        anchor = self._open(slot, values)
        end = start
        if self._at("-"):
            self._enter()
            for item in self._items(column):
                items.append(item.node)
                values.append(item.value)
                end = item.node.end
            self.depth -= 1
        node = Sequence(tuple(items), start, end)
        anchor.node = node
        return Built(node, values, Kind.SEQUENCE) if items else None

    def _at(self, indicator: str) -> bool:
        return self.cursor.char == indicator and self.cursor.followed_by(SPACES)

    def _items(self, column: int) -> Iterator[Built]:
        cursor = self.cursor
        while self._at("-"):
            cursor.pos += 1
            nothing = _nothing_at(self.cursor.pos)
            if cursor.skip_space() and cursor.indent <= column:
                yield nothing
                self._check_tabs()
                continue
            line = cursor.line_start
            yield self._node(Role.ITEM, column) or nothing
            cursor.skip_space()
            if self._runs_on(column, line):
                cursor.fail("bad indentation of a list item")
            if cursor.indent < column:
                return
            self._check_tabs()

    def _runs_on(self, column: int, line: int | None) -> bool:
        """Whether something follows that is neither the next entry nor outside."""
        cursor = self.cursor
        on = cursor.indent > column or cursor.line_start == line
        return on and cursor.char != END

    def _check_tabs(self) -> None:
        if self.cursor.in_tabs() and self.cursor.char != END:
            self.cursor.pos = self.cursor.tab
            self.cursor.fail("a tab cannot indent")

    def _block_mapping(self, slot: Slot, column: int) -> Built | None:
        """A block mapping, or the node that turned out to be no key of one."""
        cursor = self.cursor
        if cursor.in_tabs():
            return None
        start = cursor.pos
        pairs = Pairs(self.budget, self.version)
        anchor = self._open(slot, pairs.value)
        ended = cursor.char == END
        depth = self.depth
        lone = self._read_pairs(pairs, column, slot.inner)
        self.depth = depth
        node = _mapping_node(pairs, start)
        anchor.node = node
        if pairs.entries:
            return Built(node, pairs.value, Kind.MAPPING)
        if lone is None and not ended:
            # js-yaml forgets them while it looks for a key that is not there.
            slot.tag = slot.anchor = None
        return lone

    def _read_pairs(self, pairs: Pairs, column: int, inner: int) -> Built | None:
        """Fill `pairs`; a node without a colon is given back where there are none."""
        cursor = self.cursor
        asked: Built | None = None  # the key behind `?`, until its `:`
        while cursor.char != END:
            if asked is None:
                self._check_tabs()
            line = cursor.line_start
            if self._at("?") or self._at(":"):
                asked = self._read_explicit(pairs, asked, column)
            else:
                key = self._node(Role.KEY, inner)
                if key is None:
                    break
                if not self._take_colon(line):
                    return self._lone(key, pairs, asked)
                self._store(pairs, asked, None)
                asked = None
                self._begin(pairs, key)
                nothing = _nothing_at(cursor.pos)
                self._store(pairs, key, self._node(Role.VALUE, column) or nothing)
            cursor.skip_space()
            if self._runs_on(column, None if self.version is JsYaml.V3 else line):
                cursor.fail("bad indentation of a mapping entry")
            if cursor.indent < column:
                break
        self._store(pairs, asked, None)
        return None

    def _read_explicit(
        self, pairs: Pairs, asked: Built | None, column: int
    ) -> Built | None:
        """Read on behind `?` or `:`; the key that now waits for its value."""
        cursor = self.cursor
        is_key = cursor.char == "?"
        if asked is None and not is_key:
            cursor.fail("mapping values are not allowed here")
        if is_key:
            self._store(pairs, asked, None)
            self._begin(pairs, None)
        cursor.pos += 1
        nothing = _nothing_at(self.cursor.pos)
        found = self._node(Role.EXPLICIT, column) or nothing
        if is_key:
            return _unmerged(found)
        self._store(pairs, asked, found)
        return None

    def _begin(self, pairs: Pairs, key: Built | None) -> None:
        if pairs.opened:
            return
        pairs.opened = True
        self._enter()
        if key is not None:
            self._check_height(key.node)

    def _lone(self, key: Built, pairs: Pairs, asked: Built | None) -> Built:
        if pairs.entries or asked is not None:
            raise YamlError("expected `:` after the key, on its line", key.node.start)
        return key

    def _take_colon(self, line: int) -> bool:
        """Step over the `:` behind a key that began on `line`."""
        cursor = self.cursor
        if cursor.line_start != line:
            return False
        cursor.skip_blanks()
        if cursor.char != ":":
            return False
        cursor.pos += 1
        if cursor.char not in SPACES:
            cursor.fail("expected a blank after the `:` of a key")
        return True

    def _store(self, pairs: Pairs, key: Built | None, item: Built | None) -> None:
        if key is None:
            return
        try:
            pairs.add(key, item or _nothing_at(key.node.end))
        except RefusedError as error:
            refuse(error, key.node)

    def _keyed_by_property(self, slot: Slot) -> Built | None:
        """Version 4: a mapping on one line with its properties, which are its key's."""
        cursor = self.cursor
        if self.version is not JsYaml.V4 or slot.mark is None or cursor.char in "|>":
            return None
        if not slot.in_block or slot.blocks:
            return None
        back, properties = cursor.mark(), (slot.tag, slot.anchor)
        self.anchors.start_journal()
        slot.tag = slot.anchor = None
        cursor.reset(slot.mark)
        found = self._block_mapping(slot, cursor.pos - cursor.line_start)
        if found is not None and found.kind is Kind.MAPPING:
            self.anchors.keep()
            return found
        self.anchors.undo()
        cursor.reset(back)
        slot.tag, slot.anchor = properties
        return None

    def _flow(self, slot: Slot) -> Built:
        self._enter()
        read = self._flow_list if self.cursor.char == "[" else self._flow_map
        found = read(slot)
        self.depth -= 1
        return found

    def _flow_list(self, slot: Slot) -> Built:
        start = self.cursor.pos
        items: list[Node] = []
        values: list[Value] = []
        anchor = self._open(slot, values)
        for key, item in self._flow_entries("]", slot.inner):
            entry = key if item is None else self._pair(key, item)
            items.append(entry.node)
            values.append(entry.value)
        node = Sequence(tuple(items), start, self.cursor.pos)
        anchor.node = node
        return Built(node, values, Kind.SEQUENCE)

    def _pair(self, key: Built, item: Built) -> Built:
        """A mapping of one pair, written in a list without its braces."""
        pairs = Pairs(self.budget, self.version)
        self._store(pairs, key, item)
        node = _mapping_node(pairs, key.node.start)
        self._check_height(node)
        return Built(node, pairs.value, Kind.MAPPING)

    def _flow_map(self, slot: Slot) -> Built:
        start = self.cursor.pos
        pairs = Pairs(self.budget, self.version)
        anchor = self._open(slot, pairs.value)
        for key, item in self._flow_entries("}", slot.inner):
            self._store(pairs, key, item)
        node = Mapping(tuple(pairs.entries), start, self.cursor.pos)
        anchor.node = node
        return Built(node, pairs.value, Kind.MAPPING)

    def _flow_entries(
        self, closer: str, indent: int
    ) -> Iterator[tuple[Built, Built | None]]:
        """The entries up to `closer`; those that are no pair have no second part."""
        cursor = self.cursor
        start, after_comma = cursor.pos, True
        cursor.pos += 1
        while cursor.char != END:
            cursor.skip_space()
            if cursor.char == closer:
                cursor.pos += 1
                return
            if not after_comma:
                cursor.fail(f"expected `,` or `{closer}`")
            if cursor.char == "," and self.version is not JsYaml.V3:
                cursor.fail("expected an entry before `,`")
            yield self._flow_entry(indent)
            cursor.skip_space()
            after_comma = cursor.char == ","
            cursor.pos += after_comma
        raise YamlError(f"expected `{closer}`", start)

    def _flow_entry(self, indent: int) -> tuple[Built, Built | None]:
        cursor = self.cursor
        explicit = self._at("?")
        if explicit:
            cursor.pos += 1
            cursor.skip_space()
        line = cursor.line_start
        key = self._flow_node(indent)
        cursor.skip_space()
        if cursor.char == ":" and (explicit or cursor.line_start == line):
            cursor.pos += 1
            cursor.skip_space()
            return key, self._flow_node(indent)
        return key, _nothing_at(self.cursor.pos) if explicit else None

    def _flow_node(self, indent: int) -> Built:
        return self._node(Role.ENTRY, indent) or _nothing_at(self.cursor.pos)


def _nothing_at(at: int) -> Built:
    return Built(Scalar("", Style.PLAIN, at, at))


def _quoted(node: Scalar) -> Built:
    return Built(node, node.text, Kind.SCALAR)


def _unmerged(key: Built) -> Built:
    """`? <<` is an ordinary key; its node says so, as if `!!str` were written."""
    if key.tag != MERGE or not isinstance(key.node, Scalar):
        return key
    tag = STR if key.value == "<<" else None
    return Built(key.node._replace(tag=tag), key.value, key.kind)


def _mapping_node(pairs: Pairs, start: int) -> Mapping:
    end = max(pairs.entries[-1][1].end, start) if pairs.entries else start
    return Mapping(tuple(pairs.entries), start, end)


def _height(node: Node) -> int:
    """How many collections stand in one another."""
    match node:
        case Sequence():
            return 1 + max(map(_height, node.items), default=0)
        case Mapping():
            inner = (_height(part) for pair in node.entries for part in pair)
            return 1 + max(inner, default=0)
        case _:
            return 0
