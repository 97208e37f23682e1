"""Double quotes around what YAML may refuse: what is quoted, and what is left."""

from __future__ import annotations

import pytest

from metier.core.nodes import MAX_HEADER
from metier.core.repair import Repair, repair_text


def quoted(line: str) -> str:
    text = repair_text(f"---\n{line}\n---\nbody: @x\n", Repair.QUOTE_SPECIAL)
    assert text.startswith("---\n")
    assert text.endswith("\n---\nbody: @x\n")
    return text[4 : -len("\n---\nbody: @x\n")]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a: b: c", 'a: "b: c"'),
        ("a: @b", 'a: "@b"'),
        ("a: b # c", 'a: "b # c"'),
        ("a:   b! ", 'a: "b! "'),
        ("a:\u3000b!", 'a: "b!"'),
        ("a-b_C: *x", 'a-b_C: "*x"'),
        ("a: {b: c}", 'a: "{b: c}"'),
        ("a: [b", 'a: "[b"'),
        ("a: [@b]", 'a: "[@b]"'),
        ("a: [b]: [c]", 'a: "[b]: [c]"'),
        ('a: "b" @', 'a: "\\"b\\" @"'),
        ("a: b\\: c", 'a: "b\\\\: c"'),
        ('a: "b: c', 'a: "\\"b: c"'),
        ("a: >", 'a: ">"'),
        ("a: |-", 'a: "|-"'),
    ],
)
def test_a_value_with_a_special_sign_gets_quotes(line: str, expected: str) -> None:
    assert quoted(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "a: b",
        "a: b:c",
        "a: - b",
        "a: [b, c]",
        "a: ['@', {b: c}]",
        'a: "b: c"',
        "a: 'b: c'",
        "a:b: c",
        "a:",
        " a: b: c",
        "a b: c: d",
        "a1: b: c",
        "a : b: c",
        "a: b: c\r",
        "a: b@\u2028c",
        "text @",
    ],
)
def test_everything_else_stays(line: str) -> None:
    assert quoted(line) == line


def test_tabs_that_a_line_starts_with_are_two_blanks_each() -> None:
    assert quoted("a:\n\tb: @\n\t\tc\n \td\te") == "a:\n  b: @\n    c\n \td\te"


@pytest.mark.parametrize("text", ["a: @b", "---\na: @b\n", "--- a: @b ---"])
def test_a_text_without_a_header_stays(text: str) -> None:
    assert repair_text(text, Repair.QUOTE_SPECIAL) == text


def test_a_header_that_is_too_large_stays() -> None:
    text = "---\na: @" + "b" * MAX_HEADER + "\n---\n"
    assert repair_text(text, Repair.QUOTE_SPECIAL) == text
