"""What the model sees: a template over the skills, under a budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

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


class Unlisted(Enum):
    """What happens to skills that the model may not invoke by itself."""

    OMIT = "omit"
    SHOW = "show"  # with the flag of the template


class Overflow(Enum):
    """One step of making a catalog fit, taken in the dialect's order."""

    TRIM_DESCRIPTIONS = "trim-descriptions"
    NAMES_ONLY = "names-only"
    OMIT_LAST = "omit-last"


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogRule:
    """The template of a catalog.

    `item` knows `{name}`, `{description}`, `{location}` and `{flag}`.
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
    unlisted: Unlisted = Unlisted.OMIT
    overflow: tuple[Overflow, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """The text, and what it cost to make it fit; tokens are estimates."""

    text: str
    shown: tuple[str, ...]
    trimmed: tuple[str, ...] = ()
    bare: tuple[str, ...] = ()
    omitted: tuple[str, ...] = ()
    tokens: int = 0
    budget: int | None = None


# Where no tokenizer is at hand: about four characters of English a token, and about
# one of the scripts that are written without spaces.
_CHARACTERS_PER_TOKEN = 4
# A description that is cut to less says nothing: the name alone is better.
_SHORTEST_DESCRIPTION = 40


def estimate_tokens(text: str) -> int:
    """Roughly how many tokens `text` costs a model."""
    wide = 0 if text.isascii() else sum(1 for char in text if char >= "\u2e80")
    return wide + -(-(len(text) - wide) // _CHARACTERS_PER_TOKEN)


def render_catalog(
    skills: Sequence[Skill], rule: CatalogRule, *, budget: int | None = None
) -> Catalog:
    """The exact text for the model, with no more than `budget` estimated tokens."""
    listed = [
        skill
        for skill in skills
        if not skill.is_hidden or rule.unlisted is Unlisted.SHOW
    ]
    if rule.place is Place.NOWHERE or not listed:
        text = rule.empty
        return Catalog(text=text, shown=(), tokens=estimate_tokens(text), budget=budget)
    rows = [_Row(skill, rule) for skill in listed]
    catalog = _catalog_of(rows, rule, budget)
    if budget is None or catalog.tokens <= budget:
        return catalog
    for step in rule.overflow:
        if _tokens(rows, rule) <= budget:
            break
        _STEPS[step](rows, rule, budget)
    return _catalog_of(rows, rule, budget)


class _Row:
    """One skill in the making of a catalog."""

    __slots__ = ("cost", "is_bare", "is_omitted", "is_trimmed", "skill", "text")

    def __init__(self, skill: Skill, rule: CatalogRule) -> None:
        self.skill = skill
        self.is_bare = self.is_omitted = self.is_trimmed = False
        self.write(rule, rule.item, skill.description or "")

    def write(self, rule: CatalogRule, template: str, description: str) -> None:
        escape = _ESCAPES[rule.escape]
        self.text = template.format(
            name=escape(self.skill.name),
            description=escape(description),
            location=escape(self.skill.path),
            flag=rule.flag if self.skill.is_hidden else "",
        )
        self.cost = estimate_tokens(self.text + rule.between)


def _tokens(rows: list[_Row], rule: CatalogRule) -> int:
    frame = estimate_tokens(rule.before + rule.after + rule.omitted)
    return frame + sum(row.cost for row in rows if not row.is_omitted)


def _trim_descriptions(rows: list[_Row], rule: CatalogRule, budget: int) -> None:
    """Cut all descriptions to the longest common length that fits."""
    low = _SHORTEST_DESCRIPTION
    high = max(len(row.skill.description or "") for row in rows)
    while low < high:
        middle = (low + high + 1) // 2
        _trim_to(rows, rule, middle)
        if _tokens(rows, rule) <= budget:
            low = middle
        else:
            high = middle - 1
    _trim_to(rows, rule, low)


def _trim_to(rows: list[_Row], rule: CatalogRule, length: int) -> None:
    for row in rows:
        description = row.skill.description or ""
        row.is_trimmed = len(description) > length
        if row.is_trimmed:
            description = description[: length - 1].rstrip() + "\u2026"
        row.write(rule, rule.item, description)


def _names_only(rows: list[_Row], rule: CatalogRule, budget: int) -> None:
    total = _tokens(rows, rule)
    for row in reversed(rows):
        if total <= budget:
            return
        total -= row.cost
        row.is_bare, row.is_trimmed = True, False
        row.write(rule, rule.bare_item or rule.item, "")
        total += row.cost


def _omit_last(rows: list[_Row], rule: CatalogRule, budget: int) -> None:
    total = _tokens(rows, rule)
    for row in reversed(rows):
        if total <= budget:
            return
        row.is_omitted = True
        total -= row.cost


_STEPS: dict[Overflow, Callable[[list[_Row], CatalogRule, int], None]] = {
    Overflow.TRIM_DESCRIPTIONS: _trim_descriptions,
    Overflow.NAMES_ONLY: _names_only,
    Overflow.OMIT_LAST: _omit_last,
}


def _catalog_of(rows: list[_Row], rule: CatalogRule, budget: int | None) -> Catalog:
    shown = [row for row in rows if not row.is_omitted]
    omitted = tuple(row.skill.name for row in rows if row.is_omitted)
    text = rule.before + rule.between.join(row.text for row in shown)
    if omitted:
        text += rule.omitted.format(count=len(omitted))
    text += rule.after
    return Catalog(
        text=text,
        shown=tuple(row.skill.name for row in shown),
        trimmed=tuple(row.skill.name for row in shown if row.is_trimmed),
        bare=tuple(row.skill.name for row in shown if row.is_bare),
        omitted=omitted,
        tokens=estimate_tokens(text),
        budget=budget,
    )


_GO_HTML = str.maketrans(
    {"&": "&amp;", "'": "&#39;", "<": "&lt;", ">": "&gt;", '"': "&#34;"}
)
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


def escape_xml(text: str) -> str:
    """`text` so that an XML parser gives it back."""
    return text.translate(_XML)


_ESCAPES: dict[Escape, Callable[[str], str]] = {
    Escape.NONE: _keep,
    Escape.GO_HTML: escape_go_html,
    Escape.XML: escape_xml,
}
