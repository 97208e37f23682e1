"""How much a catalog may take: of whose measure, by which rule, out of which window."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from enum import Enum
from typing import assert_never

from metier.core.record import record

# Where no tokenizer is at hand: about four characters of English a token, and about
# one of the scripts that are written without spaces.
CHARACTERS_PER_TOKEN = 4


class Measure(Enum):
    """What a budget counts."""

    ESTIMATED_TOKENS = "estimated-tokens"  # as metier estimates them
    QUARTER_BYTES = "quarter-bytes"  # tokens, one for every four bytes, rounded up
    CHARACTERS = "characters"  # where tokens were meant, four for each
    UTF16 = "utf-16"  # the same, as JavaScript counts them: one above U+FFFF is two
    BYTES = "bytes"  # where tokens were meant, four for each
    # Of a terminal, but one for each sign between two skills; where tokens were meant,
    # four for each.
    COLUMNS = "columns"


class Counted(Enum):
    """Which part of a catalog its budget counts."""

    WHOLE = "whole"  # everything that the model sees
    ITEMS = "items"  # the skills alone, without the text around them
    EACH_ITEM = "each-item"  # the same, rounded up for every skill
    NAMES_AND_DESCRIPTIONS = "names-and-descriptions"  # as they are, not as written


class BudgetOrigin(Enum):
    """Who set a budget."""

    CALLER = "caller"
    WINDOW = "window"  # a share of the context window
    FIXED = "fixed"  # the agent's own number, for a window that is not known


@record
class BudgetRule:
    """What an agent allows its catalog.

    `share` of the context window where that is known (0.02 of it), counted in
    `measure` and never more than `most`; `fixed` otherwise, in `fixed_measure`. What
    a caller sets instead is tokens, and never more than `caller_most`. `own` are skills
    that the agent brings along, with what each takes of the budget, unless one of the
    same name is listed instead; `reserved` is taken by what always stands there.
    """

    share: float | None = None
    measure: Measure = Measure.ESTIMATED_TOKENS
    most: int | None = None
    fixed: int | None = None
    fixed_measure: Measure = Measure.CHARACTERS
    caller_most: int | None = None
    counted: Counted = Counted.WHOLE
    max_items: int | None = None
    reserved: int = 0
    own: dict[str, int] = field(default_factory=dict[str, int])


@record
class Budget:
    """So much, counted in this way."""

    amount: int
    measure: Measure = Measure.ESTIMATED_TOKENS
    origin: BudgetOrigin = BudgetOrigin.CALLER


def resolve_budget(
    rule: BudgetRule, *, tokens: int | None = None, window: int | None = None
) -> Budget | None:
    """The budget that counts: the caller's, else the window's share, else the fixed."""
    if tokens is not None:
        amount = _at_most(_in_measure(tokens, rule.measure), rule.caller_most)
        return Budget(amount=amount, measure=rule.measure)
    if rule.share is not None and window is not None:
        amount = int(_in_measure(window, rule.measure) * rule.share)
        return Budget(
            amount=_at_most(amount, rule.most),
            measure=rule.measure,
            origin=BudgetOrigin.WINDOW,
        )
    if rule.fixed is None:
        return None
    return Budget(
        amount=rule.fixed, measure=rule.fixed_measure, origin=BudgetOrigin.FIXED
    )


def _in_measure(tokens: int, measure: Measure) -> int:
    return tokens if measure in _IN_TOKENS else tokens * CHARACTERS_PER_TOKEN


_IN_TOKENS = (Measure.ESTIMATED_TOKENS, Measure.QUARTER_BYTES)


def _at_most(amount: int, most: int | None) -> int:
    return amount if most is None else min(amount, most)


def measure_text(text: str, measure: Measure) -> int:
    """How much `text` takes of a budget of that measure."""
    return _whole(_size(text, measure), measure)


def running_costs(start: str, parts: Iterable[str], measure: Measure) -> Iterator[int]:
    """What `start` takes with one of `parts` behind it, with two of them, and so on."""
    size = _size(start, measure)
    for part in parts:
        size += _size(part, measure)
        yield _whole(size, measure)


def _whole(size: int, measure: Measure) -> int:
    """`size` in the units of a budget; what is begun counts."""
    return -(-size // CHARACTERS_PER_TOKEN) if measure in _IN_TOKENS else size


def _size(text: str, measure: Measure) -> int:
    """How much `text` takes, where tokens in their fourth parts."""
    match measure:
        case Measure.ESTIMATED_TOKENS:
            return len(text) + (CHARACTERS_PER_TOKEN - 1) * _wide_characters(text)
        case Measure.CHARACTERS:
            return len(text)
        case Measure.UTF16:
            return len(text) + sum(char > "\uffff" for char in text)
        case Measure.QUARTER_BYTES | Measure.BYTES:
            return _byte_length(text)
        case Measure.COLUMNS:
            # It takes its time to load, and few agents count like that.
            from metier.core.columns import columns_of

            return columns_of(text)
        case _:
            assert_never(measure)


def _byte_length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def estimate_tokens(text: str) -> int:
    """Roughly how many tokens `text` costs a model."""
    return measure_text(text, Measure.ESTIMATED_TOKENS)


def _wide_characters(text: str) -> int:
    return 0 if text.isascii() else sum(1 for char in text if char >= "\u2e80")
