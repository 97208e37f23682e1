"""The recorded cases, and the folders that some of them describe."""

from __future__ import annotations

import gzip
import json
import tomllib
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from metier.core.dialect import Dialect, parse_dialect

SYSTEMS = ("batuta", "brutus", "opencode-spec", "opi", "shelley")

CASES = Path(__file__).parent / "cases"
RECORDED = CASES / "recorded"
REPOSITORY = Path(__file__).parents[2]


def _beside(path: str) -> Path:
    """`path` beside the repository, or beside a folder that it is in."""
    places = [folder / path for folder in REPOSITORY.parents]
    return next((place for place in places if place.exists()), places[0])


# Other people's text: beside the repository, never in it.
CORPUS = _beside("shared/cases/corpus.jsonl.gz")

# Every recorded tree has them, if only empty.
TREE_FOLDERS = ("proj/pkg/deep/", "home/", "store/")


@dataclass(frozen=True, slots=True)
class FileCase:
    """One skill file, and what became of it in each system."""

    id: str
    path: str
    data: bytes
    outcomes: Mapping[str, Mapping[str, Any]]

    def __str__(self) -> str:
        return self.id


@cache
def edge_cases() -> tuple[FileCase, ...]:
    """The hand-made files."""
    return tuple(file_cases((CASES / "edge.jsonl").read_bytes().splitlines()))


def corpus_cases() -> Iterator[FileCase]:
    """The real files; `FileNotFoundError` where the corpus is absent."""
    with gzip.open(CORPUS) as lines:
        yield from file_cases(lines)


def file_cases(lines: Iterable[bytes]) -> Iterator[FileCase]:
    for record in map(json.loads, lines):
        coded = record.get("base64")
        yield FileCase(
            id=record.get("case") or record["sha1"],
            path=f"{record['dir']}/{record['file']}",
            data=b64decode(coded) if coded else record["text"].encode(),
            outcomes=record["outcomes"],
        )


@cache
def system_trees() -> tuple[dict[str, Any], ...]:
    """The trees that the five systems were run on."""
    return tuple(tree_records(CASES / "trees_systems.jsonl.gz"))


@cache
def agent_tree_specs() -> tuple[Mapping[str, Any], ...]:
    """The trees that the agents are run on: those of the cases, and our own."""
    ours = json_lines(CASES / "agent_trees.jsonl")
    return (*(record["spec"] for record in _given_trees()), *ours)


@cache
def agent_trees() -> tuple[dict[str, Any], ...]:
    """Each tree with the newest that each agent said of it."""
    given = {record["spec"]["seed"]: record["res"] for record in _given_trees()}
    newest = {path.stem: _recorded(path) for path in RECORDED.glob("*.jsonl")}
    return tuple(
        {"spec": spec, "res": _answers(spec["seed"], given, newest)}
        for spec in agent_tree_specs()
    )


def _given_trees() -> list[dict[str, Any]]:
    return list(tree_records(CASES / "trees_agents.jsonl.gz"))


def _answers(
    seed: int,
    given: Mapping[int, Mapping[str, Any]],
    newest: Mapping[str, Mapping[int, Any]],
) -> dict[str, Any]:
    told = {name: rows[seed] for name, rows in newest.items() if seed in rows}
    return {**given.get(seed, {}), **told}


def recording_of(agent: str) -> Path:
    """Where the agent's answers are: its version, then a line for each tree."""
    return RECORDED / f"{agent}.jsonl"


def _recorded(path: Path) -> dict[int, Any]:
    _version, *rows = json_lines(path)
    return {row["tree"]: row for row in rows}


def json_lines(path: Path) -> list[Any]:
    """What each line holds; in a text there may be other ends of lines."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def tree_records(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path) as lines:
        yield from map(json.loads, lines)


@cache
def system_facts() -> tuple[dict[str, Any], ...]:
    """The facts out of the systems' own test suites."""
    return tuple(json.loads((CASES / "systems.json").read_text("utf-8")))


def plant(root: Path, content: Mapping[str, Any], folders: Iterable[str] = ()) -> Path:
    """Files, links and folders (their names end with `/`) below `root`.

    A file is its text, or its bytes as `{"base64": ...}`.
    """
    for path in (*folders, *content):
        folder = root / path if path.endswith("/") else (root / path).parent
        folder.mkdir(parents=True, exist_ok=True)
    for path, value in content.items():
        if isinstance(value, str):
            if not path.endswith("/"):
                (root / path).write_bytes(value.encode())
        elif "link" in value:
            (root / path).symlink_to(value["link"].replace("/ROOT", str(root)))
        else:
            (root / path).write_bytes(b64decode(value["base64"]))
    return root


def plant_tree(root: Path, record: Mapping[str, Any]) -> Path:
    """A recorded tree; that a `.git` is there makes a repository of a folder."""
    spec = record["spec"]
    # An empty name is the root itself, never that of the machine.
    repositories = [f"{folder}/.git/".lstrip("/") for folder in spec["git"]]
    return plant(root, spec["files"], (*TREE_FOLDERS, *repositories))


def altered_dialect(system: str, **changes: Any) -> Dialect:
    """A system's dialect with some of its TOML replaced."""
    text = (files("metier") / "dialects" / f"{system}.toml").read_text("utf-8")
    return parse_dialect({**tomllib.loads(text), **changes})
