"""What the model sees: a template over the skills, under a budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from enum import Enum

from metier.core.budget import (
    Budget,
    BudgetRule,
    Counted,
    Measure,
    estimate_tokens,
    measure_text,
    resolve_budget,
)
from metier.core.fields import Unit
from metier.core.judging import length_of
from metier.core.record import record
from metier.core.skill import Skill


class Place(Enum):
    """Where the agent puts the catalog."""

    SYSTEM_PROMPT = "system-prompt"
    TOOL_DESCRIPTION = "tool-description"
    NOWHERE = "nowhere"  # the model is not shown any


class Escape(Enum):
    """How names, descriptions and locations are written into the template."""

    NONE = "none"
    GO_HTML = "go-html"
    XML = "xml"
    JS_HTML = "js-html"  # `&quot;` and `&#39;` for quotes
    ENTITIES = "entities"  # the five characters that XML names, nothing else


class Unlisted(Enum):
    """What happens to skills that the model may not invoke by itself."""

    OMIT = "omit"
    SHOW = "show"  # with the flag of the template


class Overflow(Enum):
    """One step of making a catalog fit, taken in the dialect's order."""

    TRIM_DESCRIPTIONS = "trim-descriptions"
    NAMES_ONLY = "names-only"
    OMIT_LAST = "omit-last"


class FieldOrder(Enum):
    """In which order the fields of a skill are listed."""

    AS_WRITTEN = "as-written"
    JAVA_MAP = "java-map"  # that of a copied `HashMap`: by the hashes of the keys


@record
class FieldList:
    """How all that a header says is listed; `item` knows `{key}` and `{value}`."""

    item: str = ""
    between: str = ""
    order: FieldOrder = FieldOrder.AS_WRITTEN


class EllipsisRoom(Enum):
    """Whether the mark behind a cut description counts towards its limit."""

    WITHIN = "within"  # the text is cut so that both fit
    BEYOND = "beyond"  # the text is cut at the limit, the mark comes on top


@record
class DescriptionLimit:
    """How long a description may be in the catalog, and what a cut one ends with."""

    max_length: int | None = None
    unit: Unit = Unit.CHARACTERS
    ellipsis: str = ""
    room: EllipsisRoom = EllipsisRoom.WITHIN


@record
class CatalogRule:
    """The template of a catalog, and what it may take.

    `item` knows `{name}`, `{description}`, `{location}`, `{source}`, `{fields}` and
    `{flag}`.
    """

    place: Place
    before: str = ""
    item: str = ""
    between: str = ""
    after: str = ""
    empty: str = ""
    bare_item: str = ""
    omitted: str = ""
    flag: str = ""
    escape: Escape = Escape.NONE
    location_escape: Escape | None = None  # of the location, where it is another one
    unlisted: Unlisted = Unlisted.OMIT
    fields: FieldList = field(default_factory=FieldList)
    description: DescriptionLimit = field(default_factory=DescriptionLimit)
    budget: BudgetRule = field(default_factory=BudgetRule)
    overflow: tuple[Overflow, ...] = ()


@record
class Catalog:
    """The text, and what it cost to make it fit; `tokens` is an estimate.

    `size` is what the budget counts of it, in the budget's own measure.
    """

    text: str
    shown: tuple[str, ...]
    trimmed: tuple[str, ...] = ()
    bare: tuple[str, ...] = ()
    omitted: tuple[str, ...] = ()
    tokens: int = 0
    size: int = 0
    budget: Budget | None = None


# A description that is cut to less says nothing: the name alone is better.
_SHORTEST_DESCRIPTION = 40


def render_catalog(
    skills: Sequence[Skill],
    rule: CatalogRule,
    *,
    budget: int | None = None,
    window: int | None = None,
) -> Catalog:
    """The exact text for the model, under the agent's budget.

    `budget` is in tokens and replaces the agent's own; `window` is the size of the
    model's context, of which some agents take a share.
    """
    limit = resolve_budget(rule.budget, tokens=budget, window=window)
    listed = [
        skill
        for skill in skills
        if not skill.is_hidden or rule.unlisted is Unlisted.SHOW
    ]
    sheet = _Sheet(rule, limit)
    if rule.place is Place.NOWHERE or not listed:
        return sheet.nothing()
    sheet.rows = [_Row(skill, sheet) for skill in listed]
    for row in sheet.rows[rule.budget.max_items :] if rule.budget.max_items else ():
        row.is_omitted = True
    for step in rule.overflow:
        if sheet.fits():
            break
        _STEPS[step](sheet)
    return sheet.catalog()


class _Sheet:
    """A catalog in the making: its rows, and what they may take."""

    __slots__ = ("limit", "measure", "most", "rows", "rule")

    def __init__(self, rule: CatalogRule, limit: Budget | None) -> None:
        self.rule = rule
        self.limit = limit
        self.most = limit.amount if limit else 0
        self.measure = limit.measure if limit else Measure.ESTIMATED_TOKENS
        self.rows: list[_Row] = []

    def cost_of(self, text: str) -> int:
        return measure_text(text, self.measure)

    def fits(self) -> bool:
        """Whether what there is now is within the budget."""
        return self.limit is None or self.size() <= self.most

    def size(self) -> int:
        """What the budget counts."""
        if self.rule.budget.counted is Counted.EACH_ITEM:
            return self.total()
        if self.rule.budget.counted is Counted.ITEMS:
            return self.cost_of(self._items())
        return self.cost_of(self.text())

    def total(self) -> int:
        """No less than the size, and the sum of what is told of each row."""
        rule = self.rule
        frame = 0
        if rule.budget.counted is Counted.WHOLE:
            frame = self.cost_of(rule.before + rule.after + rule.omitted)
        return frame + sum(row.cost for row in self.rows if not row.is_omitted)

    def text(self) -> str:
        return self.rule.before + self._items() + self.rule.after

    def _items(self) -> str:
        shown = [row.text for row in self.rows if not row.is_omitted]
        omitted = len(self.rows) - len(shown)
        note = self.rule.omitted.format(count=omitted) if omitted else ""
        return self.rule.between.join(shown) + note

    def nothing(self) -> Catalog:
        text = self.rule.empty
        tokens, size = estimate_tokens(text), self.cost_of(text)
        return Catalog(text=text, shown=(), tokens=tokens, size=size, budget=self.limit)

    def catalog(self) -> Catalog:
        shown = [row for row in self.rows if not row.is_omitted]
        text = self.text()
        return Catalog(
            text=text,
            shown=tuple(row.skill.name for row in shown),
            trimmed=tuple(row.skill.name for row in shown if row.is_trimmed),
            bare=tuple(row.skill.name for row in shown if row.is_bare),
            omitted=tuple(row.skill.name for row in self.rows if row.is_omitted),
            tokens=estimate_tokens(text),
            size=self.size(),
            budget=self.limit,
        )


class _Row:
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

    def __init__(self, skill: Skill, sheet: _Sheet) -> None:
        self.skill = skill
        self.sheet = sheet
        self.is_bare = self.is_omitted = False
        full = skill.description or ""
        self.description = cut_description(full, sheet.rule.description)
        self.is_trimmed = self.description is not full
        self.write(sheet.rule.item, self.description)

    def write(self, template: str, description: str) -> None:
        """Fill `template`, which may have room for the description or not."""
        rule = self.sheet.rule
        escape = _ESCAPES[rule.escape]
        self.text = template.format(
            name=escape(self.skill.name),
            description=escape(description),
            location=_ESCAPES[rule.location_escape or rule.escape](self.skill.path),
            source=self.skill.root.source,
            fields=_fields_of(self.skill, rule.fields),
            flag=rule.flag if self.skill.is_hidden else "",
        )
        self.cost = self.sheet.cost_of(self.text + rule.between)

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
    match limit.unit:
        case Unit.CHARACTERS:
            return text[:most] + limit.ellipsis
        case Unit.UTF16:
            units = text.encode("utf-16-le", "surrogatepass")
            cut = units[: 2 * most].decode("utf-16-le", "ignore")
        case _:  # Unit.BYTES
            cut = text.encode()[:most].decode("utf-8", "ignore")
    return cut + limit.ellipsis


def _trim_descriptions(sheet: _Sheet) -> None:
    """Cut all descriptions to the longest common length that fits."""
    low = _SHORTEST_DESCRIPTION
    high = max(len(row.description) for row in sheet.rows)
    while low < high:
        middle = (low + high + 1) // 2
        _trim_to(sheet, middle)
        if sheet.total() <= sheet.most:
            low = middle
        else:
            high = middle - 1
    _trim_to(sheet, low)


def _trim_to(sheet: _Sheet, length: int) -> None:
    for row in sheet.rows:
        row.trim(length)


def _names_only(sheet: _Sheet) -> None:
    total = sheet.total()
    for row in reversed(sheet.rows):
        if total <= sheet.most:
            return
        if row.is_omitted:
            continue
        total -= row.cost
        row.is_bare, row.is_trimmed = True, False
        row.write(sheet.rule.bare_item or sheet.rule.item, "")
        total += row.cost


def _omit_last(sheet: _Sheet) -> None:
    total = sheet.total()
    for row in reversed(sheet.rows):
        if total <= sheet.most:
            return
        if not row.is_omitted:
            row.is_omitted = True
            total -= row.cost


_STEPS: dict[Overflow, Callable[[_Sheet], None]] = {
    Overflow.TRIM_DESCRIPTIONS: _trim_descriptions,
    Overflow.NAMES_ONLY: _names_only,
    Overflow.OMIT_LAST: _omit_last,
}


_GO_HTML = str.maketrans(
    {"&": "&amp;", "'": "&#39;", "<": "&lt;", ">": "&gt;", '"': "&#34;"}
)
_JS_HTML = _GO_HTML | str.maketrans({'"': "&quot;"})
_XML_NAMED = _JS_HTML | str.maketrans({"'": "&apos;"})
# XML 1.0 has no way to write most controls, surrogates and two non-characters; a
# parser turns a bare carriage return into a line feed.
_XML = str.maketrans(
    {
        **{chr(code): "\ufffd" for code in range(32) if chr(code) not in "\t\n\r"},
        **dict.fromkeys((*range(55296, 57344), 65534, 65535), "�"),
        "\r": "&#13;",
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "'": "&apos;",
    }
)


def _keep(text: str) -> str:
    return text


def escape_go_html(text: str) -> str:
    """What Go's `html.EscapeString` makes of `text`."""
    return text.translate(_GO_HTML)


def _escape_js_html(text: str) -> str:
    return text.translate(_JS_HTML)


def _escape_entities(text: str) -> str:
    return text.translate(_XML_NAMED)


def escape_xml(text: str) -> str:
    """`text` so that an XML parser gives it back."""
    return text.translate(_XML)


def unescape_xml(text: str) -> str:
    """What `escape_xml` was given, but for the signs that XML cannot write."""
    for sign, entity in _ENTITIES:
        text = text.replace(entity, sign)
    return text


_ENTITIES = (
    ("\r", "&#13;"),
    ("<", "&lt;"),
    (">", "&gt;"),
    ('"', "&quot;"),
    ("'", "&apos;"),
    ("&", "&amp;"),  # the last one: it stands in the others
)


_ESCAPES: dict[Escape, Callable[[str], str]] = {
    Escape.NONE: _keep,
    Escape.GO_HTML: escape_go_html,
    Escape.XML: escape_xml,
    Escape.JS_HTML: _escape_js_html,
    Escape.ENTITIES: _escape_entities,
}
