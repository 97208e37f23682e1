"""Nothing outside of a skill is read, at the size that was promised."""

from __future__ import annotations

import pytest

from metier.world.contained import Opener, read_below
from tests.containing import OPENERS, try_paths
from tests.racing import race, set_arena
from tests.trusting import quick_folder


def test_a_hundred_thousand_paths_in_folders_full_of_links_leak_nothing():
    with quick_folder() as folder:
        tally = try_paths(folder, layouts=2_000, paths=50)
    assert (tally.leaked, tally.different) == (0, [])
    assert tally.lost_by_careless > 1_000


@pytest.mark.parametrize("opener", OPENERS, ids=lambda each: each.__name__)
@pytest.mark.parametrize("what", ["folders", "files"])
def test_in_half_a_million_readings_of_what_turns_into_a_link_nothing_leaks(
    what: str, opener: Opener
):
    with quick_folder() as folder:
        arena = set_arena(folder)
        top = str(arena.workspace / "skills")
        name = "pdf/SKILL.md" if what == "folders" else "pdf/notes.md"

        def read() -> bytes:
            return read_below(top, name, 99, opener=opener).data

        pair = arena.folders if what == "folders" else arena.files
        raced = race(pair, read, count=500_000)
    assert raced.leaked == 0
