"""Lists and maps that the quick reader only checks for being well formed."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from metier.core.nodes import MAX_DEPTH
from metier.core.readers.shapes import (
    LIST,
    MAP,
    MAP_KEY,
    NESTED,
    TYPED_KEYS,
    flow_list,
    flow_map,
    flow_map_key,
)

# An escape that not every engine reads, or reads alike.
_ODD_ESCAPE = re.compile(r'\\[^"\\nt]')


def is_flat_tree(block: str) -> bool:
    """Whether a block is one list, or one map of one level."""
    if LIST.match(block):
        return True
    if not MAP.match(block):
        return False
    keys = MAP_KEY.findall(block)
    seen = set(keys)
    return len(seen) == len(keys) and TYPED_KEYS.isdisjoint(seen)


class _Level:
    """A map or a list that is open: its indent, and the keys of a map."""

    __slots__ = ("indent", "keys")

    def __init__(self, indent: int, keys: set[str] | None) -> None:
        self.indent = indent
        self.keys = keys


def _map_level(indent: int) -> _Level:
    return _Level(indent, set())


class _Outline:
    """Follows the indents of nested lines; `opened` is where a value may be below."""

    __slots__ = ("levels", "opened")

    def __init__(self) -> None:
        self.levels: list[_Level] = []
        self.opened: int | None = -1

    def takes(self, line: str) -> bool:
        """Whether the next line is in its place."""
        parts = NESTED.match(line)
        if parts is None:
            return False
        spaces, dash, key, value, brackets = parts.groups()
        indent = len(spaces)
        if brackets and not is_simple_flow(brackets):
            return False
        is_map = not dash
        if (is_map and not (key and indent)) or not self._descend(
            indent, is_map=is_map
        ):
            return False
        level = self.levels[-1]
        if is_map is (level.keys is None):
            return False
        if dash and key:
            level = _map_level(indent + 2)
            self.levels.append(level)
        is_open = not (value or brackets)
        self.opened = level.indent if is_open else None
        return _is_new(key, level) if key else not is_open

    def _descend(self, indent: int, *, is_map: bool) -> bool:
        levels = self.levels
        if self.opened is not None and indent > self.opened:
            levels.append(_map_level(indent) if is_map else _Level(indent, None))
            return len(levels) < MAX_DEPTH - 2
        while levels and levels[-1].indent > indent:
            levels.pop()
        return bool(levels) and levels[-1].indent == indent


def _is_new(key: str, level: _Level) -> bool:
    if level.keys is None or key in level.keys or key in TYPED_KEYS:
        return False
    level.keys.add(key)
    return True


def is_simple_tree(text: str) -> bool:
    """Whether nested lines are maps and lists of one-line scalars, well indented."""
    outline = _Outline()
    return all(outline.takes(line) for line in text.split("\n") if line)


def is_simple_flow(text: str) -> bool:
    """Whether a one-line `[...]` or `{...}` is read alike by all engines."""
    if text[:1] == "[":
        return flow_list().fullmatch(text) is not None
    if flow_map().fullmatch(text):
        keys = flow_map_key().findall(text)
        return len(set(keys)) == len(keys) and TYPED_KEYS.isdisjoint(keys)
    return _is_simple_json(text)


def _is_simple_json(text: str) -> bool:
    """JSON is YAML, but for escapes, duplicate keys and very long lines."""
    if _ODD_ESCAPE.search(text) or len(text) > 1000:
        return False
    if text.count("{") + text.count("[") > MAX_DEPTH - 4:
        return False
    try:
        _json_decoder().decode(text)
    except ValueError:
        return False
    return True


@cache
def _json_decoder() -> Any:
    from json import JSONDecoder

    return JSONDecoder(object_pairs_hook=_unique_map)


def _unique_map(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("duplicate key")
    return result
