"""What a plain scalar means, as each YAML engine would have it.

The tree keeps plain scalars as text. A dialect's schema decides here whether
`yes`, `1_000` or `2026-01-01` is a string, and what a field that wants a string
makes of it.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import cache

from metier.core.nodes import Scalar, Style


class Kind(Enum):
    """The type that a schema gives to a scalar."""

    STRING = "string"
    NULL = "null"
    BOOL = "bool"
    INT = "int"
    FLOAT = "float"
    TIMESTAMP = "timestamp"
    OTHER = "other"  # a tag that makes something else of it


class ScalarSchema(Enum):
    """Whose rules for plain scalars hold."""

    TEXT = "text"  # everything is a string, also an empty value
    CORE = "core"  # YAML 1.2 core
    YAML_1_1 = "yaml-1.1"  # PyYAML
    GO_YAML = "go-yaml"  # gopkg.in/yaml.v3
    GOCCY_YAML = "goccy-yaml"  # goccy/go-yaml
    SERDE_YAML = "serde-yaml"
    JS_YAML_3 = "js-yaml-3"
    JS_YAML_4_1 = "js-yaml-4.1"
    BUN = "bun"


_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_BOOLS = frozenset(("true", "True", "TRUE", "false", "False", "FALSE"))
_BOOLS_1_1 = _BOOLS | {
    word
    for stem in ("yes", "no", "on", "off")
    for word in (stem, stem.capitalize(), stem.upper())
}
_TRUES = frozenset(("true", "yes", "on"))

_TIMESTAMP = (
    r"\d\d\d\d-\d\d-\d\d|\d\d\d\d-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?"
    r":\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?"
)

_PATTERNS: dict[ScalarSchema, tuple[tuple[Kind, str], ...]] = {
    ScalarSchema.TEXT: (),
    ScalarSchema.CORE: (
        (Kind.INT, r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"),
        (
            Kind.FLOAT,
            (
                r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
                r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
            ),
        ),
    ),
    ScalarSchema.YAML_1_1: (
        (
            Kind.INT,
            (
                r"[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)"
                r"|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+"
            ),
        ),
        (
            Kind.FLOAT,
            (
                r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?"
                r"|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?"
                r"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*"
                r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
            ),
        ),
        (Kind.TIMESTAMP, _TIMESTAMP),
    ),
    ScalarSchema.GO_YAML: (
        (
            Kind.TIMESTAMP,
            (
                r"\d{4}-\d\d?-\d\d?(?:[Tt]\d\d?:\d\d?:\d\d?(?:[.,]\d+)?"
                r"(?:Z|[-+]\d\d:\d\d)| \d\d?:\d\d?:\d\d?(?:[.,]\d+)?)?"
            ),
        ),
        (
            Kind.INT,
            (
                r"[-+]?(?:0_*[xX][0-9a-fA-F_]+|0_*[oO][0-7_]+|0_*[bB][01_]+"
                r"|0[0-7_]*|[1-9][0-9_]*)"
            ),
        ),
        (
            Kind.FLOAT,
            (
                r"[-+]?(?:\.[0-9]+|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9]+)?"
                r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
            ),
        ),
    ),
    ScalarSchema.SERDE_YAML: (
        # Leading zeros make a text of digits.
        (Kind.INT, r"[-+]?(?:0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+|0|[1-9][0-9]*)"),
        (
            Kind.FLOAT,
            (
                r"[-+]?(?:(?!0[0-9]+\Z)[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
                r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
            ),
        ),
    ),
    # What may be a number; `yaml_goccy_tokens` knows.
    ScalarSchema.GOCCY_YAML: (
        (Kind.INT, r"[-+.]*[0-9].*"),
        (Kind.FLOAT, r"[-+]?\.\w+"),
    ),
    ScalarSchema.JS_YAML_3: (
        (
            Kind.INT,
            (
                r"[-+]?(?:0b_*[01][01_]*(?<!_)|0x_*[0-9a-fA-F][0-9a-fA-F_]*(?<!_)"
                r"|0(?:_*[0-7][0-7_]*(?<!_))?|[1-9][0-9_]*(?<!_)"
                r"|[1-9][0-9_]*(?::[0-5]?[0-9])+)"
            ),
        ),
        (
            Kind.FLOAT,
            (
                r"(?:[-+]?(?:0|[1-9][0-9_]*)(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?"
                r"|\.[0-9_]+(?:[eE][-+]?[0-9]+)?"
                r"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*"
                r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))(?<!_)"
            ),
        ),
        (Kind.TIMESTAMP, _TIMESTAMP),
    ),
    ScalarSchema.JS_YAML_4_1: (
        (
            Kind.INT,
            (
                r"[-+]?(?:0b_*[01][01_]*(?<!_)|0x_*[0-9a-fA-F][0-9a-fA-F_]*(?<!_)"
                r"|0o_*[0-7][0-7_]*(?<!_)|[0-9][0-9_]*(?<!_))"
            ),
        ),
        (
            Kind.FLOAT,
            (
                r"(?:[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?"
                r"|\.[0-9_]+(?:[eE][-+]?[0-9]+)?"
                r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))(?<!_)"
            ),
        ),
        (Kind.TIMESTAMP, _TIMESTAMP),
    ),
    ScalarSchema.BUN: (
        # Of more than 64 bits they are texts.
        (
            Kind.INT,
            (
                r"[-+]?(?:[0-9]+|0x0*[0-9a-fA-F]{1,16}"
                r"|0o0*(?:[0-7]{1,21}|1[0-7]{21}))"
            ),
        ),
        (
            Kind.FLOAT,
            (
                r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
                r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
            ),
        ),
    ),
}


@cache
def _compiled(schema: ScalarSchema) -> tuple[tuple[Kind, re.Pattern[str]], ...]:
    # Compiled when a value looks like a number or a date: most names do not.
    patterns = _PATTERNS[schema]
    return tuple((kind, re.compile(pattern, re.ASCII)) for kind, pattern in patterns)


BINARY = "tag:yaml.org,2002:binary"
_TAGGED = {
    "tag:yaml.org,2002:str": Kind.STRING,
    "tag:yaml.org,2002:null": Kind.NULL,
    "tag:yaml.org,2002:bool": Kind.BOOL,
    "tag:yaml.org,2002:int": Kind.INT,
    "tag:yaml.org,2002:float": Kind.FLOAT,
    "tag:yaml.org,2002:timestamp": Kind.TIMESTAMP,
}
# A plain scalar that starts with none of these is a string under every schema; an
# empty one starts with nothing.
TYPED_STARTS = frozenset(("", *"0123456789+-.~tTfFnNyYoO"))
_WORD_STARTS = frozenset("tTfFnNyYoO")


def kind_of(scalar: Scalar, schema: ScalarSchema) -> Kind:
    """The type of `scalar` under `schema`."""
    if scalar.tag is not None and scalar.tag != "!":
        return _TAGGED.get(scalar.tag, Kind.OTHER)
    if scalar.style is not Style.PLAIN or scalar.tag == "!":
        return Kind.STRING
    return kind_of_plain(scalar.text, schema)


def kind_of_plain(text: str, schema: ScalarSchema) -> Kind:
    """The type of a plain scalar that reads `text`."""
    if schema is ScalarSchema.TEXT:
        return Kind.STRING
    if text == "":
        return Kind.NULL
    if text[0] not in TYPED_STARTS:
        return Kind.STRING
    if text in _NULLS:
        return Kind.NULL
    if text in (_BOOLS_1_1 if schema is ScalarSchema.YAML_1_1 else _BOOLS):
        return Kind.BOOL
    if text[0] in _WORD_STARTS:
        return Kind.STRING
    for kind, pattern in _compiled(schema):
        if pattern.fullmatch(text):
            return kind
    return Kind.STRING


def fits_its_tag(scalar: Scalar, schema: ScalarSchema) -> bool:
    """Whether an explicit core tag, such as `!!int`, agrees with the text."""
    wanted = _TAGGED.get(scalar.tag or "", Kind.STRING)
    if wanted is Kind.STRING:
        return True
    kind = kind_of_plain(scalar.text, schema)
    return kind is wanted or (wanted is Kind.FLOAT and kind is Kind.INT)


def decode_go_text(node: Scalar) -> tuple[str | None, str]:
    """What yaml.v3 makes of a scalar that shall be a text, or what is wrong with it.

    Neither a text nor a problem is null.
    """
    if node.tag == BINARY:
        return _decode_base64(node.text)
    if node.tag == "!":
        node = node._replace(tag=None)
    if not fits_its_tag(node, ScalarSchema.GO_YAML):
        return None, f"does not fit its tag `{node.tag}`"
    kind = kind_of(node, ScalarSchema.GO_YAML)
    return (None if kind is Kind.NULL else node.text), ""


def _decode_base64(text: str) -> tuple[str | None, str]:
    from base64 import b64decode

    try:
        data = b64decode(text.replace("\n", ""), validate=True)
    except ValueError:
        return None, "is no base64"
    return data.decode("utf-8", "surrogateescape"), ""


def is_serde_flag(scalar: Scalar) -> bool:
    """Whether serde_yaml reads `scalar` into a boolean, whatever its tag is."""
    is_tagged_block = scalar.style is Style.LITERAL and scalar.tag == _BOOL_TAG
    return (scalar.style is Style.PLAIN or is_tagged_block) and scalar.text in _BOOLS


_BOOL_TAG = "tag:yaml.org,2002:bool"


def is_misfit_null(scalar: Scalar) -> bool:
    """Whether a plain scalar is tagged `!!null`, and is written as something else."""
    is_null = scalar.tag == _NULL_TAG and scalar.style is Style.PLAIN
    return is_null and (scalar.text == "" or scalar.text not in _NULLS)


_NULL_TAG = "tag:yaml.org,2002:null"


def is_true(text: str) -> bool:
    """Whether a scalar that is a boolean says yes."""
    return text.lower() in _TRUES
