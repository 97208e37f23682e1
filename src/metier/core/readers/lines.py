"""The readers that know no YAML: line by line, each with its own slips.

Each is what one real agent does with a header, bugs included. They never fail:
what they cannot read is not there.
"""

from __future__ import annotations

from metier.core.nodes import Mapping, Node, Scalar, Sequence, Style
from metier.core.text import (
    JAVA_WHITE_SPACE,
    JS_WHITE_SPACE,
    PYTHON_WHITE_SPACE,
    WHITE_SPACE,
)

Fields = dict[str, Node]

# The tag of a value that ends the host's program.
LONE_QUOTE = "!lone-quote"
# Keys that `read_trimmed_lines` does not let an empty value take away again.
_STICKY = frozenset(("when_to_use", "when-to-use"))


def read_first_prefix(header: str) -> Fields:
    """Trimmed `key:` lines, the first of a name wins, indented ones included."""
    fields: Fields = {}
    at = 0
    for line in header.split("\n"):
        key, colon, value = line.partition(":")
        key = key.lstrip(WHITE_SPACE)
        if colon and key not in fields:
            fields[key] = _first_prefix_value(value, at + len(line) - len(value))
        at += len(line) + 1
    return fields


def _first_prefix_value(raw: str, at: int) -> Scalar:
    value = raw.strip(WHITE_SPACE)
    start = at + raw.find(value)
    end = start + len(value)
    if value[:1] in ("'", '"') and value[-1] == value[0]:
        # The host slices `[1..len - 1]`: a lone quote makes that panic.
        tag = None if len(value) > 1 else LONE_QUOTE
        return Scalar(value[1:-1], Style.SINGLE, start, end, tag)
    return Scalar(value, Style.PLAIN, start, end)


def read_simple_map(header: str) -> Fields:
    """Lines and one level of indented maps; the last of a name wins."""
    fields: Fields = {}
    nested: dict[str, Scalar] | None = None
    current = ""
    at = 0
    for line in header.split("\n"):
        start, at = at, at + len(line) + 1
        trimmed = line.strip(WHITE_SPACE)
        if not trimmed or trimmed[0] == "#":
            continue
        key, colon, value = trimmed.partition(":")
        if nested is not None:
            if line[:2] == "  " or line[0] == "\t":
                if colon:
                    nested[key.strip(WHITE_SPACE)] = _unquoted(value, line, start)
                continue
            if current:
                fields[current] = _map_of(nested)
                nested = None
        if not colon:
            continue
        if not value.strip(WHITE_SPACE):
            current = key.strip(WHITE_SPACE)
            nested = {} if nested is None else nested
            continue
        fields[key.strip(WHITE_SPACE)] = _unquoted(value, line, start)
    if nested and current:
        fields[current] = _map_of(nested)
    return fields


def _unquoted(raw: str, line: str, at: int) -> Scalar:
    value = raw.strip(WHITE_SPACE)
    start = at + line.rfind(value) if value else at + len(line)
    end = start + len(value)
    if len(value) >= 2 and value[0] in "\"'" and value[-1] == value[0]:
        return Scalar(value[1:-1], Style.SINGLE, start, end)
    return Scalar(value, Style.PLAIN, start, end)


def _map_of(values: dict[str, Scalar]) -> Mapping:
    return Mapping(tuple((Scalar(key), value) for key, value in values.items()))


def read_trimmed_lines(header: str) -> Fields:
    """Trimmed `key: value` lines, the last of a name wins, quotes trimmed off.

    The fields come in the order of the lines that won.
    """
    fields: Fields = {}
    at = 0
    for line in header.split("\n"):
        trimmed = line.strip(WHITE_SPACE)
        key, colon, value = trimmed.partition(":")
        if colon and trimmed[0] != "#":
            value = value.strip(WHITE_SPACE)
            start = at + (line.rfind(value) if value else len(line))
            bare = value.strip('"').strip("'")
            key = key.rstrip(WHITE_SPACE)
            if bare or key not in _STICKY:
                fields.pop(key, None)
                fields[key] = Scalar(bare, Style.PLAIN, start, start + len(value))
        at += len(line) + 1
    return fields


def read_first_colon(header: str) -> Fields:
    """Lines cut at their first colon, the last of a name wins; comments are no such.

    A field keeps the place of its first line; quotes around a value are taken off.
    """
    fields: Fields = {}
    at = 0
    for line in header.split("\n"):
        key, colon, value = line.strip(JAVA_WHITE_SPACE).partition(":")
        if key and colon:
            value = value.strip(JAVA_WHITE_SPACE)
            start = at + (line.rfind(value) if value else len(line))
            end = start + len(value)
            if len(value) >= 2 and value[0] in "\"'" and value[-1] == value[0]:
                value = value[1:-1]
            key = key.rstrip(JAVA_WHITE_SPACE)
            fields[key] = Scalar(value, Style.PLAIN, start, end)
        at += len(line) + 1
    return fields


def read_lines_and_lists(header: str) -> Fields:
    """Lines cut at their first colon, the last of a name wins; quotes stay.

    A key without a value has the lines below that start with a hyphen, or is empty.
    """
    fields: Fields = {}
    key, items, start, at = "", list[Node](), 0, 0
    for line in header.split("\n"):
        begin, at = at, at + len(line) + 1
        bare = line.strip(JS_WHITE_SPACE)
        if key and bare[:1] == "-":
            items.append(_behind(line, begin, line.index("-")))
            continue
        if key:
            fields[key] = _list_of(items, start)
            key = ""
        colon = line.find(":")
        if colon > 0:
            name = line[:colon].strip(JS_WHITE_SPACE)
            value = _behind(line, begin, colon)
            if value.text:
                fields[name] = value
            else:
                key, items, start = name, [], value.start
    if key:
        fields[key] = _list_of(items, start)
    # In the host these stand on an object, on which this is no key.
    fields.pop("__proto__", None)
    return fields


def _behind(line: str, at: int, sign: int, *, blanks: str = JS_WHITE_SPACE) -> Scalar:
    raw = line[sign + 1 :]
    value = raw.strip(blanks)
    start = at + sign + 1 + raw.find(value)
    return Scalar(value, Style.PLAIN, start, start + len(value))


def _list_of(items: list[Node], at: int) -> Node:
    if not items:
        return Scalar("", Style.PLAIN, at, at)
    return Sequence(tuple(items), items[0].start, items[-1].end)


def read_split_lines(header: str) -> Fields:
    """Lines cut at their first colon, the last of a name wins; quotes stay."""
    fields: Fields = {}
    at = 0
    for line in header.split("\n"):
        key, colon, _ = line.partition(":")
        if colon:
            value = _behind(line, at, len(key), blanks=PYTHON_WHITE_SPACE)
            # Marked as quoted, so that no schema makes a number of it.
            fields[key.strip(PYTHON_WHITE_SPACE)] = value._replace(style=Style.DOUBLE)
        at += len(line) + 1
    return fields


def read_name_and_description(header: str) -> Fields:
    """`name:` and `description:` at any indent, the last of each wins.

    No blank is needed behind the colon. A description goes on over the indented lines
    below it, so that a `name:` among them renames nothing.
    """
    fields: Fields = {}
    lines = _returned_lines(header)
    index = 0
    while index < len(lines):
        at, line = lines[index]
        index += 1
        if (name := _text_behind("name:", line)) is not None:
            fields["name"] = _found_text(name, at, line)
        elif (text := _text_behind("description:", line)) is not None:
            parts = [text]
            while index < len(lines) and _is_continued(lines[index][1]):
                parts.append(lines[index][1].strip(JS_WHITE_SPACE))
                index += 1
            text = " ".join(part for part in parts if part)
            fields["description"] = _found_text(text, at, line)
    return fields


def _returned_lines(header: str) -> list[tuple[int, str]]:
    """The lines, and where they start; one carriage return belongs to a line's end."""
    lines: list[tuple[int, str]] = []
    at = 0
    for line in header.split("\n"):
        is_last = at + len(line) == len(header)
        lines.append((at, line if is_last else line.removesuffix("\r")))
        at += len(line) + 1
    return lines


# What the dot of an ECMAScript expression does not match.
_LINE_ENDS = frozenset("\n\r\u2028\u2029")


def _text_behind(key: str, line: str) -> str | None:
    bare = line.lstrip(JS_WHITE_SPACE)
    if not bare.startswith(key):
        return None
    text = bare.removeprefix(key).lstrip(JS_WHITE_SPACE)
    return text.rstrip(JS_WHITE_SPACE) if _LINE_ENDS.isdisjoint(text) else None


def _found_text(text: str, at: int, line: str) -> Scalar:
    # Marked as quoted, so that no schema makes a number of it.
    return Scalar(text, Style.DOUBLE, at, at + len(line))


def _is_continued(line: str) -> bool:
    bare = line.lstrip(" \t")
    return bare not in (line, "") and bare[0] not in JS_WHITE_SPACE
