"""Aliases as serde_yaml understands them, where two anchors have one name."""

from __future__ import annotations

from typing import Any

import pytest

from metier.core.nodes import (
    Alias,
    Documents,
    Node,
    Scalar,
    Sequence,
    Style,
    YamlError,
)
from metier.core.yaml_serde import parse_serde_yaml
from tests.making import library


def parse(text: str) -> Node | None:
    return parse_serde_yaml(text, documents=Documents.ONE)


def plain(node: Node | None) -> Any:
    """`node` without its places; `...` for an alias in what it stands for."""
    target = node.target if isinstance(node, Alias) else node
    if target is None:
        return ...
    if isinstance(target, Scalar):
        return target.text
    if isinstance(target, Sequence):
        return [plain(each) for each in target.items]
    return {plain(key): plain(value) for key, value in target.entries}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("[&x a, *x, &y b, *y, *x]", list("aabba"), id="two names"),
        pytest.param("[&x a, *x, &x b, *x]", list("aabb"), id="one name"),
        pytest.param(
            "[&x a, *x, &x b, *x, &y c, *x, *y]", list("aabcccc"), id="a later name"
        ),
        pytest.param(
            "[&x a, &y b, &x c, *y, &z d, *x]", list("abcbdd"), id="another between"
        ),
        pytest.param("[&x a, &x b, *x, &y [c]]", ["a", "b", ["c"], ["c"]], id="a list"),
        pytest.param(
            "{&x a: &x b, c: *x, &y d: *y}", {"a": "b", "c": "d", "d": "d"}, id="keys"
        ),
        pytest.param("[&x a, &x b, &y [*x]]", ["a", "b", [...]], id="in itself"),
        pytest.param(
            "[&x a, &x b, *x, &y [*x]]", ["a", "b", [...], [...]], id="both ways"
        ),
        pytest.param("&x [&x a, *x]", ["a", "a"], id="a name within its own"),
    ],
)
def test_an_alias_stands_for_what_has_its_number_last(text: str, expected: object):
    assert plain(parse(text)) == expected


def test_a_node_keeps_its_place_and_its_tag():
    assert parse("[&x a, &x !b 'c', *x]") == Sequence(
        (
            Scalar("a", Style.PLAIN, 1, 5),
            Scalar("c", Style.SINGLE, 7, 16, "!b"),
            Alias("x", Scalar("c", Style.SINGLE, 7, 16, "!b"), 18, 20),
        ),
        0,
        21,
    )


def test_other_files_are_read_as_always():
    assert parse("") is None
    assert plain(parse("{a: &x b, c: *x}")) == {"a": "b", "c": "b"}
    assert plain(parse("\ufeff[a & b & c]")) == ["a & b & c"]
    with pytest.raises(YamlError, match="undefined alias"):
        parse("[&x a, &x b, *y]")


def test_only_the_first_document_counts_where_there_may_be_more():
    text = "[&x a, &x b, *x]\n---\n&y c"
    assert plain(parse_serde_yaml(text, documents=Documents.FIRST)) == list("abb")


def test_aliases_that_lead_on_and_on_end_somewhere():
    links = "".join(f", &a{n} [*a{n - 1}, *x]" for n in range(1, 400))
    parsed = plain(parse(f"[&x a, &x b, &a0 c{links}]"))
    assert parsed[:3] == ["a", "b", "c"]
    assert len(parsed) == 402


def test_a_description_is_what_the_agent_takes_for_it():
    header = "a: &x one\nb: &x two\ndescription: *x\nc: &y three\nname: pdf"
    path = "/proj/.agents/skills/pdf/SKILL.md"
    (found,) = library({path: f"---\n{header}\n---\n"}, "codex")
    assert found.description == "three"
