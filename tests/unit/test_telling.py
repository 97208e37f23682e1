"""What skills say is told as they say it, whatever it is made of."""

from __future__ import annotations

from tests.telling import wrong_envelopes, wrong_rows


def test_a_catalog_of_anything_reads_back_as_xml():
    assert wrong_rows(20_000, at_once=1_000) == []


def test_an_envelope_of_anything_is_closed_once_and_reads_back():
    assert wrong_envelopes(5_000) == []
