"""Whether what a header says makes a skill, under a dialect's rules for fields."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from sys import maxsize
from typing import NamedTuple

from metier.core import nodes
from metier.core.charsets import CHARSETS
from metier.core.fields import (
    Charset,
    Consequence,
    Effect,
    Expect,
    FieldRule,
    FieldRules,
    Likeness,
    NameDefault,
    Presence,
    Rewriting,
    TextRule,
    Trim,
    Unit,
)
from metier.core.nodes import Node, Scalar, Style, target_of
from metier.core.readers.lines import LONE_QUOTE
from metier.core.scalars import (
    BINARY,
    TYPED_STARTS,
    Kind,
    ScalarSchema,
    is_misfit_null,
    kind_of,
)
from metier.core.text import (
    JAVA_WHITE_SPACE,
    JS_WHITE_SPACE,
    PYTHON_WHITE_SPACE,
    WHITE_SPACE,
)
from metier.core.values import Fields, read_field
from metier.diagnostics import Severity, Span, printable


class Finding(NamedTuple):
    """A diagnostic whose text is not at hand yet: the span is within the header."""

    rule: str
    severity: Severity
    message: str
    span: Span | None = None
    help: str | None = None


class Judged(NamedTuple):
    """Name and description as the dialect has them, and what was wrong."""

    name: str | None
    description: str | None
    is_hidden: bool
    findings: list[Finding]


class Judge:
    """The rules of one dialect, made ready for many files."""

    __slots__ = (
        "_deciding",
        "_deciding_keys",
        "_description",
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
        self._longest_name = _surely_short(rules.name)
        self._longest_description = _surely_short(rules.description)
        charset = rules.name.charset
        if rules.name.when_invalid is Consequence.IGNORE:
            charset = Charset.ANY
        self._problem = CHARSETS[charset]
        self._schema = schema
        self._deciding = rules.deciding()
        self._deciding_keys = frozenset(
            k for _, rule in self._deciding for k in rule.keys
        )
        self.keys = self._deciding_keys | {"name", "description"}

    def judge_thoroughly(self, fields: Fields, directory: str, header: str) -> Judged:
        """`judge`, for fields out of `header` that may hold anything."""
        tolerated: list[Finding] = []
        for key, rule in (("name", self._name), ("description", self._description)):
            node = fields.get(key)
            if rule.expect is Expect.TOLERANT and node is not None:
                node = _as_text(key, node, header, tolerated)
                fields = {**fields, key: _cleaned(key, node, tolerated)}
        judged = self.judge(fields, directory)
        return judged._replace(findings=[*judged.findings, *tolerated])

    def judge(self, fields: Fields, directory: str) -> Judged:
        """Name, description and visibility out of `fields`."""
        findings: list[Finding] = []
        rule = self._name
        name = self._text("name", fields, rule, findings)
        if name and rule.trim is not Trim.NONE:
            name = name.strip(_TRIMS[rule.trim])
        if name and rule.rewriting is not Rewriting.NONE:
            name = _rewritten_name(name, rule.rewriting, fields, findings)
        if not name and rule.default is NameDefault.DIRECTORY and directory:
            name = _lent_name(directory, rule.rewriting, findings)
        if name:
            if len(name) > self._longest_name:
                _check_length("name", name, rule, fields, findings)
            if problem := self._problem(name):
                findings.append(_invalid_name(name, problem, rule, fields))
        else:
            _check_presence("name", name, rule, fields, findings)
        rule = self._description
        description = self._text("description", fields, rule, findings)
        if description and rule.trim is not Trim.NONE:
            description = description.strip(_TRIMS[rule.trim])
        if description and rule.rewriting is not Rewriting.NONE:
            description = _REWRITINGS[rule.rewriting](description)
        if not description:
            _check_presence("description", description, rule, fields, findings)
        elif len(description) > self._longest_description:
            _check_length("description", description, rule, fields, findings)
        is_hidden = description is None and rule.absence is Effect.HIDES
        if self._deciding_keys.isdisjoint(fields):
            return Judged(name, description, is_hidden, findings)
        is_hidden = self._decide(fields, findings) or is_hidden
        return Judged(name, description, is_hidden, findings)

    def _decide(self, fields: Fields, findings: list[Finding]) -> bool:
        is_hidden = False
        for key, rule in self._deciding:
            value = read_field(fields, rule, self._schema)
            node = next((fields[each] for each in rule.keys if each in fields), None)
            if isinstance(node, Scalar) and node.tag == LONE_QUOTE:
                findings.append(_panic(rule.keys[0], node))
            if rule.effect is Effect.HIDES:
                is_hidden = is_hidden or value is True
            elif isinstance(value, str):
                _check_length(key, value, rule, fields, findings)
        return is_hidden

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
            return _convert(key, node, kind, rule, findings)
        if node is None:
            if key not in fields and rule.expect is Expect.STRING and _is_needed(rule):
                findings.append(_error(f"{key}-missing", f"`{key}` is missing"))
            return None
        target = target_of(node)
        if not isinstance(target, Scalar):
            return _collected(key, node, rule, findings)
        if target.tag == LONE_QUOTE:
            findings.append(_panic(key, target))
            return None
        kind = kind_of(target, self._schema)
        if kind is Kind.STRING:
            return target.text
        return _convert(key, target, kind, rule, findings)


_TRIMS = {
    Trim.WHITE_SPACE: WHITE_SPACE,
    Trim.JS_WHITE_SPACE: JS_WHITE_SPACE,
    Trim.JAVA_WHITE_SPACE: JAVA_WHITE_SPACE,
    Trim.PYTHON_WHITE_SPACE: PYTHON_WHITE_SPACE,
}


def _panic(key: str, node: Scalar) -> Finding:
    message = f"`{key}` is a lone quote, on which the host panics"
    return _error("host-panics", message, node)


def _lent_name(directory: str, rewriting: Rewriting, findings: list[Finding]) -> str:
    directory = _REWRITINGS[rewriting](directory)
    if directory.isprintable() or not _unwritable().search(directory):
        return directory
    message = "the folder's name holds control characters, which were replaced"
    findings.append(_warning("text-control", message, help="rename the folder"))
    return _unwritable().sub("\ufffd", directory)


def _rewritten_name(
    name: str, rewriting: Rewriting, fields: Fields, findings: list[Finding]
) -> str:
    rewritten = _REWRITINGS[rewriting](name)
    if rewritten != name:
        shown = f"`{printable(name)}` becomes `{printable(rewritten)}`"
        findings.append(_warning("name-rewritten", shown, fields.get("name")))
    return rewritten


def _as_it_is(text: str) -> str:
    return text


def _as_single_line(text: str) -> str:
    return _white_space().sub(" ", text).strip(" ")


@cache
def _white_space() -> re.Pattern[str]:
    return re.compile(f"[{WHITE_SPACE}]+")


def _as_file_name(text: str) -> str:
    return text.translate(_IN_NO_FILE_NAME)


_IN_NO_FILE_NAME = {ord(char): "-" for char in ':\\/<>*?"|'}
_REWRITINGS: dict[Rewriting, Callable[[str], str]] = {
    Rewriting.NONE: _as_it_is,
    Rewriting.SINGLE_LINE: _as_single_line,
    Rewriting.FILE_NAME: _as_file_name,
}


def _as_text(key: str, node: Node, header: str, findings: list[Finding]) -> Node:
    """A list or a map as the text that its author may have meant: its source."""
    target = target_of(node)
    if target is None or isinstance(target, Scalar):
        return node
    message = f"`{key}` is {_collection(target)}, and was taken as plain text"
    help = "put it in quotes: most agents drop this skill"
    findings.append(_warning(f"{key}-not-text", message, node, help=help))
    text = " ".join(header[target.start : target.end].split())
    return Scalar(text, Style.DOUBLE, target.start, target.end)


def _collection(node: Node | None) -> str:
    return "a list" if isinstance(node, nodes.Sequence) else "a map"


def _cleaned(key: str, node: Node, findings: list[Finding]) -> Node:
    """`node` without the characters that no catalog can carry."""
    target = target_of(node)
    if not isinstance(target, Scalar) or not _unwritable().search(target.text):
        return node
    message = f"`{key}` holds control characters, which were replaced"
    findings.append(_warning("text-control", message, node, help="remove them"))
    return target._replace(text=_unwritable().sub("\ufffd", target.text))


@cache
def _unwritable() -> re.Pattern[str]:
    # What XML 1.0 cannot write, not even as a reference.
    return re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def _convert(
    key: str,
    node: Scalar,
    kind: Kind,
    rule: TextRule,
    findings: list[Finding],
) -> str | None:
    """What a field that wants text makes of a number, a date or nothing at all."""
    if rule.expect is Expect.AS_WRITTEN:
        return "" if kind is Kind.NULL else node.text
    if rule.expect is Expect.SCALAR:
        return _any_scalar(key, node, kind, findings)
    if rule.expect is Expect.STRING_OR_ABSENT:
        return None
    if rule.expect is Expect.PYTHON_TEXT:
        return _python_text(key, node, findings)
    if rule.expect is Expect.PYDANTIC_TEXT and node.tag == BINARY:
        return _binary_text(key, node, findings)
    if rule.expect in (Expect.STRING, Expect.PYDANTIC_TEXT):
        message = f"`{key}` is read as {_KIND_NAMES[kind]}, not as text"
        found = _error(f"{key}-not-text", message, node, help="put it in quotes")
        findings.append(found)
        return None
    if kind is Kind.NULL:
        return None
    message = f"`{key}` is read as {_KIND_NAMES[kind]} by many agents"
    found = _warning(f"{key}-not-text", message, node, help="put it in quotes")
    findings.append(found)
    return node.text


def _python_text(key: str, node: Node, findings: list[Finding]) -> str | None:
    # PyYAML costs as much to import as the rest of metier: only when it is needed.
    from metier.core.yaml_python import write_python

    try:
        return write_python(node)
    except ValueError:
        message = f"`{key}` is a number of more digits than Python writes"
        findings.append(_error(f"{key}-not-text", message, node))
        return None


def _binary_text(key: str, node: Scalar, findings: list[Finding]) -> str | None:
    from metier.core.yaml_python import construct_python

    data = construct_python(node)
    if isinstance(data, bytes):
        with suppress(UnicodeDecodeError):
            return data.decode()
    findings.append(_error(f"{key}-not-text", f"`{key}` is no UTF-8", node))
    return None


def _any_scalar(
    key: str, node: Scalar, kind: Kind, findings: list[Finding]
) -> str | None:
    if kind is not Kind.NULL or node.style is not Style.PLAIN:
        return node.text
    if is_misfit_null(node):
        message = f"`{key}` does not fit its tag `{node.tag}`"
        findings.append(_error(f"{key}-not-text", message, node))
    return None


def _collected(
    key: str, node: Node, rule: TextRule, findings: list[Finding]
) -> str | None:
    if rule.expect is Expect.PYTHON_TEXT:
        return _python_text(key, node, findings)
    if rule.expect is not Expect.STRING_OR_ABSENT:
        message = f"`{key}` is {_collection(target_of(node))}, not a text"
        found = _error(f"{key}-not-text", message, node, help="put it in quotes")
        findings.append(found)
    return None


_KIND_NAMES = {
    Kind.NULL: "nothing (null)",
    Kind.BOOL: "a boolean",
    Kind.INT: "a number",
    Kind.FLOAT: "a number",
    Kind.TIMESTAMP: "a date",
    Kind.OTHER: "a tagged value",
}


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
        found = _error(f"{key}-empty", f"`{key}` is empty", fields[key])
    else:
        message = f"`{key}` is missing"
        found = _error(f"{key}-missing", message, help=f"add `{key}: ...`")
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
        _span(fields.get("name")),
        "use lower-case letters, digits and single hyphens",
    )


def _surely_short(rule: TextRule) -> int:
    """How many characters need no counting, whatever they are."""
    if rule.max_length is None:
        return maxsize
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
    size, unit = length_of(value, rule.unit), _UNIT_NAMES[rule.unit]
    if size > rule.max_length:
        findings.append(
            Finding(
                f"{key}-too-long",
                _severity(rule.when_invalid),
                f"`{key}` has {size:,} {unit}, {rule.max_length:,} are allowed",
                _span(fields.get(key)),
                f"cut {size - rule.max_length:,} {unit}",
            )
        )


_UNIT_NAMES = {
    Unit.CHARACTERS: "characters",
    Unit.UTF16: "UTF-16 units",
    Unit.BYTES: "bytes",
}


def length_of(value: str, unit: Unit) -> int:
    """How long `value` is, counted in `unit`."""
    if unit is Unit.CHARACTERS or value.isascii():
        return len(value)
    if unit is Unit.UTF16:
        return len(value) + sum(char > "\uffff" for char in value)
    return len(value.encode("utf-8", "surrogateescape"))


def is_alike(name: str, directory: str, likeness: Likeness) -> bool:
    """Whether the name of a skill is that of its folder."""
    if name == directory or likeness is Likeness.EXACT:
        return name == directory
    return _folded(name) == _folded(directory)


def _folded(text: str) -> str:
    # A character that folds to several, such as the sharp s, stands for itself.
    folds = ((char, char.casefold()) for char in text)
    return "".join(fold if len(fold) == 1 else char for char, fold in folds)


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
