"""Bun's YAML grammar: what Bun 1.4.0 answered, and the tree's shape."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from metier.core.js_text import js_text
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
from metier.core.scalars import Kind, ScalarSchema, is_true, kind_of
from metier.core.yaml_bun import parse_bun_yaml

_RECORDED = Path(__file__).parents[1] / "conformance" / "bun_yaml.json"
_CASES: list[dict[str, Any]] = json.loads(_RECORDED.read_text("utf-8"))


def _value_of(node: Node | None) -> Any:
    match node:
        case None:
            return None
        case Alias():
            return _value_of(node.target)
        case Scalar():
            return _scalar_value(node)
        case Sequence():
            return [_value_of(item) for item in node.items]
        case Mapping():
            pairs = node.entries
            return {js_text(k, ScalarSchema.BUN): _value_of(v) for k, v in pairs}


def _scalar_value(node: Scalar) -> Any:
    match kind_of(node, ScalarSchema.BUN):
        case Kind.NULL:
            return None
        case Kind.BOOL:
            return is_true(node.text)
        case Kind.INT | Kind.FLOAT:
            return {"n": js_text(node, ScalarSchema.BUN)}
        case _:
            return node.text


def _answer(text: str) -> dict[str, Any]:
    try:
        return {"value": _value_of(parse_bun_yaml(text))}
    except YamlError:
        return {"error": True}


@pytest.mark.parametrize("case", _CASES, ids=lambda case: repr(case["text"])[:60])
def test_recorded_answers(case: dict[str, Any]) -> None:
    answer = {key: case[key] for key in case if key != "text"}
    assert _answer(case["text"]) == answer


def test_spans_are_offsets_in_the_text() -> None:
    text = "\ufeffa: one\n   two  # c\nb:\n- [x, 'y']\n- |\n  z\n\nc: &k\n"
    tree = parse_bun_yaml(text)
    assert isinstance(tree, Mapping)
    one, items, empty = (item for _, item in tree.entries)
    assert text[one.start : one.end] == "one\n   two"
    assert text[items.start : items.end] == "- [x, 'y']\n- |\n  z"
    assert isinstance(items, Sequence)
    assert [text[i.start : i.end] for i in items.items] == ["[x, 'y']", "|\n  z"]
    assert text[: empty.start] == text.rstrip("\n")
    assert tree.start == 1


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("a", Style.PLAIN),
        ("'a'", Style.SINGLE),
        ('"a"', Style.DOUBLE),
        ("|-\n a", Style.LITERAL),
        (">-\n a", Style.FOLDED),
    ],
)
def test_style_is_as_written(text: str, style: Style) -> None:
    assert parse_bun_yaml(text) == Scalar("a", style, 0, len(text))


def test_an_alias_points_at_its_node() -> None:
    tree = parse_bun_yaml("- &x a\n- *x")
    assert isinstance(tree, Sequence)
    node, alias = tree.items
    assert alias == Alias("x", node, 9, 11)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["&x [*x]", "&x\n- *x", "&x {a: *x}", "? &x\n  *x"])
def test_an_alias_inside_its_own_anchor_is_undefined(text: str) -> None:
    with pytest.raises(YamlError, match="undefined alias"):
        parse_bun_yaml(text)


def test_what_is_merged_stands_among_the_entries() -> None:
    tree = parse_bun_yaml("a: 1\n<<: {a: 2, b: 3}\n<<: {b: 4}")
    assert isinstance(tree, Mapping)
    pairs = [(js_text(k, ScalarSchema.BUN), v) for k, v in tree.entries]
    assert [(key, value.text) for key, value in pairs if isinstance(value, Scalar)] == [
        ("a", "1"),
        ("b", "3"),
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: b\0c: d\ne: f", {"a": "b"}),
        ("# \0\na: b", {"a": "b"}),
        ("a: |\n b\0c\nd: e", {"a": "b\n"}),
        ("a: \0", {"a": None}),
        ("a:\0", "a:"),
        ("\0", None),
        ("- \0", [None]),
        ("a: | # \0\n b", {"a": "b\n"}),
        ("a: |\0", {"a": ""}),
    ],
)
def test_a_null_character_ends_the_text_but_in_a_comment(text: str, value: Any):
    assert _answer(text) == {"value": value}


@pytest.mark.parametrize("text", ["'a\0'", '"a\0"', "[a\0]", "%X \0\n---\na"])
def test_a_null_character_closes_nothing(text: str) -> None:
    assert _answer(text) == {"error": True}


def _levels(count: int) -> list[str]:
    return [
        "[" * count + "]" * count,
        "{a: " * count + "b" + "}" * count,
        "- " * count + "a",
        "".join(f"{'  ' * i}a:\n" for i in range(count)),
    ]


@pytest.mark.parametrize("text", _levels(MAX_DEPTH))
def test_so_deep_is_read(text: str) -> None:
    assert "value" in _answer(text)


@pytest.mark.parametrize("text", _levels(MAX_DEPTH + 1) + _levels(5000))
def test_deeper_is_refused(text: str) -> None:
    with pytest.raises(YamlError) as caught:
        parse_bun_yaml(text)
    assert caught.value.rule == "yaml-too-deep"


def test_merging_is_bounded() -> None:
    sources = "- &a {" + ", ".join(f"k{i}: v" for i in range(1000)) + "}\n"
    text = sources + "- <<: [" + "*a, " * 1000 + "]\n"
    with pytest.raises(YamlError, match="merge"):
        parse_bun_yaml(text)


_HOSTILE = {
    "quotes": "a: " + "''" * 30_000,
    "colons": "a: " + ":b" * 30_000,
    "comments": "#\n" * 30_000,
    "blanks": "a:" + " \t" * 30_000,
    "breaks": "a: b" + "\n" * 60_000,
    "keys": "".join(f"k{i}: v\n" for i in range(6_000)),
    "anchors": "".join(f"- &a{i} x\n" for i in range(5_000)),
    "escapes": 'a: "' + "\\n" * 30_000 + '"',
    "block": "a: |\n" + "  b\n" * 15_000,
    "folded": "a: >\n" + "  b\n   c\n" * 6_000,
    "list": "[" + "a, " * 20_000 + "]",
    "tags": "- !x y\n" * 8_000,
    "percent": "a: !x" + "%41" * 20_000,
    "directive": "%" + "a " * 30_000 + "\n---\nb",
}


@pytest.mark.parametrize("name", _HOSTILE)
def test_hostile_input_is_linear(name: str) -> None:
    text = _HOSTILE[name]
    started = time.process_time()
    parse_bun_yaml(text)
    assert time.process_time() - started < 2
