"""yaml.v3 where it differs from libyaml; what it answered is in each case."""

from __future__ import annotations

import pytest

from metier.core.nodes import Alias, Mapping, Node, Scalar, Sequence, YamlError
from metier.core.yaml_go import parse_go_yaml


def plain(node: Node | None) -> object:
    """The tree as plain values."""
    match node:
        case Mapping():
            return {str(plain(key)): plain(value) for key, value in node.entries}
        case Sequence():
            return [plain(item) for item in node.items]
        case Alias():
            return plain(node.target)
        case Scalar():
            return node.text
        case None:
            return None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", None, id="nothing"),
        pytest.param("a: b\nc: [d]\n", {"a": "b", "c": ["d"]}, id="as libyaml"),
        pytest.param('a: "don\\\'t"', {"a": "don't"}, id="an escaped quote"),
        pytest.param("a: \"\\'\\'\"", {"a": "''"}, id="two escaped quotes"),
        pytest.param("k: [a:, b]", {"k": ["a:", "b"]}, id="a colon before a comma"),
        pytest.param("k: [a:]", {"k": ["a:"]}, id="a colon before a bracket"),
        pytest.param("k: {a:}", {"k": {"a:": ""}}, id="a colon before a brace"),
        pytest.param(
            "x: &x [a:]\ny: *x", {"x": ["a:"], "y": ["a:"]}, id="and an alias"
        ),
        pytest.param("k: [!a, b]", {"k": ["b"]}, id="a comma in a tag"),
        pytest.param("a: !a,b c", {"a": "c"}, id="a comma and more in a tag"),
        pytest.param("a: !!str] b", {"a": "b"}, id="a bracket in a tag"),
        pytest.param("a: !<x> b", {"a": "b"}, id="a verbatim tag"),
        pytest.param("a: !x b", {"a": "b"}, id="a plain tag"),
        pytest.param("k: [?a]", {"k": [{"a": ""}]}, id="a question first"),
        pytest.param("a: what? ever", {"a": "what? ever"}, id="a question in a block"),
        pytest.param("a: [b, '?']", {"a": ["b", "?"]}, id="a quoted question"),
        pytest.param("a: &x b?\nc: [*x]", {"a": "b?", "c": ["b?"]}, id="by an alias"),
        pytest.param("a: 'b\\/c'", {"a": "b\\/c"}, id="a slash in single quotes"),
        pytest.param('a: "\\\\/"', {"a": "\\/"}, id="an escaped backslash and a slash"),
        pytest.param("a: b\n\ufeffc: d", {"a": "b", "\ufeffc": "d"}, id="a mark"),
        pytest.param("\n\ufeffa: b", {"\ufeffa": "b"}, id="a mark in the first key"),
        pytest.param("a: [&x b:, *x]", {"a": ["b:", "b:"]}, id="an alias of a text"),
        pytest.param("a: &x [b:, *x]", {"a": ["b:", None]}, id="an alias in itself"),
        pytest.param("\ufeffa: b", {"a": "b"}, id="a mark at the start"),
        pytest.param("a: b\n---\nc: d", {"a": "b"}, id="a second document"),
        pytest.param("a: b\n...\n", {"a": "b"}, id="an end of document"),
        pytest.param("  a: b\nc: d", {"a": "b"}, id="a dedent ends the document"),
        pytest.param('a: b\n---\n- c\n- d\n- "', {"a": "b"}, id="an error far behind"),
        pytest.param("a: b\n... \tx", {"a": "b"}, id="text behind the end"),
        pytest.param(" a: b\n-\n\nc\nd", {"a": "b"}, id="a key or not behind it"),
        pytest.param("? a\n:\t \t# c", {"a": ""}, id="a tab before a comment"),
    ],
)
def test_what_yaml_v3_reads(text: str, expected: object) -> None:
    assert plain(parse_go_yaml(text)) == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param('a: "b\\/c"', "found unknown escape character", id="a slash"),
        pytest.param('a: "\\q"', "unknown escape", id="an unknown escape"),
        pytest.param("a: [b, c?d]", "did not find expected ',' or ']'", id="question"),
        pytest.param("a: {b?: c}", "did not find expected ',' or ']'", id="in a map"),
        pytest.param("[a]: b", "a list or a map cannot be a key", id="a list as a key"),
        pytest.param("{a: b}: c", "a list or a map cannot be a key", id="a map as one"),
        pytest.param("a: *x", "undefined alias `*x`", id="an undefined alias"),
        pytest.param("a: b: c", "mapping values", id="a colon in a value"),
        pytest.param("a: b\n...\nb\nc: d", "mapping values", id="an error just behind"),
        pytest.param("a: b\n--- *", "alphabetic or numeric", id="a star behind"),
        pytest.param("a: b\n... 'x", "unexpected end of stream", id="a quote behind"),
        pytest.param("? a\n:\tb", "cannot start any token", id="a tab"),
        pytest.param("a: @\t# b", "cannot start any token", id="a sign and a tab"),
        pytest.param("a: !a} b", "did not find expected", id="a brace in a tag"),
        pytest.param("a: !a\x01,", "not allowed", id="a control character"),
        pytest.param("a: !\ud800", "invalid UTF-8", id="a surrogate"),
        pytest.param("!a b: *,", "alphabetic or numeric", id="an error that is no tag"),
    ],
)
def test_what_yaml_v3_refuses(text: str, problem: str) -> None:
    with pytest.raises(YamlError) as caught:
        parse_go_yaml(text)
    assert problem in caught.value.problem


def test_text_that_was_spelled_otherwise_has_the_places_of_the_source() -> None:
    root = parse_go_yaml("k: [a:, b]")
    assert isinstance(root, Mapping)
    value = root.entries[0][1]
    assert isinstance(value, Sequence)
    assert [(item.start, item.end) for item in value.items] == [(4, 6), (8, 9)]


@pytest.mark.parametrize(
    ("item", "most"),
    [
        pytest.param("- [a:]\n", 49, id="colons"),
        pytest.param("- !a,b c\n", 50, id="tags"),
    ],
)
def test_a_header_with_too_many_odd_spellings_is_refused(item: str, most: int) -> None:
    assert isinstance(parse_go_yaml(item * most), Sequence)
    with pytest.raises(YamlError):
        parse_go_yaml(item * (most + 1))
