"""How far each dialect agrees with its system, measured now: data for the README.

`python -m tests.conformance.agreement` prints it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tests.conformance.facts import DIALECTS, answer, facts_to_run
from tests.conformance.loading import (
    CORPUS,
    SYSTEMS,
    corpus_cases,
    edge_cases,
    plant_tree,
    system_trees,
)
from tests.conformance.parsing import memory_answers
from tests.conformance.trees import PlantedTree, ask, questions


class Agreement(NamedTuple):
    """In how many of the recorded cases metier answers as the system did."""

    agreed: int
    total: int
    what: str


def agreement() -> dict[str, Agreement]:
    """What was measured for each dialect; without the corpus, it is not counted."""
    return {system: _summed(_counts(system)) for system in SYSTEMS}


def _summed(counts: Mapping[str, list[bool]]) -> Agreement:
    counts = {kind: results for kind, results in counts.items() if results}
    return Agreement(
        agreed=sum(map(sum, counts.values())),
        total=sum(map(len, counts.values())),
        what=", ".join(f"{len(results):,} {kind}" for kind, results in counts.items()),
    )


def _counts(system: str) -> dict[str, list[bool]]:
    return {
        "hand-made files": [
            _is_agreed(memory_answers(case, system)) for case in edge_cases()
        ],
        "real files": list(_real_files(system)),
        "trees": [_is_tree_agreed(record, system) for record in system_trees()],
        "facts of its own tests": list(_facts(system)),
    }


def _is_agreed(pair: tuple[Any, Any]) -> bool:
    ours, theirs = pair
    return bool(ours == theirs)


def _real_files(system: str) -> Iterator[bool]:
    if CORPUS.exists():
        yield from (_is_agreed(memory_answers(case, system)) for case in corpus_cases())


def _is_tree_agreed(record: Mapping[str, Any], system: str) -> bool:
    with TemporaryDirectory() as folder:
        tree = PlantedTree(record, plant_tree(Path(folder).resolve(), record))
        asked = questions(record, system)
        return all(_is_agreed(ask(tree, system, question)) for question in asked)


def _facts(system: str) -> Iterator[bool]:
    for fact in facts_to_run():
        if DIALECTS[fact["system"]] == system:
            with TemporaryDirectory() as folder:
                yield _is_agreed(answer(fact, Path(folder).resolve()))


if __name__ == "__main__":
    for dialect, measured in agreement().items():
        print(dialect, *measured, sep="\t")  # noqa: T201 - that is what it is for
