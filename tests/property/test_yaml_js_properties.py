"""js-yaml's grammar on any text, and against libyaml's on simple YAML."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.core.nodes import YamlError
from metier.core.yaml_events import Documents, parse_events
from metier.core.yaml_js import JsYaml, parse_js_yaml
from tests.property.yaml_trees import TREES, bare_tree, check_spans, write_tree

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
    check_spans(tree, len(text))


@pytest.mark.parametrize("version", JsYaml)
@given(tree=TREES)
def test_simple_yaml_reads_as_with_libyaml(tree: Any, version: JsYaml) -> None:
    text = write_tree(tree, 0).removeprefix("\n") + "\n"
    ours = parse_js_yaml(text, version=version)
    assert bare_tree(ours) == bare_tree(parse_events(text, documents=Documents.ONE))
