"""What a library is to a running agent: a ledger, a catalog that stays, a watch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping

    from metier.core.ledger import Repeat
    from metier.core.permission import Ruleset
    from metier.core.snapshots import CatalogSnapshot
    from metier.library import Library
    from metier.runtime.ledger import Ledger, Listener
    from metier.runtime.watch import Stop, Update, Wake


class AgentHost:
    """The part of a library that is about what happens while an agent runs."""

    __slots__ = ()

    def snapshot(
        self,
        *,
        budget: int | None = None,
        window: int | None = None,
        permission: Ruleset | Mapping[str, Any] | None = None,
    ) -> CatalogSnapshot:
        """The catalog to keep for as long as a prompt is cached, and all behind it.

        `later.delta_since(earlier)` is what to tell the model of a later one. Every
        skill is read for it.
        """
        from metier.runtime.snapshots import take_snapshot

        library = cast("Library", self)
        catalog = library.render(budget=budget, window=window, permission=permission)
        return take_snapshot(library, catalog, library.permitted(permission).offered)

    def ledger(
        self,
        *,
        saved: str | bytes | None = None,
        repeat: Repeat | None = None,
        on_event: Listener | None = None,
        clock: Callable[[], str] | None = None,
    ) -> Ledger:
        """The ledger of one conversation, for its tools; see `metier.runtime.ledger`.

        `saved` is one that was kept with `save`; `LedgerError` where it is damaged.
        """
        from metier.runtime.ledger import open_ledger

        dialect = cast("Library", self).dialect
        return open_ledger(
            dialect, saved=saved, repeat=repeat, on_event=on_event, clock=clock
        )

    def watch(
        self,
        *,
        stop: Stop | None = None,
        wake: Wake | None = None,
        interval: float = 1.0,
        quiet: float = 0.2,
        pause: Callable[[float], object] | None = None,
    ) -> Iterator[Update]:
        """A new library each time that a skill was edited, came or went.

        It ends when `stop` is set. The system wakes it where the extra `watch` is
        there, else the clock, each `interval` seconds. It waits until nothing was
        written for `quiet` seconds. `pause` is how it waits.
        """
        from metier.runtime.watch import watch

        return watch(
            cast("Library", self),
            stop=stop,
            wake=wake,
            interval=interval,
            quiet=quiet,
            pause=pause,
        )

    def awatch(
        self,
        *,
        stop: Stop | None = None,
        wake: Wake | None = None,
        interval: float = 1.0,
        quiet: float = 0.2,
        pause: Callable[[float], object] | None = None,
    ) -> AsyncIterator[Update]:
        """`watch`, off the event loop; it ends with the task that waits for it."""
        from metier.runtime.watch import awatch

        return awatch(
            cast("Library", self),
            stop=stop,
            wake=wake,
            interval=interval,
            quiet=quiet,
            pause=pause,
        )
