"""Which skill a turn of the conversation calls for, if any, and because of what."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, cast

from metier.core.record import record
from metier.core.text import WHITE_SPACE

if TYPE_CHECKING:
    from metier.core.skill import Skill
    from metier.core.values import FieldValue


class Matcher(Enum):
    """How a turn is matched to skills."""

    NONE = "none"
    TWO_TOKENS = "two-tokens"
    WORD_OVERLAP = "word-overlap"  # with trigger phrases and path patterns
    # Each skill with a trigger that stands in the turn as a word, or with a pattern
    # that one of the files fits; the first of them is the winner.
    KEYWORDS = "keywords"


@record
class Trigger:
    """A skill as a matcher sees it."""

    name: str
    when_to_use: str | None = None
    description: str | None = None
    phrases: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()  # patterns of the files that it is about
    is_hidden: bool = False  # found only by a turn that names it


def trigger_of(skill: Skill) -> Trigger:
    """What of `skill` a matcher looks at."""
    fields = skill.fields
    when_to_use = fields.get("when_to_use")
    return Trigger(
        name=skill.name,
        description=skill.description,
        when_to_use=when_to_use if isinstance(when_to_use, str) else None,
        phrases=_phrases_of(skill.name, fields),
        paths=_texts(fields.get("paths")),
        is_hidden=skill.is_hidden,
    )


def _phrases_of(name: str, fields: Mapping[str, FieldValue]) -> tuple[str, ...]:
    phrases = _texts(fields.get("triggers"))
    # What asks for values is called by `/name`, too.
    is_called = fields.get("inputs") is True and f"/{name}" not in phrases
    return (*phrases, f"/{name}") if is_called else phrases


def _texts(value: object) -> tuple[str, ...]:
    return cast("tuple[str, ...]", value) if isinstance(value, tuple) else ()


@record
class Score:
    """How well one skill fits; `because` names the words that hit."""

    name: str
    score: float
    because: str


@record
class Match:
    """The skill that the turn calls for (none: too little evidence), and the scores."""

    winner: str | None = None
    scores: tuple[Score, ...] = ()


def match_turn(
    turn: str,
    triggers: Sequence[Trigger],
    matcher: Matcher,
    *,
    paths: Sequence[str] = (),
) -> Match:
    """Match a turn, about the files `paths`, to skills in the dialect's own order."""
    if matcher is Matcher.NONE:
        return Match()
    if matcher is Matcher.KEYWORDS:
        from metier.core.keywords import match_keywords

        return match_keywords(turn, triggers, paths=paths)
    offered = [trigger for trigger in triggers if not trigger.is_hidden]
    if matcher is Matcher.TWO_TOKENS:
        return _match_two_tokens(turn, offered)
    mentioned = _match_mention(turn, triggers)
    if mentioned:
        return mentioned
    # Its expressions over all of Unicode take longer to compile than a scan takes.
    from metier.core.cues import match_cues

    return match_cues(turn, offered, paths=paths)


# --- two tokens -------------------------------------------------------------------

TWO_TOKENS_MIN_HITS = 2
TWO_TOKENS_MIN_BYTES = 4

# Unicode's White_Space, which is what Rust splits on; `str.split` also splits on
# U+001C..U+001F.
_RUST_BLANKS = str.maketrans(dict.fromkeys(WHITE_SPACE, "\n"))


def _match_two_tokens(turn: str, triggers: Sequence[Trigger]) -> Match:
    turn_bytes = _ascii_lower(turn)
    scores = tuple(
        _count_tokens(turn_bytes, name=trigger.name, when_to_use=trigger.when_to_use)
        for trigger in triggers
        if trigger.when_to_use is not None
    )
    enough = (score.name for score in scores if score.score >= TWO_TOKENS_MIN_HITS)
    return Match(winner=next(enough, None), scores=scores)


def _count_tokens(turn: bytes, *, name: str, when_to_use: str) -> Score:
    tokens = map(_ascii_lower, when_to_use.translate(_RUST_BLANKS).split("\n"))
    hits = [t for t in tokens if len(t) >= TWO_TOKENS_MIN_BYTES and t in turn]
    because = ", ".join(hit.decode(errors="surrogatepass") for hit in hits)
    return Score(name=name, score=float(len(hits)), because=because)


def _ascii_lower(text: str) -> bytes:
    # `bytes.lower` leaves all but ASCII alone, and UTF-8 bytes contain each other
    # just when the texts do.
    return text.encode(errors="surrogatepass").lower()


# --- an explicit mention ----------------------------------------------------------

# Above what any overlap of words reaches in practice.
MENTION_SCORE = 100.0


def _match_mention(turn: str, triggers: Sequence[Trigger]) -> Match | None:
    if "/" not in turn and "$" not in turn:
        return None
    # The longest first: `/code-review` does not mention `code`.
    names = sorted({t.name for t in triggers if t.name}, key=len, reverse=True)
    if not names:
        return None
    # Neither sign counts inside a path or a URL: `/usr/bin/pdf`, `./pdf/x.py`.
    any_name = "|".join(map(re.escape, names))
    mention = re.search(rf"(?<![\w/.~$:-])[/$]({any_name})(?![\w/-]|\.\w)", turn)
    if mention is None:
        return None
    because = f"`{mention[0]}` names it"
    score = Score(name=mention[1], score=MENTION_SCORE, because=because)
    return Match(winner=mention[1], scores=(score,))
