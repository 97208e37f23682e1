"""Skills that a word in a turn calls for, or a file that is touched."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from metier.core.triggers import Match, Score, Trigger


def match_keywords(
    turn: str, triggers: Sequence[Trigger], *, paths: Sequence[str] = ()
) -> Match:
    """Every skill that is called for; a skill with patterns listens to no words."""
    scores = tuple(_called(turn.lower(), triggers, paths))
    return Match(winner=scores[0].name if scores else None, scores=scores)


def _called(
    turn: str, triggers: Sequence[Trigger], paths: Sequence[str]
) -> Iterator[Score]:
    for trigger in triggers:
        if trigger.paths:
            fits = (each for each in trigger.paths if _fits_any(each, paths))
            because = next((f"`{each}` fits" for each in fits), None)
        else:
            heard = (each for each in trigger.phrases if is_heard(each, turn))
            because = next((f"`{each}`" for each in heard), None)
        if because is not None:
            yield Score(name=trigger.name, score=1.0, because=because)


def is_heard(keyword: str, turn: str) -> bool:
    """Whether `keyword` stands in `turn`, which is in lower case, as a word."""
    word = re.escape(keyword.lower())
    return bool(word) and bool(re.search(rf"(?<![a-z0-9]){word}(?![a-z0-9])", turn))


def _fits_any(pattern: str, paths: Sequence[str]) -> bool:
    return any(_pattern_of(pattern).fullmatch(path) for path in paths)


_TOKEN = re.compile(r"\*\*/|\*\*|\*|\?|[^*?]+")
_EXPRESSIONS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


@lru_cache(maxsize=256)
def _pattern_of(pattern: str) -> re.Pattern[str]:
    """A pattern with `**`, `*` and `?`; one without a slash fits at any depth."""
    anywhere = pattern if "/" in pattern else f"**/{pattern}"
    tokens = _TOKEN.findall(anywhere)
    return re.compile(
        "".join(_EXPRESSIONS.get(token) or re.escape(token) for token in tokens),
        re.DOTALL,
    )
