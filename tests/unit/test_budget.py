from __future__ import annotations

import pytest

from metier.core.budget import (
    Budget,
    BudgetOrigin,
    BudgetRule,
    Measure,
    measure_text,
    resolve_budget,
    running_costs,
)

QUARTERS, CHARACTERS = Measure.QUARTER_BYTES, Measure.CHARACTERS
# A share in tokens, capped, and characters where the window is not known.
IN_TOKENS = BudgetRule(
    share=0.02, measure=QUARTERS, most=5_000, fixed=8_000, caller_most=10_000
)
IN_CHARACTERS = BudgetRule(share=0.01, measure=CHARACTERS, fixed=8_000)
FIXED = Budget(amount=8_000, measure=CHARACTERS, origin=BudgetOrigin.FIXED)


@pytest.mark.parametrize(
    ("rule", "given", "budget"),
    [
        pytest.param(BudgetRule(), {}, None, id="none"),
        pytest.param(BudgetRule(), {"window": 1_000}, None, id="no use for a window"),
        pytest.param(BudgetRule(), {"tokens": 7}, Budget(amount=7), id="the caller's"),
        pytest.param(IN_TOKENS, {}, FIXED, id="an unknown window"),
        pytest.param(
            IN_TOKENS,
            {"window": 200_000},
            Budget(amount=4_000, measure=QUARTERS, origin=BudgetOrigin.WINDOW),
            id="a share in tokens",
        ),
        pytest.param(
            IN_TOKENS,
            {"window": 1_000_000},
            Budget(amount=5_000, measure=QUARTERS, origin=BudgetOrigin.WINDOW),
            id="a share, capped",
        ),
        pytest.param(
            IN_TOKENS,
            {"tokens": 20_000, "window": 200_000},
            Budget(amount=10_000, measure=QUARTERS),
            id="the caller's, capped",
        ),
        pytest.param(
            IN_CHARACTERS,
            {"window": 200_000},
            Budget(amount=8_000, measure=CHARACTERS, origin=BudgetOrigin.WINDOW),
            id="a share in characters",
        ),
        pytest.param(
            IN_CHARACTERS,
            {"tokens": 100},
            Budget(amount=400, measure=CHARACTERS),
            id="tokens as characters",
        ),
        pytest.param(
            BudgetRule(share=0.01, measure=Measure.COLUMNS),
            {"window": 200_000},
            Budget(amount=8_000, measure=Measure.COLUMNS, origin=BudgetOrigin.WINDOW),
            id="a share in columns",
        ),
    ],
)
def test_the_caller_counts_before_the_window_and_that_before_a_fixed_number(
    rule: BudgetRule, given: dict[str, int], budget: Budget | None
):
    assert resolve_budget(rule, **given) == budget


@pytest.mark.parametrize(
    ("measure", "size"),
    [
        (Measure.ESTIMATED_TOKENS, 4),
        (Measure.QUARTER_BYTES, 3),
        (Measure.CHARACTERS, 7),
        (Measure.BYTES, 11),
        (Measure.UTF16, 7),
    ],
)
def test_a_text_is_measured_as_the_agent_does(measure: Measure, size: int):
    assert measure_text("ABCDE日本", measure) == size
    assert measure_text("", measure) == 0


def test_to_javascript_some_characters_are_two():
    assert measure_text("a\U0001f52cb", Measure.UTF16) == 4
    budget = resolve_budget(BudgetRule(measure=Measure.UTF16), tokens=5)
    assert budget == Budget(amount=20, measure=Measure.UTF16)


def test_ascii_takes_as_many_bytes_as_characters():
    assert measure_text("a" * 9, Measure.BYTES) == 9
    assert measure_text("a" * 9, Measure.QUARTER_BYTES) == 3


@pytest.mark.parametrize("measure", Measure)
def test_what_is_added_bit_by_bit_costs_what_the_whole_does(measure: Measure):
    parts = ("a", "日本", "", "é", "\U0001f52c", "bcdefg", "x" * 9)
    wholes = ["start" + "".join(parts[: n + 1]) for n in range(len(parts))]
    costs = [measure_text(whole, measure) for whole in wholes]
    assert [*running_costs("start", parts, measure)] == costs
