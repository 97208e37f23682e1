"""Matching a turn to skills by the words that they share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import log
from unicodedata import normalize

from metier.core.triggers import Match, Score, Trigger

# A word that no other skill has weighs 1. So this asks for two words, of which few
# other skills have one, or for one word that is the skill's whole name. A lone word of
# `when_to_use`, or half a name, is 1.5 and must not do: for the turns
# in tests/conformance/triggers.json against three skills at a time, 1.5 in place of
# 1.75 takes the precision from 98 to 80 %, and 2 gains nothing but loses recall.
OVERLAP_MIN_SCORE = 1.75

# `when_to_use` is written to be matched, a description to be read.
WHEN_TO_USE_EMPHASIS = 1.5

# How far a word of the trade counts, however rare it is among a few skills.
TRADE_WORD_WEIGHT = 0.5

# A longer turn (a pasted log) hits words by chance, so it has to hit more of them.
OVERLAP_TURN_WORDS = 40


def match_words(turn: str, triggers: Sequence[Trigger]) -> Match:
    """The skill with the most telling words in common with the turn, if any."""
    said = _words(_ADDRESS.sub(_extension, turn))
    known = [_emphasis(trigger) for trigger in triggers]
    weights = _weights(known, said)
    scores = [
        _score(trigger.name, emphasis, said=said, weights=weights)
        for trigger, emphasis in zip(triggers, known, strict=True)
    ]
    # The sort is stable: equal scores stay in the dialect's order.
    hits = tuple(sorted((s for s in scores if s.score), key=lambda s: -s.score))
    has_winner = hits and hits[0].score >= _needed(len(said))
    return Match(winner=hits[0].name if has_winner else None, scores=hits)


def _needed(turn_words: int) -> float:
    # By the square root: a turn four times as long needs twice the evidence.
    return OVERLAP_MIN_SCORE * max(1.0, (turn_words / OVERLAP_TURN_WORDS) ** 0.5)


def _emphasis(trigger: Trigger) -> dict[str, float]:
    emphasis = dict.fromkeys(_words(trigger.description or ""), 1.0)
    when_to_use = _words(trigger.when_to_use or "")
    emphasis |= dict.fromkeys(when_to_use, WHEN_TO_USE_EMPHASIS)
    # All words of the name together count once more: `git` is not yet `git-release`.
    name = _words(trigger.name)
    for word in name:
        emphasis[word] = emphasis.get(word, 1.0) + 1 / len(name)
    return emphasis


def _weights(
    known: Sequence[Mapping[str, float]], said: Iterable[str]
) -> dict[str, float]:
    """1 for a word that one skill has, nearly 0 for a word that they all have."""
    spread = Counter(word for emphasis in known for word in emphasis)
    return {
        word: min(
            1 - log(spread[word]) / log(len(known) + 1),
            TRADE_WORD_WEIGHT if word in _TRADE_STEMS else 1.0,
        )
        for word in said
        if word in spread
    }


def _score(
    name: str,
    emphasis: Mapping[str, float],
    *,
    said: Mapping[str, str],
    weights: Mapping[str, float],
) -> Score:
    hits = {word: emphasis[word] * weights[word] for word in weights.keys() & emphasis}
    best_first = sorted(hits, key=lambda word: (-hits[word], word))
    # Rounded, so that neither a tie nor the output hangs on the last binary digit.
    total = round(sum(hits[word] for word in best_first), 3)
    because = ", ".join(said[word] for word in best_first)
    return Score(name=name, score=total, because=because)


# A path or a URL is an address and not a topic; only its extension is telling.
_ADDRESS = re.compile(r"(?<![\w/])(?:\w++:/|~|\.\.?)?/\S++")
_EXTENSION = re.compile(r"\.(\w{1,5})\W{0,3}\Z")
# As far back as an extension and the punctuation behind it reach.
_EXTENSION_REACH = 10


def _extension(address: re.Match[str]) -> str:
    found = _EXTENSION.search(address[0][-_EXTENSION_REACH:])
    return f" {found[1]} " if found else " "


# Scripts written without blanks between words, and Korean, whose particles cling to
# the word: every two neighbours make a "word".
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
# Python's `\w` leaves out combining marks: an Indic word would fall apart at every
# vowel sign.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
_WORD = re.compile(
    rf"[{_UNSPACED}]+|[a-z](?:\+\+|\#)|(?:(?![{_UNSPACED}])[^\W_]|[{_MARKS}])+"
)
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")


def _words(text: str) -> dict[str, str]:
    """The words of a text that carry meaning: stem -> the word as first written."""
    words: dict[str, str] = {}
    for run in _WORD.findall(normalize("NFKC", text).casefold()):
        for word in _split(run):
            if _is_telling(word):
                words.setdefault(_stem(word), word)
    return words


def _is_telling(word: str) -> bool:
    # A lone letter or digit is a variable or a number; a lone character of another
    # script may well be a word.
    return word not in STOP_WORDS and (len(word) > 1 or not word.isascii())


def _split(run: str) -> Sequence[str]:
    if len(run) > 1 and _IS_UNSPACED.match(run):
        return [run[i : i + 2] for i in range(len(run) - 1)]
    return [run]


STOP_WORDS = frozenset(
    """
    a about add after again all also am an and any anything are as ask asked asking
    asks at be because been before being between but by can could did do does doing
    don done each every few for from get give go had has have he hello help her here
    him his how i if in into is it its just let like ll make makes making many may me
    mention mentioned mentions might more most much must my need needed needs new no
    not now of off ok on once one only or other our out over own people please re s
    same say says see set she should show skill skills so some such t take task tasks
    tell than thank thanks that the their them then there these they thing things
    this those through to too two under up us use used user users uses using ve very
    want wanted wants was way we well were what whatever when whenever where whether
    which while who whose why will with without work working works would yes you your
    """.split()
)


# A working vocabulary has some ten thousand words.
STEMS_KEPT = 8192


@lru_cache(maxsize=STEMS_KEPT)
def _stem(word: str) -> str:
    # Both sides go through this, so a stem has to be the same for the forms of a
    # word, not to be a word itself: `writing` and `writes` become `writ`.
    if len(word) <= 3 or not word.isascii():
        return word
    word = _without_plural(word)
    for ending in ("ing", "ed"):
        word = _without_ending(word, ending)
    word = word.removesuffix("e")
    return word[:-1] if word[-2:-1] == word[-1:] else word


def _without_plural(word: str) -> str:
    if word.endswith("ies"):
        return word.removesuffix("ies") + "y"
    return word if word.endswith("ss") else word.removesuffix("s")


def _without_ending(word: str, ending: str) -> str:
    base = word.removesuffix(ending)
    is_inflected = len(base) >= 3 and _VOWELS & set(base) and base[-1] != "e"
    return base if is_inflected else word


_VOWELS = frozenset("aeiouy")

# What half of all skills do, and half of all turns ask for.
_TRADE_STEMS = frozenset(
    map(
        _stem,
        """
        add app application build change check code commit content create data
        document edit explain file fill find first fix form format generate image
        improve last line list look name open page plan project read report run
        set start step system table text tool type update version write
        """.split(),
    )
)
