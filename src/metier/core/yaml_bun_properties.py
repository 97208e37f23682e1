"""Anchors, tags and merges, as Bun's YAML parser goes about them."""

from __future__ import annotations

from metier.core.nodes import Alias, Mapping, Node, Scalar, Sequence, Style, target_of
from metier.core.scalars import Kind, ScalarSchema, kind_of
from metier.core.yaml_bun_tokens import Scanner, Tag, Token

# What all merges of one header together may look at.
_MAX_MERGED = 100_000


class Properties:
    """The anchors and tags before one node.

    There may be two of each where a mapping starts with its key: the outer one is the
    mapping's, the inner one the key's.
    """

    __slots__ = ("anchor", "outer_anchor", "outer_tag", "scanner", "tag")

    def __init__(self, scanner: Scanner, tag: Token | None, anchor: Token | None):
        self.scanner = scanner
        self.tag = tag
        self.anchor = anchor
        self.outer_tag: Token | None = None
        self.outer_anchor: Token | None = None

    def add_anchor(self, token: Token) -> None:
        if self.anchor is not None:
            if self.anchor.line == token.line or self.outer_anchor is not None:
                self.scanner.fail("a node has two anchors")
            self.outer_anchor = self.anchor
        self.anchor = token

    def add_tag(self, token: Token) -> None:
        if self.tag is not None:
            if self.tag.line == token.line:
                self.scanner.fail("a node has two tags")
            self.outer_tag = self.tag
        self.tag = token

    def is_on_line(self, line: int) -> bool:
        """Whether the anchor or the tag stands on that line."""
        return any(each and each.line == line for each in (self.anchor, self.tag))

    def split_anchors(self, line: int) -> tuple[str | None, str | None]:
        """The anchor of a key on that line, and that of the mapping it starts."""
        inner = self.anchor.name if self.anchor else None
        on_line = self.anchor is not None and self.anchor.line == line
        if self.outer_anchor is not None:
            if not on_line:
                self.scanner.fail("a node has two anchors")
            return inner, self.outer_anchor.name
        return (inner, None) if on_line else (None, inner)

    def refuse_outer(self) -> None:
        """A node that starts no mapping has no room for two of a kind."""
        if self.outer_anchor is not None or self.outer_tag is not None:
            self.scanner.fail("a node has two anchors or two tags")


def nothing_at(place: int, tag: Token | None) -> Scalar:
    """The node where nothing is written."""
    is_text = tag is not None and tag.tag is Tag.TEXT
    return Scalar("", Style.PLAIN, place, place, _TEXT_TAG if is_text else None)


def tagged(scalar: Scalar, tag: Token | None) -> Scalar:
    """A plain scalar as a text, unless its tag asks for what it is."""
    if tag is None or scalar.style is not Style.PLAIN:
        return scalar
    kinds = _KINDS.get(tag.tag, ()) if tag.tag else ()
    if kind_of(scalar, ScalarSchema.BUN) in kinds:
        return scalar
    return scalar._replace(tag=_TEXT_TAG)


# The non-specific tag: to every schema a text.
_TEXT_TAG = "!"
_KINDS = {
    Tag.BOOL: (Kind.BOOL,),
    Tag.NUMBER: (Kind.INT, Kind.FLOAT),
    Tag.NULL: (Kind.NULL,),
}


class MergeBudget:
    """How much the merges of one text may still look at."""

    def __init__(self, scanner: Scanner) -> None:
        self._left = _MAX_MERGED
        self._scanner = scanner

    def spend(self, amount: int) -> None:
        self._left -= amount
        if self._left < 0:
            self._scanner.fail("merge keys bring in too many keys")


class Entries:
    """A mapping while it is read: what is merged stands for itself in it."""

    __slots__ = ("_budget", "_known", "_seen", "pairs")

    def __init__(self, budget: MergeBudget) -> None:
        self.pairs: list[tuple[Node, Node]] = []
        self._budget = budget
        self._known: set[object] = set()
        self._seen = 0  # how many of the pairs are known

    def add(self, key: Node, value: Node) -> None:
        if not _is_merge(key):
            self.pairs.append((key, value))
            return
        source = target_of(value)
        if isinstance(source, Mapping):
            self._merge(source)
        elif isinstance(source, Sequence):
            for item in source.items:
                mapping = target_of(item)
                if isinstance(mapping, Mapping):
                    self._merge(mapping)
        else:
            self.pairs.append((key, value))

    def _merge(self, source: Mapping) -> None:
        """Take over the keys of `source` that are not there, of each the last."""
        self._budget.spend(len(source.entries) + 1)
        self._known.update(_identity(key) for key, _ in self.pairs[self._seen :])
        for key, value in reversed(source.entries):
            identity = _identity(key)
            if identity not in self._known:
                self._known.add(identity)
                self.pairs.append((key, value))
        self._seen = len(self.pairs)


def _is_merge(key: Node) -> bool:
    target = target_of(key)
    return isinstance(target, Scalar) and target.text == "<<"


def _identity(key: Node) -> object:
    """Equal for two keys that are one to a merge."""
    target = target_of(key)
    if isinstance(target, Scalar):
        return target.text, kind_of(target, ScalarSchema.BUN)
    return id(target)


def alias_of(token: Token, target: Node) -> Alias:
    """A node that stands for another one."""
    end = token.start + 1 + len(token.name)
    return Alias(token.name, target_of(target), token.start, end)
