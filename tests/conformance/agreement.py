"""How far each dialect agrees with its system, measured now: data for the README.

`python -m tests.conformance.agreement` prints it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.conformance.facts import DIALECTS, answer, facts_to_run
from tests.conformance.loading import (
    CORPUS,
    SYSTEMS,
    FileCase,
    corpus_cases,
    edge_cases,
    plant_tree,
    system_trees,
)
from tests.conformance.parsing import Pair, memory_answers
from tests.conformance.trees import PlantedTree, ask, questions


class Agreement(NamedTuple):
    """In how many of the recorded cases metier answers as the system did."""

    agreed: int
    total: int
    what: str


def agreement() -> dict[str, Agreement]:
    """What was measured for each dialect; without the corpus, it is not counted."""
    trees, facts = _trees(), _facts()
    return {
        system: _summed(
            {
                "hand-made files": _files(edge_cases(), system),
                "real files": _files(_real_cases(), system),
                "trees": trees[system],
                "facts of its own tests": facts[system],
            }
        )
        for system in SYSTEMS
    }


def _summed(counts: Mapping[str, list[bool]]) -> Agreement:
    counts = {kind: results for kind, results in counts.items() if results}
    return Agreement(
        agreed=sum(map(sum, counts.values())),
        total=sum(map(len, counts.values())),
        what=", ".join(f"{len(results):,} {kind}" for kind, results in counts.items()),
    )


def _files(cases: Iterable[FileCase], system: str) -> list[bool]:
    return [_is_agreed(memory_answers(case, system)) for case in cases]


@cache
def _real_cases() -> tuple[FileCase, ...]:
    return tuple(corpus_cases()) if CORPUS.exists() else ()


def _trees() -> dict[str, list[bool]]:
    results: dict[str, list[bool]] = {system: [] for system in SYSTEMS}
    for record in system_trees():
        with TemporaryDirectory() as folder:
            tree = PlantedTree(record, plant_tree(Path(folder).resolve(), record))
            for system, found in results.items():
                asked = questions(record, system)
                found.append(all(_is_agreed(ask(tree, system, q)) for q in asked))
    return results


def _facts() -> dict[str, list[bool]]:
    results: dict[str, list[bool]] = {system: [] for system in SYSTEMS}
    for fact in facts_to_run():
        with TemporaryDirectory() as folder:
            agreed = _is_agreed(answer(fact, Path(folder).resolve()))
        results[DIALECTS[fact["system"]]].append(agreed)
    return results


def _is_agreed(pair: Pair) -> bool:
    ours, theirs = pair
    return bool(ours == theirs)


if __name__ == "__main__":
    for dialect, measured in agreement().items():
        print(dialect, *measured, sep="\t")  # noqa: T201 - that is what it is for
