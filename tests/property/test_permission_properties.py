from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from metier.core.permission import Action, Rule, Ruleset, is_match, parse_rules

TEXTS = st.text("ab \n/\\[]!-^.*?", max_size=10)
PATTERNS = st.text("ab \n/\\[]!-^.***??", max_size=8)
ACTIONS = st.sampled_from(Action)
RULES = st.builds(Rule, permission=PATTERNS, pattern=PATTERNS, action=ACTIONS)
RULESETS = st.builds(
    Ruleset, rules=st.lists(RULES, max_size=6).map(tuple), default=ACTIONS
)


def slow_match(subject: str, pattern: str) -> bool:
    """The meaning, spelled out one character at a time."""
    subject, pattern = subject.replace("\\", "/"), pattern.replace("\\", "/")

    @cache
    def covers(s: int, p: int) -> bool:
        if p == len(pattern):
            return s == len(subject)
        if pattern[p] == "*":
            return covers(s, p + 1) or (s < len(subject) and covers(s + 1, p))
        if s == len(subject):
            return False
        return pattern[p] in ("?", subject[s]) and covers(s + 1, p + 1)

    if covers(0, 0):
        return True
    return pattern.endswith(" *") and slow_match_exactly(subject, pattern[:-2])


def slow_match_exactly(subject: str, pattern: str) -> bool:
    # A second ` *` must not be dropped as well: `a * *` does not cover `a`.
    return slow_match(subject + "\0", pattern + "\0")


@given(TEXTS, PATTERNS)
def test_wildcards_agree_with_a_slow_oracle(subject: str, pattern: str):
    assert is_match(subject, pattern) is slow_match(subject, pattern)


@given(st.text(max_size=20))
def test_a_star_covers_everything(subject: str):
    assert is_match(subject, "*")


@given(st.text(st.characters(exclude_characters="*?"), max_size=20))
def test_a_text_without_signs_covers_itself(subject: str):
    assert is_match(subject, subject)


@given(st.text("ab \n/[]!-^.", max_size=20), st.data())
def test_a_question_mark_stands_for_any_one_character(
    subject: str, data: st.DataObject
):
    mask = data.draw(st.lists(st.booleans(), min_size=20, max_size=20))
    pairs = zip(subject, mask, strict=False)
    pattern = "".join("?" if hidden else char for char, hidden in pairs)
    assert is_match(subject, pattern)
    assert not is_match(subject, pattern + "?")


@given(RULESETS, TEXTS, TEXTS)
def test_no_rule_after_the_one_that_decided_matches(
    ruleset: Ruleset, permission: str, subject: str
):
    decision = ruleset.evaluate(permission, subject)
    matching = [
        rule
        for rule in ruleset.rules
        if slow_match(permission, rule.permission) and slow_match(subject, rule.pattern)
    ]
    assert decision.rule == (matching[-1] if matching else None)
    expected = matching[-1].action if matching else ruleset.default
    assert decision.action is expected


@given(RULESETS, RULESETS, TEXTS, TEXTS)
def test_in_a_merged_set_the_second_set_decides_what_it_knows(
    first: Ruleset, second: Ruleset, permission: str, subject: str
):
    merged = first.merged(second).evaluate(permission, subject)
    of_second = second.evaluate(permission, subject)
    wanted = of_second if of_second.rule else first.evaluate(permission, subject)
    assert merged == wanted


@given(RULESETS, TEXTS)
def test_a_withdrawn_permission_denies_every_subject(ruleset: Ruleset, subject: str):
    if ruleset.is_withdrawn("skill"):
        assert ruleset.evaluate("skill", subject).action is Action.DENY


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
VALUES = JSON | st.sampled_from(["allow", "ask", "deny"])


@given(st.dictionaries(st.text(max_size=4), VALUES, max_size=4))
def test_every_entry_becomes_a_rule_or_a_finding(config: dict[str, object]):
    ruleset, diagnostics = parse_rules(config)
    entries = sum(len(v) if isinstance(v, dict) else 1 for v in config.values())
    assert len(ruleset.rules) + len(diagnostics) == entries
