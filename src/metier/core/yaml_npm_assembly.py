"""How npm's `yaml`, version 2, puts its tokens together, before it knows their worth.

A colon makes a key of the text before it, whatever that was taken for until then; a
token that fits nowhere closes what is open until it does. What is put together here
may still be wrong: `yaml_npm` looks at that.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn, cast

from metier.core.nodes import MAX_DEPTH, YamlError
from metier.core.yaml_npm_parts import (
    SPACE,
    Block,
    BlockList,
    BlockMap,
    Document,
    Ending,
    Entry,
    Flow,
    Open,
    Outer,
    Part,
    Text,
    add_space,
    holds,
    is_simple,
    move_space,
    settle_items,
    take_late_space,
    take_properties,
    tokens_before_next,
)
from metier.core.yaml_npm_tokens import Token, TokenKind

# Deeper than any tree that is accepted: a key may turn out to stand in one map more.
_MAX_OPEN = MAX_DEPTH + 8

_PROPERTIES = frozenset((TokenKind.ANCHOR, TokenKind.TAG))
_TEXTS = frozenset(
    (TokenKind.ALIAS, TokenKind.PLAIN, TokenKind.SINGLE, TokenKind.DOUBLE)
)
# What ends a text or brackets, and all that is open up to where it belongs.
_ENDERS = frozenset(
    (
        TokenKind.COMMA,
        TokenKind.CLOSER,
        TokenKind.COLON,
        TokenKind.DOCUMENT_START,
        TokenKind.DOCUMENT_END,
    )
)
_FLOW_EXTRAS = SPACE | _PROPERTIES | {TokenKind.COLON}


def assemble(tokens: Iterable[Token]) -> list[Document | Token]:
    """The documents and directives of `tokens`; raises `YamlError`."""
    assembler = _Assembler()
    for token in tokens:
        assembler.feed(token)
    return assembler.finish()


class _Assembler:
    """What is open, innermost last."""

    def __init__(self) -> None:
        self._open: list[Open] = []
        self._done: list[Document | Token] = []
        self._on_key_line = False

    def finish(self) -> list[Document | Token]:
        self._close_all()
        return self._done

    def feed(self, token: Token) -> None:
        if token.kind is TokenKind.DOCUMENT_END:
            self._end_document()
            return
        match self._open[-1] if self._open else None:
            case None:
                self._between_documents(token)
            case Document() as document:
                self._in_document(document, token)
            case Ending():
                self._behind_end(token)
            case Text() as text:
                self._behind_text(text, token)
            case Flow() as flow:
                self._in_flow(flow, token)
            case block:
                taken = self._in_map if isinstance(block, BlockMap) else self._in_list
                if not taken(block, token):
                    self._close()
                    self.feed(token)

    # --- documents ------------------------------------------------------------------

    def _end_document(self) -> None:
        self._close_all()
        self._open.append(Ending())

    def _between_documents(self, token: Token) -> None:
        match token.kind:
            case TokenKind.SPACE | TokenKind.COMMENT | TokenKind.NEWLINE:
                return
            case TokenKind.DIRECTIVE:
                self._done.append(token)
            case TokenKind.DOCUMENT:
                self._open.append(Document(token.start))
            case TokenKind.DOCUMENT_START:
                self._open.append(Document(token.start, [token]))
            case _:
                _refuse(token)

    def _in_document(self, document: Document, token: Token) -> None:
        if document.value is not None:
            self._end_line(document, token)
        elif token.kind is TokenKind.DOCUMENT_START:
            if any(each.kind not in SPACE for each in document.before):
                self._close()
                self.feed(token)
            else:
                document.before.append(token)
        elif token.kind in SPACE or token.kind in _PROPERTIES:
            document.before.append(token)
        else:
            self._start(document, token)

    def _behind_end(self, token: Token) -> None:
        if token.kind is TokenKind.DOCUMENT:
            return
        if token.kind not in SPACE:
            _refuse(token)
        if token.kind is TokenKind.NEWLINE:
            self._open.pop()

    # --- texts ----------------------------------------------------------------------

    def _behind_text(self, text: Text, token: Token) -> None:
        if token.kind is not TokenKind.COLON:
            self._end_line(text, token)
            return
        outer = self._outer(2)
        if isinstance(outer, Flow):
            _fail("a map in brackets needs braces", token)
        between = [*(text.tail or ()), token]
        text.tail = None
        self._make_key(text, text.token.start, between, outer)

    def _make_key(
        self,
        key: Text | Flow,
        start: int,
        between: list[Token],
        outer: Block | Document,
    ) -> None:
        """What is open is the first key of a map, as a colon shows."""
        before = take_properties(tokens_before_next(outer))
        self._on_key_line = True
        self._open[-1] = BlockMap(start, key.indent, [Entry(before, key, between)])

    def _end_line(self, part: Text | Flow | Document, token: Token) -> None:
        if token.kind in _ENDERS:
            self._close()
            self.feed(token)
            return
        if token.kind is TokenKind.BLOCK:
            _refuse(token)  # it does not stay on its line, as all that is wrong does
        if part.tail is None:
            part.tail = []
        part.tail.append(token)
        if token.kind is TokenKind.NEWLINE:
            self._on_key_line = False
            self._close()

    # --- maps -----------------------------------------------------------------------

    def _in_map(self, block: Block, token: Token) -> bool:
        """Whether `token` belongs to the map."""
        if token.kind in SPACE:
            if token.kind is TokenKind.NEWLINE:
                self._on_key_line = False
            add_space(block, token)
            return True
        if token.indent < block.indent:
            return False
        last = block.entries[-1]
        at_indent = not self._on_key_line and token.indent == block.indent
        is_next = at_indent and token.kind is not TokenKind.ITEM and _is_begun(last)
        before = take_late_space(last, block.indent) if is_next else []
        if token.kind in _PROPERTIES:
            self._add_property(block, token, before, is_next=is_next)
        elif token.kind is TokenKind.ASKED:
            self._ask(block, token, before, is_next=is_next)
        elif token.kind is TokenKind.COLON:
            self._add_colon(block, token, before, is_next=is_next)
            self._on_key_line = True
        elif token.kind in _TEXTS:
            self._add_text(block, token, before, is_next=is_next)
        else:
            return self._start_in_map(block, token, before, at_indent=at_indent)
        return True

    def _start_in_map(
        self, block: Block, token: Token, before: list[Token], *, at_indent: bool
    ) -> bool:
        last = block.entries[-1]
        if token.kind is TokenKind.ITEM:
            on_line = not holds(last.between or (), TokenKind.NEWLINE)
            if on_line and last.between is not None and not last.is_asked:
                _fail("a list cannot start on the line of its key", token)
        elif at_indent and token.kind in (TokenKind.OPENER, TokenKind.BLOCK):
            block.entries.append(Entry(before))
        return self._start(block, token)

    def _add_property(
        self, block: Block, token: Token, before: list[Token], *, is_next: bool
    ) -> None:
        last = block.entries[-1]
        if is_next or last.value is not None:
            block.entries.append(Entry([*before, token]))
            self._on_key_line = True
        elif last.between is not None:
            last.between.append(token)
        else:
            last.before.append(token)

    def _ask(
        self, block: Block, token: Token, before: list[Token], *, is_next: bool
    ) -> None:
        last = block.entries[-1]
        if last.between is None and not last.is_asked:
            last.before.append(token)
            last.is_asked = True
        elif is_next or last.value is not None:
            block.entries.append(Entry([*before, token], is_asked=True))
        else:
            self._push_map(token, Entry([token], is_asked=True))
        self._on_key_line = True

    def _add_text(
        self, block: Block, token: Token, before: list[Token], *, is_next: bool
    ) -> None:
        last, text = block.entries[-1], Text(token, token.indent)
        if is_next or last.value is not None:
            block.entries.append(Entry(before, text, []))
            self._on_key_line = True
        elif last.between is not None:
            self._push(text, token)
        else:
            last.key, last.between = text, []
            self._on_key_line = True

    def _add_colon(
        self, block: Block, token: Token, before: list[Token], *, is_next: bool
    ) -> None:
        last = block.entries[-1]
        if last.is_asked:
            self._answer(block, token, before)
        elif last.between is None:
            last.between = [token]
        elif last.value is not None or is_next:
            block.entries.append(Entry(before, None, [token]))
        elif holds(last.between, TokenKind.COLON):
            self._push_map(token, Entry([], None, [token]))
        else:
            last.between.append(token)

    def _answer(self, block: Block, token: Token, before: list[Token]) -> None:
        """A colon behind a `?`: it may belong to the key, or follow it."""
        last = block.entries[-1]
        if last.between is None:
            if holds(last.before, TokenKind.NEWLINE):
                last.between = [token]
            else:
                inner = Entry(take_properties(last.before), None, [token])
                self._push_map(token, inner)
        elif last.value is not None:
            block.entries.append(Entry([], None, [token]))
        elif holds(last.between, TokenKind.COLON):
            self._push_map(token, Entry(before, None, [token]))
        elif is_simple(last.key) and not holds(last.between, TokenKind.NEWLINE):
            properties = take_properties(last.before)
            inner = Entry(properties, last.key, [*last.between, token])
            last.key = last.between = None
            self._push_map(token, inner)
        else:
            last.between += [*before, token]

    def _push_map(self, token: Token, entry: Entry) -> None:
        self._push(BlockMap(token.start, token.indent, [entry]), token)

    # --- lists ----------------------------------------------------------------------

    def _in_list(self, block: Block, token: Token) -> bool:
        """Whether `token` belongs to the list."""
        last = block.entries[-1]
        if token.kind in SPACE:
            add_space(block, token)
            return True
        if token.kind in _PROPERTIES:
            if last.value is None and token.indent > block.indent:
                last.before.append(token)
                return True
        elif token.kind is TokenKind.ITEM and token.indent == block.indent:
            if last.value is not None or holds(last.before, TokenKind.ITEM):
                block.entries.append(Entry([token]))
            else:
                last.before.append(token)
            return True
        return token.indent > block.indent and self._start(block, token)

    # --- brackets -------------------------------------------------------------------

    def _in_flow(self, flow: Flow, token: Token) -> None:
        if flow.tail:
            self._behind_flow(flow, token)
            return
        last = flow.entries[-1] if flow.entries else None
        if token.kind is TokenKind.CLOSER:
            flow.tail.append(token)
        elif token.kind in (TokenKind.COMMA, TokenKind.ASKED):
            if last is None or last.between is not None:
                flow.entries.append(Entry([token]))
            else:
                last.before.append(token)
        elif last is None or last.value is not None:
            self._add_to_flow(flow, token)
        elif token.kind is TokenKind.COLON and last.between is None:
            last.between = [token]
        elif token.kind in _FLOW_EXTRAS:
            (last.before if last.between is None else last.between).append(token)
        elif token.kind in _TEXTS and last.between is None:
            last.key, last.between = Text(token, token.indent), []
        else:
            self._start_in_flow(token)

    def _add_to_flow(self, flow: Flow, token: Token) -> None:
        """The first token of an entry that no comma starts."""
        if token.kind is TokenKind.COLON:
            flow.entries.append(Entry([], None, [token]))
        elif token.kind in _TEXTS:
            flow.entries.append(Entry([], Text(token, token.indent), []))
        elif token.kind in SPACE or token.kind in _PROPERTIES:
            flow.entries.append(Entry([token]))
        else:
            self._start_in_flow(token)

    def _start_in_flow(self, token: Token) -> None:
        if token.kind is TokenKind.OPENER:
            self._push(Flow(token, token.indent), token)
        elif token.kind in _TEXTS:
            self._push(Text(token, token.indent), token)
        else:
            _refuse(token)

    def _behind_flow(self, flow: Flow, token: Token) -> None:
        outer = self._outer(2)
        is_colon = token.kind is TokenKind.COLON
        if isinstance(outer, BlockMap):
            is_key = is_colon and outer.indent == flow.indent
            is_over = token.kind is TokenKind.NEWLINE
            if is_key or (is_over and outer.entries[-1].between is None):
                self._close()
                self.feed(token)
                return
        if is_colon and not isinstance(outer, Flow):
            settle_items(flow)
            between = [*flow.tail[1:], token]
            del flow.tail[1:]
            self._make_key(flow, flow.start, between, outer)
        else:
            self._end_line(flow, token)

    # --- opening and closing --------------------------------------------------------

    def _outer(self, depth: int) -> Outer:
        """What is open around: nothing opens within a text or behind an ending."""
        return cast("Outer", self._open[-depth])

    def _start(self, outer: Block | Document, token: Token) -> bool:
        """Open what `token` starts; whether it starts anything."""
        match token.kind:
            case TokenKind.OPENER:
                self._push(Flow(token, token.indent), token)
            case TokenKind.ITEM:
                entry = Entry([token])
                self._push(BlockList(token.start, token.indent, [entry]), token)
            case TokenKind.ASKED:
                before = [*take_properties(tokens_before_next(outer)), token]
                self._push_map(token, Entry(before, is_asked=True))
                self._on_key_line = True
            case TokenKind.COLON:
                before = take_properties(tokens_before_next(outer))
                self._push_map(token, Entry(before, None, [token]))
                self._on_key_line = True
            case TokenKind.BLOCK:
                self._push(Text(token, token.indent), token)
                self._close()
            case kind if kind in _TEXTS:
                self._push(Text(token, token.indent), token)
            case _:
                return False
        return True

    def _push(self, part: Part, token: Token) -> None:
        if len(self._open) > _MAX_OPEN:
            problem = f"nested deeper than {MAX_DEPTH} levels"
            raise YamlError(problem, token.start, rule="yaml-too-deep")
        self._open.append(part)

    def _close_all(self) -> None:
        while self._open:
            self._close()

    def _close(self) -> None:
        """Hand what is open innermost to what is open around it."""
        part = self._open.pop()
        if isinstance(part, Document):
            self._done.append(part)
        elif not isinstance(part, Ending):
            if isinstance(part, Flow):
                settle_items(part)
            self._hand_over(part, self._outer(1))

    def _hand_over(self, part: Part, outer: Outer) -> None:
        if isinstance(part, Text) and part.token.kind is TokenKind.BLOCK:
            part.indent = outer.indent if isinstance(outer, Block) else 0
        match outer:
            case Document():
                if isinstance(part, Flow):
                    part.indent = 0
                outer.value = part
                move_space(part, outer)
            case Flow():
                _add_to_flow(outer, part)
            case BlockMap():
                if self._add_to_map(outer, part):
                    move_space(part, outer)
            case _:
                _add_to_list(outer, part)
                move_space(part, outer)

    def _add_to_map(self, outer: Block, part: Part) -> bool:
        """Whether `part` became a value."""
        last = outer.entries[-1]
        if last.value is None and last.between is not None:
            last.value = part
            return True
        if last.value is not None:
            outer.entries.append(Entry([], part, []))
            self._on_key_line = True
        else:
            last.key, last.between = part, []
            self._on_key_line = not last.is_asked
        return False


def _fail(problem: str, token: Token) -> NoReturn:
    raise YamlError(problem, token.start)


def _refuse(token: Token) -> NoReturn:
    _fail(f"found {token.kind.value} where none can stand", token)


def _is_begun(entry: Entry) -> bool:
    return entry.between is not None or entry.is_asked


def _add_to_list(outer: Block, part: Part) -> None:
    last = outer.entries[-1]
    if last.value is not None:
        outer.entries.append(Entry([], value=part))
    else:
        last.value = part


def _add_to_flow(outer: Flow, part: Part) -> None:
    last = outer.entries[-1] if outer.entries else None
    if last is None or last.value is not None:
        outer.entries.append(Entry([], part, []))
    elif last.between is not None:
        last.value = part
    else:
        last.key, last.between = part, []
