"""Bytes to text: what each policy keeps, drops, says and refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from metier.core.text import (
    JS_WHITE_SPACE,
    WHITE_SPACE,
    ByteOrderMark,
    Decoding,
    LineEnds,
    LoneReturn,
    TextPolicy,
    Utf16,
    decode_text,
)
from metier.diagnostics import Diagnostic, Diagnostics, Position, Severity

MARK = b"\xef\xbb\xbf"


def policy(
    decoding: Decoding = Decoding.STRICT,
    byte_order_mark: ByteOrderMark = ByteOrderMark.KEEP,
    utf16: Utf16 = Utf16.IGNORE,
    lone_return: LoneReturn = LoneReturn.KEEP,
    line_ends: LineEnds = LineEnds.KEEP,
) -> TextPolicy:
    return TextPolicy(
        decoding=decoding,
        byte_order_mark=byte_order_mark,
        utf16=utf16,
        lone_return=lone_return,
        line_ends=line_ends,
    )


def rules(found: Diagnostics) -> list[str]:
    return [each.rule for each in found]


@pytest.mark.parametrize(
    "text", ["", "a\nb\n", "é \u2028 日本", "a\r\nb\r\n", "a\rb\nc", "a\n\ufeffb"]
)
@pytest.mark.parametrize("decoding", Decoding)
def test_plain_utf8_comes_out_as_it_is(text: str, decoding: Decoding) -> None:
    assert decode_text(text.encode(), policy(decoding)) == (text, ())


@pytest.mark.parametrize(
    ("decoding", "text", "expected_rules"),
    [
        (Decoding.REPLACE, "name: \ufffd", []),
        (Decoding.WARN, "name: \ufffd", ["text-not-utf8"]),
        (Decoding.BYTES, "name: \udcff", []),
        (Decoding.STRICT, None, ["text-not-utf8"]),
    ],
)
def test_a_byte_that_is_not_utf8(
    decoding: Decoding, text: str | None, expected_rules: list[str]
) -> None:
    decoded, found = decode_text(b"name: \xff", policy(decoding))
    assert (decoded, rules(found)) == (text, expected_rules)


def test_a_file_may_be_larger_than_the_agent_reads() -> None:
    limited = replace(policy(), max_bytes=3)
    assert decode_text(b"abc", limited) == ("abc", ())
    assert decode_text("aé!".encode(), limited) == (
        None,
        (
            Diagnostic(
                rule="file-too-large",
                severity=Severity.ERROR,
                message="the file has 4 bytes, the agent reads 3",
                position=Position(1, 1),
                help="move what is not instructions into files beside it",
            ),
        ),
    )


def test_a_refusal_names_the_byte_and_its_place_in_characters() -> None:
    _, found = decode_text("a\né ".encode() + b"\xfe", policy(Decoding.STRICT))
    assert found == (
        Diagnostic(
            rule="text-not-utf8",
            severity=Severity.ERROR,
            message="byte 0xfe is not valid UTF-8",
            position=Position(2, 3),
            help="save the file as UTF-8",
        ),
    )


def test_bytes_that_are_kept_come_out_again_as_they_went_in() -> None:
    data = bytes(range(256))
    text, _ = decode_text(data, policy(Decoding.BYTES))
    assert text is not None
    assert text.encode("utf-8", "surrogateescape") == data


@pytest.mark.parametrize(
    ("handling", "text", "expected_rules"),
    [
        (ByteOrderMark.KEEP, "\ufeff\ufeffa", []),
        (ByteOrderMark.STRIP, "\ufeffa", []),
        (ByteOrderMark.STRIP_ALL, "a", []),
        (ByteOrderMark.WARN, "\ufeffa", ["text-byte-order-mark"]),
    ],
)
def test_two_byte_order_marks(
    handling: ByteOrderMark, text: str, expected_rules: list[str]
) -> None:
    decoded, found = decode_text(MARK * 2 + b"a", policy(byte_order_mark=handling))
    assert (decoded, rules(found)) == (text, expected_rules)


def test_a_mark_before_bytes_that_are_not_utf8_is_told_second() -> None:
    both = policy(Decoding.WARN, ByteOrderMark.WARN)
    text, found = decode_text(MARK + b"a\xff", both)
    assert (text, rules(found)) == (
        "a\ufffd",
        ["text-not-utf8", "text-byte-order-mark"],
    )


@pytest.mark.parametrize(
    ("utf16", "encoding", "text", "expected_rules"),
    [
        (Utf16.DECODE, "utf-16-le", "né", ["text-utf16"]),
        (Utf16.DECODE, "utf-16-be", "né", ["text-utf16"]),
        (Utf16.LITTLE_ENDIAN, "utf-16-le", "né", ["text-utf16"]),
        (Utf16.LITTLE_ENDIAN, "utf-16-be", None, ["text-not-utf8"]),
        (Utf16.IGNORE, "utf-16-le", None, ["text-not-utf8"]),
    ],
)
def test_utf16_with_a_mark(
    utf16: Utf16, encoding: str, text: str | None, expected_rules: list[str]
) -> None:
    data = "\ufeffné".encode(encoding)
    decoded, found = decode_text(data, policy(utf16=utf16))
    assert (decoded, rules(found)) == (text, expected_rules)


def test_half_a_character_at_the_end_of_utf16_is_dropped() -> None:
    text, _ = decode_text(b"\xff\xfea\0b", policy(utf16=Utf16.DECODE))
    assert text == "a"


@pytest.mark.parametrize(
    ("handling", "text", "expected_rules"),
    [
        (LoneReturn.KEEP, "a\rb\r", []),
        (LoneReturn.LINE_END, "a\nb\n", ["text-lone-return"]),
    ],
)
def test_lines_that_end_in_carriage_returns_alone(
    handling: LoneReturn, text: str, expected_rules: list[str]
) -> None:
    decoded, found = decode_text(b"a\rb\r", policy(lone_return=handling))
    assert (decoded, rules(found)) == (text, expected_rules)


def test_carriage_returns_beside_line_feeds_are_no_line_ends() -> None:
    mixed = policy(lone_return=LoneReturn.LINE_END)
    assert decode_text(b"a\rb\n", mixed) == ("a\rb\n", ())


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        (LineEnds.KEEP, "a\r\nb\rc\v\u2028d\r\n"),
        (LineEnds.UNIVERSAL, "a\nb\nc\v\u2028d\n"),
        (LineEnds.UNICODE, "a\nb\nc\n\nd\n"),
    ],
)
def test_line_ends_may_become_line_feeds(ends: LineEnds, expected: str) -> None:
    text = "a\r\nb\rc\v\u2028d\r\n"
    assert decode_text(text.encode(), policy(line_ends=ends)) == (expected, ())


@pytest.mark.parametrize("ends", LineEnds)
def test_what_has_no_other_line_ends_stays(ends: LineEnds) -> None:
    for text in ("", "\n", "a", "a\n\n", "\x00"):
        assert decode_text(text.encode(), policy(line_ends=ends)) == (text, ())


def test_white_space_is_the_unicode_property_and_not_what_python_strips() -> None:
    stripped = {chr(c) for c in range(0x110000) if not chr(c).strip()}
    assert set(WHITE_SPACE) == stripped - set("\x1c\x1d\x1e\x1f")
    assert set(JS_WHITE_SPACE) == set(WHITE_SPACE) - {"\x85"} | {"\ufeff"}


@pytest.mark.parametrize("text", ["a\r\nb\rc\n", "a\nb\nc\n", "a\n"])
def test_every_line_may_end_in_a_line_feed(text: str) -> None:
    universal = policy(line_ends=LineEnds.UNIVERSAL)
    expected = text.replace("\r\n", "\n").replace("\r", "\n")
    assert decode_text(text.encode(), universal) == (expected, ())


def test_a_file_that_is_refused_has_no_line_ends() -> None:
    text, found = decode_text(b"a\r\xff", policy(line_ends=LineEnds.UNIVERSAL))
    assert (text, rules(found)) == (None, ["text-not-utf8"])
