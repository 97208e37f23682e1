"""What `allowed-tools` means for one call of a tool, under either reading.

The specification has the field as a pre-approval: a listed call needs no question.
Many authors mean a restriction: what is not listed may not run. Neither reading ever
widens the user's own policy: a skill answers only what no rule of the user is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import Enum
from fnmatch import translate
from functools import lru_cache

from metier.core.permission import Action, Decision, Ruleset, ToolReading
from metier.core.record import record
from metier.core.skill import Skill
from metier.core.tools import unquote


class Verdict(Enum):
    """What is to be done with a call."""

    PREAPPROVED = "preapproved"
    ASK = "ask"
    DENIED = "denied"


@record
class ToolCall:
    """A call that an agent is about to make; `subject` is its command, path or URL."""

    tool: str
    subject: str | None = None

    def __str__(self) -> str:
        return self.tool if self.subject is None else f"{self.tool}({self.subject})"


@record
class Grant:
    """One entry of an `allowed-tools` list: a tool, or some of the calls of it."""

    tool: str
    pattern: str | None = None

    def __str__(self) -> str:
        return self.tool if self.pattern is None else f"{self.tool}({self.pattern})"


@record
class Allowance:
    """What one active skill lists; None: it has no such field and says nothing."""

    skill: str
    grants: tuple[Grant, ...] | None


@record
class Ruling:
    """A verdict, the skill and the entry that led to it, and why in words."""

    verdict: Verdict
    call: ToolCall
    because: str
    skill: str | None = None
    grant: Grant | None = None


_ENTRY = re.compile(r"(?s)([^()]+)\((.*)\)")


def parse_grant(entry: str) -> Grant:
    """`Bash(git add *)`, `Bash(git:*)`, `Read` or `*` as a grant, in quotes or not.

    Empty parentheses, and a lone `*` within them, are about every call of the tool.
    """
    entry = unquote(entry)
    found = _ENTRY.fullmatch(entry)
    if found is None:
        return Grant(tool=entry)
    pattern = found[2].strip()
    return Grant(
        tool=found[1].strip(), pattern=None if pattern in ("", "*") else pattern
    )


def parse_grants(entries: Iterable[str]) -> tuple[Grant, ...]:
    """The entries of an `allowed-tools` list as grants.

    Parentheses by themselves belong to the tool before them: `Bash (git:*)` must not
    be taken for all of `Bash`.
    """
    joined: list[str] = []
    for entry in entries:
        if joined and entry.startswith("("):
            joined[-1] += entry
        else:
            joined.append(entry)
    return tuple(map(parse_grant, joined))


def allowance_of(skill: Skill) -> Allowance:
    """What `skill` lists, None where its header has no such field."""
    entries = skill.fields.get(ALLOWED_TOOLS)
    if not skill.is_stated(ALLOWED_TOOLS) or not isinstance(entries, tuple):
        return Allowance(skill=skill.name, grants=None)
    return Allowance(skill=skill.name, grants=parse_grants(entries))


ALLOWED_TOOLS = "allowed_tools"


def judge_call(call: ToolCall, rules: Ruleset) -> Decision:
    """What `rules` say of `call`: the strictest of all that they can mean.

    A rule for `bash` is also about `Bash`, and the other way round. Of commands that
    are strung together each is looked at: `rm *` is about `git log; rm -rf /`.
    """
    lower = call.tool.lower()
    spellings = ((rules, call.tool), (rules, lower), (_lowered(rules), lower))
    subjects = _subjects(call.subject or "*")
    return min((_judge(spellings, each) for each in subjects), key=_leniency)


def _judge(spellings: Iterable[tuple[Ruleset, str]], subject: str) -> Decision:
    decisions = [about.evaluate(name, subject) for about, name in spellings]
    # Where a rule is about one spelling, the default of another says nothing.
    ruled = [decision for decision in decisions if decision.rule]
    return min(ruled or decisions, key=_leniency)


def _lowered(rules: Ruleset) -> Ruleset:
    lowered = (replace(r, permission=r.permission.lower()) for r in rules.rules)
    return replace(rules, rules=tuple(lowered))


# What ends one command and starts another, runs one within another, or names a file.
_STRINGING = r"[;&|<>`\n\r]|\$[({]"
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s;|<>`$\\]+")


def _subjects(subject: str) -> tuple[str, ...]:
    """`subject`, and the commands that it is made of; the `&` of a URL makes none."""
    if _URL.fullmatch(subject):
        return (subject,)
    parts = (part.strip(" \t(){}!") for part in re.split(_STRINGING, subject))
    return (subject, *dict.fromkeys(filter(None, parts)))


def _leniency(decision: Decision) -> tuple[int, bool]:
    order = (Action.DENY, Action.ASK, Action.ALLOW)
    return order.index(decision.action), decision.rule is None


def decide_call(
    call: ToolCall,
    active: Sequence[Allowance],
    *,
    policy: Decision | None = None,
    reading: ToolReading = ToolReading.PREAPPROVAL,
) -> Ruling:
    """What the skills that are active now mean for `call`.

    `policy` is what the user's own rules say of it; without one, every call that no
    skill lists is a question.
    """
    if policy is not None and policy.action is Action.DENY:
        return _by_policy(Verdict.DENIED, call, policy)
    stated = [allowance for allowance in active if allowance.grants is not None]
    if reading is ToolReading.IGNORED:
        stated = []
    skill, grant = _covering(stated, call)
    if stated and grant is None and reading is ToolReading.RESTRICTION:
        return _withheld(call, stated)
    if policy is not None and policy.rule is not None:
        return _by_policy(_VERDICTS[policy.action], call, policy)
    if grant is not None:
        return _granted(call, skill, grant)
    if policy is not None:
        return _by_policy(_VERDICTS[policy.action], call, policy)
    because = "no active skill lists it"
    return Ruling(verdict=Verdict.ASK, call=call, because=because)


_VERDICTS = {
    Action.ALLOW: Verdict.PREAPPROVED,
    Action.ASK: Verdict.ASK,
    Action.DENY: Verdict.DENIED,
}


def _by_policy(verdict: Verdict, call: ToolCall, policy: Decision) -> Ruling:
    because = f"the user's policy: {policy.reason}"
    return Ruling(verdict=verdict, call=call, because=because)


def _covering(stated: Sequence[Allowance], call: ToolCall) -> tuple[str, Grant | None]:
    for allowance in stated:
        for grant in allowance.grants or ():
            if is_covered(call, grant):
                return allowance.skill, grant
    return "", None


def _granted(call: ToolCall, skill: str, grant: Grant) -> Ruling:
    because = f"`{skill}` lists `{grant}`"
    return Ruling(
        verdict=Verdict.PREAPPROVED,
        call=call,
        because=because,
        skill=skill,
        grant=grant,
    )


def _withheld(call: ToolCall, stated: Sequence[Allowance]) -> Ruling:
    names = ", ".join(f"`{allowance.skill}`" for allowance in stated)
    because = f"no active skill lists it: {names}"
    return Ruling(verdict=Verdict.DENIED, call=call, because=because)


def is_covered(call: ToolCall, grant: Grant) -> bool:
    """Whether `grant` is about `call`; names of tools are equal in any case.

    What strings commands together, or climbs out of a folder with `..`, is covered by
    no pattern: `git add *` must not let `git add . && rm -rf /` through.
    """
    if not _is_wildcard_match(call.tool.casefold(), grant.tool.casefold()):
        return False
    if grant.pattern is None:
        return True
    if call.subject is None:
        return False
    if grant.pattern.startswith(DOMAIN):
        return _is_host_match(call.subject, grant.pattern.removeprefix(DOMAIN))
    if call.subject == grant.pattern:
        return True
    return not _EVASIVE.search(call.subject) and _is_pattern_match(
        call.subject, grant.pattern
    )


DOMAIN = "domain:"


# What programs that fetch are of one mind about: others take a backslash for a slash,
# leave out blanks, or read a file of this machine.
_PLAIN_URL = re.compile(r"https?://[^\s\\\x00-\x20\x7f]+", re.IGNORECASE)


def _is_host_match(url: str, pattern: str) -> bool:
    from urllib.parse import urlsplit

    if not _PLAIN_URL.fullmatch(url):
        return False
    try:
        host = urlsplit(url).hostname
    except ValueError:
        return False
    return host is not None and _is_wildcard_match(host, pattern.strip().casefold())


def _is_pattern_match(subject: str, pattern: str) -> bool:
    # `git:*` is the older spelling of `git *`, and both are about a bare `git` too.
    pattern = re.sub(r":\*\Z", " *", pattern)
    bare = pattern.removesuffix(" *")
    return any(_is_wildcard_match(subject, each) for each in {pattern, bare})


# Whatever ends one command and starts another, runs one within another, writes to a
# file, or leaves a folder. A call that holds one may still be listed letter by letter.
_EVASIVE = re.compile(rf"{_STRINGING}|(?<![^\s/\\'\"=:])\.\.(?![^\s/\\'\"])")


def _is_wildcard_match(text: str, pattern: str) -> bool:
    return _expression(pattern).match(text) is not None


PATTERNS_KEPT = 1024


@lru_cache(maxsize=PATTERNS_KEPT)
def _expression(pattern: str) -> re.Pattern[str]:
    # Only `*` and `?` are special, and each run behind a `*` is atomic: linear.
    return re.compile(translate(pattern.replace("[", "[[]")))
