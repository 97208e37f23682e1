"""A header that is read into a struct: which types and keys it may have."""

from __future__ import annotations

from dataclasses import replace

import pytest

from metier.core.nodes import Alias, Documents, Mapping, Node, Scalar
from metier.core.readers import DuplicateKeys, FieldShape, ReaderEngine, ReaderRule
from metier.core.readers.trees import Header, read_tree
from metier.diagnostics import Diagnostic, Position, Severity, Span

RULE = ReaderRule(
    engine=ReaderEngine.SERDE_YAML,
    duplicate_keys=DuplicateKeys.REJECT_KNOWN,
    known=("name", "metadata"),
    maps={"metadata": ("short", "long")},
)


def header_of(content: str) -> Header:
    text = f"---\n{content}\n---\n"
    return Header(text, 4, 4 + len(content))


def read(content: str) -> dict[str, object] | str:
    """The fields as plain values, or the rule that rejects the header."""
    fields, found = read_tree(header_of(content), RULE)
    if fields is None:
        return found[0].rule
    return {key: plain(node) for key, node in fields.items()}


def plain(node: Node) -> object:
    match node:
        case Mapping():
            return {str(plain(key)): plain(value) for key, value in node.entries}
        case Scalar():
            return node.text
        case Alias():
            return f"*{node.name}"
        case _:
            return ...


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        pytest.param("name: a\nother: [b]", {"name": "a", "other": ...}, id="fields"),
        pytest.param("", {}, id="nothing"),
        pytest.param("# a comment", {}, id="no more than a comment"),
        pytest.param("!!str", {}, id="an empty scalar"),
        pytest.param("a: b\na: c", {"a": "c"}, id="twice a key that nobody knows"),
        pytest.param("<<: {name: a}", {"<<": {"name": "a"}}, id="no merge"),
        pytest.param("!!str name: a", {"name": "a"}, id="a key with a tag"),
        pytest.param("a: &k name\n*k : b", {"a": "name", "name": "b"}, id="an alias"),
        pytest.param("metadata:", {"metadata": ""}, id="an empty map"),
        pytest.param(
            "metadata: {short: 1, a: b, a: [c]}",
            {"metadata": {"short": "1", "a": ...}},
            id="a map",
        ),
        pytest.param(
            "a: &m {short: b}\nmetadata: *m",
            {"a": {"short": "b"}, "metadata": "*m"},
            id="an alias of a map",
        ),
        pytest.param(
            "metadata: {short: !!null ~}", {"metadata": {"short": "~"}}, id="null"
        ),
    ],
)
def test_what_is_read(content: str, fields: dict[str, object]) -> None:
    assert read(content) == fields


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        pytest.param("~", "frontmatter-not-a-map", id="null"),
        pytest.param("''", "frontmatter-not-a-map", id="an empty text"),
        pytest.param("- a", "frontmatter-not-a-map", id="a list"),
        pytest.param("a: *b", "yaml-invalid", id="no YAML"),
        pytest.param("name: a\nname: a", "key-duplicate", id="a known key twice"),
        pytest.param("? [a]\n: b", "key-not-text", id="a list for a key"),
        pytest.param("a: &k {}\n*k : b", "key-not-text", id="an alias of a map"),
        pytest.param("metadata: ~", "field-not-a-map", id="null for a map"),
        pytest.param("metadata: ''", "field-not-a-map", id="an empty text for a map"),
        pytest.param("metadata: [a]", "field-not-a-map", id="a list for a map"),
        pytest.param(
            "metadata: {short: [a]}", "field-not-text", id="a list for a text"
        ),
        pytest.param("metadata: {short: !!null a}", "field-not-text", id="a bad null"),
        pytest.param(
            "metadata: {short: a, short: b}", "key-duplicate", id="twice in a map"
        ),
        pytest.param("metadata: {{a: b}: c}", "key-not-text", id="a map for a key"),
        pytest.param("&a metadata: *a", "field-not-a-map", id="the name of itself"),
    ],
)
def test_what_is_not_of_its_type(content: str, rule: str) -> None:
    assert read(content) == rule


def test_the_first_misfit_is_told_at_its_place() -> None:
    _, found = read_tree(header_of("name: a\n[b]: c\nname: d"), RULE)
    assert found == (
        Diagnostic(
            rule="key-not-text",
            severity=Severity.ERROR,
            message="a key that is a list or a map",
            position=Position(3, 1),
            span=Span(12, 15),
            help="this agent reads the header into fields of fixed types",
        ),
    )


TYPED = ReaderRule(
    engine=ReaderEngine.SERDE_YAML,
    duplicate_keys=DuplicateKeys.REJECT_KNOWN,
    known=("name", "note", "on", "data"),
    types={
        "name": FieldShape.TEXT,
        "note": FieldShape.TEXT,
        "on": FieldShape.FLAG,
        "data": FieldShape.VALUE_MAP,
    },
)


def read_typed(content: str) -> dict[str, object] | str:
    fields, found = read_tree(header_of(content), TYPED)
    if fields is None:
        return found[0].rule
    return {key: plain(node) for key, node in fields.items()}


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        pytest.param("name: ~", {"name": "~"}, id="null for a text"),
        pytest.param("name:", {"name": ""}, id="nothing for a text"),
        pytest.param("name: !x 0x1F", {"name": "0x1F"}, id="a number for a text"),
        pytest.param("on: !!str true", {"on": "true"}, id="a flag with a tag"),
        pytest.param("o: &o FALSE\non: *o", {"o": "FALSE", "on": "FALSE"}, id="alias"),
        pytest.param("data:", {"data": ""}, id="nothing for a map"),
        pytest.param("data: {a: 1, 2: [b]}", {"data": {"a": "1", "2": ...}}, id="map"),
    ],
)
def test_what_is_read_into_a_type(content: str, fields: dict[str, object]) -> None:
    assert read_typed(content) == fields


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        pytest.param("name: [a]", "name-not-text", id="a list for a name"),
        pytest.param("note: {}", "field-not-text", id="a map for a text"),
        pytest.param("&a note: *a\nname: [b]", "name-not-text", id="the second type"),
        pytest.param("on:", "field-not-flag", id="nothing for a flag"),
        pytest.param("on: 'true'", "field-not-flag", id="a quoted flag"),
        pytest.param("on: yes", "field-not-flag", id="a word for a flag"),
        pytest.param("on: []", "field-not-text", id="a list for a flag"),
        pytest.param("data: ~", "field-not-a-map", id="null for a map"),
        pytest.param("data: [a]", "field-not-a-map", id="a list for a map"),
        pytest.param("&d data: *d", "field-not-a-map", id="a text for a map"),
        pytest.param("data: &d {a: *d}", "field-not-text", id="a map in itself"),
        pytest.param("data: {a: !x b}", "field-not-text", id="a tag in a map"),
        pytest.param("name: a\nname: b", "key-duplicate", id="twice"),
    ],
)
def test_what_is_not_of_the_wanted_type(content: str, rule: str) -> None:
    assert read_typed(content) == rule


def test_only_the_first_document_may_count() -> None:
    header = header_of("name: a\n...\nname: [")
    assert read_tree(header, TYPED)[0] is None
    fields, _ = read_tree(header, replace(TYPED, documents=Documents.FIRST))
    assert {key: plain(node) for key, node in (fields or {}).items()} == {"name": "a"}
