"""The model of what the model sees: a template over the skills, under a budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from enum import Enum

from metier.core.budget import Budget, BudgetRule
from metier.core.catalog_groups import GroupRule
from metier.core.catalog_parts import PartRule, SourceList
from metier.core.escaping import Escape
from metier.core.fields import Trim, Unit
from metier.core.locations import AliasRule
from metier.core.record import record
from metier.core.roots import Root, Scope
from metier.core.skill import Skill


class Place(Enum):
    """Where the agent puts the catalog."""

    SYSTEM_PROMPT = "system-prompt"
    DEVELOPER_MESSAGE = "developer-message"
    TOOL_DESCRIPTION = "tool-description"
    ATTACHMENT = "attachment"  # beside what a person says
    MESSAGE = "message"  # in a message of the conversation
    NOWHERE = "nowhere"  # the model is not shown any


class Unlisted(Enum):
    """What happens to skills that the model may not invoke by itself."""

    OMIT = "omit"
    SHOW = "show"  # with the flag of the template


class Overflow(Enum):
    """One step of making a catalog fit, taken in the dialect's order."""

    TRIM_DESCRIPTIONS = "trim-descriptions"
    NAMES_ONLY = "names-only"
    OMIT_LAST = "omit-last"
    # Each description in turn gets one character more, while there is room; none gets
    # one where the names alone do not fit.
    SHARE_ROOM = "share-room"
    # All descriptions end with their first line, in the item for bare skills.
    FIRST_LINES = "first-lines"
    OMIT_MISFITS = "omit-misfits"  # each skill that does not fit with those before it
    # All descriptions go, and each that fits comes back, from the first skill on.
    RESTORE_FITTING = "restore-fitting"
    # The short form, without any description; then as many skills as fit, from the
    # first one on.
    SHORT_FORM = "short-form"


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


class Stand(Enum):
    """What stands in for a description that a skill has not."""

    NOTHING = "nothing"  # its description is empty
    FIRST_LINE = "first-line"  # of the body that is not empty and no heading


@record
class Folders:
    """Which folders beside a skill file are told, where they are there.

    `item` knows `{name}` and `{path}`.
    """

    names: tuple[str, ...] = ()
    item: str = ""


@record
class ShortForm:
    """The catalog without descriptions, each skill as its `bare_item`.

    It begins with `before`, and leaves `reserve` of the budget.
    """

    before: str = ""
    reserve: int = 0


@record
class Notice:
    """What stands before a catalog that does not hold all, and never counts.

    Where skills are `omitted`, where the form is `short`, and both; each knows
    `{shown}` and `{total}`, and is followed by `between`, unless nothing is shown.
    """

    omitted: str = ""
    short: str = ""
    both: str = ""
    between: str = ""


@record
class CatalogRule:
    """The template of a catalog, and what it may take.

    `opening` stands before all the rest and never counts. `scopes`, where they are
    listed, come out in that order.
    `item` knows `{name}`, `{key}`, `{description}`, `{location}`, `{directory}`,
    `{source}`, `{fields}`, `{folders}`, `{flag}` and the names of the `parts`;
    `undescribed_item` takes its place for a skill without a description, where there is
    one. `trim` is taken off the ends of descriptions. Where the body stands in for one,
    `note` tells what of it is left out; it knows `{count}` and `{name}`. `no_items`
    stands for the items where there are none, instead of `empty` for all; it knows
    `{folders}`.
    """

    place: Place
    opening: str = ""
    before: str = ""
    item: str = ""
    between: str = ""
    after: str = ""
    empty: str = ""
    bare_item: str = ""
    undescribed_item: str = ""
    no_items: str = ""
    omitted: str = ""
    flag: str = ""
    escape: Escape = Escape.NONE
    location_escape: Escape | None = None  # of the location, where it is another one
    unlisted: Unlisted = Unlisted.OMIT
    fields: FieldList = field(default_factory=FieldList)
    folders: Folders = field(default_factory=Folders)
    trim: Trim = Trim.NONE
    stand: Stand = Stand.NOTHING
    max_stand: int | None = None
    note: str = ""
    groups: GroupRule = field(default_factory=GroupRule)
    parts: dict[str, PartRule] = field(default_factory=dict[str, PartRule])
    sources: SourceList = field(default_factory=SourceList)
    description: DescriptionLimit = field(default_factory=DescriptionLimit)
    budget: BudgetRule = field(default_factory=BudgetRule)
    overflow: tuple[Overflow, ...] = ()
    short_form: ShortForm = field(default_factory=ShortForm)
    notice: Notice = field(default_factory=Notice)
    aliases: AliasRule = field(default_factory=AliasRule)
    scopes: tuple[Scope, ...] = ()


@record
class CatalogContext:
    """What a catalog tells beside the skills.

    `roots` are the folders that were searched, `groups` what their files say of groups.
    """

    roots: tuple[Root, ...] = ()
    groups: Mapping[str, str] = field(default_factory=dict[str, str])


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


def _nothing(_: object) -> str:
    return ""


def _nowhere(_: str) -> bool:
    return False


@record
class Looks:
    """How a catalog looks at the disk, where its rule asks for what stands there."""

    is_directory: Callable[[str], bool] = _nowhere
    read_body: Callable[[Skill], str] = _nothing
