"""The tokens of goccy/go-yaml, and what it takes for a number.

It is a grammar of its own, not a port of libyaml: tokens remember their line, their
column and their source, and the parser decides by these.
"""

from __future__ import annotations

import math
import re
from enum import Enum
from typing import NamedTuple

Number = int | float


class Type(Enum):
    """What a token is."""

    ALIAS = "alias"
    ANCHOR = "anchor"
    BOOL = "bool"
    COLLECT_ENTRY = "collect-entry"
    COMMENT = "comment"
    DIRECTIVE = "directive"
    DOCUMENT_END = "document-end"
    DOCUMENT_HEADER = "document-header"
    DOUBLE_QUOTE = "double-quote"
    FLOAT = "float"
    FOLDED = "folded"
    INFINITY = "infinity"
    INTEGER = "integer"
    LITERAL = "literal"
    MAPPING_END = "mapping-end"
    MAPPING_KEY = "mapping-key"
    MAPPING_START = "mapping-start"
    MAPPING_VALUE = "mapping-value"
    MERGE_KEY = "merge-key"
    NAN = "nan"
    NULL = "null"
    SEQUENCE_END = "sequence-end"
    SEQUENCE_ENTRY = "sequence-entry"
    SEQUENCE_START = "sequence-start"
    SINGLE_QUOTE = "single-quote"
    STRING = "string"
    TAG = "tag"


class Token(NamedTuple):
    """`origin` is the source with the blanks around it; `end` is where it ends."""

    type: Type
    value: str
    origin: str = ""
    line: int = 0
    column: int = 0
    end: int = 0

    @property
    def start(self) -> int:
        """About where it starts: a text may have been folded."""
        return max(self.end - len(self.value), 0)


# Tags that say what a plain scalar is; behind any other it is a text.
RESERVED_TAGS = frozenset(
    "!!int !!float !!null !!seq !!map !!str !!binary !!omap !!set !!timestamp "
    "!!bool !!merge".split()
)
_WORDS = {
    **dict.fromkeys(("null", "Null", "NULL", "~"), Type.NULL),
    **dict.fromkeys(("true", "True", "TRUE", "false", "False", "FALSE"), Type.BOOL),
    **dict.fromkeys((".inf", ".Inf", ".INF"), Type.INFINITY),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), Type.INFINITY),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), Type.NAN),
}


def type_of_plain(value: str) -> Type:
    """What a plain scalar is."""
    word = _WORDS.get(value)
    if word is not None:
        return word
    number = number_in(value)
    if number is None:
        return Type.STRING
    return Type.FLOAT if isinstance(number, float) else Type.INTEGER


_BASES = {"0x": 16, "0o": 8, "0b": 2}
_DIGITS = {
    2: re.compile("-?[01]+"),
    8: re.compile("-?[0-7]+"),
    10: re.compile("-?[0-9]+"),
    16: re.compile("-?[0-9a-fA-F]+"),
}
_FLOAT = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
# What Go's `ParseInt` and `ParseUint` hold.
_LEAST, _MOST = -(2**63), 2**64 - 1


def number_in(value: str) -> Number | None:
    """The number that `value` is, None where it is a text."""
    if not value or value[0] == "_" or value.count(".") > 1:
        return None
    is_negative = value[0] == "-"
    digits = value.removeprefix("+").removeprefix("-").replace("_", "")
    base = _BASES.get(digits[:2])
    if base is not None:
        digits = digits[2:]
    elif "." in value:
        return _float_in("-" + digits if is_negative else digits)
    else:
        base = 8 if digits[:1] == "0" and len(digits) > 1 else 10
    return _integer_in("-" + digits if is_negative else digits, base)


def _integer_in(text: str, base: int) -> int | None:
    if not _DIGITS[base].fullmatch(text) or len(text) > 70:
        return None
    number = int(text, base)
    return number if _LEAST <= number <= _MOST else None


def _float_in(text: str) -> float | None:
    if not _FLOAT.fullmatch(text):
        return None
    number = float(text)
    return None if math.isinf(number) else number


def write_float(number: float) -> str:
    """`number` as Go prints it: the fewest digits, and `+Inf`."""
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "+Inf" if number > 0 else "-Inf"
    written = (f"{number:.{precision}e}" for precision in range(17))
    mantissa, _, exponent = next(w for w in written if float(w) == number).partition(
        "e"
    )
    power = int(exponent)
    if not _LEAST_POWER <= power <= _MOST_POWER:
        return f"{mantissa}e{power:+03d}"
    places = max(len(mantissa.lstrip("-").replace(".", "")) - 1 - power, 0)
    return f"{number:.{places}f}"


# Outside of these Go writes an exponent.
_LEAST_POWER, _MOST_POWER = -4, 5
