"""`metier matrix`, `diff` and `why --dialect all`, as other programs call them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from metier.cli import run
from metier.testing import make_skill

PDF = ".agents/skills/pdf/SKILL.md"
FOLDED = "---\nname: folded\ndescription: >-\n  All\n  of it\n---\nDo it.\n"
ROOT = ("--root", ".agents/skills")
TWO = ("--dialects", "codex,gemini-cli")


class Told(NamedTuple):
    """What one call said."""

    code: int
    out: str
    err: str


Metier = Callable[..., Told]


@pytest.fixture
def metier(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "88")

    def call(*arguments: str) -> Told:
        code = run(list(arguments))
        out, err = capfd.readouterr()
        return Told(code, str(out), str(err))

    return call


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


@pytest.fixture
def skills(project: Path) -> Path:
    write(project / PDF, make_skill("pdf", "Fills PDF forms"))
    return project


# --- matrix ---------------------------------------------------------------------------


def test_matrix_tells_that_all_is_portable(skills: Path, metier: Metier):
    assert metier("matrix", *TWO) == Told(
        0,
        f"+ pdf  {PDF}: all 2\n1 of 1 skill is portable to codex and gemini-cli\n",
        "",
    )


def test_matrix_exits_with_1_where_a_skill_is_not_portable(
    skills: Path, metier: Metier
):
    write(skills / ".agents/skills/a:b/SKILL.md", make_skill("a:b", "d"))
    told = metier("matrix", *TWO)
    assert told.code == 1
    assert told.out.splitlines()[:3] == [
        "x a:b  .agents/skills/a:b/SKILL.md: all 2",
        "  renamed         gemini-cli",
        "                  name-rewritten: `a:b` becomes `a-b`",
    ]


def test_what_is_only_truncated_is_portable(project: Path, metier: Metier):
    write(project / ".agents/skills/folded/SKILL.md", FOLDED)
    told = metier("matrix", "--dialects", "codex,batuta", *ROOT)
    assert (told.code, told.out[:8]) == (0, "! folded")


@pytest.mark.parametrize("form", ["text", "json", "markdown", "html"])
def test_matrix_exits_with_3_where_there_is_nothing(form: str, metier: Metier):
    assert metier("matrix", "--format", form).code == 3


def test_a_stray_is_told_and_is_no_skill(project: Path, metier: Metier):
    write(project / ".agents/skills/README.md", "# Skills\n")
    told = metier("matrix", "--dialects", "batuta", *ROOT)
    assert (told.code, told.out.splitlines()[0]) == (
        3,
        "- .agents/skills/README.md: no header, no skill",
    )


def test_matrix_has_the_columns_that_are_asked_for(skills: Path, metier: Metier):
    def columns(*arguments: str) -> list[str]:
        told = json.loads(metier("matrix", "--json", *arguments).out)
        return [each["dialect"] for each in told["agents"]]

    assert columns("--dialects", "opi, codex,,codex") == ["opi", "codex"]
    assert columns("--dialect", "opi") == ["opi"]
    every = columns()
    assert len(every) > 10
    assert columns("--dialects", "all") == columns("--dialect", "all") == every


def test_json_has_the_keys_of_the_contract(skills: Path, metier: Metier):
    told = json.loads(metier("matrix", "--format", "json", *TWO).out)
    assert told.keys() == {
        *("version", "agents", "skills", "strays", "portable", "diagnostics")
    }
    (agent, _) = told["agents"]
    assert agent.keys() == {"dialect", "title", "version", "evidence"}
    (skill,) = told["skills"]
    assert skill.keys() == {
        *("name", "path", "found", "description", "portable", "counts", "cells")
    }
    assert skill["cells"]["codex"].keys() == {
        *("dialect", "outcome", "status", "name", "rule", "because", "path", "source")
    }


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("m.html", "<!doctype html>"),
        ("m.HTM", "<!doctype html>"),
        ("m.md", "| skill | file | codex |"),
        ("m.json", '{\n  "version": 1'),
        ("m.txt", "+ pdf  .agents"),
        ("m", "+ pdf  .agents"),
    ],
)
def test_a_file_is_written_as_its_name_ends(
    name: str, start: str, skills: Path, metier: Metier
):
    told = metier("matrix", *TWO, "--output", name)
    assert told == Told(0, "", "1 of 1 skill is portable to codex and gemini-cli\n")
    assert (skills / name).read_text("utf-8").startswith(start)


def test_a_format_has_the_last_word_on_a_file(skills: Path, metier: Metier):
    metier("matrix", *TWO, "--output", "m.html", "--format", "markdown")
    assert (skills / "m.html").read_text("utf-8").startswith("| skill | file |")


def test_a_file_that_cannot_be_written_is_an_error(skills: Path, metier: Metier):
    told = metier("matrix", *TWO, "--output", "no/such/folder/m.html")
    assert (told.code, told.out, told.err[:6]) == (2, "", "error:")


def test_a_folder_that_is_not_there_is_told_once(project: Path, metier: Metier):
    told = metier("matrix", "--root", "nowhere")
    assert (told.code, told.err.count("there is no such folder")) == (3, 1)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--dialects", "codex", "--dialect", "opi"),
        ("--dialects", "nobody"),
        ("--dialects", " , "),
        ("--json", "--format", "html"),
        ("--format", "pdf"),
    ],
    ids=" ".join,
)
def test_a_wrong_call_exits_with_2(
    arguments: tuple[str, ...], skills: Path, metier: Metier
):
    told = metier("matrix", *arguments)
    assert (told.code, told.out) == (2, "")


# --- diff -----------------------------------------------------------------------------


def test_diff_exits_with_0_where_nothing_changes(skills: Path, metier: Metier):
    told = metier("diff", "--from", "codex", "--to", "gemini-cli")
    assert told == Told(
        0,
        "codex -> gemini-cli: 0 lost, 0 replaced, 0 renamed, 0 changed, 0 gained, "
        "1 the same\n",
        "",
    )


def test_diff_exits_with_1_where_something_changes(skills: Path, metier: Metier):
    told = metier("diff", "--from", "codex", "--to", "opi")
    assert (told.code, told.out.splitlines()[0]) == (1, f"- lost      pdf  {PDF}")


def test_diff_json_has_the_keys_of_the_contract(skills: Path, metier: Metier):
    told = metier("diff", "--to", "opi", "--json")
    value = json.loads(told.out)
    assert (told.code, value["from"], value["to"]) == (1, "agentskills", "opi")
    (change,) = value["changes"]
    assert (change["kind"], change["name"], change["old_path"]) == (
        "lost",
        "pdf",
        str(skills / PDF),
    )


def test_diff_starts_from_the_agent_of_the_global_option(skills: Path, metier: Metier):
    told = metier("--dialect", "gemini-cli", "diff", "--to", "codex", *ROOT)
    assert (told.code, told.out[:22]) == (0, "gemini-cli -> codex: 0")


@pytest.mark.parametrize(
    "arguments",
    [(), ("--to", "nobody"), ("--to", "opi", "--dialect", "all")],
    ids=" ".join,
)
def test_diff_takes_two_agents(arguments: tuple[str, ...], metier: Metier):
    assert metier("diff", *arguments).code == 2


# --- why ------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["pdf", PDF, ".agents/skills/pdf"])
def test_why_has_a_line_for_each_agent(query: str, skills: Path, metier: Metier):
    told = metier("why", query, "--dialect", "all")
    lines = {line.split()[0]: line for line in told.out.splitlines()}
    assert told.code == 0
    assert len(lines) > 10
    assert lines["codex"].split()[1:] == ["loaded", str(skills / PDF)]
    assert " ".join(lines["opi"].split()[1:]) == (
        "not looked for folder-not-searched: no folder of this agent leads there"
    )


def test_why_finds_an_agent_by_the_name_that_it_gives(project: Path, metier: Metier):
    write(project / ".agents/skills/a:b/SKILL.md", make_skill("a:b", "d"))
    told = metier("why", "a-b", "--dialect", "all", "--json")
    agents = {each["dialect"]: each for each in json.loads(told.out)["agents"]}
    assert (agents["codex"]["outcome"], agents["codex"]["name"]) == ("loaded", "a:b")
    assert (agents["gemini-cli"]["outcome"], agents["gemini-cli"]["rule"]) == (
        "renamed",
        "name-rewritten",
    )


def test_why_exits_with_1_where_no_agent_has_it(skills: Path, metier: Metier):
    assert metier("why", "nothing", "--dialect", "all") == Told(
        1, "", "no agent has a candidate for `nothing`\n"
    )
    told = metier("why", "nothing", "--dialect", "all", "--json")
    assert (told.code, json.loads(told.out)["agents"]) == (1, [])
