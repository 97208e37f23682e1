"""What a plain scalar is to each engine; the answers are those of the engines."""

from __future__ import annotations

import pytest

from metier.core.nodes import Scalar, Style
from metier.core.scalars import (
    Kind,
    ScalarSchema,
    fits_its_tag,
    is_serde_flag,
    is_true,
    kind_of,
    kind_of_plain,
)

STRING, NULL, BOOL, INT, FLOAT, TIMESTAMP, OTHER = Kind
TEXT = ScalarSchema.TEXT
CORE = ScalarSchema.CORE
YAML_1_1 = ScalarSchema.YAML_1_1
GO_YAML = ScalarSchema.GO_YAML
JS_YAML_3 = ScalarSchema.JS_YAML_3
JS_YAML_4_1 = ScalarSchema.JS_YAML_4_1
COMPARED = (TEXT, CORE, YAML_1_1, GO_YAML, JS_YAML_3)
# Text: core, YAML 1.1, Go, JavaScript.
KINDS = {
    "word": (STRING, STRING, STRING, STRING),
    "": (NULL, NULL, NULL, NULL),
    "~": (NULL, NULL, NULL, NULL),
    "Null": (NULL, NULL, NULL, NULL),
    "nULL": (STRING, STRING, STRING, STRING),
    "TRUE": (BOOL, BOOL, BOOL, BOOL),
    "tRUE": (STRING, STRING, STRING, STRING),
    "yes": (STRING, BOOL, STRING, STRING),
    "Off": (STRING, BOOL, STRING, STRING),
    "y": (STRING, STRING, STRING, STRING),
    "none": (STRING, STRING, STRING, STRING),
    "0": (INT, INT, INT, INT),
    "+12": (INT, INT, INT, INT),
    "012": (INT, INT, INT, INT),
    "09": (INT, STRING, FLOAT, STRING),
    "0o17": (INT, STRING, INT, STRING),
    "0x1F": (INT, INT, INT, INT),
    "0b101": (STRING, INT, INT, INT),
    "1_000": (STRING, INT, INT, INT),
    "1_": (STRING, INT, INT, STRING),
    "190:20:30": (STRING, INT, STRING, INT),
    "1:30.5": (STRING, FLOAT, STRING, FLOAT),
    "1.5": (FLOAT, FLOAT, FLOAT, FLOAT),
    "1.": (FLOAT, FLOAT, FLOAT, FLOAT),
    ".5": (FLOAT, FLOAT, FLOAT, FLOAT),
    "1e3": (FLOAT, STRING, FLOAT, FLOAT),
    "1.0e+3": (FLOAT, FLOAT, FLOAT, FLOAT),
    "01.5": (FLOAT, FLOAT, FLOAT, STRING),
    ".inf": (FLOAT, FLOAT, FLOAT, FLOAT),
    "-.Inf": (FLOAT, FLOAT, FLOAT, FLOAT),
    ".NaN": (FLOAT, FLOAT, FLOAT, FLOAT),
    ".": (STRING, STRING, STRING, STRING),
    "-": (STRING, STRING, STRING, STRING),
    "1.2.3": (STRING, STRING, STRING, STRING),
    "2026-01-01": (STRING, TIMESTAMP, TIMESTAMP, TIMESTAMP),
    "2026-1-1": (STRING, STRING, TIMESTAMP, STRING),
    "2001-12-14t21:59:43.10-05:00": (STRING, TIMESTAMP, TIMESTAMP, TIMESTAMP),
    "2020-01-01 10:00:00 +2": (STRING, TIMESTAMP, STRING, TIMESTAMP),
    "١٢": (STRING, STRING, STRING, STRING),
}


@pytest.mark.parametrize(
    ("text", "schema", "kind"),
    [
        pytest.param(text, schema, kind, id=f"{schema.value}-{text}")
        for text, kinds in KINDS.items()
        for schema, kind in zip(COMPARED, (STRING, *kinds), strict=True)
    ],
)
def test_what_a_plain_scalar_is(text: str, schema: ScalarSchema, kind: Kind) -> None:
    assert kind_of_plain(text, schema) is kind
    assert kind_of(Scalar(text), schema) is kind


JS_4_1 = {
    NULL: ("", "~", "null"),
    BOOL: ("true", "FALSE"),
    INT: ("0", "+12", "012", "09", "0o17", "-0x1F", "0b101", "1_000", "0_1"),
    FLOAT: ("1.5", "1.", ".5", "1e3", "1_0.5", ".inf", "-.INF", ".nan"),
    TIMESTAMP: ("2024-01-02", "2024-1-2 1:02:03"),
    STRING: ("yes", "1_", "_1", "0o8", "+.nan", "12:30", "2024-1-2", "._", "1._"),
}


@pytest.mark.parametrize(
    ("text", "kind"), [(text, kind) for kind, texts in JS_4_1.items() for text in texts]
)
def test_what_a_plain_scalar_is_to_js_yaml_4_1(text: str, kind: Kind) -> None:
    assert kind_of_plain(text, JS_YAML_4_1) is kind


@pytest.mark.parametrize("style", [s for s in Style if s is not Style.PLAIN])
@pytest.mark.parametrize("schema", ScalarSchema)
def test_quoted_text_is_a_string_whatever_it_says(
    style: Style, schema: ScalarSchema
) -> None:
    assert kind_of(Scalar("1", style), schema) is STRING


@pytest.mark.parametrize(
    ("tag", "kind"),
    [
        ("!", STRING),
        ("!mine", OTHER),
        ("tag:yaml.org,2002:str", STRING),
        ("tag:yaml.org,2002:null", NULL),
        ("tag:yaml.org,2002:timestamp", TIMESTAMP),
        ("tag:yaml.org,2002:binary", OTHER),
    ],
)
def test_a_tag_decides_before_the_text(tag: str, kind: Kind) -> None:
    assert kind_of(Scalar("1", tag=tag), YAML_1_1) is kind


@pytest.mark.parametrize(
    ("tag", "text", "fits"),
    [
        (None, "x", True),
        ("!mine", "x", True),
        ("str", "x", True),
        ("int", "1", True),
        ("int", "1.5", False),
        ("int", "x", False),
        ("float", "1.5", True),
        ("float", "1", True),
        ("bool", "true", True),
        ("bool", "yes", False),
        ("null", "", True),
    ],
)
def test_whether_the_text_fits_its_tag(tag: str | None, text: str, fits: bool) -> None:
    full = f"tag:yaml.org,2002:{tag}" if tag and tag.isalpha() else tag
    assert fits_its_tag(Scalar(text, tag=full), GO_YAML) is fits


@pytest.mark.parametrize(
    ("text", "says_yes"),
    [("true", True), ("YES", True), ("On", True), ("false", False), ("n", False)],
)
def test_what_a_boolean_says(text: str, says_yes: bool) -> None:
    assert is_true(text) is says_yes


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("0", INT),
        ("-0", INT),
        ("+12", INT),
        ("012", STRING),
        ("-00", STRING),
        ("0x1F", INT),
        ("-0o17", INT),
        ("0b2", STRING),
        ("1_000", STRING),
        ("01.5", FLOAT),
        ("1.", FLOAT),
        (".5e3", FLOAT),
        ("00e1", FLOAT),
        ("+.inf", FLOAT),
        ("-.nan", STRING),
        ("inf", STRING),
        ("2020-01-01", STRING),
        ("True", BOOL),
        ("yes", STRING),
        ("~", NULL),
    ],
)
def test_what_serde_yaml_takes_for_more_than_a_text(text: str, kind: Kind) -> None:
    assert kind_of_plain(text, ScalarSchema.SERDE_YAML) is kind


@pytest.mark.parametrize(
    ("scalar", "is_flag"),
    [
        (Scalar("true"), True),
        (Scalar("FALSE", tag="!mine"), True),
        (Scalar("true", Style.DOUBLE), False),
        (Scalar("true", Style.LITERAL, tag="tag:yaml.org,2002:bool"), True),
        (Scalar("true", Style.LITERAL), False),
        (Scalar("yes"), False),
    ],
)
def test_what_serde_yaml_reads_into_a_flag(scalar: Scalar, is_flag: bool) -> None:
    assert is_serde_flag(scalar) is is_flag
