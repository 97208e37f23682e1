"""One tree of files: metier's answers and the recorded ones, in the same words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from metier.api import discover
from metier.core.dialect import Dialect
from metier.core.skill import Skill
from metier.errors import MetierError
from metier.library import Library
from metier.world.files import parse_file
from tests.conformance.loading import altered_dialect
from tests.conformance.parsing import Pair, legible, reason

Answer = dict[str, Any]


@dataclass(frozen=True)
class PlantedTree:
    """A recorded tree as it stands on the disk."""

    record: Mapping[str, Any]
    root: Path

    @property
    def cwd(self) -> Path:
        return self.root / self.record["spec"]["cwd"]

    @property
    def home(self) -> Path:
        return self.root / self.record["spec"]["home"]

    def recorded(self, key: str) -> Any:
        """What was recorded under `key`, which is a system or `SYSTEM.question`."""
        return self.record["res"][key]

    def library(self, dialect: str | Dialect) -> Library:
        return discover(dialect=dialect, cwd=self.cwd, home=self.home, variables={})

    def unrooted(self, text: str) -> str:
        return text.replace(str(self.root), "/ROOT")

    @cached_property
    def shelley_walk(self) -> Library:
        """What shelley finds in the tree of the project, without its other folders."""
        roots = [{"base": "git-root", "scope": "project", "select": "tree"}]
        return self.library(altered_dialect("shelley", roots=roots))


def has_answer(record: Mapping[str, Any], key: str) -> bool:
    """Whether the system answered; opi's catalog ends in its error after an abort."""
    answer = record["res"].get(key)
    return answer is not None and not (key == "opi.prompt" and answer["rc"])


def questions(record: Mapping[str, Any], system: str) -> list[str]:
    """The questions about this tree to which there are answers of `system`."""
    return [q for q, key in QUESTIONS[system].items() if has_answer(record, key)]


def ask(tree: PlantedTree, system: str, question: str) -> Pair:
    """metier's answer and the recorded one."""
    return _ASK[question](tree, system)


def skills(tree: PlantedTree, system: str) -> Pair:
    """Which skills there are, in the order that the system has them."""
    recorded = tree.recorded(system)
    library = tree.library(system)
    if system == "opi" and not recorded["ok"]:
        return _abort(library, recorded["error_kind"])
    shape, theirs = _SHAPES[system], recorded["skills"]
    library = _in_recorded_order(_with_recorded_winners(tree, library), theirs)
    ours = [shape(tree, library, skill) for skill in library]
    return ours, _wanted(system, theirs)


def walk(tree: PlantedTree, system: str) -> Pair:
    """What shelley's walk alone finds, inside a repository or outside of one."""
    library, theirs = tree.shelley_walk, tree.recorded("shelley-tree")["skills"]
    ours = [_shelley(tree, library, skill) for skill in library]
    return ours, _wanted(system, theirs)


def catalog(tree: PlantedTree, system: str) -> Pair:
    """The text that the model sees, byte for byte."""
    library = _as_recorded(tree, system)
    return tree.unrooted(library.catalog()), tree.recorded(f"{system}.prompt")["out"]


def loads(tree: PlantedTree, system: str) -> Pair:
    """What the tool returns for two skills and for a name that is not there."""
    library = _as_recorded(tree, system)
    theirs = {
        name: json.loads(answer["out"])
        for name, answer in tree.recorded(f"{system}.load").items()
    }
    theirs = {name: answer.get("result", answer) for name, answer in theirs.items()}
    ours = {name: _load(tree, library, name) for name in theirs}
    return ours, {name: _without_ok(answer) for name, answer in theirs.items()}


def matches(tree: PlantedTree, system: str) -> Pair:
    """The skill that is picked for each of some turns."""
    library = _with_recorded_winners(tree, tree.library(system))
    theirs = tree.recorded(f"{system}.match")
    ours = {turn: library.match(turn).winner for turn in theirs}
    return ours, {turn: answer["match"] for turn, answer in theirs.items()}


_ASK: Mapping[str, Callable[[PlantedTree, str], Pair]] = {
    function.__name__: function for function in (skills, walk, catalog, loads, matches)
}
# Each question, and where its answers were recorded.
QUESTIONS: Mapping[str, Mapping[str, str]] = {
    "batuta": {"skills": "batuta", "matches": "batuta.match"},
    "brutus": {
        "skills": "brutus",
        "catalog": "brutus.prompt",
        "loads": "brutus.load",
    },
    "opencode-spec": {
        "skills": "opencode-spec",
        "catalog": "opencode-spec.prompt",
        "loads": "opencode-spec.load",
    },
    "opi": {"skills": "opi", "catalog": "opi.prompt"},
    "shelley": {
        "skills": "shelley",
        "walk": "shelley-tree",
        "catalog": "shelley.prompt",
    },
}


def _abort(library: Library, kind: str) -> Pair:
    """Nothing is loaded; which of two broken files stops opi is the file system's."""
    reasons = {reason(rule, kind) for rule in _stoppers(library)}
    because = kind if kind in reasons else sorted(map(str, reasons))
    ours = {"skills": library.names, "because": because}
    return ours, {"skills": (), "because": kind}


def _stoppers(library: Library) -> Iterator[str | None]:
    """The rules that stop opi at the folder where metier says it stops."""
    assert library.aborted_by is not None
    root = library.rejected[-1].root.path
    for path in Path(root).glob("*/SKILL.md"):
        yield parse_file(str(path), library.dialect, library.filesystem).error
    yield library.aborted_by.rule


def _load(tree: PlantedTree, library: Library, name: str) -> Answer:
    try:
        loaded = library.load(name)
    except MetierError as error:
        return {"error": str(error)}
    return {
        "title": loaded.title,
        "output": tree.unrooted(loaded.output),
        "metadata": {"name": loaded.name, "dir": tree.unrooted(loaded.directory)},
    }


def _without_ok(answer: Answer) -> Answer:
    return {key: value for key, value in answer.items() if key != "ok"}


# --- one skill, with the keys that were recorded ------------------------------------


def _brutus(tree: PlantedTree, _library: Library, skill: Skill) -> Answer:
    return {
        "name": skill.name,
        "description": skill.description or "",
        "location": tree.unrooted(skill.path),
    }


def _opi(tree: PlantedTree, library: Library, skill: Skill) -> Answer:
    body = library.load(skill.name).output
    return {
        "name": skill.name,
        "description": skill.description,
        "skill_md_path": tree.unrooted(skill.path),
        "disable_model_invocation": skill.is_hidden,
        "layer_precedence": skill.root.precedence,
        "body_sha256": sha256(body.encode()).hexdigest(),
    }


def _shelley(tree: PlantedTree, _library: Library, skill: Skill) -> Answer:
    return {
        "name": skill.name,
        "description": skill.description,
        "path": tree.unrooted(skill.path),
        **skill.fields,
    }


def _batuta(_tree: PlantedTree, library: Library, skill: Skill) -> Answer:
    return {
        "name": skill.name,
        "description": skill.description,
        **{key: legible(value) for key, value in skill.fields.items()},
        "body_sha256": sha256(library.read_body(skill).encode()).hexdigest(),
    }


_SHAPES: Mapping[str, Callable[[PlantedTree, Library, Skill], Answer]] = {
    "batuta": _batuta,
    "brutus": _brutus,
    "opencode-spec": _brutus,
    "opi": _opi,
    "shelley": _shelley,
}
_LOCATED = ("name", "description", "location")
SHAPE_KEYS: Mapping[str, tuple[str, ...]] = {
    "batuta": ("name", "description", "when_to_use", "allowed_tools", "body_sha256"),
    "brutus": _LOCATED,
    "opencode-spec": _LOCATED,
    "opi": (
        "name",
        "description",
        "skill_md_path",
        "disable_model_invocation",
        "layer_precedence",
        "body_sha256",
    ),
    "shelley": (
        "name",
        "description",
        "path",
        "license",
        "compatibility",
        "allowed_tools",
        "metadata",
    ),
}


def _wanted(system: str, recorded: Iterable[Answer]) -> list[Answer]:
    keys = SHAPE_KEYS[system]
    return [{key: skill.get(key) for key in keys} for skill in recorded]


# --- what is the file system's to say -----------------------------------------------

_BY_FILE_SYSTEM = ("batuta", "opencode-spec")


def _as_recorded(tree: PlantedTree, system: str) -> Library:
    library = _with_recorded_winners(tree, tree.library(system))
    return _in_recorded_order(library, tree.recorded(system).get("skills", []))


def _with_recorded_winners(tree: PlantedTree, library: Library) -> Library:
    """`library`, with the recorded skill where one root holds a name twice.

    Only a skill that metier found too, under the winning root, can take the place.
    """
    system = library.dialect.name
    if system not in _BY_FILE_SYSTEM:
        return library
    shape = _SHAPES[system]
    wanted = _wanted(system, tree.recorded(system)["skills"])

    def settle(skill: Skill) -> Skill:
        rivals = [skill, *(lost for lost in _lost(library) if _is_tied(lost, skill))]
        return next((r for r in rivals if shape(tree, library, r) in wanted), skill)

    return replace(library, skills=tuple(settle(skill) for skill in library.skills))


def _lost(library: Library) -> Iterable[Skill]:
    return (shadowed.skill for shadowed in library.shadowed)


def _is_tied(skill: Skill, winner: Skill) -> bool:
    return (skill.name, skill.root.path) == (winner.name, winner.root.path)


def _in_recorded_order(library: Library, recorded: Iterable[Answer]) -> Library:
    """`library`, ordered as recorded where the file system ordered it."""
    if library.dialect.name not in _BY_FILE_SYSTEM:
        return library
    places = {skill["name"]: place for place, skill in enumerate(recorded)}
    ordered = sorted(library, key=lambda skill: places.get(skill.name, len(places)))
    return replace(library, skills=tuple(ordered))
