"""How VS Code's YAML parser folds a block, ends it, and reads a number in hex."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from metier.core.text import JS_WHITE_SPACE


class Chomping(Enum):
    """What becomes of the line feeds at the end of a block."""

    STRIP = "strip"
    CLIP = "clip"
    KEEP = "keep"

    def apply(self, text: str, empty: int, *, has_content: bool) -> str:
        """`text` with the end it has to have; its last `empty` lines are empty."""
        text = text.rstrip("\n") if empty else text
        if self is Chomping.KEEP:
            return text + "\n" * (empty + 1) if has_content else "\n" * empty
        return f"{text}\n" if has_content and self is Chomping.CLIP else text


def fold_lines(lines: Sequence[str]) -> str:
    """The lines of a `>` block: those that are indented further stay lines."""
    parts: list[str] = []
    was_further = was_empty = has_content = False
    for index, line in enumerate(lines):
        if not line:
            parts.append("\n")
            was_empty = True
            continue
        is_further = line[0] in " \t"
        stays = (was_further or is_further) and (has_content or not was_empty)
        parts += (_between(index, stays=stays, is_joined=was_empty), line)
        was_further, was_empty, has_content = is_further, False, True
    return "".join(parts)


def _between(index: int, *, stays: bool, is_joined: bool) -> str:
    if index == 0:
        return ""
    if stays:
        return "\n"
    return "" if is_joined else " "


_HEX = re.compile(rf"[{JS_WHITE_SPACE}]*([+-]?)(?:0[xX])?([0-9a-fA-F]+)")


def parse_js_hex(text: str) -> int | None:
    """What `parseInt(text, 16)` makes of it; None for no number."""
    found = _HEX.match(text)
    if found is None:
        return None
    return -int(found[2], 16) if found[1] == "-" else int(found[2], 16)
