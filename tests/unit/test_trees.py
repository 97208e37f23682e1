"""Folders of the real disk, read whole."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from metier.core.tree import EntryKind, Part, Tree, build_tree
from metier.core.trust import Stamp
from metier.testing import Link, MemoryFileSystem, Special
from metier.world import trees
from metier.world.filesystem import DiskFileSystem
from metier.world.trees import OutOfBounds, TreeTooLarge, read_tree, stamp_of


def read(folder: Path, within: Path | None = None, only: str | None = None) -> Tree:
    return read_tree(str(folder), within=stamp_of(str(within or folder)), only=only)


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    folder = tmp_path / "skill"
    (folder / "scripts").mkdir(parents=True)
    (folder / "SKILL.md").write_text("skill")
    (folder / "scripts" / "run.sh").write_text("run")
    return folder


def test_a_folder_is_its_files_its_folders_and_its_links(skill: Path):
    (skill / "scripts" / "run.sh").chmod(0o755)
    (skill / "scripts" / "as-owner").write_text("")
    (skill / "scripts" / "as-owner").chmod(0o4755)
    (skill / ".hidden").mkdir()
    (skill / "link").symlink_to("scripts/run.sh")
    os.mkfifo(skill / "pipe")
    assert read(skill) == build_tree(
        [
            Part("SKILL.md", EntryKind.FILE, b"skill"),
            Part("scripts", EntryKind.FOLDER),
            Part("scripts/run.sh", EntryKind.PROGRAM, b"run"),
            Part("scripts/as-owner", EntryKind.PRIVILEGED),
            Part(".hidden", EntryKind.FOLDER),
            Part("link", EntryKind.LINK, b"scripts/run.sh"),
            Part("pipe", EntryKind.SPECIAL),
        ]
    )


def test_the_bytes_are_in_the_tree(skill: Path):
    tree = read(skill)
    (skill / "SKILL.md").write_text("another")
    assert tree.read("SKILL.md") == b"skill"


def test_one_file_can_be_read_by_itself(skill: Path):
    alone = build_tree([Part("SKILL.md", EntryKind.FILE, b"skill")])
    assert read(skill, only="SKILL.md") == alone


def test_the_memory_has_the_same_trees_as_the_disk(skill: Path):
    (skill / "link").symlink_to("SKILL.md")
    os.mkfifo(skill / "pipe")
    memory = MemoryFileSystem(
        {
            "/w/skill/SKILL.md": "skill",
            "/w/skill/scripts/run.sh": b"run",
            "/w/skill/link": Link("SKILL.md"),
            "/w/skill/pipe": Special(),
        }
    )
    within = memory.stamp("/w")
    assert memory.read_tree("/w/skill", within) == read(skill)
    alone = read(skill, only="SKILL.md")
    assert memory.read_tree("/w/skill", within, "SKILL.md") == alone


# --- what is refused ----------------------------------------------------------------


def test_a_folder_outside_is_refused(skill: Path, tmp_path: Path):
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "skill").symlink_to(skill)
    with pytest.raises(OutOfBounds, match="leads out of the workspace"):
        read(tmp_path / "workspace" / "skill", within=tmp_path / "workspace")


def test_a_neighbour_with_a_longer_name_is_outside(skill: Path, tmp_path: Path):
    (tmp_path / "skill-two").mkdir()
    with pytest.raises(OutOfBounds):
        read(tmp_path / "skill-two", within=skill)


def test_no_step_goes_up(skill: Path, tmp_path: Path):
    for path in (skill / ".." / "skill", skill / "scripts" / ".." / ".." / "skill"):
        assert read_tree(str(path), within=stamp_of(str(skill))) == read(skill)
    with pytest.raises(OutOfBounds):
        read_tree(f"{skill}/..", within=stamp_of(str(skill)))
    odd = f"{tmp_path}//skill/./scripts/"
    assert read_tree(odd, within=stamp_of(str(tmp_path))) == read(skill / "scripts")


def test_a_link_that_stays_inside_is_followed(skill: Path, tmp_path: Path):
    (tmp_path / "by-link").symlink_to(skill)
    assert read(tmp_path / "by-link", within=tmp_path) == read(skill)


@pytest.mark.parametrize("field", ["device", "inode", "owner"])
def test_another_folder_in_the_same_place_is_refused(skill: Path, field: str):
    stamp = stamp_of(str(skill))
    other = stamp._replace(**{field: getattr(stamp, field) + 1})
    with pytest.raises(OSError, match="another one now") as raised:
        read_tree(str(skill), within=other)
    assert raised.value.errno == errno.ESTALE


def test_what_is_not_there_is_an_error(skill: Path):
    with pytest.raises(FileNotFoundError):
        read(skill / "nothing", within=skill)
    with pytest.raises(FileNotFoundError):
        read(skill, only="nothing")


@pytest.mark.parametrize(
    ("limit", "value", "message"),
    [
        ("MAX_TREE_ENTRIES", 2, "more than 2 files"),
        ("MAX_TREE_DEPTH", 0, "folders nest deeper than 0"),
        ("MAX_TREE_FILE", 4, "a file of more than 4 bytes"),
        ("MAX_TREE_BYTES", 7, "more than 7 bytes"),
    ],
)
def test_a_tree_that_is_too_large_is_refused(
    skill: Path, limit: str, value: int, message: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(trees, limit, value)
    with pytest.raises(TreeTooLarge, match=message):
        read(skill)


def test_a_tree_that_just_fits_is_read(skill: Path, monkeypatch: pytest.MonkeyPatch):
    whole = read(skill)
    for limit, value in (
        ("MAX_TREE_ENTRIES", 3),
        ("MAX_TREE_DEPTH", 1),
        ("MAX_TREE_FILE", 5),
        ("MAX_TREE_BYTES", 8),
    ):
        monkeypatch.setattr(trees, limit, value)
    assert read(skill) == whole


def test_no_descriptor_is_left_open(skill: Path, monkeypatch: pytest.MonkeyPatch):
    before = os.listdir("/dev/fd")
    read(skill)
    monkeypatch.setattr(trees, "MAX_TREE_BYTES", 1)
    with pytest.raises(TreeTooLarge):
        read(skill)
    assert os.listdir("/dev/fd") == before


# --- stamps -------------------------------------------------------------------------


def test_a_stamp_is_of_the_real_folder(skill: Path, tmp_path: Path):
    (tmp_path / "link").symlink_to(skill)
    found = skill.stat()
    real = os.path.realpath(skill)
    stamp = Stamp(real, found.st_dev, found.st_ino, found.st_uid)
    files = DiskFileSystem()
    assert [files.stamp(str(skill)), files.stamp(str(tmp_path / "link"))] == [stamp] * 2


def test_nothing_has_no_stamp(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        stamp_of(str(tmp_path / "nothing"))


@pytest.mark.parametrize("path", ["/w/skill", "/w"])
def test_the_memory_refuses_as_the_disk_does(path: str):
    memory = MemoryFileSystem({"/w/skill/SKILL.md": "", "/v/a": "", "/w/f": ""})
    inside, outside = memory.stamp(path), memory.stamp("/v")
    for folder, within, only, number in (
        (path, inside._replace(inode=99), None, errno.ESTALE),
        (path, outside, None, errno.EXDEV),
        ("/w/f", memory.stamp("/w"), None, errno.ENOTDIR),
        (path, inside, "nothing", errno.ENOENT),
    ):
        with pytest.raises(OSError) as raised:  # noqa: PT011, the number is compared
            memory.read_tree(folder, within, only)
        assert raised.value.errno == number
