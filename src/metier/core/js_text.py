"""What JavaScript's `String` makes of a value out of a header."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from math import inf, isfinite

from metier.core.nodes import Mapping, Node, Scalar, Sequence, target_of
from metier.core.scalars import Kind, ScalarSchema, kind_of

# Lists of aliases to lists grow without end: what is behind this many is left out.
_MAX_ITEMS = 10_000


class Nulls(Enum):
    """What becomes of the nulls in a list."""

    EMPTY = "empty"  # nothing stands there, with its comma
    DROPPED = "dropped"


def js_text(node: Node, schema: ScalarSchema) -> str:
    """`String(node)`: a list is its items with commas between, a map says nothing."""
    pieces = _pieces(node, schema, Nulls.EMPTY)
    return "".join("[object Object]" if each is None else each for each in pieces)


def bare_js_text(node: Node, schema: ScalarSchema) -> str | None:
    """The same of a value without nulls, whose maps have no prototype.

    None where there is such a map: JavaScript can make no text of it.
    """
    pieces = [*_pieces(node, schema, Nulls.DROPPED)]
    return None if None in pieces else "".join(filter(None, pieces))


def _pieces(node: Node, schema: ScalarSchema, nulls: Nulls) -> Iterator[str | None]:
    """The texts of which the text consists, None for each map."""
    waiting: list[Node | str] = [node]
    for _ in range(_MAX_ITEMS):
        if not waiting:
            break
        each = waiting.pop()
        if isinstance(each, str):
            yield each
            continue
        target = target_of(each)
        if isinstance(target, Sequence):
            waiting += _with_commas(target, schema, nulls)
        elif isinstance(target, Mapping):
            yield None
        else:
            yield js_scalar(target, kind_of(target, schema)) if target else ""


def _with_commas(
    sequence: Sequence, schema: ScalarSchema, nulls: Nulls
) -> list[Node | str]:
    """The items from the last to the first."""
    items: list[Node | str] = []
    for item in reversed(sequence.items):
        target = target_of(item)
        is_null = isinstance(target, Scalar) and kind_of(target, schema) is Kind.NULL
        if not is_null or nulls is Nulls.EMPTY:
            items += ("" if is_null else item, ",")
    return items[:-1]


def js_scalar(scalar: Scalar, kind: Kind) -> str:
    """`String` of a scalar of that kind, its numbers as YAML 1.2 has them."""
    match kind:
        case Kind.NULL:
            return "null"
        case Kind.BOOL:
            return scalar.text.lower()
        case Kind.INT | Kind.FLOAT:
            return number_text(number_of(scalar.text))
        case _:
            return scalar.text


def number_of(text: str) -> float:
    """The number that a plain scalar of YAML's core schema stands for."""
    digits = text.lstrip("+-").lower()
    base = {"0x": 16, "0o": 8}.get(digits[:2])
    if base is not None:
        number = as_double(int(digits, base))
    else:
        # A float reads any number of decimal digits; Python's int refuses long ones.
        number = float(digits.lstrip(".") if digits[1:] in ("inf", "nan") else digits)
    return -number if text[0] == "-" else number


def as_double(number: int) -> float:
    """The nearest double, which is infinite where there is none."""
    try:
        return float(number)
    except OverflowError:
        return inf


def number_text(number: float) -> str:
    """A number as JavaScript writes it."""
    if number < 0:
        return "-" + number_text(-number)
    if number == 0 or not isfinite(number):
        return {0: "0", inf: "Infinity"}.get(number, "NaN")
    mantissa, _, exponent = repr(number).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(digits) - len(fraction) + int(exponent or 0)
    return _placed(digits.rstrip("0"), point)


def _placed(digits: str, point: int) -> str:
    if len(digits) <= point <= 21:
        return digits.ljust(point, "0")
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    fraction = "." + digits[1:] if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}e{point - 1:+d}"
