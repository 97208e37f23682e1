"""Every command under every dialect: none of them ends in an internal error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from metier.cli import run
from metier.testing import make_skill
from metier.world.dialects import dialect_names

SKILLS = {
    "plain": make_skill("plain", "Does one thing well. " * 9),
    "asking": "---\nname: asking\ndescription: Greets\narguments: [who]\n---\n"
    "Greet $ARGUMENTS, $0 and $who, see @notes.md and !`date`.\n",
    "manual": "---\nname: manual\ndescription: Deploys\n"
    "disable-model-invocation: true\nuser-invocable: true\nmodel: x\n---\nGo.\n",
    "typed": "---\nname: 7\ndescription: [a, b]\nallowed-tools: Read, Bash(git *)\n"
    "metadata: {openclaw: {requires: {bins: [none-such]}}}\n---\n",
    "broken": "---\nname: broken\ndescription: a: b\n  - c\n",
    "bare": "No header at all.\n",
}
COMMANDS = (
    ("list",),
    ("list", "--json", "--unmet", "hide"),
    ("catalog",),
    ("catalog", "--json", "--window", "4000"),
    ("catalog", "--budget", "3"),
    ("load", "plain"),
    ("load", "asking", "--args", "ada 'b c'"),
    ("load", "none-such"),
    ("why", "plain"),
    ("why", "broken", "--json"),
    ("match", "please use plain"),
    ("parse", "--json", "skills/plain/SKILL.md", "skills/broken/SKILL.md"),
    ("refs", "skills/asking/SKILL.md"),
)

# Where there is no match, no catalog and no command there is nothing to say.
_MAY_BE_SILENT = ("match", "catalog", "refs")


@pytest.fixture
def skills(project: Path) -> Path:
    for name, text in SKILLS.items():
        path = project / "skills" / name / "SKILL.md"
        path.parent.mkdir(parents=True)
        path.write_text(text, "utf-8")
    return project


@pytest.mark.parametrize("name", dialect_names())
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_command_says_what_it_has_to_say(
    name: str,
    command: tuple[str, ...],
    skills: Path,
    capsys: pytest.CaptureFixture[str],
):
    code = run([*command, "--dialect", name, *_place(command[0], skills)])
    said = capsys.readouterr()
    assert (code in (0, 1), "internal" in said.err) == (True, False), said.err
    assert said.out or said.err or command[0] in _MAY_BE_SILENT
    if "--json" in command and said.out:
        assert [json.loads(line) for line in _documents(command[0], said.out)]


def _place(command: str, project: Path) -> tuple[str, ...]:
    return () if command in ("parse", "refs") else ("--root", str(project / "skills"))


def _documents(command: str, out: str) -> list[str]:
    return out.splitlines() if command == "parse" else [out]
