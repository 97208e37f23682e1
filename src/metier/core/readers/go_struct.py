"""A header that is read into a struct, as yaml.v3 does: known keys have types.

The keys are texts; one that is null does not count, and neither does its value. What
is unknown may be anything at all, but not twice. `<<` merges below what is written out,
and what it would overwrite is not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from metier.core import nodes
from metier.core.nodes import Alias, Node, Scalar, Sequence, Style, target_of
from metier.core.readers import FieldShape, ReaderRule
from metier.core.readers.trees import Fields, Header, tell_duplicate, tell_no_map
from metier.core.scalars import (
    Kind,
    ScalarSchema,
    decode_go_text,
    is_true,
    kind_of,
)
from metier.diagnostics import Diagnostic, Diagnostics, Severity, Span, diagnostic_at

# What all merges of one header together may look at; the agent has a bound as well.
MAX_MERGED = 10_000
_SCHEMA = ScalarSchema.GO_YAML
_MERGE_TAG = "tag:yaml.org,2002:merge"
# Texts that only a field which wants a boolean takes for one.
_FLAG_WORDS = frozenset(
    word
    for stem in ("y", "yes", "on", "n", "no", "off")
    for word in (stem, stem.capitalize(), stem.upper())
)


def read_go_struct(
    root: Node | None, header: Header, rule: ReaderRule
) -> tuple[Fields | None, Diagnostics]:
    """The top-level fields of `root`, or None and what is not of its type."""
    top = target_of(root) if root else None
    if top is None or (isinstance(top, Scalar) and _kind_of(top) is Kind.NULL):
        return {}, ()
    if not isinstance(top, nodes.Mapping):
        return None, (tell_no_map(header),)
    try:
        return _Decoder(rule).struct(top), ()
    except _Misfit as misfit:
        return None, (_tell(misfit, header, rule),)


class _Misfit(Exception):
    """What ends the reading of a header; never leaves this module."""

    def __init__(self, rule: str, message: str, node: Node) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.node = node


_error = _Misfit


def _tell(misfit: _Misfit, header: Header, rule: ReaderRule) -> Diagnostic:
    node = misfit.node
    if misfit.rule == "key-duplicate":
        key = Scalar(misfit.message, Style.PLAIN, node.start, node.end)
        return tell_duplicate(key, header, rule)
    return diagnostic_at(
        misfit.rule,
        Severity.ERROR,
        misfit.message,
        text=header.text,
        span=Span(header.start + node.start, header.start + node.end),
        help="this agent reads the header into fields of fixed types",
    )


class _Decoder:
    """One header on its way into the struct."""

    __slots__ = ("_merged", "_types")

    def __init__(self, rule: ReaderRule) -> None:
        self._types = rule.types
        self._merged = 0

    def struct(self, mapping: nodes.Mapping) -> Fields:
        """The fields by their names, the known ones as what they are read into."""
        fields: Fields = {}
        for name, value in self._entries(mapping, fields):
            shape = self._types.get(name)
            if shape is None:
                fields[name] = value
            else:
                fields[name] = _SHAPES[shape](self, name, value)
        return fields

    def _entries(
        self, mapping: nodes.Mapping, taken: Mapping[str, object]
    ) -> Iterator[tuple[str, Node]]:
        """Names and values; those of `<<` follow, where they are not `taken`."""
        self._check_unique(mapping)
        merge: Node | None = None
        own: set[str] = set()
        for written, value in mapping.entries:
            if _is_merge(written):
                merge = value
                continue
            name = self._key(written)
            if name is None or (name in taken and name not in own):
                continue
            if name in own and name in self._types:
                raise _error("key-duplicate", name, written)
            own.add(name)
            yield name, value
        if merge is not None:
            for source in self._sources(merge):
                yield from self._entries(source, taken)

    def _check_unique(self, mapping: nodes.Mapping) -> None:
        seen: set[tuple[bool, str]] = set()
        for key, _ in mapping.entries:
            if isinstance(key, (nodes.Mapping, Sequence)):
                continue
            is_alias = isinstance(key, Alias)
            known_as = (is_alias, key.name if isinstance(key, Alias) else key.text)
            if known_as in seen:
                raise _error("key-duplicate", known_as[1], key)
            seen.add(known_as)

    def _key(self, written: Node) -> str | None:
        key = target_of(written)
        if not isinstance(key, Scalar):
            message = "a key that is a list or a map"
            raise _error("key-not-text", message, written)
        return self._text_of("key-not-text", "a key", key)

    def _text_of(self, rule: str, called: str, node: Scalar) -> str | None:
        """The text of a scalar, None where it is null."""
        text, problem = decode_go_text(node)
        if problem:
            raise _error(rule, f"{called} {problem}", node)
        return text

    def _sources(self, merge: Node) -> Iterator[nodes.Mapping]:
        """The maps that `<<` takes over."""
        # A list may hold aliases, but it may not be one.
        for each in merge.items if isinstance(merge, Sequence) else (merge,):
            source = target_of(each)
            if not isinstance(source, nodes.Mapping):
                message = "`<<` takes a map or a list of maps"
                raise _error("yaml-invalid", message, merge)
            # An empty map costs something too.
            self._merged += len(source.entries) + 1
            if self._merged > MAX_MERGED:
                raise _error("yaml-invalid", "`<<` takes over too much", merge)
            yield source

    def text(self, name: str, value: Node) -> Node:
        rule = f"{name}-not-text" if name in _NEEDED else "field-not-text"
        node = target_of(value)
        if not isinstance(node, Scalar):
            raise _error(rule, f"`{name}` is no text", value)
        return _text_node(self._text_of(rule, f"`{name}`", node) or "", value)

    def flag(self, name: str, value: Node) -> Node:
        node = target_of(value)
        if not isinstance(node, Scalar) or not self._is_flag(name, node):
            raise _error("field-not-flag", f"`{name}` is neither true nor false", value)
        word = "true" if is_true(node.text) or node.text in ("y", "Y") else "false"
        return Scalar(word, Style.PLAIN, value.start, value.end)

    def _is_flag(self, name: str, node: Scalar) -> bool:
        text = self._text_of("field-not-flag", f"`{name}`", node)
        if text is None or _kind_of(node) is Kind.BOOL:
            return True
        return _kind_of(node) in _TEXTS and text in _FLAG_WORDS

    def text_map(self, name: str, value: Node) -> Node:
        node = target_of(value)
        if isinstance(node, Scalar) and decode_go_text(node) == (None, ""):
            return nodes.Mapping((), value.start, value.end)
        if not isinstance(node, nodes.Mapping):
            raise _error("field-not-a-map", f"`{name}` is no map", value)
        texts: dict[str, Node] = {}
        for key, member in self._entries(node, texts):
            texts[key] = self.text(f"{name}.{key}", member)
        pairs = ((_text_node(key, text), text) for key, text in texts.items())
        return nodes.Mapping(tuple(pairs), value.start, value.end)


def _kind_of(node: Scalar) -> Kind:
    # yaml.v3 takes the tag `!` for none.
    return kind_of(node._replace(tag=None) if node.tag == "!" else node, _SCHEMA)


def _is_merge(key: Node) -> bool:
    if not isinstance(key, Scalar) or key.text != "<<":
        return False
    return key.tag == _MERGE_TAG or (
        key.style is Style.PLAIN and key.tag in (None, "!")
    )


def _text_node(text: str, place: Node) -> Scalar:
    return Scalar(text, Style.DOUBLE, place.start, place.end)


_NEEDED = ("name", "description")
_TEXTS = (Kind.STRING, Kind.OTHER)
_SHAPES: dict[FieldShape, Callable[[_Decoder, str, Node], Node]] = {
    FieldShape.TEXT: _Decoder.text,
    FieldShape.FLAG: _Decoder.flag,
    FieldShape.TEXT_MAP: _Decoder.text_map,
}
