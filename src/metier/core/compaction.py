"""What is put into a conversation again once it was compacted.

The newest skills come back whole, of the others a line that says how to get them. They
stand in the order in which they were handed over, so that one more skill at the end
leaves what stands before it as it is, for whoever caches a prompt by its beginning.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from metier.core.budget import CHARACTERS_PER_TOKEN, estimate_tokens
from metier.core.envelope import close_proof
from metier.core.escaping import sendable
from metier.core.record import record

if TYPE_CHECKING:
    from metier.core.activation import ActivationRule
    from metier.core.ledger import LedgerEntry


class Oversized(Enum):
    """What comes back of a skill that is larger than one may be."""

    LINE = "line"  # a line that says how to load it
    BEGINNING = "beginning"  # as much of it as one may be


@record
class CompactionRule:
    """How much of the active skills comes back, in estimated tokens.

    `each` bounds the text of one skill, `total` everything. Where an agent states
    nothing, these are metier's own.
    """

    each: int = 5_000
    total: int = 25_000
    oversized: Oversized = Oversized.LINE


@record
class Reinjection:
    """The text for the model, in blocks, and what became of each skill.

    `whole` came back whole, `cut` in part, `listed` as a line; `omitted` found no room.
    """

    text: str = ""
    blocks: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    omitted: tuple[str, ...] = ()
    tokens: int = 0
    budget: int = 0


HEADING = "The skills below were loaded earlier in this conversation and still apply.\n"
_TAG = "active_skill"
# Of a digest, what tells two versions of a skill apart at a glance.
_DIGEST_SHOWN = len("sha256:") + 12


class _Shape(Enum):
    LINE = "line"
    CUT = "cut"
    WHOLE = "whole"


class _Block(NamedTuple):
    shape: _Shape
    text: str

    @property
    def cost(self) -> int:
        return estimate_tokens(self.text)


def render_reinjection(
    entries: Sequence[LedgerEntry],
    rule: CompactionRule,
    activation: ActivationRule,
    *,
    budget: int | None = None,
) -> Reinjection:
    """The text that brings `entries` back: never more than `budget` tokens.

    Every skill gets its line before any comes back whole, the one that was asked for
    last before the others.
    """
    limit = rule.total if budget is None else budget
    newest = sorted(entries, key=_by_use)
    left = limit - estimate_tokens(HEADING)
    chosen: dict[str, _Block] = {}
    for entry in newest:
        line = _Block(_Shape.LINE, _line(entry, activation))
        if line.cost <= left:
            chosen[entry.name] = line
            left -= line.cost
    for entry in newest:
        block = _body(entry, rule, activation) if entry.name in chosen else None
        if block and block.cost - chosen[entry.name].cost <= left:
            left -= block.cost - chosen[entry.name].cost
            chosen[entry.name] = block
    return _reinjection(entries, chosen, limit)


def _by_use(entry: LedgerEntry) -> int:
    return -entry.used


def _reinjection(
    entries: Sequence[LedgerEntry], chosen: dict[str, _Block], limit: int
) -> Reinjection:
    names = [entry.name for entry in entries]
    blocks = tuple(chosen[name].text for name in names if name in chosen)
    text = HEADING + "".join(blocks) if blocks else ""
    return Reinjection(
        text=text,
        blocks=blocks,
        whole=_of_shape(_Shape.WHOLE, names, chosen),
        cut=_of_shape(_Shape.CUT, names, chosen),
        listed=_of_shape(_Shape.LINE, names, chosen),
        omitted=tuple(name for name in names if name not in chosen),
        tokens=estimate_tokens(text),
        budget=limit,
    )


def _of_shape(
    shape: _Shape, names: Iterable[str], chosen: dict[str, _Block]
) -> tuple[str, ...]:
    found = (name for name in names if name in chosen)
    return tuple(name for name in found if chosen[name].shape is shape)


def _body(
    entry: LedgerEntry, rule: CompactionRule, activation: ActivationRule
) -> _Block | None:
    if entry.tokens <= rule.each:
        return _Block(_Shape.WHOLE, _enveloped(entry, f"\n{_proof(entry.text)}\n"))
    if rule.oversized is Oversized.LINE:
        return None
    beginning = _proof(cut_tokens(entry.text, rule.each))
    rest = f"The rest is left out here. To load all of it, {_way(entry, activation)}."
    return _Block(_Shape.CUT, _enveloped(entry, f"\n{beginning}\n{rest}\n"))


def _line(entry: LedgerEntry, activation: ActivationRule) -> str:
    return _enveloped(
        entry, f"Left out here. To load it again, {_way(entry, activation)}."
    )


def _enveloped(entry: LedgerEntry, text: str) -> str:
    from metier.core.activation import escape_attribute

    name = escape_attribute(entry.name)
    digest = escape_attribute(entry.digest[:_DIGEST_SHOWN])
    return sendable(f'<{_TAG} name="{name}" digest="{digest}">{text}</{_TAG}>\n')


def _proof(text: str) -> str:
    return close_proof(text, _TAG)


def _way(entry: LedgerEntry, rule: ActivationRule) -> str:
    """How the skill is loaded again, for a model to read."""
    import json

    from metier.core.activation import Concealed, Means

    is_barred = entry.is_hidden and rule.hidden is not Concealed.LOADED
    if is_barred or rule.means in (Means.INJECT, Means.CALL):
        return "the user has to ask for it"
    if rule.means is Means.FILE:
        return _proof(f"read {json.dumps(entry.path, ensure_ascii=False)}")
    call = json.dumps({rule.parameter_name: entry.name}, ensure_ascii=False)
    return _proof(f"call `{rule.tool_name}` with {call}")


def cut_tokens(text: str, tokens: int) -> str:
    """The beginning of `text` that is estimated at no more than `tokens`."""
    low, high = 0, min(len(text), max(tokens, 0) * CHARACTERS_PER_TOKEN)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(text[:middle]) <= tokens:
            low = middle
        else:
            high = middle - 1
    return text[:low]
