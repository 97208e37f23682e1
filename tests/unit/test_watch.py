"""A watch gives a new library each time that something is different."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from importlib import util
from pathlib import Path
from typing import Any

import pytest

from metier.api import discover
from metier.core.changes import Aspect
from metier.errors import MetierError
from metier.library import Library
from metier.runtime.watch import Update, Wake, Watch
from metier.testing import MemoryFileSystem, make_skill
from tests.making import SKILLS, library
from tests.trusting import set_scene


def files(*names: str) -> MemoryFileSystem:
    return MemoryFileSystem(
        {f"{SKILLS}/{name}/SKILL.md": make_skill(name, "Does it") for name in names}
    )


def put(memory: MemoryFileSystem, name: str, about: str, **options: Any) -> None:
    memory.write(f"{SKILLS}/{name}/SKILL.md", make_skill(name, about, **options))


class Story:
    """What happens while a watch waits: an edit for each wait, and then the end."""

    def __init__(self, *edits: Callable[[], object]) -> None:
        self.edits = list(edits)
        self.waits: list[float] = []
        self.end = threading.Event()

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        if self.edits:
            self.edits.pop(0)()
        else:
            self.end.set()


def nothing() -> None:
    pass


def told(found: Library, story: Story, **options: Any) -> list[Update]:
    updates = found.watch(stop=story.end, wake=Wake.CLOCK, pause=story.wait, **options)
    return list(updates)


def names(updates: list[Update]) -> list[tuple[str, ...]]:
    return [each.library.names for each in updates]


# --- by the clock -------------------------------------------------------------------


def test_an_edit_is_a_new_library_and_what_is_different_in_it():
    memory = files("pdf")
    story = Story(lambda: put(memory, "pdf", "Does more"))
    (update,) = told(library(memory), story)
    assert update.library["pdf"].description == "Does more"
    (change,) = update.changes.changed
    assert change.aspects == (Aspect.DESCRIPTION, Aspect.HEADER)


def test_skills_come_and_go():
    memory = files("pdf")
    story = Story(
        lambda: put(memory, "csv", "Reads"),
        nothing,
        lambda: memory.remove(f"{SKILLS}/pdf/SKILL.md"),
    )
    updates = told(library(memory), story)
    assert names(updates) == [("csv", "pdf"), ("csv",)]
    assert [len(each.changes.added) for each in updates] == [1, 0]
    assert [len(each.changes.removed) for each in updates] == [0, 1]


def test_other_instructions_are_a_change_too():
    memory = files("pdf")
    story = Story(lambda: put(memory, "pdf", "Does it", body="Otherwise.\n"))
    (update,) = told(library(memory), story)
    assert [each.aspects for each in update.changes.changed] == [(Aspect.BODY,)]


def test_what_changes_no_skill_is_no_update():
    memory = files("pdf")
    story = Story(lambda: memory.write(f"{SKILLS}/pdf/notes.txt", "Notes."))
    assert told(library(memory), story) == []


def test_what_happened_before_the_watch_began_is_told_at_once():
    memory = files("pdf")
    found = library(memory)
    put(memory, "csv", "Reads")
    story = Story()
    assert names(told(found, story)) == [("csv", "pdf")]
    assert story.waits == [1.0]


def test_a_folder_that_was_missing_is_noticed():
    memory = files()
    story = Story(lambda: put(memory, "pdf", "Does it"))
    assert names(told(library(memory), story)) == [("pdf",)]


def test_edits_in_a_row_are_one_update():
    memory = files("pdf")
    story = Story(
        lambda: put(memory, "a", "One"),  # while it waits for the clock
        lambda: put(memory, "b", "Two"),  # while it waits for quiet
        lambda: put(memory, "c", "Three"),
        nothing,
    )
    updates = told(library(memory), story, interval=5, quiet=0.5)
    assert names(updates) == [("a", "b", "c", "pdf")]
    assert story.waits == [5, 0.5, 0.5, 0.5, 5]


def test_a_file_that_is_written_without_end_is_read_in_the_end():
    memory = files("pdf")
    count = iter(range(1000))

    def write() -> None:
        put(memory, "pdf", f"Is written for the {next(count)}. time")

    story = Story(*[write] * 22)
    updates = told(library(memory), story)
    assert len(updates) == 2
    assert story.waits.count(0.2) == 21


def test_a_watch_that_has_ended_looks_no_more():
    memory = files("pdf")
    story = Story()
    story.end.set()
    put(memory, "csv", "Reads")
    assert told(library(files("pdf")), story) == []


def test_what_a_person_denies_stays_away():
    memory = files("pdf")
    found = library(memory).permitted({"*": "allow", "secret": "deny"})
    story = Story(
        lambda: put(memory, "secret", "Is secret"),
        nothing,
        lambda: put(memory, "csv", "Reads"),
    )
    assert names(told(found, story)) == [("csv", "pdf")]


def test_trust_that_is_given_elsewhere_is_noticed(tmp_path: Path):
    scene = set_scene(tmp_path)
    story = Story(scene.trust_all)
    assert names(told(scene.look(), story)) == [("pdf",)]


def test_a_watch_waits_by_itself():
    memory = files("pdf")
    updates = library(memory).watch(wake=Wake.CLOCK, interval=0.01, quiet=0.01)
    put(memory, "csv", "Reads")
    assert next(updates).library.names == ("csv", "pdf")
    put(memory, "zip", "Packs")
    assert next(updates).library.names == ("csv", "pdf", "zip")


# --- for coroutines -----------------------------------------------------------------


def atold(found: Library, story: Story) -> list[Update]:
    async def gather() -> list[Update]:
        updates = found.awatch(stop=story.end, wake=Wake.CLOCK, pause=story.wait)
        return [each async for each in updates]

    return asyncio.run(gather())


def test_the_same_holds_off_the_event_loop():
    memory = files("pdf")
    story = Story(
        lambda: memory.write(f"{SKILLS}/pdf/notes.txt", "Notes."),
        nothing,
        lambda: put(memory, "csv", "Reads"),
    )
    assert names(atold(library(memory), story)) == [("csv", "pdf")]


def test_an_event_of_asyncio_ends_it():
    async def first() -> tuple[str, ...]:
        memory = files("pdf")
        found = library(memory)
        put(memory, "csv", "Reads")
        stop, seen = asyncio.Event(), ()
        async for update in found.awatch(stop=stop, wake=Wake.CLOCK, interval=9):
            stop.set()
            seen = update.library.names
        return seen

    assert asyncio.run(first()) == ("csv", "pdf")


def test_it_ends_with_the_task_that_waits_for_it():
    async def main() -> int:
        updates = library(files("pdf")).awatch(wake=Wake.CLOCK, interval=900)

        async def wait() -> None:
            async for _ in updates:
                pass

        task = asyncio.create_task(wait())
        for _ in range(3):
            await asyncio.to_thread(nothing)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return len(asyncio.all_tasks())

    # The thread that waits for 15 minutes would hold the program up, if it did.
    assert asyncio.run(main()) == 1


# --- by events of the system --------------------------------------------------------


class Scene:
    """A project on a disk, watched by the system."""

    def __init__(self, folder: Path) -> None:
        self.home, self.project = folder / "home", folder / "project"
        for each in (self.home, self.project):
            each.mkdir()

    @property
    def skills(self) -> Path:
        return self.project / ".agents" / "skills"

    def put(self, name: str, about: str = "Does it") -> None:
        folder = self.skills / name
        folder.mkdir(parents=True, exist_ok=True)
        new = self.home / "new"
        new.write_text(make_skill(name, about))
        new.replace(folder / "SKILL.md")  # at once: nobody reads the half of it

    def discover(self) -> Library:
        return discover(cwd=self.project, home=self.home, variables={})


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def watched(found: Library, stop: threading.Event) -> Iterator[Update]:
    return found.watch(stop=stop, wake=Wake.EVENTS, quiet=0.05)


def next_after(updates: Iterator[Update], edit: Callable[[], object]) -> Update:
    """The update that an edit leads to."""
    edit()
    return next(updates)


def test_the_system_tells_of_every_kind_of_edit(scene: Scene):
    stop = threading.Event()
    updates = watched(scene.discover(), stop)
    found = next_after(updates, lambda: scene.put("pdf"))  # no folder was there
    assert found.library.names == ("pdf",)
    found = next_after(updates, lambda: scene.put("pdf", "Does more"))
    assert found.library["pdf"].description == "Does more"

    store = scene.home / "store"
    store.mkdir()
    (store / "SKILL.md").write_text(make_skill("linked", "Is elsewhere"))
    link = scene.skills / "linked"
    found = next_after(updates, lambda: link.symlink_to(store))
    assert found.library.names == ("linked", "pdf")
    new = make_skill("linked", "Is there")
    found = next_after(updates, lambda: (store / "SKILL.md").write_text(new))
    assert found.library["linked"].description == "Is there"

    old = scene.project / "old"
    found = next_after(updates, lambda: scene.skills.rename(old))
    assert found.library.names == ()
    found = next_after(updates, lambda: old.rename(scene.skills))
    assert found.library.names == ("linked", "pdf")
    stop.set()
    assert list(updates) == []


def test_an_event_alone_wakes_it(scene: Scene, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("metier.runtime.watch._TICK", 600)
    scene.put("pdf")
    scene.put("csv")
    stop, seen = threading.Event(), threading.Event()
    updates = watched(scene.discover(), stop)
    scene.put("csv", "Was edited before")
    next(updates)

    def write() -> None:
        for count in range(10_000):
            scene.put("pdf", f"Is written for the {count}. time")
            if seen.wait(0.01):
                return

    thread = threading.Thread(target=write)
    thread.start()
    found = next(updates)
    seen.set()
    thread.join()
    assert "Is written" in (found.library["pdf"].description or "")
    stop.set()


def test_a_folder_without_a_text_for_a_name_is_seen_by_the_clock(scene: Scene):
    scene.put("pdf")
    scene.put("\udcff")
    stop = threading.Event()
    updates = watched(scene.discover(), stop)
    found = next_after(updates, lambda: scene.put("csv"))
    assert [each.name for each in found.changes.added] == ["csv"]
    stop.set()
    assert list(updates) == []


def test_coroutines_are_woken_by_the_system(scene: Scene):
    async def first() -> tuple[str, ...]:
        stop = threading.Event()
        updates: AsyncIterator[Update] = scene.discover().awatch(
            stop=stop, wake=Wake.EVENTS, quiet=0.05
        )
        scene.put("pdf")
        seen = ()
        async for update in updates:
            stop.set()
            seen = update.library.names
        return seen

    assert asyncio.run(first()) == ("pdf",)


def test_where_the_system_cannot_watch_it_looks_by_the_clock(
    monkeypatch: pytest.MonkeyPatch,
):
    import watchfiles

    def refuse(*_: str, **__: object) -> None:
        raise OSError("no room for another watch")

    monkeypatch.setattr(watchfiles, "watch", refuse)
    memory = files("pdf")
    story = Story(lambda: put(memory, "csv", "Reads"), nothing)
    updates = library(memory).watch(stop=story.end, wake=Wake.EVENTS, pause=story.wait)
    assert names(list(updates)) == [("csv", "pdf")]
    # Once more soon, as a folder may have gone; then at leisure.
    assert story.waits == [0.5, 0.2, 5.0]


def test_an_event_that_got_lost_is_made_good(monkeypatch: pytest.MonkeyPatch):
    import watchfiles

    memory = files("pdf")
    stop = threading.Event()
    ticks = 0

    def tick(*_: str, **__: object) -> Iterator[set[object]]:
        nonlocal ticks
        while True:
            ticks += 1
            if ticks == 3:
                put(memory, "csv", "Reads")
            yield set()

    monkeypatch.setattr(watchfiles, "watch", tick)
    updates = library(memory).watch(stop=stop, wake=Wake.EVENTS, pause=lambda _: None)
    assert next(updates).library.names == ("csv", "pdf")
    assert ticks == 11


# --- without the extra --------------------------------------------------------------


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation without `watchfiles`."""
    import sys

    monkeypatch.setitem(sys.modules, "watchfiles", None)
    found = util.find_spec

    def find(name: str) -> object:
        return None if name == "watchfiles" else found(name)

    monkeypatch.setattr("metier.runtime.watch.find_spec", find)


@pytest.mark.usefixtures("plain")
def test_without_the_extra_the_clock_wakes_it():
    memory = files("pdf")
    story = Story(lambda: put(memory, "csv", "Reads"))
    updates = library(memory).watch(stop=story.end, pause=story.wait)
    assert names(list(updates)) == [("csv", "pdf")]


@pytest.mark.usefixtures("plain")
def test_who_insists_on_events_is_told_what_is_missing():
    with pytest.raises(MetierError, match=r"`metier\[watch\]`"):
        library(files("pdf")).watch(wake=Wake.EVENTS)


def test_with_the_extra_the_system_wakes_it(scene: Scene):
    updates = scene.discover().watch(quiet=0.05)
    found = next_after(updates, lambda: scene.put("pdf"))
    assert found.library.names == ("pdf",)


def test_the_folders_to_watch_are_known_before_the_first_look():
    watch = Watch(library(files("pdf")), pause=lambda _: None, quiet=0)
    assert f"{SKILLS}/pdf" in watch.folders
