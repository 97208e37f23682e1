"""npm's YAML grammar on any text, and against libyaml's on simple YAML."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from metier.core.nodes import Node, YamlError
from metier.core.yaml_events import Documents, parse_events
from metier.core.yaml_npm import parse_npm_yaml
from tests.property.yaml_trees import TREES, bare_tree, check_spans, write_tree

_TOKENS = st.sampled_from(
    (
        *": # - ' \" | > [ ] { } , & * ! % @ ? ~ \t \r \n \x85 \u2028 \xa0 \\".split(
            " "
        ),
        *("---", "...", "\n", "\n  ", ": ", "- ", "? ", "&a ", "*a", "!!str ", "<<: "),
        *("!!int ", "!<?> ", "|\n", ">-\n", "%TAG ", "a", "1", "\\ud83d", "\ud83d"),
        *("\0", "|2\n", "|+\n", "\n\t", "!e!", "%YAML 1.2\n", "\\U0010ffff", "!!"),
        *("!!set ", "!!merge ", "!!omap ", "!%41", "--- ", "\ufeff", " #", "\r\n"),
    )
)
_TOKEN_SOUP = st.lists(_TOKENS, max_size=30).map("".join)


@given(_TOKEN_SOUP | st.text())
def test_only_yaml_errors_come_out(text: str) -> None:
    tree: Node | None = None
    offset = 0
    try:
        tree = parse_npm_yaml(text)
    except YamlError as error:
        offset = error.offset
    assert 0 <= offset <= len(text)
    check_spans(tree, len(text))


@given(TREES)
def test_simple_yaml_reads_as_with_libyaml(tree: Any) -> None:
    text = write_tree(tree, 0).removeprefix("\n") + "\n"
    libyaml = parse_events(text, documents=Documents.ONE)
    assert bare_tree(parse_npm_yaml(text)) == bare_tree(libyaml)
