"""What js-yaml makes of a node, as far as that decides which texts it accepts.

Two keys collide when JavaScript turns them into the same property name, a merge
fails on what is no object, a tag fails on what it cannot read: so the reader of
js-yaml's grammar carries a value beside each node. Aliases share their value, and
merging is bounded, so building them costs no more than reading.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Iterable
from enum import Enum
from math import inf, isfinite, nan
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from metier.core.js_text import as_double, number_text

if TYPE_CHECKING:
    from metier.core.nodes import Node


class JsYaml(Enum):
    """Which version of js-yaml reads; from 4.2 on, much is nearer to the standard."""

    V3 = "js-yaml-3"
    V4_1 = "js-yaml-4.1"
    V4 = "js-yaml-4"


class Kind(Enum):
    """What was written; an alias or nothing at all has no kind."""

    SCALAR = "scalar"
    SEQUENCE = "sequence"
    MAPPING = "mapping"


class Moment(NamedTuple):
    """A date, in seconds since 1970: as a key it shows no more than seconds."""

    seconds: int


Value: TypeAlias = (
    "bool | float | str | bytes | Moment | list[Value] | dict[str, Value] | None"
)


class Built(NamedTuple):
    """A node and its value; `tag` is the one that js-yaml settled on."""

    node: Node
    value: Value = None
    kind: Kind | None = None
    tag: str | None = None


class RefusedError(Exception):
    """js-yaml does not take a value; the reader, who knows where, makes it an error."""


PREFIX = "tag:yaml.org,2002:"
MERGE = PREFIX + "merge"
STR = PREFIX + "str"
# An author can write both by hand: the first asks for no typing, the other for it.
RAW = "!"
IMPLICIT = "?"

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_MAYBE_TYPED = frozenset("~nNtTfF.+-0123456789")

_INT = {
    JsYaml.V3: re.compile(
        r"[-+]?(?:0|0b[01_]*[01]|0x[0-9a-fA-F_]*[0-9a-fA-F]|0[0-7_]*[0-7]"
        r"|[1-9](?:[0-9_]*[0-9])?|[1-9][0-9_]*(?::[0-5]?[0-9])+)"
    ),
    JsYaml.V4_1: re.compile(
        r"[-+]?(?:0b[01_]*[01]|0x[0-9a-fA-F_]*[0-9a-fA-F]|0o[0-7_]*[0-7]"
        r"|[0-9](?:[0-9_]*[0-9])?)"
    ),
    JsYaml.V4: re.compile(r"[-+]?(?:0b[01]+|0x[0-9a-fA-F]+|0o[0-7]+|[0-9]+)"),
}
_INFINITY = r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
_FLOAT = {
    JsYaml.V3: re.compile(
        r"[-+]?(?:0|[1-9][0-9_]*)(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?"
        r"|\.[0-9_]+(?:[eE][-+]?[0-9]+)?"
        rf"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|{_INFINITY}"
    ),
    JsYaml.V4_1: re.compile(
        r"[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?"
        rf"|\.[0-9_]+(?:[eE][-+]?[0-9]+)?|{_INFINITY}"
    ),
    JsYaml.V4: re.compile(
        r"[-+]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?"
        rf"|\.[0-9]+(?:[eE][-+]?[0-9]+)?|{_INFINITY}"
    ),
}
_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_INSTANT = re.compile(
    r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[Tt]|[ \t]+)"
    r"([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]*)?"
    r"(?:[ \t]*(?:Z|([-+])([0-9]{1,2})(?::([0-9]{2}))?))?"
)
_BASES = {"0b": 2, "0x": 16, "0o": 8}


def plain_value(text: str, version: JsYaml) -> Value:
    """What a plain scalar stands for where no tag says it."""
    if text[:1] not in _MAYBE_TYPED:
        return text
    if text in _WORDS:
        return _WORDS[text]
    for read in (_read_int, _read_float):
        number = read(text, version)
        if number is not None:
            return number
    moment = _read_moment(text)
    return text if moment is None else moment


def _read_int(text: str, version: JsYaml) -> float | None:
    if not _INT[version].fullmatch(text):
        return None
    digits = text.replace("_", "").lstrip("+-")
    number = _int_of(digits, version)
    if version is JsYaml.V4 and not isfinite(number):
        return None
    return -number if text[0] == "-" else number


def _int_of(digits: str, version: JsYaml) -> float:
    if ":" in digits:
        return _sexagesimal(digits)
    base = _BASES.get(digits[:2])
    if base is None and digits[0] == "0" and version is JsYaml.V3:
        base = 8
    # A float reads any number of decimal digits; Python's int refuses long ones.
    return float(digits) if base is None else as_double(int(digits, base))


def _read_float(text: str, version: JsYaml) -> float | None:
    if not _FLOAT[version].fullmatch(text) or text[-1] == "_":
        return None
    digits = text.replace("_", "").lstrip("+-").lower()
    number = _sexagesimal(digits) if ":" in digits else _float_of(digits)
    if version is JsYaml.V4 and number == inf and digits != ".inf":
        return None
    return -number if text[0] == "-" else number


def _float_of(digits: str) -> float:
    if digits == ".inf":
        return inf
    try:
        return float(digits)
    except ValueError:
        # `.nan`, and `._e1`: the pattern takes it, but no digit is left.
        return nan


def _sexagesimal(digits: str) -> float:
    total, base = 0.0, 1.0
    for part in reversed(digits.split(":")):
        total += float(part) * base
        base *= 60
    return total


def _read_moment(text: str) -> Moment | None:
    found = _DAY.fullmatch(text) or _INSTANT.fullmatch(text)
    if found is None:
        return None
    parts = [*found.groups(), *[None] * 6][:9]
    year, month, day, hour, minute, second = (int(part or 0) for part in parts[:6])
    zone = (int(parts[7] or 0) * 60 + int(parts[8] or 0)) * 60
    clock = hour * 3600 + minute * 60 + second
    days = _days(year, month, day)
    return Moment(days * 86400 + clock + (zone if parts[6] == "-" else -zone))


def _days(year: int, month: int, day: int) -> int:
    # JavaScript lets months and days run over, and reads the years 0 to 99 as 1900
    # to 1999.
    year += 1900 if year < 100 else 0
    year, month = year + (month - 1) // 12, (month - 1) % 12
    shifted = year - (month < 2)
    leap = shifted // 4 - shifted // 100 + shifted // 400
    return shifted * 365 + leap + (153 * ((month + 10) % 12) + 2) // 5 + day - 719469


def construct(tag: str, found: Built, version: JsYaml) -> Value:
    """What an explicit tag makes of what was written under it."""
    if tag == IMPLICIT:
        return _implicit(found, version)
    kind, build = _TYPES.get(tag, (None, None))
    if build is None or found.kind not in (None, kind):
        raise RefusedError(f"unknown tag `{tag}`")
    if found.value is not None and found.kind is None:
        raise RefusedError(f"an alias cannot carry the tag `{tag}`")
    try:
        return build(found.value, version)
    except RefusedError:
        raise RefusedError(f"the value does not fit its tag `{tag}`") from None


def _implicit(found: Built, version: JsYaml) -> Value:
    if found.value is not None and found.kind is not Kind.SCALAR:
        raise RefusedError("the tag `?` only fits a scalar")
    if isinstance(found.value, float) and isfinite(found.value):
        raise RefusedError("the tag `?` does not fit a number")
    if isinstance(found.value, str):
        return plain_value(found.value, version)
    return found.value


def _text_of(value: Value) -> str:
    if not isinstance(value, str):
        raise RefusedError
    return value


def _need(found: Value) -> Value:
    if found is None:
        raise RefusedError
    return found


def _build_word(value: Value, _: JsYaml) -> Value:
    word = _WORDS.get(_text_of(value))
    return _need(word)


def _build_null(value: Value, _: JsYaml) -> Value:
    if value is not None and _WORDS.get(_text_of(value), True) is not None:
        raise RefusedError
    return None


def _build_merge(value: Value, _: JsYaml) -> Value:
    if value not in (None, "<<"):
        raise RefusedError
    return value


_BASE64 = re.compile(r"[A-Za-z0-9+/=]*")


def _build_binary(value: Value, _: JsYaml) -> Value:
    digits = _text_of(value).replace("\n", "").replace("\r", "")
    if len(digits) % 4 or not _BASE64.fullmatch(digits):
        raise RefusedError
    digits = digits.replace("=", "")
    if not digits:
        return b"\0\0\0"
    whole = digits[: len(digits) - (len(digits) % 4 == 1)]
    return binascii.a2b_base64(whole + "=" * (-len(whole) % 4))


def _build_omap(value: Value, _: JsYaml) -> Value:
    keys = [key for pair in _single_pairs(value) for key in pair]
    if len(set(keys)) != len(keys):
        raise RefusedError
    return [] if value is None else value


def _build_pairs(value: Value, _: JsYaml) -> Value:
    return [[key, item] for pair in _single_pairs(value) for key, item in pair.items()]


def _single_pairs(value: Value) -> list[dict[str, Value]]:
    pairs = value if isinstance(value, list) else []
    found = [pair for pair in pairs if isinstance(pair, dict) and len(pair) == 1]
    if len(found) != len(pairs):
        raise RefusedError
    return found


def _build_set(value: Value, _: JsYaml) -> Value:
    members = value if isinstance(value, dict) else {}
    if any(member is not None for member in members.values()):
        raise RefusedError
    return members


_TYPES: dict[str, tuple[Kind, Callable[[Value, JsYaml], Value]]] = {
    STR: (Kind.SCALAR, lambda value, _: "" if value is None else value),
    MERGE: (Kind.SCALAR, _build_merge),
    PREFIX + "null": (Kind.SCALAR, _build_null),
    PREFIX + "bool": (Kind.SCALAR, _build_word),
    PREFIX + "int": (Kind.SCALAR, lambda v, js: _need(_read_int(_text_of(v), js))),
    PREFIX + "float": (Kind.SCALAR, lambda v, js: _need(_read_float(_text_of(v), js))),
    PREFIX + "timestamp": (
        Kind.SCALAR,
        lambda value, _: _need(_read_moment(_text_of(value))),
    ),
    PREFIX + "binary": (Kind.SCALAR, _build_binary),
    PREFIX + "seq": (Kind.SEQUENCE, lambda value, _: [] if value is None else value),
    PREFIX + "omap": (Kind.SEQUENCE, _build_omap),
    PREFIX + "pairs": (Kind.SEQUENCE, _build_pairs),
    PREFIX + "map": (Kind.MAPPING, lambda value, _: {} if value is None else value),
    PREFIX + "set": (Kind.MAPPING, _build_set),
}


def key_text(value: Value, version: JsYaml) -> str:
    """The property name that JavaScript makes of a key."""
    if not isinstance(value, list):
        return _js_text(value, version)
    if any(isinstance(item, list) for item in value):
        raise RefusedError("a list inside a list cannot be a key")
    texts = ("" if item is None else _js_text(item, version) for item in value)
    return ",".join(texts)


def _js_text(value: Value, version: JsYaml) -> str:
    match value:
        case str():
            return value
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case float():
            return number_text(value)
        case Moment():
            # The real text names the zone of the machine; it only has to be unique.
            return f"Date {value.seconds}"
        case bytes():
            return _bytes_text(value, version)
        case _:
            return "[object Object]"


def _bytes_text(data: bytes, version: JsYaml) -> str:
    if version is JsYaml.V3:
        return data.decode("utf-8", "replace")
    return ",".join(map(str, data))


# js-yaml's own bounds on merging.
_MAX_MERGED = 10_000
_MAX_SOURCES = 100


class MergeBudget:
    """How many keys the merges of one document may still bring in."""

    def __init__(self) -> None:
        self._left = _MAX_MERGED

    def spend(self, amount: int) -> None:
        self._left -= amount
        if self._left < 0:
            raise RefusedError(f"merge keys bring in more than {_MAX_MERGED} keys")


class Pairs:
    """A mapping while it is read: the entries as written, and its value."""

    __slots__ = ("_budget", "_merged", "_version", "entries", "opened", "value")

    def __init__(self, budget: MergeBudget, version: JsYaml) -> None:
        self.entries: list[tuple[Node, Node]] = []
        self.value: dict[str, Value] = {}
        self.opened = False  # whether a key was seen, which makes it a mapping
        self._budget = budget
        self._version = version
        # Keys that a merge brought in, which the mapping's own may still replace.
        self._merged: set[str] = set()

    def add(self, key: Built, item: Built) -> None:
        """Raises `RefusedError` for a second key of one name, or a bad merge."""
        name = key_text(key.value, self._version)
        self.entries.append((key.node, item.node))
        if key.tag == MERGE:
            self._merge_all(item.value)
            return
        if name in self.value and name not in self._merged:
            raise RefusedError(f"duplicate key `{name}`")
        self.value[name] = item.value
        self._merged.discard(name)

    def _merge_all(self, value: Value) -> None:
        if not isinstance(value, list):
            self._merge(value)
            return
        if len(value) > _MAX_SOURCES:
            raise RefusedError(f"`<<` takes at most {_MAX_SOURCES} mappings")
        for source in value:
            self._merge(source)

    def _merge(self, source: Value) -> None:
        names = _own_keys(source)
        self._budget.spend(1 + len(names))
        for name, item in names:
            if name not in self.value:
                self.value[name] = item
                self._merged.add(name)


def _own_keys(source: Value) -> list[tuple[str, Value]]:
    items: Iterable[Value]
    match source:
        case dict():
            return list(source.items())
        case list():
            items = source
        case bytes():
            items = map(float, source)
        case Moment():
            items = ()
        case _:
            raise RefusedError("`<<` takes a mapping or a list of mappings")
    return [(str(index), item) for index, item in enumerate(items)]
