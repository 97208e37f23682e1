"""Headers read with npm's `yaml`, and line by line where that fails."""

from __future__ import annotations

from dataclasses import replace

import pytest

from metier.core.nodes import Scalar, Style
from metier.core.readers import (
    FieldShape,
    ReaderEngine,
    ReaderRule,
    Recovery,
    Shapeless,
)
from metier.core.readers.trees import read_tree
from metier.core.readers.two_levels import read_two_levels
from metier.core.scalars import ScalarSchema
from metier.diagnostics import Diagnostic, Position, Severity, Span
from tests.unit.test_tree_readers import header_of, plain, read

STRICT = ReaderRule(engine=ReaderEngine.NPM_YAML_2, schema=ScalarSchema.CORE)
EMPTY = replace(STRICT, shapeless=Shapeless.EMPTY)
LINES = replace(STRICT, recovery=Recovery.TWO_LEVELS)


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        ("a: b\n", {"a": "b"}),
        ("a: &x d\n? *x\n: b\nd: c\n", {"a": "d", "d": "c"}),
        ("<<: {a: b}\n", {"<<": {"a": "b"}}),
        ("!!merge <<: {a: b, c: d}\na: x\n", {"a": "x", "c": "d"}),
        ("!!binary bmFt.ZQ==bg: a\n", {"name": "a"}),
        ("!!binary _-8: a\n!!binary Y: b\n", {"\ufffd\ufffd": "a", "": "b"}),
        ("a: b\n!!binary YQ: c\n", {"a": "c"}),
        ("# nothing\n", {}),
        ("~\n", {}),
    ],
)
def test_the_fields_are_those_of_the_library(content: str, fields: dict[str, object]):
    assert read(content, STRICT) == (fields, [])


@pytest.mark.parametrize("content", ["- a\n", "text\n", "[a]\n", "!!set {a}\n"])
def test_what_is_no_map_is_refused_or_empty(content: str):
    assert read(content, STRICT) == (None, ["frontmatter-not-a-map"])
    assert read(content, EMPTY) == ({}, [])


@pytest.mark.parametrize("rule", [STRICT, EMPTY])
def test_what_is_no_yaml_is_refused(rule: ReaderRule):
    assert read("a: b: c\n", rule) == (None, ["yaml-invalid"])
    assert read("a: b\na: c\n", rule) == (None, ["yaml-invalid"])


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        pytest.param("a: b: c\n", {"a": "b: c"}, id="a colon in a value"),
        pytest.param("- a\nb: c\n", {"b": "c"}, id="a list, and a line"),
        pytest.param("text\n", {}, id="a text"),
        pytest.param("a: 1\na: 2\n", {"a": "2"}, id="the last one counts"),
    ],
)
def test_or_it_is_read_line_by_line(content: str, fields: dict[str, object]):
    assert read(content, LINES) == (fields, ["yaml-recovered"])


def test_the_warning_says_what_was_wrong():
    _, found = read_tree(header_of("a: b: c\n"), LINES)
    assert found == (
        Diagnostic(
            rule="yaml-recovered",
            severity=Severity.WARNING,
            message="the frontmatter is not valid YAML: mapping values are not allowed "
            "here",
            position=Position(2, 5),
            span=Span(8, 11),
            help="the host reads it line by line; most agents drop this skill",
        ),
    )


def test_what_is_yaml_is_not_read_line_by_line():
    assert read("a: b\n  c\n", LINES) == ({"a": "b c"}, [])
    deep = "a: " + "[" * 20 + "]" * 20 + "\n"
    assert read(deep, LINES) == (None, ["yaml-too-deep"])


@pytest.mark.parametrize(
    ("header", "fields"),
    [
        pytest.param("a:b\n c : d ", {"a": "b", "c": "d"}, id="blanks"),
        pytest.param("# a: b\n  # c: d\n\n", {}, id="comments"),
        pytest.param("a: b # c", {"a": "b # c"}, id="no comments behind"),
        pytest.param(": b", {"": "b"}, id="no key"),
        pytest.param("a\nb", {}, id="no colons"),
        pytest.param("a: \u00a0b\ufeff", {"a": "b"}, id="any white space"),
        pytest.param('a: "b \\"c\\" \\\\d"', {"a": 'b "c" \\d'}, id="quoted"),
        pytest.param('a: "\nb: "c\nd: ""', {"a": '"', "b": '"c', "d": ""}, id="quotes"),
        pytest.param("a: 'b'", {"a": "'b'"}, id="single quotes stay"),
        pytest.param(
            "a: true\nb: false\nc: True",
            {"a": "true", "b": "false", "c": "True"},
            id="words",
        ),
        pytest.param("a: b\na: null", {}, id="a null is not there"),
        pytest.param("a:\nb: c", {"b": "c"}, id="nothing is not there"),
        pytest.param("b: c\na:", {"b": "c"}, id="nothing at the end"),
        pytest.param(
            "a:\n  - b\n  -  c \n  - null\nd: e",
            {"a": ["b", "c"], "d": "e"},
            id="a list",
        ),
        pytest.param("a:\n - b", {}, id="one blank is too few"),
        pytest.param("a:\n    - b\n", {"a": {"- b": ""}}, id="four are a map"),
        pytest.param("  - b\n", {"": ["b"]}, id="a list of nothing"),
        pytest.param(
            "a:\n  b: c\n   d:e \n  f\n  b: null",
            {"a": {"d": "e", "f": ""}},
            id="a map",
        ),
        pytest.param(
            "a:\n  b: c\n  - d\ne: f",
            {"": ["d"], "a": {"b": "c"}, "e": "f"},
            id="a list in a map",
        ),
        pytest.param(
            "a:\n  b: c\nd\ne: f", {"a": {"b": "c"}, "e": "f"}, id="a line ends it"
        ),
        pytest.param("  a: b", {"a": "b"}, id="an indented field"),
    ],
)
def test_lines_and_what_is_below_them(header: str, fields: dict[str, object]):
    assert {k: plain(v) for k, v in read_two_levels(header).items()} == fields


@pytest.mark.parametrize(
    ("value", "text", "style"),
    [
        *(("1.50", "1.5", Style.PLAIN), ("+5", "5", Style.PLAIN)),
        *(("-0", "0", Style.PLAIN), (".5", "0.5", Style.PLAIN)),
        *(("5.", "5", Style.PLAIN), ("1e21", "1e+21", Style.PLAIN)),
        *(("0x1F", "31", Style.PLAIN), ("0B11", "3", Style.PLAIN)),
        *(("0o17", "15", Style.PLAIN), ("007", "7", Style.PLAIN)),
        *(("-0x1F", "-0x1F", Style.DOUBLE), ("1_0", "1_0", Style.DOUBLE)),
        *(("1e400", "1e400", Style.DOUBLE), ("Infinity", "Infinity", Style.DOUBLE)),
        *(("٣", "٣", Style.DOUBLE), ("true", "true", Style.PLAIN)),
        ('"5"', "5", Style.DOUBLE),
    ],
)
def test_a_number_is_one_of_javascript(value: str, text: str, style: Style):
    size = len(value)
    assert read_two_levels(f"a: {value}") == {"a": Scalar(text, style, 3, 3 + size)}


@pytest.mark.parametrize(
    ("shape", "good", "bad"),
    [
        (FieldShape.STRING, ["b", "~", "'1'", "&x b", ""], ["1", "[b]", "true", "{}"]),
        (FieldShape.BOOLEAN, ["true", "False", "~"], ["'true'", "yes", "1", "[]"]),
        (FieldShape.LIST, ["[]", "[b, [1]]", "~"], ["b", "{b: c}", "[{}]"]),
        (
            FieldShape.INNER_PATHS,
            ["[]", "['*.py', b/**, ..b, 'bc:/d']", "~"],
            ["b", "[/b]", "[' /b']", "[b/../c]", "['c:x']", "['\\b']", "['b\\..']"],
        ),
    ],
)
def test_a_value_of_another_type_refuses_the_header(
    shape: FieldShape, good: list[str], bad: list[str]
):
    rule = replace(STRICT, types={"a": shape})
    accepted = [each for each in (*good, *bad) if read(f"a: {each}\n", rule)[0]]
    assert accepted == good
    assert read("b: c\n", rule) == ({"b": "c"}, [])


def test_the_finding_stands_at_the_value():
    rule = replace(LINES, types={"a": FieldShape.INNER_PATHS})
    _, found = read_tree(header_of("b: c\na: [../d]\n"), rule)
    assert found == (
        Diagnostic(
            rule="field-misfit",
            severity=Severity.ERROR,
            message="`a` leads out of the project: `../d`",
            position=Position(3, 4),
            span=Span(12, 18),
        ),
    )
