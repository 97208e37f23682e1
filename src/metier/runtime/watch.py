"""Skills that are edited while an agent runs: a new library when something changed.

What wakes a watch is only a hint, be it an event of the system or the clock: whether
there is anything new is seen in what lies there. So a lost event costs seconds, and a
thousand events for one edit are one.
"""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from metier.core.changes import Changes, compare_states
from metier.errors import MetierError
from metier.runtime.snapshots import list_states
from metier.world.sights import Sight, look

if TYPE_CHECKING:
    from metier.library import Library


class Wake(Enum):
    """What wakes a watch."""

    EVENTS = "events"  # the system tells; needs the extra `watch`
    CLOCK = "clock"  # it looks every now and then


class Stop(Protocol):
    """What ends a watch: an event of `threading`, `asyncio` or `anyio`."""

    def is_set(self) -> bool: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """What there is now, and what is different from what there was."""

    library: Library
    changes: Changes


Pause = Callable[[float], object]

# So late does a watch notice its end, and what happened while it was being set up.
_TICK = 0.5
# How often it looks although nothing woke it, in ticks: an event can get lost.
_TICKS_TO_LOOK = 10
# A file that is written without end is looked at in the end.
_MOST_PAUSES = 20


class Watch:
    """One watch: what it saw last, and the library that it made of that."""

    def __init__(self, library: Library, *, pause: Pause, quiet: float) -> None:
        self.library = library
        self._pause = pause
        self._quiet = quiet
        self._states = tuple(list_states(library))
        self._sight: Sight | None = None  # what happened since the scan is seen at once

    @property
    def folders(self) -> frozenset[str]:
        """The folders to watch, each by itself."""
        return (self._sight or self._look()).folders

    def check(self) -> Update | None:
        """What is new, if anything is, once nothing was written for a moment."""
        sight = self._look()
        if sight == self._sight:
            return None
        # Taken before the scan: what is written during it is new once more.
        self._sight = self._settled(sight) if self._sight else sight
        library = self.library.refresh()
        states = tuple(list_states(library))
        changes = compare_states(self._states, states)
        self.library, self._states = library, states
        return Update(library=library, changes=changes) if changes else None

    def _settled(self, sight: Sight) -> Sight:
        for _ in range(_MOST_PAUSES):
            self._pause(self._quiet)
            before, sight = sight, self._look()
            if sight == before:
                break
        return sight

    def _look(self) -> Sight:
        library = self.library
        return look(library.filesystem, library.seek(), library.dialect.selections)


class _Ending:
    """The end of a watch: the caller's, or that of who waits for it."""

    def __init__(self, stop: Stop | None) -> None:
        self._stop = stop
        self._own = threading.Event()

    def set(self) -> None:
        self._own.set()

    def is_set(self) -> bool:
        return self._own.is_set() or (self._stop is not None and self._stop.is_set())

    def wait(self, seconds: float) -> None:
        """Wait so long, or until the end."""
        while seconds > 0 and not self.is_set():
            self._own.wait(min(seconds, _TICK))
            seconds -= _TICK


def watch(
    library: Library,
    *,
    stop: Stop | None,
    wake: Wake | None,
    interval: float,
    quiet: float,
    pause: Pause | None,
) -> Iterator[Update]:
    """An update each time that something is different, until `stop` is set."""
    ending = _Ending(stop)
    steps = _open(library, ending, wake, interval, quiet, pause)
    return (step for step in steps if step is not None)


async def awatch(
    library: Library,
    *,
    stop: Stop | None,
    wake: Wake | None,
    interval: float,
    quiet: float,
    pause: Pause | None,
) -> AsyncIterator[Update]:
    """`watch`, off the event loop; it ends with the task that waits for it."""
    import asyncio

    ending = _Ending(stop)
    steps = await asyncio.to_thread(
        _open, library, ending, wake, interval, quiet, pause
    )
    try:
        while True:
            step = await asyncio.to_thread(next, steps, ending)
            if isinstance(step, _Ending):
                return
            if step is not None:
                yield step
    finally:
        ending.set()


def _open(
    library: Library,
    ending: _Ending,
    wake: Wake | None,
    interval: float,
    quiet: float,
    pause: Pause | None,
) -> Iterator[Update | None]:
    """What each look gives; the first one is made at once."""
    pauses = pause or ending.wait
    watched = Watch(library, pause=pauses, quiet=quiet)
    if (wake or _best_wake()) is Wake.CLOCK:
        hints = _hints_of_clock(ending, interval, pauses)
    else:
        hints = _hints_of_events(_listener(), watched, ending, pauses)
    return (watched.check() for _ in hints)


def _best_wake() -> Wake:
    return Wake.CLOCK if find_spec("watchfiles") is None else Wake.EVENTS


def _hints_of_clock(ending: _Ending, interval: float, pause: Pause) -> Iterator[None]:
    while not ending.is_set():
        yield
        pause(interval)


def _hints_of_events(
    listen: Any, watched: Watch, ending: _Ending, pause: Pause
) -> Iterator[None]:
    yield
    delay = _TICK
    while not ending.is_set():
        try:
            yield from _listen(listen, watched, ending)
            delay = _TICK
        except (OSError, RuntimeError):
            # A folder went just now. If it happens again, the system has no room for
            # so many watches: then to try it costs more than to look.
            pause(delay)
            delay = _TICK * _TICKS_TO_LOOK
            yield


def _listen(listen: Any, watched: Watch, ending: _Ending) -> Iterator[None]:
    """A hint for every event, until other folders are to be watched."""
    folders = watched.folders
    told = listen(
        *sorted(filter(_can_be_told, folders)),
        watch_filter=None,
        stop_event=ending,
        recursive=False,
        step=50,
        debounce=200,
        rust_timeout=round(_TICK * 1000),
        yield_on_timeout=True,
        ignore_permission_denied=True,
    )
    for count, events in enumerate(told):
        if events or count % _TICKS_TO_LOOK == 0:
            yield
            if watched.folders != folders:
                return


def _listener() -> Any:
    try:
        from watchfiles import watch as listen
    except ImportError as error:
        message = "events of the system need the extra `watch`: `metier[watch]`"
        raise MetierError(message) from error
    return listen


def _can_be_told(folder: str) -> bool:
    """Whether a library in Rust can have the path: not with a byte of no text."""
    try:
        folder.encode()
    except UnicodeEncodeError:
        return False
    return True
