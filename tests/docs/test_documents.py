"""The documents tell the truth: their blocks run, and nothing is left out of them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from cogapp import Cog

from metier.core.rules import RULES
from metier.world.dialects import dialect_names, load_dialect
from tests.conformance.loading import SYSTEMS
from tests.docs import generated
from tests.docs.blocks import REPOSITORY, Block, blocks_of, documents, set_stage

EACH_DOCUMENT = pytest.mark.parametrize(
    "document", documents(), ids=lambda path: path.relative_to(REPOSITORY).as_posix()
)
PROSE = (
    *documents(),
    *(REPOSITORY / f"{name}.md" for name in ("AGENTS", "CONTRIBUTING", "SECURITY")),
    *sorted((REPOSITORY / "decisions").glob("*.md")),
)
_LINK = re.compile(r"\]\((?!https?://|#)([^)#]+)(?:#[^)]*)?\)")


def text_of(document: str) -> str:
    return (REPOSITORY / document).read_text("utf-8")


@EACH_DOCUMENT
def test_every_block_does_what_the_document_says(
    document: Path, home: Path, project: Path
):
    stage = set_stage(home, project)
    blocks = list(blocks_of(document.read_text("utf-8")))
    shown = {block.line: stage.run(block) for block in blocks}
    assert shown == {block.line: block.text for block in blocks}


@EACH_DOCUMENT
def test_every_block_of_a_document_is_seen(document: Path):
    text = document.read_text("utf-8")
    assert len(list(blocks_of(text))) * 2 == len(re.findall("^```", text, re.MULTILINE))


@EACH_DOCUMENT
def test_what_is_generated_is_what_stands_there(
    document: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(REPOSITORY)
    outcome = Cog().main(["cog", "--check", str(document)])
    assert (outcome, capsys.readouterr().err) == (0, ""), "run `make docs`"


@pytest.mark.parametrize("document", PROSE, ids=lambda path: path.name)
def test_every_link_leads_somewhere(document: Path):
    targets = _LINK.findall(document.read_text("utf-8"))
    assert [each for each in targets if not (document.parent / each).exists()] == []


@pytest.mark.parametrize("document", ["AGENTS.md", "docs/architecture.md"])
def test_every_module_that_is_named_exists(document: str):
    found = re.findall(r"`((?:core|world|cli|runtime)/[a-z_/]+)", text_of(document))
    paths = {REPOSITORY / "src" / "metier" / each for each in found}
    missing = [p for p in paths if not (p.exists() or p.with_suffix(".py").exists())]
    assert paths
    assert missing == []


def test_every_rule_is_documented():
    text = text_of("docs/rules.md")
    assert [rule for rule in RULES if f"| `{rule}` |" not in text] == []


def test_every_dialect_is_documented():
    readme, guide = text_of("README.md"), text_of("docs/known-dialects.md")
    names = dialect_names()
    assert [name for name in names if f"| `{name}` |" not in readme] == []
    assert [name for name in names if f"## {name}\n" not in guide] == []


@pytest.mark.parametrize("name", dialect_names())
def test_every_folder_of_a_dialect_is_told_by_its_path(name: str):
    for rule in load_dialect(name).roots:
        told = list(generated.root_paths(rule))
        assert [
            (p, t) for p, t in zip(rule.paths, told, strict=True) if p not in t
        ] == []


def test_every_axis_and_its_values_are_documented():
    text = text_of("docs/dialect-keys.md")
    axes = list(generated.axes())
    values = {each.value for axis in axes if axis.enum for each in axis.enum}
    assert [axis.key for axis in axes if f"`{axis.key}`" not in text] == []
    assert sorted(value for value in values if f"| `{value}` |" not in text) == []


@pytest.mark.parametrize("name", generated.command_names())
def test_every_command_and_its_options_are_documented(name: str):
    _, _, section = text_of("docs/commands.md").partition(f"## metier {name}\n")
    section, _, _ = section.partition("\n## ")
    options = {word for each in generated.command_of(name).params for word in each.opts}
    spelled = sorted(word for word in options if word.startswith("-"))
    assert spelled
    assert [word for word in spelled if word not in section] == []


def test_every_limit_is_documented():
    assert [
        name
        for module, name, _, _ in generated.LIMITS
        if f"`{module}.{name}`" not in text_of("docs/security.md")
    ] == []


def test_a_rule_without_a_severity_is_an_outcome():
    outcomes = set(RULES) - set(generated.severities_in_code())
    assert outcomes == {
        "description-cut",
        "description-omitted",
        "description-shortened",
        "file-passed-over",
        "first-wins",
        "folder-not-searched",
        "hidden",
        "higher-precedence",
        "last-wins",
        "loaded",
        "name-differs",
        "same-content",
        "same-file",
        "skill-omitted",
    }


def test_every_target_of_make_that_the_readme_names_exists():
    named = set(re.findall(r"`make ([a-z]+)`", text_of("README.md")))
    targets = re.findall(r"^([a-z]+):", text_of("Makefile"), re.MULTILINE)
    assert named <= set(targets)


def test_the_quickstart_runs_from_any_folder():
    done = subprocess.run(
        [sys.executable, str(REPOSITORY / "examples" / "quickstart.py")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "<name>commit-message</name>" in done.stdout
    assert done.stderr == ""


def test_the_demo_shows_every_command_and_every_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    metier = tmp_path / "metier"
    metier.write_text(f'#!/bin/sh\nexec {sys.executable} -m metier "$@"\n', "utf-8")
    metier.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    demo = REPOSITORY / "examples" / "demo.sh"
    done = subprocess.run(
        ["sh", str(demo)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    headings = re.findall(r"^\$ metier (\w+)(.*)", done.stdout, re.MULTILINE)
    asked = {
        (command, re.findall(r"--dialect (\S+)", rest)[:1] == [])
        for command, rest in headings
    }
    commands = {"catalog", "diff", "list", "load", "match", "matrix", "refs", "why"}
    assert commands == {command for command, is_default in asked if is_default}
    for name in SYSTEMS:
        shown = {c for c, rest in headings if f"--dialect {name}" in rest}
        assert shown == {"catalog", "list", "load", "match", "why"}


def test_a_block_that_is_wrong_is_noticed(home: Path, project: Path):
    stage = set_stage(home, project)
    session = "$ metier match 'review this change'\nnothing\n"
    wrong = Block("console", session, 0, 1)
    assert stage.run(wrong).startswith(session.splitlines()[0] + "\nreview-change\n")
    with pytest.raises(AssertionError):
        stage.run(Block("python", ">>> 1 + 1\n3\n", 0, 1))
