"""Ask the agents' own programs what they find in the case trees, and write it down.

`python -m tests.conformance.recording [NAME[@VERSION]]...`: all agents, or some. Each
is installed from npm below `build/agents` and run on each tree with a home of its own
and no network. What it says is written to `tests/conformance/cases/recorded`, a file
for each agent: a new release is this command, and a diff.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.conformance.loading import agent_tree_specs, plant_tree, recording_of
from tests.conformance.recording.interfaces import INTERFACES, Place
from tests.conformance.recording.programs import (
    Agent,
    install,
    installed_version,
    load_agents,
)
from tests.conformance.recording.seclusion import leave_the_network


def main(wanted: list[str]) -> None:
    agents = load_agents(wanted)
    for agent in agents:
        install(agent)
    leave_the_network()
    for agent in agents:
        _record(agent)


def _record(agent: Agent) -> None:
    specs = agent_tree_specs()
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        rows = list(workers.map(partial(_asked, agent), specs))
    head = {"agent": agent.package, "version": installed_version(agent)}
    lines = [json.dumps(row, ensure_ascii=False) for row in (head, *rows)]
    path = recording_of(agent.name)
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n", "utf-8")
    _say(f"{agent.name} {head['version']}: {len(rows)} trees in {path.name}")


def _asked(agent: Agent, spec: Mapping[str, Any]) -> dict[str, Any]:
    """What the agent finds in one tree, planted for it alone."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        root = plant_tree(Path(folder).resolve(), {"spec": spec})
        for repository in spec["git"]:
            subprocess.run(["git", "init", "-q"], cwd=root / repository, check=True)
        place = Place(agent, root / spec["cwd"], _environment(agent, root, spec))
        told = INTERFACES[agent.interface](place)
        return {"tree": spec["seed"], **_unrooted(told, str(root))}


def _environment(agent: Agent, root: Path, spec: Mapping[str, Any]) -> dict[str, str]:
    home = str(root / spec["home"])
    return {"PATH": os.environ["PATH"], "HOME": home, **agent.environment}


def _unrooted(told: Mapping[str, Any], root: str) -> dict[str, Any]:
    return json.loads(json.dumps(told).replace(root, "/ROOT"))


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201 - a command for developers


if __name__ == "__main__":
    main(sys.argv[1:])
