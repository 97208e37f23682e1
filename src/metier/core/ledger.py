"""What a model was given in one conversation: each skill, when, and to the byte.

A ledger is a value. It holds the text of what was handed over, so that the same text
can be put into the conversation again, whatever has become of the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from enum import Enum
from typing import Any

from metier.core.activation import Activation
from metier.core.budget import estimate_tokens
from metier.core.events import Activated, Changed, Invoker, Reloaded, Repeated
from metier.core.tree import digest_text
from metier.errors import LedgerError


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


# --- as JSON ------------------------------------------------------------------------

LEDGER_VERSION = 1


def render_ledger(state: LedgerState) -> str:
    """The state as JSON, one line for each skill."""
    entries = [json.dumps(_entry_as_json(each)) for each in state.entries]
    listed = "".join(f"\n  {each}," for each in entries).removesuffix(",")
    head = f'"version": {LEDGER_VERSION}, "step": {state.step}'
    return f'{{{head}, "entries": [{listed}\n]}}\n'


def _entry_as_json(entry: LedgerEntry) -> dict[str, Any]:
    values = {each.name: getattr(entry, each.name) for each in fields(entry)}
    return {k: v.value if isinstance(v, Enum) else v for k, v in values.items()}


def parse_ledger(text: str | bytes) -> LedgerState:
    """The state that `text` is; `LedgerError` where metier did not write it."""
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LedgerError("it is not JSON") from error
    version = _member(value, "version", (int,), "the ledger")
    if version != LEDGER_VERSION:
        raise LedgerError(f"version {version} is not known here")
    step = _member(value, "step", (int,), "the ledger")
    found = _member(value, "entries", (list,), "the ledger")
    entries = tuple(_parse_entry(each, index) for index, each in enumerate(found))
    _check(entries, step)
    return LedgerState(entries=entries, step=step)


def _parse_entry(value: Any, index: int) -> LedgerEntry:
    where = f"entry {index}"

    def read(key: str, *kinds: type[Any]) -> Any:
        return _member(value, key, kinds, where)

    entry = LedgerEntry(
        name=read("name", str),
        path=read("path", str),
        by=_word(Invoker, read("by", str), where),
        at=read("at", str),
        text=read("text", str),
        text_digest=read("text_digest", str),
        tree_digest=read("tree_digest", str, type(None)),
        tokens=read("tokens", int),
        is_hidden=read("is_hidden", bool),
        order=read("order", int),
        used=read("used", int),
        held=_word(Held, read("held", str), where),
    )
    if digest_text(entry.text) != entry.text_digest:
        raise LedgerError(f"{where}: the digest is not that of the text")
    return entry


def _member(value: Any, key: str, kinds: tuple[type[Any], ...], where: str) -> Any:
    if type(value) is not dict or key not in value:
        raise LedgerError(f"{where}: there is no `{key}`")
    found: Any = value[key]
    if type(found) not in kinds:  # True is an int, and no count
        raise LedgerError(f"{where}: `{key}` is a {type(found).__name__}")
    return found


def _word(enum: type[Any], value: str, where: str) -> Any:
    words = {member.value: member for member in enum}
    if value not in words:
        raise LedgerError(f"{where}: `{value}` is none of {', '.join(words)}")
    return words[value]


def _check(entries: tuple[LedgerEntry, ...], step: int) -> None:
    names = {each.name for each in entries}
    if len(names) != len(entries):
        raise LedgerError("two entries have one name")
    orders = [each.order for each in entries]
    if sorted(set(orders)) != orders:
        raise LedgerError("the entries are not in their order")
    if any(not each.order <= each.used <= step for each in entries):
        raise LedgerError("an entry is from after the last step")
