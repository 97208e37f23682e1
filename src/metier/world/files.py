"""One file by itself, as a dialect reads it; its folder only lends a name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from os.path import abspath
from posixpath import basename, dirname

from metier.core.dialect import Dialect
from metier.core.document import (
    MAX_FILE,
    Document,
    DocumentReader,
    body_of,
    read_all_fields,
    read_optional,
    split_document,
)
from metier.core.lengths import clip_text
from metier.core.record import record
from metier.core.selection import Links
from metier.core.text import decode_text
from metier.core.values import FieldValue
from metier.diagnostics import Diagnostic, Diagnostics, Severity
from metier.errors import LoadError
from metier.world.filesystem import FileSystem
from metier.world.findings import describe_error


@record
class ParsedFile:
    """Everything that one file says; `error` names the rule that rejects it."""

    path: str
    error: str | None = None
    name: str | None = None
    description: str | None = None
    fields: Mapping[str, FieldValue] = field(default_factory=dict[str, FieldValue])
    body: str | None = None
    diagnostics: Diagnostics = ()


def parse_file(path: str, dialect: Dialect, filesystem: FileSystem) -> ParsedFile:
    """The file at `path`, read whole."""
    try:
        data = read_whole(path, filesystem)
    except LoadError as error:
        finding = error.diagnostics[0]
        return ParsedFile(path=path, error=finding.rule, diagnostics=(finding,))
    directory = basename(dirname(abspath(path)))
    document = DocumentReader(dialect).read(data, directory=directory)
    return _with_rest(path, data, document, dialect)


def _with_rest(
    path: str, data: bytes, document: Document, dialect: Dialect
) -> ParsedFile:
    parts = split_document(data, dialect)
    fields: Mapping[str, FieldValue] = {}
    if parts.fenced is not None and document.error is None:
        found, _ = read_all_fields(parts, dialect)
        fields = read_optional(found or {}, dialect)
    description, rule = document.description, dialect.fields.description
    if description and rule.clipped:
        description = clip_text(description, rule, path)
    return ParsedFile(
        path=path,
        error=document.error,
        name=document.name,
        description=description,
        fields=fields,
        body=body_of(parts, dialect) if parts.fenced is not None else None,
        diagnostics=document.diagnostics,
    )


def load_text(path: str, dialect: Dialect, filesystem: FileSystem) -> tuple[str, int]:
    """The text of a file as it stands there, and where its body starts."""
    data = read_whole(path, filesystem)
    parts = split_document(data, dialect)
    text, _ = decode_text(data, dialect.text)
    if text is None:
        text = data.decode("utf-8", "replace")
    if parts.fenced is None:
        return text, 0
    # A repair rewrites the header only: the body is what both texts end with.
    return text, len(text) - (len(parts.text) - parts.fenced.body_start)


def read_whole(path: str, filesystem: FileSystem) -> bytes:
    """All bytes of a regular file; `LoadError` with the finding otherwise."""
    try:
        reading = filesystem.read_file(path, MAX_FILE, Links.FOLLOW)
    except (OSError, ValueError) as error:
        # A ValueError is a NUL or half a pair in the path, which no file can have.
        reason = error if isinstance(error, OSError) else OSError("no such path")
        finding = _describe(path, reason, filesystem)
        raise LoadError(f"{path}: {finding.message}", diagnostics=[finding]) from error
    if reading.size > MAX_FILE:
        finding = too_large(reading.size)
        raise LoadError(f"{path}: {finding.message}", diagnostics=[finding])
    return reading.data


def write_text(path: str, text: str) -> None:
    """Put `text` into the file at `path`, in UTF-8, in place of what was there."""
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def _describe(path: str, error: OSError, filesystem: FileSystem) -> Diagnostic:
    if isinstance(error, FileNotFoundError) and not filesystem.is_link(path):
        return Diagnostic(
            rule="file-unreadable",
            severity=Severity.ERROR,
            message="there is no such file",
            path=path,
        )
    return describe_error(path, error)


def too_large(size: int, most: int = MAX_FILE) -> Diagnostic:
    """The finding about a file that is not read for its size."""
    return Diagnostic(
        rule="file-too-large",
        severity=Severity.ERROR,
        message=f"the file has {size:,} bytes, {most:,} are read",
        help="move what is not instructions into files beside it",
    )
