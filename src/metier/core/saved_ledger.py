"""A ledger as JSON, and back: an agent that goes on where it was interrupted."""

from __future__ import annotations

import json
from dataclasses import fields
from enum import Enum
from typing import Any, TypeVar, cast

from metier.core.budget import estimate_tokens
from metier.core.events import Invoker
from metier.core.ledger import Held, LedgerEntry, LedgerState
from metier.core.tree import digest_text
from metier.errors import LedgerError

LEDGER_VERSION = 1


def render_ledger(state: LedgerState) -> str:
    """The state as JSON, one line for each skill."""
    entries = [json.dumps(_entry_as_json(each)) for each in state.entries]
    listed = "".join(f"\n  {each}," for each in entries).removesuffix(",")
    head = f'"version": {LEDGER_VERSION}, "step": {state.step}'
    return f'{{{head}, "entries": [{listed}\n]}}\n'


def _entry_as_json(entry: LedgerEntry) -> dict[str, Any]:
    # The tokens are an estimate of the text, and are estimated again.
    names = (each.name for each in fields(entry) if each.name != "tokens")
    values = {name: getattr(entry, name) for name in names}
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

    text = read("text", str)
    entry = LedgerEntry(
        name=read("name", str),
        path=read("path", str),
        by=_word(Invoker, read("by", str), where),
        at=read("at", str),
        text=text,
        text_digest=read("text_digest", str),
        tree_digest=read("tree_digest", str, type(None)),
        tokens=estimate_tokens(text),
        is_hidden=read("is_hidden", bool),
        order=read("order", int),
        used=read("used", int),
        held=_word(Held, read("held", str), where),
    )
    if digest_text(entry.text) != entry.text_digest:
        raise LedgerError(f"{where}: the digest is not that of the text")
    return entry


def _member(value: Any, key: str, kinds: tuple[type[Any], ...], where: str) -> Any:
    table = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    if key not in table:
        raise LedgerError(f"{where}: there is no `{key}`")
    found = table[key]
    if type(found) not in kinds:  # True is an int, and no count
        raise LedgerError(f"{where}: `{key}` is a {type(found).__name__}")
    return found


E = TypeVar("E", bound=Enum)


def _word(enum: type[E], value: str, where: str) -> E:
    words = {str(member.value): member for member in enum}
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
