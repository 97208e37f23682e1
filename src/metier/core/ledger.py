"""What a model was given in one conversation: each skill, when, and to the byte.

A ledger is a value. It holds the text of what was handed over, so that the same text
can be put into the conversation again, whatever has become of the file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from metier.core.activation import Activation
from metier.core.budget import estimate_tokens
from metier.core.events import Activated, Changed, Invoker, Reloaded, Repeated
from metier.core.tree import digest_text


class Held(Enum):
    """How much of what was handed over is in the conversation."""

    WHOLE = "whole"
    PART = "part"  # a compaction left its beginning
    NONE = "none"  # a compaction took it


class Repeat(Enum):
    """What is answered where a skill is asked for that the model has already."""

    REMIND = "remind"  # a short text that says so
    HAND_OVER = "hand-over"  # the instructions once more


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEntry:
    """One active skill: what was handed over last, when, and who asked for it.

    `order` counts what was handed over, `used` also what was asked for in vain.
    """

    name: str
    path: str
    by: Invoker
    at: str
    text: str
    text_digest: str
    tree_digest: str | None
    tokens: int
    is_hidden: bool
    order: int
    used: int
    held: Held = Held.WHOLE

    @property
    def digest(self) -> str:
        """That of all that the skill holds where it was approved, else of the text."""
        return self.tree_digest or self.text_digest


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerState:
    """The active skills of a conversation, in the order of handing over."""

    entries: tuple[LedgerEntry, ...] = ()
    step: int = 0

    def get(self, name: str) -> LedgerEntry | None:
        """What was handed over under that name, or None."""
        return next((each for each in self.entries if each.name == name), None)

    @property
    def active(self) -> tuple[str, ...]:
        """The names of the skills whose instructions the model has."""
        return tuple(e.name for e in self.entries if e.held is not Held.NONE)


EMPTY_LEDGER = LedgerState()


Handover = Activated | Changed | Reloaded | Repeated


def hand_over(
    state: LedgerState, activation: Activation, *, by: Invoker, at: str, repeat: Repeat
) -> tuple[LedgerState, Handover]:
    """The state once `by` has asked for `activation`, and what that was.

    `Repeated` says that nothing has to be handed over. Whatever else is handed over
    stands at the end, and replaces what had its name.
    """
    before = state.get(activation.name)
    step = state.step + 1
    entry = _entry_of(activation, by=by, at=at, step=step)
    is_same = before is not None and _essence(before) == _essence(entry)
    if before and is_same and before.held is Held.WHOLE and repeat is Repeat.REMIND:
        return _asked_again(state, before, by=by, at=at)
    others = leave(state, entry.name).entries
    after = LedgerState(entries=(*others, entry), step=step)
    if before is None:
        return after, Activated(**_told(entry))
    if is_same:
        return after, Reloaded(**_told(entry))
    return after, Changed(**_told(entry), before=before.digest)


def _entry_of(
    activation: Activation, *, by: Invoker, at: str, step: int
) -> LedgerEntry:
    return LedgerEntry(
        name=activation.name,
        path=activation.path,
        by=by,
        at=at,
        text=activation.output,
        text_digest=digest_text(activation.output),
        tree_digest=activation.tree_digest,
        tokens=estimate_tokens(activation.output),
        is_hidden=activation.is_hidden,
        order=step,
        used=step,
    )


def _essence(entry: LedgerEntry) -> tuple[str | None, ...]:
    return entry.path, entry.text_digest, entry.tree_digest


def _told(entry: LedgerEntry) -> dict[str, Any]:
    keys = ("name", "at", "by", "path", "digest", "tokens")
    return {key: getattr(entry, key) for key in keys}


def _asked_again(
    state: LedgerState, entry: LedgerEntry, *, by: Invoker, at: str
) -> tuple[LedgerState, Repeated]:
    # It stays in its place, so that nothing moves in what is put in again.
    step = state.step + 1
    entries = tuple(
        replace(each, used=step) if each is entry else each for each in state.entries
    )
    event = Repeated(
        name=entry.name, at=at, by=by, digest=entry.digest, tokens=entry.tokens
    )
    return LedgerState(entries=entries, step=step), event


def leave(state: LedgerState, name: str) -> LedgerState:
    """The state without the skill of that name."""
    kept = tuple(each for each in state.entries if each.name != name)
    return replace(state, entries=kept)


def hold(
    state: LedgerState, *, whole: Iterable[str], part: Iterable[str]
) -> LedgerState:
    """The state once a compaction left only these in the conversation."""
    wholes, parts = frozenset(whole), frozenset(part)

    def now(name: str) -> Held:
        if name in wholes:
            return Held.WHOLE
        return Held.PART if name in parts else Held.NONE

    entries = tuple(replace(each, held=now(each.name)) for each in state.entries)
    return replace(state, entries=entries)
