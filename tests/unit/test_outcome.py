from __future__ import annotations

import pytest

from metier.core.outcome import Outcome, is_shortened, most_given, outcome_of
from metier.core.skill import Status


@pytest.mark.parametrize(
    ("status", "is_renamed", "is_cut", "outcome"),
    [
        (Status.LOADED, False, False, Outcome.LOADED),
        (Status.LOADED, False, True, Outcome.TRUNCATED),
        (Status.LOADED, True, True, Outcome.RENAMED),
        (Status.HIDDEN, False, False, Outcome.HIDDEN),
        (Status.HIDDEN, False, True, Outcome.HIDDEN),
        (Status.HIDDEN, True, False, Outcome.RENAMED),
        (Status.SHADOWED, True, True, Outcome.SHADOWED),
        (Status.REJECTED, True, True, Outcome.DROPPED),
    ],
)
def test_one_word_says_what_became_of_a_candidate(
    status: Status, is_renamed: bool, is_cut: bool, outcome: Outcome
):
    assert outcome_of(status, is_renamed=is_renamed, is_cut=is_cut) is outcome


def test_portable_is_what_is_there_under_its_own_name():
    assert [each.value for each in Outcome if each.is_portable] == [
        "loaded",
        "hidden",
        "truncated",
    ]
    assert [each.value for each in Outcome if each.is_available] == [
        "loaded",
        "hidden",
        "truncated",
        "renamed",
    ]


@pytest.mark.parametrize(
    ("read", "written", "is_less"),
    [
        ("a b", "a b c", True),
        (">-", "all of it", True),
        (None, "a", True),
        ("a\n  b", "a b", False),
        ('"a"', "a", False),
        ("", None, False),
    ],
)
def test_a_text_is_shortened_where_signs_are_gone(
    read: str | None, written: str | None, is_less: bool
):
    assert is_shortened(read, written) is is_less


@pytest.mark.parametrize(
    ("names", "name"),
    [
        (["a", "b", "b"], "b"),
        (["b", "a"], "b"),
        ([None, None, "a"], "a"),
        (["", None], None),
        ([], None),
    ],
)
def test_most_agents_have_the_word_on_a_name(names: list[str | None], name: str | None):
    assert most_given(names) == name
