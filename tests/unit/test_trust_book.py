from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.core.tree import EntryKind, Part, TreeChange, TreeEntry, build_tree
from metier.core.trust import (
    EMPTY_BOOK,
    Approval,
    BookInvalid,
    Stamp,
    Standing,
    TrustBook,
    TrustedFolder,
    parse_book,
    render_book,
)

STAMP = Stamp("/w", 1, 2, 3)
TREE = build_tree([Part("SKILL.md", EntryKind.FILE, b"x")])
OTHER = build_tree([Part("SKILL.md", EntryKind.FILE, b"y")])


def folder(path: str = "/w") -> TrustedFolder:
    return TrustedFolder(stamp=STAMP._replace(path=path), since="then")


def approval(path: str = "/w/skills/pdf") -> Approval:
    return Approval(
        path=path, digest=TREE.digest, entries=TREE.entries, since="2026-01-01"
    )


BOOK = EMPTY_BOOK.with_folder(folder()).with_approval(approval())


@pytest.mark.parametrize(
    ("stamp", "standing"),
    [
        (STAMP, Standing.KNOWN),
        (STAMP._replace(device=9), Standing.CHANGED),
        (STAMP._replace(inode=9), Standing.CHANGED),
        (STAMP._replace(owner=9), Standing.CHANGED),
        (STAMP._replace(path="/v"), Standing.UNKNOWN),
    ],
)
def test_a_folder_is_known_by_path_device_inode_and_owner(
    stamp: Stamp, standing: Standing
):
    assert BOOK.standing_of(stamp) is standing


def test_a_skill_is_known_by_place_and_content():
    path = "/w/skills/pdf"
    standings = [
        BOOK.standing_of_tree(path, TREE),
        BOOK.standing_of_tree(path, OTHER),
        BOOK.standing_of_tree("/w/skills/zip", TREE),
    ]
    assert standings == [Standing.KNOWN, Standing.CHANGED, Standing.UNKNOWN]


def test_what_is_different_is_told_against_what_was_approved():
    assert BOOK.change_of("/w/skills/pdf", TREE) == TreeChange()
    assert BOOK.change_of("/w/skills/pdf", OTHER) == TreeChange(changed=("SKILL.md",))
    assert BOOK.change_of("/w/skills/zip", TREE) == TreeChange(added=("SKILL.md",))


def test_taking_a_folder_back_takes_back_what_lies_in_it():
    book = BOOK.with_folder(folder("/wide")).with_approval(approval("/wide/a"))
    assert list(book.without("/w").folders) == ["/wide"]
    assert list(book.without("/w").approvals) == ["/wide/a"]
    assert book.without("/") == EMPTY_BOOK
    assert book.without("/w/skills/pdf") == TrustBook(
        folders=book.folders, approvals={"/wide/a": approval("/wide/a")}
    )
    assert book.without("/nothing") == book


# --- the file -----------------------------------------------------------------------


def test_a_book_is_readable_json():
    assert json.loads(render_book(BOOK)) == {
        "version": 1,
        "folders": [
            {"path": "/w", "device": 1, "inode": 2, "owner": 3, "since": "then"}
        ],
        "approvals": [
            {
                "path": "/w/skills/pdf",
                "digest": TREE.digest,
                "since": "2026-01-01",
                "entries": [["file", TREE.entries[0].digest, 1, "SKILL.md"]],
            }
        ],
    }


PATHS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
NAMES = st.one_of(PATHS, st.just("\udcff/x"))
PARTS = st.builds(Part, NAMES, st.sampled_from(EntryKind), st.binary(max_size=9))


@given(st.lists(PARTS, unique_by=lambda part: part.path), NAMES, st.integers(0))
def test_a_book_comes_back_as_it_was(parts: list[Part], path: str, number: int):
    tree = build_tree(parts)
    book = EMPTY_BOOK.with_folder(
        TrustedFolder(stamp=Stamp(path, number, number, number), since=path)
    ).with_approval(
        Approval(path=path, digest=tree.digest, entries=tree.entries, since="")
    )
    assert parse_book(render_book(book)) == book
    assert parse_book(render_book(book).encode()) == book


def changed(path: list[Any], value: Any) -> str:
    """The text of the book with the value at `path` replaced."""
    whole = json.loads(render_book(BOOK))
    inner = whole
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return json.dumps(whole)


ENTRY = ["approvals", 0, "entries", 0]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("{", id="cut off"),
        pytest.param("[" * 100_000, id="deep"),
        pytest.param(b"\xff\xfe\xff", id="not a text"),
        pytest.param("[]", id="a list"),
        pytest.param("{}", id="nothing in it"),
        pytest.param(changed(["version"], 2), id="another version"),
        pytest.param(changed(["folders"], {}), id="folders that are no list"),
        pytest.param(changed(["folders", 0], 1), id="a folder that is a number"),
        pytest.param(changed(["folders", 0, "path"], 1), id="a path that is none"),
        pytest.param(changed(["folders", 0, "inode"], "2"), id="an inode in quotes"),
        pytest.param(changed(["folders", 0, "owner"], True), id="an owner `true`"),
        pytest.param(changed(["approvals", 0, "digest"], "sha256:0"), id="a digest"),
        pytest.param(changed(["approvals", 0, "entries"], []), id="no entries"),
        pytest.param(changed([*ENTRY, 0], "door"), id="an unknown kind"),
        pytest.param(changed([*ENTRY, 1], "0"), id="another entry"),
        pytest.param(changed([*ENTRY, 3], "\ud800"), id="a path of no file system"),
        pytest.param(changed(ENTRY, ["file"]), id="a short entry"),
    ],
)
def test_a_book_with_anything_odd_in_it_is_no_book(text: str | bytes):
    with pytest.raises(BookInvalid):
        parse_book(text)


def test_an_entry_is_written_with_its_size():
    assert TREE.entries == (
        TreeEntry("SKILL.md", EntryKind.FILE, TREE.entries[0].digest, 1),
    )
