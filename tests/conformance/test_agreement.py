"""What the package says of its agreement is what the recorded cases say.

That every case but the known differences agrees is what the tests beside this one hold;
here are the numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from metier.world.dialects import Agreed, dialect_names, load_agreement, load_dialect
from tests.conformance import agreement
from tests.conformance.agents import recorded_agents
from tests.conformance.facts import DIALECTS, facts_to_run
from tests.conformance.loading import (
    CORPUS,
    SYSTEMS,
    FileCase,
    agent_trees,
    corpus_cases,
    edge_cases,
    system_trees,
)


def file_counts(kind: str, cases: tuple[FileCase, ...]) -> Mapping[str, int]:
    counts = Counter[str](dict.fromkeys(SYSTEMS, len(cases)))
    for name in recorded_agents(kind):
        column = getattr(load_dialect(name).recordings, kind)
        counts[name] += sum(case.outcomes.get(column) is not None for case in cases)
    return counts


def tree_count(name: str) -> int:
    column = load_dialect(name).recordings.trees
    return sum(column in record["res"] for record in agent_trees())


def recorded() -> dict[str, Mapping[str, int]]:
    """How many cases there are of each kind, for each dialect."""
    trees = dict.fromkeys(SYSTEMS, len(system_trees()))
    trees |= {name: tree_count(name) for name in recorded_agents("trees")}
    facts = Counter(DIALECTS[fact["system"]] for fact in facts_to_run())
    found = {"edge": file_counts("edge", edge_cases()), "trees": trees, "facts": facts}
    if CORPUS.exists():
        found["corpus"] = file_counts("corpus", tuple(corpus_cases()))
    return found


def test_the_numbers_in_the_package_are_about_every_recorded_case():
    measured = load_agreement()
    for kind, counts in recorded().items():
        told = {name: kinds[kind] for name, kinds in measured.items() if kind in kinds}
        assert told == {
            name: Agreed(total - known(name, kind), total)
            for name, total in counts.items()
            if total
        }, f"{kind}: run `make docs`"


def known(name: str, kind: str) -> int:
    cases = (each.case for each in load_dialect(name).differences)
    return sum(case.startswith(f"{kind}:") for case in cases)


def test_a_dialect_without_recordings_has_no_numbers():
    recorded_ones = {*SYSTEMS}
    for kind in ("edge", "corpus", "trees"):
        recorded_ones |= {*recorded_agents(kind)}
    assert set(load_agreement()) == recorded_ones & {*dialect_names()}


def test_without_the_real_files_their_numbers_stay(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
):
    folder = tmp_path_factory.mktemp("package")
    monkeypatch.setattr(agreement, "FILE", folder / "agreement.json")
    monkeypatch.setattr(agreement, "CORPUS", folder / "absent")
    agreement.FILE.write_text('{"a": {"corpus": [4, 5], "edge": [0, 1]}}', "utf-8")
    assert agreement.merged({"a": {"edge": Agreed(2, 2)}, "b": {}}) == (
        '{\n  "a": {"corpus": [4, 5], "edge": [2, 2]},\n  "b": {}\n}\n'
    )
