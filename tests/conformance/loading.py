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


def tree_records(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path) as lines:
        yield from map(json.loads, lines)


@cache
def system_facts() -> tuple[dict[str, Any], ...]:
    """The facts out of the systems' own test suites."""
    return tuple(json.loads((CASES / "systems.json").read_text("utf-8")))


def plant(root: Path, content: Mapping[str, Any], folders: Iterable[str] = ()) -> Path:
    """Files, links and folders (their names end with `/`) below `root`."""
    for path in (*folders, *content):
        folder = root / path if path.endswith("/") else (root / path).parent
        folder.mkdir(parents=True, exist_ok=True)
    for path, value in content.items():
        if isinstance(value, dict):
            (root / path).symlink_to(value["link"].replace("/ROOT", str(root)))
        elif not path.endswith("/"):
            (root / path).write_bytes(value.encode())
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
