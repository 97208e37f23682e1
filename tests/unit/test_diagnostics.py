"""Findings as values: places, plain values for JSON, and printable text."""

from __future__ import annotations

import pytest

from metier.diagnostics import (
    Diagnostic,
    Lines,
    Position,
    Severity,
    Span,
    diagnostic_at,
    position_of,
    printable,
)


@pytest.mark.parametrize(
    ("offset", "position"),
    [(0, (1, 1)), (1, (1, 2)), (2, (1, 3)), (3, (2, 1)), (4, (2, 2)), (6, (3, 1))],
)
def test_lines_and_columns_start_at_one(offset: int, position: Position) -> None:
    assert position_of("a\r\nb\r\n", offset) == position


@pytest.mark.parametrize("text", ["", "a", "\n", "a\r\nb\r\n", "\n\na\u2028b"])
def test_lines_give_the_same_positions(text: str) -> None:
    lines = Lines(text)
    for offset in range(len(text) + 1):
        assert lines.position(offset) == position_of(text, offset)


def test_a_finding_as_plain_values() -> None:
    found = diagnostic_at(
        "a-rule", Severity.INFO, "that", text="a\nbc", span=Span(3, 4), help="do"
    )
    assert found.located("/x").as_json() == {
        "rule": "a-rule",
        "severity": "info",
        "message": "that",
        "path": "/x",
        "line": 2,
        "column": 2,
        "span": [3, 4],
        "help": "do",
        "source": None,
    }


def test_a_finding_without_a_place_as_plain_values() -> None:
    found = Diagnostic(rule="a-rule", severity=Severity.ERROR, message="that")
    assert found.as_json() == {
        "rule": "a-rule",
        "severity": "error",
        "message": "that",
        "path": None,
        "line": None,
        "column": None,
        "span": None,
        "help": None,
        "source": None,
    }


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 日", "plain é 日"),
        ("a\nb\x00\u200b", "a\\nb\\x00\\u200b"),
        ("x" * 80, "x" * 80),
        ("x" * 81, "x" * 77 + "..."),
    ],
    ids=["as it is", "controls made visible", "just short enough", "cut"],
)
def test_text_for_a_message(text: str, shown: str) -> None:
    assert printable(text) == shown
