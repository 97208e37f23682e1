"""VS Code's YAML: what its parser answered, and the tree's shape."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from metier.core.nodes import MAX_DEPTH, Mapping, Node, Scalar, Style, YamlError
from metier.core.yaml_vscode import parse_vscode_yaml

_RECORDED = Path(__file__).parents[1] / "conformance" / "vscode_yaml.json"
_CASES: list[dict[str, Any]] = json.loads(_RECORDED.read_text("utf-8"))


def _value_of(node: Node | None) -> Any:
    if node is None:
        return None
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Mapping):
        return {"map": [[_value_of(k), _value_of(v)] for k, v in node.entries]}
    assert not isinstance(node, tuple) or hasattr(node, "items")
    return [_value_of(item) for item in getattr(node, "items", ())]


@pytest.mark.parametrize(
    "case", [pytest.param(each, id=repr(each["text"])) for each in _CASES]
)
def test_a_text_reads_as_the_parser_reads_it(case: dict[str, Any]):
    if "error" in case:
        with pytest.raises(YamlError):
            parse_vscode_yaml(case["text"])
    else:
        assert _value_of(parse_vscode_yaml(case["text"])) == case["value"]


def test_scalars_know_how_and_where_they_are_written():
    text = "a: b\n  c\nd: 'e'\nf: \"g\"\nh: |\n  i\nj: >\n  k\n"
    root = parse_vscode_yaml(text)
    assert isinstance(root, Mapping)
    assert [(v.style, text[v.start : v.end]) for _, v in _scalars(root)] == [
        (Style.PLAIN, "b\n  c"),
        (Style.SINGLE, "'e'"),
        (Style.DOUBLE, '"g"'),
        (Style.LITERAL, "|\n  i\n"),
        (Style.FOLDED, ">\n  k\n"),
    ]


def _scalars(root: Mapping) -> list[tuple[Node, Scalar]]:
    return [(k, v) for k, v in root.entries if isinstance(v, Scalar)]


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100,
        "{a: " * 100,
        "- " * 100 + "a",
        "".join(" " * i + "a:\n" for i in range(100)),
        "[" * (MAX_DEPTH + 1),
    ],
)
def test_what_is_nested_too_deep_is_an_error(text: str):
    with pytest.raises(YamlError) as caught:
        parse_vscode_yaml(text)
    assert caught.value.problem == f"nested deeper than {MAX_DEPTH} levels"


def test_what_is_nested_just_as_deep_as_allowed_is_read():
    root = parse_vscode_yaml("[" * MAX_DEPTH)
    assert _value_of(root) == json.loads("[" * MAX_DEPTH + "]" * MAX_DEPTH)
