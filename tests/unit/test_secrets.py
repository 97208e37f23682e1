"""Secrets stay where they are: not in an output, an error, a plan or a log."""

from __future__ import annotations

import logging
import traceback
from dataclasses import replace
from pathlib import Path

import pytest

from metier.api import discover
from metier.core.execution import Sandbox
from metier.errors import LoadError
from metier.runtime.policy import RunPolicy
from metier.testing import make_skill
from tests.inserting import using

NAMES = ("API_KEY", "TOKEN", "PASSWORD", "SECRET", "AUTH", "CLAUDE_KEY", "SESSION")
# What a program may do to find some, and where it puts what it finds.
SEEK = """#!/bin/sh
env
env >&2
cat /proc/*/environ 2>/dev/null | tr '\\\\0' '\\\\n'
cat "$@"
exit 3
"""


@pytest.fixture
def secrets(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Fifty of them, in variables of this process."""
    found = {f"{NAMES[n % len(NAMES)]}_{n}": f"sw0rdf1sh-{n:04}" for n in range(50)}
    for name, value in found.items():
        monkeypatch.setenv(name, value)
    return found


def test_of_fifty_secrets_none_is_told(
    secrets: dict[str, str], home: Path, project: Path, caplog: pytest.LogCaptureFixture
):
    folder = home / ".agents" / "skills" / "x"
    (folder / "scripts").mkdir(parents=True)
    body = "!`sh ${CLAUDE_SKILL_DIR}/scripts/seek.sh file` $ARGUMENTS"
    (folder / "SKILL.md").write_text(make_skill("x", "Seeks", body=body))
    (folder / "scripts" / "seek.sh").write_text(SEEK)
    values = list(secrets.values())
    (project / "file").write_text("\n".join(values))
    told: list[str] = []
    caplog.set_level(logging.DEBUG)
    policy = RunPolicy(
        sandbox=Sandbox.PREFERRED,
        environment=("PATH", *list(secrets)[:20]),
        settings={name: secrets[name] for name in list(secrets)[20:30]},
        secrets=tuple(values[30:]),
    )
    for agent in ("claude-code", "openhands", "hermes"):
        skills = discover(cwd=project, home=home, dialect=using(agent))
        run = skills.prepare_script("x", "scripts/seek.sh", ["file"], policy=policy)
        result = run.run()
        assert result.exit_code == 3
        told += [repr(run), repr(run.plan), str(run.plan.as_json()), repr(result)]
        told += [result.stdout, result.stderr, str(result.as_json()), repr(policy)]
        told += [repr(skills), str(skills.script_tool(policy=policy).schema)]
        for without in (policy, replace(policy, sandbox=Sandbox.NONE)):
            try:
                told.append(repr(skills.load("x", policy=without)))
            except LoadError as error:
                told += [str(error), repr(error.diagnostics), traceback.format_exc()]
    told += caplog.messages
    assert "[secret]" in result.stdout
    assert [each for each in values if any(each in text for text in told)] == []
