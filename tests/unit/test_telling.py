"""What skills say is told as they say it, at a tenth of what was promised."""

from __future__ import annotations

from tests.telling import spread, wrong_envelopes, wrong_rows


def test_a_million_skills_stand_in_catalogs_as_they_are():
    assert spread(wrong_rows, 1_000_000) == []


def test_a_hundred_thousand_envelopes_are_closed_once_and_read_back():
    assert spread(wrong_envelopes, 100_000) == []
