"""A catalog in groups: those of one source, or of one category, under a heading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from itertools import groupby

from metier.core.record import record
from metier.core.skill import Skill, key_of


class Grouping(Enum):
    """Which skills stand together."""

    NONE = "none"  # all of them, in the dialect's order
    SOURCE = "source"  # those of one scope, or whatever the agent calls it
    # Those whose folders lie in one folder; where that is the root, each by itself.
    CATEGORY = "category"


@record
class GroupRule:
    """How the groups of a catalog are told apart.

    `heading` knows `{group}`, `described_heading` also `{description}`: that of the
    file `file` in the folder of the group, where it has one. Categories, and the skills
    in one, stand by name, each name once.
    """

    by: Grouping = Grouping.NONE
    heading: str = ""
    described_heading: str = ""
    file: str = ""
    between: str = ""


def group_of(skill: Skill, by: Grouping) -> str:
    """The name of the group of `skill`."""
    match by:
        case Grouping.NONE:
            return ""
        case Grouping.SOURCE:
            return skill.root.source
        case _:  # Grouping.CATEGORY
            folder = key_of(skill.path, skill.root.path)
            is_root = skill.directory == skill.root.path
            return "general" if is_root else folder.rpartition("/")[0] or folder


def group_folder(skill: Skill) -> str:
    """The folder that is the category of `skill`."""
    group = group_of(skill, Grouping.CATEGORY)
    below = key_of(skill.path, skill.root.path)
    return skill.root.path if below == "root" else f"{skill.root.path}/{group}"


def in_groups(skills: Sequence[Skill], rule: GroupRule) -> Sequence[Skill]:
    """`skills` in the order in which the groups hold them."""
    if rule.by is not Grouping.CATEGORY:
        return skills
    first: dict[tuple[str, str], Skill] = {}
    for skill in skills:
        first.setdefault((group_of(skill, rule.by), skill.name), skill)
    return [skill for _, skill in sorted(first.items(), key=lambda pair: pair[0])]


def join_groups(
    items: Sequence[tuple[Skill, str]],
    rule: GroupRule,
    *,
    between: str,
    about: Mapping[str, str],
) -> str:
    """The texts of skills, those of a group behind its heading."""
    if rule.by is Grouping.NONE:
        return between.join(text for _, text in items)
    return rule.between.join(_groups(items, rule, between, about))


def _groups(
    items: Sequence[tuple[Skill, str]],
    rule: GroupRule,
    between: str,
    about: Mapping[str, str],
) -> Iterator[str]:
    for group, members in groupby(items, lambda item: group_of(item[0], rule.by)):
        yield heading_of(group, rule, about) + between.join(text for _, text in members)


def heading_of(group: str, rule: GroupRule, about: Mapping[str, str]) -> str:
    """What stands above the skills of `group`."""
    if description := about.get(group):
        return rule.described_heading.format(group=group, description=description)
    return rule.heading.format(group=group)
