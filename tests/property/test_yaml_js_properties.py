"""js-yaml's grammar on any text, and against libyaml's on simple YAML."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.core.nodes import Alias, Mapping, Node, Scalar, Sequence, YamlError
from metier.core.yaml_events import Documents, parse_events
from metier.core.yaml_js import JsYaml, parse_js_yaml

_TOKENS = st.sampled_from(
    (
        *": # - ' \" | > [ ] { } , & * ! % @ ? ~ \t \r \n \x85 \u2028 \xa0 \\".split(
            " "
        ),
        *("---", "...", "\n", "\n  ", ": ", "- ", "? ", "&a ", "*a", "!!str ", "<<: "),
        *("!!int ", "!<?> ", "|\n", ">-\n", "%TAG ", "a", "1", "\\ud83d", "\ud83d"),
    )
)
_TOKEN_SOUP = st.lists(_TOKENS, max_size=30).map("".join)


@given(_TOKEN_SOUP | st.text(), st.sampled_from(JsYaml))
def test_only_yaml_errors_come_out(text: str, version: JsYaml) -> None:
    tree, offset = None, 0
    try:
        tree = parse_js_yaml(text, version=version)
    except YamlError as error:
        offset = error.offset
    assert 0 <= offset <= len(text)
    _check_spans(tree, len(text))


def _check_spans(node: Node | None, size: int) -> None:
    if node is None:
        return
    assert 0 <= node.start <= node.end <= size
    if isinstance(node, Sequence):
        for item in node.items:
            _check_spans(item, size)
    if isinstance(node, Mapping):
        for part in (part for pair in node.entries for part in pair):
            _check_spans(part, size)


_WORDS = st.from_regex(r"[a-z][a-z0-9_]{0,8}( [a-z0-9]{1,5}){0,3}", fullmatch=True)
_LINES = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=30)
_TREES: st.SearchStrategy[Any] = st.recursive(
    _WORDS | _LINES.map(lambda text: ("quoted", text)),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=4)
        | st.dictionaries(_WORDS, inner, min_size=1, max_size=4)
    ),
    max_leaves=12,
)


def _write(tree: Any, indent: int) -> str:
    pad = "\n" + " " * indent
    match tree:
        case str():
            return " " + tree
        case ("quoted", text):
            return " " + json.dumps(text)
        case list():
            return "".join(f"{pad}-{_write(item, indent + 2)}" for item in tree)
        case _:
            pairs = tree.items()
            return "".join(f"{pad}{key}:{_write(x, indent + 2)}" for key, x in pairs)


def _bare(node: Node | None) -> object:
    """`node` without its spans: the two end a block collection differently."""
    match node:
        case Scalar():
            return node.text, node.style, node.tag
        case Sequence():
            return [_bare(item) for item in node.items]
        case Mapping():
            return [(_bare(key), _bare(item)) for key, item in node.entries]
        case Alias():
            return node.name
        case None:
            return None


@pytest.mark.parametrize("version", JsYaml)
@given(tree=_TREES)
def test_simple_yaml_reads_as_with_libyaml(tree: Any, version: JsYaml) -> None:
    text = _write(tree, 0).removeprefix("\n") + "\n"
    ours = parse_js_yaml(text, version=version)
    assert _bare(ours) == _bare(parse_events(text, documents=Documents.ONE))
