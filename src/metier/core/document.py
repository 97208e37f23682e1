"""One file: from its bytes to a skill's head, or the reason why it is none.

This is the way of every `SKILL.md`: decode, repair, find the fences, read the
header, judge the fields. The body is not looked at unless the dialect says so.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from metier.core import text as texts
from metier.core.descriptions import complete_description, is_completed
from metier.core.fence import (
    Fenced,
    Headless,
    find_fence,
    find_plain_header,
    without_header,
)
from metier.core.fields import Presence
from metier.core.findings import Finding
from metier.core.judging import Judge, Judged, trim_text
from metier.core.nodes import MAX_HEADER, Node, Sequence, target_of
from metier.core.readers import (
    CLOSING_ENGINES,
    LINE_READERS,
    SLOW_ENGINES,
    UNLIKE,
    FieldShape,
    ReaderRule,
    Recovery,
    RetryOn,
)
from metier.core.readers.fast import read_fast
from metier.core.repair import Repair, is_idle, repair_text
from metier.core.values import Fields, FieldValue, read_field
from metier.diagnostics import (
    Diagnostic,
    Diagnostics,
    Severity,
    Span,
    diagnostic_at,
    position_of,
)

if TYPE_CHECKING:
    from metier.core.dialect import Dialect

# 1 MiB: of 148,796 real files one is larger, and that is a book.
MAX_FILE = 1024 * 1024


class Document(NamedTuple):
    """What a file says of itself; `error` names the rule that rejects it."""

    name: str | None
    description: str | None
    is_hidden: bool = False
    error: str | None = None
    diagnostics: Diagnostics = ()
    header: str = ""
    key: str | None = None


class Parts(NamedTuple):
    """A decoded, repaired text and its three parts."""

    text: str
    fenced: Fenced | None
    diagnostics: Diagnostics


def reading_of(dialect: Dialect) -> tuple[object, ...]:
    """All that a `DocumentReader` looks at: dialects with the same one read alike."""
    return dialect.text, dialect.fence, dialect.reader, dialect.fields


class DocumentReader:
    """One dialect, made ready to read many files."""

    __slots__ = (
        "_closes_header",
        "_completes",
        "_dialect",
        "_is_slow",
        "_judge",
        "_line_reader",
        "_reads_head",
        "_shaped",
        "_unlike",
        "_wanted",
    )

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._judge = Judge(dialect.fields, dialect.reader.schema)
        self._line_reader = LINE_READERS.get(dialect.reader.engine)
        self._closes_header = dialect.reader.engine in CLOSING_ENGINES
        self._completes = is_completed(dialect.fields)
        self._shaped = _shaped_keys(dialect.reader)
        self._wanted = self._judge.keys | self._shaped | dialect.reader.types.keys()
        self._unlike = UNLIKE.get(dialect.reader.engine)
        self._is_slow = dialect.reader.engine in SLOW_ENGINES
        self._reads_head = dialect.text.extent is texts.Extent.HEAD

    def read(self, data: bytes, *, directory: str) -> Document:
        """The head of the skill in `data`, all bytes of a file."""
        document = self.read_head(data, directory=directory)
        if document is not None:
            return document
        parts = split_document(data, self._dialect)
        if parts.fenced is None or _first_error(parts.diagnostics):
            return _rejected(parts.diagnostics)
        document = self._read_header(parts, parts.fenced, directory)
        body = self._dialect.fields.body
        if document.error is None and body.presence is Presence.NON_EMPTY:
            return _with_body(document, parts, self._dialect)
        return document

    def read_head(self, head: bytes, *, directory: str) -> Document | None:
        """The same from the first bytes; None where more of them are needed.

        Where the head decides, only its lines up to the closing fence are decoded.
        """
        fence = head.find(b"\n---", 3) if self._reads_head else -1
        line_end = head.find(b"\n", fence + 1) if fence >= 0 else -1
        if line_end < 0:
            return None
        if self._line_reader is None:
            document = self._read_plain(head, fence, directory)
            if document is not None:
                return document
        text, found = texts.decode_text(head[: line_end + 1], self._dialect.text)
        if text is None:
            return None
        parts = _cut(text, found, self._dialect)
        if parts.fenced is None or parts.fenced.header_end == len(parts.text):
            return None
        if parts.diagnostics and _first_error(parts.diagnostics):
            return None
        return self._read_header(parts, parts.fenced, directory)

    def _read_header(self, parts: Parts, fenced: Fenced, directory: str) -> Document:
        header = parts.text[fenced.header_start : fenced.header_end]
        if len(header) > MAX_HEADER:
            return _rejected((*parts.diagnostics, _too_large(parts.text, fenced)))
        if self._line_reader:
            fields = self._line_reader(header)
            judged = self._judge_all(fields, parts, directory, header)
            return _document(judged, parts, fenced, header)
        if not fenced.language:
            document = self._read_quickly(header, directory)
            if document is not None:
                found = parts.diagnostics
                return document._replace(diagnostics=found) if found else document
        return self._read_full(parts, fenced, header, directory)

    def _read_plain(self, head: bytes, closer: int, directory: str) -> Document | None:
        """Most files: plain fences, plain text, a plain header."""
        bounds = find_plain_header(head, closer, self._dialect.fence)
        if bounds is None:
            return None
        try:
            header = head[bounds[0] : bounds[1]].decode()
        except UnicodeDecodeError:
            return None
        if is_idle(header, self._dialect.reader.repair):
            return self._read_quickly(header, directory)
        return None

    def _read_quickly(self, header: str, directory: str) -> Document | None:
        """The answer of the quick reader, where it has one that is in order."""
        if self._is_slow or (self._unlike and self._unlike.search(header)):
            return None
        is_closed = header[-1:] == "\n" or not self._closes_header
        fast = read_fast(header if is_closed else header + "\n", self._wanted)
        if fast is None:
            return None
        # What is not in order, or was not read in full, the full reader tells.
        judged = self._judge.judge(fast, directory)
        name, description, is_hidden, findings, key = judged
        if findings or None in fast.values():
            return None
        if self._completes and (description is None or not _TWO.issuperset(fast)):
            return None
        if self._shaped and not self._shaped.isdisjoint(fast):
            return None
        return Document(name, description, is_hidden, None, (), header, key)

    def _read_full(
        self, parts: Parts, fenced: Fenced, header: str, directory: str
    ) -> Document:
        document = self._read_once(parts, fenced, header, directory)
        rule = self._dialect.reader
        if document.error is None or not _is_retried(document, rule.retry_on):
            return document
        if rule.retry is not Repair.NONE:
            document = self._retry(parts, document, directory)
        if rule.recovery is Recovery.EMPTY and document.error in _UNREADABLE:
            return self._read_nothing(parts, document, directory)
        return document

    def _read_once(
        self, parts: Parts, fenced: Fenced, header: str, directory: str
    ) -> Document:
        fields, found = read_all_fields(parts, self._dialect)
        parts = parts._replace(diagnostics=parts.diagnostics + found)
        if fields is None:
            return _rejected(parts.diagnostics)
        judged = self._judge_all(fields, parts, directory, header)
        return _document(judged, parts, fenced, header)

    def _judge_all(
        self, fields: Fields, parts: Parts, directory: str, header: str
    ) -> Judged:
        judged = self._judge.judge_thoroughly(fields, directory, header)
        if not self._completes:
            return judged
        rules, schema = self._dialect.fields, self._dialect.reader.schema
        body = body_of(parts, self._dialect)
        return complete_description(judged, fields, body, rules, schema)

    def _retry(self, parts: Parts, failed: Document, directory: str) -> Document:
        """What `parts` say once they are rewritten, `failed` where that is no help."""
        rule = self._dialect.reader
        text = repair_text(parts.text, rule.retry)
        fenced, found = find_fence(text, self._dialect.fence)
        if text == parts.text or fenced is None:
            return failed
        header = text[fenced.header_start : fenced.header_end]
        again = self._read_once(Parts(text, fenced, found), fenced, header, directory)
        if again.error is not None and _is_retried(again, rule.retry_on):
            return failed
        # What is told of the rewritten text has its place in no file.
        found = tuple(replace(d, position=None, span=None) for d in again.diagnostics)
        return again._replace(diagnostics=(_rewritten(failed), *found))

    def _read_nothing(self, parts: Parts, failed: Document, directory: str) -> Document:
        """What is left of a file whose header nobody can read."""
        judged = self._judge_all({}, parts, directory, "")
        parts = parts._replace(diagnostics=tuple(map(_dropped, failed.diagnostics)))
        return _document(judged, parts, Fenced(0, 0, 0), "")


def _dropped(found: Diagnostic) -> Diagnostic:
    if found.rule not in _UNREADABLE:
        return found
    return Diagnostic(
        rule="frontmatter-dropped",
        severity=Severity.WARNING,
        message=f"the header counts as empty: {found.message}",
        position=found.position,
        span=found.span,
        help=found.help,
    )


def _shaped_keys(rule: ReaderRule) -> frozenset[str]:
    """The keys whose values only the full reader can tell to be what they shall be."""
    shapes = rule.types.items()
    shaped = (k for k, shape in shapes if shape is not _TEXT and k not in _JUDGED)
    return frozenset((*rule.maps, *rule.reserved, *shaped))


_TEXT = FieldShape.TEXT
_JUDGED = ("name", "description")  # whatever the reader has seen


def split_document(data: bytes, dialect: Dialect) -> Parts:
    """Decode, repair and cut `data` the way the dialect does."""
    text, found = texts.decode_text(data, dialect.text)
    if text is None:
        return Parts("", None, found)
    return _cut(text, found, dialect)


def _cut(text: str, found: Diagnostics, dialect: Dialect) -> Parts:
    if dialect.reader.repair is not Repair.NONE:
        text = repair_text(text, dialect.reader.repair)
    fenced, more = find_fence(text, dialect.fence)
    if fenced is None and dialect.headless is Headless.BODY:
        fenced, more = without_header(more)
    return Parts(text, fenced, found + more)


def read_all_fields(
    parts: Parts, dialect: Dialect
) -> tuple[Fields | None, Diagnostics]:
    """Every top-level field, with spans, from the full reader."""
    fenced = parts.fenced
    if fenced is None:
        return None, parts.diagnostics
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
    body = parts.text[parts.fenced.body_start :] if parts.fenced else parts.text
    rule = dialect.fields.body
    body = trim_text(body, rule.trim)
    if rule.request and body and rule.request not in body:
        fields, _ = read_all_fields(parts, dialect)
        if _waits_for_values(fields or {}, body, dialect):
            return body + rule.request
    return body


_INPUT = re.compile(r"\$\{[a-zA-Z_][a-zA-Z0-9_]*\}")


def _waits_for_values(fields: Fields, body: str, dialect: Dialect) -> bool:
    if "inputs" not in fields or read_optional(fields, dialect).get("paths"):
        return False
    return _INPUT.search(body) is not None or _is_filled_list(fields["inputs"])


def _is_filled_list(node: Node | None) -> bool:
    target = target_of(node) if node else None
    return isinstance(target, Sequence) and bool(target.items)


def whole_of(data: bytes, dialect: Dialect, line_ends: texts.LineEnds) -> str:
    """All of a file that the dialect does not refuse, frontmatter included."""
    policy = replace(
        dialect.text,
        byte_order_mark=texts.ByteOrderMark.KEEP,
        lone_return=texts.LoneReturn.KEEP,
        line_ends=line_ends,
    )
    return texts.decode_text(data, policy)[0] or ""


def _with_body(document: Document, parts: Parts, dialect: Dialect) -> Document:
    if body_of(parts, dialect):
        return document
    found = Finding("body-empty", Severity.ERROR, "the body is empty")
    start = parts.fenced.body_start if parts.fenced else 0
    diagnostics = (*document.diagnostics, _placed(found, parts.text, start))
    return document._replace(error=found.rule, diagnostics=diagnostics)


def _document(judged: Judged, parts: Parts, fenced: Fenced, header: str) -> Document:
    diagnostics = parts.diagnostics
    if judged.findings:
        start = fenced.header_start
        placed = (_placed(each, parts.text, start) for each in judged.findings)
        diagnostics = (*diagnostics, *placed)
    return Document(
        judged.name,
        judged.description,
        judged.is_hidden,
        _first_error(diagnostics),
        diagnostics,
        header,
        judged.key,
    )


def _too_large(text: str, fenced: Fenced) -> Diagnostic:
    size = fenced.header_end - fenced.header_start
    return diagnostic_at(
        "frontmatter-too-large",
        Severity.ERROR,
        f"the frontmatter has {size:,} characters, {MAX_HEADER:,} are read",
        text=text,
        span=Span(fenced.header_start, fenced.header_start),
        help="move the text below the closing `---`",
    )


# What a reader says of a header that it cannot read, and of a field it cannot take.
_UNREADABLE = frozenset(
    (
        *("yaml-invalid", "yaml-value", "key-duplicate", "frontmatter-not-a-map"),
        *("frontmatter-language", "yaml-too-deep"),
    )
)


_TWO = frozenset(("name", "description"))


def _is_retried(document: Document, retry_on: RetryOn) -> bool:
    # Types come before limits: a name that is too long does not hide a bad type.
    errors = (d.rule for d in document.diagnostics if d.severity is Severity.ERROR)
    is_typed = retry_on is RetryOn.TYPES
    return any(
        rule in _UNREADABLE or (is_typed and rule.endswith(_MISFITS)) for rule in errors
    )


_MISFITS = ("-not-text", "-not-a-map")


def _rewritten(failed: Document) -> Diagnostic:
    first = next(d for d in failed.diagnostics if d.severity is Severity.ERROR)
    return Diagnostic(
        rule="yaml-rewritten",
        severity=Severity.WARNING,
        message=f"read only after the host rewrote it: {first.message}",
        position=first.position,
        span=first.span,
        help=first.help,
    )


def _rejected(diagnostics: Diagnostics) -> Document:
    error = _first_error(diagnostics)
    return Document(None, None, error=error, diagnostics=diagnostics)


def _first_error(diagnostics: Diagnostics) -> str | None:
    for found in diagnostics:
        if found.severity is Severity.ERROR:
            return found.rule
    return None


def _placed(finding: Finding, text: str, start: int) -> Diagnostic:
    span = finding.span or Span(0, 0)
    placed = Span(start + span.start, start + span.end)
    return Diagnostic(
        rule=finding.rule,
        severity=finding.severity,
        message=finding.message,
        position=position_of(text, placed.start),
        span=placed,
        help=finding.help,
    )
