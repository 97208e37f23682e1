"""The example of each framework, run as its users run it, against a scripted model.

Nothing of a framework is replaced: its own client talks to a model on the loopback.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import metier
from tests.scripted_model import ScriptedModel, ToolUse, scripted_model

EXAMPLES = Path(__file__).parents[2] / "examples"
AGENTS = sorted((EXAMPLES / "agents").glob("*.py"))
ASKED, DONE = "Write the notes of the next release", "The notes are written."
# One framework has a tool for the last word too.
LAST_WORDS = {"smolagents_agent": ToolUse("final_answer", {"answer": DONE})}
WRONG = ToolUse("skill", {"name": "release-note"})
LOAD = ToolUse("skill", {"name": "release-notes"})
READ = ToolUse("read_resource", {"skill": "release-notes", "path": "template.md"})


def run(example: Path, model: ScriptedModel, folder: Path) -> str:
    """What the example prints, in a copy of the workspace and a bare environment."""
    shutil.copytree(EXAMPLES / "workspace", folder / "workspace")
    environment = {
        **model.environment,
        "HOME": str(folder / "workspace" / "home"),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(Path(metier.__file__).parents[1]),
    }
    ran = subprocess.run(
        [sys.executable, str(example), ASKED],
        cwd=folder / "workspace" / "project",
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.parametrize("example", AGENTS, ids=lambda path: path.stem)
def test_a_model_loads_a_skill_and_reads_a_file_of_it(example: Path, tmp_path: Path):
    script = [WRONG, LOAD, READ, LAST_WORDS.get(example.stem, DONE)]
    with scripted_model(script) as model:
        assert run(example, model, tmp_path).strip() == DONE
    offered, corrected, loaded, read = (model.text(index) for index in range(4))
    assert ASKED in offered
    assert "Writes the notes of a release from the commits" in offered
    assert "did you mean `release-notes`?" in corrected
    assert "<skill_content name=" not in corrected
    assert "Relative paths in this skill are relative to the skill directory" in loaded
    assert "## VERSION (DATE)" in read
