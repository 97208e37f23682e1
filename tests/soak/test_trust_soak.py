"""Approved is what is loaded, at the size that was promised."""

from __future__ import annotations

from metier.world.trees import read_tree, stamp_of
from tests.racing import Arena, race, set_arena
from tests.trusting import EDITS, NO_EDITS, count_refusals, quick_folder


def test_ten_thousand_edits_ask_ten_thousand_times():
    assert count_refusals(EDITS, count=10_000) == 10_000


def test_ten_thousand_touches_ask_nobody():
    assert count_refusals(NO_EDITS, count=10_000) == 0


def test_in_half_a_million_readings_of_a_folder_that_turns_nothing_leaks():
    with quick_folder() as folder:
        arena = set_arena(folder)
        raced = race(arena.folders, lambda: skill_file(arena), count=500_000)
    assert raced.leaked == 0


def test_in_half_a_million_readings_of_a_file_that_turns_nothing_leaks():
    with quick_folder() as folder:
        arena = set_arena(folder)
        raced = race(arena.files, lambda: notes(arena), count=500_000)
    assert raced.leaked == 0


def skill_file(arena: Arena) -> bytes | None:
    within = stamp_of(str(arena.workspace))
    return read_tree(str(arena.folders[0]), within=within).read("SKILL.md")


def notes(arena: Arena) -> bytes | None:
    within = stamp_of(str(arena.workspace))
    skill = str(arena.folders[0])
    return read_tree(skill, within=within, only="notes.md").read("notes.md")
