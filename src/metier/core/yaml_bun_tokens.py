"""The tokens of Bun's YAML parser, one at a time, as its grammar asks for them."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple, NoReturn

from metier.core.nodes import Scalar
from metier.core.yaml_bun_cursor import (
    END,
    FLOW_MARKS,
    GAPS,
    SPACES,
    Context,
    Cursor,
)
from metier.core.yaml_bun_scalars import (
    read_block,
    read_double,
    read_plain,
    read_single,
)


class Kind(Enum):
    """What a token is."""

    END = "end"
    DIRECTIVE = "directive"
    DOCUMENT_START = "document-start"
    DOCUMENT_END = "document-end"
    ENTRY = "entry"  # `-`
    KEY = "key"  # `?`
    VALUE = "value"  # `:`
    COMMA = "comma"
    LIST_START = "list-start"
    LIST_END = "list-end"
    MAP_START = "map-start"
    MAP_END = "map-end"
    ANCHOR = "anchor"
    ALIAS = "alias"
    TAG = "tag"
    SCALAR = "scalar"


class Tag(Enum):
    """What a tag makes of a plain scalar."""

    TEXT = "text"  # a text, also out of nothing
    OTHER = "other"  # a text, but out of nothing still nothing
    BOOL = "bool"
    NUMBER = "number"
    NULL = "null"


class Token(NamedTuple):
    """A token, where it stands, and what it says: a name, a tag or a scalar."""

    kind: Kind
    start: int
    line: int
    indent: int
    name: str = ""
    tag: Tag | None = None
    scalar: Scalar | None = None


class Scanner:
    """Holds the one token that was read last."""

    __slots__ = ("cursor", "end", "handles", "token")

    def __init__(self, text: str) -> None:
        self.cursor = Cursor(text)
        self.handles: set[str] = set()
        self.token = Token(Kind.END, 0, 1, 0)
        self.end = 0  # of the token before this one
        self.scan(is_first=True)

    def scan(
        self,
        *,
        parent: int | None = None,
        is_first: bool = False,
        is_outside: bool = False,
    ) -> None:
        """Read the next token.

        `parent` is added to the indentation where a compact collection may start;
        `is_outside` is whether the token may be indented as little as it likes.
        """
        cursor, before = self.cursor, self.token.line
        scalar = self.token.scalar
        self.end = cursor.pos if scalar is None else scalar.end
        is_counted = is_first or parent is not None
        self.token = token = self._next(parent, is_counted=is_counted)
        if is_outside or not cursor.is_in_flow or token.line == before:
            return
        if cursor.blocks and token.indent <= cursor.blocks[-1]:
            self.fail("a line within brackets has to be indented further")

    def fail(self, problem: str = "") -> NoReturn:
        """Raise `YamlError` at the token."""
        self.cursor.pos = self.token.start
        self.cursor.fail(problem or _UNEXPECTED.get(self.token.kind, "unexpected text"))

    def _next(self, parent: int | None, *, is_counted: bool) -> Token:
        cursor = self.cursor
        is_leading = is_counted
        if is_leading:
            cursor.is_tabbed = False
        while (char := cursor.char) in _SKIPPED:
            if char == " ":
                spaces = cursor.skip_spaces()
                if is_counted:
                    cursor.indent = spaces + (parent or 0)
                is_counted = False
            elif char == "\t":
                if is_counted and parent is None:
                    self._refuse_tab()
                if is_leading:
                    cursor.is_tabbed = True
                    parent = None
                is_counted = False
                cursor.pos += 1
            elif char == "#":
                self._skip_comment()
            else:
                cursor.break_whole_line()
                is_counted = is_leading = True
                parent = None
        return _READERS.get(char, _read_plain)(self)

    def _refuse_tab(self) -> None:
        if self.cursor.context is Context.BLOCK_IN:
            self.cursor.fail_at_tab()

    def _skip_comment(self) -> None:
        cursor = self.cursor
        if not cursor.is_at_line_start and cursor.text[cursor.pos - 1] not in SPACES:
            cursor.fail("expected a blank before a comment")
        cursor.skip_line()

    def here(self, kind: Kind, *, name: str = "", tag: Tag | None = None) -> Token:
        cursor = self.cursor
        return Token(kind, cursor.pos, cursor.line, cursor.indent, name, tag)

    def take(self, kind: Kind, length: int = 1) -> Token:
        """A token of so many characters."""
        token = self.here(kind)
        self.cursor.pos += length
        return token

    def take_scalar(self, read: Callable[[Cursor], Scalar]) -> Token:
        token = self.here(Kind.SCALAR)
        return token._replace(scalar=read(self.cursor))


_SKIPPED = frozenset(SPACES + "#")
_UNEXPECTED = {
    Kind.VALUE: "mapping values are not allowed here",
    Kind.ENTRY: "block sequence entries are not allowed here",
}


# --- one reader for each character that starts a token -------------------------------


def _read_end(scanner: Scanner) -> Token:
    return scanner.here(Kind.END)


def _read_plain(scanner: Scanner) -> Token:
    return scanner.take_scalar(read_plain)


def _read_dash(scanner: Scanner) -> Token:
    cursor = scanner.cursor
    if cursor.indent == 0 and cursor.is_at_marker("---"):
        return scanner.take(Kind.DOCUMENT_START, 3)
    after = cursor.next_char
    is_entry = after in GAPS
    if cursor.is_in_flow and (is_entry or after in FLOW_MARKS):
        cursor.fail("block sequence entries are not allowed here")
    return scanner.take(Kind.ENTRY) if is_entry else _read_plain(scanner)


def _read_dot(scanner: Scanner) -> Token:
    if scanner.cursor.indent == 0 and scanner.cursor.is_at_marker("..."):
        return scanner.take(Kind.DOCUMENT_END, 3)
    return _read_plain(scanner)


def _read_question(scanner: Scanner) -> Token:
    after = scanner.cursor.next_char
    is_key = after in GAPS or (after in FLOW_MARKS and scanner.cursor.is_in_flow)
    return scanner.take(Kind.KEY) if is_key else _read_plain(scanner)


def _read_colon(scanner: Scanner) -> Token:
    cursor = scanner.cursor
    after = cursor.next_char
    is_value = after in GAPS or (after in FLOW_MARKS and cursor.is_in_flow)
    # Behind a key in brackets the colon needs no blank.
    if is_value or cursor.context is Context.FLOW_KEY:
        return scanner.take(Kind.VALUE)
    return _read_plain(scanner)


def _read_comma(scanner: Scanner) -> Token:
    if scanner.cursor.is_in_flow:
        return scanner.take(Kind.COMMA)
    return _read_plain(scanner)


def _read_block(scanner: Scanner) -> Token:
    if scanner.cursor.is_in_flow:
        scanner.cursor.fail("found character that cannot start any token")
    return scanner.take_scalar(read_block)


def _read_single(scanner: Scanner) -> Token:
    return scanner.take_scalar(read_single)


def _read_double(scanner: Scanner) -> Token:
    return scanner.take_scalar(read_double)


def _refuse_reserved(scanner: Scanner) -> Token:
    char = scanner.cursor.char
    scanner.cursor.fail(f"found character `{char}` that cannot start any token")


_NAME = re.compile(r"[^\0-\x20\x7f,\[\]{}]+")


def _read_name(scanner: Scanner) -> Token:
    cursor = scanner.cursor
    kind = Kind.ANCHOR if cursor.char == "&" else Kind.ALIAS
    found = _NAME.match(cursor.text, cursor.pos + 1)
    if found is None:
        cursor.fail(f"expected a name behind `{cursor.char}`")
    token = scanner.here(kind, name=found[0])
    cursor.pos = found.end()
    _expect_gap(cursor, f"did not find expected blank behind an {kind.value}")
    return token


def _expect_gap(cursor: Cursor, problem: str) -> None:
    char = cursor.char
    if char not in GAPS and not (char in FLOW_MARKS and cursor.is_in_flow):
        cursor.fail(problem)


# --- tags ----------------------------------------------------------------------------

_TAG_MARKS = re.escape("#;/?:@&=+$_.~*'()")
_TAG_CHAR = rf"(?:[0-9A-Za-z\-{_TAG_MARKS}]|%[0-9A-Fa-f]{{2}})"
_URI_CHAR = rf"(?:[0-9A-Za-z\-{_TAG_MARKS},!\[\]]|%(?=[0-9A-Fa-f]{{2}}))"
_VERBATIM = re.compile(rf"!<(?:!|{_TAG_CHAR}){_URI_CHAR}*+>")
_SECONDARY = re.compile(rf"!!({_TAG_CHAR}++)")
_NAMED = re.compile(rf"!([0-9A-Za-z\-]++)!{_TAG_CHAR}++")
_PRIMARY = re.compile(rf"!([0-9A-Za-z\-]{_TAG_CHAR}*+)")
_TAGS = {
    "str": Tag.TEXT,
    "bool": Tag.BOOL,
    "int": Tag.NUMBER,
    "float": Tag.NUMBER,
    "null": Tag.NULL,
}


def _read_tag(scanner: Scanner) -> Token:
    cursor = scanner.cursor
    after = cursor.next_char
    if after in GAPS:
        token = scanner.here(Kind.TAG, tag=Tag.TEXT)
        cursor.pos += 1
        return token
    if after == "<":
        return _take_tag(scanner, _VERBATIM)
    if after == "!":
        token = _take_tag(scanner, _SECONDARY)
        _expect_gap(cursor, "did not find expected blank behind a tag")
        return token
    named = _NAMED_START.match(cursor.text, cursor.pos)
    if named is None:
        return _take_tag(scanner, _PRIMARY)
    if named[1] not in scanner.handles:
        cursor.fail(f"found undefined tag handle `!{named[1]}!`")
    return _take_tag(scanner, _NAMED)


_NAMED_START = re.compile(r"!([0-9A-Za-z\-]++)!")


def _take_tag(scanner: Scanner, pattern: re.Pattern[str]) -> Token:
    cursor = scanner.cursor
    found = pattern.match(cursor.text, cursor.pos)
    if found is None:
        cursor.fail("expected a tag")
    name = found[1] if pattern in (_SECONDARY, _PRIMARY) else ""
    token = scanner.here(Kind.TAG, tag=_TAGS.get(name, Tag.OTHER))
    cursor.pos = found.end()
    return token


# --- directives ----------------------------------------------------------------------

_REST = r"(?:[ \t]++(?:#[^\r\n\0]*+)?)?(?=[\r\n]|\0{4}\Z)"
_PREFIX = rf"(?:!|{_TAG_CHAR}){_URI_CHAR}*+"
_YAML_DIRECTIVE = re.compile(rf"%YAML[ \t]++[0-9]++\.[0-9]++{_REST}")
_TAG_DIRECTIVE = re.compile(
    rf"%TAG[ \t]++!(?:!?|([0-9A-Za-z\-]++)!)[ \t]++{_PREFIX}{_REST}"
)
_RESERVED_DIRECTIVE = re.compile(
    r"%[^\0-\x20\x7f]++(?>(?:[ \t]++[^\0-\x20\x7f]++)*)" + _REST
)
_KNOWN_DIRECTIVE = re.compile(r"%(YAML|TAG)[ \t]")


def skip_directive(scanner: Scanner) -> str:
    """Go past a directive; its name where it is a known one."""
    cursor, start = scanner.cursor, scanner.token.start
    known = _KNOWN_DIRECTIVE.match(cursor.text, start)
    name = known[1] if known else ""
    found = _DIRECTIVES[name].match(cursor.text, start)
    if found is None or scanner.token.indent:
        cursor.fail("found a directive that makes no sense")
    if name == "TAG" and found[1]:
        scanner.handles.add(found[1])
    cursor.pos = found.end()
    return name


_DIRECTIVES = {
    "YAML": _YAML_DIRECTIVE,
    "TAG": _TAG_DIRECTIVE,
    "": _RESERVED_DIRECTIVE,
}


def _taking(kind: Kind) -> Callable[[Scanner], Token]:
    return lambda scanner: scanner.take(kind)


_READERS: dict[str, Callable[[Scanner], Token]] = {
    END: _read_end,
    "-": _read_dash,
    ".": _read_dot,
    "?": _read_question,
    ":": _read_colon,
    ",": _read_comma,
    "[": _taking(Kind.LIST_START),
    "]": _taking(Kind.LIST_END),
    "{": _taking(Kind.MAP_START),
    "}": _taking(Kind.MAP_END),
    "&": _read_name,
    "*": _read_name,
    "!": _read_tag,
    "|": _read_block,
    ">": _read_block,
    "'": _read_single,
    '"': _read_double,
    "%": _taking(Kind.DIRECTIVE),
    "@": _refuse_reserved,
    "`": _refuse_reserved,
}
