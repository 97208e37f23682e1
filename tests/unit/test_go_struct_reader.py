"""A header that yaml.v3 reads into a struct; what it answered is in each case."""

from __future__ import annotations

import pytest

from metier.core.nodes import Mapping, Node, Scalar
from metier.core.readers import FieldShape, ReaderEngine, ReaderRule
from metier.core.readers.trees import Header, read_tree
from metier.core.scalars import ScalarSchema
from metier.diagnostics import Diagnostic, Position, Severity, Span

RULE = ReaderRule(
    engine=ReaderEngine.GO_YAML,
    schema=ScalarSchema.GO_YAML,
    types={
        "name": FieldShape.TEXT,
        "license": FieldShape.TEXT,
        "on": FieldShape.FLAG,
        "meta": FieldShape.TEXT_MAP,
    },
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
        case _:
            return ...


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        pytest.param("", {}, id="nothing"),
        pytest.param("~", {}, id="null"),
        pytest.param("name: 0x1F\nx: [a]", {"name": "0x1F", "x": ...}, id="a number"),
        pytest.param("name: ~", {"name": ""}, id="null for a text"),
        pytest.param("name: ! ~", {"name": ""}, id="a tag that says nothing"),
        pytest.param("name: !!binary YWJj", {"name": "abc"}, id="base64"),
        pytest.param("name: !!binary /w==", {"name": "\udcff"}, id="no UTF-8"),
        pytest.param("name: !!float 5", {"name": "5"}, id="a tag that fits"),
        pytest.param("name: !x [a]\nname2: b", "name-not-text", id="a list"),
        pytest.param("~: [a]\nname: b", {"name": "b"}, id="a key that is null"),
        pytest.param("1: a", {"1": "a"}, id="a number for a key"),
        pytest.param("on: true", {"on": "true"}, id="true"),
        pytest.param("on: FALSE", {"on": "false"}, id="false"),
        pytest.param("on: ! True", {"on": "true"}, id="true with a tag"),
        pytest.param("on: ~", {"on": "false"}, id="null for a flag"),
        pytest.param("on: 'yes'", {"on": "true"}, id="a quoted yes"),
        pytest.param("on: Y", {"on": "true"}, id="y"),
        pytest.param("on: !x off", {"on": "false"}, id="off with a tag"),
        pytest.param("meta: ~", {"meta": {}}, id="null for a map"),
        pytest.param(
            "meta: {a: ~, b: 1.50, ~: [c]}",
            {"meta": {"a": "", "b": "1.50"}},
            id="a map of texts",
        ),
        pytest.param(
            "meta: {<<: {a: x, b: y}, b: z}",
            {"meta": {"b": "z", "a": "x"}},
            id="a merge in a map",
        ),
        pytest.param(
            "x: &x {name: a, on: b}\n<<: *x\non: n",
            {"x": {"name": "a", "on": "b"}, "on": "false", "name": "a"},
            id="what a merge would overwrite may be of any type",
        ),
        pytest.param(
            "<<: [{name: a}, {name: [b], c: d}]",
            {"name": "a", "c": "d"},
            id="the first of a list of merges",
        ),
        pytest.param(
            "<<: {<<: {name: a, b: c}, b: d}",
            {"name": "a", "b": "d"},
            id="a merge in a merge",
        ),
        pytest.param("! <<: {name: a}", {"name": "a"}, id="a merge with a bare tag"),
        pytest.param("!!merge '<<': {a: b}", {"a": "b"}, id="a merge by its tag"),
        pytest.param("'<<': {a: b}", {"<<": {"a": "b"}}, id="a quoted merge"),
        pytest.param("!x <<: a", {"<<": "a"}, id="a merge with another tag"),
        pytest.param(
            "&k x: a\n*k : b", {"x": "b"}, id="an unknown key, and an alias of it"
        ),
    ],
)
def test_what_is_read(content: str, fields: dict[str, object] | str) -> None:
    assert read(content) == fields


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        pytest.param("a", "frontmatter-not-a-map", id="a text"),
        pytest.param("[a]", "frontmatter-not-a-map", id="a list"),
        pytest.param("a: b\na: b", "key-duplicate", id="an unknown key twice"),
        pytest.param("1: b\n'1': b", "key-duplicate", id="a number and a text"),
        pytest.param("&k a: b\n*k : c\n*k : d", "key-duplicate", id="an alias twice"),
        pytest.param("&k name: b\n*k : c", "key-duplicate", id="a known key twice"),
        pytest.param("[a]: b", "yaml-invalid", id="a list for a key"),
        pytest.param("a: &k [a]\n*k : b", "key-not-text", id="an alias of a list"),
        pytest.param("!!int a: b", "key-not-text", id="a key that is no number"),
        pytest.param("name: !!int a", "name-not-text", id="a text that is no number"),
        pytest.param("license: {}", "field-not-text", id="a map for a text"),
        pytest.param("license: !!binary a", "field-not-text", id="no base64"),
        pytest.param("on: 'true'", "field-not-flag", id="a quoted true"),
        pytest.param("on: 1", "field-not-flag", id="a number for a flag"),
        pytest.param("on: maybe", "field-not-flag", id="a word for a flag"),
        pytest.param("on: []", "field-not-flag", id="a list for a flag"),
        pytest.param("meta: a", "field-not-a-map", id="a text for a map"),
        pytest.param("meta: ''", "field-not-a-map", id="an empty text for a map"),
        pytest.param("meta: [a]", "field-not-a-map", id="a list for a map"),
        pytest.param("meta: {a: {b: c}}", "field-not-text", id="a map in a map"),
        pytest.param("meta: {a: b, a: c}", "key-duplicate", id="twice in a map"),
        pytest.param("meta: {[a]: b}", "key-not-text", id="a list for a key in a map"),
        pytest.param("<<: text", "yaml-invalid", id="a text to merge"),
        pytest.param("<<: [{a: b}, c]", "yaml-invalid", id="a list with a text"),
        pytest.param("x: &x [{a: b}]\n<<: *x", "yaml-invalid", id="an alias of a list"),
        pytest.param("&a name: *a\n<<: &b {<<: *b}", "yaml-invalid", id="in itself"),
        pytest.param("<<: {a: b, a: c}", "key-duplicate", id="twice in a merge"),
    ],
)
def test_what_is_not_of_its_type(content: str, rule: str) -> None:
    assert read(content) == rule


def test_a_misfit_is_told_at_its_place() -> None:
    _, found = read_tree(header_of("name: a\non: [b]"), RULE)
    assert found == (
        Diagnostic(
            rule="field-not-flag",
            severity=Severity.ERROR,
            message="`on` is neither true nor false",
            position=Position(3, 5),
            span=Span(16, 19),
            help="this agent reads the header into fields of fixed types",
        ),
    )


def test_merges_take_over_so_much_and_no_more() -> None:
    # The map and the list of 100 aliases of it: 100 times 100 entries.
    maps = ", ".join(f"k{number}: b" for number in range(99))
    many = f"x: &x {{{maps}}}\n<<: [{'*x, ' * 100}]"
    more = f"x: &x {{{maps}}}\n<<: [{'*x, ' * 101}]"
    assert (len(read(many)), read(more)) == (100, "yaml-invalid")
