"""The grammar of npm's `yaml`, version 2, which many agents read their headers with.

It cuts a text into tokens (`yaml_npm_tokens`), puts them together
(`yaml_npm_assembly`), and then looks at what it has: here. It goes on after an error,
and its callers do not: the first one ends the reading.
"""

from __future__ import annotations

from metier.core.nodes import (
    MAX_DEPTH,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Style,
    YamlError,
)
from metier.core.yaml_npm_assembly import assemble
from metier.core.yaml_npm_parts import (
    Block,
    BlockList,
    BlockMap,
    Document,
    Entry,
    Flow,
    Part,
    Text,
    holds,
)
from metier.core.yaml_npm_properties import (
    Aliases,
    Before,
    Keys,
    Tags,
    check_merge,
    check_tail,
    settle_collection,
    settle_key,
    settle_scalar,
)
from metier.core.yaml_npm_scalars import Place, read_text
from metier.core.yaml_npm_tokens import Token, TokenKind, scan_tokens

# The `:` of a key has to stand within so many UTF-16 units.
_MAX_KEY = 1024


def parse_npm_yaml(text: str) -> Node | None:
    """The tree of `text`, None where it holds no document; raises `YamlError`."""
    root: Node | None = None
    has_directives = is_read = False
    tags = Tags()
    for found in assemble(scan_tokens(text)):
        if isinstance(found, Token):
            tags.declare(found)
            has_directives = True
        elif is_read:
            raise YamlError("expected a single document", found.start)
        else:
            root = _Composer(text, tags).document(found, has_directives=has_directives)
            is_read = True
    if has_directives and not is_read:
        raise YamlError("expected a document behind the directives", len(text))
    return root


class _Composer:
    """Makes a tree of parts, and refuses what does not fit."""

    def __init__(self, text: str, tags: Tags) -> None:
        self._text = text
        self._tags = tags
        self._aliases = Aliases()
        self._depth = 0
        self._is_alone = True
        self._end = 0  # of what was read last, with the space that belongs to it

    def document(self, document: Document, *, has_directives: bool) -> Node:
        value, tail = document.value, document.tail
        before = Before(
            document.before,
            TokenKind.DOCUMENT_START,
            following=value or next(iter(tail), None),
            start=document.start,
            at_newline=True,
        )
        if has_directives and before.found is None:
            raise YamlError("expected `---` behind the directives", document.start)
        if before.found and isinstance(value, Block) and not before.has_newline:
            raise YamlError("a block cannot start on the line of `---`", before.end)
        node = self._node(value, before)
        check_tail(tail, 0, strict=False)
        return node

    def _node(self, part: Part | None, before: Before) -> Node:
        if part is None:
            self._end = before.end_of_nothing
            node = _nothing_at(before.place)
            return self._named(node, before)
        if isinstance(part, (Block, Flow)):
            return self._collection(part, before)
        token = part.token
        self._end = check_tail(part.tail, token.end)
        if token.kind is TokenKind.ALIAS:
            if before.has_properties:
                raise YamlError("an alias has no tag and no anchor", token.start)
            return self._aliases.resolve(token)
        text, style = read_text(token, Place(part.indent, self._is_alone))
        return self._named(Scalar(text, style, token.start, token.end), before)

    def _named(self, node: Scalar, before: Before) -> Scalar:
        node = settle_scalar(node, self._tags.name_of(before.tag))
        self._aliases.bind(self._aliases.open(before.anchor), node)
        return node

    # --- collections ----------------------------------------------------------------

    def _collection(self, part: Block | Flow, before: Before) -> Node:
        if self._depth >= MAX_DEPTH:
            problem = f"nested deeper than {MAX_DEPTH} levels"
            raise YamlError(problem, part.start, rule="yaml-too-deep")
        self._depth += 1
        self._is_alone = False
        name = self._tags.name_of(before.tag)
        anchor = self._aliases.open(before.anchor)
        if isinstance(part, Flow):
            node = self._flow(part)
        elif isinstance(part, BlockMap):
            node = self._block_map(part)
        else:
            _check_list_properties(before)
            node = self._block_list(part)
        node = settle_collection(node, name)
        self._aliases.bind(anchor, node)
        self._depth -= 1
        return node

    def _block_list(self, block: Block) -> Sequence:
        items: list[Node] = []
        self._end = block.start
        for entry in block.entries:
            before = Before(
                entry.before,
                TokenKind.ITEM,
                following=entry.value,
                start=self._end,
                indent=block.indent,
                at_newline=True,
            )
            if before.found is not None:
                items.append(self._node(entry.value, before))
            elif before.has_properties or entry.value is not None:
                raise YamlError("expected `-` before an item", before.end)
            else:
                self._end = before.end
        return Sequence(tuple(items), block.start, items[-1].end)

    def _block_map(self, block: Block) -> Mapping:
        pairs = _Pairs()
        self._end = block.start
        is_over = False
        for entry in block.entries:
            before = Before(
                entry.before,
                TokenKind.ASKED,
                following=entry.key or next(iter(entry.between or ()), None),
                start=self._end,
                indent=block.indent,
                at_newline=True,
            )
            if is_over:
                raise YamlError("a key cannot follow here", before.end)
            if _is_space(entry, before):
                is_over = True
                self._end = before.end
                continue
            _check_key(entry, before, block)
            key = pairs.start(self._node(entry.key, before))
            pairs.add(key, self._block_value(block, entry, before, key))
        return pairs.as_map(block.start)

    def _block_value(
        self, block: Block, entry: Entry, before_key: Before, key: Node
    ) -> Node:
        value, is_asked = entry.value, before_key.found is not None
        before = Before(
            entry.between or (),
            TokenKind.COLON,
            following=value,
            start=self._end,
            indent=block.indent,
            at_newline=entry.key is None or _is_block_text(entry.key),
        )
        if before.found is None:
            if not is_asked:
                raise YamlError("expected `:` after the key, on its line", key.start)
            self._end = before.end
            return _nothing_at(key.end)
        if not is_asked:
            if isinstance(value, BlockMap) and not before.has_newline:
                between = value.entries[0].between or ()
                colons = (t.start for t in between if t.kind is TokenKind.COLON)
                problem = "mapping values are not allowed here"
                raise YamlError(problem, next(colons, before.end))
            self._check_length(before_key, before.found)
        return self._node(value, before)

    def _check_length(self, before: Before, colon: Token) -> None:
        key = self._text[before.start : colon.start]
        if len(key) + sum(char > "\uffff" for char in key) > _MAX_KEY:
            raise YamlError(f"a key has at most {_MAX_KEY} characters", before.start)

    # --- brackets -------------------------------------------------------------------

    def _flow(self, flow: Flow) -> Sequence | Mapping:
        pairs, items = _Pairs(), list[Node]()
        self._end = flow.opener.end
        for index, entry in enumerate(flow.entries):
            before = Before(
                entry.before,
                TokenKind.ASKED,
                following=entry.key or next(iter(entry.between or ()), None),
                start=self._end,
                indent=flow.indent,
                in_flow=True,
            )
            if _is_space(entry, before) and entry.value is None:
                if index < len(flow.entries) - 1 or (index == 0 and before.comma):
                    raise YamlError("expected an entry before `,`", before.end)
                self._end = before.end
                continue
            _check_entry(flow, entry, before, is_first=index == 0)
            if flow.is_map:
                self._flow_pair(flow, entry, before, pairs)
            else:
                items.append(self._flow_item(flow, entry, before))
        end = self._close(flow)
        if flow.is_map:
            return Mapping(tuple(pairs.entries), flow.start, end)
        return Sequence(tuple(items), flow.start, end)

    def _close(self, flow: Flow) -> int:
        """Where the closing bracket ends."""
        closer = flow.tail[0] if flow.tail else None
        wanted = "}" if flow.is_map else "]"
        if closer is None or closer.text != wanted:
            raise YamlError(f"expected `{wanted}`", flow.start)
        self._end = check_tail(flow.tail[1:], closer.end)
        return closer.end

    def _flow_item(self, flow: Flow, entry: Entry, before: Before) -> Node:
        """An item, which may be a pair without its braces."""
        if entry.between is None and before.found is None:
            return self._node(entry.value, before)
        pairs = _Pairs()
        self._flow_pair(flow, entry, before, pairs)
        return pairs.as_map(pairs.entries[0][0].start)

    def _flow_pair(
        self, flow: Flow, entry: Entry, before_key: Before, pairs: _Pairs
    ) -> None:
        key = pairs.start(self._node(entry.key, before_key))
        before = Before(
            entry.between or (),
            TokenKind.COLON,
            following=entry.value,
            start=self._end,
            indent=flow.indent,
            in_flow=True,
        )
        if before.found is None:
            if entry.value is not None:
                raise YamlError("expected `,` or `:` between two", before.end)
            self._end = before.end
            value = _nothing_at(key.end)
        else:
            if not flow.is_map and before_key.found is None:
                self._check_flow_key(entry, before_key, before.found)
            value = self._node(entry.value, before)
        pairs.add(key, value)

    def _check_flow_key(self, entry: Entry, before: Before, colon: Token) -> None:
        between = (t for t in entry.between or () if t.start < colon.start)
        if holds(between, TokenKind.NEWLINE):
            raise YamlError("expected `:` on the line of its key", before.end)
        self._check_length(before, colon)


class _Pairs:
    """The pairs of one map, and what was seen of their keys."""

    def __init__(self) -> None:
        self.entries: list[tuple[Node, Node]] = []
        self._keys = Keys()

    def start(self, key: Node) -> Node:
        """Take in a key, which must be new."""
        self._keys.add(key)
        return settle_key(key)

    def add(self, key: Node, value: Node) -> None:
        if isinstance(key, Scalar) and key.text == "<<" and key.tag is None:
            check_merge(value)
        self.entries.append((key, value))

    def as_map(self, start: int) -> Mapping:
        key, value = self.entries[-1]
        return Mapping(tuple(self.entries), start, max(key.end, value.end))


def _nothing_at(at: int) -> Scalar:
    return Scalar("", Style.PLAIN, at, at)


def _is_block_text(part: Part | None) -> bool:
    return isinstance(part, Text) and part.token.kind is TokenKind.BLOCK


def _is_space(entry: Entry, before: Before) -> bool:
    """Whether an entry is only the space behind the one before it."""
    return before.found is None and not before.has_properties and entry.between is None


def _check_key(entry: Entry, before: Before, block: Block) -> None:
    """A key without `?` stands on one line; each is indented as the others are."""
    key = entry.key
    if before.found is not None:
        if before.found.indent != block.indent:
            raise YamlError("bad indentation of a mapping entry", before.found.start)
        return
    if isinstance(key, BlockList):
        raise YamlError("a list cannot be a key without `?`", key.start)
    if key is not None and key.indent != block.indent:
        raise YamlError("bad indentation of a mapping entry", before.end)
    if before.newline_after is not None or _has_newline(key):
        raise YamlError("expected `:` on the line of its key", before.end)


def _check_entry(flow: Flow, entry: Entry, before: Before, *, is_first: bool) -> None:
    if before.found is None and not flow.is_map and _has_newline(entry.key):
        raise YamlError("expected `:` on the line of its key", before.end)
    if is_first is (before.comma is not None):
        problem = "expected an entry before `,`" if is_first else "expected `,`"
        raise YamlError(problem, before.start)


def _has_newline(part: Part | None) -> bool:
    """Whether a key goes over the end of a line."""
    match part:
        case None:
            return False
        case Text() if part.token.kind is not TokenKind.BLOCK:
            return "\n" in part.token.text or _has_break(part.tail)
        case Flow():
            return any(map(_goes_on, part.entries))
        case _:
            return True


def _goes_on(entry: Entry) -> bool:
    if _has_break(entry.before) or _has_break(entry.between):
        return True
    return _has_newline(entry.key) or _has_newline(entry.value)


def _has_break(tokens: list[Token] | None) -> bool:
    return holds(tokens or (), TokenKind.NEWLINE)


def _check_list_properties(before: Before) -> None:
    """A tag or an anchor of a list stands on a line above it."""
    ends = [each.start for each in (before.anchor, before.tag) if each]
    newline = before.newline_after
    if ends and (newline is None or newline.start < max(ends)):
        raise YamlError("expected a line break before the list", before.end)
