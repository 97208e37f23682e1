from __future__ import annotations

import time
from typing import Any

import pytest

from metier.core.permission import (
    Action,
    Decision,
    Rule,
    Ruleset,
    Withdrawal,
    as_ruleset,
    is_match,
    parse_rules,
    parse_skill_rules,
)
from metier.diagnostics import Diagnostic, Severity
from metier.errors import ConfigError


def rules(config: dict[str, object]) -> Ruleset:
    ruleset, diagnostics = parse_rules(config)
    assert diagnostics == ()
    return ruleset


def test_the_last_rule_does_not_look_at_the_default():
    nothing = Ruleset(default=Action.DENY)
    assert not nothing.is_withdrawn("skill", withdrawal=Withdrawal.LAST_RULE)


@pytest.mark.parametrize(
    ("config", "withdrawn"),
    [
        ({"*": "deny"}, True),
        ({"*": "deny", "hidden": "deny"}, True),
        ({"*": "deny", "x": "ask"}, False),
        ({"x": "allow", "*": "deny"}, True),
        ({"hidden": "deny"}, False),
        ({}, False),
    ],
)
def test_a_tool_is_withdrawn_when_nothing_is_left_to_do_with_it(
    config: dict[str, object], withdrawn: bool
):
    ruleset, _ = parse_skill_rules(config)
    assert ruleset.is_withdrawn("skill") is withdrawn


def test_a_default_of_deny_leaves_nothing():
    assert Ruleset(default=Action.DENY).is_withdrawn("skill")


def test_rules_about_another_permission_withdraw_nothing():
    assert not rules({"bash": "deny"}).is_withdrawn("skill")


def test_the_last_matching_rule_wins():
    ruleset = rules({"skill": {"*": "deny", "code-*": "allow", "pdf": "ask"}})
    assert ruleset.evaluate("skill", "code-review") == Decision(
        action=Action.ALLOW,
        rule=Rule(permission="skill", pattern="code-*", action=Action.ALLOW),
        permission="skill",
        subject="code-review",
    )


def test_without_a_matching_rule_the_default_answers():
    decision = Ruleset().evaluate("skill", "pdf")
    assert decision == Decision(
        action=Action.ASK, rule=None, permission="skill", subject="pdf"
    )
    assert decision.reason == "no rule matched, the default is ask"


def test_a_decision_says_which_rule_made_it():
    ruleset, _ = parse_skill_rules({"deploy-*": "deny"})
    decision = ruleset.evaluate("skill", "deploy-production")
    assert decision.reason == "`deploy-*: deny` decided"


def test_a_decision_says_where_the_rule_was_written():
    ruleset, _ = parse_skill_rules({"deploy-*": "deny"}, origin="agent.json")
    decision = ruleset.evaluate("skill", "deploy-production")
    assert decision.reason == "`deploy-*: deny` decided (agent.json)"


def test_allow_all_never_asks():
    assert Ruleset.allow_all().evaluate("x", "y").action is Action.ALLOW


def test_merged_rules_have_the_last_word_and_keep_the_default():
    both = Ruleset.allow_all().merged(rules({"skill": {"x": "deny"}}))
    assert both.evaluate("skill", "x").action is Action.DENY
    assert both.evaluate("skill", "y").action is Action.ALLOW


def test_the_short_form_is_about_skills():
    ruleset, diagnostics = parse_skill_rules({"code-review": "allow", "x-*": "deny"})
    assert diagnostics == ()
    assert ruleset == rules({"skill": {"code-review": "allow", "x-*": "deny"}})


def test_a_key_that_is_a_number_names_the_skill_of_that_name():
    config: Any = {"skill": {10: "deny"}}
    assert rules(config).evaluate("skill", "10").action is Action.DENY


def test_a_value_that_is_no_action_costs_that_rule_alone():
    config = {"skill": {"a": "allow", "deploy-*": "dney", "b": "deny"}}
    ruleset, diagnostics = parse_rules(config, origin="agent.json")
    assert [rule.pattern for rule in ruleset.rules] == ["a", "b"]
    assert diagnostics == (
        Diagnostic(
            rule="permission-invalid",
            severity=Severity.ERROR,
            message="`dney` is no action, in the `skill` rule for `deploy-*`",
            path="agent.json",
            help="did you mean `deny`?",
        ),
    )


@pytest.mark.parametrize(
    ("value", "help_text"),
    [
        ("Allow ", "did you mean `allow`?"),
        ("aks", "did you mean `ask`?"),
        ("perhaps", "write `allow`, `ask` or `deny`"),
        (True, "write `allow`, `ask` or `deny`"),
        (None, "write `allow`, `ask` or `deny`"),
        (["deny"], "write `allow`, `ask` or `deny`"),
    ],
)
def test_the_help_says_what_to_write(value: object, help_text: str):
    ruleset, diagnostics = parse_rules({"bash": value})
    assert ruleset.rules == ()
    assert [finding.help for finding in diagnostics] == [help_text]


def test_a_rule_within_a_rule_is_no_action():
    _, diagnostics = parse_skill_rules({"x": {"y": "deny"}})
    assert [finding.rule for finding in diagnostics] == ["permission-invalid"]


def test_a_huge_value_is_shown_in_part():
    _, (finding,) = parse_rules({"bash": "x" * 10_000})
    assert len(finding.message) < 200


@pytest.mark.parametrize("pattern", ["~", "~/x", "$HOME", "$HOME/x"])
def test_without_a_home_folder_nothing_is_expanded(pattern: str):
    ruleset, _ = parse_skill_rules({pattern: "allow"})
    assert [rule.pattern for rule in ruleset.rules] == [pattern]


@pytest.mark.parametrize("pattern", ["~user/x", "$HOMEBREW/x", "a~", "/$HOME"])
def test_only_a_whole_home_sign_is_expanded(pattern: str):
    ruleset, _ = parse_skill_rules({pattern: "allow"}, home="/home/me")
    assert [rule.pattern for rule in ruleset.rules] == [pattern]


@pytest.mark.parametrize(
    ("subject", "pattern", "matched"),
    [
        ("a\nb", "a*b", True),
        ("a\nb", "a?b", True),
        ("ab", "a?b", False),
        ("ab\n", "ab", False),
        ("", "*", True),
        ("", "", True),
        ("", "?", False),
        ("", " *", True),
        ("[a]", "[a]", True),
        ("a", "[a]", False),
        ("[!x]^&|~", "[!x]^&|~", True),
        ("😀", "?", True),
        ("a/b", "a\\b", True),
        ("a\\b", "a/b", True),
        ("A", "a", False),
        ("a*b", "a**b", True),
        ("ls ", "ls *", True),
        ("ls", "ls  *", False),
        ("deploy-x", "deploy-", False),
        ("x-deploy-", "deploy-*", False),
    ],
)
def test_wildcards_are_literal_but_for_two_signs(
    subject: str, pattern: str, matched: bool
):
    assert is_match(subject, pattern) is matched


@pytest.mark.parametrize(
    ("subject", "pattern"),
    [
        ("a" * 5_000, "*a" * 200 + "b"),
        ("a" * 5_000, "*a?" * 200 + "b *"),
        ("a" * 100_000, "*" * 10_000 + "b"),
        ("ab" * 50_000, "*" + "ab" * 200 + "c*"),
    ],
)
def test_a_hostile_pattern_costs_little(subject: str, pattern: str):
    started = time.process_time()
    assert not is_match(subject, pattern)
    assert time.process_time() - started < 1


def test_a_pattern_of_two_hundred_stars_still_matches():
    assert is_match("a" * 5_000, "*a" * 200)


@pytest.mark.parametrize("given", ["deny", [("*", "deny")], Action.DENY])
def test_rules_that_are_no_mapping_are_refused(given: Any):
    with pytest.raises(ConfigError, match="rules are a mapping"):
        as_ruleset(given, Action.ALLOW)
