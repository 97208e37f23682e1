"""The grammar of Bun's YAML parser, which agents that are built with Bun read by.

It is a parser of YAML 1.2 of its own: strict about tabs, free with duplicate keys, and
it takes a mapping apart entry by entry, so that the first one has rules of its own.
Those traits decide which headers load, so they are kept.
"""

from __future__ import annotations

from metier.core.nodes import (
    Mapping,
    Node,
    Sequence,
    Style,
)
from metier.core.yaml_bun_cursor import Context
from metier.core.yaml_bun_flow import CLOSERS, PAIR_ENDS, FlowReader
from metier.core.yaml_bun_places import Found, Keys, Pairs, Place, Role, Start
from metier.core.yaml_bun_properties import (
    Entries,
    Properties,
    alias_of,
    nothing_at,
    tagged,
)
from metier.core.yaml_bun_tokens import Kind, Token, skip_directive


def parse_bun_yaml(text: str) -> Node | None:
    """The tree of `text`, None where it holds nothing; raises `YamlError`.

    Of several documents it is a list.
    """
    reader = _Reader(text)
    documents = [reader.read_document()]
    while reader.token.kind is not Kind.END:
        documents.append(reader.read_document())
    if len(documents) == 1:
        return documents[0]
    return Sequence(tuple(documents), 0, len(text))


_ALONE = Place()
_DOCUMENT_ENDS = frozenset((Kind.END, Kind.DOCUMENT_START, Kind.DOCUMENT_END))
_QUOTED = (Style.SINGLE, Style.DOUBLE)
_BLOCK = frozenset((Context.BLOCK_OUT, Context.BLOCK_IN))


class _Reader(FlowReader):
    """Reads documents; each method starts at a token and ends at the next one."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.marker_line = 0  # where `---` stands, behind which no block starts

    # --- documents -------------------------------------------------------------------

    def read_document(self) -> Node:
        self.anchors.clear()
        self.scanner.handles.clear()
        self._skip_directives()
        self.marker_line = 0
        if self.at(Kind.DOCUMENT_START):
            self.marker_line = self.token.line
            self.scanner.scan()
        root = self.node(_ALONE)
        if self.at(Kind.DOCUMENT_END):
            self._skip_ends()
        elif self.token.kind not in _DOCUMENT_ENDS:
            self.fail()
        return root

    def _skip_directives(self) -> None:
        names: list[str] = []
        while self.at(Kind.DIRECTIVE):
            names.append(skip_directive(self.scanner))
            self.scanner.scan()
        if names.count("YAML") > 1:
            self.fail("found a second `%YAML`")
        if names and not self.at(Kind.DOCUMENT_START):
            self.fail("expected `---` behind a directive")

    def _skip_ends(self) -> None:
        line = self.token.line
        while self.at(Kind.DOCUMENT_END):
            line = self.token.line
            self.scanner.scan()
        if self.token.line == line and not self.at(Kind.END):
            self.fail()

    # --- nodes -----------------------------------------------------------------------

    def node(
        self, place: Place, tag: Token | None = None, anchor: Token | None = None
    ) -> Node:
        properties = Properties(self.scanner, tag, anchor)
        while self.token.kind in (Kind.ANCHOR, Kind.TAG):
            if self.at(Kind.ANCHOR):
                properties.add_anchor(self.token)
            else:
                properties.add_tag(self.token)
            self.scanner.scan()
        found = self._content(place, properties)
        if found.is_done:
            return found.node
        properties.refuse_outer()
        node = found.node
        if properties.anchor is not None:
            self.bind(properties.anchor.name, node)
        return node

    def _content(self, place: Place, properties: Properties) -> Found:
        match self.token.kind:
            case Kind.SCALAR:
                return self._scalar(place, properties)
            case Kind.ALIAS:
                return self._alias(place, properties)
            case Kind.LIST_START:
                return self._flow_collection(place, properties, Kind.LIST_START)
            case Kind.MAP_START:
                return self._flow_collection(place, properties, Kind.MAP_START)
            case Kind.ENTRY:
                if properties.is_on_line(self.token.line):
                    self.fail()
                return Found(self._block_list())
            case Kind.KEY:
                return self._explicit_mapping(place)
            case Kind.VALUE:
                return self._keyless_mapping(place, properties)
            case _:
                return self._nothing(properties)

    def _nothing(self, properties: Properties) -> Found:
        if self.at(Kind.DIRECTIVE):
            self.fail("found character `%` that cannot start any token")
        has_any = properties.anchor is not None or properties.tag is not None
        if self.token.kind in CLOSERS and not has_any:
            self.fail()
        return Found(self.empty(properties.tag))

    def _scalar(self, place: Place, properties: Properties) -> Found:
        start = Start(self.token, self.cursor.is_tabbed)
        scalar = self.token.scalar or self.empty()
        is_quoted = scalar.style in _QUOTED
        self._scan_behind(with_key=is_quoted and place.pairs is Pairs.ALLOWED)
        node = tagged(scalar, properties.tag)
        if self._starts_mapping(start, place, is_scalar=True):
            mapping = self._mapping_from(node, start, place, properties)
            return Found(mapping, is_done=True)
        return Found(node)

    def _scan_behind(self, *, with_key: bool) -> None:
        """The token behind a scalar; behind a quoted key a colon needs no blank."""
        contexts = self.cursor.contexts
        is_key = with_key and self.cursor.context is Context.FLOW_IN
        if is_key:
            contexts.append(Context.FLOW_KEY)
        self.scanner.scan(is_outside=True)
        if is_key:
            contexts.pop()

    def _starts_mapping(
        self, start: Start, place: Place, *, is_scalar: bool = False
    ) -> bool:
        """Whether a node is the first key of a mapping: a colon of its own follows."""
        if not self.at(Kind.VALUE) or self._is_around(start, place):
            return False
        context = self.cursor.context
        is_tabbed = start.is_tabbed and context in _BLOCK
        is_current = place.current == start.token.indent
        if context is Context.FLOW_KEY or (is_scalar and is_current and not is_tabbed):
            return False
        if self.token.line != start.token.line and place.keys is not Keys.ANYWHERE:
            self.fail("a key has to stand on one line with its colon")
        if is_tabbed:
            self.cursor.fail_at_tab()
        in_map = context is Context.FLOW_IN and place.pairs is not Pairs.ALLOWED
        return not is_current and not in_map

    def _is_around(self, start: Start, place: Place) -> bool:
        """Whether the colon belongs to what is around the node."""
        if self.token.indent < start.token.indent:
            return True
        spans = self.token.line != start.token.line
        is_level = self.token.indent <= start.token.indent
        return place.keys is Keys.ANYWHERE and spans and is_level

    def _mapping_from(
        self, key: Node, start: Start, place: Place, properties: Properties
    ) -> Mapping:
        inner, outer = properties.split_anchors(start.token.line)
        self.bind(inner, key)
        mapping = self._block_mapping(key, start.token, place.pairs)
        self.bind(outer, mapping)
        return mapping

    def _alias(self, place: Place, properties: Properties) -> Found:
        start = Start(self.token, self.cursor.is_tabbed)
        if properties.is_on_line(start.token.line):
            self.fail("an alias has neither anchor nor tag")
        if start.token.name not in self.anchors:
            self.fail(f"undefined alias `*{start.token.name}`")
        node = alias_of(start.token, self.anchors[start.token.name])
        self.scanner.scan()
        if self._starts_mapping(start, place):
            mapping = self._block_mapping(node, start.token, place.pairs)
            return Found(mapping, is_done=True)
        has_colon = self.at(Kind.VALUE) and not self._is_around(start, place)
        return Found(node, is_done=has_colon)

    def _flow_collection(
        self, place: Place, properties: Properties, kind: Kind
    ) -> Found:
        start = Start(self.token, self.cursor.is_tabbed)
        is_key = place.pairs is Pairs.ALLOWED and self.cursor.context is Context.FLOW_IN
        if is_key:
            self.cursor.contexts.append(Context.FLOW_KEY)
        is_list = kind is Kind.LIST_START
        node = self.read_list() if is_list else self.read_map()
        if is_key:
            self.cursor.contexts.pop()
        if self._starts_mapping(start, place):
            mapping = self._mapping_from(node, start, place, properties)
            return Found(mapping, is_done=is_list)
        return Found(node)

    # --- blocks ----------------------------------------------------------------------

    def _block_list(self) -> Sequence:
        self.open()
        start, indent = self.token.start, self.token.indent
        if self.token.line == self.marker_line:
            self.fail()
        self.cursor.blocks.append(indent)
        items: list[Node] = []
        while self.at(Kind.ENTRY) and self.token.indent == indent:
            if self.cursor.is_tabbed:
                self.cursor.fail_at_tab()
            line = self.token.line
            self.scanner.scan(parent=indent + 1)
            items.append(self._behind(indent, line, Role.ENTRY))
        self.cursor.blocks.pop()
        self.depth -= 1
        return Sequence(tuple(items), start, self.scanner.end)

    def _explicit_mapping(self, place: Place) -> Found:
        if self.cursor.is_in_flow:
            self.fail()
        if self.cursor.is_tabbed:
            self.cursor.fail_at_tab()
        start = self.token
        self.cursor.blocks.append(start.indent)
        self.scanner.scan(parent=start.indent + 1)
        key = self._behind(start.indent, start.line, Role.KEY)
        self.cursor.blocks.pop()
        if place.current == start.indent:
            return Found(key, is_done=True)
        return Found(self._block_mapping(key, start, place.pairs))

    def _keyless_mapping(self, place: Place, properties: Properties) -> Found:
        """A colon with no key before it."""
        cursor, colon = self.cursor, self.token
        if cursor.context is Context.FLOW_KEY:
            return Found(self.empty(properties.tag))
        if cursor.is_tabbed and cursor.context is not Context.FLOW_IN:
            cursor.fail_at_tab()
        if place.current == colon.indent:
            return Found(self.empty(properties.tag))
        tag = properties.tag
        if tag is not None and tag.line == colon.line:
            properties.tag = None
        else:
            tag = None
        key = nothing_at(colon.start, tag)
        mapping = self._mapping_from(
            key, Start(colon, is_tabbed=False), place, properties
        )
        properties.anchor = properties.outer_anchor = None
        return Found(mapping)

    def _behind(self, indent: int, line: int, role: Role) -> Node:
        """The node behind the `-`, `?` or `:` of a block collection."""
        tag: Token | None = None
        anchor: Token | None = None
        in_flow = self.cursor.is_in_flow
        while True:
            token = self.token
            if not in_flow and token.line != line and self._is_parents(indent, role):
                return self.empty(tag, anchor)
            if token.kind is Kind.ANCHOR and anchor is None:
                anchor = token
            elif token.kind is Kind.TAG and tag is None:
                tag = token
            elif token.kind in PAIR_ENDS and role is Role.PAIR_VALUE and in_flow:
                return self.empty(tag, anchor)
            else:
                self._refuse_compact(indent, line)
                keys = Keys.ANYWHERE if role is Role.KEY else Keys.ON_LINE
                return self.node(Place(indent, keys), tag, anchor)
            self.scanner.scan()

    def _is_parents(self, indent: int, role: Role) -> bool:
        """Whether the token, on a later line, is what goes on around the collection."""
        if self.at(Kind.ENTRY) and role is not Role.ENTRY:
            return self.token.indent < indent
        return self.token.indent <= indent

    def _refuse_compact(self, indent: int, line: int) -> None:
        """A collection on the line of its `-` has to be behind it, by spaces."""
        token = self.token
        if token.kind not in (Kind.ENTRY, Kind.KEY) or token.line != line:
            return
        if self.cursor.is_tabbed:
            self.cursor.fail_at_tab()
        if token.indent <= indent:
            self.fail()

    # --- block mappings --------------------------------------------------------------

    def _block_mapping(self, key: Node, start: Token, pairs: Pairs) -> Mapping:
        self.open()
        if start.line == self.marker_line:
            self.fail()
        is_block = not self.cursor.is_in_flow
        if is_block:
            self.cursor.blocks.append(start.indent)
        entries = Entries(self.budget)
        line = self._first_entry(entries, key, start, pairs)
        if self.cursor.context is not Context.FLOW_IN:
            self.cursor.contexts.append(Context.BLOCK_IN)
            self._more_entries(entries, start.indent, line)
            self.cursor.contexts.pop()
        if is_block:
            self.cursor.blocks.pop()
        self.depth -= 1
        return Mapping(tuple(entries.pairs), start.start, self.scanner.end)

    def _first_entry(
        self, entries: Entries, key: Node, start: Token, pairs: Pairs
    ) -> int:
        """Read the value of the first key; the line behind which the next one is."""
        token = self.token
        if token.kind is Kind.KEY and token.line == start.line:
            self.fail()
        if token.kind is not Kind.VALUE:
            entries.add(key, self.empty())
            return start.line
        spans = token.line != start.line
        if spans and not self.cursor.is_in_flow and self._is_outer_colon(start.indent):
            entries.add(key, self.empty())
            return token.line
        role = Role.PAIR_VALUE if pairs is Pairs.ALLOWED else Role.VALUE
        entries.add(key, self._block_value(start.indent, role, spans=spans))
        return token.line

    def _is_outer_colon(self, indent: int) -> bool:
        """Whether a colon on a later line belongs to what is around the mapping."""
        if self.token.indent == indent and not self.cursor.is_tabbed:
            return False
        if self.token.indent < indent:
            return True
        if self.cursor.is_tabbed:
            self.cursor.fail_at_tab()
        return self.fail()

    def _block_value(self, indent: int, role: Role, *, spans: bool) -> Node:
        """What stands behind the colon, which may be on a later line than its key."""
        colon = self.token
        self.scanner.scan(parent=indent + 1 if spans else None)
        return self._behind(indent, colon.line, role)

    def _more_entries(self, entries: Entries, indent: int, line: int) -> None:
        while self.token.kind not in _DOCUMENT_ENDS and self.token.indent == indent:
            if self.token.line == line:
                break
            if self.cursor.is_tabbed:
                self.cursor.fail_at_tab()
            line = self._entry(entries, indent)

    def _entry(self, entries: Entries, indent: int) -> int:
        """Read one entry; the line behind which the next one is."""
        line = self.token.line
        is_explicit = self.at(Kind.KEY)
        key = self.node(Place(current=indent))
        token = self.token
        nothing = self.empty()
        if token.kind is Kind.VALUE:
            if is_explicit and self._is_outer_colon(indent):
                entries.add(key, nothing)
                return line
            if not is_explicit and token.line != line:
                self.fail("a key has to stand on one line with its colon")
            spans = token.line != line
            entries.add(key, self._block_value(indent, Role.VALUE, spans=spans))
            return token.line
        if token.kind is Kind.KEY:
            if token.line == line:
                self.fail()
        elif not is_explicit:
            self.fail("could not find expected ':'")
        entries.add(key, nothing)
        return line
