from __future__ import annotations

import pytest

from metier.core.allowance import (
    Allowance,
    Grant,
    Ruling,
    ToolCall,
    Verdict,
    decide_call,
    is_covered,
    judge_call,
    parse_grant,
    parse_grants,
)
from metier.core.permission import Action, Decision, Rule, Ruleset, ToolReading
from metier.core.tools import split_tools

GIT = ToolCall(tool="Bash", subject="git add .")


def active(*entries: str, skill: str = "release") -> list[Allowance]:
    return [Allowance(skill=skill, grants=parse_grants(entries))]


def policy(action: Action, rule: Rule | None = None) -> Decision:
    return Decision(action=action, rule=rule, permission="Bash", subject="git add .")


ASKED = Rule(permission="bash", pattern="git *", action=Action.ASK)
ALLOWED = Rule(permission="bash", pattern="git *", action=Action.ALLOW)


@pytest.mark.parametrize(
    ("entry", "grant"),
    [
        ("Read", Grant(tool="Read")),
        (" Read ", Grant(tool="Read")),
        ("*", Grant(tool="*")),
        ("Bash()", Grant(tool="Bash")),
        ("Bash(*)", Grant(tool="Bash")),
        ("Bash(git add *)", Grant(tool="Bash", pattern="git add *")),
        ("Bash(echo (a) (b))", Grant(tool="Bash", pattern="echo (a) (b)")),
        ("Bash(git", Grant(tool="Bash(git")),
        ('"Read"', Grant(tool="Read")),
        ("'Bash(git *)'", Grant(tool="Bash", pattern="git *")),
    ],
)
def test_an_entry_names_a_tool_or_some_of_its_calls(entry: str, grant: Grant):
    assert parse_grant(entry) == grant


def test_a_list_is_cut_outside_of_parentheses():
    entries = split_tools("Bash(git add *), Read Bash(echo ')':*)")
    assert list(map(str, parse_grants(entries))) == [
        "Bash(git add *)",
        "Read",
        "Bash(echo ')':*)",
    ]


def test_parentheses_by_themselves_narrow_the_tool_before_them():
    entries = split_tools("(ls) Bash (git:*), Read")
    assert list(map(str, parse_grants(entries))) == ["(ls)", "Bash(git:*)", "Read"]


@pytest.mark.parametrize(
    ("entry", "call"),
    [
        ("Read", "Read"),
        ("read", "Read"),
        ("Read", "Read(/etc/passwd)"),
        ("*", "Anything"),
        ("mcp__github__*", "mcp__github__list"),
        ("Bash(git add *)", "Bash(git add .)"),
        ("Bash(git add *)", "Bash(git add)"),
        ("Bash(git:*)", "Bash(git)"),
        ("Bash(git:*)", "Bash(git status -s)"),
        ("Bash(git diff HEAD..main)", "Bash(git diff HEAD..main)"),
        ("Bash(git diff *)", "Bash(git diff HEAD..main)"),
        ("Bash(make && make test)", "Bash(make && make test)"),
        ("Read(src/*)", "Read(src/a/b.py)"),
        ("Read(src/[ab].py)", "Read(src/[ab].py)"),
        ("WebFetch(domain:example.com)", "WebFetch(https://Example.com/a?b=1&c=2)"),
        ("WebFetch(domain:*.example.com)", "WebFetch(https://a.example.com)"),
    ],
)
def test_a_grant_covers_the_calls_it_is_about(entry: str, call: str):
    made = parse_grant(call)
    asked = ToolCall(tool=made.tool, subject=made.pattern)
    assert is_covered(asked, parse_grant(entry))


@pytest.mark.parametrize(
    ("entry", "call"),
    [
        ("Read", "Write"),
        ("Bash(git *)", "Bash"),
        ("Bash(git *)", "Bash(gitk)"),
        ("Bash(git:*)", "Bash(github)"),
        ("Bash(git add *)", "Bash(git push)"),
        ("Bash(git add *)", "Bash(git add . && rm -rf /)"),
        ("Bash(git add *)", "Bash(git add .; rm -rf /)"),
        ("Bash(git add *)", "Bash(git add $(rm -rf /))"),
        ("Bash(git add *)", "Bash(git add `rm -rf /`)"),
        ("Bash(git add *)", "Bash(git add .\nrm -rf /)"),
        ("Bash(git log *)", "Bash(git log > /etc/passwd)"),
        ("Read(src/*)", "Read(src/../../etc/passwd)"),
        ("Read(src/*)", "Read(src/..)"),
        ("Bash(cat *)", "Bash(cat ../secret)"),
        ("Read(src/[ab].py)", "Read(src/a.py)"),
        ("WebFetch(domain:example.com)", "WebFetch(https://evil.com/example.com)"),
        ("WebFetch(domain:example.com)", "WebFetch(https://example.com@evil.com)"),
        ("WebFetch(domain:example.com)", "WebFetch(http://[)"),
        ("WebFetch(domain:example.com)", "WebFetch(example.com)"),
        ("WebFetch(domain:example.com)", "WebFetch(//example.com)"),
        ("WebFetch(domain:example.com)", "WebFetch(file://example.com/etc/passwd)"),
        ("WebFetch(domain:example.com)", "WebFetch(https://evil.com\\@example.com)"),
        ("WebFetch(domain:example.com)", "WebFetch(https://example.com\t.evil.com)"),
        ("Bash(git", "Bash(git status)"),
    ],
)
def test_a_grant_covers_nothing_else(entry: str, call: str):
    made = parse_grant(call)
    asked = ToolCall(tool=made.tool, subject=made.pattern)
    assert not is_covered(asked, parse_grant(entry))


def test_a_listed_call_needs_no_question():
    assert decide_call(GIT, active("Read", "Bash(git *)")) == Ruling(
        verdict=Verdict.PREAPPROVED,
        call=GIT,
        because="`release` lists `Bash(git *)`",
        skill="release",
        grant=Grant(tool="Bash", pattern="git *"),
    )


def test_a_call_that_nobody_lists_is_a_question():
    ruling = decide_call(GIT, active("Read"))
    assert (ruling.verdict, ruling.because) == (
        Verdict.ASK,
        "no active skill lists it",
    )


def test_as_a_restriction_a_call_that_nobody_lists_is_denied():
    ruling = decide_call(GIT, active("Read"), reading=ToolReading.RESTRICTION)
    assert (ruling.verdict, ruling.because) == (
        Verdict.DENIED,
        "no active skill lists it: `release`",
    )


def test_an_empty_list_restricts_to_nothing():
    ruling = decide_call(GIT, active(), reading=ToolReading.RESTRICTION)
    assert ruling.verdict is Verdict.DENIED


def test_a_skill_without_the_field_restricts_nothing():
    silent = [Allowance(skill="silent", grants=None)]
    ruling = decide_call(GIT, silent, reading=ToolReading.RESTRICTION)
    assert ruling.verdict is Verdict.ASK


def test_no_skill_allows_what_the_policy_denies():
    denied = policy(Action.DENY)
    assert decide_call(GIT, active("*"), policy=denied) == Ruling(
        verdict=Verdict.DENIED,
        call=GIT,
        because="the user's policy: no rule matched, the default is deny",
    )


def test_no_skill_answers_what_the_policy_wants_to_be_asked():
    ruling = decide_call(GIT, active("*"), policy=policy(Action.ASK, ASKED))
    assert (ruling.verdict, ruling.because) == (
        Verdict.ASK,
        "the user's policy: `git *: ask` decided",
    )


def test_a_skill_answers_where_the_policy_only_has_a_default():
    ruling = decide_call(GIT, active("Bash"), policy=policy(Action.ASK))
    assert ruling.verdict is Verdict.PREAPPROVED


@pytest.mark.parametrize("rule", [None, ALLOWED])
def test_what_the_policy_allows_needs_no_skill(rule: Rule | None):
    ruling = decide_call(GIT, active("Read"), policy=policy(Action.ALLOW, rule))
    assert ruling.verdict is Verdict.PREAPPROVED


def test_a_restriction_holds_even_where_the_policy_allows():
    allowed = policy(Action.ALLOW, ALLOWED)
    ruling = decide_call(
        GIT, active("Read"), policy=allowed, reading=ToolReading.RESTRICTION
    )
    assert ruling.verdict is Verdict.DENIED


def test_a_call_and_a_grant_read_as_they_are_written():
    assert str(GIT) == "Bash(git add .)"
    assert str(ToolCall(tool="Read")) == "Read"


def test_an_agent_that_ignores_the_list_is_neither_widened_nor_restricted():
    ruling = decide_call(GIT, active("Bash"), reading=ToolReading.IGNORED)
    assert ruling.verdict is Verdict.ASK


@pytest.mark.parametrize("permission", ["bash", "Bash", "*"])
def test_the_users_rules_are_about_a_tool_in_any_case(permission: str):
    denied = Rule(permission=permission, pattern="git *", action=Action.DENY)
    decision = judge_call(GIT, Ruleset(rules=(denied,), default=Action.ALLOW))
    assert (decision.action, decision.rule) == (Action.DENY, denied)


def test_a_rule_decides_and_not_the_default_of_the_other_spelling():
    asked = Rule(permission="bash", pattern="*", action=Action.ASK)
    decision = judge_call(GIT, Ruleset(rules=(asked,), default=Action.ASK))
    assert decision.rule == asked


def test_a_rule_in_capitals_is_about_a_tool_in_lower_case():
    denied = Rule(permission="Bash", pattern="rm *", action=Action.DENY)
    rules = Ruleset(rules=(denied,), default=Action.ALLOW)
    decision = judge_call(ToolCall(tool="bash", subject="rm x"), rules)
    assert (decision.action, str(decision.rule)) == (Action.DENY, "rm *: deny")


@pytest.mark.parametrize(
    "command",
    [
        "git log; rm -rf /",
        "git log && rm -rf /",
        "git log | (rm -rf /)",
        "git log $(rm -rf /)",
        "git log\nrm -rf /",
        "echo `rm -rf /`",
        "https://x;rm -rf /",
    ],
)
def test_a_rule_is_about_each_command_of_those_that_are_strung_together(command: str):
    denied = Rule(permission="bash", pattern="rm *", action=Action.DENY)
    allowed = Rule(permission="bash", pattern="*", action=Action.ALLOW)
    rules = Ruleset(rules=(allowed, denied))
    call = ToolCall(tool="Bash", subject=command)
    assert judge_call(call, rules).rule == denied
    ruling = decide_call(call, active("Bash"), policy=judge_call(call, rules))
    assert ruling.verdict is Verdict.DENIED


def test_a_rule_that_allows_one_command_allows_no_other_behind_it():
    rules = Ruleset(rules=(ALLOWED,))
    both = ToolCall(tool="Bash", subject="git log | git apply")
    other = ToolCall(tool="Bash", subject="git log | sh")
    assert judge_call(both, rules).action is Action.ALLOW
    assert judge_call(other, rules).action is Action.ASK


def test_an_ampersand_in_a_url_strings_nothing_together():
    allowed = Rule(
        permission="webfetch", pattern="https://a.example/*", action=Action.ALLOW
    )
    call = ToolCall(tool="WebFetch", subject="https://a.example/?b=1&c=2")
    assert judge_call(call, Ruleset(rules=(allowed,))).rule == allowed
