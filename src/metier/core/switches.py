"""What switches a skill off for everybody: fields of its author, a user's own list."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from posixpath import basename
from typing import TYPE_CHECKING, NamedTuple

from metier.core.fields import Consequence, Effect, FieldRule
from metier.core.findings import Finding, error_at, span_of
from metier.core.nodes import Node, Scalar, target_of
from metier.core.scalars import Kind, ScalarSchema, is_true, kind_of
from metier.diagnostics import Diagnostic, Severity

if TYPE_CHECKING:
    from metier.core.skill import Skill


class Switch(NamedTuple):
    """The key that decides whether a skill is on; `is_off` is None for no boolean."""

    key: str
    is_off: bool | None


def find_switch(
    fields: Mapping[str, Node | None], rule: FieldRule, schema: ScalarSchema
) -> Switch | None:
    """What the first key of `rule` says that holds something; the first turns off."""
    for key in rule.keys:
        if key not in fields:
            continue
        written = fields[key]
        node = target_of(written) if written else None
        kind = kind_of(node, schema) if isinstance(node, Scalar) else None
        if isinstance(node, Scalar) and kind is Kind.BOOL:
            return Switch(key, is_true(node.text) is (key == rule.keys[0]))
        if kind is not Kind.NULL:
            return Switch(key, None)
    return None


def judge_switch(
    fields: Mapping[str, Node | None], rule: FieldRule, schema: ScalarSchema
) -> Iterator[Finding]:
    """What is to be said of a switch: that it is off, or none at all."""
    switch = find_switch(fields, rule, schema)
    if switch is None:
        return
    node = fields[switch.key]
    if switch.is_off and rule.effect is Effect.DISABLES:
        message = f"`{switch.key}` switches it off"
        yield Finding("skill-disabled", Severity.INFO, message, span_of(node))
    elif switch.is_off is None and rule.other_types is Consequence.REJECT:
        message = f"`{switch.key}` is neither `true` nor `false`"
        yield error_at("field-misfit", message, node)


def switch_off(skill: Skill, names: Container[str], key: str) -> Skill:
    """`skill` as it is where the user's configuration lists `names` under `key`."""
    if skill.name in names:
        message = f"`{key}` in the configuration switches it off"
        found = Diagnostic(
            rule="skill-disabled",
            severity=Severity.INFO,
            message=message,
            path=skill.path,
        )
        diagnostics = (*skill.diagnostics, found)
        return replace(skill, is_hidden=True, diagnostics=diagnostics)
    if basename(skill.directory) in names:
        return replace(skill, is_hidden=True)
    return skill
