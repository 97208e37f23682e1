"""Matching by what an author has stated: trigger phrases, and patterns of paths.

A stated cue that hits is evidence enough; shared words only rank those that it hits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from unicodedata import normalize

from metier.core.globs import is_path_match
from metier.core.triggers import Match, Score, Trigger
from metier.core.word_overlap import match_words

# More than shared words come to in practice, less than naming the skill. What a person
# says tells more than which files happen to be open.
PHRASE_SCORE = 50.0
PATH_SCORE = 25.0


def match_cues(
    turn: str, triggers: Sequence[Trigger], *, paths: Sequence[str] = ()
) -> Match:
    """The skill whose cues, or else whose words, fit the turn best, if any does.

    A skill that names its paths is about those alone: where `paths` are known and
    none is its own, its words do not count.
    """
    cues = {trigger.name: _cues(turn, trigger, paths) for trigger in triggers}
    worded = [t for t in triggers if not paths or not t.paths or cues[t.name]]
    match = match_words(turn, worded)
    if not any(cues.values()):
        return match
    words = {score.name: score for score in match.scores}
    scores = [
        _score(name, hits, words.get(name))
        for name, hits in cues.items()
        if hits or name in words
    ]
    # The sort is stable: equal scores stay in the dialect's order.
    best_first = tuple(sorted(scores, key=lambda score: -score.score))
    return Match(winner=best_first[0].name, scores=best_first)


_Cue = tuple[float, str]


def _cues(turn: str, trigger: Trigger, paths: Sequence[str]) -> list[_Cue]:
    cues: list[_Cue] = []
    said = next((p for p in trigger.phrases if _is_said(p, turn)), None)
    if said is not None:
        cues.append((PHRASE_SCORE, f"the phrase `{said}`"))
    hit = _first_hit(trigger.paths, paths)
    if hit is not None:
        cues.append((PATH_SCORE, f"`{hit[0]}` is one of `{hit[1]}`"))
    return cues


def _first_hit(patterns: Sequence[str], paths: Sequence[str]) -> tuple[str, str] | None:
    hits = ((p, pattern) for pattern in patterns for p in paths)
    return next((hit for hit in hits if is_path_match(*hit)), None)


def _is_said(phrase: str, turn: str) -> bool:
    """Whether the words of `phrase` stand in `turn`, in any case and spacing."""
    wanted = _folded(phrase)
    # Whole words: `test` is not in `latest`.
    at_edges = rf"(?<!\w){re.escape(wanted)}(?!\w)"
    return bool(wanted) and re.search(at_edges, _folded(turn)) is not None


def _folded(text: str) -> str:
    return " ".join(normalize("NFKC", text).casefold().split())


def _score(name: str, cues: Sequence[_Cue], words: Score | None) -> Score:
    reasons = [because for _, because in cues]
    total = sum(score for score, _ in cues)
    if words is not None:
        reasons.append(words.because)
        total += words.score
    return Score(name=name, score=round(total, 3), because=", ".join(reasons))
