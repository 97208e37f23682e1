"""The readers that know no YAML, with the slips of their hosts."""

from __future__ import annotations

from collections.abc import Mapping as AnyMapping

import pytest

from metier.core.nodes import Mapping, Node, Scalar, Sequence, Style, target_of
from metier.core.readers.lines import (
    LONE_QUOTE,
    read_first_colon,
    read_first_prefix,
    read_lines_and_lists,
    read_name_and_description,
    read_simple_map,
    read_split_lines,
    read_trimmed_lines,
)


def texts(fields: AnyMapping[str, Node]) -> dict[str, object]:
    """The fields in their order, as plain values."""
    return {key: plain(node) for key, node in fields.items()}


def plain(node: Node) -> object:
    if isinstance(node, Mapping):
        return {
            key.text: plain(value)
            for key, value in node.entries
            if isinstance(key, Scalar)
        }
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    target = target_of(node)
    assert isinstance(target, Scalar)
    return target.text


@pytest.mark.parametrize(
    ("header", "fields"),
    [
        ("", {}),
        (" a\x1c: 'b: c' \na: d\n- e\n: f\n# g:", {"a": "d", "": "f", "# g": ""}),
        ("a: 1\x1f", {"a": "1"}),
    ],
)
def test_lines_are_split_as_python_does(header: str, fields: dict[str, object]) -> None:
    found = read_split_lines(header)
    assert texts(found) == fields
    assert all(
        isinstance(each, Scalar) and each.style is Style.DOUBLE
        for each in found.values()
    )


@pytest.mark.parametrize(
    ("header", "fields"),
    [
        pytest.param("", {}, id="nothing"),
        pytest.param("a: b\n  c : d: e\na: f", {"a": "f", "c": "d: e"}, id="the last"),
        pytest.param(": b\nc\n# d: e", {"# d": "e"}, id="no key, no colon"),
        pytest.param("a: 'b'\nc:\xa0\"", {"a": "'b'", "c": '"'}, id="quotes stay"),
        pytest.param("a:\nb:", {"a": "", "b": ""}, id="empty"),
        pytest.param(
            "a:\n - b\n-c: d\n\n- e", {"a": ["b", "c: d"]}, id="a list, and its end"
        ),
        pytest.param("a:\n-\n- -b\nc: d", {"a": ["", "-b"], "c": "d"}, id="items"),
        pytest.param("- a\nb: c\n- d: e", {"b": "c", "- d": "e"}, id="no list"),
        pytest.param("__proto__: a\n__proto__:\n- b", {}, id="not in an object"),
        pytest.param(" :\n- a", {}, id="a key of blanks"),
        pytest.param(" : a", {"": "a"}, id="a key of blanks with a value"),
    ],
)
def test_a_key_without_a_value_may_have_a_list(
    header: str, fields: dict[str, object]
) -> None:
    assert texts(read_lines_and_lists(header)) == fields


@pytest.mark.parametrize(
    ("header", "fields"),
    [
        pytest.param("", {}, id="nothing"),
        pytest.param("a: b\n  c: d: e", {"a": "b", "c": "d: e"}, id="any indent"),
        pytest.param("a: b\nc: d\na: e", {"a": "e", "c": "d"}, id="the last wins"),
        pytest.param(": b\nc", {}, id="no key, no colon"),
        pytest.param("# a: b", {"# a": "b"}, id="no comments"),
        pytest.param("a:\nb: ''\nc: \"", {"a": "", "b": "", "c": '"'}, id="quotes"),
        pytest.param("a: 'b'c'\nd: 'e\"", {"a": "b'c", "d": "'e\""}, id="the ends"),
        pytest.param("\x00a\x01:\x1fb\xa0", {"a": "b\xa0"}, id="blanks of Java"),
        pytest.param("a: b\rc: d", {"a": "b\rc: d"}, id="no line end"),
    ],
)
def test_a_line_is_cut_at_its_first_colon(
    header: str, fields: dict[str, object]
) -> None:
    assert list(texts(read_first_colon(header)).items()) == list(fields.items())


@pytest.mark.parametrize(
    ("header", "fields"),
    [
        pytest.param("", {}, id="nothing"),
        pytest.param("a: b\nc: d: e\n", {"a": "b", "c": "d: e"}, id="two"),
        pytest.param("a: b\na: c", {"a": "b"}, id="the first wins"),
        pytest.param("  a: b\n\u3000c:d", {"a": "b", "c": "d"}, id="indented"),
        pytest.param("a : b\n# c: d", {"a ": "b", "# c": "d"}, id="no YAML"),
        pytest.param("a\n:b", {"": "b"}, id="no key"),
        pytest.param("a:\nb: ", {"a": "", "b": ""}, id="empty"),
        pytest.param("a: 'b'\nc: \"d\"\r", {"a": "b", "c": "d"}, id="quoted"),
        pytest.param("a: 'b\"\nc: 'd", {"a": "'b\"", "c": "'d"}, id="not quoted"),
        pytest.param("a: >-\n  b", {"a": ">-"}, id="no block scalars"),
    ],
)
def test_the_first_line_with_a_prefix_counts(
    header: str, fields: dict[str, object]
) -> None:
    assert texts(read_first_prefix(header)) == fields


@pytest.mark.parametrize(
    ("header", "node"),
    [
        ("x: y\n  a:  b  ", Scalar("b", Style.PLAIN, 11, 12)),
        ("a: 'b c' ", Scalar("b c", Style.SINGLE, 3, 8)),
        ("a:''", Scalar("", Style.SINGLE, 2, 4)),
        ("a: '", Scalar("", Style.SINGLE, 3, 4, LONE_QUOTE)),
        ('a: "', Scalar("", Style.SINGLE, 3, 4, LONE_QUOTE)),
    ],
)
def test_a_prefix_value_knows_its_place_and_a_lone_quote_its_tag(
    header: str, node: Scalar
) -> None:
    assert read_first_prefix(header)["a"] == node


@pytest.mark.parametrize(
    ("header", "fields"),
    [
        pytest.param("", {}, id="nothing"),
        pytest.param("a: b\n# c\n\n # d: e\nf:g", {"a": "b", "f": "g"}, id="lines"),
        pytest.param("a: b\na: c", {"a": "c"}, id="the last wins"),
        pytest.param("a: 'b'\nc: \"d\"\ne: 'f", {"a": "b", "c": "d", "e": "'f"}),
        pytest.param("a: '\nb: ''", {"a": "'", "b": ""}, id="a lone quote stays"),
        pytest.param("text\na: b", {"a": "b"}, id="a line without a colon"),
        pytest.param(
            "m:\n  a: b\n\tc: 'd'\ne: f", {"m": {"a": "b", "c": "d"}, "e": "f"}
        ),
        pytest.param("m:\n  text\n  a: b", {"m": {"a": "b"}}, id="text in a map"),
        pytest.param("m:\na: b", {"m": {}, "a": "b"}, id="an empty map"),
        pytest.param("a: b\nm:", {"a": "b"}, id="an empty map at the end"),
        pytest.param("m:\n a: b", {"m": {}, "a": "b"}, id="one space is no indent"),
        pytest.param("m:\nn:\n  a: b", {"m": {}, "n": {"a": "b"}}, id="two maps"),
        pytest.param("  a: b", {"a": "b"}, id="an indent outside of a map"),
        pytest.param("m:\n  n:\n    a: b", {"m": {"n": "", "a": "b"}}, id="one level"),
        pytest.param(":\n  a: b", {}, id="a map without a key"),
        pytest.param(":\na: b\nm:\n  c: d", {"a": "b", "m": {"c": "d"}}, id="then one"),
        pytest.param("d: |\n  a: b", {"d": "|", "a": "b"}, id="no block scalars"),
    ],
)
def test_lines_and_one_level_of_maps(header: str, fields: dict[str, object]) -> None:
    assert texts(read_simple_map(header)) == fields


@pytest.mark.parametrize(
    ("header", "node"),
    [
        ("x: y\na:  b c ", Scalar("b c", Style.PLAIN, 9, 12)),
        ("a: a", Scalar("a", Style.PLAIN, 3, 4)),
        ("a: 'b'", Scalar("b", Style.SINGLE, 3, 6)),
        (
            "a:\n  b:",
            Mapping(((Scalar("b"), Scalar("", Style.PLAIN, 7, 7)),)),
        ),
    ],
)
def test_a_value_of_the_simple_map_knows_its_place(header: str, node: Node) -> None:
    assert read_simple_map(header)["a"] == node


@pytest.mark.parametrize(
    ("header", "fields"),
    [
        pytest.param("", {}, id="nothing"),
        pytest.param(" a : b\n\tc:d\r", {"a": "b", "c": "d"}, id="trimmed"),
        pytest.param("# a: b\ntext\nc: d", {"c": "d"}, id="comments and text"),
        pytest.param("a: b\nc: d\na: e", {"c": "d", "a": "e"}, id="the last wins"),
        pytest.param("a: b\na:", {"a": ""}, id="also an empty one"),
        pytest.param("when_to_use: b\nwhen_to_use: ''", {"when_to_use": "b"}),
        pytest.param("when-to-use:", {}, id="an empty heuristic is none"),
        pytest.param('a: ""\'b\'"', {"a": "b"}, id="quotes are trimmed off"),
        pytest.param("a: '\"b\"'", {"a": '"b"'}, id="double ones first"),
        pytest.param("a: '", {"a": ""}, id="a lone quote"),
        pytest.param(": b", {"": "b"}, id="no key"),
    ],
)
def test_trimmed_lines(header: str, fields: dict[str, object]) -> None:
    found = read_trimmed_lines(header)
    assert texts(found) == fields
    assert list(found) == list(fields)


@pytest.mark.parametrize(
    ("header", "node"),
    [
        ("x: y\n a: 'b' ", Scalar("b", Style.PLAIN, 9, 12)),
        ("a: ", Scalar("", Style.PLAIN, 3, 3)),
    ],
)
def test_a_trimmed_value_knows_its_place(header: str, node: Scalar) -> None:
    assert read_trimmed_lines(header)["a"] == node


@pytest.mark.parametrize(
    ("header", "fields"),
    [
        pytest.param("", {}, id="nothing"),
        pytest.param(
            "name: a\nx: y\ndescription: b: c",
            {"name": "a", "description": "b: c"},
            id="the two, and nothing else",
        ),
        pytest.param(
            "  name:a\n\u3000description:b",
            {"name": "a", "description": "b"},
            id="indented, and no blank",
        ),
        pytest.param(
            "name:\ndescription:\n", {"name": "", "description": ""}, id="empty"
        ),
        pytest.param("name: a\nname: b", {"name": "b"}, id="the last wins"),
        pytest.param(
            "description: a\n  b\n\tname: c\nname: d",
            {"description": "a b name: c", "name": "d"},
            id="what is indented goes on",
        ),
        pytest.param(
            "description:\n  a\n\n  b", {"description": "a"}, id="a blank line ends it"
        ),
        pytest.param(
            "description: a\n \xa0b\n c", {"description": "a"}, id="odd blanks end it"
        ),
        pytest.param("name: 123", {"name": "123"}, id="a number is its text"),
        pytest.param("name: a\r\nx", {"name": "a"}, id="a carriage return"),
        pytest.param("name: a\r", {}, id="one at the end"),
        pytest.param("name: a\u2028b", {}, id="a line separator"),
        pytest.param('name: "a"', {"name": '"a"'}, id="quotes stay"),
    ],
)
def test_name_and_description_line_by_line(
    header: str, fields: dict[str, object]
) -> None:
    assert texts(read_name_and_description(header)) == fields


def test_a_text_found_by_line_is_never_a_number() -> None:
    found = read_name_and_description("x: y\nname: 12")
    assert found == {"name": Scalar("12", Style.DOUBLE, 5, 13)}
