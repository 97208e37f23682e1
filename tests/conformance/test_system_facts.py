"""What the five systems' own tests demand of them holds for their dialects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conformance.facts import LEFT_OUT, answer, facts_to_run
from tests.conformance.loading import system_facts

RUN = [pytest.param(fact, id=fact["id"]) for fact in facts_to_run()]


@pytest.mark.parametrize("fact", RUN)
def test_a_dialect_does_what_the_tests_of_its_system_demand(
    fact: dict[str, Any], tmp_path: Path
):
    ours, theirs = answer(fact, tmp_path)
    assert ours == theirs


def test_every_fact_is_run_or_left_out_for_a_reason():
    known = [fact["id"] for fact in system_facts()]
    run = [fact["id"] for fact in facts_to_run()]
    assert sorted([*run, *LEFT_OUT]) == sorted(known)


def test_the_reasons_are_words():
    assert {reason for reason in LEFT_OUT.values() if not reason.isalnum()} == set()
