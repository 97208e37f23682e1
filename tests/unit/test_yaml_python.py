"""What PyYAML's safe loader makes of a header, and how Python writes it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from metier.core.json_nodes import Numbers, parse_json
from metier.core.nodes import MAX_DEPTH, Node, Scalar, Style, YamlError
from metier.core.yaml_python import (
    Grammar,
    construct_python,
    load_python,
    load_tree,
    write_python,
)

BOTH = pytest.mark.parametrize("grammar", Grammar)


def error_of(text: str, grammar: Grammar) -> tuple[str, str, int]:
    with pytest.raises(YamlError) as caught:
        load_python(text, grammar)
    return caught.value.rule, caught.value.problem, caught.value.offset


def written(value: str) -> str:
    """How Python's `str` writes `value`, which stands behind a key."""
    return write_python(load_python(f"k: {value}", Grammar.PURE).fields["k"])


@BOTH
@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("", None, id="nothing"),
        pytest.param("# a comment", None, id="a comment"),
        pytest.param("- a", ["a"], id="a list"),
        pytest.param("a: 017\nb: no\nc:", {"a": 15, "b": False, "c": None}, id="types"),
        pytest.param("a: 1\na: 2", {"a": 2}, id="the last of two keys"),
        pytest.param("a: ! 'yes'\nb: ! x", {"a": True, "b": "x"}, id="an open tag"),
        pytest.param("a: &x [1]\nb: *x", {"a": [1], "b": [1]}, id="an alias"),
        pytest.param("=: a", {"=": "a"}, id="a lone sign as a key"),
        pytest.param("a: !!set {b}", {"a": {"b"}}, id="a set"),
        pytest.param("! [! a]", ["a"], id="an open tag on a list"),
    ],
)
def test_values_are_those_of_the_loader(text: str, value: object, grammar: Grammar):
    assert load_python(text, grammar).value == value


def test_a_lone_exclamation_mark_is_nothing_or_a_text():
    assert load_python("a: !", Grammar.PURE).value == {"a": None}
    assert load_python("a: !", Grammar.LIBYAML).value == {"a": ""}


def test_a_tab_behind_a_colon_is_refused_but_by_libyaml():
    assert error_of("a:\tb", Grammar.PURE) == (
        "yaml-invalid",
        r"found character '\t' that cannot start any token",
        2,
    )
    assert load_python("a:\tb", Grammar.LIBYAML).value == {"a": "b"}


def test_half_a_pair_is_a_text_but_to_libyaml():
    assert load_python('"\\ud83d"', Grammar.PURE).value == "\ud83d"
    assert error_of('"\\ud83d"', Grammar.LIBYAML)[0] == "yaml-invalid"


@BOTH
@pytest.mark.parametrize(
    ("text", "rule", "problem", "offset"),
    [
        pytest.param(
            "a: &x 1\nb: &x 2",
            "yaml-invalid",
            "found duplicate anchor `&x`",
            11,
            id="an anchor twice",
        ),
        pytest.param(
            "a: !x b",
            "yaml-invalid",
            "could not determine a constructor for the tag '!x'",
            3,
            id="a tag of one's own",
        ),
        pytest.param(
            "a: =",
            "yaml-invalid",
            "could not determine a constructor for the tag 'tag:yaml.org,2002:value'",
            3,
            id="a lone sign",
        ),
        pytest.param(
            "? [a]\n: b", "yaml-invalid", "found unhashable key", 2, id="a list as key"
        ),
        pytest.param(
            "a: b\n--- c",
            "yaml-invalid",
            "expected a single document",
            5,
            id="two documents",
        ),
        pytest.param(
            "a: 2026-02-30",
            "yaml-value",
            "`2026-02-30` cannot be made a value",
            3,
            id="no such day",
        ),
        pytest.param(
            "a: !!bool maybe",
            "yaml-value",
            "`maybe` cannot be made a value",
            3,
            id="no such flag",
        ),
        pytest.param(
            "a: !!timestamp soon",
            "yaml-value",
            "`soon` cannot be made a value",
            3,
            id="no such time",
        ),
        pytest.param(
            "a: &x {b: *x}",
            "yaml-too-deep",
            "an alias within its own anchor",
            10,
            id="a map in itself",
        ),
        pytest.param(
            "[" * (MAX_DEPTH + 1),
            "yaml-too-deep",
            f"nested deeper than {MAX_DEPTH} levels",
            MAX_DEPTH,
            id="too deep",
        ),
    ],
)
def test_what_the_loader_refuses(
    text: str, rule: str, problem: str, offset: int, grammar: Grammar
):
    assert error_of(text, grammar) == (rule, problem, offset)


def test_aliases_that_make_it_larger_are_refused():
    names = "abcdefghijklmn"
    lines = ["a: &a [x, x]"]
    for before, name in pairwise(names):
        lines.append(f"{name}: &{name} [*{before}, *{before}, *{before}, *{before}]")
    assert error_of("\n".join(lines), Grammar.PURE) == (
        "yaml-too-large",
        "aliases make it larger than is read",
        0,
    )


def test_fields_are_those_with_a_text_for_a_key_and_merges_are_done():
    text = "<<: [{a: 1, b: 2}, {b: 3, c: 4}]\nyes: d\nc: 5\n! e: 6\n"
    fields = load_python(text, Grammar.PURE).fields
    assert {key: construct_python(node) for key, node in fields.items()} == {
        "a": 1,
        "b": 2,
        "c": 5,
        "e": 6,
    }
    assert fields["c"] == Scalar("5", Style.PLAIN, 43, 44)


def test_a_map_that_becomes_no_dictionary_has_no_fields():
    assert load_python("!!set {a, b}", Grammar.PURE) == ({"a", "b"}, {})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("text", "text"),
        ("", "None"),
        ("yes", "True"),
        ("0x1F", "31"),
        ("1_000", "1000"),
        ("12:30", "750"),
        ("1.50", "1.5"),
        (".inf", "inf"),
        ("2026-01-02", "2026-01-02"),
        ("2026-01-02T03:04:05Z", "2026-01-02 03:04:05+00:00"),
        ("!!binary aGk=", "b'hi'"),
        ("[a, 'it''s', {b: no}]", "['a', \"it's\", {'b': False}]"),
    ],
)
def test_python_writes_values_its_own_way(value: str, text: str):
    assert written(value) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, "b": -0.50, "c": 1e400}', {"a": 1, "b": -0.5, "c": float("inf")}),
        ('{"a": -Infinity, "b": true}', {"a": float("-inf"), "b": True}),
        ('{"a": "1", "b": null, "c": ["no"]}', {"a": "1", "b": None, "c": ["no"]}),
    ],
)
def test_json_has_the_types_of_python(text: str, value: object):
    root: Node = parse_json(text, numbers=Numbers.PYTHON)
    assert load_tree(root).value == value


def test_a_number_of_too_many_digits_is_no_json():
    with pytest.raises(YamlError, match="not JSON"):
        parse_json("1" * 5000, numbers=Numbers.PYTHON)
