"""PyYAML's own loaders on any header, against what metier says they do."""

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import assume, event, given
from hypothesis import strategies as st

from metier.core.nodes import Scalar, YamlError
from metier.core.readers import UNLIKE, ReaderEngine
from metier.core.readers.fast import read_fast
from metier.core.scalars import Kind, ScalarSchema, kind_of_plain
from metier.core.yaml_python import (
    Grammar,
    construct_python,
    load_python,
    write_python,
)
from tests.property.strategies import HEADERS, KEYS, VALUES, times

_LOADERS: dict[Grammar, Any] = {
    Grammar.PURE: yaml.SafeLoader,
    Grammar.LIBYAML: getattr(yaml, "CSafeLoader", yaml.SafeLoader),
}
_TOKENS = st.sampled_from(
    (
        *": # - ' \" | > [ ] { } , & * ! % ? ~ = \t \n".split(" "),
        *("---", "\n", "\n  ", ": ", "- ", "? ", "&a ", "*a", "!!str ", "<<: ", "<<"),
        *(
            "!!int ",
            "!!bool ",
            "!!null ",
            "!!set ",
            "!!omap ",
            "!!binary ",
            "! ",
            "!x ",
        ),
        *("|\n", ">-\n", "a", "1", "0x_", "1:2", "1:2.5", "no", "null", ".inf"),
        *("2026-01-02", "2026-02-30", "2026-01-02 03:04:05 -1:30", "{a: b}", "[a, 1]"),
    )
)
_TEXTS = HEADERS | st.lists(_TOKENS, max_size=20).map("".join)
_LIMITS = ("yaml-too-deep", "yaml-too-large")


def told_by(text: str, loader: Any) -> tuple[str, str]:
    """What the loader returns, as Python writes it, or that it raises something."""
    try:
        return "loaded", repr(yaml.load(text, loader))
    except yaml.YAMLError:
        return "yaml-invalid", ""
    except UnicodeEncodeError:
        return "yaml-invalid", ""
    except (ValueError, ArithmeticError, LookupError, AttributeError):
        return "yaml-value", ""


@times(3)
@given(_TEXTS, st.sampled_from(Grammar))
def test_the_loader_says_the_same(text: str, grammar: Grammar) -> None:
    theirs = told_by(text, _LOADERS[grammar])
    event(theirs[0])
    try:
        ours = ("loaded", repr(load_python(text, grammar).value))
    except YamlError as error:
        assume(error.rule not in _LIMITS)
        ours = (error.rule, "")
    assert ours == theirs


@given(_TEXTS, st.sampled_from(Grammar))
def test_each_field_has_the_value_of_its_key(text: str, grammar: Grammar) -> None:
    try:
        value, fields = load_python(text, grammar)
    except YamlError:
        return
    if isinstance(value, dict):
        wanted = {key: repr(each) for key, each in value.items() if type(key) is str}
        found = {key: repr(construct_python(node)) for key, node in fields.items()}
        assert found == wanted
    else:
        assert fields == {}


_NUMBERS = st.text("0123456789_.:+-eExXbTZ infNAa", max_size=12)
_TYPES = {
    Kind.STRING: str,
    Kind.NULL: type(None),
    Kind.BOOL: bool,
    Kind.INT: int,
    Kind.FLOAT: float,
}


@times(3)
@given(_NUMBERS | st.sampled_from(VALUES))
def test_a_plain_scalar_has_the_type_that_the_loader_gives_it(text: str) -> None:
    scalar = Scalar(text)
    try:
        value = construct_python(scalar)
    except YamlError:
        return
    kind = kind_of_plain(text, ScalarSchema.YAML_1_1)
    event(kind.value)
    if kind is Kind.TIMESTAMP:
        assert type(value).__module__ == "datetime"
    else:
        assert type(value) is _TYPES[kind]
    assert write_python(scalar) == str(value)


@times(3)
@given(HEADERS)
def test_what_is_read_quickly_reads_the_same_where_nothing_is_unlike(
    header: str,
) -> None:
    fast = read_fast(header, frozenset(KEYS))
    if fast is None or UNLIKE[ReaderEngine.PYYAML].search(header):
        return
    for grammar in Grammar:
        fields = load_python(header, grammar).fields
        assert fields.keys() == fast.keys()
        for key, node in fast.items():
            theirs = fields[key]
            if node is None:
                assert not isinstance(theirs, Scalar)
            else:
                assert isinstance(theirs, Scalar)
                assert (theirs.text, theirs.style) == (node.text, node.style)
