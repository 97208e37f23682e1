"""Bytes to text, under a policy that a dialect states."""

from __future__ import annotations

import codecs
from enum import Enum
from typing import assert_never

from metier.core.record import record
from metier.diagnostics import Diagnostic, Diagnostics, Position, Severity

# The Unicode property White_Space, which Rust's `trim` and Go's `TrimSpace` go by.
# Python's own `strip` also takes U+001C to U+001F.
WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
# What JavaScript's `trim` and `\s` take: no U+0085, but the byte order mark.
JS_WHITE_SPACE = WHITE_SPACE.replace("\x85", "") + "\ufeff"

# What Java's `trim` takes: the blank, and every control character below it.
JAVA_WHITE_SPACE = "".join(map(chr, range(33)))

# What Python's `strip` takes.
PYTHON_WHITE_SPACE = WHITE_SPACE + "\x1c\x1d\x1e\x1f"

BYTE_ORDER_MARK = "\ufeff"


class Decoding(Enum):
    """What to do with bytes that are not UTF-8."""

    STRICT = "strict"  # refuse the file
    REPLACE = "replace"  # U+FFFD, silently, as the host does
    WARN = "warn"  # U+FFFD, and say so
    BYTES = "bytes"  # keep them: they come out again as they went in
    # Read the file in the code page that it may be in: here always Windows-1250, which
    # the agent's statistics find for most text in Latin script.
    GUESS = "guess"


class Utf16(Enum):
    """Whether a UTF-16 byte order mark switches the decoder."""

    IGNORE = "ignore"
    LITTLE_ENDIAN = "little-endian"
    DECODE = "decode"


class ByteOrderMark(Enum):
    """What happens to a UTF-8 byte order mark at the start."""

    KEEP = "keep"
    STRIP = "strip"
    STRIP_ALL = "strip-all"
    WARN = "warn"


class LoneReturn(Enum):
    """Whether a file whose only line ends are carriage returns has lines."""

    KEEP = "keep"
    LINE_END = "line-end"


class LineEnds(Enum):
    """What becomes of line ends that are no line feeds."""

    KEEP = "keep"  # they stay
    UNIVERSAL = "universal"  # carriage returns, with a line feed or without, are one
    # And so is whatever else Unicode calls a line end, some controls among them.
    UNICODE = "unicode"


class Extent(Enum):
    """How much of a file decides whether it is a skill."""

    HEAD = "head"
    WHOLE = "whole"


@record
class TextPolicy:
    """How one agent turns the bytes of a file into text."""

    decoding: Decoding
    byte_order_mark: ByteOrderMark
    utf16: Utf16 = Utf16.IGNORE
    lone_return: LoneReturn = LoneReturn.KEEP
    line_ends: LineEnds = LineEnds.KEEP
    extent: Extent = Extent.WHOLE
    max_bytes: int | None = None


_ERRORS = {
    Decoding.STRICT: "strict",
    Decoding.REPLACE: "replace",
    Decoding.WARN: "replace",
    Decoding.BYTES: "surrogateescape",
}
_UTF16 = {
    Utf16.IGNORE: {},
    Utf16.LITTLE_ENDIAN: {codecs.BOM_UTF16_LE: "utf-16-le"},
    Utf16.DECODE: {
        codecs.BOM_UTF16_LE: "utf-16-le",
        codecs.BOM_UTF16_BE: "utf-16-be",
    },
}


def decode_text(data: bytes, policy: TextPolicy) -> tuple[str | None, Diagnostics]:
    """The text of `data`, or None where the policy refuses it."""
    if policy.max_bytes is not None and len(data) > policy.max_bytes:
        return None, (_too_large(len(data), policy.max_bytes),)
    if policy.line_ends is LineEnds.KEEP:
        return _decode(data, policy)
    text, found = _decode(data, policy)
    return text and _LINE_ENDS[policy.line_ends](text), found


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _split_everywhere(text: str) -> str:
    # What stands behind the last line end is a line too, be it empty.
    return "\n".join(f"{text}\0".splitlines())[:-1]


_LINE_ENDS = {
    LineEnds.UNIVERSAL: _with_line_feeds,
    LineEnds.UNICODE: _split_everywhere,
}


def _decode(data: bytes, policy: TextPolicy) -> tuple[str | None, Diagnostics]:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return _decode_odd(data, policy, error)
    if text[:1] == BYTE_ORDER_MARK:
        return _strip_mark(text, policy)
    if "\r" in text and "\n" not in text:
        return _split_returns(text, policy)
    return text, ()


def _decode_odd(
    data: bytes, policy: TextPolicy, error: UnicodeDecodeError
) -> tuple[str | None, Diagnostics]:
    encoding = _UTF16[policy.utf16].get(data[:2])
    if encoding and (policy.decoding is not Decoding.GUESS or _is_in(data, encoding)):
        text = data[2 : len(data) & ~1].decode(encoding, "replace")
        return text, (_finding("text-utf16", "the file is UTF-16, not UTF-8"),)
    place = _position_in_bytes(data, error.start)
    message = f"byte 0x{data[error.start]:02x} is not valid UTF-8"
    if policy.decoding is Decoding.STRICT:
        finding = _finding(
            "text-not-utf8", message, severity=Severity.ERROR, place=place
        )
        return None, (finding,)
    if policy.decoding is Decoding.GUESS:
        return data.decode("cp1250", "replace"), ()
    text = data.decode("utf-8", _ERRORS[policy.decoding])
    found: Diagnostics = ()
    if policy.decoding is Decoding.WARN:
        found = (_finding("text-not-utf8", message, place=place),)
    if text[:1] == BYTE_ORDER_MARK:
        text, more = _strip_mark(text, policy)
        found += more
    return text, found


def _is_in(data: bytes, encoding: str) -> bool:
    """Whether all that follows the mark is text; who guesses takes nothing less."""
    try:
        data[2:].decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _strip_mark(text: str, policy: TextPolicy) -> tuple[str, Diagnostics]:
    match policy.byte_order_mark:
        case ByteOrderMark.KEEP:
            return text, ()
        case ByteOrderMark.STRIP:
            return text[1:], ()
        case ByteOrderMark.STRIP_ALL:
            return text.lstrip(BYTE_ORDER_MARK), ()
        case ByteOrderMark.WARN:
            return text[1:], (
                _finding(
                    "text-byte-order-mark",
                    "the file starts with a byte order mark",
                    help="save it as UTF-8 without one: several agents refuse it",
                ),
            )
        case _:
            assert_never(policy.byte_order_mark)


def _split_returns(text: str, policy: TextPolicy) -> tuple[str, Diagnostics]:
    if policy.lone_return is LoneReturn.KEEP:
        return text, ()
    return text.replace("\r", "\n"), (
        _finding(
            "text-lone-return",
            "the lines end in carriage returns alone",
            help="save it with line feeds: most agents see one single line",
        ),
    )


def _position_in_bytes(data: bytes, offset: int) -> Position:
    line_start = data.rfind(b"\n", 0, offset) + 1
    column = len(data[line_start:offset].decode("utf-8", "replace")) + 1
    return Position(data.count(b"\n", 0, offset) + 1, column)


def _too_large(size: int, most: int) -> Diagnostic:
    return _finding(
        "file-too-large",
        f"the file has {size:,} bytes, the agent reads {most:,}",
        severity=Severity.ERROR,
        help="move what is not instructions into files beside it",
    )


def _finding(
    rule: str,
    message: str,
    *,
    severity: Severity = Severity.WARNING,
    place: Position = Position(1, 1),
    help: str | None = "save the file as UTF-8",
) -> Diagnostic:
    return Diagnostic(
        rule=rule, severity=severity, message=message, position=place, help=help
    )
