"""What JavaScript's `String` makes of what a header holds."""

from __future__ import annotations

import time
from math import inf

import pytest

from metier.core.js_text import as_double, bare_js_text, js_text
from metier.core.nodes import Mapping, Node
from metier.core.scalars import ScalarSchema
from metier.core.yaml_bun import parse_bun_yaml


def _value(text: str) -> Node:
    tree = parse_bun_yaml(f"a: {text}")
    assert isinstance(tree, Mapping)
    return tree.entries[0][1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b", "a b"),
        ("'42'", "42"),
        ("42", "42"),
        ("-0", "0"),
        ("+12", "12"),
        ("1.10", "1.1"),
        (".5", "0.5"),
        ("5.", "5"),
        ("0x1F", "31"),
        ("-0x1F", "-31"),
        ("0o17", "15"),
        ("017", "17"),
        ("1e3", "1000"),
        ("1e21", "1e+21"),
        ("1.5e-7", "1.5e-7"),
        ("0.000001", "0.000001"),
        ("1e400", "Infinity"),
        ("-.inf", "-Infinity"),
        (".NaN", "NaN"),
        ("123456789012345678901234567890", "1.2345678901234568e+29"),
        ("TRUE", "true"),
        ("False", "false"),
        ("~", "null"),
        ("[]", ""),
        ("[a, 1, null, [b, true], {c: d}]", "a,1,,b,true,[object Object]"),
        ("[[], []]", ","),
        ("{b: c}", "[object Object]"),
        ("[&x b, *x]", "b,b"),
    ],
)
def test_a_value_as_a_text(text: str, expected: str) -> None:
    assert js_text(_value(text), ScalarSchema.BUN) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a, ~, [~, 1.50], true]", "a,1.5,true"),
        ("[~]", ""),
        ("{}", None),
        ("[a, {b: c}]", None),
    ],
)
def test_or_without_nulls_and_maps(text: str, expected: str | None) -> None:
    assert bare_js_text(_value(text), ScalarSchema.BUN) == expected


def test_a_number_may_be_too_large():
    assert as_double(16**300) == inf
    assert as_double(-7) == -7


def test_lists_of_aliases_to_lists_come_to_an_end() -> None:
    doubled = "".join(f", &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 200))
    started = time.process_time()
    text = js_text(_value(f"[&a0 [x, y]{doubled}]"), ScalarSchema.BUN)
    assert time.process_time() - started < 1
    assert text.startswith("x,y,x,y,x,y")
