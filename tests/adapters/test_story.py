"""One conversation, from the catalog to what is left of it after a compaction."""

from __future__ import annotations

import builtins
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from metier.testing import make_skill
from tests.scripted_model import ToolUse, scripted_model

EXAMPLE = Path(__file__).parents[2] / "examples" / "agent_loop.py"
BODY = "Look the port up in ports.md, then run scripts/high_water.py with its name.\n"
FILES = {
    "SKILL.md": make_skill("tides", "Tells when the water is high", body=BODY),
    "ports.md": "# Ports\n\nOban is 40 minutes before Dover.\n",
    "scripts/high_water.py": "import sys\nprint('high water at', *sys.argv[1:])\n",
}
LOAD = ToolUse("skill", {"name": "tides"})
READ = ToolUse("read_resource", {"skill": "tides", "path": "ports.md"})
RUN = ToolUse(
    "run_script",
    {"skill": "tides", "script": "scripts/high_water.py", "arguments": ["Oban; ls"]},
)


@pytest.fixture
def loop() -> ModuleType:
    """The example, as a module."""
    spec = spec_from_file_location("agent_loop", EXAMPLE)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the person is asked; the person says yes."""
    questions: list[str] = []

    def say_yes(question: str = "") -> str:
        questions.append(question)
        return "y"

    monkeypatch.setattr(builtins, "input", say_yes)
    return questions


def test_the_story_of_a_skill(
    home: Path, loop: Any, asked: list[str], monkeypatch: pytest.MonkeyPatch
):
    for name, text in FILES.items():
        path = home / ".agents" / "skills" / "tides" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    script = [LOAD, READ, RUN, "At two.", "We asked for Oban.", LOAD, "At three."]

    with scripted_model(script) as model:
        for key, value in model.environment.items():
            monkeypatch.setenv(key, value)
        agent = loop.Agent()

        # The model sees the catalog, loads the skill, reads its file, runs its script.
        assert agent.say("When is high water?") == "At two."
        assert "Tells when the water is high" in model.text(0)
        assert BODY.strip() not in model.text(0)
        assert BODY.strip() in model.text(1)
        assert "Oban is 40 minutes before Dover." in model.text(2)
        assert "high water at Oban; ls" in model.text(3)
        assert asked == ["run_script tides? [y/N] "]
        assert agent.ledger.active == ("tides",)

        # The conversation has become too long: what was said goes, the skill stays.
        monkeypatch.setattr(loop, "LONGEST", 5)
        assert agent.say("And tomorrow?") == "At three."
        summed_up, begun_again, reminded = (model.heard[step] for step in (4, 5, 6))
        assert summed_up["messages"][-1]["content"] == "Sum up what we said so far."
        (first,) = begun_again["messages"]
        assert first["content"].startswith("We asked for Oban.\n\n")
        assert BODY.strip() in first["content"]
        assert "high water at Oban" not in first["content"]

        # It is there: who asks for it again is told so, and does not get it twice.
        answer = str(reminded["messages"][-1]["content"])
        assert "already" in answer
        assert BODY.strip() not in answer
        assert [entry.name for entry in agent.ledger.entries] == ["tides"]
