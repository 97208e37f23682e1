"""Tokens that belong together, as goccy/go-yaml groups them before it parses.

Which ones do is decided by their lines: a key and a scalar on its line are a pair, a
tag and what follows on its line are one value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import NoReturn

from metier.core.nodes import YamlError
from metier.core.yaml_goccy_tokens import Token, Type


class Kind(Enum):
    """What a group of tokens is."""

    ALIAS = "alias"
    ANCHOR = "anchor"
    ANCHOR_NAME = "anchor-name"
    BLOCK = "block"
    DIRECTIVE = "directive"
    MAP_KEY = "map-key"
    PAIR = "pair"
    SCALAR_TAG = "scalar-tag"


class Group:
    """Items of one `kind`; it starts where the first of them does."""

    __slots__ = ("first", "items", "kind")

    def __init__(self, kind: Kind, *items: Item) -> None:
        self.kind = kind
        self.items = items
        self.first: Token = first_token(items[0])


Item = Token | Group
Items = Sequence[Item]


def items_of(item: Item) -> Items:
    """What is in a group."""
    return item.items if isinstance(item, Group) else (item,)


def first_token(item: Item) -> Token:
    """The token at which `item` starts."""
    return item.first if isinstance(item, Group) else item


def type_of(item: Item | None) -> Type | None:
    """The type of the first token."""
    return None if item is None else first_token(item).type


def kind_of(item: Item | None) -> Kind | None:
    """What group it is, None for a token alone."""
    return item.kind if isinstance(item, Group) else None


def line_of(item: Item | None) -> int:
    return 0 if item is None else first_token(item).line


def column_of(item: Item | None) -> int:
    return 0 if item is None else first_token(item).column


def misplaced(problem: str, item: Item) -> YamlError:
    """That `item` cannot stand where it does."""
    return YamlError(problem, first_token(item).start)


def fail(problem: str, item: Item) -> NoReturn:
    """Raise that `item` cannot stand where it does."""
    raise misplaced(problem, item)


class Cursor:
    """A place among items, where in the document that is, and whether in brackets."""

    __slots__ = ("at", "in_flow", "items", "path")

    def __init__(self, items: Items, path: str = "$", *, in_flow: bool = False) -> None:
        self.items = items
        self.at = 0
        self.path = path
        self.in_flow = in_flow

    @property
    def item(self) -> Item | None:
        """The item here, None behind the last."""
        return self.items[self.at] if self.at < len(self.items) else None

    @property
    def following(self) -> Item | None:
        """The one behind it."""
        return self.items[self.at + 1] if self.at + 1 < len(self.items) else None

    @property
    def is_done(self) -> bool:
        """Whether it is behind the last."""
        return self.at == len(self.items)

    def step(self) -> None:
        """Go on to the next."""
        self.at = min(self.at + 1, len(self.items))

    def within(self, group: Item) -> Cursor:
        """A cursor over the items of `group`."""
        return Cursor(items_of(group), self.path, in_flow=self.in_flow)

    def needed(self, problem: str, item: Item) -> Item:
        """The item here; where there is none `item` is incomplete."""
        if self.item is None:
            fail(problem, item)
        return self.item


_PLAIN = (Type.NULL, Type.BOOL, Type.INTEGER, Type.FLOAT, Type.INFINITY, Type.NAN)
_TEXTS = (Type.STRING, Type.SINGLE_QUOTE, Type.DOUBLE_QUOTE)
_BLOCKS = (Type.LITERAL, Type.FOLDED)
_SCALARS = frozenset((*_PLAIN, *_TEXTS, *_BLOCKS, Type.ANCHOR, Type.ALIAS))
_PAIRS = (Kind.MAP_KEY, Kind.PAIR)
_NO_KEYS = frozenset(
    (
        Type.DIRECTIVE,
        Type.DOCUMENT_HEADER,
        Type.DOCUMENT_END,
        Type.COLLECT_ENTRY,
        Type.MAPPING_START,
        Type.MAPPING_VALUE,
        Type.MAPPING_END,
        Type.SEQUENCE_START,
        Type.SEQUENCE_ENTRY,
        Type.SEQUENCE_END,
    )
)
_OPENERS = frozenset(
    (Type.MAPPING_START, Type.MAPPING_END, Type.SEQUENCE_START, Type.SEQUENCE_ENTRY)
)
_SCALAR_TAGS = frozenset(
    "!!int !!float !!str !!binary !!timestamp !!bool !!null".split()
)


def is_scalar(item: Item) -> bool:
    """Whether `item` starts as a scalar does, and is no key."""
    return kind_of(item) not in _PAIRS and type_of(item) in _SCALARS


def group_documents(tokens: Items) -> Iterator[Items]:
    """The documents, each as its grouped items without the signs around it."""
    items: Items = tokens
    for step in _STEPS:
        items = tuple(step(items))
    yield from _documents(items)


def _with_next(items: Items) -> Iterator[tuple[int, Item, Item | None]]:
    last = len(items) - 1
    for at, item in enumerate(items):
        yield at, item, items[at + 1] if at < last else None


def _join_blocks(items: Items) -> Iterator[Item]:
    """A block scalar's header and its text."""
    skipped = -1
    for at, item, following in _with_next(items):
        if at == skipped:
            continue
        if type_of(item) not in _BLOCKS:
            yield item
            continue
        yield Group(Kind.BLOCK, item, *(() if following is None else (following,)))
        skipped = at + 1


def _join_names(items: Items) -> Iterator[Item]:
    """Anchors with their names, and with a scalar on their line; aliases."""
    skipped = -1
    for at, item, following in _with_next(items):
        if at <= skipped:
            continue
        kind = type_of(item)
        if kind not in (Type.ANCHOR, Type.ALIAS):
            yield item
            continue
        if following is None:
            fail("an anchor or alias without a name", item)
        skipped = at + 1
        if kind is Type.ALIAS:
            yield Group(Kind.ALIAS, item, following)
            continue
        name = Group(Kind.ANCHOR_NAME, item, following)
        value = items[at + 2] if at + 2 < len(items) else None
        if value is None:
            fail("an anchor without a value", item)
        if line_of(value) == line_of(item):
            if type_of(value) is Type.SEQUENCE_ENTRY:
                fail("a dash behind an anchor on its line", value)
            if is_scalar(value):
                yield Group(Kind.ANCHOR, name, value)
                skipped = at + 2
                continue
        yield name


def _join_tags(items: Items) -> Iterator[Item]:
    """Tags with a scalar on their line."""
    skipped = -1
    for at, item, following in _with_next(items):
        if at == skipped:
            continue
        if type_of(item) is Type.TAG and _takes(first_token(item), following):
            yield Group(
                Kind.SCALAR_TAG, item, *(() if following is None else (following,))
            )
            skipped = at + 1
        else:
            yield item


def _takes(tag: Token, following: Item | None) -> bool:
    if following is None or line_of(following) != tag.line:
        return False
    if kind_of(following) is Kind.ANCHOR_NAME:
        return False
    if not tag.value.startswith("!!"):
        return type_of(following) not in _OPENERS
    if tag.value == "!!merge":
        if type_of(following) is not Type.MERGE_KEY:
            fail("could not find merge key", following)
        return True
    return tag.value in _SCALAR_TAGS and is_scalar(following)


def _join_tagged_anchors(items: Items) -> Iterator[Item]:
    """Anchors with a tagged scalar on their line."""
    skipped = -1
    for at, item, following in _with_next(items):
        if at == skipped:
            continue
        if kind_of(item) is not Kind.ANCHOR_NAME:
            yield item
            continue
        is_beside = line_of(item) == line_of(following)
        if following and is_beside and kind_of(following) is Kind.SCALAR_TAG:
            yield Group(Kind.ANCHOR, item, following)
            skipped = at + 1
        else:
            yield item


def _join_question_keys(items: Items) -> Iterator[Item]:
    """`?` and what follows it."""
    skipped = -1
    for at, item, following in _with_next(items):
        if at == skipped:
            continue
        if type_of(item) is not Type.MAPPING_KEY:
            yield item
            continue
        if following is None:
            fail("undefined map key", item)
        yield Group(Kind.MAP_KEY, item, following)
        skipped = at + 1


def _join_keys(items: Items) -> Iterator[Item]:
    """What stands before a `:`, and the sign."""
    before: Item | None = None
    for at, item, following in _with_next(items):
        if type_of(item) is not Type.MAPPING_VALUE:
            if type_of(following) is not Type.MAPPING_VALUE:
                yield item
            before = item
            continue
        if before is None:
            fail("unexpected key name", item)
        if type_of(before) in _NO_KEYS or before is not items[at - 1]:
            fail("found an invalid key for this map", item)
        yield Group(Kind.MAP_KEY, before, item)


def _join_pairs(items: Items) -> Iterator[Item]:
    """Keys with a scalar on their line."""
    skipped = -1
    for at, item, following in _with_next(items):
        if at == skipped:
            continue
        if kind_of(item) is Kind.MAP_KEY and _is_value(item, following):
            yield Group(Kind.PAIR, item, *(() if following is None else (following,)))
            skipped = at + 1
        else:
            yield item


def _is_value(key: Item, following: Item | None) -> bool:
    if following is None or line_of(key) != line_of(following):
        return False
    if kind_of(following) is Kind.ANCHOR_NAME:
        return False
    if type_of(following) is Type.TAG:
        return kind_of(following) is Kind.SCALAR_TAG
    return is_scalar(following)


def _join_directives(items: Items) -> Iterator[Item]:
    """A directive and all on its line; a document has to start behind it."""
    at = 0
    while at < len(items):
        item = items[at]
        if type_of(item) is not Type.DIRECTIVE:
            yield item
            at += 1
            continue
        if at + 1 == len(items):
            fail("undefined directive value", item)
        end = at + 2
        while end < len(items) and line_of(items[end]) == line_of(item):
            end += 1
        if end == len(items) or type_of(items[end]) is not Type.DOCUMENT_HEADER:
            fail("a directive without a document", item)
        yield Group(Kind.DIRECTIVE, *items[at:end])
        at = end


_STEPS: tuple[Callable[[Items], Iterator[Item]], ...] = (
    _join_blocks,
    _join_names,
    _join_tags,
    _join_tagged_anchors,
    _join_question_keys,
    _join_keys,
    _join_pairs,
    _join_directives,
)


def _documents(items: Items) -> Iterator[Items]:
    start = 0
    for at, item, following in _with_next(items):
        kind = type_of(item)
        if kind is Type.DOCUMENT_HEADER:
            if at > start:
                yield items[start:at]
            start = at + 1
            if type_of(following) is Type.DOCUMENT_HEADER:
                return
            is_beside = line_of(item) == line_of(following)
            if following is not None and is_beside and _is_block(following):
                fail("value cannot be placed after document separator", following)
        elif kind is Type.DOCUMENT_END:
            if at > start:
                yield items[start:at]
            start = at + 1
            if following is not None and is_scalar(following):
                fail("unexpected end content", following)
    if start < len(items):
        yield items[start:]


def _is_block(item: Item) -> bool:
    return kind_of(item) in _PAIRS or type_of(item) is Type.SEQUENCE_ENTRY
