"""A catalog as the model got it, and what to tell the model of a later one.

A prompt that is cached must not change. So who runs an agent keeps the catalog of the
first turn, and appends what is different: a text that is the same wherever the two
moments are the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from metier.core.budget import BudgetRule, estimate_tokens
from metier.core.catalog import Catalog, CatalogRule, Overflow, Place
from metier.core.catalog_sheet import render_catalog
from metier.core.changes import Changes, SkillState, compare_states
from metier.core.envelope import on_one_line
from metier.core.escaping import ESCAPES
from metier.core.locations import AliasRule
from metier.core.record import record
from metier.core.skill import Skill


@record
class Delta:
    """What is to be told to a model that knows an earlier catalog, and about whom.

    `omitted` are new or other, and found no room.
    """

    text: str = ""
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    omitted: tuple[str, ...] = ()
    tokens: int = 0

    def __bool__(self) -> bool:
        return bool(self.text)


@record
class CatalogSnapshot:
    """The catalog of one moment, and all the files that there were.

    `offered` are the skills that the model may load: none that is hidden or denied.
    """

    catalog: Catalog
    rule: CatalogRule
    offered: tuple[Skill, ...] = field(repr=False)
    states: tuple[SkillState, ...] = field(repr=False)

    @property
    def text(self) -> str:
        """The catalog, the same for as long as the snapshot is kept."""
        return self.catalog.text

    def changes_since(self, before: CatalogSnapshot) -> Changes:
        """What happened to the files: for people, hidden and rejected ones included."""
        return compare_states(before.states, self.states)

    def delta_since(
        self, before: CatalogSnapshot, *, budget: int | None = None
    ) -> Delta:
        """What happened to the catalog, for the model, within `budget` tokens."""
        return render_delta(before.offered, self.offered, self.rule, budget=budget)


ADDED = "New skills are available, beside those that were listed before:\n"
CHANGED = "These skills have changed, and what is said of them here counts:\n"
REMOVED = "These skills are no longer available and must not be used:\n"


def render_delta(
    before: Sequence[Skill],
    after: Sequence[Skill],
    rule: CatalogRule,
    *,
    budget: int | None = None,
) -> Delta:
    """The text that makes `after` of a catalog of `before`.

    Nothing is said of a skill that the model is not to know; that one is gone which it
    knew, it has to be told. This is said in full, whatever the budget.
    """
    if rule.place is Place.NOWHERE:
        return Delta()
    item = _bare(rule)
    old, new = _items(before, item), _items(after, item)
    added = [each for each in _listed(after) if each.key not in old]
    changed = [
        each
        for each in _listed(after)
        if each.key in old and old[each.key] != new[each.key]
    ]
    removed = tuple(name for name in old if name not in new)
    return _delta(added, changed, removed, item, budget)


def _bare(rule: CatalogRule) -> CatalogRule:
    """A catalog that is nothing but its items, and can be cut to any size."""
    return replace(
        rule,
        opening="",
        before="",
        after="\n",
        empty="",
        aliases=AliasRule(),
        budget=BudgetRule(),
        overflow=rule.overflow or _STEPS,
        scopes=(),
    )


_STEPS = (Overflow.TRIM_DESCRIPTIONS, Overflow.NAMES_ONLY, Overflow.OMIT_LAST)


def _listed(skills: Sequence[Skill]) -> list[Skill]:
    return [each for each in skills if not each.is_hidden]


def _items(skills: Sequence[Skill], rule: CatalogRule) -> Mapping[str, tuple[str, ...]]:
    """What the model reads of each name; some agents have a name twice."""
    found: dict[str, tuple[str, ...]] = {}
    for each in _listed(skills):
        text = render_catalog((each,), rule).text
        found[each.key] = (*found.get(each.key, ()), text)
    return found


def _delta(
    added: Sequence[Skill],
    changed: Sequence[Skill],
    removed: tuple[str, ...],
    rule: CatalogRule,
    budget: int | None,
) -> Delta:
    gone = _removal(removed, rule)
    left = None if budget is None else max(budget - estimate_tokens(gone), 0)
    news = _section(ADDED, added, rule, left)
    if left is not None:
        left = max(left - news.tokens, 0)
    others = _section(CHANGED, changed, rule, left)
    text = news.text + others.text + gone
    return Delta(
        text=text,
        added=news.shown,
        changed=others.shown,
        removed=removed,
        omitted=(*news.omitted, *others.omitted),
        tokens=estimate_tokens(text),
    )


def _section(
    head: str, skills: Sequence[Skill], rule: CatalogRule, budget: int | None
) -> Catalog:
    if not skills:
        return Catalog(text="", shown=())
    found = render_catalog(skills, replace(rule, before=head), budget=budget)
    if not found.shown:
        names = tuple(each.key for each in skills)
        return Catalog(text="", shown=(), omitted=names)
    return replace(found, text=found.text.rstrip("\n") + "\n")


def _removal(names: Sequence[str], rule: CatalogRule) -> str:
    escape = ESCAPES[rule.escape]
    lines = (f"- {on_one_line(escape(name))}\n" for name in names)
    return REMOVED + "".join(lines) if names else ""
