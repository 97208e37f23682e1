"""Pages give back the file, and a place never leads out."""

from __future__ import annotations

import posixpath

from hypothesis import given
from hypothesis import strategies as st

from metier.core.resources import ResourceKind, cut_page, kind_of, parse_place

FILES = st.one_of(st.binary(max_size=60), st.text(max_size=40).map(str.encode))


@given(data=FILES, limit=st.integers(-1, 20))
def test_the_pages_that_follow_one_another_are_the_file(data: bytes, limit: int):
    pages: list[bytes] = []
    offset: int | None = 0
    while offset is not None:
        page = cut_page("a", data, offset=offset, limit=limit)
        pages.append(page.data)
        if page.kind is ResourceKind.TEXT:
            page.data.decode()
        assert page.next_offset is None or page.next_offset > offset
        offset = page.next_offset
    assert b"".join(pages) == data


@given(data=FILES, offset=st.integers(-5, 80), limit=st.integers(-5, 80))
def test_a_page_is_what_stands_at_its_offset(data: bytes, offset: int, limit: int):
    page = cut_page("a", data, offset=offset, limit=limit)
    end = page.offset + len(page.data)
    assert data[page.offset : end] == page.data
    assert page.kind is kind_of(data)
    assert page.next_offset == (end if end < len(data) else None)


STEPS = st.lists(st.sampled_from(["a", "b.md", "..", ".", "", "~", "\n"]), max_size=8)


@given(steps=STEPS)
def test_a_place_is_where_the_path_leads_and_never_outside(steps: list[str]):
    path = "/".join(steps)
    place = parse_place(path)
    if place.refusal is None:
        assert place.path == posixpath.normpath(path)
        assert not place.path.startswith(("/", "../"))
        assert parse_place(place.path) == place
