"""Whether what a header says makes a skill, under a dialect's rules for fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from sys import maxsize
from typing import NamedTuple

from metier.core.charsets import CHARSETS
from metier.core.conversions import (
    convert_collection,
    convert_scalar,
    is_falsy,
    name_of_collection,
)
from metier.core.fields import (
    Charset,
    Consequence,
    Effect,
    Expect,
    Falsity,
    FieldRule,
    FieldRules,
    FieldType,
    FromBody,
    KeyRule,
    Measured,
    NameDefault,
    Presence,
    Quotes,
    Rewriting,
    TextRule,
    Trim,
    Unit,
)
from metier.core.findings import Finding, error_at, span_of, warning_at
from metier.core.lengths import length_of, start_of
from metier.core.names import ALSO_WHERE_BLANK, compose, is_blank, title_of
from metier.core.nodes import Node, Scalar, Style, target_of
from metier.core.readers.lines import LONE_QUOTE
from metier.core.rewriting import REWRITINGS
from metier.core.scalars import (
    TYPED_STARTS,
    Kind,
    ScalarSchema,
    kind_of,
)
from metier.core.switches import judge_switch
from metier.core.text import (
    JAVA_WHITE_SPACE,
    JS_WHITE_SPACE,
    PYTHON_WHITE_SPACE,
    WHITE_SPACE,
)
from metier.core.values import Fields, FieldValue, read_field, unquote
from metier.diagnostics import Severity, printable


class Judged(NamedTuple):
    """Name and description as the dialect has them, and what was wrong.

    `key` is what the header says that the skill is known by, where that may be said.
    """

    name: str | None
    description: str | None
    is_hidden: bool
    findings: list[Finding]
    key: str | None = None


class Judge:
    """The rules of one dialect, made ready for many files."""

    __slots__ = (
        "_deciding",
        "_deciding_keys",
        "_description",
        "_has_to_be_listed",
        "_key",
        "_known",
        "_longest_description",
        "_longest_name",
        "_name",
        "_problem",
        "_schema",
        "keys",
    )

    def __init__(self, rules: FieldRules, schema: ScalarSchema) -> None:
        self._name = rules.name
        self._description = rules.description
        self._key = rules.key
        self._longest_name = _surely_short(rules.name)
        self._longest_description = _surely_short(rules.description)
        charset = rules.name.charset
        if rules.name.when_invalid is Consequence.IGNORE:
            charset = Charset.ANY
        self._problem = CHARSETS[charset]
        self._schema = schema
        self._known = _known_keys(rules)
        effects = (rule.effect for rule in rules.other.values())
        self._has_to_be_listed = Effect.LISTS in effects
        self._deciding = rules.deciding()
        self._deciding_keys = frozenset(
            k for _, rule in self._deciding for k in rule.keys
        )
        self.keys = self._deciding_keys | _text_keys(rules)

    def judge_thoroughly(self, fields: Fields, directory: str, header: str) -> Judged:
        """`judge`, for fields out of `header` that may hold anything."""
        tolerated: list[Finding] = []
        for key, rule in (("name", self._name), ("description", self._description)):
            node = fields.get(key)
            if rule.expect is Expect.TOLERANT and node is not None:
                node = _as_text(key, node, header, tolerated)
                fields = {**fields, key: _cleaned(key, node, tolerated)}
        judged = self.judge(fields, directory)
        unknown = self._unknown_keys(fields)
        return judged._replace(findings=[*judged.findings, *tolerated, *unknown])

    def _unknown_keys(self, fields: Fields) -> Iterator[Finding]:
        if self._known is None:
            return
        for key, node in fields.items():
            if key not in self._known:
                message = f"`{printable(key)}` is no field that may be here"
                help = "move it to `metadata`"
                yield error_at("key-unknown", message, node, help=help)

    def judge(self, fields: Fields, directory: str) -> Judged:
        """Name, description and visibility out of `fields`."""
        findings: list[Finding] = []
        key = _stated_key(fields, self._key) if self._key.field else None
        name = self._judge_name(fields, key or directory, findings)
        description = self._judge_description(fields, findings)
        is_absent = description is None and self._description.absence is Effect.HIDES
        is_hidden = is_absent or self._has_to_be_listed
        if not self._deciding_keys.isdisjoint(fields):
            is_hidden = self._decide(fields, findings) or is_absent
        return Judged(name, description, is_hidden, findings, key)

    def _judge_name(
        self, fields: Fields, lent: str, findings: list[Finding]
    ) -> str | None:
        rule = self._name
        if rule.default is NameDefault.ALWAYS_DIRECTORY:
            fields = {}
        name = self._text("name", fields, rule, findings)
        if not name and rule.others:
            texts = (self._text(each, fields, rule, findings) for each in rule.others)
            name = next(filter(None, texts), name)
        raw = name or ""
        if name and rule.trim is not Trim.NONE:
            name = name.strip(_TRIMS[rule.trim])
        if name and rule.rewriting is not Rewriting.NONE:
            name = _rewritten_name(name, rule.rewriting, fields, findings)
        is_left = name is not None and rule.default is NameDefault.DIRECTORY_IF_ABSENT
        if not name and rule.default is not NameDefault.NONE and lent and not is_left:
            name = _lent_name(lent, rule, findings)
        if not name:
            _check_presence("name", name, rule, fields, findings)
            return name
        if max(len(raw), len(name)) > self._longest_name:
            name = _fit("name", name, raw, rule, fields, findings)
        if problem := self._problem(name):
            findings.append(_invalid_name(name, problem, rule, fields))
        if rule.directory_match is Consequence.RENAME and lent not in ("", name):
            name = _renamed(name, lent, rule, fields, findings)
        return name

    def _judge_description(self, fields: Fields, findings: list[Finding]) -> str | None:
        rule = self._description
        description = self._text("description", fields, rule, findings)
        if description and rule.quotes is not Quotes.KEEP:
            description = unquote(description, rule.quotes)
        if not description and rule.from_body is not FromBody.NONE:
            return None
        raw = description or ""
        if description and rule.trim is not Trim.NONE:
            description = description.strip(_TRIMS[rule.trim])
        if description and rule.rewriting is not Rewriting.NONE:
            description = REWRITINGS[rule.rewriting](description)
        if not description and rule.from_body in ALSO_WHERE_BLANK:
            return None
        if not description or is_blank(description, rule.presence):
            _check_presence("description", description, rule, fields, findings)
        elif len(raw) > self._longest_description:
            description = _fit("description", description, raw, rule, fields, findings)
        return description

    def _decide(self, fields: Fields, findings: list[Finding]) -> bool:
        is_hidden, is_listed = False, not self._has_to_be_listed
        for key, rule in self._deciding:
            value = read_field(fields, rule, self._schema)
            node = next((fields[each] for each in rule.keys if each in fields), None)
            if isinstance(node, Scalar) and node.tag == LONE_QUOTE:
                findings.append(_panic(rule.keys[0], node))
            if rule.type is FieldType.OFF_SWITCH:
                findings += judge_switch(fields, rule, self._schema)
            elif rule.other_types is Consequence.REJECT and not _is_text(node):
                found = error_at("field-misfit", f"`{key}` is no text", node)
                findings.append(found)
            elif rule.other_types is Consequence.WARN and node is not None:
                findings += _unheeded(node, rule, self._schema)
            if node is not None and rule.choices and not _is_chosen(node, rule):
                findings.append(_no_choice(key, node, rule))
            if rule.effect in (Effect.HIDES, Effect.DISABLES):
                is_hidden = is_hidden or value is True or _is_filled(value)
            elif rule.effect is Effect.LISTS:
                is_listed = is_listed or value is True or _is_filled(value)
            elif rule.effect is Effect.WAITS:
                findings += _waiting(key, value, node)
            elif rule.effect is Effect.CONFINES:
                findings += _confined(rule, value, node)
            elif isinstance(value, str):
                _check_length(key, value, rule, fields, findings)
        return is_hidden or not is_listed

    def _text(
        self, key: str, fields: Fields, rule: TextRule, findings: list[Finding]
    ) -> str | None:
        node = fields.get(key)
        if type(node) is Scalar and node.tag is None:
            if node.text[:1] not in TYPED_STARTS:
                return node.text
            kind = kind_of(node, self._schema)
            if kind is Kind.STRING:
                return node.text
        if node is None:
            if key not in fields and rule.expect is Expect.STRING and _is_needed(rule):
                findings.append(error_at(f"{key}-missing", f"`{key}` is missing"))
            return None
        if rule.falsity is Falsity.ABSENT and is_falsy(node):
            return None
        target = target_of(node)
        if not isinstance(target, Scalar):
            return convert_collection(key, node, rule, findings)
        if target.tag == LONE_QUOTE:
            findings.append(_panic(key, target))
            return None
        kind = kind_of(target, self._schema)
        if kind is Kind.STRING:
            return target.text
        return convert_scalar(key, target, kind, rule, findings)


def _is_text(node: Node | None) -> bool:
    return node is None or (isinstance(node, Scalar) and node.tag is None)


def _unheeded(node: Node, rule: FieldRule, schema: ScalarSchema) -> Iterator[Finding]:
    """That a flag is neither set nor unset by what stands there."""
    target = target_of(node)
    if isinstance(target, Scalar):
        is_word = target.text.lower() in ("true", "false")
        if is_word or kind_of(target, schema) is Kind.BOOL:
            return
    message = f"`{rule.keys[0]}` is neither true nor false, and so does not count"
    yield warning_at("field-not-flag", message, node, help="write `true` or `false`")


def _is_filled(value: FieldValue) -> bool:
    return isinstance(value, tuple) and len(value) > 0


def _known_keys(rules: FieldRules) -> frozenset[str] | None:
    """The only keys that may be there, None where any may."""
    if rules.unknown is not Consequence.REJECT:
        return None
    others = (key for rule in rules.other.values() for key in rule.keys)
    return frozenset(("name", "description", *others))


_TRIMS = {
    Trim.NONE: "",
    Trim.WHITE_SPACE: WHITE_SPACE,
    Trim.PYTHON_WHITE_SPACE: PYTHON_WHITE_SPACE,
    Trim.JS_WHITE_SPACE: JS_WHITE_SPACE,
    Trim.JAVA_WHITE_SPACE: JAVA_WHITE_SPACE,
}


def trim_text(text: str, trim: Trim) -> str:
    """`text` without what `trim` takes off its ends."""
    return text.strip(_TRIMS[trim])


def _text_keys(rules: FieldRules) -> frozenset[str]:
    """The fields that give a skill its name, its key and its description."""
    appended = rules.other.get(rules.description.appended or "")
    also = appended.keys if appended else ()
    own = (rules.key.field,) if rules.key.field else ()
    return frozenset(("name", "description", *rules.name.others, *own, *also))


def _is_chosen(node: Node, rule: FieldRule) -> bool:
    from metier.core.yaml_python import construct_python

    value = construct_python(node)
    return not value or value in rule.choices


def _no_choice(key: str, node: Node, rule: FieldRule) -> Finding:
    allowed = ", ".join(f"`{each}`" for each in rule.choices)
    return error_at("field-no-choice", f"`{key}` is none of {allowed}", node)


def _stated_key(fields: Fields, rule: KeyRule) -> str | None:
    node = fields.get(rule.field or "")
    return node.text or None if isinstance(node, Scalar) else None


def _waiting(key: str, value: FieldValue, node: Node | None) -> Iterator[Finding]:
    if isinstance(value, tuple) and value:
        shown = ", ".join(f"`{printable(each)}`" for each in value)
        message = f"it waits until a file is read that matches {shown}"
        help = f"remove `{key}`, and it counts from the start"
        yield error_at("paths-waiting", message, node, help=help)


def _confined(
    rule: FieldRule, value: FieldValue, node: Node | None
) -> Iterator[Finding]:
    if isinstance(value, tuple) and value and not set(value) & set(rule.within):
        modes = ", ".join(f"`{printable(each)}`" for each in value)
        yield error_at("mode-other", f"it is for {modes} alone", node)


def _panic(key: str, node: Scalar) -> Finding:
    message = f"`{key}` is a lone quote, on which the host panics"
    return error_at("host-panics", message, node)


def _lent_name(lent: str, rule: TextRule, findings: list[Finding]) -> str:
    if rule.default is NameDefault.TITLED_KEY:
        lent = title_of(lent)
    if rule.default is NameDefault.TRIMMED_DIRECTORY:
        lent = trim_text(lent, rule.trim)
    lent = REWRITINGS[rule.rewriting](lent)
    if lent.isprintable() or not _unwritable().search(lent):
        return lent
    message = "the folder's name holds control characters, which were replaced"
    findings.append(warning_at("text-control", message, help="rename the folder"))
    return _unwritable().sub("\ufffd", lent)


def _renamed(
    name: str, lent: str, rule: TextRule, fields: Fields, findings: list[Finding]
) -> str:
    message = f"`{printable(name)}` stands in a folder called `{printable(lent)}`, "
    message += "whose name counts"
    found = warning_at("name-not-directory", message, fields.get("name"))
    findings.append(found)
    return _lent_name(lent, rule, findings)


def _rewritten_name(
    name: str, rewriting: Rewriting, fields: Fields, findings: list[Finding]
) -> str:
    rewritten = REWRITINGS[rewriting](name)
    if rewritten != name:
        shown = f"`{printable(name)}` becomes `{printable(rewritten)}`"
        findings.append(warning_at("name-rewritten", shown, fields.get("name")))
    return rewritten


def _as_text(key: str, node: Node, header: str, findings: list[Finding]) -> Node:
    """A list or a map as the text that its author may have meant: its source."""
    target = target_of(node)
    if target is None or isinstance(target, Scalar):
        return node
    message = f"`{key}` is {name_of_collection(target)}, and was taken as plain text"
    help = "put it in quotes: most agents drop this skill"
    findings.append(warning_at(f"{key}-not-text", message, node, help=help))
    text = " ".join(header[target.start : target.end].split())
    return Scalar(text, Style.DOUBLE, target.start, target.end)


def _cleaned(key: str, node: Node, findings: list[Finding]) -> Node:
    """`node` without the characters that no catalog can carry."""
    target = target_of(node)
    if not isinstance(target, Scalar) or not _unwritable().search(target.text):
        return node
    message = f"`{key}` holds control characters, which were replaced"
    findings.append(warning_at("text-control", message, node, help="remove them"))
    return target._replace(text=_unwritable().sub("\ufffd", target.text))


@cache
def _unwritable() -> re.Pattern[str]:
    # What XML 1.0 cannot write, not even as a reference.
    return re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def _check_presence(
    key: str,
    value: str | None,
    rule: TextRule,
    fields: Fields,
    findings: list[Finding],
) -> None:
    """Complain about a field that is needed and not there, once."""
    if not _is_needed(rule) or any(map(_is_error, findings)):
        return
    if rule.presence is Presence.REQUIRED and value is not None:
        return
    if key in fields:
        found = error_at(f"{key}-empty", f"`{key}` is empty", fields[key])
    else:
        message = f"`{key}` is missing"
        found = error_at(f"{key}-missing", message, help=f"add `{key}: ...`")
    findings.append(found)


def _is_needed(rule: TextRule) -> bool:
    return rule.presence is not Presence.OPTIONAL


def _is_error(finding: Finding) -> bool:
    return finding.severity is Severity.ERROR


def _invalid_name(name: str, problem: str, rule: TextRule, fields: Fields) -> Finding:
    return Finding(
        "name-invalid",
        _severity(rule.when_invalid),
        f"`{printable(name)}` {problem}",
        span_of(fields.get("name")),
        "use lower-case letters, digits and single hyphens",
    )


def _measured(raw: str, text: str, rule: TextRule) -> str:
    """What of a text is counted."""
    if rule.measured is Measured.TRIMMED:
        return text
    return raw if rule.measured is Measured.UNTRIMMED else compose(text)


def _surely_short(rule: TextRule) -> int:
    """How many characters need no counting, whatever they are."""
    if rule.max_length is None:
        return maxsize
    if rule.measured is Measured.COMPOSED:
        # One character composes to eighteen at most.
        return rule.max_length // 18
    return rule.max_length // _MOST_UNITS[rule.unit]


# How many of them one character takes at most.
_MOST_UNITS = {Unit.CHARACTERS: 1, Unit.UTF16: 2, Unit.BYTES: 4}


def _check_length(
    key: str,
    value: str,
    rule: TextRule | FieldRule,
    fields: Fields,
    findings: list[Finding],
) -> None:
    if rule.max_length is None or rule.when_invalid is Consequence.IGNORE:
        return
    if isinstance(rule, TextRule) and rule.clipped:
        return
    size, unit = length_of(value, rule.unit), UNIT_NAMES[rule.unit]
    if size > rule.max_length:
        findings.append(
            Finding(
                f"{key}-too-long",
                _severity(rule.when_invalid),
                f"`{key}` has {size:,} {unit}, {rule.max_length:,} are allowed",
                span_of(fields.get(key)),
                f"cut {size - rule.max_length:,} {unit}",
            )
        )


def _fit(
    key: str,
    value: str,
    raw: str,
    rule: TextRule,
    fields: Fields,
    findings: list[Finding],
) -> str:
    measured = _measured(raw or value, value, rule)
    _check_length(key, measured, rule, fields, findings)
    most, unit = rule.max_length, rule.unit
    if rule.when_invalid is not Consequence.CUT or most is None:
        return value
    if length_of(value, unit) <= most:
        return value
    return start_of(value, most - len(rule.ellipsis), unit) + rule.ellipsis


UNIT_NAMES = {
    Unit.CHARACTERS: "characters",
    Unit.UTF16: "UTF-16 units",
    Unit.BYTES: "bytes",
}


def _severity(consequence: Consequence) -> Severity:
    return Severity.ERROR if consequence is Consequence.REJECT else Severity.WARNING
