"""One file: from its bytes to a skill's head, or the reason why it is none.

This is the way of every `SKILL.md`: decode, repair, find the fences, read the
header, judge the fields. The body is not looked at unless the dialect says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from metier.core import text as texts
from metier.core.fence import Fenced, find_fence
from metier.core.fields import (
    BodyTrim,
    Fields,
    FieldValue,
    Finding,
    Judged,
    Presence,
    judge_fields,
    read_field,
)
from metier.core.readers import LINE_READERS
from metier.core.readers.fast import read_fast
from metier.core.repair import Repair, repair_text
from metier.diagnostics import (
    Diagnostic,
    Diagnostics,
    Severity,
    Span,
    position_of,
)

if TYPE_CHECKING:
    from metier.core.dialect import Dialect

# 1 MiB: the largest of 148,796 real files has 1,077,228 bytes, of which all but
# its first 16 KiB are body.
MAX_FILE = 1024 * 1024


class Document(NamedTuple):
    """What a file says of itself; `error` names the rule that rejects it."""

    name: str | None
    description: str | None
    is_hidden: bool = False
    error: str | None = None
    diagnostics: Diagnostics = ()
    header: str = ""


class Parts(NamedTuple):
    """A decoded, repaired text and its three parts."""

    text: str
    fenced: Fenced | None
    diagnostics: Diagnostics


def read_document(
    data: bytes, dialect: Dialect, *, directory: str, wanted: frozenset[str]
) -> Document:
    """The head of the skill in `data`, all bytes of a file."""
    parts = split_document(data, dialect)
    if parts.fenced is None:
        return _rejected(parts.diagnostics)
    document = read_header(parts, dialect, directory=directory, wanted=wanted)
    if document.error is None and dialect.fields.body.presence is Presence.NON_EMPTY:
        return _with_body(document, parts, dialect)
    return document


def read_head(
    head: bytes, dialect: Dialect, *, directory: str, wanted: frozenset[str]
) -> Document | None:
    """The same from the first bytes only; None where more of them are needed."""
    text, found = texts.decode_head(head, dialect.text)
    if text is None or dialect.text.extent is texts.Extent.WHOLE:
        return None
    if dialect.reader.repair is not Repair.NONE:
        text = repair_text(text, dialect.reader.repair)
    fenced, more = find_fence(text, dialect.fence)
    if fenced is None or fenced.header_end == len(text):
        return None
    parts = Parts(text, fenced, found + more)
    return read_header(parts, dialect, directory=directory, wanted=wanted)


def split_document(data: bytes, dialect: Dialect) -> Parts:
    """Decode, repair and cut `data` the way the dialect does."""
    text, found = texts.decode_text(data, dialect.text)
    if text is None:
        return Parts("", None, found)
    if dialect.reader.repair is not Repair.NONE:
        text = repair_text(text, dialect.reader.repair)
    fenced, more = find_fence(text, dialect.fence)
    return Parts(text, fenced, found + more)


def read_header(
    parts: Parts, dialect: Dialect, *, directory: str, wanted: frozenset[str]
) -> Document:
    """Name and description out of the header that was found."""
    rule, fenced = dialect.reader, parts.fenced
    assert fenced is not None
    line_reader = LINE_READERS.get(rule.engine)
    if line_reader:
        header = parts.text[fenced.header_start : fenced.header_end]
        judged = judge_fields(
            line_reader(header), dialect.fields, rule.schema, directory
        )
        return _document(judged, parts)
    if not fenced.language:
        header = parts.text[fenced.header_start : fenced.header_end]
        fast = read_fast(header, wanted)
        if fast is not None and None not in fast.values():
            judged = judge_fields(fast, dialect.fields, rule.schema, directory)
            if not judged.findings:
                return Document(
                    judged.name,
                    judged.description,
                    judged.is_hidden,
                    None,
                    parts.diagnostics,
                    header,
                )
    return _read_full(parts, dialect, directory)


def _read_full(parts: Parts, dialect: Dialect, directory: str) -> Document:
    fields, found = read_all_fields(parts, dialect)
    parts = parts._replace(diagnostics=parts.diagnostics + found)
    if fields is None:
        return _rejected(parts.diagnostics)
    judged = judge_fields(fields, dialect.fields, dialect.reader.schema, directory)
    return _document(judged, parts)


def read_all_fields(
    parts: Parts, dialect: Dialect
) -> tuple[Fields | None, Diagnostics]:
    """Every top-level field, with spans, from the full reader."""
    fenced = parts.fenced
    assert fenced is not None
    line_reader = LINE_READERS.get(dialect.reader.engine)
    if line_reader:
        return line_reader(parts.text[fenced.header_start : fenced.header_end]), ()
    # PyYAML costs as much to import as the rest of metier: only when it is needed.
    from metier.core.readers.trees import Header, read_tree

    header = Header(parts.text, fenced.header_start, fenced.header_end, fenced.language)
    return read_tree(header, dialect.reader)


def read_optional(fields: Fields, dialect: Dialect) -> dict[str, FieldValue]:
    """The optional fields that the dialect reads, by their canonical names."""
    return {
        name: read_field(fields, rule, dialect.reader.schema)
        for name, rule in dialect.fields.other.items()
    }


def body_of(parts: Parts, dialect: Dialect) -> str:
    """The body as the agent hands it over."""
    assert parts.fenced is not None
    body = parts.text[parts.fenced.body_start :]
    match dialect.fields.body.trim:
        case BodyTrim.NONE:
            return body
        case BodyTrim.WHITE_SPACE:
            return body.strip(texts.WHITE_SPACE)
        case BodyTrim.JS_WHITE_SPACE:
            return body.strip(texts.JS_WHITE_SPACE)


def _with_body(document: Document, parts: Parts, dialect: Dialect) -> Document:
    if body_of(parts, dialect):
        return document
    found = Finding("body-empty", Severity.ERROR, "the body is empty")
    diagnostics = (*document.diagnostics, _placed(found, parts))
    return document._replace(error="body-empty", diagnostics=diagnostics)


def _document(judged: Judged, parts: Parts) -> Document:
    found = tuple(_placed(finding, parts) for finding in judged.findings)
    diagnostics = parts.diagnostics + found
    fenced = parts.fenced
    header = parts.text[fenced.header_start : fenced.header_end] if fenced else ""
    return Document(
        judged.name,
        judged.description,
        judged.is_hidden,
        _first_error(diagnostics),
        diagnostics,
        header,
    )


def _rejected(diagnostics: Diagnostics) -> Document:
    return Document(None, None, False, _first_error(diagnostics), diagnostics)


def _first_error(diagnostics: Diagnostics) -> str | None:
    errors = (each.rule for each in diagnostics if each.severity is Severity.ERROR)
    return next(errors, None)


def _placed(finding: Finding, parts: Parts) -> Diagnostic:
    fenced = parts.fenced
    start = fenced.header_start if fenced else 0
    span = finding.span or Span(0, 0)
    placed = Span(start + span.start, start + span.end) if finding.span else span
    return Diagnostic(
        rule=finding.rule,
        severity=finding.severity,
        message=finding.message,
        position=position_of(parts.text, placed.start),
        span=placed,
        help=finding.help,
    )
