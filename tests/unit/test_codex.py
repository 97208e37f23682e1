"""Codex's catalog: what version 0.169.0 sent to a model on the loopback."""

from __future__ import annotations

from pathlib import Path

from metier.api import discover
from metier.library import Library
from metier.testing import make_skill
from tests.making import dialect

HEAD = dialect("codex").catalog.opening + dialect("codex").catalog.before


def library(home: Path, project: Path) -> Library:
    return discover(dialect="codex", cwd=project, home=home, variables={})


def plant(folder: Path, name: str, description: str = "Does it") -> Path:
    path = folder / name / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(make_skill(name, description), "utf-8")
    return path.parent


def listed(text: str) -> str:
    assert text.startswith(HEAD)
    return text.removeprefix(HEAD)


def test_without_skills_there_is_no_catalog(home: Path, project: Path):
    assert library(home, project).catalog() == ""


def test_roots_have_short_names_and_projects_come_before_homes(
    home: Path, project: Path
):
    plant(home / ".agents/skills", "a")
    plant(home / ".codex/skills/.system", "s")
    plant(project / ".agents/skills/group", "c")
    assert listed(library(home, project).catalog()) == (
        f"- `r0` = `{home}/.agents/skills`\n"
        f"- `r1` = `{home}/.codex/skills/.system`\n"
        f"- `r2` = `{project}/.agents/skills`\n"
        "### Available skills\n"
        "- s: Does it (file: r1/s/SKILL.md)\n"
        "- c: Does it (file: r2/group/c/SKILL.md)\n"
        "- a: Does it (file: r0/a/SKILL.md)\n"
        "</skills_instructions>"
    )


def test_a_linked_folder_stands_under_the_name_of_the_link(
    home: Path, project: Path, tmp_path: Path
):
    store = plant(tmp_path / "store", "far")
    root = project / ".agents/skills"
    root.mkdir(parents=True)
    (root / "near").symlink_to(store)
    found = library(home, project)
    assert found["far"].path == f"{store}/SKILL.md"
    assert "(file: r0/near/SKILL.md)" in found.catalog()


def test_a_root_that_is_a_link_has_the_name_of_what_it_leads_to(
    home: Path, project: Path, tmp_path: Path
):
    plant(tmp_path / "store", "far")
    (home / ".agents").mkdir(parents=True)
    (home / ".agents/skills").symlink_to(tmp_path / "store")
    text = library(home, project).catalog()
    assert f"- `r0` = `{tmp_path}/store`\n" in text
    assert "(file: r0/far/SKILL.md)" in text


def test_a_root_that_went_away_keeps_its_name(home: Path, project: Path):
    folder = plant(project / ".agents/skills", "gone")
    found = library(home, project)
    (folder / "SKILL.md").unlink()
    folder.rmdir()
    folder.parent.rmdir()
    assert f"- `r0` = `{folder.parent}`\n" in found.catalog()


def test_two_per_cent_of_the_window_are_shared_by_the_descriptions(
    home: Path, project: Path
):
    for index in range(60):
        plant(home / ".agents/skills", f"s{index:03}", "word " * 20 + str(index))
    found = library(home, project)
    assert "- s000: word w (file: r0/s000/SKILL.md)" in found.catalog(window=30_000)
    scarce = found.render(window=20_000)
    assert len(scarce.omitted) == 16
    assert "- s043: (file: r0/s043/SKILL.md)\n</" in scarce.text
