"""What a running agent has given to its model, and who is told of it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from threading import Lock
from typing import TYPE_CHECKING

from metier.core.activation import ActivationRule, render_repeated
from metier.core.compaction import CompactionRule, Reinjection, render_reinjection
from metier.core.events import (
    Cause,
    Event,
    Invoker,
    Refused,
    Reinjected,
    Repeated,
    ResourceRead,
    ScriptRan,
    Unloaded,
)
from metier.core.ledger import (
    EMPTY_LEDGER,
    LedgerEntry,
    LedgerState,
    Repeat,
    hand_over,
    hold,
    leave,
)
from metier.core.saved_ledger import parse_ledger, render_ledger
from metier.errors import MetierError
from metier.world.clock import read_clock

if TYPE_CHECKING:
    from metier.core.activation import Activation
    from metier.core.dialect import Dialect
    from metier.core.resources import Resource
    from metier.core.script_results import ScriptResult


Listener = Callable[[Event], object]


class Ledger:
    """The skills that are active in one conversation.

    Give it to the tools of that conversation; threads may share it. `on_event` gets a
    value for everything that happens. What it raises is logged, and stops nothing.
    """

    def __init__(
        self,
        *,
        activation: ActivationRule,
        compaction: CompactionRule,
        state: LedgerState = EMPTY_LEDGER,
        repeat: Repeat = Repeat.REMIND,
        on_event: Listener | None = None,
        clock: Callable[[], str] = read_clock,
    ) -> None:
        if inspect.iscoroutinefunction(on_event):
            raise MetierError("`on_event` is a coroutine function: nobody awaits it")
        self.state = state
        self.repeat = repeat
        self.on_event = on_event
        self.clock = clock
        self._activation = activation
        self._compaction = compaction
        self._lock = Lock()

    @property
    def entries(self) -> tuple[LedgerEntry, ...]:
        """What was handed over and not unloaded, in the order of handing over."""
        return self.state.entries

    @property
    def active(self) -> tuple[str, ...]:
        """The names of the skills whose instructions the model has, for `decide`."""
        return self.state.active

    def hand_over(
        self, activation: Activation, *, by: Invoker = Invoker.MODEL
    ) -> Activation:
        """What goes to the model, now that `by` asked for a skill.

        That is `activation`, or a short text where the conversation holds exactly
        this already.
        """
        at, repeat = self.clock(), self.repeat
        with self._lock:
            self.state, event = hand_over(
                self.state, activation, by=by, at=at, repeat=repeat
            )
        self.tell(event)
        if isinstance(event, Repeated):
            return render_repeated(activation, self._activation)
        return activation

    def refuse(
        self, name: str, cause: Cause, message: str, *, by: Invoker = Invoker.MODEL
    ) -> None:
        """Note that nothing was handed over."""
        self.tell(
            Refused(name=name, at=self.clock(), by=by, cause=cause, message=message)
        )

    def note_reading(self, name: str, resource: Resource) -> None:
        """Note that a page of a file of a skill was read."""
        self.tell(
            ResourceRead(
                name=name,
                at=self.clock(),
                path=resource.path,
                media_type=resource.media_type,
                offset=resource.offset,
                size=len(resource.data),
            )
        )

    def note_script(self, name: str, result: ScriptResult) -> None:
        """Note that a script of a skill was run."""
        self.tell(
            ScriptRan(
                name=name,
                at=self.clock(),
                script=result.script,
                exit_code=result.exit_code,
                seconds=result.seconds,
                sandbox=result.sandbox.value,
            )
        )

    def unload(self, name: str) -> bool:
        """Forget a skill: the next activation hands it over. Whether it was active.

        Take its text out of the conversation yourself.
        """
        with self._lock:
            entry = self.state.get(name)
            self.state = leave(self.state, name)
        if entry is None:
            return False
        self.tell(
            Unloaded(
                name=name, at=self.clock(), digest=entry.digest, tokens=entry.tokens
            )
        )
        return True

    def retain(self, names: Iterable[str]) -> tuple[str, ...]:
        """Unload what is not among `names`, such as those of a library read anew."""
        kept = frozenset(names)
        gone = tuple(e.name for e in self.entries if e.name not in kept)
        return tuple(name for name in gone if self.unload(name))

    def reinject(self, budget: int | None = None) -> Reinjection:
        """The text to put into a conversation that was compacted.

        At most `budget` tokens, estimated; without one, as much as the agent allows.
        What does not come back whole is handed over again when it is asked for.
        """
        with self._lock:
            found = render_reinjection(
                self.entries, self._compaction, self._activation, budget=budget
            )
            self.state = hold(self.state, whole=found.whole, part=found.cut)
        self.tell(
            Reinjected(
                at=self.clock(),
                whole=found.whole,
                cut=found.cut,
                listed=found.listed,
                omitted=found.omitted,
                tokens=found.tokens,
            )
        )
        return found

    def save(self) -> str:
        """The ledger as JSON, for `skills.ledger(saved=...)`."""
        return render_ledger(self.state)

    def tell(self, event: Event) -> None:
        """Tell whoever listens; what that raises must not end a conversation."""
        if self.on_event is None:
            return
        try:
            self.on_event(event)
        except Exception:
            import logging

            logging.getLogger(__name__).exception("`on_event` failed on %r", event)


def open_ledger(
    dialect: Dialect,
    *,
    saved: str | bytes | None,
    repeat: Repeat | None,
    on_event: Listener | None,
    clock: Callable[[], str] | None,
) -> Ledger:
    """A ledger under the rules of `dialect`: an empty one, or what was saved of one."""
    return Ledger(
        activation=dialect.activation,
        compaction=dialect.compaction,
        state=EMPTY_LEDGER if saved is None else parse_ledger(saved),
        repeat=repeat or Repeat.REMIND,
        on_event=on_event,
        clock=clock or read_clock,
    )
