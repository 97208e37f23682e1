"""A header whose values all become texts, with a reading by lines beside the YAML.

A list or a map is written as JSON. What YAML has no value for, or all of it where it is
no YAML, is taken from lines of `key: value` at the left edge.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from metier.core.js_json import write_json
from metier.core.js_text import js_text
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
from metier.core.readers.trees import Fields, Header
from metier.core.scalars import Kind, ScalarSchema, kind_of
from metier.core.text import JS_WHITE_SPACE
from metier.diagnostics import Diagnostic, Diagnostics, Severity

_SCHEMA = ScalarSchema.CORE


class Line(NamedTuple):
    """What a line says of a key; `is_inline` where that stands on the key's own."""

    value: Scalar
    is_inline: bool


def read_texts(
    root: Node | None, error: YamlError | None, header: Header
) -> tuple[Fields, Diagnostics]:
    """The fields as texts: of the tree of a header, or of its lines after an error."""
    lines = read_edge_lines(header.content)
    root = target_of(root) if root else None
    fields: Fields = {}
    for written, value in root.entries if isinstance(root, Mapping) else ():
        key = _key_of(written)
        text = _text_of(value, lines.get(key))
        if key and text is not None:
            fields[key] = text
    for key, line in lines.items():
        fields.setdefault(key, line.value)
    # In the host these stand on an object, on which this is no key.
    fields.pop("__proto__", None)
    return fields, (_by_lines(error, header),) if error else ()


def _key_of(node: Node) -> str:
    """A key as a text; nothing for those that are null, a list or a map."""
    key = target_of(node)
    if not isinstance(key, Scalar) or kind_of(key, _SCHEMA) is Kind.NULL:
        return ""
    return js_text(key, _SCHEMA).strip(JS_WHITE_SPACE)


def _text_of(node: Node, line: Line | None) -> Scalar | None:
    """What a value is as a text, None for a null."""
    value = target_of(node)
    if isinstance(value, (Mapping, Sequence)):
        text = _json_of(value, node)
        is_line = line and line.is_inline and ":" in line.value.text
        return line.value if text and line and is_line else text
    if value is None or kind_of(value, _SCHEMA) is Kind.NULL:
        return None
    text = js_text(value, _SCHEMA).strip(JS_WHITE_SPACE)
    return Scalar(text, Style.DOUBLE, node.start, node.end)


def _json_of(value: Mapping | Sequence, node: Node) -> Scalar | None:
    try:
        text = write_json(value)
    except ValueError:  # it holds itself
        return None
    return Scalar(text, Style.DOUBLE, node.start, node.end)


def _by_lines(error: YamlError, header: Header) -> Diagnostic:
    found = diagnose_yaml(error, header.text, header_start=header.start)
    return Diagnostic(
        rule="yaml-recovered",
        severity=Severity.WARNING,
        message=found.message,
        position=found.position,
        span=found.span,
        help="it was read line by line; most agents drop this skill",
    )


# --- lines --------------------------------------------------------------------------


def read_edge_lines(header: str) -> dict[str, Line]:
    """The lines of `key: value` at the left edge; the last one with a value counts.

    A key without a value has the indented lines below it.
    """
    found: dict[str, Line] = {}
    lines = header.split("\n")
    at = index = 0
    while index < len(lines):
        line, below = lines[index], 1
        match = _edge_line().fullmatch(line)
        if match:
            text = match[2].strip(JS_WHITE_SPACE)
            start, end = at + len(line) - len(match[2]), at + len(line)
            if not text:
                below = _indented(lines, index + 1)
            value = _unquoted(text)
            if below > 1:
                value = "\n".join(lines[index + 1 : index + below])
                value = value.strip(JS_WHITE_SPACE)
            if value:
                scalar = Scalar(value, Style.DOUBLE, start, end)
                found[match[1]] = Line(scalar, is_inline=below == 1)
        at += sum(len(each) + 1 for each in lines[index : index + below])
        index += below
    return found


@cache
def _edge_line() -> re.Pattern[str]:
    # What the dot of an ECMAScript expression takes.
    blanks = f"[{JS_WHITE_SPACE}]*+"
    return re.compile(rf"([A-Za-z0-9_-]+):{blanks}([^\n\r\u2028\u2029]*)")


def _indented(lines: list[str], start: int) -> int:
    """How many lines from the key on are its own: with the indented ones below it."""
    if start == len(lines) or lines[start][:1] not in (" ", "\t"):
        return 1
    end = start
    while end < len(lines) and lines[end][:1] in ("", " ", "\t"):
        end += 1
    return end - start + 1


def _unquoted(text: str) -> str:
    is_quoted = text[:1] in ("'", '"') and text[-1:] == text[:1]
    return text[1:-1] if is_quoted else text
