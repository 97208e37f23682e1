"""The released programs of the agents, each installed into a folder of its own."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.conformance.loading import REPOSITORY

HERE = Path(__file__).parent
PROGRAMS = REPOSITORY / "build" / "agents"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """One agent: its package, and how it is asked."""

    name: str
    package: str
    version: str
    interface: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def folder(self) -> Path:
        return PROGRAMS / f"{self.name}-{self.version}"

    @property
    def words(self) -> list[str]:
        """The command line, its program found in the folder of the agent."""
        modules = self.folder / "node_modules"
        words = [word.replace("{platform}", _platform()) for word in self.command]
        place = 1 if words[0] == "node" else 0
        return [*words[:place], str(modules / words[place]), *words[place + 1 :]]


def load_agents(wanted: Sequence[str] = ()) -> tuple[Agent, ...]:
    """All agents, or those wanted: `NAME`, or `NAME@VERSION` for another release."""
    told = tomllib.loads((HERE / "agents.toml").read_text("utf-8"))
    agents = {name: Agent(name=name, **facts) for name, facts in told.items()}
    if not wanted:
        return tuple(agents.values())
    return tuple(_pinned(agents, each) for each in wanted)


def _pinned(agents: Mapping[str, Agent], wanted: str) -> Agent:
    name, _, version = wanted.partition("@")
    if name not in agents:
        sys.exit(f"no agent `{name}`: there are {', '.join(agents)}")
    return replace(agents[name], version=version) if version else agents[name]


def install(agent: Agent) -> None:
    """The package below the agent's folder, unless it is there."""
    if not (agent.folder / "node_modules").is_dir():
        agent.folder.mkdir(parents=True, exist_ok=True)
        (agent.folder / "package.json").write_text(json.dumps({"private": True}))
        # No scripts: nothing of the package runs before it is shut off from the net.
        quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        what = f"{agent.package}@{agent.version}"
        subprocess.run(["npm", "install", *quiet, what], cwd=agent.folder, check=True)


def installed_version(agent: Agent) -> str:
    """What was installed, where `latest` was asked for."""
    package = agent.folder / "node_modules" / agent.package / "package.json"
    return json.loads(package.read_bytes())["version"]


def _platform() -> str:
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}
    name = platform.machine().lower()
    return f"{sys.platform}-{machine.get(name, name)}"
