"""Rules that answer "may it?" with allow, ask or deny, and say which rule decided."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from enum import Enum
from fnmatch import translate
from functools import lru_cache
from typing import Any, cast

from metier.core.record import record
from metier.diagnostics import Diagnostic, Diagnostics, Severity
from metier.errors import ConfigError

SKILL_PERMISSION = "skill"
SCRIPT_PERMISSION = "run_script"

# A configuration holds tens of patterns; the cap only keeps a hostile one from
# filling the memory with compiled patterns.
COMPILED_PATTERNS_KEPT = 1024


class Action(Enum):
    """What a rule says about the thing it matches."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class ToolReading(Enum):
    """What a skill's list of allowed tools means while the skill is active."""

    PREAPPROVAL = "preapproval"  # a listed call needs no question
    RESTRICTION = "restriction"  # and a call that is not listed may not run
    IGNORED = "ignored"  # nothing: the agent does not look at it


class Withdrawal(Enum):
    """When a permission is so plainly denied that its tool is not even offered."""

    # `deny *` followed by one narrower deny still offers the tool: a quirk of
    # agents that look at one rule only.
    LAST_RULE = "last-rule"
    NOTHING_LEFT = "nothing-left"


@record
class Rule:
    """One line of a permission table; `permission` and `pattern` are wildcards."""

    permission: str
    pattern: str
    action: Action
    origin: str | None = None

    def __str__(self) -> str:
        return f"{self.pattern}: {self.action.value}"

    @property
    def is_total_denial(self) -> bool:
        return self.pattern == "*" and self.action is Action.DENY


@record
class Decision:
    """An action, and the rule that led to it (none: the default did)."""

    action: Action
    rule: Rule | None
    permission: str
    subject: str

    @property
    def reason(self) -> str:
        """Why, in words for a person."""
        if self.rule is None:
            return f"no rule matched, the default is {self.action.value}"
        origin = f" ({self.rule.origin})" if self.rule.origin else ""
        return f"`{self.rule}` decided{origin}"


@record
class Ruleset:
    """Rules in the order they were written: the last one that matches wins."""

    rules: tuple[Rule, ...] = ()
    default: Action = Action.ASK

    @classmethod
    def allow_all(cls) -> Ruleset:
        """A set that never asks and never refuses."""
        return cls(default=Action.ALLOW)

    def merged(self, other: Ruleset) -> Ruleset:
        """These rules, then the other's, which so have the last word.

        The default stays this set's own.
        """
        return replace(self, rules=self.rules + other.rules)

    def evaluate(self, permission: str, subject: str) -> Decision:
        """What the rules say about doing `permission` to `subject`."""
        about = self._about(permission)
        rule = next((r for r in about if is_match(subject, r.pattern)), None)
        return Decision(
            action=rule.action if rule else self.default,
            rule=rule,
            permission=permission,
            subject=subject,
        )

    def is_withdrawn(
        self, permission: str, *, withdrawal: Withdrawal = Withdrawal.NOTHING_LEFT
    ) -> bool:
        """Whether the tool behind `permission` should not be offered at all."""
        about = self._about(permission)
        if withdrawal is Withdrawal.NOTHING_LEFT:
            about = (
                r for r in about if r.action is not Action.DENY or r.pattern == "*"
            )
        decisive = next(about, None)
        if decisive is not None:
            return decisive.is_total_denial
        return withdrawal is Withdrawal.NOTHING_LEFT and self.default is Action.DENY

    def _about(self, permission: str) -> Iterator[Rule]:
        rules = reversed(self.rules)
        return (r for r in rules if is_match(permission, r.permission))


def is_match(subject: str, pattern: str) -> bool:
    """Whether the wildcard `pattern` covers the whole of `subject`.

    `*` is any run of characters, `?` is any one, all else is itself; `ls *` also
    covers a bare `ls`. A backslash equals a slash.
    """
    subject = subject.replace("\\", "/")
    if _compiled(pattern).match(subject):
        return True
    return pattern.endswith(" *") and bool(_compiled(pattern[:-2]).match(subject))


@lru_cache(maxsize=COMPILED_PATTERNS_KEPT)
def _compiled(pattern: str) -> re.Pattern[str]:
    # `translate` puts each run after a `*` into an atomic group, so a failed match
    # costs pattern times subject at worst, never more.
    return re.compile(translate(pattern.replace("\\", "/").replace("[", "[[]")))


def parse_rules(
    config: Mapping[str, object], *, home: str | None = None, origin: str | None = None
) -> tuple[Ruleset, Diagnostics]:
    """The rules in a mapping such as `{"bash": "allow", "skill": {"x-*": "deny"}}`."""
    entries = (
        (permission, pattern, value)
        for permission, table in _rows(config)
        for pattern, value in _rows(table)
    )
    return _parse_entries(entries, home=home, origin=origin)


def parse_skill_rules(
    config: Mapping[str, object], *, home: str | None = None, origin: str | None = None
) -> tuple[Ruleset, Diagnostics]:
    """The rules in the short form, which is about skills only: `{"x-*": "deny"}`."""
    entries = ((SKILL_PERMISSION, pattern, value) for pattern, value in _rows(config))
    return _parse_entries(entries, home=home, origin=origin)


def _rows(table: object) -> Iterable[tuple[str, object]]:
    if not isinstance(table, Mapping):
        return [("*", table)]
    # A YAML key may be a number; a skill may be called `10`.
    rows = cast("Mapping[object, object]", table)
    return [(str(pattern), value) for pattern, value in rows.items()]


def _parse_entries(
    entries: Iterable[tuple[str, str, object]], *, home: str | None, origin: str | None
) -> tuple[Ruleset, Diagnostics]:
    rules: list[Rule] = []
    diagnostics: list[Diagnostic] = []
    for permission, pattern, value in entries:
        action = _action(value)
        if action is None:
            diagnostics.append(_invalid(permission, pattern, value, origin=origin))
            continue
        rule = Rule(
            permission=permission,
            pattern=_expand_home(pattern, home=home),
            action=action,
            origin=origin,
        )
        rules.append(rule)
    return Ruleset(rules=tuple(rules)), tuple(diagnostics)


_ACTIONS: dict[object, Action] = {action.value: action for action in Action}


def _action(value: object) -> Action | None:
    return _ACTIONS.get(value) if isinstance(value, str) else None


def _expand_home(pattern: str, *, home: str | None) -> str:
    if home is None:
        return pattern
    for sign in ("~", "$HOME"):
        if pattern == sign or pattern.startswith(f"{sign}/"):
            return home + pattern.removeprefix(sign)
    return pattern


def _invalid(
    permission: str, pattern: str, value: object, *, origin: str | None
) -> Diagnostic:
    shown = f"{value!s:.40}"
    return Diagnostic(
        rule="permission-invalid",
        severity=Severity.ERROR,
        message=f"`{shown}` is no action, in the `{permission}` rule for `{pattern}`",
        path=origin,
        help=_action_help(value),
    )


def _action_help(value: object) -> str:
    # Only a mistake needs it, and it is a good part of this module's import time.
    from difflib import get_close_matches

    spelled = value.strip().casefold() if isinstance(value, str) else ""
    close = get_close_matches(spelled, [action.value for action in Action], n=1)
    if close:
        return f"did you mean `{close[0]}`?"
    return "write `allow`, `ask` or `deny`"


def as_ruleset(
    permission: Ruleset | Mapping[str, Any] | None,
    default: Action,
    *,
    name: str = SKILL_PERMISSION,
) -> Ruleset:
    """`permission` as rules; `name` is what an agent calls the one for skills.

    A mapping is one of patterns to actions (`{"deploy-*": "deny"}`), or an agent's
    whole permission table (`{"skill": {"deploy-*": "deny"}}`). A rule that cannot be
    read is refused here: left out, it would silently allow.
    """
    if permission is None:
        return Ruleset(default=default)
    rules = permission
    if not isinstance(rules, (Ruleset, Mapping)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ConfigError("rules are a mapping: of patterns to actions, for example")
    if not isinstance(rules, Ruleset):
        rules = _parse_either(rules, default, (SKILL_PERMISSION, name.lower()))
    return replace(rules, rules=tuple(_under_name(each, name) for each in rules.rules))


def _parse_either(
    table: Mapping[str, Any], default: Action, names: tuple[str, ...]
) -> Ruleset:
    if any(isinstance(value, Mapping) for value in table.values()):
        return _rules_in(table, default, parse_rules)
    for key, value in table.items():
        if str(key).lower() in (*names, SCRIPT_PERMISSION):
            raise ConfigError(
                f"`{key}: {value}` may be about all skills or about one of that name; "
                f'write `{{"{key}": {{"*": "{value}"}}}}`, or a pattern like `{key}*`'
            )
    return _rules_in(table, default, parse_skill_rules)


def _under_name(rule: Rule, name: str) -> Rule:
    """`rule`, which is about skills in whichever way an agent spells that."""
    is_about_skills = rule.permission.lower() in (SKILL_PERMISSION, name.lower())
    return replace(rule, permission=name) if is_about_skills else rule


def as_policy(policy: Ruleset | Mapping[str, Any]) -> Ruleset:
    """An agent's whole permission table as rules: `{"bash": {"rm *": "deny"}}`."""
    if isinstance(policy, Ruleset):
        return policy
    return _rules_in(policy, Action.ASK, parse_rules)


def _rules_in(
    table: Mapping[str, object],
    default: Action,
    parse: Callable[[Mapping[str, object]], tuple[Ruleset, Diagnostics]],
) -> Ruleset:
    rules, found = parse(table)
    if found:
        remedy = f"; {found[0].help}" if found[0].help else ""
        raise ConfigError(found[0].message + remedy)
    return Ruleset(rules=rules.rules, default=default)
