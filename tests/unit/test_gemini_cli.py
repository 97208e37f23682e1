"""What Gemini CLI 0.61.0 hands over: the skill, and its folder as a drawing."""

from __future__ import annotations

from pathlib import Path

import pytest

from metier.testing import make_skill
from metier.world.filesystem import Entry
from tests.making import library
from tests.trusting import set_scene

FOLDER = "/home/.gemini/skills/pdf"
FILES = {
    f"{FOLDER}/SKILL.md": make_skill("pdf", "Reads", body="Read it.\n"),
    f"{FOLDER}/scripts/fill.py": "",
}
OUTPUT = f"""\
<activated_skill name="pdf">
  <instructions>
    Read it.
  </instructions>

  <available_resources>
    Showing up to 200 items (files + folders).

{FOLDER}/
├───SKILL.md
└───scripts/
    └───fill.py
  </available_resources>
</activated_skill>"""
CUT = (
    "(files + folders). Folders or files indicated with ... contain more items not "
    "shown, were ignored, or the display limit (200 items) was reached.\n"
)


def test_the_folder_is_drawn_behind_the_instructions():
    assert library(FILES, "gemini-cli").load("pdf").output == OUTPUT


def test_what_is_not_drawn_is_told():
    files = {**FILES, f"{FOLDER}/dist/x.js": ""}
    output = library(files, "gemini-cli").load("pdf").output
    assert CUT in output
    assert "├───dist/...\n" in output


def test_a_folder_that_cannot_be_listed_is_drawn_as_empty(
    monkeypatch: pytest.MonkeyPatch,
):
    found = library(FILES, "gemini-cli")
    skill = found["pdf"]
    listed = found.filesystem.list_folder

    def refuse(path: str) -> list[Entry]:
        if path.endswith("/scripts"):
            raise PermissionError(13, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr(found.filesystem, "list_folder", refuse)
    assert "fill.py" not in found.activate(skill).output


def test_behind_a_gate_the_drawing_is_of_what_was_approved(tmp_path: Path):
    scene = set_scene(tmp_path, dialect="gemini-cli")
    output = scene.trust_all().load("pdf").output
    drawn = output.partition("</instructions>")[2]
    assert "├───docs\n" not in drawn
    assert "├───.git/...\n" in drawn
    assert "│   └───nothing/\n" in drawn
    assert "└───scripts/\n    ├───fill.py\n" in drawn


def test_the_tool_names_the_skills_that_it_offers():
    tool = library(FILES, "gemini-cli").tool()
    assert "by name (Available: 'pdf'). Returns" in tool.description
    assert "by name. Returns" in library({}, "gemini-cli").tool().description


def test_a_variable_moves_the_folders_of_the_user():
    moved = {"/g/.gemini/skills/a/SKILL.md": make_skill("a", "Reads")}
    found = library(FILES | moved, "gemini-cli", variables={"GEMINI_CLI_HOME": "/g"})
    assert [skill.path for skill in found] == [*moved]
