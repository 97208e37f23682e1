"""Every recorded tree holds for metier what it held for the real systems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from metier.cli import run
from tests.conformance.loading import SYSTEMS, plant_tree, system_trees
from tests.conformance.trees import PlantedTree, ask, questions

Planting = Callable[[dict[str, Any]], PlantedTree]

ASKED = [
    pytest.param(record, system, id=f"{record['seed']}-{system}")
    for record in system_trees()
    for system in SYSTEMS
]
ABORTED = [
    pytest.param(record, id=str(record["seed"]))
    for record in system_trees()
    if not record["res"]["opi"]["ok"]
]


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Planting:
    """Each tree once: nothing here writes into one."""
    trees: dict[int, PlantedTree] = {}

    def plant(record: dict[str, Any]) -> PlantedTree:
        seed = record["seed"]
        if seed not in trees:
            root = plant_tree(tmp_path_factory.mktemp("tree"), record)
            trees[seed] = PlantedTree(record, root)
        return trees[seed]

    return plant


@pytest.mark.parametrize(("record", "system"), ASKED)
def test_a_tree_holds_what_was_recorded(
    record: dict[str, Any], system: str, planted: Planting
):
    for question in questions(record, system):
        ours, theirs = ask(planted(record), system, question)
        assert ours == theirs, question


@pytest.mark.parametrize("record", ABORTED)
def test_where_opi_gives_up_there_is_no_catalog_but_its_error(
    record: dict[str, Any], planted: Planting, capfd: pytest.CaptureFixture[str]
):
    tree = planted(record)
    where = ["--cwd", str(tree.cwd), "--home", str(tree.home)]
    assert run(["catalog", "--dialect", "opi", *where]) == 1
    told = capfd.readouterr()
    stopper = tree.library("opi").aborted_by
    assert told.out == ""
    assert stopper is not None
    assert f"error: {stopper.message} [{stopper.rule}]" in told.err
