"""Rewriting a text before it is read, or where it cannot be, the way some agents do.

The agents that repair look for one thing: a plain value with a colon in it
(`description: Use when: asked`), which YAML refuses. They turn it into a block
scalar, and their slips (what else gets rewritten) are part of what they load.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from functools import cache

from metier.core.nodes import MAX_HEADER
from metier.core.text import JS_WHITE_SPACE, WHITE_SPACE


class Repair(Enum):
    """How the text is rewritten before the fences are looked for."""

    NONE = "none"
    COLON_BLOCK_GO = "colon-block-go"  # every file; `$1`, `$NAME` expand, as in Go
    COLON_BLOCK_JS = "colon-block-js"  # every file; carriage returns stop a match
    # As `colon-block-js`, but for carriage returns, and without a final line break.
    COLON_BLOCK_JS_STRIP = "colon-block-js-strip"
    # A value with `: ` in it, or that starts like a list or a map and is none, in
    # single quotes.
    QUOTE_VALUE = "quote-value"
    # A value with `: ` or a character in it that means something to YAML, in double
    # quotes; of the tabs that a line starts with each becomes two blanks.
    QUOTE_SPECIAL = "quote-special"


# Where an agent's own regexp sees the end of the frontmatter while repairing: any
# line that starts with `---`.
_OPENER = re.compile(r"---\r?\n")


@cache
def _go_field() -> re.Pattern[str]:
    blanks = r"[\t\n\f\r ]*"
    name = "[a-zA-Z_][a-zA-Z0-9_]*"
    return re.compile(rf"({name}){blanks}:{blanks}(.*)\Z", re.DOTALL)


@cache
def _js_field() -> re.Pattern[str]:
    # Possessive: blanks that could also belong to the value make a search quadratic.
    blanks = "[" + "".join(f"\\u{ord(c):04x}" for c in JS_WHITE_SPACE) + "]*+"
    name = "[a-zA-Z_][a-zA-Z0-9_]*"
    return re.compile(rf"({name}){blanks}:{blanks}([^\n\r\u2028\u2029]*+)\Z")


# `$1` is the whole header: 64 KiB of them would be gigabytes. A header that grows
# beyond this is refused by the reader, expanded to its end or not.
_MAX_EXPANDED = 4 * MAX_HEADER
_KEPT_VALUES = frozenset(("", ">", "|"))


def repair_text(text: str, repair: Repair) -> str:
    """`text` as the agent's own rewriting leaves it."""
    if repair is Repair.NONE or "---" not in text[:_MAX_OPENER]:
        return text
    return _REPAIRS[repair](text)


# Blanks before an opener that one of the agents trims.
_MAX_OPENER = 256
_COLON_BLOCKS = frozenset(
    (Repair.COLON_BLOCK_GO, Repair.COLON_BLOCK_JS, Repair.COLON_BLOCK_JS_STRIP)
)
# These look for a second colon in the line of a field.
_IDLE_WITHOUT = re.compile(r":[^:\n]*:|[$\r]")


def is_idle(header: str, repair: Repair) -> bool:
    """Whether it is plain to see that the agent rewrites nothing in `header`."""
    if repair in _COLON_BLOCKS:
        return not _IDLE_WITHOUT.search(header)
    return repair is Repair.NONE


def _header_of(text: str) -> tuple[int, int, int] | None:
    """Start and end of the header, and the end of its closer, as repairs see it."""
    opened = _OPENER.match(text)
    if opened is None:
        return None
    start = opened.end()
    at = text.find("\n---", start)
    if at < 0 or at - start > MAX_HEADER:
        return None  # one that is too large is refused by the reader, repaired or not
    end = at - 1 if at > start and text[at - 1] == "\r" else at
    return start, end, at + 4


def _repair_go(text: str) -> str:
    bounds = _header_of(text)
    if bounds is None:
        return text
    start, end, closed = bounds
    header = text[start:end]
    lines = [_block_line_go(line) for line in header.split("\n")]
    template = "---\n" + "\n".join(lines) + "\n---"
    if "$" in template:
        template = expand_go_template(template, groups=(text[:closed], header))
    return template + text[closed:]


def _block_line_go(line: str) -> str:
    if line.count(":") < 2:
        return line
    trimmed = line.strip(WHITE_SPACE)
    if line[0] in "# \t" or trimmed[0] == "#":
        return line
    return _blocked(line, _go_field().match(line), WHITE_SPACE, "|")


def _repair_js(text: str) -> str:
    return _block_js(text, "\n", "|")


def _repair_js_strip(text: str) -> str:
    return _block_js(text, "\r\n", "|-")


def _block_js(text: str, line_end: str, mark: str) -> str:
    bounds = _header_of(text)
    if bounds is None:
        return text
    start, end, _ = bounds
    header = text[start:end]
    lines = header.replace(line_end, "\n").split("\n")
    blocked = "\n".join([_block_line_js(line, mark) for line in lines])
    # The agent replaces the first place where the header's text occurs.
    at = text.find(header)
    return text[:at] + blocked + text[at + len(header) :]


def _block_line_js(line: str, mark: str) -> str:
    if line.count(":") < 2:
        return line
    trimmed = line.strip(JS_WHITE_SPACE)
    if trimmed[0] == "#" or line[0] in JS_WHITE_SPACE:
        return line
    return _blocked(line, _js_field().match(line), JS_WHITE_SPACE, mark)


def _blocked(line: str, field: re.Match[str] | None, blanks: str, mark: str) -> str:
    if field is None:
        return line
    value = field[2].strip(blanks)
    if value in _KEPT_VALUES or value[0] in "\"'" or ":" not in value:
        return line
    return f"{field[1]}: {mark}\n  {value}"


def _quote_values(text: str) -> str:
    # Few texts need it: kept out of the way of those that read a header as it is.
    from metier.core.quoting import quote_values

    return quote_values(text)


def _quote_special(text: str) -> str:
    from metier.core.double_quoting import quote_special

    return quote_special(text)


_REPAIRS: dict[Repair, Callable[[str], str]] = {
    Repair.COLON_BLOCK_GO: _repair_go,
    Repair.COLON_BLOCK_JS: _repair_js,
    Repair.COLON_BLOCK_JS_STRIP: _repair_js_strip,
    Repair.QUOTE_VALUE: _quote_values,
    Repair.QUOTE_SPECIAL: _quote_special,
}


def expand_go_template(template: str, *, groups: tuple[str, ...]) -> str:
    """What Go's `regexp.Expand` makes of `template`: `$1`, `${1}`, `$name`, `$$`."""
    parts = template.split("$")
    out = [parts[0]]
    index = 1
    size = 0
    while index < len(parts):
        if size > _MAX_EXPANDED:
            return "".join(out) + "$" + "$".join(parts[index:])
        part = parts[index]
        if part == "" and index + 1 < len(parts):
            out.append("$" + parts[index + 1])
            index += 2
            continue
        out.append(_expand_variable(part, groups))
        size += len(out[-1])
        index += 1
    return "".join(out)


def _expand_variable(part: str, groups: tuple[str, ...]) -> str:
    brace = part.startswith("{")
    name_end = start = 1 if brace else 0
    while name_end < len(part) and _is_go_word(part[name_end]):
        name_end += 1
    name = part[start:name_end]
    if not name or (brace and not part.startswith("}", name_end)):
        return "$" + part
    rest = part[name_end + brace :]
    is_number = name.isascii() and name.isdigit() and len(name) < 10
    if not is_number or (name[0] == "0" and len(name) > 1):
        return rest
    number = int(name)
    return (groups[number] if number < len(groups) else "") + rest


def _is_go_word(char: str) -> bool:
    # Takes its time to load, and only a `$` in a header asks for it.
    import unicodedata

    return char == "_" or unicodedata.category(char)[0] == "L" or char.isdecimal()
