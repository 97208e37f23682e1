from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest
from inline_snapshot import snapshot

import metier
from metier.errors import UnknownDialect
from metier.testing import MemoryFileSystem, make_skill
from tests.making import dialect

# Each costs a few milliseconds at least, and none is needed to find a skill.
HEAVY = {
    *(
        "asyncio",
        "click",
        "concurrent.futures",
        "difflib",
        "email",
        "importlib.metadata",
    ),
    *("inspect", "logging", "multiprocessing", "rich", "subprocess", "urllib", "yaml"),
}


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter has after `code`, but not before."""
    program = (
        "import sys, json; before = set(sys.modules)\n"
        f"{code}\n"
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    command = [sys.executable, "-S", "-c", program]
    source = str(Path(metier.__file__).parents[1])
    done = subprocess.run(
        command, capture_output=True, check=True, text=True, env={"PYTHONPATH": source}
    )
    return set(json.loads(done.stdout))


def test_importing_metier_loads_next_to_nothing():
    loaded = loaded_by("import metier")
    assert {name for name in loaded if name.startswith("metier")} == {"metier"}
    assert loaded.isdisjoint(HEAVY | {"dataclasses", "enum", "re", "typing"})


def test_finding_skills_needs_no_yaml_and_no_command_line():
    loaded = loaded_by("import metier; metier.discover")
    assert "metier.engine" in loaded
    assert loaded & {"click", "yaml", "rich", "subprocess", "asyncio"} == set()


@pytest.mark.parametrize("name", metier.__all__)
def test_every_public_name_is_there(name: str):
    value = getattr(metier, name)
    assert value.__name__ == name
    assert vars(metier)[name] is value


def test_the_public_names_are_these():
    assert metier.__all__ == snapshot(
        [
            "Account",
            "Action",
            "Activation",
            "Catalog",
            "Diagnostic",
            "Dialect",
            "Difference",
            "Library",
            "LoadError",
            "Matrix",
            "MetierError",
            "Outcome",
            "PermissionDenied",
            "Rejection",
            "Ruleset",
            "RunPolicy",
            "RunRefused",
            "Sandbox",
            "Severity",
            "Shadowed",
            "Skill",
            "SkillNotFound",
            "SkillTool",
            "Trust",
            "adiscover",
            "compare",
            "diff",
            "discover",
            "load_dialect",
        ]
    )
    assert dir(metier) == sorted([*metier.__all__, "__version__"])


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(
        AttributeError, match="module `metier` has no attribute `nothing`"
    ):
        _ = metier.nothing


# --- discover -----------------------------------------------------------------------


def plant(folder: Path, name: str, description: str = "Does it") -> Path:
    file = folder / ".agents/skills" / name / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text(make_skill(name, description))
    return file


def test_discover_looks_in_the_working_directory_and_the_home(
    project: Path, home: Path
):
    file = plant(project, "here")
    plant(home, "there")
    skills = metier.discover()
    assert skills.names == ("here", "there")
    assert skills["here"].path == str(file)
    assert skills.dialect.name == "agentskills"


def test_the_working_directory_and_the_home_can_be_named(tmp_path: Path):
    plant(tmp_path / "a", "here")
    plant(tmp_path / "b", "there")
    skills = metier.discover(cwd=tmp_path / "a", home=str(tmp_path / "b"))
    assert skills.names == ("here", "there")


def test_a_relative_working_directory_starts_from_the_real_one(project: Path):
    plant(project / "sub", "here")
    skills = metier.discover(cwd="sub")
    assert skills.environment.cwd == str(project / "sub")
    assert skills.names == ("here",)


def test_folders_can_be_named(tmp_path: Path):
    plant(tmp_path, "here")
    assert metier.discover(roots=[tmp_path / ".agents"]).names == ("here",)


def test_variables_can_be_named():
    files = MemoryFileSystem({"/v/skills/a/SKILL.md": make_skill("a", "b")})
    skills = metier.discover(
        dialect="opencode-spec",
        cwd="/",
        home="/",
        variables={"OPENCODE_CONFIG_DIR": "/v", "SECRET": "x"},
        filesystem=files,
    )
    assert skills.names == ("a",)
    assert skills.environment.variables == {"OPENCODE_CONFIG_DIR": "/v"}


def test_a_dialect_can_be_named_or_given():
    files = MemoryFileSystem({"/.apr/skills/a/SKILL.md": make_skill("a", "b")})
    by_name = metier.discover(dialect="batuta", cwd="/", home="/h", filesystem=files)
    given = metier.discover(
        dialect=dialect("batuta"), cwd="/", home="/h", filesystem=files
    )
    assert by_name.skills == given.skills
    assert by_name.names == ("a",)


def test_an_unknown_dialect_is_an_error():
    with pytest.raises(UnknownDialect, match="unknown dialect `no-such-agent`"):
        metier.discover(dialect="no-such-agent")


def test_the_async_twin_finds_the_same(tmp_path: Path):
    plant(tmp_path, "here")
    options = {"cwd": tmp_path, "home": tmp_path / "h", "variables": {}}
    found = asyncio.run(metier.adiscover(**options))
    assert found.skills == metier.discover(**options).skills
    assert found.names == ("here",)


def test_a_working_directory_that_is_gone_matters_only_where_it_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    plant(tmp_path, "here")
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert metier.discover(cwd=tmp_path, home=tmp_path).names == ("here",)
    with pytest.raises(metier.MetierError, match="the working directory is gone"):
        metier.discover()
