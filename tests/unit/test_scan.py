"""The walk, in memory where that shows it, on a disk where the disk matters."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from metier.core.selection import (
    Case,
    EntryOrder,
    Hidden,
    Links,
    Nested,
    Paths,
    Pick,
    RootFile,
    RootName,
    Selection,
    Visits,
    is_flat,
)
from metier.diagnostics import Diagnostic, Severity
from metier.testing import Content, Link, MemoryFileSystem, Special
from metier.world import scan
from metier.world.filesystem import (
    DiskFileSystem,
    Entry,
    FileSystem,
    Kind,
    NotAFile,
    Reading,
    reason_of,
)
from metier.world.findings import describe_error
from metier.world.scan import Walk, scan_root


@dataclass
class Heard:
    """What a walk said, with the root cut off."""

    root: str
    visits: list[tuple[str, str]] = field(default_factory=list)
    data: list[bytes] = field(default_factory=list)
    failures: list[tuple[str, str]] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)

    def visit(self, path: str, directory: str, reading: Reading) -> None:
        self.visits.append((self.cut(path), directory))
        self.data.append(reading.data)

    def fail(self, path: str, finding: Diagnostic) -> None:
        self.failures.append((self.cut(path), finding.rule))

    def note(self, finding: Diagnostic) -> None:
        self.notes.append((self.cut(finding.path or ""), finding.rule))

    def cut(self, path: str) -> str:
        return path.removeprefix(self.root).removeprefix("/")

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.visits]


def walk(
    filesystem: FileSystem, root: str = "/r", *, head: int = 100, **options: Any
) -> Heard:
    heard = Heard(root)
    described = Walk(
        filesystem=filesystem,
        selection=Selection(**options),
        head=head,
        visit=heard.visit,
        fail=heard.fail,
        note=heard.note,
    )
    scan_root(root, described)
    return heard


def memory(files: str | Mapping[str, Content]) -> MemoryFileSystem:
    """Files by their path below `/r`; given as words, each is empty."""
    given = dict.fromkeys(files.split(), "") if isinstance(files, str) else files
    filesystem = MemoryFileSystem({f"/r/{p}": content for p, content in given.items()})
    filesystem.make_folder("/r")
    return filesystem


def found(files: str | Mapping[str, Content], **options: Any) -> list[str]:
    return walk(memory(files), **options).paths


TREE = "SKILL.md b/SKILL.md a/SKILL.md a/x/SKILL.md a/x/y/SKILL.md a/other.md"


@pytest.mark.parametrize(
    ("files", "options", "expected"),
    [
        pytest.param(
            TREE,
            {},
            "SKILL.md a/SKILL.md a/x/SKILL.md a/x/y/SKILL.md b/SKILL.md",
            id="everything, sorted by name",
        ),
        pytest.param(TREE, {"max_depth": 0}, "SKILL.md", id="nothing below the root"),
        pytest.param(
            TREE,
            {"max_depth": 1},
            "SKILL.md a/SKILL.md b/SKILL.md",
            id="one folder deep",
        ),
        pytest.param(
            TREE,
            {"max_depth": 2},
            "SKILL.md a/SKILL.md a/x/SKILL.md b/SKILL.md",
            id="two folders deep",
        ),
        pytest.param(
            TREE,
            {"root_file": RootFile.IGNORE, "max_depth": 1},
            "a/SKILL.md b/SKILL.md",
            id="but not the root's own",
        ),
        pytest.param(
            TREE, {"root_file": RootFile.ONLY}, "SKILL.md", id="the root's own only"
        ),
        pytest.param(
            "a/SKILL.md",
            {"root_file": RootFile.ONLY},
            "a/SKILL.md",
            id="all where the root has none of its own",
        ),
        pytest.param(
            TREE,
            {"nested": Nested.STOP},
            "SKILL.md a/SKILL.md b/SKILL.md",
            id="nothing below a skill",
        ),
        pytest.param(
            TREE,
            {"nested": Nested.STOP, "root_file": RootFile.ONLY, "flat_suffix": ".md"},
            "SKILL.md",
            id="nothing beside a skill in the root",
        ),
        pytest.param(
            "a/SKILL.md/x/SKILL.md b.md c.md/SKILL.md",
            {"nested": Nested.STOP, "root_file": RootFile.ONLY, "flat_suffix": ".md"},
            "a/SKILL.md/x/SKILL.md b.md c.md/SKILL.md",
            id="a folder of that name stops nothing",
        ),
        pytest.param(
            {"SKILL.md": Link("/none"), "a/SKILL.md": "", "b.md": Link("/r/a")},
            {"nested": Nested.STOP, "root_file": RootFile.ONLY, "flat_suffix": ".md"},
            "a/SKILL.md b.md/SKILL.md",
            id="nor does a link to nowhere",
        ),
        pytest.param(
            {"SKILL.md": Link("/r/a/SKILL.md"), "a/SKILL.md": ""},
            {"nested": Nested.STOP, "root_file": RootFile.ONLY},
            "SKILL.md",
            id="a link to a file does",
        ),
        pytest.param(
            TREE,
            {"under": ("b", "none", "a")},
            "b/SKILL.md a/SKILL.md a/x/SKILL.md a/x/y/SKILL.md",
            id="some subfolders",
        ),
        pytest.param(
            ".h/SKILL.md a/.h/SKILL.md a/SKILL.md",
            {"hidden": Hidden.SKIP},
            "a/SKILL.md",
            id="no hidden folders",
        ),
        pytest.param(
            ".h/SKILL.md",
            {"hidden": Hidden.ENTER},
            ".h/SKILL.md",
            id="hidden folders as well",
        ),
        pytest.param(
            "x/SKILL.md a/x/SKILL.md a/SKILL.md x2/SKILL.md",
            {"skip": ("x",)},
            "a/SKILL.md x2/SKILL.md",
            id="no folders of this name",
        ),
        pytest.param(
            "a?b/SKILL.md a/c!/SKILL.md d/SKILL.md",
            {"skip_characters": "?!"},
            "d/SKILL.md",
            id="no folders with one of these in their name",
        ),
        pytest.param(
            "a/Skill.md b/SKILL.MD c/skill.md",
            {"case": Case.INSENSITIVE, "names": ("skill.md",)},
            "a/Skill.md b/SKILL.MD c/skill.md",
            id="in any case",
        ),
        pytest.param(
            "a/SKILL.md a/skill.md",
            {"case": Case.INSENSITIVE, "names": ("skill.md",), "pick": Pick.EVERY},
            "a/SKILL.md a/skill.md",
            id="every one of a folder",
        ),
        pytest.param(
            "a/SKILL.md a/skill.md",
            {"case": Case.INSENSITIVE, "names": ("skill.md",)},
            "a/SKILL.md",
            id="the first one of a folder",
        ),
        pytest.param(
            "a/x.md a/y.md b/y.md",
            {"names": ("y.md", "x.md")},
            "a/y.md b/y.md",
            id="the first of several names",
        ),
        pytest.param(
            "a/x.md a/y.md b/y.md",
            {"names": ("y.md", "x.md"), "max_depth": 1},
            "a/y.md b/y.md",
            id="the first of several names, one folder deep",
        ),
        pytest.param(
            "a/x.md b/y.md",
            {"names": ("y.md", "x.md"), "pick": Pick.EVERY},
            "a/x.md b/y.md",
            id="any of several names",
        ),
        pytest.param(
            "z.md .md a.txt b/c.md SKILL.md b/SKILL.md",
            {"flat_suffix": ".md", "root_file": RootFile.IGNORE},
            "SKILL.md b/SKILL.md z.md",
            id="flat files in the root",
        ),
        pytest.param(
            "b/SKILL.md A/SKILL.md _/SKILL.md a/SKILL.md ä/SKILL.md 10/SKILL.md",
            {"entry_order": EntryOrder.BY_LOCALE, "max_depth": 1},
            "_/SKILL.md 10/SKILL.md a/SKILL.md A/SKILL.md ä/SKILL.md b/SKILL.md",
            id="in the order of a locale",
        ),
        pytest.param(
            "A.MD b.md Skill.md .md c.txt x.md/SKILL.md",
            {
                "flat_suffix": ".md",
                "flat_case": Case.INSENSITIVE,
                "flat_except": ("skill.md",),
                "root_file": RootFile.IGNORE,
            },
            "A.MD b.md x.md/SKILL.md",
            id="flat files in any case, but for one, and no folder",
        ),
        pytest.param(
            "SKILL.md S/SKILL.md a/SKILL.md a-b/SKILL.md b/SKILL.md",
            {"entry_order": EntryOrder.BY_PATH},
            "S/SKILL.md SKILL.md a-b/SKILL.md a/SKILL.md b/SKILL.md",
            id="in the order of paths",
        ),
        pytest.param(
            "a/SKILL.md a/lib/x/SKILL.md a/b/SKILL.md lib/c/SKILL.md d/lib/SKILL.md",
            {"skip_in_skill": ("lib",)},
            "a/SKILL.md a/b/SKILL.md d/lib/SKILL.md lib/c/SKILL.md",
            id="not what belongs to a skill",
        ),
        pytest.param(
            "a/SKILL.md/x/SKILL.md a/lib/SKILL.md",
            {"skip_in_skill": ("lib",)},
            "a/SKILL.md/x/SKILL.md a/lib/SKILL.md",
            id="a folder is no skill file, whatever its name",
        ),
        pytest.param(
            "SKILL.md a/SKILL.md b/c/SKILL.md",
            {"root_file": RootFile.FILE, "max_depth": 1},
            "SKILL.md a/SKILL.md",
            id="a file in the root",
        ),
        pytest.param("a.txt", {}, "", id="nothing"),
    ],
)
def test_the_walk_takes(files: str, options: dict[str, Any], expected: str):
    assert found(files, **options) == expected.split()


def test_a_visit_knows_the_name_of_the_folder_and_the_head_of_the_file():
    heard = walk(memory({"a/b/SKILL.md": "0123456789"}), head=4)
    assert heard.visits == [("a/b/SKILL.md", "b")]
    assert heard.data == [b"0123"]


@pytest.mark.parametrize(
    ("root", "options", "expected"),
    [
        pytest.param("/.r", {"hidden": Hidden.SKIP}, 1, id="the root's name is free"),
        pytest.param(
            "/.r",
            {"hidden": Hidden.SKIP, "root_name": RootName.CHECKED},
            0,
            id="a hidden root is not entered",
        ),
        pytest.param(
            "/vendor",
            {"skip": ("vendor",), "root_name": RootName.CHECKED},
            0,
            id="a skipped root is not entered",
        ),
        pytest.param("/link", {}, 1, id="a linked root is entered"),
        pytest.param(
            "/link", {"root_link": Links.IGNORE}, 0, id="a linked root is ignored"
        ),
        pytest.param(
            "/.r", {"root_link": Links.IGNORE}, 1, id="a root that is no link is not"
        ),
    ],
)
def test_the_root_itself(root: str, options: dict[str, Any], expected: int):
    files = MemoryFileSystem(
        {"/.r/SKILL.md": "", "/vendor/SKILL.md": "", "/link": Link("/.r")}
    )
    assert len(walk(files, root, **options).visits) == expected


def test_a_root_that_is_not_there_is_noted():
    heard = walk(MemoryFileSystem(), "/gone")
    assert heard.notes == [("", "folder-unreadable")]


def test_a_root_that_is_a_file_is_noted():
    heard = walk(MemoryFileSystem({"/r": "text"}))
    assert heard.notes == [("", "folder-unreadable")]


def test_folders_too_deep_are_noted_where_something_is_below():
    deep = "a/b/c/SKILL.md d/e/SKILL.md"
    heard = walk(memory(deep), max_depth=2)
    assert heard.paths == ["d/e/SKILL.md"]
    assert heard.notes == [("a/b", "scan-depth")]


# --- links --------------------------------------------------------------------------

LINKED: dict[str, Content] = {
    "a/SKILL.md": "a",
    "l": Link("a"),
    "f/SKILL.md": Link("../a/SKILL.md"),
}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        pytest.param({}, "a f l", id="followed"),
        pytest.param({"directory_links": Links.IGNORE}, "a f", id="not to folders"),
        pytest.param({"max_depth": 1}, "a f l", id="followed, one folder deep"),
        pytest.param({"visits": Visits.FILE_ONCE}, "a f l", id="and told apart later"),
    ],
)
def test_links_are(options: dict[str, Any], expected: str):
    assert found(LINKED, **options) == [f"{n}/SKILL.md" for n in expected.split()]


@pytest.mark.parametrize("depth", [1, 16])
def test_a_link_in_the_place_of_a_file_may_be_refused(depth: int):
    heard = walk(memory(LINKED), file_links=Links.IGNORE, max_depth=depth)
    assert heard.paths == ["a/SKILL.md", "l/SKILL.md"]
    assert heard.failures == [("f/SKILL.md", "link-ignored")]


def test_or_directly_in_the_root_alone():
    files = memory({**LINKED, "SKILL.md": Link("a/SKILL.md")})
    heard = walk(files, root_file=RootFile.FILE, max_depth=1)
    assert heard.paths == ["a/SKILL.md", "f/SKILL.md", "l/SKILL.md"]
    assert heard.failures == [("SKILL.md", "link-ignored")]


def test_a_link_to_a_parent_is_noted_and_not_followed():
    heard = walk(memory({"a/SKILL.md": "", "a/b/up": Link("../.."), "top": Link("/r")}))
    assert heard.paths == ["a/SKILL.md"]
    assert heard.notes == [("a/b/up", "link-cycle"), ("top", "link-cycle")]


def test_each_link_to_a_parent_is_told_once_however_often_it_is_met():
    mesh = {
        f"{a}/{b}": Link(f"/r/{b}") for a in ("x", "y", "z") for b in ("x", "y", "z")
    }
    heard = walk(memory({**mesh, "a/SKILL.md": ""}))
    assert len(heard.notes) == len(set(heard.notes)) == len(mesh)


def test_a_link_to_a_file_or_to_nowhere_is_no_folder():
    heard = walk(memory({"file": Link("x.txt"), "x.txt": "", "none": Link("gone")}))
    assert (heard.visits, heard.notes, heard.failures) == ([], [], [])


@pytest.mark.parametrize("depth", [1, 16])
@pytest.mark.parametrize(
    ("content", "rule"),
    [
        pytest.param(Link("gone"), "link-dangling", id="a link to nowhere"),
        pytest.param(Link("SKILL.md"), "link-cycle", id="a link to itself"),
        pytest.param(Special(), "special-file", id="a pipe"),
        pytest.param(Link("/r/a"), "not-a-file", id="a link to a folder"),
    ],
)
def test_what_should_be_a_skill_file_and_is_none(
    content: Content, rule: str, depth: int
):
    heard = walk(memory({"a/SKILL.md": content, "b/SKILL.md": ""}), max_depth=depth)
    assert heard.failures == [("a/SKILL.md", rule)]
    assert heard.paths == ["b/SKILL.md"]


def test_a_folder_in_the_place_of_a_skill_file_is_told_and_entered():
    heard = walk(memory("a/SKILL.md/SKILL.md"))
    assert heard.failures == [("a/SKILL.md", "not-a-file")]
    assert heard.paths == ["a/SKILL.md/SKILL.md"]


TWICE: dict[str, Content] = {"a/SKILL.md": "", "b": Link("a"), "c": Link("a")}


def test_a_folder_is_read_once_for_each_path():
    heard = walk(memory(TWICE), visits=Visits.EACH_PATH)
    assert heard.paths == ["a/SKILL.md", "b/SKILL.md", "c/SKILL.md"]


def test_or_it_is_read_once():
    heard = walk(memory(TWICE), visits=Visits.ONCE)
    assert heard.paths == ["a/SKILL.md"]
    assert heard.notes == [("b", "folder-repeated"), ("c", "folder-repeated")]


# --- limits -------------------------------------------------------------------------


def test_a_tree_with_too_many_entries_ends_the_walk(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(scan, "MAX_ENTRIES", 4)
    heard = walk(memory("a/SKILL.md b/SKILL.md c/SKILL.md"))
    assert heard.paths == ["a/SKILL.md"]
    assert heard.notes == [("", "scan-limit")]


def test_a_tree_with_too_many_links_ends_the_walk(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(scan, "MAX_LINKED_FOLDERS", 1)
    heard = walk(memory(TWICE))
    assert heard.paths == ["a/SKILL.md", "b/SKILL.md"]
    assert heard.notes == [("", "scan-limit")]


class Refusing(MemoryFileSystem):
    """A disk on which some paths cannot be listed, read or looked at."""

    def list_folder(self, path: str) -> list[Entry]:
        if path == "/r/locked":
            raise OSError(errno.EACCES, "Permission denied", path)
        return super().list_folder(path)

    def read_file(self, path: str, limit: int, links: Links) -> Reading:
        if path == "/r/secret/SKILL.md":
            raise OSError(errno.EACCES, "Permission denied", path)
        return super().read_file(path, limit, links)

    def identity(self, path: str) -> tuple[int, int]:
        if path == "/r/odd":
            raise OSError("it has no message")
        return super().identity(path)


def test_what_cannot_be_read_does_not_end_the_walk():
    files = {
        "/r/locked/SKILL.md": "",
        "/r/odd": Link("z"),
        "/r/secret/SKILL.md": "",
        "/r/z/SKILL.md": "",
    }
    heard = walk(Refusing(files))
    assert heard.paths == ["z/SKILL.md"]
    assert heard.failures == [("secret/SKILL.md", "file-unreadable")]
    assert heard.notes == [
        ("locked", "folder-unreadable"),
        ("odd", "folder-unreadable"),
    ]


class Closed(MemoryFileSystem):
    """A disk on which the folder `/r/locked` lets nobody look into it."""

    def read_file(self, path: str, limit: int, links: Links) -> Reading:
        if path.startswith("/r/locked/"):
            raise OSError(errno.EACCES, "Permission denied", path)
        return super().read_file(path, limit, links)

    def exists(self, path: str) -> bool:
        return not path.startswith("/r/locked/") and super().exists(path)


def test_there_is_no_skill_in_a_folder_that_lets_nobody_look_into_it():
    files = Closed({"/r/a/SKILL.md": "", "/r/locked/SKILL.md": ""})
    heard = walk(files, max_depth=1)
    assert heard.paths == ["a/SKILL.md"]
    assert heard.failures == []
    assert heard.notes == [("locked", "folder-unreadable")]


# --- errors as findings -------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "rule", "severity", "message"),
    [
        pytest.param(
            OSError(errno.EISDIR, "Is a directory"),
            "not-a-file",
            Severity.ERROR,
            "`SKILL.md` is a folder, not a file",
            id="a folder",
        ),
        *(
            pytest.param(
                error,
                "special-file",
                Severity.ERROR,
                "not a regular file; metier does not open it, a host may hang",
                id=name,
            )
            for name, error in {
                "a pipe": NotAFile("not a regular file"),
                "a socket": OSError(errno.ENXIO, "No such device or address"),
                "a pipe with a writer": OSError(errno.EAGAIN, "Try again"),
            }.items()
        ),
        pytest.param(
            OSError(errno.ENOENT, "No such file"),
            "link-dangling",
            Severity.ERROR,
            "a link that leads nowhere",
            id="a dangling link",
        ),
        pytest.param(
            OSError(errno.ELOOP, "Too many levels"),
            "link-cycle",
            Severity.ERROR,
            "a link that leads to itself",
            id="a loop",
        ),
        pytest.param(
            OSError(errno.EACCES, "Permission denied"),
            "file-unreadable",
            Severity.ERROR,
            "the file cannot be read: permission denied",
            id="anything else",
        ),
        pytest.param(
            OSError("Odd"),
            "file-unreadable",
            Severity.ERROR,
            "the file cannot be read: odd",
            id="an error without a number",
        ),
    ],
)
def test_an_error_is_told_as(
    error: OSError, rule: str, severity: Severity, message: str
):
    assert describe_error("/r/SKILL.md", error) == Diagnostic(
        rule=rule, severity=severity, message=message, path="/r/SKILL.md"
    )


def test_a_path_that_does_not_print_is_shown_in_the_message():
    told = describe_error("/r/a\nb", OSError(errno.ENOENT, ""))
    assert told.message == "a link that leads nowhere (/r/a\\nb)"


# --- on a disk ----------------------------------------------------------------------


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    return plant(tmp_path)


def plant(folder: Path) -> Path:
    for name in ("a", "b"):
        (folder / name).mkdir()
        (folder / name / "SKILL.md").write_text(name)
    return folder


Spoil = Callable[[Path], Any]


def put_socket(path: Path) -> None:
    # The path of a socket may have 107 bytes only.
    os.chdir(path.parent)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)


@pytest.mark.parametrize("depth", [1, 16])
@pytest.mark.parametrize(
    ("spoil", "rule"),
    [
        pytest.param(os.mkfifo, "special-file", id="a pipe"),
        pytest.param(put_socket, "special-file", id="a socket"),
        pytest.param(
            lambda p: p.symlink_to("/dev/zero"), "special-file", id="a device"
        ),
        pytest.param(lambda p: p.symlink_to("gone"), "link-dangling", id="a dead link"),
        pytest.param(lambda p: p.symlink_to(p.name), "link-cycle", id="a loop"),
        pytest.param(Path.mkdir, "not-a-file", id="a folder"),
    ],
)
def test_on_a_disk_nothing_but_files_is_opened(
    disk: Path, spoil: Spoil, rule: str, depth: int
):
    (disk / "a/SKILL.md").unlink()
    spoil(disk / "a/SKILL.md")
    heard = walk(DiskFileSystem(), str(disk), max_depth=depth)
    assert heard.paths == ["b/SKILL.md"]
    assert heard.failures == [("a/SKILL.md", rule)]


def test_on_a_disk_folders_are_known_by_their_inodes(disk: Path):
    (disk / "c").symlink_to("a")
    (disk / "a/up").symlink_to("..")
    once = walk(DiskFileSystem(), str(disk), visits=Visits.ONCE)
    assert once.paths == ["a/SKILL.md", "b/SKILL.md"]
    assert once.notes == [("a/up", "link-cycle"), ("c", "folder-repeated")]


@contextmanager
def as_nobody_special() -> Generator[None]:
    """Root may read everything: within, it is somebody who may not."""
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


def test_on_a_disk_permissions_are_heeded():
    with TemporaryDirectory() as folder:
        disk = plant(Path(folder))
        Path(folder).chmod(0o755)
        (disk / "a").chmod(0)
        (disk / "b/SKILL.md").chmod(0)
        with as_nobody_special():
            heard = walk(DiskFileSystem(), str(disk))
        (disk / "a").chmod(0o700)
    assert heard.notes == [("a", "folder-unreadable")]
    assert heard.failures == [("b/SKILL.md", "file-unreadable")]


def test_a_file_of_the_disk_is_read_to_its_limit(disk: Path):
    files = DiskFileSystem()
    path = str(disk / "long")
    Path(path).write_bytes(b"0123456789")
    assert files.read_file(path, 100, Links.IGNORE) == Reading(b"0123456789", 10)
    assert files.read_file(path, 10, Links.IGNORE) == Reading(b"0123456789", 10)
    assert files.read_file(path, 4, Links.FOLLOW) == Reading(b"0123", 10)


def test_an_empty_file_of_the_disk_is_a_file(disk: Path):
    (disk / "empty").touch()
    read = DiskFileSystem().read_file(str(disk / "empty"), 9, Links.FOLLOW)
    assert read == Reading(b"", 0)


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        pytest.param([60], Reading(b"x" * 60, 100), id="as much as was asked for"),
        pytest.param([0, 30, 70], Reading(b"x" * 100, 100), id="after nothing"),
        pytest.param([0, 40, 0], Reading(b"x" * 40, 100), id="shrinking meanwhile"),
    ],
)
def test_a_file_that_comes_in_pieces_is_read_to_its_end(
    disk: Path, monkeypatch: pytest.MonkeyPatch, pieces: list[int], expected: Reading
):
    path = disk / "file"
    path.write_bytes(b"x" * 100)
    sizes = iter(pieces)
    monkeypatch.setattr(os, "pread", lambda *_: b"x" * next(sizes))
    # The first piece makes the reader look again where it is nothing, or all of it.
    limit = pieces[0] or 200
    read = DiskFileSystem().read_file(str(path), limit, Links.FOLLOW)
    assert read == expected


def test_a_pipe_that_somebody_writes_into_is_not_read(disk: Path):
    os.mkfifo(disk / "pipe")
    writer = os.open(disk / "pipe", os.O_RDWR | os.O_NONBLOCK)
    try:
        os.write(writer, b"secret")
        with pytest.raises(OSError, match=r"Illegal seek|not a regular file"):
            DiskFileSystem().read_file(str(disk / "pipe"), 99, Links.FOLLOW)
        assert os.read(writer, 99) == b"secret"
    finally:
        os.close(writer)


def test_a_link_on_the_disk_is_followed_only_where_it_may_be(disk: Path):
    (disk / "l").symlink_to("a/SKILL.md")
    files, path = DiskFileSystem(), str(disk / "l")
    assert files.read_file(path, 9, Links.FOLLOW).data == b"a"
    with pytest.raises(OSError, match="symbolic links"):
        files.read_file(path, 9, Links.IGNORE)


def test_the_disk_is_listed_by_name_and_kind(disk: Path):
    (disk / "c").symlink_to("a")
    os.mkfifo(disk / "d")
    (disk / "0").touch()
    listed = DiskFileSystem().list_folder(str(disk))
    assert [(name, kind) for name, kind, _ in listed] == [
        ("0", Kind.FILE),
        ("a", Kind.FOLDER),
        ("b", Kind.FOLDER),
        ("c", Kind.LINK),
        ("d", Kind.OTHER),
    ]
    assert listed[1][2] == (disk / "a").stat().st_ino


def test_what_the_disk_says_of_a_path(disk: Path):
    (disk / "l").symlink_to("a")
    (disk / "none").symlink_to("gone")
    files = DiskFileSystem()
    paths = ("a", "a/SKILL.md", "l", "none", "gone")
    told = [
        (files.is_directory(p), files.is_link(p), files.exists(p))
        for p in (str(disk / each) for each in paths)
    ]
    assert told == [
        (True, False, True),
        (False, False, True),
        (True, True, True),
        (False, True, False),
        (False, False, False),
    ]
    assert files.identity(str(disk / "l")) == files.identity(str(disk / "a"))


def test_without_a_suffix_no_file_is_flat() -> None:
    assert not is_flat("a.md", Selection())


def test_a_link_is_a_flat_skill_where_it_leads_to_a_file() -> None:
    files = memory(
        {"a.md": Link("/r/x/y"), "b.md": Link("/r/x"), "c.md": Link("/r/no"), "x/y": ""}
    )
    heard = walk(files, flat_suffix=".md", root_file=RootFile.IGNORE, max_depth=1)
    assert heard.paths == ["a.md"]
    assert heard.failures == [("c.md", "link-dangling")]


def test_a_folder_may_be_read_from_the_last_name_to_the_first() -> None:
    files = MemoryFileSystem(
        {f"/r/{name}": "" for name in ("SKILL.md", "a/SKILL.md", "b/SKILL.md", "x.md")}
    )
    heard = walk(files, entry_order=EntryOrder.BY_NAME_REVERSED)
    assert heard.paths == ["SKILL.md", "b/SKILL.md", "a/SKILL.md"]


# --- bounds of links, and of numbers ------------------------------------------------

CONTAINED = {
    "in/SKILL.md": "",
    "inlink": Link("in"),
    "out": Link("/elsewhere/skill"),
    "top": Link("."),
    "file/SKILL.md": Link("other.md"),
    "file/other.md": "",
    "stray/SKILL.md": Link("../in/SKILL.md"),
}


def test_links_may_be_followed_within_bounds_alone():
    filesystem = memory(CONTAINED)
    filesystem.write("/elsewhere/skill/SKILL.md", "")
    heard = walk(
        filesystem,
        directory_links=Links.CONTAINED,
        file_links=Links.CONTAINED,
        max_depth=2,
    )
    assert heard.visits == [
        ("file/SKILL.md", "file"),
        ("in/SKILL.md", "in"),
        ("inlink/SKILL.md", "inlink"),
    ]
    assert heard.failures == [("stray/SKILL.md", "link-ignored")]
    assert heard.notes == [("out", "link-ignored"), ("top", "link-cycle")]


def test_on_a_disk_a_file_may_be_a_link_to_another_one_beside_it(tmp_path: Path):
    for name, target in (("a", "real.md"), ("b", "../a/real.md")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "SKILL.md").symlink_to(target)
    (tmp_path / "a" / "real.md").write_text("text")
    heard = walk(DiskFileSystem(), str(tmp_path), file_links=Links.CONTAINED)
    assert (heard.paths, heard.data) == (["a/SKILL.md"], [b"text"])
    assert heard.failures == [("b/SKILL.md", "link-ignored")]


def test_a_link_may_lend_its_name_to_the_skill_behind_it():
    filesystem = memory({"link": Link("/store/folder")})
    filesystem.write("/store/folder/SKILL.md", "")
    heard = walk(filesystem, paths=Paths.REAL_FILE)
    assert heard.visits == [("store/folder/SKILL.md", "link")]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param("a/SKILL.md s/b/SKILL.md", "s/b/SKILL.md", id="it holds skills"),
        pytest.param("a/SKILL.md s/.b/SKILL.md", "a/SKILL.md", id="hidden ones only"),
        pytest.param("a/SKILL.md s/x", "a/SKILL.md", id="none"),
        pytest.param("a/SKILL.md s", "a/SKILL.md", id="it is a file"),
        pytest.param("s/SKILL.md s/b/SKILL.md", "s/SKILL.md", id="it is one, too"),
    ],
)
def test_a_folder_of_the_root_may_take_its_place(files: str, expected: str):
    options = {"inner": "s", "hidden": Hidden.SKIP, "root_file": RootFile.ONLY}
    assert found(files, max_depth=1, **options) == [expected]


def test_and_does_not_where_it_leads_out_of_the_root():
    filesystem = memory({"a/SKILL.md": "", "s": Link("/elsewhere")})
    filesystem.write("/elsewhere/b/SKILL.md", "")
    heard = walk(filesystem, inner="s", directory_links=Links.CONTAINED)
    assert (heard.paths, heard.notes) == ([], [("s", "link-ignored")])
    assert walk(filesystem, inner="s").paths == ["s/b/SKILL.md"]


def test_a_folder_that_cannot_be_listed_takes_no_place():
    filesystem = memory("a/SKILL.md s/b/SKILL.md")
    listed = filesystem.list_folder

    def list_folder(path: str) -> list[Entry]:
        if path == "/r/s":
            raise PermissionError(errno.EACCES, "Permission denied")
        return listed(path)

    filesystem.list_folder = list_folder
    heard = walk(filesystem, inner="s")
    assert (heard.paths, heard.notes) == (["a/SKILL.md"], [("s", "folder-unreadable")])


def test_only_so_many_folders_of_one_folder_are_looked_into():
    files = {
        **dict.fromkeys(("b/SKILL.md", "c/SKILL.md", ".h/SKILL.md", "a.md"), ""),
        "a": Link("c"),
        "d/x/SKILL.md": "",
    }
    heard = walk(memory(files), max_candidates=2, hidden=Hidden.SKIP)
    assert heard.paths == ["a/SKILL.md", "b/SKILL.md"]
    assert heard.notes == [("", "scan-limit")]
    assert walk(memory(files), max_candidates=4, hidden=Hidden.SKIP).notes == []


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (NotAFile("not a regular file: /R/Pipe"), "not a regular file"),
        (OSError(errno.ESPIPE, "Illegal seek"), "not a regular file"),
        (OSError(errno.EACCES, "Permission denied"), "permission denied"),
        (OSError("It has no number"), "it has no number"),
    ],
)
def test_the_reason_of_an_error_goes_into_a_sentence(error: OSError, reason: str):
    assert reason_of(error) == reason
