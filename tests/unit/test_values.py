"""Optional fields: which key counts, and what becomes of its node."""

from __future__ import annotations

import pytest

from metier.core.fields import Effect, FieldRule, FieldType, KeyPick, Quotes
from metier.core.nodes import Alias, Mapping, Node, Scalar, Sequence, Style
from metier.core.scalars import ScalarSchema
from metier.core.switches import Switch, find_switch
from metier.core.values import Fields, FieldValue, read_field

WORDS = Scalar("Read, Write")
LIST = Sequence((Scalar("Read"), Scalar(""), Sequence(()), Alias("w", Scalar("Write"))))
MAP = Mapping(
    (
        (Scalar("a"), Scalar("1")),
        (Scalar("b"), LIST),
        (LIST, Scalar("c")),
        (Alias("d", Scalar("d")), Alias("e", Scalar("e"))),
    )
)
NULL = Scalar("null")


def read(
    node: Node | None, kind: FieldType, schema: ScalarSchema = ScalarSchema.CORE
) -> FieldValue:
    return read_field({"key": node}, FieldRule(keys=("key",), type=kind), schema)


@pytest.mark.parametrize(
    ("kind", "node", "value"),
    [
        (FieldType.TEXT, WORDS, "Read, Write"),
        (FieldType.TEXT, Alias("w", WORDS), "Read, Write"),
        (FieldType.TEXT, NULL, None),
        (FieldType.TEXT, Scalar("null", Style.DOUBLE), "null"),
        (FieldType.TEXT, Scalar("", Style.DOUBLE), None),
        (FieldType.TEXT, Scalar("1"), "1"),
        (FieldType.TEXT, LIST, None),
        (FieldType.TEXT, None, None),
        (FieldType.WORDS, Scalar("a, (b c)"), ("a", "(b", "c)")),
        (FieldType.WORDS, LIST, ()),
        (FieldType.TOOLS, Scalar("a, (b c)"), ("a", "(b c)")),
        (FieldType.TOOLS, LIST, ("Read", "Write")),
        (FieldType.TOOLS, MAP, ()),
        (FieldType.PHRASES, Scalar("*.{a,b}, c d"), ("*.{a,b}", "c d")),
        (FieldType.PHRASES, Scalar("'a', \"b\", ''\nit's, d"), ("a", "b", "it's", "d")),
        (FieldType.PHRASES, LIST, ("Read", "Write")),
        (FieldType.TOOLS, None, ()),
        (FieldType.BLANK_WORDS, Scalar(" 'a,\tb'\n"), ("'a,", "b'")),
        (FieldType.BLANK_WORDS, LIST, ("Read", "Write")),
        (FieldType.TEXT_MAP, MAP, {"a": "1", "d": "e"}),
        (FieldType.TEXT_MAP, WORDS, None),
        (FieldType.FLAG, Scalar("true"), True),
        (FieldType.FLAG, Scalar("True", Style.DOUBLE), True),
        (FieldType.FLAG, Scalar("false"), False),
        (FieldType.FLAG, Scalar("yes"), False),
        (FieldType.FLAG, Scalar("1"), False),
        (FieldType.FLAG, LIST, False),
        (FieldType.FLAG, None, False),
    ],
)
def test_the_value_of_a_node(
    kind: FieldType, node: Node | None, value: FieldValue
) -> None:
    assert read(node, kind) == value


@pytest.mark.parametrize(
    ("text", "schema", "is_set"),
    [
        ("yes", ScalarSchema.YAML_1_1, True),
        ("off", ScalarSchema.YAML_1_1, False),
        ("TrUe", ScalarSchema.TEXT, True),
        ("ᵀrue", ScalarSchema.TEXT, False),
        ("yes", ScalarSchema.TEXT, False),
    ],
)
def test_what_a_flag_says_is_the_schemas_business(
    text: str, schema: ScalarSchema, is_set: bool
) -> None:
    assert read(Scalar(text), FieldType.FLAG, schema) is is_set


@pytest.mark.parametrize(
    ("node", "effect", "is_set"),
    [
        (Scalar("TRUE"), Effect.NONE, True),
        (Scalar("false"), Effect.BARS_PEOPLE, False),
        (Scalar("no"), Effect.BARS_PEOPLE, True),
        (Scalar("no"), Effect.HIDES, False),
        (LIST, Effect.BARS_PEOPLE, True),
        (None, Effect.NONE, False),
    ],
)
def test_a_flag_of_two_words_knows_no_third(
    node: Node | None, effect: Effect, *, is_set: bool
) -> None:
    rule = FieldRule(keys=("key",), type=FieldType.WORD_FLAG, effect=effect)
    assert read_field({"key": node}, rule, ScalarSchema.TEXT) is is_set


@pytest.mark.parametrize(
    ("node", "effect", "is_set"),
    [
        (Scalar("true"), Effect.HIDES, True),
        (Scalar("True"), Effect.HIDES, True),
        (Scalar("false"), Effect.HIDES, False),
        (Scalar("true", Style.DOUBLE), Effect.HIDES, False),
        (Scalar("yes"), Effect.HIDES, False),
        (Sequence(()), Effect.HIDES, False),
        (None, Effect.HIDES, False),
        (Scalar("false"), Effect.BARS_PEOPLE, False),
        (Scalar("false", Style.DOUBLE), Effect.BARS_PEOPLE, True),
    ],
)
def test_a_boolean_is_no_word(
    node: Node | None, effect: Effect, *, is_set: bool
) -> None:
    rule = FieldRule(keys=("key",), type=FieldType.BOOLEAN, effect=effect)
    assert read_field({"key": node}, rule, ScalarSchema.CORE) is is_set


@pytest.mark.parametrize(
    ("node", "effect", "is_set"),
    [
        (Scalar("True"), Effect.HIDES, True),
        (Scalar("true", Style.DOUBLE), Effect.HIDES, True),
        (Scalar("TRUE", Style.DOUBLE), Effect.HIDES, False),
        (Scalar("1"), Effect.HIDES, False),
        (Scalar("false", Style.DOUBLE), Effect.BARS_PEOPLE, False),
        (Scalar("no", Style.DOUBLE), Effect.BARS_PEOPLE, True),
    ],
)
def test_or_it_may_be_one(node: Node, effect: Effect, *, is_set: bool) -> None:
    rule = FieldRule(keys=("key",), type=FieldType.BOOLEAN_OR_WORD, effect=effect)
    assert read_field({"key": node}, rule, ScalarSchema.CORE) is is_set


@pytest.mark.parametrize(
    ("kind", "node", "value"),
    [
        (FieldType.STRING, Scalar("a"), "a"),
        (FieldType.STRING, Scalar("1"), None),
        (FieldType.STRING, Scalar("", Style.DOUBLE), None),
        (FieldType.TEXT, Scalar("1"), "1"),
        (FieldType.TOOLS, Scalar("~"), ()),
        (FieldType.PHRASES, Sequence((Scalar("~"), Scalar(" "), Scalar("a"))), ("a",)),
    ],
)
def test_a_null_is_neither_a_text_nor_an_item(
    kind: FieldType, node: Node, value: FieldValue
) -> None:
    rule = FieldRule(keys=("key",), type=kind)
    assert read_field({"key": node}, rule, ScalarSchema.CORE) == value


@pytest.mark.parametrize(
    ("kind", "node", "value"),
    [
        (FieldType.TEXT, Scalar("'a'"), "a"),
        (FieldType.TEXT, Scalar("'a"), "'a"),
        (FieldType.TEXT, Scalar('"'), None),
        (FieldType.WORD_FLAG, Scalar("'true'"), True),
        (FieldType.EXACT_FLAG, Scalar("true"), True),
        (FieldType.EXACT_FLAG, Scalar("True"), False),
        (FieldType.ANSWER, Scalar(" Yes"), True),
        (FieldType.ANSWER, Scalar("1"), True),
        (FieldType.ANSWER, Scalar("off"), False),
        (FieldType.ANSWER, Scalar("2"), False),
        (FieldType.BLANK_WORDS, Scalar("'a b'"), ("a", "b")),
        (FieldType.BLANK_WORDS, Sequence((Scalar("'a b'"),)), ("a b",)),
    ],
)
def test_quotes_may_be_taken_off(
    kind: FieldType, node: Node, value: FieldValue
) -> None:
    rule = FieldRule(keys=("key",), type=kind, quotes=Quotes.STRIP)
    assert read_field({"key": node}, rule, ScalarSchema.TEXT) == value


@pytest.mark.parametrize(
    ("pick", "value"),
    [(KeyPick.FIRST_LISTED, "listed first"), (KeyPick.LAST_WRITTEN, "written last")],
)
def test_which_of_two_spellings_counts(pick: KeyPick, value: str) -> None:
    fields: Fields = {
        "a-b": Scalar("listed first"),
        "c": Scalar("other"),
        "a_b": Scalar("written last"),
        "d": Scalar("other"),
    }
    rule = FieldRule(keys=("ab", "a-b", "a_b"), type=FieldType.TEXT, pick=pick)
    assert read_field(fields, rule, ScalarSchema.CORE) == value


def test_a_field_that_is_not_there_has_no_value() -> None:
    rule = FieldRule(keys=("key",), type=FieldType.TEXT)
    assert read_field({}, rule, ScalarSchema.CORE) is None


SWITCH = FieldRule(keys=("disabled", "enabled"), type=FieldType.OFF_SWITCH)
ON, OFF = Scalar("true"), Scalar("FALSE")
WORD = Scalar("true", Style.DOUBLE)


@pytest.mark.parametrize(
    ("fields", "switch"),
    [
        ({}, None),
        ({"disabled": ON}, Switch("disabled", is_off=True)),
        ({"disabled": OFF}, Switch("disabled", is_off=False)),
        ({"enabled": ON}, Switch("enabled", is_off=False)),
        ({"enabled": OFF}, Switch("enabled", is_off=True)),
        ({"enabled": OFF, "disabled": OFF}, Switch("disabled", is_off=False)),
        ({"enabled": OFF, "disabled": NULL}, Switch("enabled", is_off=True)),
        ({"enabled": Alias("a", OFF)}, Switch("enabled", is_off=True)),
        ({"enabled": NULL}, None),
        ({"enabled": OFF, "disabled": WORD}, Switch("disabled", is_off=None)),
        ({"disabled": LIST}, Switch("disabled", is_off=None)),
        ({"disabled": None}, Switch("disabled", is_off=None)),
    ],
)
def test_a_switch_has_two_sides(fields: Fields, switch: Switch | None) -> None:
    assert find_switch(fields, SWITCH, ScalarSchema.CORE) == switch
    is_off = switch is not None and switch.is_off is True
    assert read_field(fields, SWITCH, ScalarSchema.CORE) is is_off
