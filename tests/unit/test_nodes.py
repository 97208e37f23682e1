"""The tree's own words: what an alias points at, and what an error looks like."""

from __future__ import annotations

import pytest

from metier.core.nodes import (
    Alias,
    Scalar,
    Sequence,
    YamlError,
    diagnose_yaml,
    target_of,
)
from metier.diagnostics import Diagnostic, Position, Severity, Span

WORD = Scalar("word")


@pytest.mark.parametrize(
    ("node", "target"),
    [
        pytest.param(WORD, WORD, id="a scalar is its own"),
        pytest.param(Sequence((WORD,)), Sequence((WORD,)), id="a list is its own"),
        pytest.param(Alias("a", WORD), WORD, id="an alias points at its node"),
        pytest.param(Alias("a", None), None, id="an alias in its own anchor: nothing"),
    ],
)
def test_what_a_node_stands_for(node: Scalar | Alias, target: Scalar | None) -> None:
    assert target_of(node) == target


def test_an_error_becomes_a_finding_that_spans_the_rest_of_its_line() -> None:
    error = YamlError("mapping values here", 9)
    assert diagnose_yaml(
        error, "---\na: b\nc: d: e\n---", header_start=4
    ) == Diagnostic(
        rule="yaml-invalid",
        severity=Severity.ERROR,
        message="the frontmatter is not valid YAML: mapping values here",
        position=Position(3, 5),
        span=Span(13, 16),
        help="quote the value: a plain value cannot hold `: `",
    )


def test_an_error_behind_the_end_is_shown_at_the_end() -> None:
    found = diagnose_yaml(
        YamlError("end", 99, "yaml-too-deep"), "---\na", header_start=4
    )
    assert (found.rule, found.span, found.position) == (
        "yaml-too-deep",
        Span(5, 5),
        Position(2, 2),
    )


@pytest.mark.parametrize(
    ("problem", "remedy"),
    [
        ("undefined alias `*x`", "quote the value: `*` starts an alias"),
        (
            "found character '@' that cannot start any token",
            "quote the value: it starts with a character that YAML reserves",
        ),
        ("did not find expected key", None),
    ],
)
def test_a_remedy_is_given_where_one_is_known(problem: str, remedy: str | None) -> None:
    found = diagnose_yaml(YamlError(problem, 0), "a", header_start=0)
    assert found.help == remedy
