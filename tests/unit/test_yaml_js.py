"""js-yaml's grammar: what js-yaml 3.15.2 and 4.3.2 answered, and the tree's shape."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from math import isfinite
from pathlib import Path
from typing import Any

import pytest

from metier.core.nodes import (
    MAX_DEPTH,
    Alias,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Style,
    YamlError,
)
from metier.core.yaml_js import JsYaml, parse_js_yaml
from metier.core.yaml_js_values import (
    IMPLICIT,
    MERGE,
    RAW,
    Built,
    Kind,
    MergeBudget,
    Moment,
    Pairs,
    Value,
    construct,
    plain_value,
)

_RECORDED = Path(__file__).parents[1] / "conformance" / "js_yaml.json"
_CASES: list[dict[str, Any]] = json.loads(_RECORDED.read_text("utf-8"))
_KEYS = {JsYaml.V3: "v3", JsYaml.V4_1: "v4.1", JsYaml.V4: "v4"}
_KINDS = {Sequence: Kind.SEQUENCE, Mapping: Kind.MAPPING, Scalar: Kind.SCALAR}


def _value_of(node: Node | None, version: JsYaml) -> Value:
    match node:
        case None:
            return None
        case Alias():
            return _value_of(node.target, version)
        case Scalar():
            return _scalar_value(node, version)
        case Sequence():
            return _typed(node, [_value_of(item, version) for item in node.items])
        case Mapping():
            return _typed(node, _mapping_value(node, version))


def _scalar_value(node: Scalar, version: JsYaml) -> Value:
    if node.tag is None and node.style is Style.PLAIN:
        return plain_value(node.text, version) if node.text else None
    nothing = node.tag is not None and node.end == node.start
    return _typed(node, None if nothing else node.text)


def _typed(node: Scalar | Sequence | Mapping, value: Value) -> Value:
    if node.tag is None or node.tag == RAW:
        return value
    kind = None if value is None else _KINDS[type(node)]
    return construct(node.tag, Built(node, value, kind), JsYaml.V3)


def _mapping_value(node: Mapping, version: JsYaml) -> Value:
    pairs = Pairs(MergeBudget(), version)
    for key, item in node.entries:
        pairs.add(
            Built(key, _value_of(key, version), None, MERGE if _merges(key) else None),
            Built(item, _value_of(item, version)),
        )
    return pairs.value


def _merges(key: Node) -> bool:
    if not isinstance(key, Scalar):
        return False
    plain = key.tag is None and key.style is Style.PLAIN
    return key.tag == MERGE or (key.text == "<<" and (plain or key.tag == IMPLICIT))


def _as_json(value: Value) -> Any:
    match value:
        case float():
            special = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}
            return value if isfinite(value) else {"number": special[str(value)]}
        case Moment():
            return {"date": value.seconds}
        case bytes():
            return {"bytes": value.hex()}
        case list():
            return [_as_json(item) for item in value]
        case dict():
            return {key: _as_json(item) for key, item in value.items()}
        case _:
            return value


def _answer(text: str, version: JsYaml) -> dict[str, Any]:
    try:
        node = parse_js_yaml(text, version=version)
    except YamlError:
        return {"error": True}
    return {"value": _as_json(_value_of(node, version))}


@pytest.mark.parametrize("version", JsYaml)
@pytest.mark.parametrize("case", _CASES, ids=lambda case: repr(case["text"])[:60])
def test_recorded_answers(case: dict[str, Any], version: JsYaml) -> None:
    expected = case.get("both") or case[_KEYS[version]]
    assert _answer(case["text"], version) == expected


def test_spans_are_offsets_in_the_text() -> None:
    text = "\ufeffa: one\n   two  # c\nb:\n- [x, 'y']\n- |\n  z\nc: &k\n"
    tree = parse_js_yaml(text)
    assert isinstance(tree, Mapping)
    one, items, empty = (item for _, item in tree.entries)
    assert text[one.start : one.end] == "one\n   two"
    assert text[items.start : items.end] == "- [x, 'y']\n- |\n  z"
    assert isinstance(items, Sequence)
    assert [text[i.start : i.end] for i in items.items] == ["[x, 'y']", "|\n  z"]
    assert (empty.start, empty.end) == (len(text) - 1, len(text) - 1)
    assert tree.start == 1


def test_a_block_ends_with_the_text() -> None:
    assert parse_js_yaml("|\n:") == Scalar(":\n", Style.LITERAL, 0, 3)


def test_nothing_stands_behind_its_indicator() -> None:
    tree = parse_js_yaml("a:\n\nb: &x\n")
    assert isinstance(tree, Mapping)
    assert [item.start for _, item in tree.entries] == [2, 9]


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("a", Style.PLAIN),
        ("'a'", Style.SINGLE),
        ('"a"', Style.DOUBLE),
        ("--- |\n a", Style.LITERAL),
        ("--- >\n a", Style.FOLDED),
    ],
)
def test_style_is_as_written(text: str, style: Style) -> None:
    tree = parse_js_yaml(text)
    assert isinstance(tree, Scalar)
    assert tree.style is style


def test_tags_are_spelled_out() -> None:
    tree = parse_js_yaml("[!!str 1, ! 2, 3, !!seq [], !!map {}]")
    assert isinstance(tree, Sequence)
    tags = [None if isinstance(item, Alias) else item.tag for item in tree.items]
    prefix = "tag:yaml.org,2002:"
    assert tags == [prefix + "str", "!", None, prefix + "seq", prefix + "map"]


def test_alias_points_at_its_node() -> None:
    tree = parse_js_yaml("a: &x [1]\nb: *x")
    assert isinstance(tree, Mapping)
    (_, first), (_, second) = tree.entries
    assert isinstance(second, Alias)
    assert second.target is first


def test_alias_inside_its_own_anchor_has_no_target() -> None:
    tree = parse_js_yaml("&x [*x]")
    assert isinstance(tree, Sequence)
    assert tree.items == (Alias("x", None, 4, 6),)


def test_merge_keeps_the_entries_as_written() -> None:
    tree = parse_js_yaml("<<: {a: 1}\na: 2")
    assert isinstance(tree, Mapping)
    assert [key.text for key, _ in tree.entries if isinstance(key, Scalar)] == [
        "<<",
        "a",
    ]


@pytest.mark.parametrize("text", ["a: !!merge <<", 'a: !!merge "<<"'])
def test_what_is_tagged_to_merge_is_a_text_where_it_is_a_value(text: str):
    tree = parse_js_yaml(text)
    assert isinstance(tree, Mapping)
    assert tree.entries[0][1] == Scalar("<<", Style.PLAIN, 11, len(text))


@pytest.mark.parametrize(
    ("text", "problem", "offset"),
    [
        ("a: b: c", "mapping values are not allowed here", 4),
        ("a: @b", "found character `@` that cannot start any token", 3),
        ("a: *b", "undefined alias `*b`", 3),
        ("b: 1\nb: 2", "duplicate key `b`", 5),
        ("a: !x b", "unknown tag `!x`", 6),
        ("a: [b", "expected `]`", 3),
        ("a\n---\nb", "expected a single document", 2),
        ("a\nb: c", "expected `:` after the key, on its line", None),
    ],
)
def test_problem_and_place(text: str, problem: str, offset: int | None) -> None:
    with pytest.raises(YamlError) as caught:
        parse_js_yaml(text if offset is not None else "x: y\n" + text)
    assert caught.value.problem == problem
    assert offset is None or caught.value.offset == offset


def _levels(count: int) -> str:
    return "[" * count + "]" * count


@pytest.mark.parametrize(
    ("allowed", "refused"),
    [
        (_levels(MAX_DEPTH), _levels(MAX_DEPTH + 1)),
        ("- " * MAX_DEPTH, "- " * (MAX_DEPTH + 1)),
        ("? " * MAX_DEPTH, "? " * (MAX_DEPTH + 1)),
        (_levels(MAX_DEPTH), _levels(MAX_DEPTH) + ": a"),
        ("[a: " * 8 + "]" * 8, "[a: " * 9 + "]" * 9),
    ],
)
def test_depth_is_capped(allowed: str, refused: str) -> None:
    parse_js_yaml(allowed)
    with pytest.raises(YamlError) as caught:
        parse_js_yaml(refused)
    assert caught.value.rule == "yaml-too-deep"


def test_merging_is_bounded() -> None:
    base = "base: &b {" + ",".join(f"k{index}: 1" for index in range(999)) + "}\n"
    use = [f"m{index}: {{<<: *b}}\n" for index in range(11)]
    parse_js_yaml(base + "".join(use[:10]))
    with pytest.raises(YamlError, match="more than 10000 keys"):
        parse_js_yaml(base + "".join(use))
    with pytest.raises(YamlError, match="at most 100"):
        parse_js_yaml("<<: [" + "{}," * 101 + "]")


_SIZE = 64 * 1024
_HOSTILE = {
    "brackets": "[" * _SIZE,
    "pairs": "a: [" + "[]," * (_SIZE // 3),
    "quotes": '"' * _SIZE,
    "single": "'" * _SIZE,
    "spaces": " " * _SIZE,
    "blank-lines": "a: b" + "\n " * (_SIZE // 2),
    "dashes": "- " * 30_000,
    "questions": "? " * 30_000,
    "colons": ": " * 30_000,
    "comments": "#\n" * (_SIZE // 2),
    "backslashes": '"' + "\\\n" * (_SIZE // 2),
    "block": "a: |\n" + " \n" * (_SIZE // 2),
    "underscores": "0" + "_" * _SIZE,
    "sexagesimal": "1" + ":1" * (_SIZE // 2) + "x",
    "aliases": "a: &a x\n" + "".join(f"k{n}: *a\n" for n in range(6_000)),
    "anchors": "".join(f"k{n}: &a{n} x\n" for n in range(4_500)),
    "laughs": "k: &a0 x\n"
    + "".join(f"k{n}: &a{n + 1} [*a{n},*a{n}]\n" for n in range(2_000)),
    "list-key": "? [" + "a," * (_SIZE // 2) + "]\n: b",
    "documents": "---\n" * (_SIZE // 4),
}


# Measuring coverage costs five times the time.
_SECONDS = 4 if sys.gettrace() is None else 16


@pytest.mark.parametrize("version", JsYaml)
@pytest.mark.parametrize("name", _HOSTILE)
def test_hostile_input_is_linear(name: str, version: JsYaml) -> None:
    started = time.process_time()
    with contextlib.suppress(YamlError):
        parse_js_yaml(_HOSTILE[name], version=version)
    assert time.process_time() - started < _SECONDS
