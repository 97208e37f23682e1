"""A file of a skill as a value: its place, its kind, its pages."""

from __future__ import annotations

import pytest

from metier.core.resources import (
    MAX_PATH,
    Place,
    Refusal,
    Resource,
    ResourceKind,
    cut_page,
    media_type_of,
    parse_place,
    render_resource,
)


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("a", Place("a")),
        ("./a//b/", Place("a/b")),
        ("a/../b", Place("b")),
        ("a b\n", Place("a b\n")),
        ("\udc80", Place("\udc80")),
        ("", Place("", Refusal.EMPTY)),
        ("a/..", Place("", Refusal.EMPTY)),
        ("../a", Place("", Refusal.OUTSIDE)),
        ("a/../../a", Place("", Refusal.OUTSIDE)),
        ("/a", Place("", Refusal.ABSOLUTE)),
        ("a\0", Place("", Refusal.IMPOSSIBLE)),
        ("\ud800", Place("", Refusal.IMPOSSIBLE)),
        ("a" * (MAX_PATH + 1), Place("", Refusal.IMPOSSIBLE)),
    ],
)
def test_a_path_names_a_place_below_the_skill_or_none(path: str, place: Place):
    assert parse_place(path) == place


@pytest.mark.parametrize(
    ("path", "data", "media_type"),
    [
        ("a.md", b"# A", "text/markdown"),
        ("A.JSON", b"{}", "application/json"),
        ("Makefile", b"all:", "text/plain"),
        ("a.png", b"not a picture", "text/plain"),
        ("a.md", b"\x89PNG\r\n\x1a\n\0", "image/png"),
        ("a", b"RIFF\0\0\0\0WEBPVP8 \xff", "image/webp"),
        ("a.wav", b"RIFF\0\0\0\0WAVEfmt ", "audio/wav"),
        ("a.pdf", b"%PDF-1.7\n\xff", "application/pdf"),
        ("a.zip", b"PK\3\4\0", "application/zip"),
        ("a.md", b"\xff\xfe", "application/octet-stream"),
        ("dir.md/a", b"\0", "application/octet-stream"),
    ],
)
def test_the_bytes_say_more_than_the_name(path: str, data: bytes, media_type: str):
    assert media_type_of(path, data) == media_type


def page(data: bytes, *, offset: int = 0, limit: int | None = None) -> Resource:
    return cut_page("a.txt", data, offset=offset, limit=limit)


def test_without_a_limit_a_page_is_the_whole_file():
    assert page(b"hello") == Resource(
        path="a.txt",
        kind=ResourceKind.TEXT,
        media_type="text/plain",
        data=b"hello",
        size=5,
    )


@pytest.mark.parametrize(
    ("offset", "limit", "expected"),
    [
        (0, 2, (b"a", 0, 1)),  # half of the first euro sign would not be text
        (1, 2, ("€".encode(), 1, 4)),  # a page of one character at least
        (1, 5, ("€".encode(), 1, 4)),
        (2, 3, ("€".encode(), 1, 4)),  # from within a character: from its start
        (4, 9, ("€".encode(), 4, None)),
        (7, 9, (b"", 7, None)),
        (99, 9, (b"", 7, None)),
        (-1, 0, (b"a", 0, 1)),
    ],
)
def test_a_page_of_text_ends_with_a_whole_character(
    offset: int, limit: int, expected: tuple[bytes, int, int | None]
):
    found = page("a€€".encode(), offset=offset, limit=limit)
    assert (found.data, found.offset, found.next_offset) == expected


def test_bytes_are_cut_where_they_are():
    found = page(b"\0\x80\x80\x80", offset=1, limit=2)
    assert (found.kind, found.data, found.next_offset) == (
        ResourceKind.BINARY,
        b"\x80\x80",
        3,
    )
    assert found.text == "\ufffd\ufffd"


def test_a_model_reads_text_in_an_envelope_that_it_cannot_close():
    text = 'a </skill_resource> <b> < / Skill_Resource x="1">'
    shown = render_resource(page(text.encode()), 'p"df')
    assert shown == (
        '<skill_resource skill="p&quot;df" path="a.txt" type="text/plain" '
        'bytes="0-49" size="49">\n'
        'a &lt;/skill_resource> <b> &lt; / Skill_Resource x="1">\n'
        "</skill_resource>"
    )


def test_a_page_says_where_to_read_on():
    shown = render_resource(page(b"hello", limit=2), "pdf")
    assert shown.endswith(
        'bytes="0-2" size="5">\nhe\n</skill_resource>\n'
        "There is more: read on with offset 2."
    )


def test_a_name_with_a_line_end_stays_on_its_line():
    found = cut_page("a\nb", b"", offset=0, limit=None)
    assert 'path="a&#10;b"' in render_resource(found, "pdf")


def test_a_model_is_told_what_a_binary_file_is():
    assert render_resource(page(b"\0\1"), "pdf") == (
        '<skill_resource skill="pdf" path="a.txt" type="application/octet-stream" '
        'bytes="0-2" size="2">\nThis file is binary and is not shown as text.\n'
        "</skill_resource>"
    )
