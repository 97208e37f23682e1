"""The order of `localeCompare`, as Node 20 and Bun 1.4 have it."""

from __future__ import annotations

from metier.core.collation import locale_key


def in_order(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(names, key=locale_key))


def test_letters_come_before_accents_and_accents_before_case() -> None:
    names = ("_x", "-y", "$x", "0", "10", "9", "a", "A", "ä", "a b", "b", "é", "Z")
    assert in_order(names[::-1]) == names


def test_accents_have_an_order_of_their_own() -> None:
    names = ("a", "á", "à", "ă", "â", "ǎ", "å", "ä", "ã", "ȧ", "ą", "ā", "l", "ł")
    assert in_order(names[::-1]) == names


def test_an_accent_counts_from_the_left() -> None:
    names = ("Aé", "åe", "åé", "ae1", "aé1")
    assert in_order(names[::-1]) == names


def test_letters_that_are_none_with_an_accent_have_their_place_among_the_others() -> (
    None
):
    names = (
        "d",
        "ð",
        "ë",
        "ə",
        "f",
        "h",
        "i",
        "ij",
        "ĳ",
        "ı",
        "j",
        "z",
        "þ",
        "я",
        "技",
    )
    assert in_order(names[::-1]) == names
