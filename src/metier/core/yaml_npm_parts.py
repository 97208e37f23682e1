"""What npm's `yaml`, version 2, puts its tokens into: documents, maps, lists, texts.

A part says which tokens stand before, between and behind what it holds. White space
moves from one to the other as it is found out whose it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from metier.core.yaml_npm_tokens import Token, TokenKind


@dataclass(slots=True, eq=False)
class Text:
    """An alias or a text, and the blanks and comments behind it on its line."""

    token: Token
    indent: int
    tail: list[Token] | None = None


@dataclass(slots=True, eq=False)
class Entry:
    """One item of a list, or one pair: the tokens before each part, and the parts.

    `between` is None where no key has been seen.
    """

    before: list[Token] = field(default_factory=list[Token])
    key: Part | None = None
    between: list[Token] | None = None
    value: Part | None = None
    is_asked: bool = False  # behind a `?`, outside of brackets

    def has_blanks_only(self) -> bool:
        """Whether this is the space behind the last entry, and no entry."""
        if self.between is not None or self.value is not None or not self.before:
            return False
        return all(token.kind in SPACE for token in self.before)


@dataclass(slots=True, eq=False)
class Block:
    """A map or a list that is held together by its indentation."""

    start: int
    indent: int
    entries: list[Entry]
    tail: list[Token] | None = None  # there is none


class BlockMap(Block):
    """Pairs below each other."""

    __slots__ = ()


class BlockList(Block):
    """Items below each other, each behind a `-`."""

    __slots__ = ()


@dataclass(slots=True, eq=False)
class Flow:
    """A map or a list in brackets; `tail` starts with the closing one."""

    opener: Token
    indent: int
    entries: list[Entry] = field(default_factory=list[Entry])
    tail: list[Token] = field(default_factory=list[Token])

    @property
    def is_map(self) -> bool:
        return self.opener.text == "{"

    @property
    def start(self) -> int:
        return self.opener.start


@dataclass(slots=True, eq=False)
class Document:
    """One document, and what stands before and behind its content."""

    start: int
    before: list[Token] = field(default_factory=list[Token])
    value: Part | None = None
    tail: list[Token] = field(default_factory=list[Token])


@dataclass(slots=True, eq=False)
class Ending:
    """The rest of a line that starts with `...`."""


Part = Text | Block | Flow
Outer = Block | Flow | Document
Open = Text | Outer | Ending

SPACE = frozenset((TokenKind.SPACE, TokenKind.COMMENT, TokenKind.NEWLINE))
_LIMITS = frozenset(
    (
        TokenKind.DOCUMENT_START,
        TokenKind.ASKED,
        TokenKind.COLON,
        TokenKind.ITEM,
        TokenKind.NEWLINE,
    )
)


def holds(tokens: Iterable[Token], kind: TokenKind) -> bool:
    """Whether one of `tokens` is of that kind."""
    return any(token.kind is kind for token in tokens)


def is_simple(part: Part | None) -> bool:
    """Whether it could be a key on one line."""
    if isinstance(part, Text):
        return part.token.kind is not TokenKind.BLOCK
    return isinstance(part, Flow)


def take_properties(before: list[Token]) -> list[Token]:
    """Take what stands before a key on its line out of `before`."""
    at = len(before)
    while at and before[at - 1].kind not in _LIMITS:
        at -= 1
    while at < len(before) and before[at].kind is TokenKind.SPACE:
        at += 1
    taken = before[at:]
    del before[at:]
    return taken


def tokens_before_next(outer: Block | Document) -> list[Token]:
    """The tokens in front of what comes next; properties are taken out of them."""
    if isinstance(outer, Document):
        return outer.before
    last = outer.entries[-1]
    return last.before if last.between is None else last.between


def take_late_space(last: Entry, indent: int) -> list[Token]:
    """Take the space behind a key without a value that is about the next key."""
    if last.between is None or last.value is not None:
        return []
    ends: list[int] = []
    for index, token in enumerate(last.between):
        if token.kind is TokenKind.NEWLINE:
            ends.append(index)
        elif token.kind is TokenKind.COMMENT:
            if token.indent > indent:
                ends.clear()
        elif token.kind is not TokenKind.SPACE:
            ends.clear()
    if len(ends) < 2:
        return []
    taken = last.between[ends[1] :]
    del last.between[ends[1] :]
    return taken


def add_space(block: Block, token: Token) -> None:
    """A blank, a comment or a line end in a map or a list."""
    last = block.entries[-1]
    if last.value is not None:
        tail = last.value.tail
        is_newline = token.kind is TokenKind.NEWLINE
        if is_newline and tail and tail[-1].kind is TokenKind.COMMENT:
            tail.append(token)
        else:
            block.entries.append(Entry([token]))
    elif last.between is not None:
        last.between.append(token)
    elif not _move_comment(block, token):
        last.before.append(token)


_BLANK = frozenset((TokenKind.SPACE, TokenKind.NEWLINE))


def _move_comment(block: Block, token: Token) -> bool:
    """A comment that is indented more belongs to the value above it."""
    if token.kind is not TokenKind.COMMENT or token.indent <= block.indent:
        return False
    before = block.entries[-1].before
    # From the end, where the last comment stands: each token is looked at once.
    if any(each.kind not in _BLANK for each in reversed(before)):
        return False
    above = block.entries[-2].value if len(block.entries) > 1 else None
    tail = above.tail if above is not None else None
    if tail is None:
        return False
    tail += [*before, token]
    block.entries.pop()
    return True


def move_space(part: Part, outer: Document | Block) -> None:
    """The space at the end of a block that is about what follows it."""
    if not isinstance(part, Block) or not part.entries[-1].has_blanks_only():
        return
    space = part.entries[-1].before
    if part.indent > 0 and any(_is_comment_at(each, part.indent) for each in space):
        return
    if isinstance(outer, Document):
        outer.tail = space
    else:
        outer.entries.append(Entry(space))
    part.entries.pop()


def _is_comment_at(token: Token, indent: int) -> bool:
    return token.kind is TokenKind.COMMENT and token.indent >= indent


def settle_items(flow: Flow) -> None:
    """In a list, what was taken for a key without a colon is an item."""
    for entry in () if flow.is_map else flow.entries:
        between, item = entry.between or [], entry.key
        if item is None or entry.value is not None or holds(between, TokenKind.COLON):
            continue
        if not holds(entry.before, TokenKind.ASKED):
            item.tail = [*(item.tail or ()), *between]
            entry.value, entry.key, entry.between = item, None, None
