"""How far each dialect agrees with its agent, measured now.

`python -m tests.conformance.agreement` writes it into the package, where `metier hosts`
and the table of the README have it from.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from metier.world.dialects import Agreed, dialect_names
from tests.conformance.agents import file_pair, recorded_agents, tree_pair
from tests.conformance.facts import DIALECTS, answer, facts_to_run
from tests.conformance.loading import (
    CORPUS,
    REPOSITORY,
    SYSTEMS,
    FileCase,
    agent_trees,
    corpus_cases,
    edge_cases,
    plant_tree,
    system_trees,
)
from tests.conformance.parsing import Pair, memory_answers
from tests.conformance.trees import PlantedTree, ask, questions

FILE = REPOSITORY / "src" / "metier" / "dialects" / "agreement.json"
Counts = dict[str, Agreed]


def agreement() -> dict[str, Counts]:
    """What was measured for each dialect, by the kind of the cases."""
    kinds = {
        "edge": _files("edge", edge_cases()),
        "corpus": _files("corpus", _real_cases()),
        "trees": _system_trees() | _agent_trees(),
        "facts": _facts(),
    }
    return {
        name: counts
        for name in dialect_names()
        if (
            counts := {
                k: _counted(found[name])
                for k, found in kinds.items()
                if found.get(name)
            }
        )
    }


Results = dict[str, list[bool]]


def _counted(results: list[bool]) -> Agreed:
    return Agreed(sum(results), len(results))


@cache
def _real_cases() -> tuple[FileCase, ...]:
    return tuple(corpus_cases()) if CORPUS.exists() else ()


def _files(kind: str, cases: Iterable[FileCase]) -> Results:
    agents = recorded_agents(kind)
    results: Results = {name: [] for name in (*SYSTEMS, *agents)}
    for case in cases:
        for system in SYSTEMS:
            results[system].append(_is_agreed(memory_answers(case, system)))
        for name in agents:
            if pair := file_pair(case, name, kind):
                results[name].append(_is_agreed(pair))
    return results


def _system_trees() -> Results:
    results: Results = {system: [] for system in SYSTEMS}
    for record in system_trees():
        with TemporaryDirectory() as folder:
            tree = PlantedTree(record, plant_tree(Path(folder).resolve(), record))
            for system, found in results.items():
                asked = questions(record, system)
                found.append(all(_is_agreed(ask(tree, system, q)) for q in asked))
    return results


def _agent_trees() -> Results:
    results: Results = {name: [] for name in recorded_agents("trees")}
    for record in agent_trees():
        with TemporaryDirectory() as folder:
            root = plant_tree(Path(folder).resolve(), record)
            for name, found in results.items():
                if pair := tree_pair(record, root, name):
                    found.append(_is_agreed(pair))
    return results


def _facts() -> Results:
    results: Results = {system: [] for system in SYSTEMS}
    for fact in facts_to_run():
        with TemporaryDirectory() as folder:
            agreed = _is_agreed(answer(fact, Path(folder).resolve()))
        results[DIALECTS[fact["system"]]].append(agreed)
    return results


def _is_agreed(pair: Pair) -> bool:
    ours, theirs = pair
    return bool(ours == theirs)


def written() -> dict[str, dict[str, list[int]]]:
    """What stands in the package now."""
    return json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}


def merged(measured: Mapping[str, Counts]) -> str:
    """The file with what was measured; what could not be, stays as it stands there."""
    before = written()
    lines = []
    for name, counts in measured.items():
        kept = {} if CORPUS.exists() else _only_corpus(before.get(name, {}))
        found = {**kept, **{kind: list(each) for kind, each in counts.items()}}
        ordered = {kind: found[kind] for kind in sorted(found)}
        lines.append(f"  {json.dumps(name)}: {json.dumps(ordered)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _only_corpus(counts: Mapping[str, list[int]]) -> dict[str, list[int]]:
    return {kind: each for kind, each in counts.items() if kind == "corpus"}


if __name__ == "__main__":
    FILE.write_text(merged(agreement()), "utf-8")
