"""What `list`, `why` and `catalog` tell of a skill that needs what is not here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from metier.cli import run
from metier.cli.options import UNMET
from metier.core.requirements import Unmet
from metier.testing import make_skill

Capture = pytest.CaptureFixture[str]
MISSING = "`requires.bins`: the program `no-such-program` is not on the search path"


@pytest.fixture
def project(project: Path) -> Path:
    """A project with a skill that needs a program which nobody has."""
    for name, needs in (("pdf", ["no-such-program"]), ("zip", [])):
        folder = project / ".agents" / "skills" / name
        folder.mkdir(parents=True)
        text = make_skill(name, "Does it", fields={"requires": {"bins": needs}})
        (folder / "SKILL.md").write_text(text)
    return project


def told(capture: Capture, *words: str) -> str:
    assert run(list(words)) == 0
    return capture.readouterr().out


def test_without_a_word_the_dialect_decides(project: Path, capsys: Capture):
    assert told(capsys, "list").splitlines() == [
        "! pdf  Does it",
        "+ zip  Does it",
        "agentskills: 2 loaded, 0 hidden, 0 shadowed, 0 rejected, in 1 folder",
    ]
    assert f"warning: {MISSING} [requirement-unmet]" in told(capsys, "why", "pdf")
    assert "<name>pdf</name>" in told(capsys, "catalog")


def test_such_a_skill_can_be_hidden(project: Path, capsys: Capture):
    assert told(capsys, "list", "--unmet", "hide").splitlines()[0] == (
        f"o pdf  ({MISSING}) Does it"
    )
    why = told(capsys, "why", "pdf", "--unmet", "hide")
    assert f"  rule    requirement-unmet: {MISSING}\n" in why
    assert "  source  metier: decisions/0074-what-a-skill-needs.md" in why
    catalog = told(capsys, "catalog", "--unmet", "hide")
    assert "<name>pdf</name>" not in catalog
    assert "<name>zip</name>" in catalog


def test_or_taken_as_it_is(project: Path, capsys: Capture):
    assert told(capsys, "list", "--unmet", "ignore").startswith("+ pdf  Does it\n")
    assert MISSING not in told(capsys, "why", "pdf", "--unmet", "ignore")


def test_other_programs_read_it_too(project: Path, capsys: Capture):
    found = json.loads(told(capsys, "list", "--json", "--unmet", "hide"))
    (skill,) = (each for each in found["skills"] if each["name"] == "pdf")
    assert (skill["status"], skill["rule"], skill["because"]) == (
        "hidden",
        "requirement-unmet",
        MISSING,
    )
    assert [each["rule"] for each in found["diagnostics"]] == ["requirement-unmet"]


def test_the_words_of_the_option_are_those_of_the_policy():
    assert tuple(each.value for each in Unmet) == UNMET
