"""Approved is what is loaded: every edit asks again, and nothing else does.

`make soak` runs the same with ten times as many edits, and a hundred times the races.
"""

from __future__ import annotations

import pytest

from metier.world.trees import read_tree, stamp_of
from tests.racing import race, set_arena
from tests.trusting import EDITS, NO_EDITS, Edit, count_refusals, quick_folder


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_every_kind_of_edit_asks_again(edit: Edit):
    assert count_refusals((edit,), count=4) == 4


@pytest.mark.parametrize("edit", NO_EDITS, ids=lambda edit: edit.__name__)
def test_what_is_no_edit_asks_nobody(edit: Edit):
    assert count_refusals((edit,), count=4) == 0


def test_a_thousand_edits_ask_a_thousand_times():
    assert count_refusals(EDITS, count=1_000) == 1_000


def test_a_thousand_touches_ask_nobody():
    assert count_refusals(NO_EDITS, count=1_000) == 0


def test_a_folder_that_turns_into_a_link_leaks_nothing():
    with quick_folder() as folder:
        arena = set_arena(folder)
        within = stamp_of(str(arena.workspace))
        skill = str(arena.folders[0])

        def read() -> bytes | None:
            return read_tree(skill, within=within).read("SKILL.md")

        raced = race(arena.folders, read, count=5_000)
    assert raced.leaked == 0


def test_a_file_that_turns_into_a_link_leaks_nothing():
    with quick_folder() as folder:
        arena = set_arena(folder)
        within = stamp_of(str(arena.workspace))
        skill = str(arena.folders[0])

        def read() -> bytes | None:
            return read_tree(skill, within=within, only="notes.md").read("notes.md")

        raced = race(arena.files, read, count=5_000)
    assert raced.leaked == 0
