"""Trees out of events: PyYAML's own composer agrees, and no text does harm."""

from __future__ import annotations

from unittest.mock import patch

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from metier.core import yaml_events
from metier.core.nodes import Alias, Mapping, Node, Scalar, Sequence, YamlError
from metier.core.yaml_events import Documents, parse_events
from metier.core.yaml_go import parse_go_yaml
from tests.property.strategies import (
    DUMPED,
    HEADERS,
    HOSTILE_CHARACTERS,
    TYPICAL,
    times,
)

PARSERS = {
    "one": lambda text: parse_events(text, documents=Documents.ONE),
    "first": lambda text: parse_events(text, documents=Documents.FIRST),
    "go": parse_go_yaml,
}
parsers = pytest.mark.parametrize("parser", PARSERS)


def spans(node: Node | None) -> object:
    """The tree with its places, as PyYAML's composer would have it."""
    match node:
        case Scalar():
            return node.text, node.style.name, node.start, node.end
        case Sequence():
            return [node.start, node.end, *map(spans, node.items)]
        case Mapping():
            pairs = [(spans(key), spans(value)) for key, value in node.entries]
            return [node.start, node.end, *pairs]
        case Alias():
            return spans(node.target)
        case None:
            return None


STYLES = {"'": "SINGLE", '"': "DOUBLE", "|": "LITERAL", ">": "FOLDED", "": "PLAIN"}


def composed(node: yaml.Node | None) -> object:
    """PyYAML's own tree in the same words."""
    if node is None:
        return None
    start, end = node.start_mark.index, node.end_mark.index
    match node:
        case yaml.ScalarNode():
            return node.value, STYLES[node.style or ""], start, end
        case yaml.SequenceNode():
            return [start, end, *map(composed, node.value)]
        case yaml.MappingNode():
            pairs = [(composed(key), composed(value)) for key, value in node.value]
            return [start, end, *pairs]
    raise AssertionError(node)


@given(DUMPED)
def test_the_composer_of_pyyaml_builds_the_same_tree(text: str) -> None:
    ours = parse_events(text, documents=Documents.ONE)
    assert spans(ours) == composed(yaml.compose(text, Loader=yaml_events.LOADER))


@given(HEADERS)
def test_the_composer_of_pyyaml_agrees_about_headers(header: str) -> None:
    try:
        theirs = composed(yaml.compose(header, Loader=yaml_events.LOADER))
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        assume("duplicate anchor" not in str(error))  # which only composers mind
        with pytest.raises(YamlError):
            parse_events(header, documents=Documents.ONE)
        return
    try:
        ours = spans(parse_events(header, documents=Documents.ONE))
    except YamlError as error:
        assert error.rule == "yaml-too-deep"  # noqa: PT017
        return
    assert ours == theirs


@parsers
@given(text=st.text(max_size=60) | st.text(HOSTILE_CHARACTERS, max_size=40) | HEADERS)
def test_no_text_raises_anything_but_a_yaml_error(text: str, parser: str) -> None:
    try:
        PARSERS[parser](text)
    except YamlError as error:
        assert error.rule in ("yaml-invalid", "yaml-too-deep")  # noqa: PT017
        assert error.problem  # noqa: PT017
        assert error.offset >= 0  # noqa: PT017


@parsers
@pytest.mark.parametrize("opener", ["[", "{a: ", "- ", "? ", "[[a], "])
def test_thirty_thousand_levels_are_an_error_and_no_crash(
    opener: str, parser: str
) -> None:
    with pytest.raises(YamlError) as caught:
        PARSERS[parser](opener * 30_000)
    assert caught.value.rule == "yaml-too-deep"


def outcome(text: str, loader: object) -> object:
    """The tree, or that there is none."""
    with patch.object(yaml_events, "LOADER", loader):
        try:
            return spans(parse_events(text, documents=Documents.ONE))
        except YamlError:
            return "error"


@pytest.mark.skipif(not hasattr(yaml, "CSafeLoader"), reason="PyYAML without libyaml")
@times(3)
@given(DUMPED | TYPICAL)
def test_with_and_without_libyaml_the_tree_is_the_same(text: str) -> None:
    assert outcome(text, yaml.SafeLoader) == outcome(text, yaml.CSafeLoader)
