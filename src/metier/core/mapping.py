"""Mappings to frozen dataclasses, with the path of the key that is wrong.

TOML comes in as plain values; the annotations of the dataclass say what is
expected: enums by value, nested dataclasses as tables, tuples as arrays.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from metier.errors import DialectError

T = TypeVar("T")


def build(cls: type[T], values: Mapping[str, Any], *, key: str) -> T:
    """An instance of the dataclass `cls` from `values`, found under `key`."""
    hints = _hints(cls)
    for name in values:
        if name not in hints:
            raise DialectError(_unknown(name, hints), key=_join(key, name))
    arguments = {
        name: _convert(hints[name], value, _join(key, name))
        for name, value in values.items()
    }
    try:
        return cls(**arguments)
    except TypeError as error:
        missing = [
            field.name
            for field in dataclasses.fields(cls)  # pyright: ignore[reportArgumentType]
            if field.name not in arguments
            and field.default is dataclasses.MISSING
            and field.default_factory is dataclasses.MISSING
        ]
        raise DialectError(f"missing {', '.join(missing)}", key=key) from error


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Later:
    """A table that is built where it is used, so that no start pays for its model."""

    values: Mapping[str, Any]
    key: str

    def build(self, cls: type[T]) -> T:
        """An instance of `cls`; `DialectError` where the table makes no sense."""
        return build(cls, self.values, key=self.key)


NOTHING_STATED = Later({}, "")


@cache
def _hints(cls: type[Any]) -> dict[str, Any]:
    return typing.get_type_hints(cls)


def _join(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _unknown(name: str, known: Mapping[str, Any]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=1)
    hint = f", did you mean `{close[0]}`?" if close else ""
    return f"unknown key `{name}`{hint}"


def _convert(hint: Any, value: Any, key: str) -> Any:
    origin = typing.get_origin(hint)
    if origin in (types.UnionType, typing.Union):
        hint = next(arm for arm in typing.get_args(hint) if arm is not type(None))
        return _convert(hint, value, key)
    if origin is tuple:
        return _convert_array(hint, value, key)
    if origin is dict:
        return _convert_table(hint, value, key)
    if hint is Later:
        return Later(_expect(dict, value, key), key)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _convert_word(hint, value, key)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return build(hint, _expect(dict, value, key), key=key)
    return _expect(hint, value, key)


def _convert_array(hint: Any, value: Any, key: str) -> tuple[Any, ...]:
    item = typing.get_args(hint)[0]
    return tuple(
        _convert(item, each, f"{key}[{index}]")
        for index, each in enumerate(_expect(list, value, key))
    )


def _convert_table(hint: Any, value: Any, key: str) -> dict[str, Any]:
    item = typing.get_args(hint)[1]
    return {
        name: _convert(item, each, _join(key, name))
        for name, each in _expect(dict, value, key).items()
    }


def _convert_word(hint: type[Enum], value: Any, key: str) -> Enum:
    words = {str(member.value): member for member in hint}
    if not isinstance(value, str) or value not in words:
        raise DialectError(f"`{value}` is none of {', '.join(words)}", key=key)
    return words[value]


def _expect(kind: Any, value: Any, key: str) -> Any:
    if type(value) is not kind:
        raise DialectError(
            f"expected {kind.__name__}, not {type(value).__name__}", key=key
        )
    return value
