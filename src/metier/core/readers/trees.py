"""The readers that know YAML: a full tree, its duplicates, and recovery."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from metier.core.nodes import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    Style,
    YamlError,
    diagnose_yaml,
    target_of,
)
from metier.core.readers import (
    PYTHON_ENGINES,
    DuplicateKeys,
    Languages,
    ReaderEngine,
    ReaderRule,
    Recovery,
)
from metier.core.readers.lines import read_name_and_description
from metier.core.scalars import Kind, ScalarSchema, kind_of
from metier.core.text import JS_WHITE_SPACE
from metier.core.yaml_events import Documents, parse_events
from metier.diagnostics import (
    Diagnostic,
    Diagnostics,
    Fix,
    Severity,
    Span,
    diagnostic_at,
)

Fields = dict[str, Node]

# A header that breaks one rule a thousand times is not a thousand times as bad: what
# is told costs time too, as each finding counts the lines before it.
_MAX_FINDINGS = 50
# The most fields that are read one by one; real headers have a few dozen.
_MAX_RECOVERED = 1_000
# What all merges of one header together may look at.
_MAX_MERGED = 10_000

_TOP_FIELD = re.compile(r"^([A-Za-z_][A-Za-z0-9_.-]*):(?=\s|\Z)", re.MULTILINE)


class Header(NamedTuple):
    """A header where it stands: `text[start:end]`, and the word behind its fence."""

    text: str
    start: int
    end: int
    language: str = ""

    @property
    def content(self) -> str:
        return self.text[self.start : self.end]


def read_tree(header: Header, rule: ReaderRule) -> tuple[Fields | None, Diagnostics]:
    """The top-level fields of `header`, or None and the reason."""
    if rule.languages is Languages.GRAY_MATTER and _is_blank(header.content):
        return {}, ()
    if header.language and rule.languages is Languages.GRAY_MATTER:
        return _read_language(header, rule)
    if rule.recovery is Recovery.NAME_AND_DESCRIPTION:
        return _read_or_find_two(header, rule)
    if read := _reader_of(rule.engine):
        return read(header, rule)
    try:
        root = _parse(header.content, rule)
    except YamlError as error:
        return _after_error(error, header, rule)
    return _read_root(root, header, rule)


def _after_error(
    error: YamlError, header: Header, rule: ReaderRule
) -> tuple[Fields | None, Diagnostics]:
    if rule.recovery is Recovery.TEXTS:
        return _as_texts(None, error, header)
    if error.rule == "yaml-invalid" and rule.recovery is Recovery.FIELDS:
        return recover_fields(header, error)
    if error.rule == "yaml-invalid" and rule.recovery is Recovery.TWO_LEVELS:
        from metier.core.readers.npm import read_lines

        return read_lines(error, header, rule)
    return None, (diagnose_yaml(error, header.text, header_start=header.start),)


def _as_texts(
    root: Node | None, error: YamlError | None, header: Header
) -> tuple[Fields | None, Diagnostics]:
    from metier.core.readers.texts import read_texts

    return read_texts(root, error, header)


_Reader = Callable[[Header, ReaderRule], tuple[Fields | None, Diagnostics]]


def _reader_of(engine: ReaderEngine) -> _Reader | None:
    """The reader that goes its own way from the header to the fields."""
    match engine:
        case ReaderEngine.GOCCY_YAML:
            from metier.core.readers.goccy_struct import read_goccy_struct

            return read_goccy_struct
        case _ if engine in PYTHON_ENGINES:
            from metier.core.readers.python import read_python

            return read_python
        case _:
            return None


def _read_root(
    root: Node | None, header: Header, rule: ReaderRule
) -> tuple[Fields | None, Diagnostics]:
    if rule.recovery is Recovery.TEXTS:
        return _as_texts(root, None, header)
    match rule.engine:
        case ReaderEngine.SERDE_YAML:
            from metier.core.readers.struct import read_struct

            return read_struct(root, header, rule)
        case ReaderEngine.SERDE_VALUE:
            from metier.core.readers.serde_values import read_serde_value

            return read_serde_value(root, header, rule)
        case ReaderEngine.GO_YAML:
            from metier.core.readers.go_struct import read_go_struct

            return read_go_struct(root, header, rule)
        case ReaderEngine.NPM_YAML_2:
            from metier.core.readers.npm import read_npm

            return read_npm(root, header, rule)
        case ReaderEngine.VSCODE_YAML:
            return _first_fields(root), ()
        case _:
            return read_fields(root, header, rule)


def _first_fields(root: Node | None) -> Fields:
    """The first field of each name; `<<` is a name like others, and no map no error."""
    fields: Fields = {}
    if isinstance(root, Mapping):
        _take_over(fields, root)
    return fields


def _is_blank(content: str) -> bool:
    """Whether gray-matter sees nothing but comments, and so never asks YAML.

    To it a comment goes on to the line feed, over carriage returns and controls.
    """
    if content.lstrip(JS_WHITE_SPACE)[:1] not in ("", "#"):
        return False
    return _comments().fullmatch(content) is not None


@cache
def _comments() -> re.Pattern[str]:
    blanks = f"[{JS_WHITE_SPACE}]*+"
    return re.compile(rf"{blanks}(?>(?:#[^\n]++{blanks})*)")


def _read_or_find_two(
    header: Header, rule: ReaderRule
) -> tuple[Fields | None, Diagnostics]:
    """The fields, or name and description by line where they are not two texts."""
    plain = replace(rule, recovery=Recovery.NONE)
    fields, found = read_tree(header, plain)
    values = (target_of((fields or {}).get(key) or _ABSENT) for key in _TWO)
    if all(_is_text(value, rule.schema) for value in values):
        return fields, found
    lines = read_name_and_description(header.content)
    if not found:
        return lines, ()
    return lines, (tell_recovered(found[0]),)


def tell_recovered(problem: Diagnostic) -> Diagnostic:
    """What is told of a header that was read line by line after `problem`."""
    return Diagnostic(
        rule="yaml-recovered",
        severity=Severity.WARNING,
        message=problem.message,
        position=problem.position,
        span=problem.span,
        help="name and description were looked for line by line; "
        "most agents drop this skill",
    )


_TWO = ("name", "description")
_ABSENT = Sequence(())


def _is_text(node: Node | None, schema: ScalarSchema) -> bool:
    return isinstance(node, Scalar) and kind_of(node, schema) is Kind.STRING


def _parse(content: str, rule: ReaderRule) -> Node | None:
    # Each grammar takes its time to import, and a process needs one of them.
    match rule.engine:
        case ReaderEngine.JS_YAML_3:
            from metier.core.yaml_js import parse_js_yaml

            return parse_js_yaml(content)
        case ReaderEngine.JS_YAML_4_1:
            from metier.core.yaml_js import JsYaml, parse_js_yaml

            return parse_js_yaml(content, version=JsYaml.V4_1)
        case ReaderEngine.STRICT_YAML:
            from metier.core.yaml_strict import parse_strict_yaml

            return parse_strict_yaml(content)
        case ReaderEngine.GO_YAML:
            from metier.core.yaml_go import parse_go_yaml

            return parse_go_yaml(content)
        case ReaderEngine.VSCODE_YAML:
            from metier.core.yaml_vscode import parse_vscode_yaml

            return parse_vscode_yaml(content)
        case ReaderEngine.NPM_YAML_2:
            from metier.core.yaml_npm import parse_npm_yaml

            return parse_npm_yaml(content)
        case ReaderEngine.BUN_YAML:
            from metier.core.yaml_bun import parse_bun_yaml

            return parse_bun_yaml(content)
        case _:
            parse = parse_events
            if rule.engine in _SERDE:
                from metier.core.yaml_serde import parse_serde_yaml as parse
            return parse(content, documents=rule.documents)


_SERDE = (ReaderEngine.SERDE_YAML, ReaderEngine.SERDE_VALUE)


def read_fields(
    root: Node | None, header: Header, rule: ReaderRule
) -> tuple[Fields | None, Diagnostics]:
    """The top-level fields of a tree, with what `<<` brings in."""
    root = target_of(root) if root else None
    if root is None or (isinstance(root, Scalar) and _is_null(root)):
        return {}, ()
    if not isinstance(root, Mapping):
        return None, (tell_no_map(header),)
    fields: Fields = {}
    found: list[Diagnostic] = []
    merges: list[Node] = []
    for written, value in root.entries:
        key = target_of(written)
        if not isinstance(key, Scalar):
            continue
        if _is_merge(key):
            merges.append(value)
            continue
        is_second = key.text in fields and _tells_duplicates(rule)
        if is_second and len(found) < _MAX_FINDINGS:
            found.append(tell_duplicate(key, header, rule))
        fields[key.text] = value
    if any(each.severity is Severity.ERROR for each in found):
        return None, tuple(found)
    left = _MAX_MERGED
    for merge in merges:
        left = _merge(fields, merge, left)
    return fields, tuple(found)


def _tells_duplicates(rule: ReaderRule) -> bool:
    # npm's grammar has refused them, and to it an alias is a key like no other.
    is_told = rule.engine is ReaderEngine.NPM_YAML_2
    return rule.duplicate_keys is not DuplicateKeys.LAST and not is_told


def _is_merge(key: Scalar) -> bool:
    return key.text == "<<" and key.style is Style.PLAIN and key.tag is None


def _merge(fields: Fields, value: Node, left: int) -> int:
    """Take over the entries of `<<` that are not there already, `left` at most."""
    node = target_of(value)
    for source in node.items if isinstance(node, Sequence) else (value,):
        mapping = target_of(source)
        if not isinstance(mapping, Mapping):
            return left
        # An empty map costs something too.
        left -= len(mapping.entries) + 1
        if left < 0:
            return 0
        _take_over(fields, mapping)
    return left


def _take_over(fields: Fields, mapping: Mapping) -> None:
    for written, value in mapping.entries:
        key = target_of(written)
        if isinstance(key, Scalar):
            fields.setdefault(key.text, value)


def _is_null(root: Scalar) -> bool:
    return root.style is Style.PLAIN and root.text in ("", "~", "null", "Null", "NULL")


def tell_duplicate(key: Scalar, header: Header, rule: ReaderRule) -> Diagnostic:
    """The finding about a key that stood in this map before."""
    rejects = rule.duplicate_keys in (DuplicateKeys.REJECT, DuplicateKeys.REJECT_KNOWN)
    return diagnostic_at(
        "key-duplicate",
        Severity.ERROR if rejects else Severity.WARNING,
        f"`{key.text[:60]}` stands twice",
        text=header.text,
        span=Span(header.start + key.start, header.start + key.end),
        help="keep one of them: agents differ in which one counts",
    )


def tell_no_map(header: Header) -> Diagnostic:
    """The finding about a header that is one text, or a list."""
    return diagnostic_at(
        "frontmatter-not-a-map",
        Severity.ERROR,
        "the frontmatter is not a list of `key: value` lines",
        text=header.text,
        span=Span(header.start, header.end),
        help="write `name: ...` and `description: ...` on lines of their own",
    )


def recover_fields(
    header: Header, error: YamlError
) -> tuple[Fields | None, Diagnostics]:
    """Each top-level field on its own; one that is no YAML is taken as text."""
    content = header.content
    starts = [found.start() for found in _TOP_FIELD.finditer(content)]
    if not starts or len(starts) > _MAX_RECOVERED:
        return None, (diagnose_yaml(error, header.text, header_start=header.start),)
    fields: Fields = {}
    found: list[Diagnostic] = []
    for start, end in zip(starts, [*starts[1:], len(content)], strict=True):
        key = content[start : content.index(":", start)]
        value = _field_alone(content[start:end], start)
        if value is None:
            value = _field_as_text(content, start + len(key) + 1, end)
            if len(found) < _MAX_FINDINGS:
                found.append(_recovered(key, value, header))
        fields[key] = value
    if not found:
        found.append(_recovered_whole(error, header))
    return fields, tuple(found)


def _field_alone(chunk: str, start: int) -> Node | None:
    try:
        root = parse_events(chunk, documents=Documents.ONE)
    except YamlError:
        return None
    if not isinstance(root, Mapping) or len(root.entries) != 1:
        return None
    value = root.entries[0][1]
    return value._replace(start=value.start + start, end=value.end + start)


def _field_as_text(content: str, start: int, end: int) -> Scalar:
    raw = content[start:end]
    lead = len(raw) - len(raw.lstrip()) if raw.strip() else 0
    text = " ".join(line.strip() for line in raw.splitlines() if line.strip())
    if text[:1] in ("|", ">"):
        text = text.lstrip("|>-+0123456789 ")
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    size = max(lead, len(raw.rstrip()))
    return Scalar(text, Style.DOUBLE, start + lead, start + size)


def _recovered(key: str, value: Scalar, header: Header) -> Diagnostic:
    span = Span(header.start + value.start, header.start + value.end)
    quoted = json.dumps(value.text, ensure_ascii=False)
    return diagnostic_at(
        "yaml-recovered",
        Severity.WARNING,
        f"`{key}` is not valid YAML and was taken as plain text",
        text=header.text,
        span=span,
        help="put the value in quotes: most agents drop this skill",
        fix=Fix(title="quote the value", span=span, replacement=quoted),
    )


def _recovered_whole(error: YamlError, header: Header) -> Diagnostic:
    at = min(header.start + error.offset, header.end)
    return diagnostic_at(
        "yaml-recovered",
        Severity.WARNING,
        f"the frontmatter is not valid YAML: {error.problem}",
        text=header.text,
        span=Span(at, at),
        help="each field was read on its own; most agents drop this skill",
    )


# In any case, as `yaml` is; `json` has to be written just so.
_EVALUATED = frozenset(("js", "javascript"))


def _read_language(
    header: Header, rule: ReaderRule
) -> tuple[Fields | None, Diagnostics]:
    language = header.language.lower()
    if language in ("yaml", "yml"):
        return read_tree(header._replace(language=""), rule)
    if header.language == "json":
        return _read_json(header, rule)
    return None, (_unknown_language(header),)


def _unknown_language(header: Header) -> Diagnostic:
    runs = header.language.lower() in _EVALUATED
    start = header.text.index(header.language, 3)
    message = f"the frontmatter is `{header.language[:40]}`, which is not read"
    if runs:
        message = f"the host evaluates `{header.language}` frontmatter as code"
    return diagnostic_at(
        "host-evaluates-code" if runs else "frontmatter-language",
        Severity.ERROR,
        message,
        text=header.text,
        span=Span(start, start + len(header.language)),
        help="write the frontmatter in YAML; metier evaluates nothing",
    )


def _read_json(header: Header, rule: ReaderRule) -> tuple[Fields | None, Diagnostics]:
    from metier.core.json_nodes import Numbers, parse_json

    try:
        root = parse_json(header.content, numbers=Numbers.AS_WRITTEN)
    except YamlError as error:
        return None, (diagnose_yaml(error, header.text, header_start=header.start),)
    return read_fields(root, header, rule)
