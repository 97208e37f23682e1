"""The reader that no path and no link leads out of, in both of its ways."""

from __future__ import annotations

import errno
import os
import socket
import sys
from pathlib import Path

import pytest

from metier.world import contained
from metier.world.contained import (
    Opener,
    find_opener,
    open_below,
    open_by_steps,
    read_below,
)
from metier.world.filesystem import NotAFile, Reading
from tests.containing import OPENERS, Tally, try_paths
from tests.racing import race, set_arena
from tests.trusting import quick_folder

EACH_WAY = pytest.mark.parametrize("opener", OPENERS, ids=lambda each: each.__name__)


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    folder = tmp_path / "pdf"
    (folder / "docs" / "deep").mkdir(parents=True)
    (folder / "docs" / "a.md").write_text("hello")
    (folder / "link.md").symlink_to("docs/a.md")
    (folder / "up").symlink_to("docs/deep/../..")
    (tmp_path / "secret").write_text("secret")
    return folder


def refusal(folder: Path, path: str, opener: Opener) -> int | None:
    """The number of the error with which `path` is refused."""
    try:
        read_below(str(folder), path, 99, opener=opener)
    except OSError as error:
        return error.errno
    return None


@EACH_WAY
@pytest.mark.parametrize(
    "path",
    ["docs/a.md", "./docs//a.md", "docs/deep/../a.md", "link.md", "up/docs/a.md"],
)
def test_what_lies_below_is_read(skill: Path, path: str, opener: Opener):
    assert read_below(str(skill), path, 99, opener=opener) == Reading(b"hello", 5)


@EACH_WAY
def test_no_more_than_the_limit_is_read_and_the_size_is_told(
    skill: Path, opener: Opener
):
    assert read_below(str(skill), "docs/a.md", 2, opener=opener) == Reading(b"he", 5)


@EACH_WAY
@pytest.mark.parametrize(
    ("path", "number"),
    [
        ("../secret", errno.EXDEV),
        ("docs/../../secret", errno.EXDEV),
        ("/etc/passwd", errno.EXDEV),
        ("up/../secret", errno.EXDEV),
        ("outside", errno.EXDEV),
        ("absolute", errno.EXDEV),
        ("nothing", errno.ENOENT),
        ("docs/a.md/x", errno.ENOTDIR),
        ("docs/a.md/", errno.ENOTDIR),
        ("loop", errno.ELOOP),
        ("a\0b", errno.EINVAL),
    ],
)
def test_what_lies_elsewhere_is_refused(
    skill: Path, path: str, number: int, opener: Opener
):
    (skill / "outside").symlink_to("../secret")
    (skill / "absolute").symlink_to(skill / "docs" / "a.md")
    (skill / "loop").symlink_to("loop")
    assert refusal(skill, path, opener) == number


@EACH_WAY
def test_only_regular_files_are_read(skill: Path, opener: Opener):
    os.mkfifo(skill / "pipe")
    for path in ("pipe", "docs", ".", "docs/.", "docs/deep/.."):
        with pytest.raises(NotAFile):
            read_below(str(skill), path, 99, opener=opener)


@EACH_WAY
def test_a_socket_is_no_file(opener: Opener):
    with quick_folder() as folder, socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "socket"))
        assert refusal(folder, "socket", opener) == errno.ENXIO


@EACH_WAY
def test_no_descriptor_stays_open(skill: Path, opener: Opener):
    before = os.listdir("/dev/fd")
    for path in ("docs/a.md", "docs/deep/../../../x", "docs/none", "up/up/link.md"):
        refusal(skill, path, opener)
    assert os.listdir("/dev/fd") == before


def test_the_kernel_is_asked_where_it_knows_how(monkeypatch: pytest.MonkeyPatch):
    find_opener.cache_clear()
    expected = open_below if sys.platform == "linux" else open_by_steps
    assert find_opener() is expected
    find_opener.cache_clear()
    monkeypatch.setattr(contained, "_SAME_NUMBERS", frozenset[str]())
    assert find_opener() is open_by_steps
    find_opener.cache_clear()


def test_where_the_kernel_is_not_sure_each_step_is_opened(
    skill: Path, monkeypatch: pytest.MonkeyPatch
):
    def unsure(top: int, path: str) -> int:
        raise OSError(errno.EAGAIN, "again")

    monkeypatch.setattr(contained, "_open_by_kernel", unsure)
    found = read_below(str(skill), "link.md", 99, opener=open_below)
    assert found == Reading(b"hello", 5)


def test_ten_thousand_paths_in_folders_full_of_links_leak_nothing():
    with quick_folder() as folder:
        assert_contained(try_paths(folder, layouts=200, paths=50))


def assert_contained(tally: Tally) -> None:
    assert (tally.leaked, tally.different) == (0, [])
    assert tally.good > 100
    assert tally.lost_by_careless > 100


@EACH_WAY
@pytest.mark.parametrize("what", ["folders", "files"])
def test_what_turns_into_a_link_leaks_nothing(what: str, opener: Opener):
    with quick_folder() as folder:
        arena = set_arena(folder)
        top = str(arena.workspace / "skills")
        name = "pdf/SKILL.md" if what == "folders" else "pdf/notes.md"

        def read() -> bytes:
            return read_below(top, name, 99, opener=opener).data

        pair = arena.folders if what == "folders" else arena.files
        raced = race(pair, read, count=50_000)
    assert raced.leaked == 0
