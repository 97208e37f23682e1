"""Every recorded file and tree is for metier what it was for the agents."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.agents import (
    differing,
    known_differences,
    recorded_agents,
    tree_pair,
)
from tests.conformance.loading import (
    CORPUS,
    FileCase,
    agent_trees,
    corpus_cases,
    edge_cases,
    plant_tree,
)


@pytest.fixture(scope="module")
def corpus() -> tuple[FileCase, ...]:
    if not CORPUS.exists():
        pytest.skip(f"the corpus of real skills is not at {CORPUS}")
    return tuple(corpus_cases())


@pytest.mark.parametrize("dialect", recorded_agents("edge"))
def test_an_odd_file_is_to_each_agent_what_was_recorded(dialect: str):
    assert differing(edge_cases(), dialect, "edge") == {}


@pytest.mark.parametrize("dialect", recorded_agents("corpus"))
def test_a_real_file_is_to_each_agent_what_was_recorded(
    dialect: str, corpus: tuple[FileCase, ...]
):
    assert differing(corpus, dialect, "corpus") == {}


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return [
        (record, plant_tree(tmp_path_factory.mktemp("tree"), record))
        for record in agent_trees()
    ]


@pytest.mark.parametrize("dialect", recorded_agents("trees"))
def test_a_tree_holds_for_each_agent_what_was_recorded(dialect: str, planted: Any):
    known = known_differences(dialect)
    wrong = {}
    for record, root in planted:
        pair, seed = tree_pair(record, root, dialect), record["spec"]["seed"]
        if pair and pair[0] != pair[1] and f"trees:{seed}" not in known:
            wrong[seed] = pair
    assert wrong == {}
