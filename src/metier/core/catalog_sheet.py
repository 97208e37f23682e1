"""A catalog in the making: a row for each skill, cut until they fit."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence

from metier.core.budget import (
    Budget,
    Counted,
    Measure,
    estimate_tokens,
    measure_text,
    resolve_budget,
    running_costs,
)
from metier.core.catalog import (
    Catalog,
    CatalogContext,
    CatalogRule,
    DescriptionLimit,
    EllipsisRoom,
    FieldList,
    Folders,
    Looks,
    Place,
    Stand,
    Unlisted,
)
from metier.core.catalog_groups import group_of, heading_of, in_groups, join_groups
from metier.core.catalog_parts import render_parts, render_sources
from metier.core.escaping import ESCAPES, Escape
from metier.core.fields import Trim
from metier.core.judging import trim_text
from metier.core.lengths import length_of, start_of
from metier.core.locations import Locations, Places
from metier.core.overflow import STEPS
from metier.core.resolve import in_scope_order
from metier.core.skill import Skill


def render_catalog(
    skills: Sequence[Skill],
    rule: CatalogRule,
    *,
    budget: int | None = None,
    window: int | None = None,
    places: Places | None = None,
    looks: Looks | None = None,
    around: CatalogContext | None = None,
) -> Catalog:
    """The exact text for the model, under the agent's budget.

    `budget` is in tokens and replaces the agent's own; `window` is the size of the
    model's context, of which some agents take a share; `places` are for those that
    tell where a skill is by an alias of its root, `looks` for those that tell more of
    a skill than its header, and `around` for those that tell more than the skills.
    """
    limit = resolve_budget(rule.budget, tokens=budget, window=window)
    shown = (s for s in skills if not s.is_hidden or rule.unlisted is Unlisted.SHOW)
    listed = in_groups(in_scope_order(tuple(shown), rule.scopes), rule.groups)
    locations = Locations(listed, rule.aliases, places or Places())
    sheet = Sheet(rule, limit, locations, looks or Looks(), around or CatalogContext())
    if rule.place is Place.NOWHERE or not (listed or rule.no_items):
        return sheet.nothing()
    sheet.rows = [Row(skill, sheet) for skill in listed]
    sheet.reserve(rule.budget.own, {skill.key for skill in listed})
    for row in sheet.rows[rule.budget.max_items :] if rule.budget.max_items else ():
        row.is_omitted = True
    for step in rule.overflow:
        if sheet.fits():
            break
        STEPS[step](sheet)
    return sheet.catalog()


_SUMMED = (Counted.EACH_ITEM, Counted.NAMES_AND_DESCRIPTIONS)


class Sheet:
    """A catalog in the making: its rows, and what they may take."""

    __slots__ = (
        "around",
        "is_short",
        "limit",
        "locations",
        "looks",
        "measure",
        "most",
        "reserved",
        "rows",
        "rule",
    )

    def __init__(
        self,
        rule: CatalogRule,
        limit: Budget | None,
        locations: Locations,
        looks: Looks,
        around: CatalogContext,
    ) -> None:
        self.rule = rule
        self.looks = looks
        self.locations = locations
        self.around = around
        self.limit = limit
        self.most = limit.amount if limit else 0
        self.measure = limit.measure if limit else Measure.ESTIMATED_TOKENS
        self.rows: list[Row] = []
        self.is_short = False
        self.reserved = rule.budget.reserved

    def reserve(self, own: Mapping[str, int], names: Container[str]) -> None:
        """Keep room for the skills that the agent brings along, unless in `names`."""
        costs = (cost for name, cost in own.items() if name not in names)
        gap = len(self.rule.between)
        self.reserved += sum(cost + gap for cost in costs)

    def row_cost(self, text: str) -> int:
        """What a row takes, and what stands between it and the next."""
        if self.measure is Measure.COLUMNS:
            return self.cost_of(text) + len(self.rule.between)
        return self.cost_of(text + self.rule.between)

    def cost_of(self, text: str) -> int:
        return measure_text(text, self.measure)

    def fits(self) -> bool:
        """Whether what there is now is within the budget."""
        return self.limit is None or self.size() <= self.most

    def size(self) -> int:
        """What the budget counts."""
        if self.rule.budget.counted in _SUMMED:
            return self.total()
        if self.rule.budget.counted is Counted.ITEMS:
            return self.cost_of(self._items())
        return self.cost_of(self._counted())

    def total(self) -> int:
        """No less than the size, and the sum of what is told of each row."""
        rule = self.rule
        frame = self.reserved
        if rule.budget.counted is Counted.WHOLE:
            around = self._before() + "".join(self._headings()) + rule.after
            frame += self.cost_of(around + rule.omitted)
        elif rule.aliases.instead_of:
            begin = self.cost_of(self._before())
            frame += max(0, begin - self.cost_of(rule.aliases.instead_of))
        return frame + sum(row.cost for row in self.rows if not row.is_omitted)

    def text(self) -> str:
        return self._notice() + self.rule.opening + self._counted()

    def _counted(self) -> str:
        if self.is_short and not self._shown():
            return ""
        return self._before() + self._items() + self.rule.after

    def _before(self) -> str:
        rule = self.rule
        before = rule.short_form.before if self.is_short else rule.before
        sources = render_sources(self.around.roots, rule.sources)
        return before + self.locations.table + sources

    def _notice(self) -> str:
        """What stands before a catalog that does not hold all."""
        notice, shown = self.rule.notice, len(self._shown())
        words = notice.short if self.is_short else ""
        if shown < len(self.rows):
            words = notice.both if self.is_short else notice.omitted
        if not words:
            return ""
        words = words.format(shown=shown, total=len(self.rows))
        return words + notice.between if shown else words

    def _shown(self) -> list[Row]:
        return [row for row in self.rows if not row.is_omitted]

    def _items(self) -> str:
        rule = self.rule
        if not self.rows:
            folders = " or ".join(root.path for root in self.around.roots)
            return rule.no_items.format(folders=folders)
        shown = [(row.skill, row.text) for row in self._shown()]
        omitted = len(self.rows) - len(shown)
        note = rule.omitted.format(count=omitted) if omitted else ""
        about = self.around.groups
        return join_groups(shown, rule.groups, between=rule.between, about=about) + note

    def _headings(self) -> Iterator[str]:
        rule = self.rule.groups
        groups = dict.fromkeys(group_of(row.skill, rule.by) for row in self.rows)
        for group in groups:
            yield heading_of(group, rule, self.around.groups) + rule.between

    def nothing(self) -> Catalog:
        text = self.rule.empty
        tokens, size = estimate_tokens(text), self.cost_of(text)
        return Catalog(text=text, shown=(), tokens=tokens, size=size, budget=self.limit)

    def catalog(self) -> Catalog:
        shown = self._shown()
        text = self.text()
        return Catalog(
            text=text,
            shown=tuple(row.skill.key for row in shown),
            trimmed=tuple(row.skill.key for row in shown if row.is_trimmed),
            bare=tuple(row.skill.key for row in shown if row.is_bare),
            omitted=tuple(row.skill.key for row in self.rows if row.is_omitted),
            tokens=estimate_tokens(text),
            size=self.size(),
            budget=self.limit,
        )


class Row:
    """One skill in the making of a catalog."""

    __slots__ = (
        "cost",
        "description",
        "is_bare",
        "is_omitted",
        "is_trimmed",
        "sheet",
        "skill",
        "text",
    )

    def __init__(self, skill: Skill, sheet: Sheet) -> None:
        self.skill = skill
        self.sheet = sheet
        self.is_bare = self.is_omitted = False
        full = skill.description or self._stand_in()
        self.description = cut_description(full, sheet.rule.description)
        self.is_trimmed = self.description is not full
        rule = sheet.rule
        template = rule.item if self.description else rule.undescribed_item
        self.write(template or rule.item, self.description)

    def write(self, template: str, description: str) -> None:
        """Fill `template`, which may have room for the description or not."""
        rule = self.sheet.rule
        escape = ESCAPES[rule.escape]
        self.text = template.format(
            name=escape(self.skill.name),
            key=escape(self.skill.key),
            description=escape(trim_text(description, rule.trim)),
            directory=escape(self.skill.directory),
            location=self._location(rule.location_escape or rule.escape),
            source=self.skill.root.source,
            fields=_fields_of(self.skill, rule.fields),
            folders=self._folders(rule.folders, escape),
            flag=rule.flag if self.skill.is_hidden else "",
            **render_parts(self.skill, rule.parts, escape),
        )
        if rule.budget.counted is Counted.NAMES_AND_DESCRIPTIONS:
            self.cost = self.sheet.cost_of(self.skill.name + description)
        else:
            self.cost = self.sheet.row_cost(self.text)

    def _location(self, escape: Escape) -> str:
        return ESCAPES[escape](self.sheet.locations.of(self.skill))

    def _folders(self, rule: Folders, escape: Callable[[str], str]) -> str:
        paths = ((name, f"{self.skill.directory}/{name}") for name in rule.names)
        there = ((n, p) for n, p in paths if self.sheet.looks.is_directory(p))
        return "".join(rule.item.format(name=n, path=escape(p)) for n, p in there)

    def _stand_in(self) -> str:
        """What the agent shows of a skill without a description."""
        rule = self.sheet.rule
        if rule.stand is Stand.NOTHING:
            return ""
        body = self.sheet.looks.read_body(self.skill)
        return first_line(body, self.skill.name, rule)

    def costs(self) -> list[int]:
        """What it costs with none, one, two ... characters of the description."""
        rule, measure = self.sheet.rule, self.sheet.measure
        self.show(0)
        bare = self.cost
        self.write(rule.item, "")
        chars = map(ESCAPES[rule.escape], self.description)
        return [bare, *running_costs(self.text + rule.between, chars, measure)]

    def show(self, length: int) -> None:
        """Show the first `length` characters of the description, without a mark."""
        rule, description = self.sheet.rule, self.description[:length]
        self.is_bare = not description and bool(self.skill.description)
        self.is_trimmed = not self.is_bare and description != self.skill.description
        template = rule.item if description else rule.bare_item
        self.write(template or rule.item, description)

    def show_first_line(self) -> None:
        """Show what of the skill's own description stands on its first line."""
        description = trim_text(
            (self.skill.description or "").partition("\n")[0], Trim.JS_WHITE_SPACE
        )
        self.is_trimmed = description != self.description
        self.write(self.sheet.rule.bare_item or self.sheet.rule.item, description)

    def trim(self, length: int) -> None:
        """Cut the description to `length` characters, an ellipsis among them."""
        description = self.description
        if len(description) > length:
            description = description[: length - 1].rstrip() + "\u2026"
        self.is_trimmed = description != (self.skill.description or "")
        self.write(self.sheet.rule.item, description)


def _fields_of(skill: Skill, rule: FieldList) -> str:
    if not rule.item:
        return ""
    from metier.core.field_list import render_fields

    return render_fields(skill, rule)


def cut_description(text: str, limit: DescriptionLimit) -> str:
    """`text` itself where it is within the limit, else its start and the ellipsis."""
    most = limit.max_length
    if most is None or length_of(text, limit.unit) <= most:
        return text
    if limit.room is EllipsisRoom.WITHIN:
        most = max(most - length_of(limit.ellipsis, limit.unit), 0)
    return start_of(text, most, limit.unit) + limit.ellipsis


def first_line(body: str, name: str, rule: CatalogRule) -> str:
    """The first line of prose in `body`, and how much follows it."""
    passed = 0
    for line in body.split("\n"):
        passed += len(line) + 1
        text = line.strip()
        if text and not text.startswith("#"):
            most = rule.max_stand or len(text)
            left = max(0, len(body) - (passed - 1)) + max(0, len(text) - most)
            note = rule.note.format(count=left, name=name) if left else ""
            return text[:most] + note
    return ""
