"""What stands in brackets, in Bun's YAML grammar."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NoReturn

from metier.core.nodes import MAX_DEPTH, Mapping, Node, Scalar, Sequence, YamlError
from metier.core.yaml_bun_cursor import Context
from metier.core.yaml_bun_places import Keys, Pairs, Place
from metier.core.yaml_bun_properties import Entries, MergeBudget, nothing_at
from metier.core.yaml_bun_tokens import Kind, Scanner, Token

CLOSERS = frozenset((Kind.COMMA, Kind.LIST_END, Kind.MAP_END))
PAIR_ENDS = frozenset((Kind.COMMA, Kind.LIST_END))
_AFTER_KEY = frozenset((Kind.VALUE, *CLOSERS))
_MAP_VALUE_ENDS = frozenset((Kind.COMMA, Kind.MAP_END))


class FlowReader(ABC):
    """Reads lists and maps in brackets; each method starts and ends at a token."""

    def __init__(self, text: str) -> None:
        self.scanner = Scanner(text)
        self.cursor = self.scanner.cursor
        self.anchors: dict[str, Node] = {}
        self.budget = MergeBudget(self.scanner)
        self.depth = 0

    @abstractmethod
    def node(
        self, place: Place, tag: Token | None = None, anchor: Token | None = None
    ) -> Node:
        """Any node, behind the tag and the anchor that were read already."""

    @property
    def token(self) -> Token:
        return self.scanner.token

    def at(self, kind: Kind) -> bool:
        return self.scanner.token.kind is kind

    def fail(self, problem: str = "") -> NoReturn:
        self.scanner.fail(problem)

    def bind(self, name: str | None, node: Node) -> None:
        if name is not None:
            self.anchors[name] = node

    def empty(self, tag: Token | None = None, anchor: Token | None = None) -> Scalar:
        """The node where there is nothing but, at best, a tag and an anchor."""
        node = nothing_at(self.scanner.end, tag)
        self.bind(anchor.name if anchor else None, node)
        return node

    def open(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            problem = f"nested deeper than {MAX_DEPTH} levels"
            raise YamlError(problem, self.token.start, rule="yaml-too-deep")

    def _scan_key(self) -> None:
        self.cursor.contexts.append(Context.FLOW_KEY)
        self.scanner.scan()
        self.cursor.contexts.pop()

    def read_list(self) -> Sequence:
        self.open()
        start = self.token.start
        self.cursor.contexts.append(Context.FLOW_IN)
        items: list[Node] = []
        self.scanner.scan()
        while not self.at(Kind.LIST_END):
            items.append(self._item())
            if self.at(Kind.LIST_END):
                break
            if not self.at(Kind.COMMA):
                self.fail("did not find expected ',' or ']'")
            self.scanner.scan()
        self.cursor.contexts.pop()
        end = self.token.start + 1
        self.scanner.scan()
        self.depth -= 1
        return Sequence(tuple(items), start, end)

    def _item(self) -> Node:
        if not self.at(Kind.KEY):
            return self.node(Place(pairs=Pairs.ALLOWED))
        start = self.token.start
        key = self._explicit_key()
        value = self._value(PAIR_ENDS) if self.at(Kind.VALUE) else None
        entries = Entries(self.budget)
        if value is None:
            value = self.empty()
        entries.add(key, value)
        return Mapping(tuple(entries.pairs), start, self.scanner.end)

    def _value(self, ends: frozenset[Kind]) -> Node:
        """What stands behind a colon in brackets."""
        self.scanner.scan()
        if self.token.kind in ends:
            return self.empty()
        # Its own indent: a colon behind it starts no mapping.
        return self.node(Place(current=self.token.indent))

    def read_map(self) -> Mapping:
        self.open()
        start = self.token.start
        self.cursor.contexts.append(Context.FLOW_IN)
        entries = Entries(self.budget)
        self._scan_key()
        while not self.at(Kind.MAP_END):
            entries.add(self._key(), self._map_value())
            if self.at(Kind.COMMA):
                self._scan_key()
            elif not self.at(Kind.MAP_END):
                self.fail("did not find expected ',' or '}'")
        self.cursor.contexts.pop()
        end = self.token.start + 1
        self.scanner.scan()
        self.depth -= 1
        return Mapping(tuple(entries.pairs), start, end)

    def _key(self) -> Node:
        if self.at(Kind.KEY):
            return self._explicit_key()
        if self.at(Kind.VALUE):
            return self.empty()
        return self._in_key(Place())

    def _map_value(self) -> Node:
        if self.token.kind in _MAP_VALUE_ENDS:
            return self.empty()
        if not self.at(Kind.VALUE):
            self.fail("did not find expected ',' or '}'")
        return self._value(_MAP_VALUE_ENDS)

    def _in_key(
        self, place: Place, tag: Token | None = None, anchor: Token | None = None
    ) -> Node:
        self.cursor.contexts.append(Context.FLOW_KEY)
        node = self.node(place, tag, anchor)
        self.cursor.contexts.pop()
        return node

    def _explicit_key(self) -> Node:
        """The key behind a `?` in brackets."""
        tag: Token | None = None
        anchor: Token | None = None
        self.scanner.scan()
        while self.token.kind not in _AFTER_KEY:
            if self.at(Kind.ANCHOR) and anchor is None:
                anchor = self.token
            elif self.at(Kind.TAG) and tag is None:
                tag = self.token
            elif self.at(Kind.KEY) and tag is None and anchor is None:
                self.fail()
            else:
                return self._in_key(Place(keys=Keys.ANYWHERE), tag, anchor)
            self.scanner.scan()
        return self.empty(tag, anchor)
