"""What a skill says that it needs: programs, variables, systems, servers, tools.

Where that stands in a header is the dialect's to say, as paths of keys. A text without
such keys, `compatibility` above all, is for people: no verdict is made of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from metier.core.nodes import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    Style,
    YamlError,
    target_of,
)
from metier.core.record import record
from metier.core.scalars import is_true
from metier.core.tools import split_words

if TYPE_CHECKING:
    from metier.core.dialect import Dialect
    from metier.core.mapping import Later
    from metier.core.skill import Skill
    from metier.core.values import Fields


class Need(Enum):
    """What is needed, and how much of what is named."""

    PROGRAMS = "programs"
    ANY_PROGRAM = "any_program"
    VARIABLES = "variables"
    SYSTEM = "system"
    SERVERS = "servers"
    TOOLS = "tools"
    NO_TOOLS = "no_tools"
    SETTINGS = "settings"
    CONDITIONS = "conditions"


class Unmet(Enum):
    """What becomes of a skill that needs what is not there."""

    IGNORE = "ignore"  # nothing: what it needs is not looked at
    WARN = "warn"  # it is loaded, with a warning
    HIDE = "hide"  # the model is not offered it


class SystemNames(Enum):
    """Which words stand for an operating system."""

    COMMON = "common"  # the usual ones in any case; of others nothing is concluded
    NODE = "node"  # those of Node.js, to the letter; others are no system at all
    # `macos`, `linux` and `windows` in any case, and the beginning of any name that
    # Python has for a system.
    PYTHON = "python"


class TextMaps(Enum):
    """What a text is that stands where a map is looked for."""

    JSON_OR_YAML = "json-or-yaml"  # JSON in braces, or else YAML
    JSON5 = "json5"  # of a whole field alone; what is not that counts for nothing


@record
class RequirementRules:
    """Where a header says what it needs, as paths of keys: `metadata.requires.bins`.

    A skill needs all of its `programs`, `variables`, `servers`, `tools`, `settings` and
    `conditions`, one of each `any_program` and of its systems, and none of `no_tools`.
    Of `blocks` the first that is a map counts, the paths into the others do not. Where
    a flag at `waived_by` is set, only the system matters.
    """

    unmet: Unmet = Unmet.IGNORE
    system_names: SystemNames = SystemNames.COMMON
    text_maps: TextMaps = TextMaps.JSON_OR_YAML
    programs: tuple[str, ...] = ()
    any_program: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    system: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    no_tools: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    waived_by: tuple[str, ...] = ()

    def places(self) -> Iterator[tuple[str, Need]]:
        """Each path, and what is needed there."""
        for need in Need:
            for path in getattr(self, need.value):
                yield path, need


@record
class Requirement:
    """One thing that a skill says at `key`: what it needs, by name."""

    need: Need
    names: tuple[str, ...]
    key: str


def requirement_rules(dialect: Dialect) -> RequirementRules:
    """What `dialect` says of it; `DialectError` where its table makes no sense."""
    return _build(dialect.requirements)


@lru_cache
def _build(table: Later) -> RequirementRules:
    return table.build(RequirementRules)


def read_requirements(skill: Skill, rules: RequirementRules) -> tuple[Requirement, ...]:
    """What `skill` needs; most headers are not even read for it."""
    if not _may_hold(skill.header, _places_of(rules)):
        return ()
    fields = skill.read_nodes()
    if rules.text_maps is TextMaps.JSON5:
        fields = _parsed(fields, rules)
    return tuple(_find(fields, rules))


@lru_cache
def _places_of(rules: RequirementRules) -> dict[str, tuple[frozenset[str], ...]]:
    """The keys that it takes to get to each place, by the first of them."""
    places: dict[str, tuple[frozenset[str], ...]] = {}
    for path, _ in rules.places():
        first, *rest = path.split(".")
        places[first] = (*places.get(first, ()), frozenset(rest))
    return places


# Before the colon of a key that is not written as most are: a blank, a line end, a
# comment. An escape, or an alias, may stand for any key.
_ODD_COLONS = (" :", "\t:", "\r:", "\n:", "/:")


def _may_hold(header: str, places: dict[str, tuple[frozenset[str], ...]]) -> bool:
    """Whether all the keys that lead to some place are there as text."""
    if "\\" in header or ("&" in header and "*" in header):
        return True
    firsts = [first for first in places if first in header]
    if not firsts:
        return False
    if any(odd in header for odd in _ODD_COLONS):
        return True
    return any(
        _is_key(first, header) and _has_keys(header, places[first]) for first in firsts
    )


def _has_keys(header: str, paths: tuple[frozenset[str], ...]) -> bool:
    wanted = frozenset[str]().union(*paths)
    keys = {key for key in wanted if _is_key(key, header)}
    return any(path <= keys for path in paths)


def _is_key(key: str, header: str) -> bool:
    return key in header and any(f"{key}{end}" in header for end in (":", '":', "':"))


def _parsed(fields: Fields, rules: RequirementRules) -> Fields:
    """The fields that may hold a need: maps, or the JSON5 of what is a text."""
    from metier.core.json5 import parse_json5

    parsed: dict[str, Node | None] = {}
    for key in dict.fromkeys(path.partition(".")[0] for path, _ in rules.places()):
        node = fields.get(key)
        parsed[key] = node
        if isinstance(node, Scalar):
            try:
                parsed[key] = parse_json5(node.text)
            except ValueError:
                parsed[key] = None
    return parsed


def _find(fields: Fields, rules: RequirementRules) -> Iterator[Requirement]:
    dead = _dead_blocks(fields, rules)
    is_waived = any(_is_set(_node_at(fields, path)) for path in rules.waived_by)
    for path, need in rules.places():
        if path.startswith(dead) or (is_waived and need is not Need.SYSTEM):
            continue
        names = tuple(dict.fromkeys(_names_in(_node_at(fields, path))))
        if names:
            yield Requirement(need=need, names=names, key=path)


def _dead_blocks(fields: Fields, rules: RequirementRules) -> tuple[str, ...]:
    """The beginnings of the paths that do not count."""
    live = next(
        (b for b in rules.blocks if isinstance(_node_at(fields, b), Mapping)), None
    )
    return tuple(f"{block}." for block in rules.blocks if block != live)


def _node_at(fields: Fields, path: str) -> Node | None:
    first, *rest = path.split(".")
    node = fields.get(first)
    node = target_of(node) if node else None
    for key in rest:
        node = _member(node, key)
    return node


def _member(node: Node | None, key: str) -> Node | None:
    table = _as_map(node)
    if table is None:
        return None
    found = (v for k, v in reversed(table.entries) if _text_of(k) == key)
    value = next(found, None)
    return target_of(value) if value else None


def _as_map(node: Node | None) -> Mapping | None:
    """The node, or what the text of it holds: some write their maps as JSON."""
    if isinstance(node, Mapping):
        return node
    if not isinstance(node, Scalar) or not node.text.lstrip().startswith("{"):
        return None
    found = _parse(node.text)
    return found if isinstance(found, Mapping) else None


def _parse(text: str) -> Node | None:
    from metier.core.json_nodes import Numbers, parse_json
    from metier.core.yaml_events import Documents, parse_events

    with suppress(YamlError):
        return parse_json(text, numbers=Numbers.AS_WRITTEN)
    with suppress(YamlError):
        return parse_events(text, documents=Documents.ONE)
    return None


def _text_of(node: Node) -> str | None:
    target = target_of(node)
    return target.text if isinstance(target, Scalar) else None


def _is_set(node: Node | None) -> bool:
    return isinstance(node, Scalar) and _is_plain(node) and is_true(node.text)


def _names_in(node: Node | None) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield from () if _is_no_name(node) else split_words(node.text)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _name_of(target_of(item))
    elif isinstance(node, Mapping):
        needed = (key for key, value in node.entries if _is_needed(target_of(value)))
        yield from filter(None, map(_text_of, needed))


def _name_of(item: Node | None) -> Iterator[str]:
    """An item of a list: its text, or the `name` of one that is a map."""
    if isinstance(item, Mapping):
        item = _member(item, "name") if _is_needed(item) else None
    if isinstance(item, Scalar) and item.text.strip() and not _is_no_name(item):
        yield item.text.strip()


def _is_needed(about: Node | None) -> bool:
    """Whether what is said about a name leaves it needed: `{required: false}`."""
    if not isinstance(about, Mapping):
        return True
    required = _member(about, "required")
    return not (isinstance(required, Scalar) and required.text.lower() == "false")


def _is_no_name(node: Scalar) -> bool:
    return _is_plain(node) and node.text.lower() in ("null", "~", "true", "false")


def _is_plain(node: Scalar) -> bool:
    return node.style is Style.PLAIN
