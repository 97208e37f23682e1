"""Fields as programs in Python take what PyYAML made of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import cast

from metier.core.fields import FieldType
from metier.core.nodes import Node, YamlError
from metier.core.readers import FieldShape
from metier.core.values import FieldValue
from metier.core.yaml_python import construct_python

# What a header says, as PyYAML has it.
Values = Mapping[object, object]


class MisfitError(Exception):
    """The value is of another type than the program takes; never leaves the core."""


def read_python_field(node: Node | None, kind: FieldType) -> FieldValue:
    """The value of a field, None where it is not there or of another type."""
    if node is None:
        return None
    try:
        return take(construct_python(node), kind)
    except (MisfitError, YamlError):
        return None


def take(value: object, kind: FieldType) -> FieldValue:
    """`value` as a field of that kind; null is none."""
    if value is None:
        return "None" if kind is FieldType.WRITTEN else None
    try:
        return _TAKERS[kind](value)
    except ValueError as error:
        raise MisfitError("a number of more digits than Python writes") from error


def as_text(value: object) -> str:
    """A text, as pydantic takes one."""
    if isinstance(value, bytes):
        try:
            value = value.decode()
        except UnicodeDecodeError as error:
            raise MisfitError("is no UTF-8") from error
    if not isinstance(value, str) or not _has_bytes(value):
        raise MisfitError("is no text")
    return value


def _trimmed_text(value: object) -> str | None:
    if not isinstance(value, str):
        raise MisfitError("is no text")
    return value.strip() or None


def _has_bytes(text: str) -> bool:
    """Whether `text` is without halves of pairs, which pydantic refuses."""
    return text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text)


_FLAGS = {
    word: is_true
    for is_true, words in (
        (True, ("1", "on", "t", "true", "y", "yes")),
        (False, ("0", "off", "f", "false", "n", "no")),
    )
    for word in words
}


def _flag(value: object) -> bool:
    if isinstance(value, (int, float)):
        if value in (0, 1):
            return bool(value)
        raise MisfitError("is no flag")
    word = as_text(value).lower()
    if word not in _FLAGS:
        raise MisfitError("is no flag")
    return _FLAGS[word]


def _split(value: object) -> tuple[str, ...]:
    if not isinstance(value, str):
        raise MisfitError("is no text")
    return tuple(value.split())


def _split_or_texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(value.split())
    return _each_text(value)


def _each_text(value: object) -> tuple[str, ...]:
    if value == b"":  # a list of bytes is a list of numbers
        return ()
    if not isinstance(value, (list, dict, set)):
        raise MisfitError("is no list")
    items = cast("Iterable[object]", value)
    return tuple(as_text(item) for item in items)


def _split_or_written(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(value.split())
    return tuple(str(item) for item in _list(value))


def _texts(value: object) -> tuple[str, ...]:
    return tuple(as_text(item) for item in _list(value))


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise MisfitError("is no list")
    return cast("list[object]", value)


def _globs(value: object) -> tuple[str, ...]:
    items = value.split(",") if isinstance(value, str) else _list(value)
    return tuple(text for item in items if (text := str(item).strip()))


def _written_map(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise MisfitError("is no map")
    pairs = cast("dict[object, object]", value).items()
    return {str(key): str(each) for key, each in pairs}


def _written(value: object) -> str | None:
    return str(value).strip() or None


def _written_list(value: object) -> tuple[str, ...]:
    if not value:
        return ()
    items = cast("list[object]", value) if isinstance(value, list) else [value]
    return tuple(map(str, items))


def _words_or_texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(filter(None, re.split(r"[\s,]+", value)))
    texts = (each for each in _list(value) if isinstance(each, str))
    return tuple(text for each in texts if (text := each.strip()))


_TAKERS: dict[FieldType, Callable[[object], FieldValue]] = {
    FieldType.PYTHON_TEXT: as_text,
    FieldType.TRIMMED_TEXT: _trimmed_text,
    FieldType.PYDANTIC_FLAG: _flag,
    FieldType.SPLIT: _split,
    FieldType.SPLIT_OR_TEXTS: _split_or_texts,
    FieldType.SPLIT_OR_WRITTEN: _split_or_written,
    FieldType.TEXTS: _texts,
    FieldType.GLOBS: _globs,
    FieldType.WRITTEN_MAP: _written_map,
    FieldType.WRITTEN: _written,
    FieldType.WRITTEN_LIST: _written_list,
    FieldType.WORDS_OR_TEXTS: _words_or_texts,
}


def check_shape(value: object, shape: FieldShape, values: Values) -> None:
    """`MisfitError` where `value`, one of `values`, is not what a model wants."""
    if shape in _NEVER_NULL and value is None:
        raise MisfitError("is nothing (null)")
    if kind := _KINDS.get(shape):
        take(value, kind)
    elif not take(values.get("paths"), FieldType.GLOBS):
        _RULELESS[shape](value)
    elif shape is FieldShape.TRIGGERS:
        _list(value)


_NEVER_NULL = (FieldShape.PYDANTIC_FLAG, FieldShape.TRIGGERS)
_KINDS = {
    FieldShape.PYDANTIC_TEXT: FieldType.PYTHON_TEXT,
    FieldShape.PYDANTIC_FLAG: FieldType.PYDANTIC_FLAG,
    FieldShape.PYDANTIC_FLAG_OR_NULL: FieldType.PYDANTIC_FLAG,
    FieldShape.ANY_MAP: FieldType.WRITTEN_MAP,
    FieldShape.TEXT_OR_TEXTS: FieldType.SPLIT_OR_TEXTS,
    FieldShape.TEXT_OR_LIST: FieldType.SPLIT_OR_WRITTEN,
    FieldShape.GLOBS: FieldType.GLOBS,
}


def _inputs(value: object) -> None:
    for item in _list(value):
        if not isinstance(item, dict):
            raise MisfitError("is no list of maps")
        pairs = cast("dict[object, object]", item)
        as_text(pairs.get("name"))
        as_text(pairs.get("description"))


_RULELESS: dict[FieldShape, Callable[[object], object]] = {
    FieldShape.TRIGGERS: _texts,
    FieldShape.INPUTS: _inputs,
}
