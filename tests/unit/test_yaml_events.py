"""libyaml's events as a tree with spans, built without recursion."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from metier.core import yaml_events
from metier.core.nodes import (
    MAX_DEPTH,
    Alias,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Style,
    YamlError,
)
from metier.core.yaml_events import Documents, parse_events, problem_of


@pytest.fixture(
    params=[
        pytest.param(yaml.SafeLoader, id="pure"),
        pytest.param(getattr(yaml, "CSafeLoader", yaml.SafeLoader), id="libyaml"),
    ],
    autouse=True,
)
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The parser with and without libyaml: the answers are the same."""
    monkeypatch.setattr(yaml_events, "LOADER", request.param)
    return request.param


def parse(text: str) -> Node | None:
    return parse_events(text, documents=Documents.ONE)


def error_of(text: str) -> YamlError:
    with pytest.raises(YamlError) as caught:
        parse(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "scalar"),
    [
        ("a b", Scalar("a b", Style.PLAIN, 0, 3)),
        ("'a''b'", Scalar("a'b", Style.SINGLE, 0, 6)),
        (' "\\u00e9" ', Scalar("é", Style.DOUBLE, 1, 9)),
        ("|\n a\n", Scalar("a\n", Style.LITERAL, 0, 5)),
        (">-\n a\n b\n", Scalar("a b", Style.FOLDED, 0, 9)),
        ("!!str 1", Scalar("1", Style.PLAIN, 0, 7, "tag:yaml.org,2002:str")),
        ("!", Scalar("", Style.PLAIN, 0, 1, "!")),
    ],
)
def test_scalars_know_their_style_their_place_and_their_tag(
    text: str, scalar: Scalar
) -> None:
    assert parse(text) == scalar


@pytest.mark.parametrize("text", ["", "\n", "# comment", " \n# a\n"])
def test_no_node_is_none(text: str) -> None:
    assert parse(text) is None


def test_a_tree_keeps_order_and_duplicates() -> None:
    assert parse("{b: 1, a: [x, []], b: {}}") == Mapping(
        (
            (Scalar("b", Style.PLAIN, 1, 2), Scalar("1", Style.PLAIN, 4, 5)),
            (
                Scalar("a", Style.PLAIN, 7, 8),
                Sequence(
                    (Scalar("x", Style.PLAIN, 11, 12), Sequence((), 14, 16)), 10, 17
                ),
            ),
            (Scalar("b", Style.PLAIN, 19, 20), Mapping((), 22, 24)),
        ),
        0,
        25,
    )


def test_collections_keep_their_tags() -> None:
    root = parse("!mine [!!map {}]")
    assert isinstance(root, Sequence)
    assert (root.tag, root.items[0]) == (
        "!mine",
        Mapping((), 7, 15, "tag:yaml.org,2002:map"),
    )


@pytest.mark.parametrize(
    ("text", "alias"),
    [
        pytest.param(
            "[&x a, *x]",
            Alias("x", Scalar("a", Style.PLAIN, 1, 5), 7, 9),
            id="a scalar",
        ),
        pytest.param("[&x [], *x]", Alias("x", Sequence((), 1, 6), 8, 10), id="a list"),
        pytest.param(
            "[&x a, &x b, *x]",
            Alias("x", Scalar("b", Style.PLAIN, 7, 11), 13, 15),
            id="the last of two anchors",
        ),
        pytest.param(
            "[&x [&x a], *x]",
            Alias("x", Scalar("a", Style.PLAIN, 5, 9), 12, 14),
            id="the one that started last",
        ),
    ],
)
def test_an_alias_points_at_its_node(text: str, alias: Alias) -> None:
    root = parse(text)
    assert isinstance(root, Sequence)
    assert root.items[-1] == alias


def test_an_alias_inside_its_own_anchor_points_nowhere() -> None:
    root = parse("&x [*x]")
    assert root == Sequence((Alias("x", None, 4, 6),), 0, 7)


def test_an_alias_without_an_anchor_is_an_error() -> None:
    error = error_of("a: *x")
    assert (error.problem, error.offset) == ("undefined alias `*x`", 3)


@pytest.mark.parametrize(
    ("documents", "text", "root"),
    [
        (Documents.FIRST, "a\n---\nb: *x", Scalar("a", Style.PLAIN, 0, 1)),
        (Documents.FIRST, "a\n...\n", Scalar("a", Style.PLAIN, 0, 1)),
        (Documents.ONE, "---\na\n...\n", Scalar("a", Style.PLAIN, 4, 5)),
    ],
)
def test_one_document_is_read(documents: Documents, text: str, root: Node) -> None:
    assert parse_events(text, documents=documents) == root


@pytest.mark.parametrize("text", ["a\n---\nb", "---\n---\nb"])
def test_a_second_document_is_an_error(text: str) -> None:
    error = error_of(text)
    assert (error.problem, error.rule) == (
        "expected a single document",
        "yaml-invalid",
    )


@pytest.mark.parametrize("opener", ["[", "{a: ", "- "])
def test_nesting_ends_at_the_limit(opener: str) -> None:
    error = error_of(opener * (MAX_DEPTH + 1))
    assert (error.rule, error.offset, error.problem) == (
        "yaml-too-deep",
        MAX_DEPTH * len(opener),
        "nested deeper than 16 levels",
    )


def test_nesting_up_to_the_limit_is_read() -> None:
    root = parse("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    assert isinstance(root, Sequence)


def test_an_error_of_the_parser_keeps_its_place() -> None:
    error = error_of("a: b: c")
    assert (error.problem, error.offset, error.rule) == (
        "mapping values are not allowed in this context"
        if yaml_events.LOADER is not yaml.SafeLoader
        else "mapping values are not allowed here",
        4,
        "yaml-invalid",
    )


def test_a_control_character_is_an_error_at_its_place() -> None:
    error = error_of("a\x01")
    assert error.offset in (0, 1)  # libyaml counts none where it has read nothing
    assert "not allowed" in error.problem


def test_a_lone_surrogate_is_an_error(loader: Any) -> None:
    if loader is yaml.SafeLoader:
        assert "not allowed" in error_of("a\ud800").problem
        return
    error = error_of("a\ud800")
    assert (error.problem, error.offset) == ("invalid UTF-8", 1)


def test_an_error_without_any_place_is_put_at_the_start() -> None:
    error = problem_of(yaml.MarkedYAMLError("while reading"))
    assert (error.problem, error.offset) == ("while reading", 0)


def test_an_error_of_bytes_has_no_place_in_the_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(text: str) -> None:
        raise yaml.reader.ReaderError("<text>", b"", b"?", "utf-8", "not that")

    monkeypatch.setattr(yaml_events, "LOADER", refuse)
    error = error_of("a")
    assert (error.problem, error.offset) == ("not that", 0)


@pytest.mark.parametrize("escape", ["\\ud83d", "\\ud83d\\udd2c", "\\uDFFF"])
def test_half_a_character_is_no_escape(escape: str) -> None:
    error = error_of(f'a: "{escape}"')
    assert "found invalid Unicode character escape code" in error.problem


@pytest.mark.parametrize(
    "text",
    ['"\\UFFFFFFFF"', "%YAML 1." + "1" * 5000 + "\n---\na"],
    ids=["escape", "version"],
)
def test_numbers_out_of_range_are_errors(text: str) -> None:
    assert error_of(text).rule == "yaml-invalid"
