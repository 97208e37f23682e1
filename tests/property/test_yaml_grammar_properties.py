"""Every YAML grammar of ours on any text, and against libyaml's on simple YAML."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.core.nodes import Node, YamlError
from metier.core.yaml_bun import parse_bun_yaml
from metier.core.yaml_events import Documents, parse_events
from metier.core.yaml_js import JsYaml, parse_js_yaml
from metier.core.yaml_npm import parse_npm_yaml
from metier.core.yaml_vscode import parse_vscode_yaml
from tests.property.yaml_trees import TREES, bare_tree, check_spans, write_tree

_GRAMMARS = pytest.mark.parametrize(
    "parse",
    [
        pytest.param(parse_bun_yaml, id="bun"),
        pytest.param(parse_npm_yaml, id="npm"),
        pytest.param(parse_vscode_yaml, id="vscode"),
        *(
            pytest.param(partial(parse_js_yaml, version=each), id=f"js-{each.value}")
            for each in JsYaml
        ),
    ],
)
_TOKENS = st.sampled_from(
    (
        *": # - ' \" | > [ ] { } , & * ! % @ ? ~ \t \r \n \x85 \u2028 \xa0 \\".split(
            " "
        ),
        *("---", "...", "\n", "\n  ", ": ", "- ", "? ", "&a ", "*a", "!!str ", "<<: "),
        *("!!int ", "!<?> ", "|\n", ">-\n", "%TAG ", "a", "1", "\\ud83d", "\ud83d"),
        *("\0", "|2\n", "|+\n", "\n\t", "!e!", "%YAML 1.2\n", "\\U0010ffff", "!!"),
        *("!!set ", "!!merge ", "!!omap ", "!%41", "--- ", "\ufeff", " #", "\r\n"),
        *("\\ude00", "\\U00110000", "\\x-1", "a: b"),
    )
)
_TOKEN_SOUP = st.lists(_TOKENS, max_size=30).map("".join)


@_GRAMMARS
@given(text=_TOKEN_SOUP | st.text())
def test_only_yaml_errors_come_out(
    text: str, parse: Callable[[str], Node | None]
) -> None:
    tree: Node | None = None
    offset = 0
    try:
        tree = parse(text)
    except YamlError as error:
        offset = error.offset
    assert 0 <= offset <= len(text)
    check_spans(tree, len(text))


@_GRAMMARS
@given(tree=TREES)
def test_simple_yaml_reads_as_with_libyaml(
    tree: Any, parse: Callable[[str], Node | None]
) -> None:
    text = write_tree(tree, 0).removeprefix("\n") + "\n"
    libyaml = parse_events(text, documents=Documents.ONE)
    assert bare_tree(parse(text)) == bare_tree(libyaml)
