"""npm's YAML grammar: what `yaml` 2.9.1 answered, and the tree's shape."""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from metier.core.js_text import js_text, number_of
from metier.core.nodes import (
    MAX_DEPTH,
    Alias,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Style,
    YamlError,
    target_of,
)
from metier.core.scalars import Kind, ScalarSchema, is_true, kind_of
from metier.core.yaml_npm import parse_npm_yaml

_RECORDED = Path(__file__).parents[1] / "conformance" / "npm_yaml.json"
_CASES: list[dict[str, Any]] = json.loads(_RECORDED.read_text("utf-8"))
CORE = ScalarSchema.CORE


def _value_of(node: Node | None) -> Any:
    match node:
        case None:
            return None
        case Alias():
            return "itself" if node.target is None else _value_of(node.target)
        case Scalar():
            return _scalar_value(node)
        case Sequence():
            return [_value_of(item) for item in node.items]
        case Mapping():
            return _mapping_value(node)


def _scalar_value(node: Scalar) -> Any:
    match kind_of(node, CORE):
        case Kind.NULL:
            return None
        case Kind.BOOL:
            return is_true(node.text)
        case Kind.INT | Kind.FLOAT:
            text = js_text(node, CORE)
            is_special = text.endswith(("NaN", "Infinity"))
            return {"number": text} if is_special else number_of(node.text)
        case Kind.STRING:
            return node.text
        case _:
            return "an object"


def _mapping_value(node: Mapping) -> dict[str, Any]:
    own: dict[str, Any] = {}
    merged: dict[str, Any] = {}
    for written, value in node.entries:
        key = target_of(written)
        if not isinstance(key, Scalar):
            own["a map or a list"] = _value_of(value)
        elif key.text == "<<" and key.tag is None and key.style is Style.PLAIN:
            target = target_of(value)
            sources = target.items if isinstance(target, Sequence) else (value,)
            for source in sources:
                merged = {**_value_of(source), **merged}
        else:
            name = "" if kind_of(key, CORE) is Kind.NULL else js_text(key, CORE)
            own[name] = _value_of(value)
    return merged | own


def _answer(text: str) -> dict[str, Any]:
    try:
        return {"value": _value_of(parse_npm_yaml(text))}
    except YamlError:
        return {"error": True}


@pytest.mark.parametrize("case", _CASES, ids=lambda case: repr(case["text"])[:60])
def test_recorded_answers(case: dict[str, Any]) -> None:
    answer = {key: case[key] for key in case if key != "text"}
    assert _answer(case["text"]) == answer


def _accepts(text: str) -> bool:
    return "value" in _answer(text)


@pytest.mark.parametrize(
    ("accepted", "refused"),
    [
        ("x" * 1024 + ": a", "x" * 1025 + ": a"),
        ("\U0001f52c" * 512 + ": a", "\U0001f52c" * 513 + ": a"),
        ("[" + "x" * 1024 + ": a]", "[" + "x" * 1025 + ": a]"),
        ("? " + "x" * 1025 + "\n: a", "- " + "x" * 1025 + ": a"),
        ("a: b #" + "c" * 1100 + "\nd: e", "a: b\nd" + " " * 1100 + ": e"),
        ("a: #" + "c" * 1100 + "\nd: e", "a: b\n&c" + " " * 1100 + "d: e"),
        ("\n" * 1100 + "a: b", "&a" + " " * 1100 + "b: c"),
        ("a:" + "\n" * 1100 + "b: c", "!a" + " " * 1100 + "b: c"),
        ("- a\n-" + " " * 1100 + "b: c", "- a\n- b" + " " * 1100 + ": c"),
    ],
)
def test_a_colon_is_near_to_its_key(accepted: str, refused: str) -> None:
    assert (_accepts(accepted), _accepts(refused)) == (True, False)


def _uses(count: int, name: str = "x") -> str:
    return "".join(f"k{index}: *{name}\n" for index in range(count))


@pytest.mark.parametrize(
    ("accepted", "refused"),
    [
        ("a: &x 1\n" + _uses(99), "a: &x 1\n" + _uses(100)),
        ("a: &x []\n" + _uses(200), "a: &x [1]\n" + _uses(100)),
        # An alias in a list repeats what it stands for: here three times.
        (
            "a: &x 1\nb: &y [*x, *x]\n" + _uses(32, "y"),
            "a: &x 1\nb: &y [*x, *x]\n" + _uses(33, "y"),
        ),
        (
            "a: &x 1\nb: &y {k: *x, l: *x}\n" + _uses(32, "y"),
            "a: &x 1\nb: &y {k: *x, l: *x}\n" + _uses(33, "y"),
        ),
        ("&a [&b [*a]" + ", *b" * 99 + "]", "&a [" + "*a, " * 100 + "]"),
    ],
)
def test_what_repeats_too_much_is_an_attack(accepted: str, refused: str) -> None:
    assert (_accepts(accepted), _accepts(refused)) == (True, False)


def test_spans_are_offsets_in_the_text() -> None:
    text = "\ufeffa: one\n   two  # c\nb:\n- [x, 'y']\n- |\n  z\n\nc: &k\n"
    tree = parse_npm_yaml(text)
    assert isinstance(tree, Mapping)
    one, items, empty = (item for _, item in tree.entries)
    assert text[one.start : one.end] == "one\n   two"
    assert text[items.start : items.end] == "- [x, 'y']\n- |\n  z\n"
    assert isinstance(items, Sequence)
    assert [text[i.start : i.end] for i in items.items] == ["[x, 'y']", "|\n  z\n"]
    assert text[: empty.start] == text.rstrip("\n")
    assert tree.start == 1


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("a", Style.PLAIN),
        ("'a'", Style.SINGLE),
        ('"a"', Style.DOUBLE),
        ("|\n a", Style.LITERAL),
        (">\n a", Style.FOLDED),
    ],
)
def test_style_is_as_written(text: str, style: Style) -> None:
    tree = parse_npm_yaml(text)
    assert isinstance(tree, Scalar)
    assert tree.style is style


def test_alias_points_at_its_node() -> None:
    tree = parse_npm_yaml("a: &x [1]\nb: *x")
    assert isinstance(tree, Mapping)
    (_, first), (_, second) = tree.entries
    assert isinstance(second, Alias)
    assert second.target is first


@pytest.mark.parametrize(
    ("text", "problem", "offset"),
    [
        ("a: b: c", "mapping values are not allowed here", 4),
        ("a: @b", "found character `@` that cannot start any token", 3),
        ("a: *b", "undefined alias `*b`", 3),
        ("b: 1\nb: 2", "duplicate key `b`", 5),
        ("a: [b", "expected `]`", 3),
        ("a\n---\nb", "expected a single document", 2),
        ("a: b\nc", "expected `:` after the key, on its line", 5),
        ('a: "b', 'expected a closing `"`', 3),
    ],
)
def test_problem_and_place(text: str, problem: str, offset: int) -> None:
    with pytest.raises(YamlError) as caught:
        parse_npm_yaml(text)
    assert (caught.value.problem, caught.value.offset) == (problem, offset)


def _levels(count: int) -> str:
    return "[" * count + "]" * count


@pytest.mark.parametrize(
    ("allowed", "refused"),
    [
        (_levels(MAX_DEPTH), _levels(MAX_DEPTH + 1)),
        (_levels(MAX_DEPTH), _levels(60_000 // 2)),
        ("- " * MAX_DEPTH, "- " * (MAX_DEPTH + 1)),
        ("? " * MAX_DEPTH, "? " * (MAX_DEPTH + 1)),
        (_levels(MAX_DEPTH), _levels(MAX_DEPTH) + ": a"),
        ("[a: " * 8 + "]" * 8, "[a: " * 17 + "]" * 17),
    ],
)
def test_depth_is_capped(allowed: str, refused: str) -> None:
    parse_npm_yaml(allowed)
    with pytest.raises(YamlError) as caught:
        parse_npm_yaml(refused)
    assert caught.value.rule == "yaml-too-deep"


_SIZE = 64 * 1024
_HOSTILE = {
    "brackets": "[" * _SIZE,
    "pairs": "a: [" + "[]," * (_SIZE // 3),
    "quotes": '"' * _SIZE,
    "single": "'" * _SIZE,
    "spaces": " " * _SIZE,
    "blanks": "a: " + "\t " * (_SIZE // 2) + "b",
    "blank-lines": "a: b" + "\n " * (_SIZE // 2),
    "dashes": "- " * 30_000,
    "questions": "? " * 30_000,
    "colons": ": " * 30_000,
    "flow-colons": "{a " + ": " * 30_000,
    "comments": "#\n" * (_SIZE // 2),
    "deep-comments": "a: b\n" + "\n" * (_SIZE // 4) + "  #\n" * (_SIZE // 8),
    "backslashes": '"' + "\\\n" * (_SIZE // 2),
    "block": "a: |\n" + " \n" * (_SIZE // 2),
    "anchors": "".join(f"k{n}: &a{n} x\n" for n in range(4_500)),
    "laughs": "k: &a0 []\n"
    + "".join(f"k{n}: &a{n + 1} [*a{n},*a{n}]\n" for n in range(2_000)),
    "list-key": "? [" + "a," * (_SIZE // 2) + "]\n: b",
    "documents": "...\n" * (_SIZE // 4),
    "directives": "%a\n" * (_SIZE // 8) + "---\n" + "...\n" * (_SIZE // 8),
    "directive-blanks": "%a" + " " * _SIZE + "b",
    "keys": "".join(f"k{n}:\n" for n in range(8_000)),
}
# What grows with the square takes a minute; measuring coverage costs five times more.
_SECONDS = 5 if sys.gettrace() is None else 20


@pytest.mark.parametrize("name", _HOSTILE)
def test_hostile_input_is_linear(name: str) -> None:
    started = time.process_time()
    with suppress(YamlError):
        parse_npm_yaml(_HOSTILE[name])
    assert time.process_time() - started < _SECONDS
