"""VS Code's YAML on any text, and against libyaml's on simple YAML."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from metier.core.nodes import Node, YamlError
from metier.core.yaml_events import Documents, parse_events
from metier.core.yaml_vscode import parse_vscode_yaml
from tests.property.yaml_trees import TREES, bare_tree, check_spans, write_tree

_TOKENS = st.sampled_from(
    (
        *": # - ' \" | > [ ] { } , % ? \t \r \n \u2028 \xa0 \\ a 1".split(" "),
        *("---", "...", "\n", "\n  ", ": ", "- ", "|\n", ">-\n", "|2\n", "|+\n"),
        *("\\ud83d", "\\ude00", "\\U00110000", "\\x-1", "\n\t", " #", "\r\n", "a: b"),
    )
)
_TOKEN_SOUP = st.lists(_TOKENS, max_size=30).map("".join)


@given(_TOKEN_SOUP | st.text())
def test_only_yaml_errors_come_out(text: str) -> None:
    tree: Node | None = None
    offset = 0
    try:
        tree = parse_vscode_yaml(text)
    except YamlError as error:
        offset = error.offset
    assert 0 <= offset <= len(text)
    check_spans(tree, len(text))


@given(TREES)
def test_simple_yaml_reads_as_with_libyaml(tree: Any) -> None:
    text = write_tree(tree, 0).removeprefix("\n") + "\n"
    libyaml = parse_events(text, documents=Documents.ONE)
    assert bare_tree(parse_vscode_yaml(text)) == bare_tree(libyaml)
