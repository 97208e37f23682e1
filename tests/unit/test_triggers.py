from __future__ import annotations

import json
import random
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.core.triggers import (
    MENTION_SCORE,
    Match,
    Matcher,
    Score,
    Trigger,
    match_turn,
)
from metier.core.word_overlap import OVERLAP_MIN_SCORE

FACTS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[1] / "conformance/triggers.json").read_text("utf-8")
)
LIBRARY = [Trigger(**skill) for skill in FACTS["skills"]]


def two_tokens(turn: str, *when_to_use: str | None) -> Match:
    names = (f"skill-{number}" for number in range(len(when_to_use)))
    triggers = [
        Trigger(name=name, when_to_use=text)
        for name, text in zip(names, when_to_use, strict=True)
    ]
    return match_turn(turn, triggers, Matcher.TWO_TOKENS)


def overlap(turn: str, *triggers: Trigger) -> Match:
    return match_turn(turn, triggers or LIBRARY, Matcher.WORD_OVERLAP)


def test_without_a_matcher_nothing_is_scored():
    assert match_turn("/pdf", LIBRARY, Matcher.NONE) == Match(winner=None, scores=())


@pytest.mark.parametrize("matcher", Matcher, ids=lambda matcher: matcher.value)
@pytest.mark.parametrize("turn", ["", " ", "/", "$", "the of a", "\ud800"])
def test_a_turn_without_words_matches_nothing(turn: str, matcher: Matcher):
    assert match_turn(turn, LIBRARY, matcher).winner is None
    assert match_turn(turn, [], matcher) == Match()


class TestTwoTokens:
    def test_the_first_with_two_hits_wins_and_not_the_best(self):
        match = two_tokens("alpha beta gamma", "alpha beta", "alpha beta gamma")
        assert match == Match(
            winner="skill-0",
            scores=(
                Score(name="skill-0", score=2.0, because="alpha, beta"),
                Score(name="skill-1", score=3.0, because="alpha, beta, gamma"),
            ),
        )

    def test_only_skills_with_a_when_to_use_are_scored(self):
        assert two_tokens("alpha", None, "", "alpha").scores == (
            Score(name="skill-1", score=0.0, because=""),
            Score(name="skill-2", score=1.0, because="alpha"),
        )

    @pytest.mark.parametrize(
        ("turn", "when_to_use", "hits"),
        [
            ("latest", "test test", 2),
            ("about the usability of asks", "User asks about failing cargo tests", 2),
            ("run the tests", "tests, tests.", 0),
            ("été été", "été", 1),
            ("ÉTÉ", "été", 0),
            ("ete abc", "ete abc", 0),
            ("FAILING Tests", "failing TESTS", 2),
            ("日本語のテスト", "日本 本語", 2),
            ("abcd\x1cefgh", "abcd\x1cefgh", 1),
            ("abcd\x1defgh", "abcd efgh", 2),
            ("abcd efgh ijkl", "abcd\x85efgh\u2003ijkl", 3),
            ("abcd efgh", "abcd\u200befgh", 0),
            ("abcd efgh", "abcd\ufeffefgh", 0),
            ("K\u212a\u212a", "\u212a\u212a", 1),
            ("kkkk", "\u212a\u212a\u212a\u212a", 0),
            ("a\ud800b", "a\ud800b", 1),
        ],
    )
    def test_tokens_are_cut_and_compared_as_bytes(
        self, turn: str, when_to_use: str, hits: int
    ):
        assert two_tokens(turn, when_to_use).scores[0].score == hits

    @given(st.text("abcd \x1c\x85é", max_size=30), st.text("abcd \x1c\x85é"))
    def test_the_score_is_what_the_published_loop_counts(
        self, turn: str, when_to_use: str
    ):
        tokens = when_to_use.replace("\x85", " ").split(" ")
        hits = [t for t in tokens if len(t.encode()) >= 4 and t in turn]
        match = two_tokens(turn, when_to_use)
        assert match.scores[0].score == len(hits)
        assert (match.winner is not None) is (len(hits) >= 2)


PDF = Trigger(name="pdf", description="Split and merge portable documents")
CODE = Trigger(name="code", description="Programs")
CODE_REVIEW = Trigger(name="code-review", description="Judges a diff")


class TestMention:
    @pytest.mark.parametrize(
        "turn",
        [
            "/pdf",
            "$pdf",
            "use $pdf here",
            "please (/pdf)",
            "/pdf.",
            "/pdf, please",
            "first\n/pdf",
            '"$pdf"',
        ],
    )
    def test_an_explicit_mention_wins_at_once(self, turn: str):
        sign = turn[turn.index("pdf") - 1]
        because = f"`{sign}pdf` names it"
        score = Score(name="pdf", score=MENTION_SCORE, because=because)
        assert overlap(turn, CODE, PDF) == Match(winner="pdf", scores=(score,))

    @pytest.mark.parametrize(
        "turn",
        [
            "/usr/share/pdf",
            "/pdf/x",
            "./pdf",
            "~/pdf",
            "x/pdf",
            "https://pdf",
            "/pdfs",
            "/pdf-tools",
            "/pdf.txt",
            "US$pdf",
            "/PDF-1",
            "$$pdf",
        ],
    )
    def test_a_path_or_another_name_is_no_mention(self, turn: str):
        assert MENTION_SCORE not in [s.score for s in overlap(turn, CODE, PDF).scores]

    def test_the_longest_name_is_meant(self):
        assert overlap("/code-review x", CODE, CODE_REVIEW).winner == "code-review"
        assert overlap("/code x", CODE, CODE_REVIEW).winner == "code"

    def test_the_first_mention_counts(self):
        assert overlap("/pdf then /code", CODE, PDF).winner == "pdf"

    def test_a_name_is_taken_literally(self):
        odd = Trigger(name="a.b (c)*")
        assert overlap("/a.b (c)*", odd).winner == "a.b (c)*"
        assert overlap("/axb (c)*", odd).winner is None

    def test_a_skill_without_a_name_is_never_mentioned(self):
        assert overlap("/ $", Trigger(name="")).winner is None


class TestWordOverlap:
    def test_a_word_that_is_the_whole_name_is_enough(self):
        assert overlap("split this pdf", PDF, CODE) == Match(
            winner="pdf",
            scores=(Score(name="pdf", score=3.0, because="pdf, split"),),
        )

    def test_one_word_of_a_longer_name_is_not_enough(self):
        match = overlap("the review is due", CODE_REVIEW, PDF)
        assert match == Match(
            scores=(Score(name="code-review", score=1.5, because="review"),)
        )

    def test_one_word_of_a_description_is_not_enough(self):
        assert overlap("that is portable", PDF).winner is None

    def test_a_word_of_the_trade_weighs_half(self):
        (score,) = overlap("list the documents", PDF).scores
        assert score == Score(name="pdf", score=0.5, because="documents")

    def test_a_word_that_every_skill_has_weighs_little(self):
        skills = [
            Trigger(name=f"s{number}", description="orchids grow")
            for number in range(9)
        ]
        match = overlap("orchids grow", *skills)
        assert match.winner is None
        assert {score.score for score in match.scores} == {0.092}

    def test_equal_scores_go_to_the_first(self):
        one, two = (
            Trigger(name=name, description="prune violet orchids") for name in "zy"
        )
        turn = "prune violet orchids"
        others = [PDF, CODE, CODE_REVIEW]
        assert overlap(turn, one, two, *others).winner == "z"
        assert overlap(turn, two, one, *others).winner == "y"

    def test_scores_come_best_first_and_without_the_zeros(self):
        match = overlap("merge and split the diff", CODE_REVIEW, PDF, CODE)
        assert [score.name for score in match.scores] == ["pdf", "code-review"]

    def test_the_words_are_told_as_the_person_wrote_them(self):
        (score,) = overlap("Merging PDFs", PDF).scores
        assert score.because == "pdfs, merging"

    @pytest.mark.parametrize(
        ("said", "written"),
        [
            ("queries", "query"),
            ("running", "runs"),
            ("writing", "write"),
            ("released", "releasing"),
            ("debugged", "debug"),
            ("classes", "class"),
            ("matches", "matching"),
            ("settings", "set-up setting"),
            ("APIs", "api"),
            ("STRASSE", "straße"),
            ("ｐｄｆ", "pdf"),
            ("c++", "C++"),
            ("c#", "C#"),
            ("हिन्दी", "हिन्दी"),
            ("файлы", "ФАЙЛЫ"),
        ],
    )
    def test_forms_of_a_word_are_one_word(self, said: str, written: str):
        assert overlap(said, Trigger(name="", description=written)).scores

    @pytest.mark.parametrize(
        ("said", "written"),
        [
            ("string", "str"),
            ("need", "ne"),
            ("speed", "spe"),
            ("bring", "br"),
            ("c", "c++"),
            ("x", "x"),
            ("3", "3"),
            ("late", "latest"),
            ("asks", "tasks"),
            ("कि", "का"),
        ],
    )
    def test_other_words_are_other_words(self, said: str, written: str):
        assert not overlap(said, Trigger(name="", description=written)).scores

    def test_scripts_without_blanks_match_by_pairs_of_characters(self):
        match = overlap("把这个会议录音整理成纪要")
        assert match.winner == "会议纪要"
        assert match.scores[0].because.startswith("会议, 纪要, ")

    def test_a_single_character_of_such_a_script_is_a_word(self):
        assert overlap("書 を", Trigger(name="書")).winner == "書"

    @pytest.mark.parametrize(
        "turn",
        [
            "look at /usr/share/pdf/readme",
            "see https://example.com/pdf for more",
            "cd ~/pdf",
            "open ../pdf/it",
        ],
    )
    def test_an_address_is_not_a_topic(self, turn: str):
        assert overlap(turn).winner is None

    @pytest.mark.parametrize("turn", ["join /tmp/a.pdf", "join ./a.pdf, now"])
    def test_the_extension_of_an_address_is_telling(self, turn: str):
        assert overlap(turn).winner == "pdf"

    def test_a_long_turn_needs_more_evidence(self):
        padding = " ".join(f"filler{number}" for number in range(200))
        assert overlap("a pdf").winner == "pdf"
        assert overlap(f"a pdf {padding}").winner is None
        assert overlap(f"a pdf {padding}").scores[0].score >= OVERLAP_MIN_SCORE

    @given(st.randoms(use_true_random=False), st.sampled_from(FACTS["tuned"]))
    def test_the_order_of_the_skills_only_breaks_ties(
        self, shuffler: random.Random, case: dict[str, Any]
    ):
        shuffled = LIBRARY.copy()
        shuffler.shuffle(shuffled)
        assert overlap(case["turn"], *shuffled).winner == overlap(case["turn"]).winner

    @given(st.text(max_size=60), st.lists(st.text(max_size=20), max_size=4))
    def test_any_text_is_answered(self, turn: str, texts: list[str]):
        triggers = [Trigger(name=text, description=text) for text in texts]
        match = match_turn(turn, triggers, Matcher.WORD_OVERLAP)
        assert match.winner in {None, *texts}


def measured(
    turns: list[dict[str, Any]], library: list[Trigger]
) -> tuple[int, int, int]:
    """How many winners were right, were named at all, and should have been."""
    names = {trigger.name for trigger in library}
    wanted = [case["match"] if case["match"] in names else None for case in turns]
    winners = [overlap(case["turn"], *library).winner for case in turns]
    right = sum(a is not None and a == b for a, b in zip(winners, wanted, strict=True))
    return (
        right,
        sum(w is not None for w in winners),
        sum(w is not None for w in wanted),
    )


class TestPrecision:
    """Thirty-eight skills; the held-out turns were written before any tuning."""

    @pytest.mark.parametrize(
        ("turns", "precision", "recall"),
        [("tuned", 1.0, 0.96), ("held_out", 0.95, 0.84)],
    )
    def test_the_whole_library_is_matched_with_care(
        self, turns: str, precision: float, recall: float
    ):
        right, named, wanted = measured(FACTS[turns], LIBRARY)
        assert right / named >= precision
        assert right / wanted >= recall

    @pytest.mark.parametrize("size", [3, 8, 20])
    @pytest.mark.parametrize(
        ("turns", "precision", "recall"),
        [("tuned", 0.97, 0.92), ("held_out", 0.93, 0.83)],
    )
    def test_a_part_of_the_library_does_not_take_what_the_rest_would(
        self, turns: str, precision: float, recall: float, size: int
    ):
        parts = [random.Random(seed).sample(LIBRARY, size) for seed in range(20)]
        counts = [measured(FACTS[turns], part) for part in parts]
        right, named, wanted = (sum(column) for column in zip(*counts, strict=True))
        assert right / named >= precision
        assert right / wanted >= recall


@pytest.mark.parametrize("matcher", [Matcher.TWO_TOKENS, Matcher.WORD_OVERLAP])
@pytest.mark.parametrize(
    "unit", ["a b ", "/ ", "a", "://", "日", "$x ", "~", ".", "a:", "'"]
)
def test_a_megabyte_of_anything_is_matched_in_seconds(unit: str, matcher: Matcher):
    turn = unit * (1_000_000 // len(unit))
    began = time.process_time()
    match_turn(turn, LIBRARY, matcher)
    assert time.process_time() - began < 3
