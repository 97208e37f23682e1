"""What skills say is told as they say it, at the size that was promised."""

from __future__ import annotations

from tests.telling import spread, wrong_envelopes, wrong_rows


def test_ten_million_skills_stand_in_catalogs_as_they_are():
    assert spread(wrong_rows, 10_000_000) == []


def test_a_million_envelopes_are_closed_once_and_read_back():
    assert spread(wrong_envelopes, 1_000_000) == []
