"""`metier run`: what it runs, what it refuses, and how it ends."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from metier.cli import run
from metier.core.execution import Backend
from metier.testing import make_skill
from metier.world import sandboxes

OPEN = ("--sandbox", "none", "-q")


class Told(NamedTuple):
    code: int
    out: str
    err: str


class Teller:
    def __init__(self, capfd: pytest.CaptureFixture[str]) -> None:
        self.capfd = capfd

    def __call__(self, *arguments: str) -> Told:
        code = run(["run", *arguments])
        out, err = self.capfd.readouterr()
        return Told(code, out, err)


@pytest.fixture
def metier(capfd: pytest.CaptureFixture[str]) -> Teller:
    return Teller(capfd)


@pytest.fixture(autouse=True)
def pdf(home: Path) -> Path:
    """The scripts of a skill of the user's own."""
    folder = home / ".agents" / "skills" / "pdf"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(make_skill("pdf", "Fills forms"))
    scripts = {
        "echo.sh": 'echo "$@"; cat; echo oh >&2\n',
        "fail.sh": "exit 7\n",
        "die.sh": "kill -15 $$\n",
        "long.sh": "echo on; while :; do :; done\n",
        "much.sh": "head -c 2000000 /dev/zero\n",
        "bytes.sh": "printf '\\377\\n'\n",
    }
    for name, text in scripts.items():
        (folder / name).write_text(text)
    return folder


def test_a_script_says_what_it_says_and_ends_as_it_ends(metier: Teller):
    assert metier("pdf", "echo.sh", *OPEN, "a", "--", "--dry-run") == (
        0,
        "a --dry-run\n",
        "oh\n",
    )
    assert metier("pdf", "fail.sh", *OPEN) == (7, "", "")
    assert metier("pdf", "die.sh", *OPEN).code == 128 + 15


def test_bytes_come_out_as_they_are(
    pdf: Path, capfdbinary: pytest.CaptureFixture[bytes]
):
    assert run(["run", "pdf", "bytes.sh", *OPEN]) == 0
    assert capfdbinary.readouterr().out == b"\xff\n"


def test_an_option_that_nobody_knows_is_not_the_scripts(metier: Teller):
    told = metier("pdf", "echo.sh", "--max")
    assert (told.code, told.out) == (2, "")


def test_standard_input_is_handed_over_where_that_is_said(
    metier: Teller, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"food")))
    assert metier("pdf", "echo.sh", *OPEN, "--stdin").out == "\nfood"


def test_what_takes_too_long_is_ended(metier: Teller):
    told = metier("pdf", "long.sh", "--sandbox", "none", "--timeout", "0.2")
    assert told == (
        124,
        "on\n",
        "no sandbox held it\nit took too long, and was ended\n",
    )


def test_an_output_that_is_cut_is_a_note(metier: Teller):
    told = metier("pdf", "much.sh", "--sandbox", "none")
    assert (told.code, len(told.out)) == (0, 1024 * 1024)
    assert told.err.startswith("there was more output than is kept\n")


def test_a_dry_run_tells_and_runs_nothing(metier: Teller, project: Path):
    told = metier("pdf", "echo.sh", "a b", "--dry-run", *OPEN, "--project", "write")
    lines = dict(line.split(maxsplit=1) for line in told.out.splitlines())
    assert lines["run"].endswith("sh '<skill>/echo.sh' 'a b'")
    assert lines["in"] == str(project)
    assert lines["script"].startswith("echo.sh (sha256:")
    assert (lines["sandbox"], lines["network"]) == ("none", "none")
    assert lines["reads"] == "'<skill>'"
    assert lines["writes"] == f"'<scratch>' {project}"
    assert "PATH" in lines["variables"].split()
    assert (lines["stdin"], lines["time"]) == ("0 bytes", "30 s")
    assert told.err == ""


def test_a_plan_and_a_result_are_json(metier: Teller):
    plan = json.loads(metier("pdf", "fail.sh", "--dry-run", "--json", *OPEN).out)
    assert (plan["version"], plan["argv"][1:]) == (1, ["<skill>/fail.sh"])
    told = metier("pdf", "fail.sh", "--json", *OPEN)
    result = json.loads(told.out)
    assert (told.code, result["exit_code"], result["sandbox"]) == (1, 7, "none")
    assert metier("pdf", "echo.sh", "--json", *OPEN).code == 0


def test_where_no_sandbox_works_nothing_is_run(
    metier: Teller, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sandboxes, "works", lambda each: each is Backend.NONE)
    told = metier("pdf", "echo.sh")
    assert (told.code, told.out) == (1, "")
    assert told.err.startswith("error: no sandbox works on this machine")
    assert metier("pdf", "fail.sh", "--sandbox", "preferred").code == 7


def test_a_skill_of_a_project_runs_only_after_it_is_trusted(
    metier: Teller, project: Path, capfd: pytest.CaptureFixture[str]
):
    folder = project / ".agents" / "skills" / "mine"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(make_skill("mine", "Says hello"))
    (folder / "hello.sh").write_text("echo hello\n")
    before = metier("mine", "hello.sh", "--sandbox", "none")
    assert (before.code, before.out) == (1, "")
    assert before.err.startswith("1 skill waits for your trust")
    assert run(["trust", "add"]) == 0
    capfd.readouterr()
    assert metier("mine", "hello.sh", *OPEN).out == "hello\n"
    (folder / "hello.sh").write_text("echo evil\n")
    assert metier("mine", "hello.sh", *OPEN).out == ""


def test_a_skill_that_hides_another_runs_nothing_before_it_is_trusted(
    metier: Teller, project: Path
):
    folder = project / ".agents" / "skills" / "pdf"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(make_skill("pdf", "Evil"))
    (folder / "echo.sh").write_text("echo evil\n")
    told = metier("pdf", "echo.sh", *OPEN, "good")
    assert told.out == "good\n"


def test_nothing_is_left_of_a_run(metier: Teller, tmp_path: Path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", None)
    assert metier("pdf", "fail.sh", *OPEN).code == 7
    assert os.listdir(tmp_path) == []
