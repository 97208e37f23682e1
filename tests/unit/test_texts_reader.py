"""A header of texts alone: YAML, JSON of what is no scalar, and lines beside it."""

from __future__ import annotations

import pytest

from metier.core.js_json import write_json
from metier.core.names import is_array_index
from metier.core.nodes import Alias, Mapping, Scalar, Sequence
from metier.core.readers import ReaderEngine, ReaderRule, Recovery
from metier.core.readers.texts import read_edge_lines
from metier.core.readers.trees import Header, read_tree
from metier.core.scalars import ScalarSchema
from metier.core.yaml_npm import parse_npm_yaml
from metier.diagnostics import Position, Severity, Span

RULE = ReaderRule(
    engine=ReaderEngine.NPM_YAML_2,
    schema=ScalarSchema.CORE,
    recovery=Recovery.TEXTS,
)


NUMBERS = {"a": "1.5", "b": "31", "c": "true", "d": "Infinity"}


def read(content: str) -> tuple[dict[str, str], list[str]]:
    """The fields as texts, and the rules that spoke."""
    fields, found = read_tree(Header(content, 0, len(content)), RULE)
    assert fields is not None
    texts = {k: v.text for k, v in fields.items() if isinstance(v, Scalar)}
    assert len(texts) == len(fields)
    return texts, [each.rule for each in found]


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        ("a: ' b '\nc: |\n  d\n", {"a": "b", "c": "d"}),
        ("a: 1.50\nb: 0x1F\nc: TRUE\nd: .inf", NUMBERS),
        ("a:\nb: ''\nc: d", {"b": "", "c": "d"}),
        ("a: ~\nb: null", {"a": "~", "b": "null"}),
        ("a: [b, 1, ~]\nc: {d: e}", {"a": '["b",1,null]', "c": "{d: e}"}),
        ("a:\n  b: {c: d}", {"a": '{"b":{"c":"d"}}'}),
        ("a: [b:c]", {"a": "[b:c]"}),
        ("a: &x [b]\nc: *x", {"a": '["b"]', "c": '["b"]'}),
        ("a: &x [*x]\nc: d", {"a": "&x [*x]", "c": "d"}),
        ("1: x\n~: y\n[z]: w\n? {}\n: v", {"1": "x"}),
        ("__proto__: x\na: b", {"a": "b"}),
        ("<<: {a: b}", {"<<": '{"a":"b"}'}),
        ("", {}),
        ("text", {}),
        ("- a: b", {}),
    ],
)  # fmt: skip
def test_all_values_are_texts(content: str, fields: dict[str, str]):
    assert read(content) == (fields, [])


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        ("a: b: c\nd: 'e'\n", {"a": "b: c", "d": "e"}),
        ("a: b: c\nname:\n  x\n\n y\nd: e", {"a": "b: c", "name": "x\n\n y", "d": "e"}),
        ("a: b: c\nd:\n", {"a": "b: c"}),
        ("a: b: c\nd:\n  \ne:\tf", {"a": "b: c", "e": "f"}),
        ("a: b: c\n d: e\nf g: h\ni:j", {"a": "b: c", "i": "j"}),
        ("a: b: c\na: d\na:", {"a": "d"}),
        ("a: b: c\nd: '\ne: \"f'\ng: ''", {"a": "b: c", "e": "\"f'"}),
        ("a: b: c\nd: e\u2028f\ng: \u2028h", {"a": "b: c", "g": "h"}),
        ("a: |\n  b\nc: d: e", {"a": "|", "c": "d: e"}),
    ],
)
def test_what_is_no_yaml_is_read_line_by_line(content: str, fields: dict[str, str]):
    assert read(content) == (fields, ["yaml-recovered"])


def test_what_is_wrong_with_the_yaml_is_told():
    _, found = read_tree(Header("a: 'b", 0, 5), RULE)
    told = found[0]
    assert (told.severity, told.position, told.span) == (
        Severity.WARNING,
        Position(1, 4),
        Span(3, 5),
    )


def test_a_line_knows_where_its_value_stands():
    header = "a: b\nc:\n  d\ne: f"
    lines = read_edge_lines(header)
    spans = {key: header[v.start : v.end] for key, (v, _) in lines.items()}
    assert spans == {"a": "b", "c": "", "e": "f"}
    assert [each.is_inline for each in lines.values()] == [True, False, True]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("{b: 1, 10: x, 9: y, 01: z}", '{"1":"z","9":"y","10":"x","b":1}'),
        ("[.nan, -.inf, 1e21, -0, 0o17]", "[null,null,1e+21,0,15]"),
        ('["\\u2028é\\\\\\n"]', '["\u2028é\\\\\\n"]'),
        ('["\\"\\x01", "\\ud800"]', '["\\"\\u0001","\\ud800"]'),
        ("[[], {}, ~, yes, false]", '[[],{},null,"yes",false]'),
        ("[2026-01-01]", '["2026-01-01"]'),
    ],
)
def test_a_value_as_json_of_javascript(text: str, written: str):
    root = parse_npm_yaml(text)
    assert root is not None
    assert write_json(root) == written


def test_what_holds_itself_has_no_json():
    with pytest.raises(ValueError, match="it holds itself"):
        write_json(Sequence((Mapping(((Scalar("a"), Alias("x", None)),)),)))


@pytest.mark.parametrize(
    ("name", "is_index"),
    [
        ("0", True),
        ("4294967294", True),
        ("4294967295", False),
        ("01", False),
        ("-1", False),
        ("", False),
        ("٣", False),
        ("12345678901", False),
    ],
)
def test_which_names_are_numbers_to_an_object(name: str, is_index: bool):
    assert is_array_index(name) is is_index
