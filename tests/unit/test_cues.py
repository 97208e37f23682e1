from __future__ import annotations

import pytest

from metier.core.cues import PATH_SCORE, PHRASE_SCORE, match_cues
from metier.core.triggers import Match, Matcher, Score, Trigger, match_turn

SHIP = Trigger(name="ship", phrases=("ship it", "c++"), paths=("*.toml", "ci/**"))
TYPE = Trigger(name="type", description="Adds type hints", paths=("*.py",))
BAKE = Trigger(name="bake", description="Bakes bread")
ALL = (SHIP, TYPE, BAKE)


@pytest.mark.parametrize(
    "turn", ["ship it", "Please SHIP  it!", "ship\nit", "in c++ please", "(ship it)"]
)
def test_a_phrase_that_is_said_decides(turn: str):
    assert match_cues(turn, ALL).winner == "ship"


@pytest.mark.parametrize("turn", ["shipit", "flagship it", "send its cargo", "", "c+"])
def test_a_phrase_is_said_in_whole_words(turn: str):
    phrases = Trigger(name="x", phrases=("ship it", "it", "c++"))
    expected = "x" if " it " in f" {turn} " else None
    assert match_cues(turn, [phrases]).winner == expected


def test_an_empty_phrase_is_never_said():
    assert match_cues("anything", [Trigger(name="a", phrases=("", " "))]) == Match()


def test_a_phrase_tells_more_than_a_path():
    ship = Trigger(name="ship", phrases=("do it",))
    assert match_cues("do it", [TYPE, ship], paths=["a/b.py", "c.md"]) == Match(
        winner="ship",
        scores=(
            Score(name="ship", score=PHRASE_SCORE, because="the phrase `do it`"),
            Score(name="type", score=PATH_SCORE, because="`a/b.py` is one of `*.py`"),
        ),
    )


def test_what_hits_adds_up_with_its_reasons():
    both = Trigger(name="b", description="Bread", phrases=("bread",), paths=("*.md",))
    match = match_cues("bread", [both], paths=["a.md"])
    because = "the phrase `bread`, `a.md` is one of `*.md`, bread"
    score = PHRASE_SCORE + PATH_SCORE + 1.0
    assert match.scores == (Score(name="b", score=score, because=because),)


def test_words_rank_the_skills_that_a_path_hits():
    other = Trigger(name="lint", description="Lints", paths=("*.py",))
    turn = "add the type hints"
    assert match_cues(turn, [other, TYPE], paths=["a.py"]).winner == "type"


def test_a_skill_that_names_its_paths_is_about_no_other():
    assert match_cues("type hints", ALL, paths=["a.js"]).winner is None
    assert match_cues("type hints", ALL).winner == "type"


def test_a_turn_that_names_a_skill_needs_no_cue():
    match = match_turn("/bake ship it", ALL, Matcher.WORD_OVERLAP, paths=["a.py"])
    assert match.winner == "bake"


def test_equal_cues_stay_in_the_dialects_order():
    twins = [Trigger(name=name, paths=("*.py",)) for name in "ba"]
    match = match_cues("", twins, paths=["a.py"])
    assert [score.name for score in match.scores] == ["b", "a"]
