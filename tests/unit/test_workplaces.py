"""A copy of a skill, from what was read of it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from metier.core.tree import EntryKind, Part, Tree, build_tree
from metier.world.trees import read_tree, stamp_of
from metier.world.workplaces import set_up, write_tree
from tests.trusting import fill


def tree_of(*parts: Part) -> Tree:
    return build_tree(parts)


def test_a_copy_holds_what_the_skill_held_to_the_byte(tmp_path: Path):
    skill = tmp_path / "pdf"
    fill(skill)
    tree = read_tree(str(skill), within=stamp_of(str(tmp_path)))
    write_tree(tree, str(tmp_path / "copy"))
    copied = read_tree(str(tmp_path / "copy"), within=stamp_of(str(tmp_path)))
    assert copied.digest == tree.digest


def test_what_is_no_file_or_leads_out_is_left_out(tmp_path: Path):
    tree = tree_of(
        Part("pipe", EntryKind.SPECIAL),
        Part("out", EntryKind.LINK, b"../../etc/passwd"),
        Part("absolute", EntryKind.LINK, b"/etc/passwd"),
        Part("in", EntryKind.LINK, b"a.py"),
        Part("a.py", EntryKind.FILE, b"1"),
    )
    write_tree(tree, str(tmp_path / "copy"))
    assert sorted(os.listdir(tmp_path / "copy")) == ["a.py", "in"]


def test_no_program_in_a_copy_runs_as_somebody_else(tmp_path: Path):
    tree = tree_of(
        Part("root", EntryKind.PRIVILEGED, b"1"), Part("a", EntryKind.PROGRAM, b"1")
    )
    write_tree(tree, str(tmp_path / "copy"))
    modes = [
        stat.S_IMODE((tmp_path / "copy" / n).stat().st_mode) for n in "a root".split()
    ]
    assert modes == [0o700, 0o700]


def test_the_folders_are_private_and_gone_when_it_is_over(tmp_path: Path):
    tree = tree_of(Part("a", EntryKind.FILE, b"1"))
    with set_up(tree) as place:
        top = Path(place.skill).parent
        modes = {stat.S_IMODE(os.stat(p).st_mode) for p in (top, *place)}
        closed = Path(place.scratch, "closed")
        closed.mkdir()
        (closed / "x").write_text("x")
        (Path(place.scratch) / "link").symlink_to(tmp_path)
        closed.chmod(0)
    assert modes == {0o700}
    assert not top.exists()
    assert tmp_path.exists()


def test_a_scratch_folder_of_the_callers_own_stays(tmp_path: Path):
    with set_up(tree_of(), str(tmp_path)) as place:
        assert place.scratch == str(tmp_path)
        (tmp_path / "made").write_text("x")
    assert (tmp_path / "made").read_text() == "x"
