"""JSON as the tree that YAML becomes."""

from __future__ import annotations

import json
from enum import Enum
from typing import cast

from metier.core.nodes import (
    MAX_DEPTH,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Style,
    YamlError,
)


class Numbers(Enum):
    """Whose numbers they are."""

    AS_WRITTEN = "as-written"  # JSON's own
    PYTHON = "python"  # typed, and `NaN` and `Infinity` are numbers too


def parse_json(text: str, *, numbers: Numbers) -> Node:
    """The tree of `text`; raises `YamlError`."""
    is_python = numbers is Numbers.PYTHON
    try:
        value = json.loads(
            text,
            parse_int=_typed_int if is_python else Scalar,
            parse_float=_typed_float if is_python else Scalar,
            parse_constant=_typed_constant if is_python else _refuse_constant,
        )
        return _node_of(value, 0)
    except (ValueError, RecursionError) as error:
        raise YamlError(f"not JSON: {error}", 0) from error


def _typed_int(text: str) -> Scalar:
    int(text)  # a number of more digits than Python reads
    return Scalar(text, tag="tag:yaml.org,2002:int")


def _typed_float(text: str) -> Scalar:
    return Scalar(text, tag="tag:yaml.org,2002:float")


def _typed_constant(word: str) -> Scalar:
    return _typed_float(_CONSTANTS[word])


_CONSTANTS = {"NaN": ".nan", "Infinity": ".inf", "-Infinity": "-.inf"}


def _refuse_constant(word: str) -> Scalar:
    raise ValueError(f"`{word}` is no value")


def _node_of(value: object, depth: int) -> Node:
    if depth > MAX_DEPTH:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, dict):
        pairs = cast("dict[str, object]", value).items()
        entries = ((_text_of(k), _node_of(each, depth + 1)) for k, each in pairs)
        return Mapping(tuple(entries))
    if isinstance(value, list):
        items = cast("list[object]", value)
        return Sequence(tuple(_node_of(each, depth + 1) for each in items))
    if isinstance(value, str):
        return _text_of(value)
    return value if isinstance(value, Scalar) else Scalar(json.dumps(value))


def _text_of(text: str) -> Scalar:
    return Scalar(text, Style.DOUBLE)
