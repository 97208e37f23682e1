"""What strictyaml takes of YAML: never more than PyYAML, and all of it as text."""

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from metier.core.nodes import Mapping, Node, Scalar, Sequence, YamlError
from metier.core.yaml_strict import parse_strict_yaml
from tests.property.strategies import HEADERS

_TOKENS = st.sampled_from(
    (
        *": # - ' \" | > [ ] { } & * ! ? ~ = \t \n \x85 \u2028 \ufeff".split(" "),
        *("---", "\n", "\n  ", "\n    ", ": ", "- ", "? ", "<<: ", "a", "b", "1", "é"),
    )
)
_SOUP = HEADERS | st.lists(_TOKENS, max_size=20).map("".join)


def told_by(node: Node) -> Any:
    match node:
        case Scalar():
            return node.text
        case Sequence():
            return [told_by(item) for item in node.items]
        case Mapping():
            return {told_by(key): told_by(value) for key, value in node.entries}
        case _:
            raise AssertionError(node)


@given(_SOUP)
def test_only_yaml_errors_come_out_and_the_places_are_within(text: str) -> None:
    start, end = 0, 0
    try:
        root = parse_strict_yaml(text)
    except YamlError as error:
        start = end = error.offset
    else:
        if root is not None:
            start, end = root.start, root.end
    assert 0 <= start <= end <= len(text)


@given(HEADERS)
def test_what_it_takes_pyyaml_takes_too(text: str) -> None:
    try:
        root = parse_strict_yaml(text)
    except YamlError:
        return
    if isinstance(root, Mapping) and text.isascii() and "<<" not in text:
        try:
            found = yaml.load(text, yaml.BaseLoader)
        except yaml.YAMLError:
            # A key may be nothing at all, which PyYAML does not know.
            assert "" in told_by(root)
        else:
            assert told_by(root) == found


_WORDS = st.from_regex(r"[a-z][a-z0-9]{0,6}", fullmatch=True)
_TREES: st.SearchStrategy[Any] = st.recursive(
    st.text(st.characters(codec="ascii"), max_size=20),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3)
        | st.dictionaries(_WORDS, inner, min_size=1, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(_WORDS, _TREES, min_size=1, max_size=4))
def test_block_style_comes_back_as_it_was(tree: dict[str, Any]) -> None:
    text = yaml.safe_dump(tree, default_style='"', default_flow_style=False, indent=2)
    root = parse_strict_yaml(text.replace("!!map ", ""))
    assert root is not None
    assert told_by(root) == tree
