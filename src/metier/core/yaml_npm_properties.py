"""What stands before a node, and what it makes of it, in npm's `yaml`, version 2."""

from __future__ import annotations

import re
from binascii import a2b_base64
from collections.abc import Iterable
from math import isnan
from typing import NoReturn

from metier.core.js_text import number_of
from metier.core.nodes import (
    Alias,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Style,
    YamlError,
    target_of,
)
from metier.core.scalars import (
    BINARY,
    Kind,
    ScalarSchema,
    is_true,
    kind_of,
    kind_of_plain,
)
from metier.core.yaml_npm_parts import SPACE, Block, Flow, Part, Text
from metier.core.yaml_npm_tokens import Token, TokenKind

_PREFIX = "tag:yaml.org,2002:"
_STR, _MERGE = _PREFIX + "str", _PREFIX + "merge"
_BLANK = frozenset((TokenKind.SPACE, TokenKind.NEWLINE))
_BLANK_OR_COMMA = _BLANK | {TokenKind.COMMA}


def _fail(problem: str, at: int) -> NoReturn:
    raise YamlError(problem, at)


def check_tail(tail: Iterable[Token] | None, end: int, *, strict: bool = True) -> int:
    """Where `tail` ends; a comment in it needs a blank before it, if that matters."""
    has_space = not strict
    for token in tail or ():
        if token.kind in _BLANK:
            has_space = True
        elif token.kind is not TokenKind.COMMENT:
            _fail(f"found {token.kind.value} behind a node", token.start)
        elif not has_space:
            _fail("a comment needs a blank before it", token.start)
        end = token.end
    return end


class Before:
    """What stands before a node: its properties, an indicator, and white space."""

    def __init__(
        self,
        tokens: Iterable[Token],
        indicator: TokenKind,
        *,
        following: Part | Token | None,
        start: int,
        indent: int = 0,
        at_newline: bool = False,
        in_flow: bool = False,
    ) -> None:
        self.anchor: Token | None = None
        self.tag: Token | None = None
        self.comma: Token | None = None
        self.found: Token | None = None
        self.has_newline = False
        self.newline_after: Token | None = None  # the last one behind a property
        self.end = start
        self.place = start  # of a node of which nothing is written
        self._has_comment = False
        self._start: int | None = None
        self._indicator = indicator
        self._in_flow = in_flow
        self._tabs_matter = not in_flow and not (
            indicator is TokenKind.DOCUMENT_START and isinstance(following, Flow)
        )
        self._at_newline = self._has_space = at_newline
        self._needs_space = False
        self._tab: Token | None = None
        is_near = False
        for token in tokens:
            self._check(token)
            self._take(token)
            self.end = token.end
            is_near = token.kind not in SPACE or (is_near and _is_space(token))
            if is_near:
                self.place = token.end
        self._check_following(following, indent)

    @property
    def start(self) -> int:
        """Where the first property stands, or the node itself."""
        return self.end if self._start is None else self._start

    @property
    def end_of_nothing(self) -> int:
        """Where such a node ends: a comment belongs to it."""
        return self.end if self._has_comment else self.place

    @property
    def has_properties(self) -> bool:
        return self.anchor is not None or self.tag is not None

    def _check(self, token: Token) -> None:
        if self._needs_space and token.kind not in _BLANK_OR_COMMA:
            _fail("a tag or an anchor needs a blank behind it", token.start)
        self._needs_space = False
        is_space = token.kind in (TokenKind.COMMENT, TokenKind.NEWLINE)
        if self._tab is not None and self._at_newline and not is_space:
            _fail("a tab cannot indent", self._tab.start)
        self._tab = None

    def _take(self, token: Token) -> None:
        match token.kind:
            case TokenKind.SPACE:
                if self._tabs_matter and "\t" in token.text:
                    self._tab = token
                self._has_space = True
            case TokenKind.COMMENT:
                if not self._has_space:
                    _fail("a comment needs a blank before it", token.start)
                self._at_newline = False
                self._has_comment = True
            case TokenKind.NEWLINE:
                self._at_newline = self.has_newline = self._has_space = True
                if self.has_properties:
                    self.newline_after = token
            case TokenKind.ANCHOR | TokenKind.TAG:
                self._take_property(token)
            case self._indicator:
                self._take_indicator(token)
            case TokenKind.COMMA if self._in_flow and self.comma is None:
                self.comma = token
                self._at_newline = self._has_space = False
            case _:
                _fail(f"found {token.kind.value} where none can stand", token.start)

    def _take_property(self, token: Token) -> None:
        is_anchor = token.kind is TokenKind.ANCHOR
        if (self.anchor if is_anchor else self.tag) is not None:
            _fail("a node has at most one anchor and one tag", token.start)
        if is_anchor:
            self.anchor = token
        else:
            self.tag = token
        if self._start is None:
            self._start = token.start
        self._at_newline = self._has_space = False
        self._needs_space = True

    def _take_indicator(self, token: Token) -> None:
        if self.has_properties or self.found is not None:
            _fail(f"found a second node before `{token.text}`", token.start)
        self.found = token
        self._at_newline = token.kind in (TokenKind.ITEM, TokenKind.ASKED)
        self._has_space = False

    def _check_following(self, following: Part | Token | None, indent: int) -> None:
        if self._needs_space and _needs_space_before(following):
            _fail("a tag or an anchor needs a blank behind it", self.end)
        if self._tab is None:
            return
        indents = self._at_newline and self._tab.indent <= indent
        if indents or isinstance(following, Block):
            _fail("a tab cannot indent", self._tab.start)


def _is_space(token: Token) -> bool:
    return token.kind is TokenKind.SPACE


def _needs_space_before(following: Part | Token | None) -> bool:
    if isinstance(following, Token):
        return following.kind not in _BLANK_OR_COMMA
    if isinstance(following, Text):
        token = following.token
        return token.kind is not TokenKind.PLAIN or token.text != ""
    return following is not None


_VERSION = re.compile(r"[0-9]+\.[0-9]+")
_ESCAPED = re.compile(r"(?:%[0-9a-fA-F]{2})+")


class Tags:
    """The short names of tags that directives declare."""

    def __init__(self) -> None:
        self._prefixes = {"!!": _PREFIX}

    def declare(self, directive: Token) -> None:
        """Take in what a line with `%` at its start says."""
        name, *parts = re.split(r"[ \t]+", directive.text)
        if name == "%TAG":
            if len(parts) != 2:
                _fail("a %TAG directive has two parts", directive.start)
            self._prefixes[parts[0]] = parts[1]
        elif name == "%YAML" and not _VERSION.fullmatch(" ".join(parts)):
            _fail("a %YAML directive has a version", directive.start)

    def name_of(self, tag: Token | None) -> str | None:
        """The full name that `tag` stands for; raises `YamlError`."""
        if tag is None or tag.text == "!":
            return tag and "!"
        if tag.text.startswith("!<"):
            return _verbatim(tag)
        mark = tag.text.rindex("!") + 1
        handle, suffix = tag.text[:mark], tag.text[mark:]
        prefix = self._prefixes.get(handle)
        if not suffix or (not prefix and handle != "!"):
            _fail(f"unknown tag `{tag.text}`", tag.start)
        return prefix + _unescaped(suffix, tag) if prefix else tag.text


def _verbatim(tag: Token) -> str:
    name = tag.text[2:-1]
    if name in ("!", "!!") or tag.text[-1] != ">":
        _fail(f"unknown tag `{tag.text}`", tag.start)
    return name


def _unescaped(suffix: str, tag: Token) -> str:
    def decode(found: re.Match[str]) -> str:
        return bytes.fromhex(found[0].replace("%", "")).decode()

    try:
        return _ESCAPED.sub(decode, suffix)
    except UnicodeDecodeError:
        _fail(f"unknown tag `{tag.text}`", tag.start)


# Where a tag does not fit its text, that is a text, but for these.
_TESTED = {
    _PREFIX + "null": Kind.NULL,
    _PREFIX + "bool": Kind.BOOL,
    _PREFIX + "int": Kind.INT,
    _PREFIX + "float": Kind.FLOAT,
}
_OBJECTS = frozenset(_PREFIX + name for name in ("binary", "merge", "timestamp"))
_TIMESTAMP = re.compile(
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[tT]|[ \t]+)[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}"
    r"(?:\.[0-9]+)?(?:[ \t]*(?:Z|[-+][012]?[0-9](?::[0-9]{2})?))?)?"
)


def settle_scalar(node: Scalar, name: str | None) -> Scalar:
    """`node` with the tag by which the core schema reads it as the library does."""
    if name is None or name == "!":
        return node._replace(tag=name)
    if name in _OBJECTS:
        if name.endswith("timestamp") and not _TIMESTAMP.fullmatch(node.text):
            _fail("the value does not fit its tag `!!timestamp`", node.start)
        return node._replace(tag=name)
    fits = _TESTED.get(name) is kind_of_plain(node.text, ScalarSchema.CORE)
    return node._replace(tag=name if fits else _STR)


def settle_key(node: Node) -> Node:
    """A key of a map: `<<` is one like any other, unless a tag makes it merge.

    The text of a `!!binary` key is what its bytes say.
    """
    node = settle_bytes(node)
    if not isinstance(node, Scalar):
        return node
    if node.tag == _MERGE:
        return node._replace(text="<<", style=Style.PLAIN, tag=None)
    if node.text == "<<" and node.tag is None:
        return node._replace(tag=_STR)
    return node


def settle_bytes(node: Node) -> Node:
    """`node`, or the text that the bytes of a `!!binary` are."""
    if not isinstance(node, Scalar) or node.tag != BINARY:
        return node
    return node._replace(text=_decoded(node.text), style=Style.DOUBLE, tag=None)


_NO_BASE64 = re.compile("[^A-Za-z0-9+/]")


def _decoded(text: str) -> str:
    """What is base64 in `text`, as Node.js decodes it, up to a `=`."""
    signs = text.partition("=")[0].replace("-", "+").replace("_", "/")
    signs = _NO_BASE64.sub("", signs)
    signs = signs[: len(signs) - (len(signs) % 4 == 1)]
    padding = "=" * (-len(signs) % 4)
    return a2b_base64(signs + padding).decode("utf-8", "replace")


def settle_collection(node: Sequence | Mapping, name: str | None) -> Sequence | Mapping:
    """What a tag makes of a list or a map; raises `YamlError`."""
    match node:
        case Mapping() if name == _PREFIX + "set":
            if any(not _is_nothing(value) for _, value in node.entries):
                _fail("what is in a set has no value", node.start)
            # To JavaScript it is no object with these fields.
            return Sequence(tuple(key for key, _ in node.entries), node.start, node.end)
        case Sequence() if name in (_PREFIX + "omap", _PREFIX + "pairs"):
            maps = [each for each in node.items if isinstance(each, Mapping)]
            if any(len(each.entries) > 1 for each in maps):
                _fail("each pair needs an item of its own", node.start)
            if name.endswith("omap"):
                _check_unique(each.entries[0][0] for each in maps if each.entries)
            return node
        case _:
            return node


def _check_unique(names: Iterable[Node]) -> None:
    keys = Keys()
    for key in names:
        keys.add(key)


def _is_nothing(node: Node) -> bool:
    return isinstance(node, Scalar) and kind_of(node, ScalarSchema.CORE) is Kind.NULL


class Keys:
    """The keys of one map: no two may be the same text, number or word."""

    def __init__(self) -> None:
        self._seen: set[tuple[Kind, object]] = set()

    def add(self, key: Node) -> None:
        if not isinstance(key, Scalar):
            return
        value = _value_of(key)
        if value is not None and value in self._seen:
            _fail(f"duplicate key `{key.text[:60]}`", key.start)
        if value is not None:
            self._seen.add(value)


def _value_of(key: Scalar) -> tuple[Kind, object] | None:
    """What two keys must not share; None for what is never the same."""
    kind = kind_of(key, ScalarSchema.CORE)
    match kind:
        case Kind.STRING:
            return kind, key.text
        case Kind.NULL:
            return kind, None
        case Kind.BOOL:
            return kind, is_true(key.text)
        case Kind.INT | Kind.FLOAT:
            number = number_of(key.text)
            return None if isnan(number) else (Kind.FLOAT, number)
        case _:
            return None


# The library takes more for an attack.
_MAX_ALIASES = 100


class _Anchor:
    """A node with a name, and how much its aliases repeat."""

    def __init__(self) -> None:
        self.node: Scalar | Sequence | Mapping | None = None
        self.uses = 1
        self.weight: int | None = None


class Aliases:
    """The nodes that have a name so far."""

    def __init__(self) -> None:
        self._anchors: dict[str, _Anchor] = {}
        self._by_node: dict[int, _Anchor] = {}

    def open(self, token: Token | None) -> _Anchor | None:
        """Give the name to what follows, which may already refer to itself."""
        if token is None:
            return None
        if token.text == "&":
            _fail("an anchor needs a name", token.start)
        self._anchors[token.text[1:]] = anchor = _Anchor()
        return anchor

    def bind(self, anchor: _Anchor | None, node: Scalar | Sequence | Mapping) -> None:
        if anchor is not None:
            anchor.node = node
            self._by_node[id(node)] = anchor

    def resolve(self, token: Token) -> Alias:
        name = token.text[1:]
        anchor = self._anchors.get(name)
        if anchor is None:
            _fail(f"undefined alias `*{name}`", token.start)
        anchor.uses += 1
        if anchor.weight is None:
            anchor.weight = 1 if anchor.node is None else self._weigh(anchor.node)
        if anchor.uses * anchor.weight > _MAX_ALIASES:
            _fail(f"more than {_MAX_ALIASES} aliases", token.start)
        return Alias(name, anchor.node, token.start, token.end)

    def _weigh(self, node: Node) -> int:
        """How often an alias in `node` has been repeated, at least once for a text."""
        match node:
            case Scalar():
                return 1
            case Alias():
                anchor = self._by_node.get(id(node.target))
                return anchor.uses * (anchor.weight or 0) if anchor else 0
            case Sequence():
                return max(map(self._weigh, node.items), default=0)
            case _:
                parts = (part for pair in node.entries for part in pair)
                return max(map(self._weigh, parts), default=0)


def check_merge(value: Node) -> None:
    """Refuse what `!!merge` cannot take in."""
    node = target_of(value)
    sources = node.items if isinstance(node, Sequence) else (value,)
    if not all(isinstance(target_of(each), Mapping) for each in sources):
        _fail("`<<` takes a map or a list of maps", value.start)
