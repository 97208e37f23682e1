from __future__ import annotations

import doctest
import errno
from collections.abc import Callable

import pytest

from metier import testing
from metier.core.selection import Links
from metier.testing import Link, MemoryFileSystem, Special, make_skill
from metier.world.filesystem import Kind, NotAFile, Reading
from tests.making import SKILLS, library

FILES = MemoryFileSystem(
    {
        "/a/x.txt": "text",
        "/a/bytes": b"\xff\x00",
        "/a/pipe": Special(),
        "/a/sub/y": "",
        "/to-a": Link("/a"),
        "/a/up": Link(".."),
        "/a/out": Link("../to-a/sub"),
        "/a/loop": Link("loop"),
        "/a/none": Link("gone"),
        "/a/strange": Link("sub/../x.txt"),
        "/a/no-way": Link("gone/../x.txt"),
        "/a/through": Link("x.txt/../x.txt"),
    }
)


def test_the_example_of_the_module_works():
    assert doctest.testmod(testing) == doctest.TestResults(failed=0, attempted=5)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("/a/x.txt", Reading(b"text", 4), id="a text"),
        pytest.param("/a/bytes", Reading(b"\xff\x00", 2), id="bytes"),
        pytest.param("/to-a/x.txt", Reading(b"text", 4), id="through a folder's link"),
        pytest.param("/a/up/a/up/a/sub/y", Reading(b"", 0), id="up and down"),
        pytest.param("/a/out/y", Reading(b"", 0), id="a link to a link"),
        pytest.param("/a/out/../x.txt", Reading(b"text", 4), id="back from a link"),
        pytest.param("/a/strange", Reading(b"text", 4), id="a link with dots"),
        pytest.param("//a/./sub/../x.txt", Reading(b"text", 4), id="odd spelling"),
    ],
)
def test_a_file_is_read(path: str, expected: Reading):
    assert FILES.read_file(path, 100, Links.FOLLOW) == expected


def test_a_file_is_read_to_the_limit():
    assert FILES.read_file("/a/x.txt", 2, Links.IGNORE) == Reading(b"te", 4)


Doing = Callable[[str], object]


def read(path: str) -> object:
    return FILES.read_file(path, 9, Links.FOLLOW)


def read_without_links(path: str) -> object:
    return FILES.read_file(path, 9, Links.IGNORE)


@pytest.mark.parametrize(
    ("doing", "path", "number"),
    [
        pytest.param(read, "/a/gone", errno.ENOENT, id="no file"),
        pytest.param(read, "/gone/x", errno.ENOENT, id="no folder"),
        pytest.param(read, "/a/none", errno.ENOENT, id="a dead link"),
        pytest.param(read, "/a/no-way", errno.ENOENT, id="a link through nothing"),
        pytest.param(read, "/a/through", errno.ENOTDIR, id="a link through a file"),
        pytest.param(read, "/a/x.txt/y", errno.ENOTDIR, id="below a file"),
        pytest.param(read, "/a/loop", errno.ELOOP, id="a loop"),
        pytest.param(read, "/a", errno.EISDIR, id="a folder"),
        pytest.param(read, "/to-a", errno.EISDIR, id="a link to a folder"),
        pytest.param(read_without_links, "/a/strange", errno.ELOOP, id="a link"),
        pytest.param(FILES.list_folder, "/gone", errno.ENOENT, id="nothing to list"),
        pytest.param(FILES.list_folder, "/a/x.txt", errno.ENOTDIR, id="listing a file"),
        pytest.param(FILES.list_folder, "/a/loop", errno.ELOOP, id="listing a loop"),
        pytest.param(FILES.identity, "/a/gone", errno.ENOENT, id="whose identity"),
    ],
)
def test_what_cannot_be_done_fails_as_on_a_disk(doing: Doing, path: str, number: int):
    with pytest.raises(OSError) as caught:  # noqa: PT011 - the number is checked
        doing(path)
    assert (caught.value.errno, caught.value.filename) == (number, path)


def test_a_pipe_is_no_file():
    with pytest.raises(NotAFile, match="not a regular file: /a/pipe"):
        read("/a/pipe")


def test_a_folder_lists_its_entries_by_name_and_kind():
    listed = [(name, kind) for name, kind, _ in FILES.list_folder("/to-a")]
    assert listed == [
        ("bytes", Kind.FILE),
        ("loop", Kind.LINK),
        ("no-way", Kind.LINK),
        ("none", Kind.LINK),
        ("out", Kind.LINK),
        ("pipe", Kind.OTHER),
        ("strange", Kind.LINK),
        ("sub", Kind.FOLDER),
        ("through", Kind.LINK),
        ("up", Kind.LINK),
        ("x.txt", Kind.FILE),
    ]


def test_the_top_lists_its_entries_and_not_itself():
    assert [name for name, _, _ in FILES.list_folder("/")] == ["a", "to-a"]


@pytest.mark.parametrize(
    ("path", "is_directory", "is_link", "exists"),
    [
        ("/", True, False, True),
        ("/a", True, False, True),
        ("/a/", True, False, True),
        ("/a/x.txt", False, False, True),
        ("/to-a", True, True, True),
        ("/to-a/up", True, True, True),
        ("/a/none", False, True, False),
        ("/a/loop", False, True, False),
        ("/a/loop/x", False, False, False),
        ("/gone", False, False, False),
    ],
)
def test_what_there_is_at_a_path(
    path: str, is_directory: bool, is_link: bool, exists: bool
):
    told = (FILES.is_directory(path), FILES.is_link(path), FILES.exists(path))
    assert told == (is_directory, is_link, exists)


def test_a_thing_has_one_identity_on_every_path():
    assert FILES.identity("/a") == FILES.identity("/to-a") == FILES.identity("/a/up/a")
    assert FILES.identity("/a/x.txt") == FILES.identity("/a/strange")
    things = ("/", "/a", "/a/sub", "/a/x.txt", "/a/sub/y")
    assert len({FILES.identity(path) for path in things}) == len(things)


def test_the_listing_gives_the_identity_of_a_folder():
    entries = {name: inode for name, _, inode in FILES.list_folder("/a")}
    assert FILES.identity("/a/sub") == (1, entries["sub"])


def test_files_can_be_written_and_removed():
    files = MemoryFileSystem()
    files.write("/a/./b", "one")
    files.write("/a//b", "two")
    assert files.read_file("/a/b", 9, Links.FOLLOW).data == b"two"
    files.remove("/a/../a/b")
    assert not files.exists("/a/b")
    assert files.is_directory("/a")


def test_a_folder_can_be_made_with_those_above_it():
    files = MemoryFileSystem()
    files.make_folder("/a/b/../c/")
    assert [files.is_directory(path) for path in ("/a", "/a/c", "/a/b")] == [
        True,
        True,
        False,
    ]


def test_what_was_opened_and_listed_is_recorded_in_order():
    files = MemoryFileSystem({"/a/x": ""})
    files.list_folder("/a")
    files.read_file("/a/x", 1, Links.FOLLOW)
    files.list_folder("/")
    with pytest.raises(FileNotFoundError):
        files.read_file("/gone", 1, Links.FOLLOW)
    assert (files.reads, files.listings) == (["/a/x", "/gone"], ["/a", "/"])


# --- make_skill ---------------------------------------------------------------------


def test_a_skill_is_made_of_its_parts():
    fields = {"license": "MIT", "metadata": {"a": "b"}, "allowed-tools": ["Read"]}
    assert make_skill("pdf", 'Says "hi": 日本', body="# It\n", fields=fields) == (
        '---\nname: "pdf"\ndescription: "Says \\"hi\\": 日本"\nlicense: "MIT"\n'
        'metadata: {"a": "b"}\nallowed-tools: ["Read"]\n---\n\n# It\n'
    )


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "a: b # c",
        "'\"\\",
        "two\nlines",
        "\ttab",
        "日本語 \U0001f52c",
        "DEL \x7f, NEL \x85, NBSP \xa0, LS \u2028",
        "mark \ufeff",
    ],
)
def test_a_made_skill_is_read_back_as_it_was_meant(text: str):
    path = f"{SKILLS}/pdf/SKILL.md"
    found = library({path: make_skill("pdf", text, fields={"license": text})})
    assert found["pdf"].description == text
    assert found["pdf"].fields["license"] == text
    assert found["pdf"].diagnostics == ()
