"""The quick reader gives the full readers' answer, or none."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import event, given
from hypothesis import strategies as st

from metier.core.nodes import Mapping, Node, Scalar, Sequence
from metier.core.readers import UNLIKE, ReaderEngine
from metier.core.readers.fast import read_fast
from metier.core.yaml_bun import parse_bun_yaml
from metier.core.yaml_events import Documents, parse_events
from metier.core.yaml_go import parse_go_yaml
from metier.core.yaml_js import parse_js_yaml
from metier.core.yaml_npm import parse_npm_yaml
from metier.core.yaml_vscode import parse_vscode_yaml
from tests.property.strategies import HEADERS, KEYS, times

ALL_KEYS = frozenset(KEYS)
Told = dict[str, tuple[object, ...] | None]


def told_by(root: Node | None) -> Told:
    """What an engine's tree says of the fields, in the quick reader's terms."""
    assert isinstance(root, Mapping), root
    fields: Told = {}
    for key, value in root.entries:
        assert isinstance(key, Scalar), key
        assert key.text not in fields, key
        assert isinstance(value, (Scalar, Sequence, Mapping)), value
        is_text = isinstance(value, Scalar)
        fields[key.text] = (value.text, value.style, value.tag) if is_text else None
    return fields


WANTED = st.frozensets(st.sampled_from(KEYS))
ENGINES: dict[ReaderEngine, Callable[[str], Node | None]] = {
    ReaderEngine.LIBYAML: lambda text: parse_events(text, documents=Documents.ONE),
    ReaderEngine.GO_YAML: parse_go_yaml,
    ReaderEngine.JS_YAML_4_1: parse_js_yaml,
    ReaderEngine.NPM_YAML_2: parse_npm_yaml,
    ReaderEngine.BUN_YAML: parse_bun_yaml,
    ReaderEngine.VSCODE_YAML: parse_vscode_yaml,
}


# A wrong answer here is a wrong skill.
@times(10)
@given(HEADERS, st.just(ALL_KEYS) | WANTED)
def test_what_is_read_quickly_reads_the_same_in_every_engine(
    header: str, wanted: frozenset[str]
) -> None:
    fast = read_fast(header, wanted)
    event("read quickly" if fast is not None else "left to the full reader")
    if fast is None:
        return
    ours = {
        key: node and (node.text, node.style, node.tag) for key, node in fast.items()
    }
    for text in {header, header.removesuffix("\n") + "\n"}:
        for engine, parse in ENGINES.items():
            # Where an engine is known to differ, its own reader is asked.
            if engine in UNLIKE and UNLIKE[engine].search(text):
                continue
            theirs = told_by(parse(text))
            assert ours == {key: theirs[key] for key in theirs if key in wanted}


@given(HEADERS, WANTED)
def test_what_is_wanted_changes_nothing_but_what_is_told(
    header: str, wanted: frozenset[str]
) -> None:
    everything = read_fast(header, ALL_KEYS)
    if everything is not None:
        expected = {key: node for key, node in everything.items() if key in wanted}
        assert read_fast(header, wanted) == expected
