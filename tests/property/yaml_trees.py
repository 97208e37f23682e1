"""Trees of simple YAML, written out, and the trees that are read from them."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from metier.core.nodes import Alias, Mapping, Node, Scalar, Sequence


def check_spans(node: Node | None, size: int) -> None:
    if node is None:
        return
    assert 0 <= node.start <= node.end <= size
    if isinstance(node, Sequence):
        for item in node.items:
            check_spans(item, size)
    if isinstance(node, Mapping):
        for part in (part for pair in node.entries for part in pair):
            check_spans(part, size)


_WORDS = st.from_regex(r"[a-z][a-z0-9_]{0,8}( [a-z0-9]{1,5}){0,3}", fullmatch=True)
_LINES = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=30)
TREES: st.SearchStrategy[Any] = st.recursive(
    _WORDS | _LINES.map(lambda text: ("quoted", text)),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=4)
        | st.dictionaries(_WORDS, inner, min_size=1, max_size=4)
    ),
    max_leaves=12,
)


def write_tree(tree: Any, indent: int) -> str:
    pad = "\n" + " " * indent
    match tree:
        case str():
            return " " + tree
        case ("quoted", text):
            return " " + json.dumps(text)
        case list():
            return "".join(f"{pad}-{write_tree(item, indent + 2)}" for item in tree)
        case _:
            pairs = tree.items()
            return "".join(
                f"{pad}{key}:{write_tree(x, indent + 2)}" for key, x in pairs
            )


def bare_tree(node: Node | None) -> object:
    """`node` without its spans: the two end a block collection differently."""
    match node:
        case Scalar():
            return node.text, node.style, node.tag
        case Sequence():
            return [bare_tree(item) for item in node.items]
        case Mapping():
            return [(bare_tree(key), bare_tree(item)) for key, item in node.entries]
        case Alias():
            return node.name
        case None:
            return None
