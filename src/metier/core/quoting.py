"""Quotes around the values that YAML refuses, line by line.

The agent that does this reads the header again where it was no YAML, or not of the
right types, with every value in quotes that holds `: ` or starts like a list or a map
and is none. What it takes for a value, and for a block that it leaves alone, decides
which headers load.
"""

from __future__ import annotations

import re

from metier.core import nodes
from metier.core.fence import FenceStyle, find_fence
from metier.core.nodes import MAX_HEADER, Alias, Node, Scalar, YamlError, target_of
from metier.core.scalars import ScalarSchema, kind_of
from metier.core.text import WHITE_SPACE


def quote_values(text: str) -> str:
    """`text` with quotes around the values of its header that YAML would refuse."""
    fenced, _ = find_fence(text, FenceStyle.TRIMMED_LINES)
    if fenced is None or fenced.header_end - fenced.header_start > MAX_HEADER:
        return text
    header = text[fenced.header_start : fenced.header_end]
    lines: list[str] = []
    block = -1  # the indent of the key of a block scalar, while in one
    changed = False
    for written in header.split("\n"):
        line = written.removesuffix("\r")
        indent = len(line) - len(line.lstrip(" "))
        if block >= 0 and (indent > block or not line.strip(WHITE_SPACE)):
            lines.append(line)
            continue
        value = _value_of(line)
        block = indent if value[:1] in ("|", ">") and value else -1
        quoted = _quoted_line(line, value)
        changed = changed or quoted is not None
        lines.append(line if quoted is None else quoted)
    if not changed:
        return text
    return text[: fenced.header_start] + "\n".join(lines) + text[fenced.header_end :]


_COMMENT = re.compile(rf"(?:^|(?<=[{WHITE_SPACE}]))#")
_SEPARATOR = re.compile(rf":[{WHITE_SPACE}]")


def _value_of(line: str) -> str:
    """What stands behind the first colon, without blanks and comment."""
    key, colon, rest = line.partition(":")
    if not colon or not key.strip(WHITE_SPACE):
        return ""
    if rest[:1] and rest[0] not in WHITE_SPACE:
        return ""
    value = rest.lstrip(WHITE_SPACE)
    comment = _COMMENT.search(value)
    return (value[: comment.start()] if comment else value).rstrip(WHITE_SPACE)


def _quoted_line(line: str, value: str) -> str | None:
    """`line` with its value in quotes, None where it does not need any."""
    if not value or value[0] in "|>'\"":
        return None
    if not _SEPARATOR.search(value) and not _is_broken_flow(value):
        return None
    at = line.index(value, line.index(":"))
    quoted = value.replace("'", "''")
    comment = line[at + len(value) :]
    # Blanks that are not followed by a comment go: behind a quote, YAML refuses some.
    return f"{line[:at]}'{quoted}'{comment if comment.strip(WHITE_SPACE) else ''}"


def _is_broken_flow(value: str) -> bool:
    if value[0] in "@`":
        return True
    return value[0] in "[{" and not _is_yaml(value)


def _is_yaml(value: str) -> bool:
    from metier.core.yaml_events import Documents, parse_events

    try:
        root = parse_events(value, documents=Documents.ONE)
    except YamlError:
        return False
    return root is not None and not _is_refused(root)


def _is_refused(node: Node) -> bool:
    """Whether a key is there twice, or an alias stands inside its own anchor."""
    match node:
        case Alias(target=None):
            return True
        case nodes.Sequence(items=items):
            return any(map(_is_refused, items))
        case nodes.Mapping(entries=entries):
            keys = [_written(key) for key, _ in entries]
            inner = (part for pair in entries for part in pair)
            return len(set(keys)) < len(keys) or any(map(_is_refused, inner))
        case _:
            return False


def _written(key: Node) -> object:
    """What makes two keys the same, as far as one line can say."""
    match target_of(key):
        case Scalar() as scalar:
            return scalar.text, kind_of(scalar, ScalarSchema.CORE)
        case nodes.Sequence(items=items):
            return tuple(map(_written, items))
        case nodes.Mapping(entries=entries):
            return frozenset((_written(key), _written(value)) for key, value in entries)
        case target:
            return target
