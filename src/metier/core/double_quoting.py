"""Double quotes around the values that YAML may refuse, line by line.

The agent that does this reads a header again that was no YAML. It looks at every line
that starts with a key, blocks and quoted texts over several lines included, and quotes
what holds a sign of YAML's, but for lists in brackets; that some of these lines were in
order is its slip, and decides what loads.
"""

from __future__ import annotations

import re

from metier.core.fence import FenceStyle, find_fence
from metier.core.nodes import MAX_HEADER, Sequence, YamlError
from metier.core.text import JS_WHITE_SPACE


def quote_special(text: str) -> str:
    """`text` with quotes around the values of its header that hold a special sign."""
    fenced, _ = find_fence(text, FenceStyle.LINE_ANYWHERE)
    if fenced is None or fenced.header_end - fenced.header_start > MAX_HEADER:
        return text
    header = text[fenced.header_start : fenced.header_end]
    lines = (_quoted_line(_without_tabs(line)) for line in header.split("\n"))
    return text[: fenced.header_start] + "\n".join(lines) + text[fenced.header_end :]


def _without_tabs(line: str) -> str:
    rest = line.lstrip("\t")
    return "  " * (len(line) - len(rest)) + rest


_VALUE = re.compile(
    rf"(?P<key>[A-Za-z_-]++):[{JS_WHITE_SPACE}]++(?P<value>[^\n\r\u2028\u2029]++)\Z"
)
_SPECIAL = re.compile(r"[{}\[\]*&#!|>%@`]|: ")


def _quoted_line(line: str) -> str:
    found = _VALUE.match(line)
    if found is None or not _SPECIAL.search(found["value"]):
        return line
    value = found["value"]
    if value[0] == value[-1] and value[0] in "\"'":
        return line
    if value[0] == "[" and value[-1] == "]" and _is_list(value):
        return line
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'{found["key"]}: "{escaped}"'


def _is_list(value: str) -> bool:
    from metier.core.yaml_bun import parse_bun_yaml

    try:
        return isinstance(parse_bun_yaml(value), Sequence)
    except YamlError:
        return False
