"""A sight is another one exactly where something was written, came or went."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metier.core.dialect import Dialect
from metier.library import Library
from metier.testing import Link, MemoryFileSystem, make_skill
from metier.world.sights import Sight, look
from tests.making import CWD, HOME, SKILLS, dialect, library
from tests.trusting import set_scene

USER = f"{HOME}/.agents/skills"


def files() -> MemoryFileSystem:
    return MemoryFileSystem(
        {
            f"{SKILLS}/pdf/SKILL.md": make_skill("pdf", "Fills"),
            f"{SKILLS}/pdf/forms/a.txt": "A form.",
            f"{SKILLS}/linked": Link("/store/linked"),
            f"{SKILLS}/one/SKILL.md": Link("/store/one.md"),
            f"{SKILLS}/lost": Link("/store/lost"),
            f"{SKILLS}/round": Link(SKILLS),
            "/store/linked/SKILL.md": make_skill("linked", "Is elsewhere"),
            "/store/one.md": make_skill("one", "Is a file"),
            "/proj/notes.txt": "Nothing.",
        }
    )


def seen(found: Library) -> Sight:
    return look(found.filesystem, found.seek(), found.dialect.selections)


Edit = Callable[[MemoryFileSystem], None]


def write(path: str, content: Any = "Other.") -> Edit:
    return lambda memory: memory.write(path, content)


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(write(f"{SKILLS}/pdf/SKILL.md"), id="a skill is written"),
        pytest.param(write(f"{SKILLS}/new/SKILL.md"), id="a skill comes"),
        pytest.param(lambda m: m.remove(f"{SKILLS}/pdf/SKILL.md"), id="one goes"),
        pytest.param(write(f"{SKILLS}/pdf/forms/a.txt"), id="a file beside it"),
        pytest.param(lambda m: m.make_folder(f"{SKILLS}/empty"), id="a folder comes"),
        pytest.param(write("/store/linked/SKILL.md"), id="behind a link"),
        pytest.param(write("/store/one.md"), id="a file behind a link"),
        pytest.param(write(f"{SKILLS}/linked", Link("/store")), id="a link moves"),
        pytest.param(write("/store/lost/SKILL.md"), id="a link finds its folder"),
        pytest.param(write(f"{USER}/zip/SKILL.md"), id="a folder that was missing"),
    ],
)
def test_another_sight(edit: Edit):
    memory = files()
    found = library(memory)
    before = seen(found)
    edit(memory)
    assert seen(found) != before


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(lambda _: None, id="nothing"),
        pytest.param(write("/proj/notes.txt"), id="a file elsewhere"),
        pytest.param(write(f"{SKILLS}/.git/config"), id="what is passed over"),
    ],
)
def test_the_same_sight(edit: Edit):
    memory = files()
    memory.make_folder(f"{SKILLS}/.git")
    found = library(memory)
    before = seen(found)
    edit(memory)
    assert seen(found) == before


def test_nothing_is_read():
    memory = files()
    found = library(memory)
    memory.reads.clear()
    seen(found)
    assert memory.reads == []


def test_each_folder_is_watched_by_itself():
    assert seen(library(files())).folders == {
        HOME,
        CWD,
        SKILLS,
        f"{SKILLS}/linked",
        f"{SKILLS}/one",
        f"{SKILLS}/pdf",
        f"{SKILLS}/pdf/forms",
        "/store",
    }


def test_of_a_missing_folder_the_nearest_one_above_is_watched():
    found = library({}, folders=[f"{CWD}/.claude"])
    folders = seen(found).folders
    assert folders == {CWD, f"{CWD}/.claude", HOME}


def test_without_any_folder_the_top_is_watched():
    found = library({}, roots=["/gone/far/away"])
    assert seen(found).folders == {"/"}


def altered(**changes: Any) -> Dialect:
    return dialect(selections={"default": changes})


def folders_of(found: Library) -> set[str]:
    return {path for path in seen(found).folders if path.startswith(SKILLS)}


@pytest.mark.parametrize(
    ("selection", "folders"),
    [
        pytest.param({"max_depth": 0}, {""}, id="no depth"),
        pytest.param({"max_depth": 1}, {"", "/pdf", "/one", "/linked"}, id="one level"),
        pytest.param(
            {"directory_links": "ignore"},
            {"", "/pdf", "/pdf/forms", "/one"},
            id="no links",
        ),
        pytest.param({"under": ["pdf"]}, {"/pdf", "/pdf/forms"}, id="one subfolder"),
        pytest.param({"under": ["nix"]}, {""}, id="a subfolder that is missing"),
        pytest.param({"skip": ["pdf", "linked"]}, {"", "/one"}, id="names passed over"),
    ],
)
def test_only_what_a_scan_would_enter_is_looked_at(
    selection: dict[str, Any], folders: set[str]
):
    found = library(files(), altered(**selection))
    assert folders_of(found) == {f"{SKILLS}{each}" for each in folders}


def test_ignore_files_are_looked_at_though_they_are_hidden():
    memory = files()
    using = altered(hidden="skip", ignore_files=[".gitignore"])
    before = seen(library(memory, using))
    memory.write(f"{SKILLS}/.gitignore", "pdf")
    assert seen(library(memory, using)) != before


def test_hidden_folders_are_looked_at_where_a_scan_enters_them():
    memory = files()
    memory.make_folder(f"{SKILLS}/.hidden")
    assert f"{SKILLS}/.hidden" in folders_of(library(memory))
    skipping = library(memory, altered(hidden="skip"))
    assert f"{SKILLS}/.hidden" not in folders_of(skipping)


def test_a_group_of_roots_is_looked_at_as_a_whole():
    # Of the two only the first that exists counts: the other one may go any time.
    memory = MemoryFileSystem(
        {f"{CWD}/.claude/skills/a/SKILL.md": make_skill("a", "A")}
    )
    found = library(memory, "batuta")
    before = seen(found)
    memory.write(f"{CWD}/.apr/skills/b/SKILL.md", make_skill("b", "B"))
    assert seen(found) != before


def test_a_configuration_that_names_folders_is_looked_at():
    memory = files()
    found = library(memory, "brutus")
    rule = found.dialect.config
    assert rule is not None
    before = seen(found)
    memory.write(f"{CWD}/{rule.path}", "skills: {}\n")
    assert seen(found) != before


def test_the_store_of_trust_is_looked_at(tmp_path: Path):
    scene = set_scene(tmp_path)
    found = scene.look()
    before = seen(found)
    scene.trust_all()
    assert seen(found) != before
    assert os.path.dirname(scene.store.path) in seen(found).folders


def test_named_folders_are_looked_at_before_they_exist(tmp_path: Path):
    from metier.api import discover

    found = discover(roots=[tmp_path / "a", tmp_path / "b"], cwd=tmp_path)
    before = seen(found)
    (tmp_path / "b").mkdir()
    assert seen(found) != before
    assert {str(tmp_path), str(tmp_path / "b")} <= seen(found).folders


# --- on a disk ----------------------------------------------------------------------


def disk(root: Path) -> Library:
    from metier.api import discover

    return discover(roots=[root], cwd=root.parent)


def test_on_a_disk_every_write_is_another_sight(tmp_path: Path):
    root = tmp_path / "skills"
    (root / "pdf").mkdir(parents=True)
    file = root / "pdf" / "SKILL.md"
    file.write_text(make_skill("pdf", "Fills"))
    found = disk(root)
    before = seen(found)
    assert seen(found) == before
    # Of the same size, and with the old time: another file in its place.
    (tmp_path / "new").write_text(make_skill("pdf", "Tills"))
    times = file.stat().st_atime_ns, file.stat().st_mtime_ns
    (tmp_path / "new").replace(file)
    os.utime(file, ns=times)
    assert seen(found) != before


def test_what_cannot_be_looked_at_is_passed_over(tmp_path: Path):
    root = tmp_path / "skills"
    root.mkdir()
    (root / "loop").symlink_to("loop")
    os.mkfifo(root / "pipe")
    (root / "lost").symlink_to("nowhere")
    sight = seen(disk(root))
    assert sight.marks[f"{root}/loop"] is None
    assert sight.marks[f"{root}/lost"] is None
    assert sight.marks[f"{root}/pipe"] is not None


class Fading(MemoryFileSystem):
    """A file system whose folders go when somebody comes near."""

    def list_folder(self, path: str):
        raise FileNotFoundError(path)

    def identity(self, path: str) -> tuple[int, int]:
        if path.endswith("/pdf"):
            raise FileNotFoundError(path)
        return super().identity(path)


def test_folders_that_go_meanwhile_are_gone():
    memory = files()
    found = library(memory)
    fading = Fading({f"{SKILLS}/pdf/SKILL.md": "x"})
    sight = look(fading, found.seek(), found.dialect.selections)
    assert sight.marks[SKILLS] is not None
    narrow = library(files(), altered(under=["pdf"]))
    sight = look(fading, narrow.seek(), narrow.dialect.selections)
    assert sight.marks[f"{SKILLS}/pdf"] is None
