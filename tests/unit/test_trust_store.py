from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from metier.core.roots import Environment
from metier.core.trust import EMPTY_BOOK, Stamp, TrustBook, TrustedFolder
from metier.errors import ConfigError
from metier.world import trust_store
from metier.world.clock import read_clock
from metier.world.trust_store import TrustStore, store_path


@pytest.fixture
def store(tmp_path: Path) -> TrustStore:
    return TrustStore(path=str(tmp_path / "state" / "metier" / "trust.json"))


def trusting(path: str, book: TrustBook = EMPTY_BOOK) -> TrustBook:
    return book.with_folder(TrustedFolder(stamp=Stamp(path, 1, 2, 3), since=""))


def add(store: TrustStore, path: str) -> None:
    store.update(lambda book: trusting(path, book))


def rules(store: TrustStore) -> list[str]:
    """What is found when the store is read, and that it says nothing then."""
    book, found = store.load()
    assert book == EMPTY_BOOK
    return [f"{each.rule}: {each.message.rpartition(': ')[2]}" for each in found]


# --- where it is --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variables", "person", "path"),
    [
        ({}, "/home/ada", "/home/ada/.local/state/metier/trust.json"),
        ({"XDG_STATE_HOME": "/s/../t"}, "/home/ada", "/t/metier/trust.json"),
        ({"XDG_STATE_HOME": "here"}, "/h", "/h/.local/state/metier/trust.json"),
        ({"XDG_STATE_HOME": "/t"}, None, "/t/metier/trust.json"),
        ({}, None, None),
    ],
)
def test_the_store_lies_in_the_state_folder(
    variables: dict[str, str], person: str | None, path: str | None
):
    where = Environment(cwd="/w", home=person, variables=variables)
    assert store_path(where) == path


def test_a_store_knows_who_could_write_it(tmp_path: Path):
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    store = TrustStore(path=str(tmp_path / "link" / "trust.json"))
    below = [store.lies_below(str(each)) for each in (tmp_path, real)]
    beside = [store.lies_below(str(tmp_path / each)) for each in ("link", "rea")]
    assert (below, beside) == ([True, True], [False, False])
    assert store.lies_below("/")


# --- reading and writing ------------------------------------------------------------


def test_a_store_that_is_not_there_says_nothing(store: TrustStore):
    assert store.load() == (EMPTY_BOOK, ())


def test_what_is_written_is_read(store: TrustStore):
    add(store, "/a")
    add(store, "/b")
    book = trusting("/b", trusting("/a"))
    assert store.load() == (book, ())
    assert store.update(lambda book: book.without("/a")) == trusting("/b")
    assert store.load() == (trusting("/b"), ())


def test_file_and_folder_are_nobody_elses(store: TrustStore):
    umask = os.umask(0)
    try:
        add(store, "/a")
    finally:
        os.umask(umask)
    folder = Path(store.path).parent
    modes = {
        each.name: stat.S_IMODE(each.stat().st_mode)
        for each in (folder, *folder.iterdir())
    }
    assert modes == {"metier": 0o700, "trust.json": 0o600, "trust.json.lock": 0o600}


def test_what_a_killed_writer_left_is_in_nobodys_way(store: TrustStore, tmp_path: Path):
    add(store, "/a")
    (tmp_path / "secret").write_text("untouched")
    Path(store.path + ".new").symlink_to(tmp_path / "secret")
    add(store, "/b")
    assert sorted(store.load()[0].folders) == ["/a", "/b"]
    assert (tmp_path / "secret").read_text() == "untouched"


def test_many_writers_lose_nothing(store: TrustStore):
    threads = [
        threading.Thread(target=add, args=(store, f"/{number}")) for number in range(20)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(store.load()[0].folders) == sorted(f"/{n}" for n in range(20))


def test_the_clock_says_when_in_utc():
    assert len(read_clock()) == len("2026-01-01T00:00:00Z")
    assert read_clock().endswith("Z")


# --- what is not believed -----------------------------------------------------------


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o666, 0o620, 0o601])
def test_a_file_that_is_open_to_others_denies(store: TrustStore, mode: int):
    add(store, "/a")
    os.chmod(store.path, mode)
    assert rules(store) == ["trust-store-unsafe: it is open to others"]


@pytest.mark.parametrize("mode", [0o750, 0o705, 0o777, 0o710])
def test_a_folder_that_is_open_to_others_denies(store: TrustStore, mode: int):
    add(store, "/a")
    os.chmod(os.path.dirname(store.path), mode)
    assert rules(store) == ["trust-store-unsafe: its folder is open to others"]


@pytest.mark.parametrize("what", ["it", "its folder"])
def test_what_belongs_to_somebody_else_denies(
    store: TrustStore, what: str, monkeypatch: pytest.MonkeyPatch
):
    add(store, "/a")
    me = os.geteuid()
    answers = [me + 1] if what == "its folder" else [me, me + 1]
    monkeypatch.setattr(trust_store.os, "geteuid", lambda: answers.pop(0))
    assert rules(store) == [f"trust-store-unsafe: {what} belongs to somebody else"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not the JSON that metier writes"),
        (b'{"version": 1', "not the JSON that metier writes"),
        (b'{"version": 7}', "not a version that is known here"),
        (b"\xff\xff\0", "not the JSON that metier writes"),
    ],
)
def test_a_damaged_file_denies(store: TrustStore, content: bytes, reason: str):
    add(store, "/a")
    Path(store.path).write_bytes(content)
    assert rules(store) == [f"trust-store-unsafe: {reason}"]


def test_a_file_that_is_too_large_denies(
    store: TrustStore, monkeypatch: pytest.MonkeyPatch
):
    add(store, "/a")
    monkeypatch.setattr(trust_store, "MAX_STORE", 10)
    assert rules(store) == ["trust-store-unsafe: it has more than 10 bytes"]
    with pytest.raises(ConfigError, match="more than 10 bytes"):
        add(store, "/b")


def test_a_link_denies_even_to_a_good_file(store: TrustStore, tmp_path: Path):
    add(store, "/a")
    os.rename(store.path, tmp_path / "elsewhere")
    os.symlink(tmp_path / "elsewhere", store.path)
    assert rules(store) == ["trust-store-unsafe: too many levels of symbolic links"]


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_file_denies(store: TrustStore, make: object):
    add(store, "/a")
    os.unlink(store.path)
    make(store.path, 0o600)  # pyright: ignore[reportCallIssue]
    assert rules(store) == ["trust-store-unsafe: it is no regular file"]


def test_a_damaged_store_is_not_written_over(store: TrustStore):
    add(store, "/a")
    Path(store.path).write_text("{}")
    with pytest.raises(ConfigError, match=r"cannot be believed.*mode 0600"):
        add(store, "/b")
    assert Path(store.path).read_text() == "{}"


def test_a_store_that_cannot_be_written_stays_as_it_was(
    store: TrustStore, monkeypatch: pytest.MonkeyPatch
):
    add(store, "/a")

    def fail(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(trust_store.os, "fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        add(store, "/b")
    assert list(store.load()[0].folders) == ["/a"]
