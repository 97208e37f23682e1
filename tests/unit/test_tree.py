from __future__ import annotations

import hashlib

import pytest

from metier.core.tree import (
    EntryKind,
    Part,
    Tree,
    TreeChange,
    TreeEntry,
    build_tree,
    compare_trees,
    digest_text,
)

FILE, LINK, FOLDER = EntryKind.FILE, EntryKind.LINK, EntryKind.FOLDER


def tree(**files: str) -> Tree:
    return build_tree(Part(path, FILE, text.encode()) for path, text in files.items())


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_the_digest_can_be_computed_by_anybody():
    built = build_tree(
        [
            Part("b/run", EntryKind.PROGRAM, b"#!/bin/sh\n"),
            Part("b", FOLDER),
            Part("a\udcff", LINK, b"b/run"),
        ]
    )
    none, target, run = map(sha256, (b"", b"b/run", b"#!/bin/sh\n"))
    lines = (
        b"metier tree 1\0",
        f"link {target} a".encode() + b"\xff\0",
        f"folder {none} b\0".encode(),
        f"program {run} b/run\0".encode(),
    )
    assert built.digest == f"sha256:{sha256(b''.join(lines))}"


def test_the_digest_of_a_text_is_that_of_its_bytes():
    assert digest_text("\u00e9") == "sha256:" + sha256(b"\xc3\xa9")
    assert digest_text("\ud800") == "sha256:" + sha256(b"\xed\xa0\x80")


def test_entries_stand_in_the_order_of_their_bytes():
    names = ("\U00010000", "\udcff", "z", "\uffff", "Z")
    built = build_tree(Part(name, FILE) for name in names)
    ordered = ("Z", "z", "\uffff", "\U00010000", "\udcff")
    assert tuple(entry.path for entry in built.entries) == ordered


def test_the_order_of_reading_is_not_in_the_digest():
    parts = [Part("a", FILE, b"1"), Part("b", FILE, b"2")]
    assert build_tree(parts) == build_tree(reversed(parts))


BASE = (Part("a", FILE, b"x"), Part("b", FILE, b"y"))


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([Part("a", FILE, b"y"), Part("b", FILE, b"x")], id="swapped"),
        pytest.param([Part("a", FILE, b"x")], id="one less"),
        pytest.param([*BASE, Part("c", FILE)], id="an empty file more"),
        pytest.param([*BASE, Part("c", FOLDER)], id="an empty folder more"),
        pytest.param([BASE[0], Part("c", FILE, b"y")], id="another name"),
        pytest.param([BASE[0], Part("b", LINK, b"y")], id="a link"),
        pytest.param([BASE[0], Part("b", EntryKind.PROGRAM, b"y")], id="a program"),
        pytest.param([BASE[0], Part("b", EntryKind.PRIVILEGED, b"y")], id="privileged"),
        pytest.param([BASE[0], Part("b", EntryKind.SPECIAL, b"")], id="a pipe"),
        pytest.param([], id="nothing"),
    ],
)
def test_whatever_is_different_has_another_digest(parts: list[Part]):
    assert build_tree(parts).digest != build_tree(BASE).digest


# --- reading ------------------------------------------------------------------------


def linked(**links: str) -> Tree:
    parts = [
        Part("SKILL.md", FILE, b"skill"),
        Part("docs", FOLDER),
        Part("docs/one.md", FILE, b"one"),
        *(Part(path, LINK, target.encode()) for path, target in links.items()),
    ]
    return build_tree(parts)


@pytest.mark.parametrize(
    ("links", "path", "data"),
    [
        pytest.param({}, "docs/one.md", b"one", id="a file"),
        pytest.param({}, "./docs//one.md", b"one", id="a file, oddly written"),
        pytest.param({}, "docs/../SKILL.md", b"skill", id="up inside of the tree"),
        pytest.param({}, "docs", None, id="a folder"),
        pytest.param({}, "nothing", None, id="nothing"),
        pytest.param({}, "../SKILL.md", None, id="above the tree"),
        pytest.param({"a": "SKILL.md"}, "a", b"skill", id="a link"),
        pytest.param({"a": "b", "b": "docs/one.md"}, "a", b"one", id="two links"),
        pytest.param({"a": "docs"}, "a/one.md", b"one", id="a link to a folder"),
        pytest.param({"docs/a": "../SKILL.md"}, "docs/a", b"skill", id="a link up"),
        pytest.param({"a": "docs"}, "a/../SKILL.md", b"skill", id="up from a link"),
        pytest.param({"a": "/etc/passwd"}, "a", None, id="an absolute link"),
        pytest.param({"a": "../b"}, "a", None, id="a link out"),
        pytest.param({"a": "a"}, "a", None, id="a link to itself"),
        pytest.param({"a": "b", "b": "a"}, "a", None, id="two links in a circle"),
    ],
)
def test_a_tree_is_read_without_leaving_it(
    links: dict[str, str], path: str, data: bytes | None
):
    assert linked(**links).read(path) == data


# --- comparing ----------------------------------------------------------------------


def test_two_trees_are_compared_by_path():
    old, new = tree(a="1", b="2", c="3"), tree(b="2", c="4", d="1")
    change = compare_trees(old.entries, new.entries)
    assert change == TreeChange(added=("d",), changed=("c",), removed=("a",))
    assert bool(change)


def test_a_tree_is_not_different_from_itself():
    one = tree(a="1")
    assert compare_trees(one.entries, tree(a="1").entries) == TreeChange()
    assert not TreeChange()


def test_an_entry_remembers_kind_digest_and_size():
    assert tree(a="xyz").entries == (TreeEntry("a", FILE, sha256(b"xyz"), 3),)
