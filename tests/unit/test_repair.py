"""Colon repairs: what two agents rewrite before they read."""

from __future__ import annotations

import pytest

from metier.core.nodes import MAX_HEADER
from metier.core.repair import Repair, expand_go_template, repair_text

NONE, GO, JS, STRIP, QUOTE, *_ = Repair


def repaired(header: str, repair: Repair) -> str:
    """`header` after the repair of a whole file."""
    text = repair_text(f"---\n{header}\n---\nbody", repair)
    assert text.startswith("---\n")
    assert text.endswith("\n---\nbody")
    return text[4:-9]


@pytest.mark.parametrize("repair", [GO, JS])
@pytest.mark.parametrize(
    ("header", "expected"),
    [
        pytest.param("a: b: c", "a: |\n  b: c", id="a colon in the value"),
        pytest.param("a :b:c ", "a: |\n  b:c", id="blanks at the colon"),
        pytest.param("a: {b: c}", "a: |\n  {b: c}", id="a map as well"),
        pytest.param("a: b # c:", "a: |\n  b # c:", id="a comment as well"),
        pytest.param("a: b", "a: b", id="no colon in the value"),
        pytest.param("a:", "a:", id="no value"),
        pytest.param("a: >\n  b: c", "a: >\n  b: c", id="a block scalar"),
        pytest.param("a: |", "a: |", id="a literal"),
        pytest.param("a: 'b: c'", "a: 'b: c'", id="single quotes"),
        pytest.param('a: "b: c"', 'a: "b: c"', id="double quotes"),
        pytest.param("a-b: c: d", "a-b: c: d", id="a hyphen in the key"),
        pytest.param("1a: b: c", "1a: b: c", id="a digit first"),
        pytest.param(" a: b: c", " a: b: c", id="an indented line"),
        pytest.param("# a: b: c", "# a: b: c", id="a comment"),
        pytest.param("text\n\na: b: c\nd: e", "text\n\na: |\n  b: c\nd: e", id="lines"),
    ],
)
def test_a_plain_value_with_a_colon_becomes_a_block(
    repair: Repair, header: str, expected: str
) -> None:
    assert repaired(header, repair) == expected


@pytest.mark.parametrize(
    ("header", "go", "js"),
    [
        pytest.param(
            "a: b: c\r\nd: e", "a: |\n  b: c\nd: e", "a: b: c\r\nd: e", id="CR"
        ),
        pytest.param("a: b:\u2028c", "a: |\n  b:\u2028c", "a: b:\u2028c", id="U+2028"),
        pytest.param("a:\xa0b:c", "a: |\n  b:c", "a: |\n  b:c", id="a hard space"),
        pytest.param(
            "a\xa0: b:c", "a\xa0: b:c", "a: |\n  b:c", id="one before the colon"
        ),
        pytest.param("\ufeff# a: b:", "\ufeff# a: b:", "\ufeff# a: b:", id="a mark"),
        pytest.param("a: b:\x85", "a: |\n  b:", "a: |\n  b:\x85", id="next line"),
        pytest.param("\xa0a: b: c", "\xa0a: b: c", "\xa0a: b: c", id="hard indent"),
        pytest.param("a: $1 b", "a: a: $1 b b", "a: $1 b", id="a group"),
        pytest.param("a: $x: b", "a: |\n  : b", "a: |\n  $x: b", id="a variable"),
    ],
)
def test_where_the_two_repairs_differ(header: str, go: str, js: str) -> None:
    assert (repaired(header, GO), repaired(header, JS)) == (go, js)


@pytest.mark.parametrize("repair", [NONE, GO, JS, STRIP])
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("a: b: c", id="no fence"),
        pytest.param("--- \na: b: c\n---\n", id="blanks behind the opener"),
        pytest.param("---\na: b: c\n", id="no closer"),
        pytest.param("---\n---\na: b: c", id="nothing between the fences"),
    ],
)
def test_a_text_without_a_header_stays(text: str, repair: Repair) -> None:
    assert repair_text(text, repair) == text


def test_no_repair_changes_nothing() -> None:
    assert repaired("a: b: c", NONE) == "a: b: c"


def test_a_repair_goes_up_to_any_line_that_starts_with_the_fence() -> None:
    text = "---\na: b: c\n---x\nd: e: f\n---\n"
    expected = "---\na: |\n  b: c\n---x\nd: e: f\n---\n"
    assert repair_text(text, GO) == expected
    assert repair_text(text, JS) == expected


@pytest.mark.parametrize(
    ("repair", "expected"),
    [
        (GO, "---\na: |\n  b: c\n---\r\nbody"),
        (JS, "---\r\na: |\n  b: c\r\n---\r\nbody"),
    ],
)
def test_carriage_returns_at_the_fences(repair: Repair, expected: str) -> None:
    assert repair_text("---\r\na: b: c\r\n---\r\nbody", repair) == expected


def test_the_header_is_replaced_where_its_text_first_occurs() -> None:
    # The header is a hyphen, and so is the fence's first character.
    assert repair_text("---\n-\n---\n", JS) == "---\n-\n---\n"


GROUPS = ("whole", "header")


@pytest.mark.parametrize(
    ("template", "expanded"),
    [
        ("", ""),
        ("a", "a"),
        ("$0 and $1", "whole and header"),
        ("${0}${1}", "wholeheader"),
        ("$1x", ""),
        ("${1}x", "headerx"),
        ("$2", ""),
        ("$01", ""),
        ("$00", ""),
        ("$1234567890", ""),
        ("$name.", "."),
        ("$é_1.", "."),
        ("$²", "$²"),
        ("$$", "$"),
        ("$$$", "$$"),
        ("$$1", "$1"),
        ("$$$$1", "$$1"),
        ("$$$1", "$header"),
        ("$", "$"),
        ("a$", "a$"),
        ("$ 1", "$ 1"),
        ("${", "${"),
        ("${}", "${}"),
        ("${1", "${1"),
        ("${1 }", "${1 }"),
        ("${a b}", "${a b}"),
        ("$-", "$-"),
    ],
)
def test_a_go_template(template: str, expanded: str) -> None:
    assert expand_go_template(template, groups=GROUPS) == expanded


def test_a_template_grows_to_the_limit_and_no_further() -> None:
    group = "x" * MAX_HEADER
    template = "$1" * 10
    expanded = expand_go_template(template, groups=("", group))
    assert expanded == group * 5 + "$1" * 5


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        pytest.param("a: b: c", "a: |-\n  b: c", id="no final line break"),
        pytest.param("a: b:c\r\nd: e\r", "a: |-\n  b:c\nd: e\r", id="returns"),
        pytest.param("a-b: c: d", "a-b: c: d", id="a hyphen in the key"),
    ],
)
def test_a_block_without_its_final_line_break(header: str, expected: str) -> None:
    assert repaired(header, STRIP) == expected


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        pytest.param("a: b: c", "a: 'b: c'", id="a colon in the value"),
        pytest.param("a-b:  b: 'c' \t", "a-b:  'b: ''c'''", id="any key, blanks"),
        pytest.param("  a:\tb: c # d: e", "  a:\t'b: c' # d: e", id="a comment stays"),
        pytest.param("a: b:\x85c", "a: 'b:\x85c'", id="blanks of Unicode"),
        pytest.param("a: #b: c", "a: #b: c", id="nothing but a comment"),
        pytest.param("a: b:c#d", "a: b:c#d", id="no blank behind the colon"),
        pytest.param("a:b: c", "a:b: c", id="no blank behind the key"),
        pytest.param(" : b: c", " : b: c", id="no key"),
        pytest.param("a b", "a b", id="no colon"),
        pytest.param("a:", "a:", id="no value"),
        pytest.param("a: 'b: c", "a: 'b: c", id="single quotes"),
        pytest.param('a: "b": c', 'a: "b": c', id="double quotes"),
        pytest.param("a: @b", "a: '@b'", id="an at sign"),
        pytest.param("a: `b`", "a: '`b`'", id="a backquote"),
        pytest.param("a: [b] c", "a: '[b] c'", id="a list that is none"),
        pytest.param("a: {b", "a: '{b'", id="a map that is none"),
        pytest.param("a: {b,b}", "a: '{b,b}'", id="a map with a key twice"),
        pytest.param("a: [{b,b}]", "a: '[{b,b}]'", id="the same, deeper"),
        pytest.param("a: {[b],[b]}", "a: '{[b],[b]}'", id="a list for a key, twice"),
        pytest.param("a: [b, {c,d}]", "a: [b, {c,d}]", id="a list"),
        pytest.param("a: {b: c}", "a: '{b: c}'", id="a map with a colon"),
        pytest.param(
            "a: |\n  b: c: d\n\n e: f: g\nh: > i: j\nk: l: m",
            "a: |\n  b: c: d\n\n e: f: g\nh: > i: j\nk: 'l: m'",
            id="not what stands in a block",
        ),
        pytest.param("a: b: c\r\nd: e\r", "a: 'b: c'\nd: e\r", id="returns"),
    ],
)
def test_a_value_that_yaml_refuses_gets_quotes(header: str, expected: str) -> None:
    assert repaired(header, QUOTE) == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a: b: c", id="no fence"),
        pytest.param(f"{' ' * 300}---\na: b: c\n---\n", id="a fence far behind"),
        pytest.param("----\na: b: c\n---\n", id="another fence"),
        pytest.param("---\na: b\n---\nc: d: e", id="nothing to quote"),
        pytest.param(f"---\na: {'b: ' * MAX_HEADER}\n---\n", id="too large"),
    ],
)
def test_what_gets_no_quotes(text: str) -> None:
    assert repair_text(text, QUOTE) == text


def test_the_fences_of_a_quoted_header_may_stand_between_blanks() -> None:
    text = " --- \na: b: c\n ---\nd: e: f\n"
    assert repair_text(text, QUOTE) == " --- \na: 'b: c'\n ---\nd: e: f\n"
