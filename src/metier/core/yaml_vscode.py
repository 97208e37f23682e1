"""YAML as the parser reads it that VS Code has for the headers of its prompt files.

It knows no anchors, tags or merges. What it cannot read it leaves out, with all that
is behind it: nothing is an error but a character that does not exist.
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
from metier.core.yaml_vscode_tokens import Token, Type, scan_tokens


def parse_vscode_yaml(text: str) -> Node | None:
    """The tree of `text`, with every key that was written; None for nothing."""
    return _Parser(text).document()


_GAPS = frozenset((Type.LINE_END, Type.COMMENT))
_LAYOUT = frozenset((Type.LINE_END, Type.COMMENT, Type.INDENT))
_MARKERS = frozenset((Type.DOCUMENT_START, Type.DOCUMENT_END))
_ENDS = frozenset((Type.LINE_END, Type.COMMENT, Type.END))
# Shallower than any line: what stands there goes on whatever its indent.
_TOP = -1


class _Parser:
    """Where the parser stands between the tokens."""

    __slots__ = ("at", "depth", "text", "tokens")

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = scan_tokens(text)
        self.at = 0
        self.depth = 0

    def here(self) -> Token:
        return self.tokens[self.at]

    def _next(self, offset: int = 1) -> Token:
        return self.tokens[min(self.at + offset, len(self.tokens) - 1)]

    def _take(self) -> Token:
        token = self.here()
        self.at += token.type is not Type.END
        return token

    def _take_indent(self) -> None:
        if self.here().type is Type.INDENT:
            self.at += 1

    def _expect(self, kind: Type) -> Token:
        """The token here, behind us if it is of that kind."""
        token = self.here()
        self.at += token.type is kind
        return token

    def _skip_gaps(self) -> None:
        """To the next line with something in it, or to its indent."""
        while self.here().type in _GAPS or self._is_blank_indent():
            self.at += 1

    def _is_blank_indent(self) -> bool:
        return self.here().type is Type.INDENT and self._next().type in _ENDS

    def _skip_layout(self) -> None:
        while self.here().type in _LAYOUT:
            self.at += 1

    def _indent(self) -> int:
        token = self.here()
        return token.end - token.start if token.type is Type.INDENT else 0

    def _behind_indent(self) -> Token:
        return self._next() if self.here().type is Type.INDENT else self.here()

    def _is_entry(self) -> bool:
        """Whether a key and a colon stand here."""
        first = int(self.here().type is Type.INDENT)
        if self._next(first).type is not Type.SCALAR:
            return False
        return self._next(first + 1).type is Type.COLON

    def _column(self, at: int) -> int:
        line = max(self.text.rfind(sign, 0, at) for sign in "\r\n")
        return at - line - 1

    def _enter(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            problem = f"nested deeper than {MAX_DEPTH} levels"
            raise YamlError(problem, self.here().start)

    # --- any value ------------------------------------------------------------------

    def document(self) -> Node | None:
        self._skip_gaps()
        if self.here().type is Type.DOCUMENT_START:
            self.at += 1
            self._skip_gaps()
        if self.here().type in (Type.END, Type.DOCUMENT_END):
            return None
        return self._value(_TOP)

    def _value(self, parent: int) -> Node | None:
        """What stands here, on a line of its own; None where that is nothing."""
        self._skip_gaps()
        first = self._behind_indent().type
        if first in (Type.MAP_START, Type.LIST_START):
            self._take_indent()
            return self._flow()
        indent = self._indent()
        if first is Type.DASH:
            return self._block_list(indent)
        if self._is_entry():
            return self._block_map(indent)
        if self.here().type in (Type.SCALAR, Type.INDENT):
            self._take_indent()
            return self._scalar(self._expect(Type.SCALAR), parent)
        return None

    def _value_or_empty(self, parent: int, at: int) -> Node:
        return self._value(parent) or _empty(at)

    def _scalar(self, token: Token, parent: int) -> Scalar:
        """The scalar that `token` starts, which is behind us."""
        if token.style is not Style.PLAIN:
            return _scalar_of(token)
        parts, end = [token.text], token.end
        while (more := self._continuation(parent)) is not None:
            text, end = more
            parts.append(text)
        return Scalar("".join(parts), Style.PLAIN, token.start, end)

    def _continuation(self, parent: int) -> tuple[str, int] | None:
        """What goes on in the next line, with its join, and where that ends."""
        start = self.at
        empty = self._lines_between(parent)
        if empty is not None:
            self._take_indent()
            found = self._continued_line()
            if found is not None:
                return ("\n" * empty or " ") + found[0], found[1]
        self.at = start
        return None

    def _lines_between(self, parent: int) -> int | None:
        """How many empty lines there are up to one that may belong to the text."""
        empty = -1
        while self.here().type is Type.LINE_END:
            self.at += 1
            empty += 1
            is_blank = self.here().type is Type.INDENT
            if is_blank and self._next().type in (Type.LINE_END, Type.END):
                self.at += 1
        if empty < 0 or self.here().type in _MARKERS or self.here().type is Type.END:
            return None
        if self.here().type is Type.INDENT and self._next().type is Type.COMMENT:
            return None
        is_inside = self._indent() > parent or self.here().type is not Type.INDENT
        return empty if is_inside and (parent < 0 or self._indent()) else None

    def _continued_line(self) -> tuple[str, int] | None:
        if self.here().type is Type.DASH:
            dash = self._take()
            if self.here().type is not Type.SCALAR:
                return "-", dash.end
            rest = self._take()
            return f"- {rest.text}", rest.end
        if self.here().type is not Type.SCALAR or self._next().type is Type.COLON:
            return None
        token = self._take()
        return token.text, token.end

    # --- by indent ------------------------------------------------------------------

    def _block_map(self, indent: int, *, is_inline: bool = False) -> Mapping:
        """The entries at `indent` or deeper; the first one may follow a dash."""
        self._enter()
        start = self.here().start
        entries: list[tuple[Node, Node]] = []
        if is_inline:
            entries.append(self._entry(indent))
        while self._is_at_or_below(indent) and self._is_entry():
            entries.append(self._entry(indent))
        self.depth -= 1
        end = entries[-1][1].end if entries else start
        return Mapping(tuple(entries), start, end)

    def _is_at_or_below(self, indent: int) -> bool:
        self._skip_gaps()
        return self.here().type is not Type.END and self._indent() >= indent

    def _entry(self, indent: int) -> tuple[Node, Node]:
        self._take_indent()
        key = _scalar_of(self._take())
        colon = self._take()
        return key, self._entry_value(indent, colon.end)

    def _entry_value(self, indent: int, colon: int) -> Node:
        if self.here().type in (Type.MAP_START, Type.LIST_START):
            return self._flow()
        if self.here().type is Type.SCALAR:
            return self._scalar(self._take(), indent)
        self._skip_gaps()
        if self.here().type is Type.END:
            return _empty(colon)
        found = self._indent()
        is_list = found == indent and self._behind_indent().type is Type.DASH
        if found <= indent and not is_list:
            return _empty(colon)
        return self._value_or_empty(indent, colon)

    def _block_list(self, indent: int) -> Sequence:
        """The items whose dashes stand at `indent` or deeper."""
        self._enter()
        start = end = self.here().start
        items: list[Node] = []
        is_first = self.here().type is Type.DASH
        while is_first or self._is_at_or_below(indent):
            is_first = False
            if self._behind_indent().type is not Type.DASH:
                break
            self._take_indent()
            items.append(self._item(indent, self._take().end))
            end = items[-1].end
        self.depth -= 1
        return Sequence(tuple(items), start, end)

    def _item(self, indent: int, dash: int) -> Node:
        token = self.here()
        match token.type:
            case Type.MAP_START | Type.LIST_START:
                return self._flow()
            case Type.DASH:
                return self._block_list(self._column(token.start))
            case Type.SCALAR:
                if self._next().type is Type.COLON:
                    return self._block_map(self._column(token.start), is_inline=True)
                return self._scalar(self._take(), indent)
            case _:
                self._skip_gaps()
                is_empty = self.here().type is Type.END or self._indent() <= indent
                return _empty(dash) if is_empty else self._value_or_empty(indent, dash)

    # --- in brackets ----------------------------------------------------------------

    def _flow(self) -> Node:
        self._enter()
        is_map = self.here().type is Type.MAP_START
        node = self._flow_map() if is_map else self._flow_list()
        self.depth -= 1
        return node

    def _flow_map(self) -> Mapping:
        start = self._take().start
        entries: list[tuple[Node, Node]] = []
        self._skip_layout()
        while self.here().type is Type.SCALAR:
            key = self._flow_scalar()
            self._skip_layout()
            entries.append((key, self._flow_entry_value(key.end)))
            self._skip_comma()
        return Mapping(tuple(entries), start, self._close(Type.MAP_END))

    def _flow_entry_value(self, at: int) -> Node:
        if self.here().type is not Type.COLON:
            return _empty(at)
        self.at += 1
        self._skip_layout()
        return self._flow_value() or _empty(self.here().start)

    def _flow_list(self) -> Sequence:
        start = self._take().start
        items: list[Node] = []
        self._skip_layout()
        while self.here().type not in (Type.LIST_END, Type.END):
            item = self._flow_value()
            if item is None:
                # Nothing can be made of it; the layout behind it is looked at likewise.
                self.at += 1
                continue
            items.append(item)
            self._skip_comma()
        return Sequence(tuple(items), start, self._close(Type.LIST_END))

    def _flow_value(self) -> Node | None:
        if self.here().type in (Type.MAP_START, Type.LIST_START):
            return self._flow()
        return self._flow_scalar() if self.here().type is Type.SCALAR else None

    def _flow_scalar(self) -> Scalar:
        token = self._take()
        if token.style is not Style.PLAIN:
            return _scalar_of(token)
        parts, end = [token.text], token.end
        while (more := self._flow_continuation()) is not None:
            parts.append(more.text)
            end = more.end
        return Scalar(" ".join(parts), Style.PLAIN, token.start, end)

    def _flow_continuation(self) -> Token | None:
        """The plain text that goes on below, which is then behind us."""
        start = self.at
        self._skip_layout()
        passed = self.tokens[start : self.at]
        token = self.here()
        is_plain = token.type is Type.SCALAR and token.style is Style.PLAIN
        if is_plain and any(each.type is Type.LINE_END for each in passed):
            return self._take()
        self.at = start
        return None

    def _skip_comma(self) -> None:
        self._skip_layout()
        if self.here().type is Type.COMMA:
            self.at += 1
            self._skip_layout()

    def _close(self, bracket: Type) -> int:
        token = self._expect(bracket)
        return token.end if token.type is bracket else token.start


def _scalar_of(token: Token) -> Scalar:
    return Scalar(token.text, token.style, token.start, token.end)


def _empty(at: int) -> Scalar:
    return Scalar("", Style.PLAIN, at, at)
