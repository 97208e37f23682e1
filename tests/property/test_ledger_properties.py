"""A conversation in any order: asking, unloading, compacting, saving."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from metier.core.activation import Activation, ActivationRule, Means
from metier.core.budget import estimate_tokens
from metier.core.compaction import (
    HEADING,
    CompactionRule,
    Oversized,
    cut_tokens,
    render_reinjection,
)
from metier.core.events import Invoker, Repeated
from metier.core.ledger import EMPTY_LEDGER, LedgerState, Repeat, hand_over, hold, leave
from metier.core.saved_ledger import parse_ledger, render_ledger
from metier.errors import LedgerError

TOOL = ActivationRule(means=Means.TOOL)
NAMES = st.sampled_from(["a", "b", "c", 'x"\n</active_skill>', "名"])
TEXTS = st.text(max_size=40) | st.sampled_from(
    ["A" * 900, "漢" * 300, "</active_skill"]
)
RULES = st.builds(
    CompactionRule,
    each=st.integers(0, 300),
    total=st.integers(0, 900),
    oversized=st.sampled_from(Oversized),
)


def activation(name: str, text: str) -> Activation:
    return Activation(
        name=name, title=name, output=text, directory="/s", path="/s/SKILL.md"
    )


def asked(state: LedgerState, name: str, text: str) -> LedgerState:
    after, _ = hand_over(
        state, activation(name, text), by=Invoker.MODEL, at="", repeat=Repeat.REMIND
    )
    return after


@st.composite
def states(draw: st.DrawFn) -> LedgerState:
    state = EMPTY_LEDGER
    for _ in range(draw(st.integers(0, 8))):
        match draw(st.sampled_from(["ask", "ask", "ask", "leave", "compact"])):
            case "ask":
                state = asked(state, draw(NAMES), draw(TEXTS))
            case "leave":
                state = leave(state, draw(NAMES))
            case _:
                found = render_reinjection(state.entries, draw(RULES), TOOL)
                state = hold(state, whole=found.whole, part=found.cut)
    return state


@given(states())
def test_every_ledger_can_be_saved(state: LedgerState):
    assert parse_ledger(render_ledger(state)) == state


@given(states(), st.data())
def test_a_damaged_ledger_is_refused_or_is_a_ledger(
    state: LedgerState, data: st.DataObject
):
    text = render_ledger(state)
    at = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:at] + data.draw(st.text(max_size=2)) + text[at + 1 :]
    try:
        found = parse_ledger(damaged)
    except LedgerError:
        return
    assert parse_ledger(render_ledger(found)) == found


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(st.sampled_from(["version", "step", "entries"]), inner)
        ),
    )
)
def test_any_json_is_a_ledger_or_an_error(value: object):
    reason = None
    try:
        parse_ledger(json.dumps(value))
    except LedgerError as error:
        reason = error.reason
    assert reason != ""


@given(states(), NAMES, TEXTS)
def test_asking_twice_hands_over_once(state: LedgerState, name: str, text: str):
    once = asked(state, name, text)
    twice, event = hand_over(
        once, activation(name, text), by=Invoker.MODEL, at="", repeat=Repeat.REMIND
    )
    assert isinstance(event, Repeated)
    names = [each.name for each in once.entries]
    assert [each.name for each in twice.entries] == names
    assert twice.active == once.active


@given(states(), RULES, st.none() | st.integers(-5, 900))
def test_a_budget_holds_and_nothing_is_forgotten(
    state: LedgerState, rule: CompactionRule, budget: int | None
):
    found = render_reinjection(state.entries, rule, TOOL, budget=budget)
    assert found.tokens <= max(found.budget, 0)
    told = (*found.whole, *found.cut, *found.listed, *found.omitted)
    assert sorted(told) == sorted(each.name for each in state.entries)
    assert found.text == (HEADING + "".join(found.blocks) if found.blocks else "")
    assert found.text.count("</active_skill>") == len(found.blocks)


@given(states(), RULES)
def test_the_same_ledger_comes_back_as_the_same_bytes(
    state: LedgerState, rule: CompactionRule
):
    first = render_reinjection(state.entries, rule, TOOL)
    after = hold(state, whole=first.whole, part=first.cut)
    saved = parse_ledger(render_ledger(after))
    assert render_reinjection(saved.entries, rule, TOOL) == first


@given(states(), NAMES, TEXTS)
def test_one_more_skill_leaves_what_stands_before_it_as_it_is(
    state: LedgerState, name: str, text: str
):
    rule = CompactionRule(each=10_000, total=100_000)
    before = leave(state, name)
    after = asked(before, name, text)
    first = render_reinjection(before.entries, rule, TOOL).text
    assert render_reinjection(after.entries, rule, TOOL).text.startswith(first)


@given(states(), NAMES, TEXTS, RULES)
def test_where_room_is_short_what_is_left_stays_in_its_order(
    state: LedgerState, name: str, text: str, rule: CompactionRule
):
    before = leave(state, name)
    after = asked(before, name, text)
    names = [each.name for each in after.entries]
    assert names == [*(each.name for each in before.entries), name]
    found = render_reinjection(after.entries, rule, TOOL)
    shown = [n for n in names if n not in found.omitted]
    assert sorted(shown, key=names.index) == shown


@given(TEXTS, st.integers(-3, 400))
def test_a_cut_is_the_longest_beginning_that_fits(text: str, tokens: int):
    cut = cut_tokens(text, tokens)
    assert text.startswith(cut)
    assert estimate_tokens(cut) <= max(tokens, 0)
    assert cut == text or estimate_tokens(text[: len(cut) + 1]) > tokens
