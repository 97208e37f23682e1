"""One file: metier's answer and the recorded one, in the same words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from metier.testing import MemoryFileSystem
from metier.world.dialects import load_dialect
from metier.world.files import ParsedFile, parse_file
from metier.world.filesystem import DiskFileSystem, FileSystem
from tests.conformance.loading import FileCase

Answer = dict[str, Any]
Pair = tuple[Any, Any]

_NO_FRONTMATTER = {"frontmatter-missing", "frontmatter-unclosed"}
_NO_NAME = {"name-missing", "name-empty"}
_NO_DESCRIPTION = {"description-missing", "description-empty"}
_NOT_TEXT = {"name-not-text", "description-not-text"}
_NOT_A_MAP = {"frontmatter-not-a-map"}
_TOO_LONG = {"name-too-long", "description-too-long", "compatibility-too-long"}
_NO_LANGUAGE = {"frontmatter-language", "host-evaluates-code"}

# What a system calls a fault, and the rules of metier that are this fault.
REASONS: Mapping[str, set[str]] = {
    "DuplicateName": {"name-duplicate"},
    "EmptyBody": {"body-empty"},
    "FrontmatterError": {"yaml-invalid"} | _NO_LANGUAGE,
    "InvalidDescription": {"description-too-long"},
    "InvalidFrontmatter": _NO_FRONTMATTER,
    "InvalidName": {"name-invalid", "name-too-long"},
    "InvalidYAML": {"yaml-invalid", "key-duplicate"} | _NOT_A_MAP | _NOT_TEXT,
    "Io": {"text-not-utf8", "not-a-file", "file-unreadable"},
    "MissingDescription": _NO_DESCRIPTION,
    "MissingField:description": _NO_DESCRIPTION,
    "MissingField:name": _NO_NAME,
    "MissingFrontmatter": _NO_FRONTMATTER,
    "MissingName": _NO_NAME,
    "NoFrontmatter": _NO_FRONTMATTER,
    "PANIC": {"host-panics"},
    "Schema": _NO_NAME
    | _NO_DESCRIPTION
    | _NOT_TEXT
    | _NOT_A_MAP
    | _NO_LANGUAGE
    | {"frontmatter-missing"},
    "ValidationError": (
        _NO_FRONTMATTER | _NO_NAME | _NO_DESCRIPTION | _TOO_LONG | {"name-invalid"}
    ),
}

_SURROGATE = re.compile("[\ud800-\udfff]")


def memory_answers(case: FileCase, system: str) -> Pair:
    """The file in memory."""
    path = f"/{case.path}"
    return file_answers(case, system, path, MemoryFileSystem({path: case.data}))


def file_answers(
    case: FileCase,
    system: str,
    path: str,
    filesystem: FileSystem = DiskFileSystem(),  # noqa: B008 - it holds nothing
) -> Pair:
    """The file at `path`."""
    parsed = parse_file(path, load_dialect(system), filesystem)
    return compared(as_line(parsed), case.outcomes[system])


def compared(line: Answer, outcome: Mapping[str, Any]) -> Pair:
    """What is known about one file, from `metier parse` and from the system."""
    if not outcome["ok"]:
        kind = outcome["error_kind"]
        ours = {"ok": line["ok"], "error": reason(line["error"], kind)}
        return ours, {"ok": False, "error": kind}
    theirs = {key: legible(value) for key, value in outcome.items()}
    ours = {key: legible(line[key]) for key in theirs}
    # Where it is optional, a system of typed fields reads an absent one as empty.
    ours["description"] = ours["description"] or ""
    return ours, theirs


def as_line(parsed: ParsedFile) -> Answer:
    """The keys of `metier parse --json` that were recorded."""
    body = parsed.body
    data = None if body is None else body.encode("utf-8", "surrogateescape")
    return {
        "ok": parsed.error is None,
        "error": parsed.error,
        "name": parsed.name,
        "description": parsed.description,
        **parsed.fields,
        "body_sha256": None if data is None else sha256(data).hexdigest(),
    }


def reason(rule: str | None, kind: str) -> str | None:
    """`kind` where metier's `rule` is that fault, else the rule."""
    rules = REASONS.get(kind) or REASONS[kind.partition(":")[0]]
    return kind if rule in rules else rule


def legible(value: Any) -> Any:
    """As JSON has it: no tuples, and U+FFFD for what was no text."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    return list(value) if isinstance(value, tuple) else value
