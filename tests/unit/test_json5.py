"""JSON5: what npm's `json5` reads, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.core.json5 import parse_json5
from metier.core.nodes import MAX_DEPTH, Mapping, Node, Scalar, Sequence, Style


def value_of(node: Node) -> Any:
    """Plain values; what is no string is in a tuple."""
    if isinstance(node, Mapping):
        return {value_of(key): value_of(each) for key, each in node.entries}
    if isinstance(node, Sequence):
        return [value_of(item) for item in node.items]
    assert isinstance(node, Scalar)
    return node.text if node.style is Style.DOUBLE else (node.text,)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1, "b", null], }', {"a": [("1",), "b", ("null",)]}),
        (" {a: 'b', $c_1: true,\n é: {}} // d", {"a": "b", "$c_1": ("true",), "é": {}}),
        ("/* a */[\ufeff.5,+5.,-0xF,\u20281e3,Infinity,-NaN]", [
            (each,) for each in (".5", "+5.", "-0xF", "1e3", "Infinity", "-NaN")
        ]),
        (r"""'\'\x41\u00e9\ud83d\ude00\n\0\q\
z'""", "'A\u00e9\U0001f600\n\0qz"),
        ("{a: 1, a: 2}", {"a": ("2",)}),
        ('"\u2028"', "\u2028"),
        ("[]", []),
    ],
)  # fmt: skip
def test_what_is_json5(text: str, value: object):
    assert value_of(parse_json5(text)) == value


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[", "[1", "[1 2]", "{a}", "{a 1}", "{a: }", "{1: 2}", "{,}", "[,]"),
        *("a", "nul", "01", "1a", "0x", "- 1", "1 2", "'a", "'a\n'", '"\\1"', '"\\x4"'),
        *('"\\01"', "/* a", "/ 1", "{a-b: 1}", "[" * (MAX_DEPTH + 1)),
    ],
)
def test_what_is_none(text: str):
    with pytest.raises(ValueError, match="not JSON5 at "):
        parse_json5(text)


@given(st.text("{}[]:,'\"\\ab1.-+xu/*\n \u2028") | st.text())
def test_nothing_else_is_raised(text: str) -> None:
    try:
        node = parse_json5(text)
    except ValueError:
        return
    assert isinstance(node, (Mapping, Sequence, Scalar))
