"""Fields as programs in JavaScript read them."""

from __future__ import annotations

import time

import pytest

from metier.core.fields import Effect, FieldRule, FieldType
from metier.core.nodes import Mapping, Scalar
from metier.core.scalars import ScalarSchema
from metier.core.values import Fields, FieldValue, read_field
from metier.core.yaml_bun import parse_bun_yaml


def value(text: str, kind: FieldType, effect: Effect = Effect.NONE) -> FieldValue:
    rule = FieldRule(keys=("a",), type=kind, effect=effect)
    return read_field(_fields(text), rule, ScalarSchema.BUN)


def _fields(text: str) -> Fields:
    tree = parse_bun_yaml(text)
    assert isinstance(tree, Mapping)
    return {key.text: node for key, node in tree.entries if isinstance(key, Scalar)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: b", "b"),
        ("a: ' b '", " b "),
        ("a: 1.0", "1"),
        ("a: false", "false"),
        ("a: [b, 1]", "b,1"),
        ("a: {b: c}", "[object Object]"),
        ("a: ''", None),
        ("a: []", None),
        ("a:", None),
        ("b: c", None),
    ],
)
def test_a_text_is_what_string_makes_of_anything(text: str, expected: str | None):
    assert value(text, FieldType.JS_TEXT) == expected


@pytest.mark.parametrize(
    ("text", "is_set"),
    [
        ("a: true", True),
        ("a: TRUE", True),
        ("a: 'true'", True),
        ("a: 'True'", False),
        ("a: yes", False),
        ("a: 1", False),
        ("a: [true]", False),
        ("a: false", False),
        ("a:", False),
        ("b: true", False),
    ],
)
def test_a_flag_is_true_or_a_text_that_says_so(text: str, is_set: bool) -> None:
    assert value(text, FieldType.JS_FLAG) is is_set


def test_a_flag_that_bars_people_is_set_where_it_is_not_there() -> None:
    assert value("b: c", FieldType.JS_FLAG, Effect.BARS_PEOPLE) is True
    assert value("a: no", FieldType.JS_FLAG, Effect.BARS_PEOPLE) is False


@pytest.mark.parametrize(
    ("text", "patterns"),
    [
        ("a: src/**", ("src",)),
        ("a: 'a.ts, b/*.py ,c'", ("a.ts", "b/*.py", "c")),
        ("a: '*.{ts,tsx}, x'", ("*.ts", "*.tsx", "x")),
        ("a: '{a, b}/{c,d}'", ("a/c", "a/d", "b/c", "b/d")),
        ("a: '{a'", ("{a",)),
        ("a: 'x}, y'", ("x}, y",)),
        ("a: [b, [c], 'd,e', 1, null, {f: g}]", ("b", "c", "d", "e")),
        ("a: ['**', b]", ("**", "b")),
        ("a: /**/**", ("/**",)),
        ("a: '**'", ()),
        ("a: ['**', '{**,**}']", ()),
        ("a: /**", ()),
        ("a: ' , '", ()),
        ("a: '{,}'", ()),
        ("a: 1", ()),
        ("a:", ()),
        ("b: c", ()),
    ],
)
def test_patterns_are_one_for_each_reading(text: str, patterns: tuple[str, ...]):
    assert value(text, FieldType.PATTERNS) == patterns


def test_patterns_without_end_come_to_one() -> None:
    started = time.process_time()
    braces = value("a: '" + "{a,b}" * 60 + "'", FieldType.PATTERNS)
    doubled = ", ".join(f"&a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 60))
    lists = value(f"a: [&a0 [x, y], {doubled}]", FieldType.PATTERNS)
    assert time.process_time() - started < 1
    assert isinstance(braces, tuple)
    assert isinstance(lists, tuple)
    assert lists[:4] == ("x", "y", "x", "y")
