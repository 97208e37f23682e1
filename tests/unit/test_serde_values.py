"""Values whose types nobody knows: what serde_yaml and serde_json make of them."""

from __future__ import annotations

import pytest

from metier.core.nodes import Documents, Scalar, Style
from metier.core.readers import ReaderEngine, ReaderRule
from metier.core.readers.serde_values import find_misfit
from metier.core.readers.trees import Header, read_tree
from metier.core.scalars import Kind, ScalarSchema, kind_of
from metier.core.yaml_events import parse_events

RULE = ReaderRule(engine=ReaderEngine.SERDE_VALUE)


def read(content: str) -> dict[str, object] | str:
    """The fields as plain values, or the rule that rejects the header."""
    text = f"---\n{content}\n---\n"
    fields, found = read_tree(Header(text, 4, 4 + len(content)), RULE)
    if fields is None:
        return found[0].rule
    return {
        key: node.text if isinstance(node, Scalar) else ...
        for key, node in fields.items()
    }


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        pytest.param("a: b\nc: [d]", {"a": "b", "c": ...}, id="fields"),
        pytest.param("", {}, id="nothing"),
        pytest.param("a", {}, id="a text"),
        pytest.param("[a]", {}, id="a list"),
        pytest.param("!x {a: b}", {}, id="a map with a tag"),
        pytest.param("!!map {a: b}", {"a": "b"}, id="a map with a core tag"),
        pytest.param("1: a\n? [b]\n: c\nd: e", {"d": "e"}, id="keys that are no text"),
        pytest.param("!!binary a: !!binary b", {"a": "b"}, id="tags that say nothing"),
        pytest.param("!x a: b\na: c", {"a": "c"}, id="a key with a tag of its own"),
        pytest.param("1: a\n'1': b", {"1": "b"}, id="a number and a text"),
        pytest.param("<<: {a: b}", {"<<": ...}, id="no merge"),
        pytest.param(
            "a: &x b\nc: *x\n*x : d", {"a": "b", "c": "b", "b": "d"}, id="alias"
        ),
        pytest.param("a: ! b", {"a": "b"}, id="a bare tag"),
        pytest.param("a: 1e400\nb: .inf", {"a": "1e400", "b": ".inf"}, id="too large"),
        pytest.param(f"a: 0x{'f' * 33}", {"a": f"0x{'f' * 33}"}, id="a text of digits"),
        pytest.param("? [a]\n: b\n? [c]\n: d", {}, id="two lists as keys"),
        pytest.param("a: !!timestamp 1", {"a": "1"}, id="a tag that is not known"),
        pytest.param("a: !!int 1\nb: !!null ~", {"a": "1", "b": "~"}, id="that fit"),
        pytest.param("a: !!float 1", {"a": "1"}, id="a whole number for a fraction"),
        pytest.param(f"a: {'9' * 40}", {"a": "9" * 40}, id="beyond 128 bits"),
        pytest.param(f"a: {'9' * 200}", {"a": "9" * 200}, id="far beyond 128 bits"),
        pytest.param("a: 18446744073709551615", {"a": f"{2**64 - 1}"}, id="64 bits"),
    ],
)
def test_what_is_read(content: str, fields: dict[str, object]) -> None:
    assert read(content) == fields


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        pytest.param("a: b\na: c", "key-duplicate", id="a key twice"),
        pytest.param("x: [{a: b, a: c}]", "key-duplicate", id="a key twice, deeper"),
        pytest.param("1: a\n0x1: b", "key-duplicate", id="a number twice"),
        pytest.param("~: a\nnull: b", "key-duplicate", id="null twice"),
        pytest.param(".inf: a\n.inf: b", "key-duplicate", id="infinity twice"),
        pytest.param("true: a\nTRUE: b", "key-duplicate", id="true twice"),
        pytest.param("1.5: a\n1.50: b", "key-duplicate", id="a fraction twice"),
        pytest.param("? {a: b, a: c}\n: d", "key-duplicate", id="twice in a key"),
        pytest.param(
            "? {a: [1], b: c}\n: x\n? {b: c, a: [0x1]}\n: y", "key-duplicate", id="maps"
        ),
        pytest.param("\ufeffa: b\nc: d", "yaml-invalid", id="a mark takes a column"),
        pytest.param("a: [b", "yaml-invalid", id="no YAML"),
        pytest.param("a: !!int b", "yaml-invalid", id="no number"),
        pytest.param("a: !!null ''", "yaml-invalid", id="no null"),
        pytest.param("a: !!bool yes", "yaml-invalid", id="no boolean"),
        pytest.param("a: 18446744073709551616", "yaml-invalid", id="65 bits"),
        pytest.param("a: -9223372036854775809", "yaml-invalid", id="below 64 bits"),
        pytest.param("a: &x [*x]", "yaml-invalid", id="a list in itself"),
        pytest.param("a: b\n---\nc: d", "yaml-invalid", id="two documents"),
    ],
)
def test_what_is_refused(content: str, rule: str) -> None:
    assert read(content) == rule


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        pytest.param("{a: 1, a: [~, 2.5, {b: true}]}", None, id="values"),
        pytest.param("{1: a, ~: b}", None, id="keys of any type"),
        pytest.param("[&x [a], *x, *x]", None, id="aliases"),
        pytest.param("{a: !!str 1}", None, id="a core tag"),
        pytest.param("{a: !x b}", "`!x` is no tag of JSON", id="a tag"),
        pytest.param("{a: !x [b]}", "`!x` is no tag of JSON", id="a tag of a list"),
        pytest.param("{[a]: b}", "a key that is a list or a map", id="a list as a key"),
        pytest.param(
            "{a: !!int b}",
            "a text that does not fit its tag `tag:yaml.org,2002:int`",
            id="no number",
        ),
        pytest.param(
            "[{a: 0x1FFFFFFFFFFFFFFFF}]", "a number of more than 64 bits", id="hex"
        ),
    ],
)
def test_what_json_can_say(content: str, problem: str | None) -> None:
    root = parse_events(content, documents=Documents.ONE)
    assert root is not None
    misfit = find_misfit(root)
    assert (misfit.problem if misfit else None) == problem


def test_the_fields_keep_their_places() -> None:
    text = "a: b"
    fields, _ = read_tree(Header(text, 0, 4), RULE)
    assert fields == {"a": Scalar("b", Style.DOUBLE, 3, 4)}


def test_what_is_tagged_as_one_likes_is_no_text() -> None:
    text = "a: ! b\nc: !d e"
    fields, _ = read_tree(Header(text, 0, len(text)), RULE)
    scalars = [node for node in (fields or {}).values() if isinstance(node, Scalar)]
    kinds = [kind_of(each, ScalarSchema.SERDE_YAML) for each in scalars]
    assert kinds == [Kind.OTHER, Kind.OTHER]


def test_keys_are_compared_so_far_and_no_further() -> None:
    lists = "".join(f"? &l{n + 1} [*l{n}, *l{n}]\n: a\n" for n in range(20))
    assert isinstance(read(f"? &l0 [a]\n: a\n{lists}"), dict)
