"""Where the programs are that run scripts, and what they see of themselves."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from metier.world.programs import Program, find_program

ELF = b"\x7fELF"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path.resolve()


def program(path: Path, data: bytes = ELF) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(0o755)
    return path


def find(*names: str, folders: list[Path], home: Path | None = None) -> Program | None:
    texts = [str(each) for each in folders]
    return find_program(names, texts, None if home is None else str(home))


def test_the_first_name_in_the_first_folder_is_taken(place: Path):
    one = program(place / "one" / "bin" / "lua")
    program(place / "two" / "bin" / "lua")
    folders = [place / "none", place / "one/bin", place / "two/bin"]
    found = find("lua", "luajit", folders=folders)
    assert found == Program(str(one), (str(place / "one"),))


def test_what_cannot_be_executed_is_no_program(place: Path):
    program(place / "bin" / "lua").chmod(0o644)
    assert find("lua", folders=[place / "bin"]) is None


def test_a_path_is_a_program_by_itself(place: Path):
    path = program(place / "opt" / "bin" / "lua")
    found = find(str(path), "lua", folders=[])
    assert found is not None
    assert found.path == str(path)
    assert find("bin/lua", folders=[place / "opt"]) is None


def test_a_program_that_is_itself_a_script_comes_last(place: Path):
    shim = program(place / "shims" / "lua", b"#!/bin/sh\n")
    real = program(place / "real" / "bin" / "lua")
    folders = [place / "shims", place / "real/bin"]
    found = find("lua", folders=folders)
    assert found is not None
    assert found.path == str(real)
    only = find("lua", folders=folders[:1])
    assert only is not None
    assert only.path == str(shim)


def test_a_program_of_the_machine_needs_nothing_of_its_own():
    found = find("sh", folders=[Path("/usr/bin"), Path("/bin")])
    assert found is not None
    assert found.readable == ()


def test_every_folder_on_the_way_of_links_can_be_read(place: Path):
    base = program(place / "versions" / "3" / "bin" / "lua3")
    link = place / "venv" / "bin" / "lua"
    link.parent.mkdir(parents=True)
    link.symlink_to("../../versions/3/bin/lua3")
    found = find("lua", folders=[link.parent])
    expected = (str(place / "venv"), str(base.parent.parent))
    assert found == Program(str(link), expected)


def test_a_home_folder_is_never_the_folder_of_a_program(place: Path):
    home = place / "ada"
    in_home = program(home / "bin" / "lua")
    found = find("lua", folders=[in_home.parent], home=home)
    assert found == Program(str(in_home), (str(in_home),))
    local = program(home / ".local" / "bin" / "lua")
    found = find("lua", folders=[local.parent], home=home)
    assert found == Program(str(local), (str(local),))
    above = program(place / "bin" / "lua")
    found = find("lua", folders=[above.parent], home=home)
    assert found == Program(str(above), (str(above),))
    own = program(home / ".lua" / "bin" / "lua")
    found = find("lua", folders=[own.parent], home=home)
    assert found == Program(str(own), (str(home / ".lua"),))


def test_where_there_is_no_python_it_is_the_one_that_runs_this():
    found = find("python3", folders=[])
    assert found is not None
    assert found.path == sys.executable
