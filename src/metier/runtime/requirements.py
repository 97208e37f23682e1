"""The skills of a library, judged by what they need and what there is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from metier.core.requirements import (
    RequirementRules,
    Unmet,
    read_requirements,
    requirement_rules,
)
from metier.core.surroundings import Surroundings, judge_requirements
from metier.world.surroundings import read_surroundings

if TYPE_CHECKING:
    from metier.core.skill import Skill
    from metier.library import Library


def equip(
    library: Library, surroundings: Surroundings | None, unmet: Unmet | None
) -> Library:
    """`library` with a finding for all that is missing, and without what that hides.

    Without `surroundings` those of this process count, as they are at each look.
    """
    rules = requirement_rules(library.dialect)
    policy = unmet or rules.unmet
    if policy is Unmet.IGNORE:
        return library
    around = surroundings or read_surroundings()
    return replace(
        library,
        skills=tuple(_judged(each, rules, around, policy) for each in library),
        unmet=policy,
        rescan=lambda: equip(library.refresh(), surroundings, unmet),
    )


def _judged(
    skill: Skill, rules: RequirementRules, surroundings: Surroundings, policy: Unmet
) -> Skill:
    needed = read_requirements(skill, rules)
    found = judge_requirements(needed, surroundings, rules.system_names)
    if not found:
        return skill
    is_unmet = any(each.rule == "requirement-unmet" for each in found)
    return replace(
        skill,
        is_hidden=skill.is_hidden or (is_unmet and policy is Unmet.HIDE),
        diagnostics=(*skill.diagnostics, *found),
    )
