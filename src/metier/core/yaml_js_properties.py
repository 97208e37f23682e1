"""Tags and anchors as js-yaml reads them, and the directives that declare tags."""

from __future__ import annotations

import re
from enum import Enum
from typing import NoReturn

from metier.core.nodes import (
    Alias,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Style,
    YamlError,
)
from metier.core.yaml_js_scalars import FLOW_MARKS, SPACES, Cursor, Mark
from metier.core.yaml_js_values import (
    IMPLICIT,
    MERGE,
    PREFIX,
    RAW,
    STR,
    Built,
    JsYaml,
    RefusedError,
    Value,
    construct,
)


class Role(Enum):
    """What a node is for, which decides what it may be."""

    ROOT = "root"
    KEY = "key"  # of a block mapping, without `?`
    VALUE = "value"  # behind such a key: no block collection on the same line
    EXPLICIT = "explicit"  # behind `?`, or the `:` that answers it
    ITEM = "item"  # of a block sequence
    ENTRY = "entry"  # in brackets


class Slot:
    """The place of a node, and the properties written before it."""

    __slots__ = (
        "anchor",
        "binds",
        "blocks",
        "depth",
        "end",
        "fresh",
        "in_block",
        "indent",
        "mark",
        "role",
        "tag",
    )

    def __init__(self, role: Role, indent: int) -> None:
        self.role = role
        self.indent = indent
        self.in_block = role is not Role.KEY and role is not Role.ENTRY
        self.tag: str | None = None
        self.anchor: str | None = None
        self.depth = 1  # how much deeper than `indent` the content starts
        self.fresh = False  # a line break comes before the content
        self.blocks = self.in_block  # the content may be a block collection
        self.binds = False  # the anchor names the content once it is read
        self.mark: Mark | None = None  # where the first property starts
        self.end = 0  # where the last one ends

    @property
    def inner(self) -> int:
        """The least indentation of the content's further lines."""
        return self.indent + self.in_block

    def note_line(self, cursor: Cursor) -> None:
        """The content starts on a line of its own."""
        self.fresh = True
        self.blocks = self.in_block
        self.depth = cursor.indent - self.indent


class Anchor:
    """What an anchor names; the node is missing while it is being read."""

    __slots__ = ("node", "value")

    def __init__(self, node: Node | None, value: Value) -> None:
        self.node = node
        self.value = value


class Anchors:
    """The anchors seen so far, with a journal for the readings that are undone."""

    def __init__(self) -> None:
        self._named: dict[str, Anchor] = {}
        self._journal: list[tuple[str, Anchor | None]] | None = None

    def get(self, name: str) -> Anchor | None:
        return self._named.get(name)

    def bind(self, name: str, anchor: Anchor) -> None:
        if self._journal is not None:
            self._journal.append((name, self._named.get(name)))
        self._named[name] = anchor

    def start_journal(self) -> None:
        self._journal = []

    def keep(self) -> None:
        self._journal = None

    def undo(self) -> None:
        journal, self._journal = self._journal or [], None
        for name, anchor in reversed(journal):
            if anchor is None:
                del self._named[name]
            else:
                self._named[name] = anchor


_YAML_VERSION = re.compile(r"0*1\.[0-9]+")
_HANDLE = {
    JsYaml.V3: re.compile(r"!(?:[A-Za-z-]*!)?"),
    JsYaml.V4_1: re.compile(r"!(?:[A-Za-z-]*!)?"),
    JsYaml.V4: re.compile(r"!(?:[0-9A-Za-z-]*!)?"),
}
_URI = re.compile(
    r"[^,\[\]{}\U00010000-\U0010ffff]"
    r"(?:%[0-9A-Fa-f]{2}|[0-9A-Za-z\-#;/?:@&=+$,_.!~*'()\[\]])*"
)
_BAD_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_PERCENT_RUN = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_TAG_REST = re.compile(r"[^ \t\r\n\0]*")
_NAME = re.compile(r"[^ \t\r\n\0,\[\]{}]+")
_WORD = re.compile(r"[^ \t]+")


class Properties:
    """Reads at the cursor what may stand before the content of a node."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._version = cursor.version
        self._handles = {"!": "!", "!!": PREFIX}
        self._declared: set[str] = set()

    def read_directives(self) -> None:
        """The directives of the document, and its `---`."""
        cursor = self._cursor
        seen: set[str] = set()
        cursor.skip_space()
        while cursor.indent == 0 and cursor.char == "%":
            self._read_directive(seen)
            cursor.skip_space()
        if cursor.indent == 0 and cursor.text.startswith("---", cursor.pos):
            cursor.pos += 3
            cursor.skip_space()
        elif seen:
            cursor.fail("expected `---` after the directives")

    def _read_directive(self, seen: set[str]) -> None:
        cursor = self._cursor
        cursor.pos += 1
        if cursor.char in SPACES:
            cursor.fail("expected the name of a directive")
        name, *words = _WORD.findall(cursor.skip_line())
        comment = next((i for i, word in enumerate(words) if word[0] == "#"), None)
        words = words[:comment]
        if name == "YAML" and (name in seen or not _is_version(words)):
            cursor.fail("expected one `%YAML 1.2`")
        if name == "TAG":
            self._declare(words)
        seen.add(name)
        cursor.break_line()

    def _declare(self, words: list[str]) -> None:
        handle, prefix = words if len(words) == 2 else ("", "")
        if not _HANDLE[self._version].fullmatch(handle) or not _URI.fullmatch(prefix):
            self._cursor.fail("expected `%TAG`, a handle and a prefix")
        if handle in self._declared:
            self._cursor.fail(f"the tag handle `{handle}` is declared twice")
        self._declared.add(handle)
        self._handles[handle] = self._decoded(prefix)

    def read(self, slot: Slot) -> None:
        """Every tag and anchor here, into `slot`."""
        cursor = self._cursor
        while cursor.char in "!&" and not self._starts_key(slot):
            slot.mark = slot.mark or cursor.mark()
            if cursor.char == "!":
                self._read_tag(slot)
            else:
                self._read_anchor(slot)
            slot.blocks = False
            slot.end = cursor.pos
            if cursor.skip_space():
                slot.note_line(cursor)

    def _starts_key(self, slot: Slot) -> bool:
        """Whether a second property belongs to the first key of a mapping instead."""
        if self._version is not JsYaml.V4 or not slot.fresh:
            return False
        written = slot.tag if self._cursor.char == "!" else slot.anchor
        return written is not None

    def read_name(self) -> str:
        """The name behind `&` or `*`."""
        found = _NAME.match(self._cursor.text, self._cursor.pos + 1)
        if found is None:
            self._cursor.fail("expected the name of an anchor or an alias")
        self._cursor.pos = found.end()
        return found[0]

    def _read_anchor(self, slot: Slot) -> None:
        if slot.anchor is not None:
            self._cursor.fail("a node takes one anchor")
        slot.anchor = self.read_name()

    def _read_tag(self, slot: Slot) -> None:
        if slot.tag is not None:
            self._cursor.fail("a node takes one tag")
        verbatim = self._cursor.followed_by("<")
        slot.tag = self._verbatim_tag() if verbatim else self._short_tag()

    def _verbatim_tag(self) -> str:
        cursor = self._cursor
        # A tag has one character at least, were it the `>` that should end it.
        end = cursor.text.find(">", cursor.pos + 3)
        if end < 0:
            cursor.fail("expected `>` at the end of a tag")
        tag = self._checked(cursor.text[cursor.pos + 2 : end])
        cursor.pos = end + 1
        return tag

    def _short_tag(self) -> str:
        cursor = self._cursor
        written = cursor.match(_TAG_REST)
        cut = written.rfind("!") + 1
        handle, suffix = written[:cut], written[cut:]
        if not _HANDLE[self._version].fullmatch(handle):
            cursor.fail(f"`{handle}` is no tag handle")
        if any(mark in suffix for mark in FLOW_MARKS):
            cursor.fail("a tag cannot hold brackets, braces or commas")
        if handle not in self._handles:
            cursor.fail(f"undeclared tag handle `{handle}`")
        tag = self._handles[handle] + self._checked(suffix)
        cursor.pos += len(written)
        return tag

    def _checked(self, name: str) -> str:
        if name and not _URI.fullmatch(name):
            self._cursor.fail(f"`{name}` is no tag")
        return self._decoded(name)

    def _decoded(self, name: str) -> str:
        if self._version is JsYaml.V3:
            return name
        if _BAD_PERCENT.search(name):
            self._cursor.fail(f"`{name}` is no tag")
        try:
            return _PERCENT_RUN.sub(_percent_text, name)
        except UnicodeDecodeError:
            self._cursor.fail(f"`{name}` is no tag")


def _is_version(words: list[str]) -> bool:
    return len(words) == 1 and _YAML_VERSION.fullmatch(words[0]) is not None


def _percent_text(run: re.Match[str]) -> str:
    return bytes.fromhex(run[0].replace("%", "")).decode()


def apply_tag(tag: str, found: Built, version: JsYaml) -> Built:
    """`found` under an explicit tag; raises `YamlError` where it does not fit."""
    if tag == RAW:
        return found._replace(node=_with_tag(found.node, tag, found.value))
    try:
        value = construct(tag, found, version)
    except RefusedError as error:
        refuse(error, found.node)
    node = _with_tag(_as_built(found.node, value), tag, value)
    is_merge = tag == IMPLICIT and value == "<<"
    return Built(node, value, found.kind, MERGE if is_merge else tag)


def refuse(error: RefusedError, node: Node) -> NoReturn:
    """Place `error` at `node`."""
    raise YamlError(str(error), node.start) from error


def _as_built(node: Node, value: Value) -> Node:
    """`node` where a tag gave it another form: `!!str` on nothing is a text."""
    match value:
        case str():
            style = node.style if isinstance(node, Scalar) else Style.PLAIN
            return Scalar(value, style, node.start, node.end)
        case list() if not isinstance(node, Sequence):
            return Sequence((), node.start, node.end)
        case dict() if not isinstance(node, Mapping):
            return Mapping((), node.start, node.end)
        case _:
            return node


def _with_tag(node: Node, tag: str, value: Value) -> Node:
    # A tag that changes nothing about how the node is typed is not kept: `?` on a
    # plain scalar, and the two that keep a text, on what was typed before them.
    match node:
        case Alias():
            return node
        case Scalar(style=Style.PLAIN) if tag == IMPLICIT:
            return node
        case Scalar() if tag in (RAW, STR) and not isinstance(value, str):
            return node
        case Scalar() if tag == MERGE and isinstance(value, str):
            return node._replace(style=Style.PLAIN)  # as if it stood there untagged
        case _:
            return node._replace(tag=tag)
