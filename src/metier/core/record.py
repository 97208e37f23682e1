"""Frozen, slotted dataclasses that cost a tenth to define.

`dataclass` writes and compiles the source of six methods for each class; for the model
of a dialect that was a third of the time in which a command starts. The methods here
are shared, and look at the fields when they are called. That makes a value dearer: what
is made once for each file stays a plain dataclass.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(
    frozen_default=True, kw_only_default=True, field_specifiers=(field,)
)
def record(cls: type[T]) -> type[T]:
    """`cls` as a frozen dataclass with slots, whose arguments are all keywords."""
    made = dataclass(init=False, repr=False, eq=False, match_args=False, slots=True)(
        cls
    )
    for name, method in _METHODS.items():
        setattr(made, name, method)
    return made


def _init(self: Any, **values: Any) -> None:
    for each in fields(self):
        value = values.pop(each.name, MISSING)
        object.__setattr__(self, each.name, _defaulted(each, value))
    if values:
        raise TypeError(f"unexpected argument `{next(iter(values))}`")


def _defaulted(each: Field[Any], value: Any) -> Any:
    if value is not MISSING:
        return value
    if each.default is not MISSING:
        return each.default
    if each.default_factory is not MISSING:
        return each.default_factory()
    raise TypeError(f"missing argument `{each.name}`")


def _values(self: Any) -> tuple[Any, ...]:
    return tuple(getattr(self, each.name) for each in fields(self))


def _repr(self: Any) -> str:
    shown = ", ".join(
        f"{each.name}={getattr(self, each.name)!r}"
        for each in fields(self)
        if each.repr
    )
    return f"{type(self).__qualname__}({shown})"


def _eq(self: Any, other: Any) -> Any:
    if type(other) is not type(self):
        return NotImplemented
    return _values(self) == _values(other)


def _hash(self: Any) -> int:
    return hash(_values(self))


def _setattr(self: Any, name: str, value: object) -> None:  # noqa: ARG001
    raise FrozenInstanceError(f"cannot assign to field `{name}`")


def _delattr(self: Any, name: str) -> None:  # noqa: ARG001
    raise FrozenInstanceError(f"cannot delete field `{name}`")


def _reduce(self: Any) -> tuple[Any, ...]:
    return _rebuilt, (type(self), _values(self))


def _rebuilt(cls: type[Any], values: tuple[Any, ...]) -> Any:
    names = (each.name for each in fields(cls))
    return cls(**dict(zip(names, values, strict=True)))


_METHODS = {
    "__init__": _init,
    "__repr__": _repr,
    "__eq__": _eq,
    "__hash__": _hash,
    "__setattr__": _setattr,
    "__delattr__": _delattr,
    "__reduce__": _reduce,
}
