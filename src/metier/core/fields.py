"""From what a reader found to the fields of a skill, under a dialect's rules."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from metier.core import nodes
from metier.core.nodes import Node, Scalar, target_of
from metier.core.readers.lines import LONE_QUOTE
from metier.core.scalars import Kind, ScalarSchema, fits_its_tag, is_true, kind_of
from metier.core.tools import split_tools, split_words
from metier.diagnostics import Diagnostic, Diagnostics, Severity, Span


class Expect(Enum):
    """What a field that wants text makes of another type."""

    STRING = "string"  # anything else rejects the file
    AS_WRITTEN = "as-written"  # any scalar as its source reads; null is empty
    STRING_OR_ABSENT = "string-or-absent"  # anything else counts as not there
    TOLERANT = "tolerant"  # any scalar as its source reads, with a warning


class Presence(Enum):
    """Whether a field, or the body, has to be there."""

    OPTIONAL = "optional"
    REQUIRED = "required"  # may be empty
    NON_EMPTY = "non-empty"


class Unit(Enum):
    """What a length counts."""

    CHARACTERS = "characters"
    BYTES = "bytes"


class Consequence(Enum):
    """What happens to a skill that breaks a rule."""

    REJECT = "reject"
    WARN = "warn"
    IGNORE = "ignore"


class Charset(Enum):
    """Which names are allowed."""

    ANY = "any"
    LOWER_ASCII = "lower-ascii"  # a-z, 0-9 and hyphens, anywhere
    LOWER_UNICODE = "lower-unicode"  # letters, digits, single inner hyphens


class NameDefault(Enum):
    """Where a name comes from when the file states none."""

    NONE = "none"
    DIRECTORY = "directory"


class FieldType(Enum):
    """What an optional field holds."""

    TEXT = "text"
    WORDS = "words"  # split at commas and spaces
    TOOLS = "tools"  # a text or a list, parentheses kept together
    FLAG = "flag"
    TEXT_MAP = "text-map"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRule:
    """How `name` or `description` is read and judged."""

    expect: Expect
    presence: Presence
    charset: Charset = Charset.ANY
    max_length: int | None = None
    unit: Unit = Unit.CHARACTERS
    when_invalid: Consequence = Consequence.REJECT
    default: NameDefault = NameDefault.NONE
    directory_match: Consequence = Consequence.IGNORE


class KeyPick(Enum):
    """Which of several spellings of one field counts."""

    FIRST_LISTED = "first-listed"
    LAST_WRITTEN = "last-written"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRule:
    """How one optional field is read, under any of its keys."""

    keys: tuple[str, ...]
    type: FieldType
    pick: KeyPick = KeyPick.FIRST_LISTED
    max_length: int | None = None
    unit: Unit = Unit.CHARACTERS
    when_invalid: Consequence = Consequence.REJECT
    hides: bool = False


class BodyTrim(Enum):
    """What is taken off the ends of the body."""

    NONE = "none"
    WHITE_SPACE = "white-space"
    JS_WHITE_SPACE = "js-white-space"


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyRule:
    """How the body is handed over."""

    trim: BodyTrim = BodyTrim.NONE
    presence: Presence = Presence.OPTIONAL


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRules:
    """Everything a dialect says about fields."""

    name: TextRule
    description: TextRule
    body: BodyRule = field(default_factory=BodyRule)
    other: dict[str, FieldRule] = field(default_factory=dict[str, FieldRule])

    def wanted(self) -> frozenset[str]:
        """The keys that decide whether a file is a skill, and whether it shows."""
        deciding = (rule for rule in self.other.values() if rule.max_length or rule.hides)
        return frozenset(("name", "description")).union(
            *(rule.keys for rule in deciding)
        )


class Judged(NamedTuple):
    """Name and description as the dialect has them, and what was wrong."""

    name: str | None
    description: str | None
    is_hidden: bool
    findings: tuple[Finding, ...]


class Finding(NamedTuple):
    """A diagnostic whose text is not at hand yet: the span is within the header."""

    rule: str
    severity: Severity
    message: str
    span: Span | None = None
    help: str | None = None


Fields = dict[str, Node | None]
FieldValue = str | bool | tuple[str, ...] | dict[str, str] | None

_LOWER_UNICODE = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_LOWER_ASCII = re.compile(r"[a-z0-9-]*")


def judge_fields(
    fields: Fields, rules: FieldRules, schema: ScalarSchema, directory: str
) -> Judged:
    """Name, description and visibility out of `fields`."""
    findings: list[Finding] = []
    name = _judge_text("name", fields, rules.name, schema, findings)
    if not name and rules.name.default is NameDefault.DIRECTORY:
        name = directory or name
    _check_presence("name", name, rules.name, fields, findings)
    if name:
        _check_name(name, rules.name, fields, findings)
    description = _judge_text(
        "description", fields, rules.description, schema, findings
    )
    _check_presence("description", description, rules.description, fields, findings)
    if description:
        _check_length(
            "description", description, rules.description, fields, findings
        )
    is_hidden = False
    for key, rule in rules.other.items():
        if rule.hides:
            is_hidden = is_hidden or read_field(fields, rule, schema) is True
        elif rule.max_length is not None:
            value = read_field(fields, rule, schema)
            if isinstance(value, str):
                _check_length(key, value, rule, fields, findings)
    return Judged(name, description, is_hidden, tuple(findings))


def _judge_text(
    key: str,
    fields: Fields,
    rule: TextRule,
    schema: ScalarSchema,
    findings: list[Finding],
) -> str | None:
    node = fields.get(key)
    if type(node) is Scalar and node.tag is None:
        kind = kind_of(node, schema)
        if kind is Kind.STRING:
            return node.text
        return _convert_text(key, node, kind, rule, schema, findings)
    if node is None:
        if key in fields or rule.expect is not Expect.STRING:
            return None
        findings.append(_error(f"{key}-missing", f"`{key}` is missing"))
        return None
    node = target_of(node)
    if isinstance(node, Scalar):
        if node.tag == LONE_QUOTE:
            message = f"`{key}` is a lone quote, on which the host panics"
            findings.append(_error("host-panics", message, node))
            return None
        kind = kind_of(node, schema)
        if kind is Kind.STRING:
            return node.text
        return _convert_text(key, node, kind, rule, schema, findings)
    return _refuse_collection(key, node, rule, findings)


def _as_written(
    key: str, node: Scalar, kind: Kind, schema: ScalarSchema, findings: list[Finding]
) -> str | None:
    if node.tag == _BINARY:
        try:
            return b64decode(node.text.replace("\n", ""), validate=True).decode()
        except ValueError:
            findings.append(_error(f"{key}-not-text", f"`{key}` is no base64", node))
            return None
    if not fits_its_tag(node, schema):
        message = f"`{key}` does not fit its tag `{node.tag}`"
        findings.append(_error(f"{key}-not-text", message, node))
        return None
    return "" if kind is Kind.NULL else node.text


_BINARY = "tag:yaml.org,2002:binary"


def _convert_text(
    key: str,
    node: Scalar,
    kind: Kind,
    rule: TextRule,
    schema: ScalarSchema,
    findings: list[Finding],
) -> str | None:
    match rule.expect:
        case Expect.STRING:
            message = f"`{key}` is read as {_named(kind)}, not as text"
            findings.append(
                _error(f"{key}-not-text", message, node, help="put it in quotes")
            )
            return None
        case Expect.STRING_OR_ABSENT:
            return None
        case Expect.AS_WRITTEN:
            return _as_written(key, node, kind, schema, findings)
        case Expect.TOLERANT:
            if kind is Kind.NULL:
                return None
            message = f"`{key}` is read as {_named(kind)} by many agents"
            findings.append(
                _warning(f"{key}-not-text", message, node, help="put it in quotes")
            )
            return node.text


def _refuse_collection(
    key: str,
    node: nodes.Sequence | nodes.Mapping | None,
    rule: TextRule,
    findings: list[Finding],
) -> str | None:
    if rule.expect is Expect.STRING_OR_ABSENT:
        return None
    kind = "a list" if isinstance(node, nodes.Sequence) else "a map"
    severity = Severity.ERROR
    if rule.expect is Expect.TOLERANT:
        severity = Severity.WARNING
    span = Span(node.start, node.end) if node else None
    findings.append(
        Finding(
            f"{key}-not-text",
            severity,
            f"`{key}` is {kind}, not a text",
            span,
            "put it in quotes",
        )
    )
    return None


_KIND_NAMES = {
    Kind.NULL: "nothing (null)",
    Kind.BOOL: "a boolean",
    Kind.INT: "a number",
    Kind.FLOAT: "a number",
    Kind.TIMESTAMP: "a date",
    Kind.OTHER: "a tagged value",
    Kind.STRING: "text",
}


def _named(kind: Kind) -> str:
    return _KIND_NAMES[kind]


def _check_presence(
    key: str,
    value: str | None,
    rule: TextRule,
    fields: Fields,
    findings: list[Finding],
) -> None:
    if rule.presence is Presence.OPTIONAL or value:
        return
    if any(f.severity is Severity.ERROR and f.rule.startswith(key) for f in findings):
        return
    if any(finding.rule == "host-panics" for finding in findings):
        return
    if rule.presence is Presence.REQUIRED and value is not None:
        return
    node = fields.get(key)
    if node is None and key not in fields:
        findings.append(
            _error(f"{key}-missing", f"`{key}` is missing", help=f"add `{key}: ...`")
        )
    else:
        findings.append(_error(f"{key}-empty", f"`{key}` is empty", node))


def _check_name(
    name: str, rule: TextRule, fields: Fields, findings: list[Finding]
) -> None:
    _check_length("name", name, rule, fields, findings)
    problem = _CHARSETS[rule.charset](name)
    if problem and rule.when_invalid is not Consequence.IGNORE:
        findings.append(
            Finding(
                "name-invalid",
                _severity(rule.when_invalid),
                f"`{printable(name)}` {problem}",
                _span(fields.get("name")),
                "use lower-case letters, digits and single hyphens",
            )
        )


def _check_length(
    key: str,
    value: str,
    rule: TextRule | FieldRule,
    fields: Fields,
    findings: list[Finding],
) -> None:
    if rule.max_length is None or rule.when_invalid is Consequence.IGNORE:
        return
    size = length_of(value, rule.unit)
    if size > rule.max_length:
        findings.append(
            Finding(
                f"{key}-too-long",
                _severity(rule.when_invalid),
                f"`{key}` has {size:,} {rule.unit.value}, "
                f"{rule.max_length:,} are allowed",
                _span(fields.get(key)),
                f"cut {size - rule.max_length:,} {rule.unit.value}",
            )
        )


def length_of(value: str, unit: Unit) -> int:
    """How long `value` is, counted in `unit`."""
    if unit is Unit.CHARACTERS or value.isascii():
        return len(value)
    return len(value.encode("utf-8", "surrogateescape"))


def _problem_lower_ascii(name: str) -> str | None:
    if _LOWER_ASCII.fullmatch(name):
        return None
    return "holds characters other than a-z, 0-9 and `-`"


def _problem_lower_unicode(name: str) -> str | None:
    if not _has_lower_shape(name):
        return "is not lower-case letters and digits with single hyphens between them"
    return None


def _has_lower_shape(name: str) -> bool:
    if name.isascii():
        return name == name.lower() and _LOWER_UNICODE.fullmatch(name) is not None
    if name != name.lower() or name[0] == "-" or name[-1] == "-" or "--" in name:
        return False
    return all(c == "-" or c.isalpha() or c.isdecimal() for c in name)


_CHARSETS: dict[Charset, Callable[[str], str | None]] = {
    Charset.ANY: lambda name: None,
    Charset.LOWER_ASCII: _problem_lower_ascii,
    Charset.LOWER_UNICODE: _problem_lower_unicode,
}


def read_field(fields: Fields, rule: FieldRule, schema: ScalarSchema) -> FieldValue:
    """The value of an optional field, None where it is not there or not usable."""
    keys: Iterable[str] = rule.keys
    if rule.pick is KeyPick.LAST_WRITTEN:
        keys = (key for key in reversed(fields) if key in rule.keys)
    node = next((fields[key] for key in keys if key in fields), None)
    node = target_of(node) if node else None
    match rule.type:
        case FieldType.TEXT:
            return _read_text(node, schema)
        case FieldType.FLAG:
            return _read_flag(node, schema)
        case FieldType.WORDS:
            return split_words(node.text) if isinstance(node, Scalar) else ()
        case FieldType.TOOLS:
            return _read_tools(node)
        case FieldType.TEXT_MAP:
            return _read_map(node)


def _read_text(node: Node | None, schema: ScalarSchema) -> str | None:
    if not isinstance(node, Scalar):
        return None
    if kind_of(node, schema) is Kind.NULL or node.text == "":
        return None
    return node.text


def _read_flag(node: Node | None, schema: ScalarSchema) -> bool:
    if not isinstance(node, Scalar):
        return False
    kind = kind_of(node, schema)
    if schema is ScalarSchema.TEXT:
        return node.text.isascii() and node.text.lower() == "true"
    if kind is Kind.BOOL:
        return is_true(node.text)
    return kind is Kind.STRING and node.text.lower() == "true"


def _read_tools(node: Node | None) -> tuple[str, ...]:
    if isinstance(node, Scalar):
        return split_tools(node.text)
    if not isinstance(node, nodes.Sequence):
        return ()
    items = (target_of(item) for item in node.items)
    return tuple(item.text for item in items if isinstance(item, Scalar) and item.text)


def _read_map(node: Node | None) -> dict[str, str] | None:
    if not isinstance(node, nodes.Mapping):
        return None
    pairs = ((target_of(key), target_of(value)) for key, value in node.entries)
    return {
        key.text: value.text
        for key, value in pairs
        if isinstance(key, Scalar) and isinstance(value, Scalar)
    }


def _severity(consequence: Consequence) -> Severity:
    return Severity.ERROR if consequence is Consequence.REJECT else Severity.WARNING


def _span(node: Node | None) -> Span | None:
    return Span(node.start, node.end) if node else None


def _error(
    rule: str, message: str, node: Node | None = None, *, help: str | None = None
) -> Finding:
    return Finding(rule, Severity.ERROR, message, _span(node), help)


def _warning(
    rule: str, message: str, node: Node | None = None, *, help: str | None = None
) -> Finding:
    return Finding(rule, Severity.WARNING, message, _span(node), help)


def printable(text: str, *, limit: int = 80) -> str:
    """`text` for a message: controls and invisible characters made visible, cut."""
    shown = "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode() for c in text
    )
    return shown if len(shown) <= limit else shown[: limit - 3] + "..."


__all__ = [
    "BodyRule",
    "BodyTrim",
    "Charset",
    "Consequence",
    "Diagnostic",
    "Diagnostics",
    "Expect",
    "FieldRule",
    "FieldRules",
    "FieldType",
    "FieldValue",
    "Fields",
    "Finding",
    "Judged",
    "NameDefault",
    "Presence",
    "TextRule",
    "Unit",
    "judge_fields",
    "length_of",
    "printable",
    "read_field",
]
