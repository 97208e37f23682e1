"""The ways in which agents tell what they have found, one function for each.

Each takes a running place (the agent, the tree, the environment) and returns what the
agent listed, in the words of the recordings: `skills`, and `listing` or `errors` where
the agent has them. What a program brings along itself is not a skill of the tree.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from os import environ
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

from tests.conformance.recording.model import listening_model
from tests.conformance.recording.programs import Agent

PATIENCE = 120  # seconds for one tree: a program's first start can take many

Listing = dict[str, Any]
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Place:
    """Where an agent stands: its command line, its folder and its environment."""

    agent: Agent
    cwd: Path
    environment: Mapping[str, str]

    def printed(self) -> str:
        """What the program prints, through a file: a pipe loses the end of it."""
        with TemporaryFile("w+", encoding="utf-8") as output:
            subprocess.run(
                self.agent.words,
                cwd=self.cwd,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.DEVNULL,
                timeout=PATIENCE,
                check=False,
            )
            output.seek(0)
            return output.read()

    def answered(self, *said: Row) -> Row:
        """The answer to the last of what is said, a line of JSON each."""
        with subprocess.Popen(
            self.agent.words,
            cwd=self.cwd,
            env=self.environment,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            assert process.stdin
            assert process.stdout
            process.stdin.write("".join(f"{json.dumps(each)}\n" for each in said))
            process.stdin.flush()
            answers = (json.loads(line) for line in process.stdout)
            answer = next(each for each in answers if each.get("id") == said[-1]["id"])
            process.kill()
        return answer


def printed_json(place: Place) -> Listing:
    """A command that prints a JSON list."""
    told = json.loads(place.printed())
    wanted = ("name", "description", "content")
    return {
        "skills": [
            {key: each.get(key) for key in wanted} | {"path": each["location"]}
            for each in told
            if not each["location"].startswith("<")
        ]
    }


_PRINTED = re.compile(
    r"(?P<name>.*) \[(?P<state>\w+)\]\n  Description: (?P<description>(?s:.*?))\n"
    r"  Location:    (?P<path>.*)\n"
)


def printed_list(place: Place) -> Listing:
    """A command that prints a list for people."""
    return {
        "skills": [found.groupdict() for found in _PRINTED.finditer(place.printed())]
    }


def app_server(place: Place) -> Listing:
    """JSON-RPC over lines: an introduction, then the question."""
    hello = {"clientInfo": {"name": "metier", "version": "0"}}
    asked = {"cwds": [str(place.cwd)], "forceReload": True}
    answer = place.answered(
        {"id": 0, "method": "initialize", "params": hello},
        {"method": "initialized"},
        {"id": 1, "method": "skills/list", "params": asked},
    )
    told = answer["result"]["data"][0]
    wanted = ("name", "description", "path", "scope", "enabled")
    return {
        "skills": [
            {key: each.get(key) for key in wanted}
            for each in told["skills"]
            if each["scope"] != "system"
        ],
        "errors": told["errors"],
    }


def line_commands(place: Place) -> Listing:
    """A request on one line: the commands, of which skills are some."""
    answer = place.answered({"id": 1, "type": "get_commands"})
    return {
        "skills": [
            {
                "name": each["name"].removeprefix("skill:"),
                "description": each["description"],
                "path": each["sourceInfo"]["path"],
                "scope": each["sourceInfo"]["scope"],
            }
            for each in answer["data"]["commands"]
            if each["source"] == "skill"
        ]
    }


# Older models have it in a reminder of its own, newer ones at the end of a message.
_LISTING = re.compile(
    r"The following skills are available for use with the Skill tool:(.*?)"
    r"(?:</system-reminder>|\Z)",
    re.DOTALL,
)


def model_listing(place: Place) -> Listing:
    """What a model is told: the text, and the names that its lines start with."""
    listing = _told_to_a_model(place)
    # The agent's own skills come last, those whose names are taken left out.
    if place.agent.name not in _OWN:
        _OWN[place.agent.name] = _own_items(place.agent)
    for own in reversed(_OWN[place.agent.name]):
        listing = listing.removesuffix(f"\n- {own}")
    names = re.findall(r"^- (.*?)(?::|$)", listing, re.MULTILINE)
    return {"skills": names, "listing": listing}


_OWN: dict[str, tuple[str, ...]] = {}


def _own_items(agent: Agent) -> tuple[str, ...]:
    with TemporaryDirectory() as folder:
        environment = {"PATH": environ["PATH"], "HOME": folder, **agent.environment}
        listing = _told_to_a_model(Place(agent, Path(folder), environment))
    return tuple(listing.split("\n- ")[1:])


def _told_to_a_model(place: Place) -> str:
    with listening_model() as (address, heard):
        environment = {**place.environment, "ANTHROPIC_BASE_URL": address}
        Place(place.agent, place.cwd, environment).printed()
    found = filter(None, map(_LISTING.search, _texts(heard)))
    return next((each[1].rstrip("\n") for each in found), "")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(each)


INTERFACES: Mapping[str, Callable[[Place], Listing]] = {
    "app-server": app_server,
    "line-commands": line_commands,
    "model-listing": model_listing,
    "printed-json": printed_json,
    "printed-list": printed_list,
}
