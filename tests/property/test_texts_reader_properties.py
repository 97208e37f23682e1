"""A header of texts: whatever it is, texts come out, within what was written."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from metier.core.js_json import write_json
from metier.core.nodes import Scalar
from metier.core.readers import ReaderEngine, ReaderRule, Recovery
from metier.core.readers.texts import read_edge_lines
from metier.core.readers.trees import Header, read_tree
from metier.core.scalars import ScalarSchema
from metier.core.yaml_events import Documents, parse_events
from tests.property.strategies import HEADERS
from tests.property.yaml_trees import TREES, write_tree

RULE = ReaderRule(
    engine=ReaderEngine.NPM_YAML_2,
    schema=ScalarSchema.CORE,
    recovery=Recovery.TEXTS,
)
_PIECES = st.sampled_from(
    (
        *("name: a\n", "a: b: c\n", "a:\n", "  b\n", "\t\n", "\n", "a: 'b'\n", "- c\n"),
        *('d: "\n', "e: [f]\n", "e: {f: g}\n", "\u2028", "a_-1:  x ", ":", " ", "#"),
    )
)
LINES = st.lists(_PIECES, max_size=12).map("".join)


@given(HEADERS | LINES)
def test_every_field_is_a_text(content: str) -> None:
    fields, _ = read_tree(Header(content, 0, len(content)), RULE)
    assert fields is not None
    for node in fields.values():
        assert isinstance(node, Scalar)
        assert 0 <= node.start <= node.end <= len(content)


@given(LINES | st.text("ab:- \n\t'\"\u2028"))
def test_a_line_is_a_word_a_colon_and_a_value(content: str) -> None:
    lines = content.split("\n")
    for key, (value, is_inline) in read_edge_lines(content).items():
        assert value.text
        assert any(line.startswith(f"{key}:") for line in lines)
        if is_inline:
            assert value.text in content[value.start : value.end]


@given(TREES)
def test_what_is_written_as_json_is_json(tree: object) -> None:
    text = write_tree(tree, 0).removeprefix("\n") + "\n"
    root = parse_events(text, documents=Documents.ONE)
    if root is not None:
        json.loads(write_json(root))
