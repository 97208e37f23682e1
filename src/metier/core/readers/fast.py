"""A quick reader for the shapes that most headers have.

It reads a header only where every YAML engine agrees about it, and gives up (None)
on anything else, so that its answer is the full reader's answer. Only the wanted
scalars are read, all else is checked: a caller who wants lists, maps or spans asks
the full reader. That is what a scan needs, at a tenth of the price.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import cache
from typing import Any

from metier.core.nodes import MAX_DEPTH, MAX_HEADER, Scalar, Style

# Characters on whose meaning the engines differ: controls, tabs, other line breaks,
# surrogates, byte order marks, non-characters.
_ODD = "\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_ANY = f"[^{_ODD}]"
_KEY = r"[A-Za-z_][A-Za-z0-9_-]{0,99}"
# A plain scalar on one line: `:` and `#` only where they start nothing.
_RUN = rf"[^:#{_ODD}]*+(?:(?::(?=[^ \n])|(?<! )#)[^:#{_ODD}]*+)*+"
_PLAIN = rf"[^ :#\-?,\[\]{{}}&*!|>'\"%@`{_ODD}]{_RUN}"
_MORE = rf"[^ :#\-?,\[\]{{}}&*!|>'\"%@`{_ODD}]{_RUN}(?<! )"
# `\\u` but for controls, surrogates and non-characters.
_ESCAPED = r'\\(?:["\\nt]|u(?!00[01]|[dD][89a-fA-F]|[fF]{3}[eEfF])[0-9a-fA-F]{4})'
_DOUBLE = rf'"[^"\\{_ODD}]*+(?:{_ESCAPED}[^"\\{_ODD}]*+)*+"'
_SINGLE = rf"'[^'{_ODD}]*+(?:''[^'{_ODD}]*+)*+'"
# The same over several lines, each indented.
_DOUBLES = rf'"[^"\\{_ODD}]*+(?:(?:{_ESCAPED}|(?<! )\n++ )[^"\\{_ODD}]*+)*+"'
_SINGLES = rf"'[^'{_ODD}]*+(?:(?:''|(?<! )\n++ )[^'{_ODD}]*+)*+'"
_VALUE = rf"(?:{_PLAIN}|{_DOUBLE}|{_SINGLE})"
_FLOW_RUN = rf"[^:#,\[\]{{}}?{_ODD}]*+"
_FLOW_WORD = (
    rf"[^ :#\-?,\[\]{{}}&*!|>'\"%@`{_ODD}]{_FLOW_RUN}"
    rf"(?:(?::(?=[^ \n,\[\]{{}}?])|(?<! )#){_FLOW_RUN})*+"
)
_FLOW_ITEM = rf"(?:{_FLOW_WORD}|{_DOUBLE}|{_SINGLE})"
_FLOW_LIST = rf"\[ *+(?:{_FLOW_ITEM} *+(?:, *+{_FLOW_ITEM} *+)*+)?\]"
_FLOW_PAIR = rf"\{{ *+{_KEY}: ++{_FLOW_ITEM} *+\}}"
_FLOW_ANY = rf"(?:{_FLOW_ITEM}|{_FLOW_LIST}|{_FLOW_PAIR})"
_FLOW = rf"(?:\[ *+(?:{_FLOW_ANY} *+(?:, *+{_FLOW_ANY} *+)*+)?\]|{_FLOW_PAIR})"
_NODE = rf"(?:{_VALUE}|{_FLOW})"
# One group for each shape; the last one catches whatever is none of them, to the end:
# a search that went on behind it would look at a long line once for each character.
_ITEM = re.compile(
    rf"({_KEY}):(?: ++(?:"
    rf"({_PLAIN})\n(?! )"
    rf"|({_DOUBLES}|{_SINGLES}) *+\n(?! )"
    rf"|({_FLOW}) *+\n(?! )"
    rf"|(\{{{_ANY}*\}}) *+\n(?! )"
    rf"|([|>]-?)\n((?:\n*+ {_ANY}*+\n)++)\n*+"
    rf"|({_MORE}(?:\n ++{_MORE})++)\n)"
    rf"| *+\n ++({_MORE}(?:\n ++{_MORE})*+)\n(?! )"
    rf"|(\n(?:(?:(?: |- ){_ANY}*+)?\n)*+)"
    rf")|(?:#{_ANY}*+)?\n"
    rf"|([\s\S]++)"
)
_NESTED = re.compile(
    rf"( *)(?:- (?:({_KEY}):(?: +({_NODE}))?|{_NODE})|({_KEY}):(?: +({_NODE}))?) *\Z"
)
# The two trees that are nearly all trees: a list, and a map of one level.
_LIST = re.compile(rf"\n++(?:( *+)- {_NODE} *\n++)(?:\1- {_NODE} *\n++)*+\Z")
_MAP = re.compile(rf"\n++(?:( ++){_KEY}: ++{_NODE} *\n++)(?:\1{_KEY}: ++{_NODE} *\n++)*+\Z")
_FLOW_MAP = re.compile(
    rf"\{{ *+{_KEY}: ++{_FLOW_ANY} *+(?:, *+{_KEY}: ++{_FLOW_ANY} *+)*+\}}"
)
# One too many at worst, out of a nested map: then the full reader decides.
_FLOW_MAP_KEY = re.compile(rf"[{{,] *({_KEY}):")
_MAP_KEY = re.compile(rf"^ +({_KEY}):", re.MULTILINE)
_ODD_ESCAPE = re.compile(r'\\[^"\\nt]')
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_ESCAPES = {'"': '"', "\\": "\\", "n": "\n", "t": "\t"}
# Keys that an engine may read as something else than text, and so as duplicates.
_TYPED_KEYS = frozenset(
    word
    for stem in ("true", "false", "yes", "no", "on", "off", "null", "y", "n")
    for word in (stem, stem.capitalize(), stem.upper())
)



class Verdict(Enum):
    """What was found where no scalar was read."""

    CONTAINER = "container"  # a list or a map, well formed
    UNSURE = "unsure"  # the full reader has to look


_CONTAINER = Verdict.CONTAINER
_UNSURE = Verdict.UNSURE

# None stands for a list or a map, which were checked only.
FastFields = dict[str, Scalar | None]


def read_fast(header: str, wanted: frozenset[str]) -> FastFields | None:
    """The wanted fields of `header`, None where the full reader has to look.

    The spans of the scalars are not filled in.
    """
    if len(header) > MAX_HEADER:
        return None
    if "\r" in header:
        header = header.replace("\r\n", "\n")
    closed = header[-1:] == "\n"
    fields: FastFields = {}
    keys: list[str] = []
    mark = ""
    items = _ITEM.findall(header if closed else header + "\n")
    for key, plain, quoted, flow, json, mark, block, folded, below, tree, junk in items:
        if not key:
            if junk:
                return None
            continue
        keys.append(key)
        if plain:
            if key in wanted:
                fields[key] = Scalar(plain.rstrip(" "))
            continue
        if quoted:
            value = _quoted(quoted) if key in wanted else None
        elif tree:
            value = _tree(tree)
        elif mark:
            value = _block_scalar(mark, block)
        elif flow or json:
            value = _CONTAINER if flow or _is_simple_json(json) else _UNSURE
        else:
            value = _folded_plain(folded or below)
        if value is _UNSURE:
            return None
        if key in wanted:
            fields[key] = None if value is _CONTAINER else value
    if not closed and mark:
        # The engines differ in whether the last line of a block ends here.
        return None
    seen = set(keys)
    if len(seen) != len(keys) or not _TYPED_KEYS.isdisjoint(seen):
        return None
    return fields if keys else None


def _folded_plain(text: str) -> Scalar:
    return Scalar(" ".join([line.lstrip(" ") for line in text.split("\n")]))


def _tree(text: str) -> Scalar | Verdict:
    if not text.strip("\n"):
        return Scalar("")
    if _is_flat_tree(text) or _is_simple_tree(text.split("\n")):
        return _CONTAINER
    return _UNSURE


def _quoted(raw: str) -> Scalar:
    text = raw[1:-1]
    if "\n" in text:
        text = _fold_quoted(text.split("\n"))
    if raw[0] == "'":
        return Scalar(text.replace("''", "'"), Style.SINGLE)
    if "\\" in text:
        text = _ESCAPE.sub(_unescape, text)
    return Scalar(text, Style.DOUBLE)


def _unescape(found: re.Match[str]) -> str:
    escape = found[1]
    return chr(int(escape[1:], 16)) if len(escape) > 1 else _ESCAPES[escape]


def _fold_quoted(lines: list[str]) -> str:
    text = lines[0].rstrip(" ")
    blank = 0
    for line in lines[1:-1]:
        if stripped := line.strip(" "):
            text += ("\n" * blank or " ") + stripped
            blank = 0
        else:
            blank += 1
    return text + ("\n" * blank or " ") + lines[-1].lstrip(" ")


def _block_scalar(mark: str, block: str) -> Scalar | Verdict:
    """The text of `|`, `|-`, `>` or `>-` over lines of one and the same indent."""
    lines = block.split("\n")[:-1]
    first = lines[0]
    indent = len(first) - len(first.lstrip(" "))
    if indent == len(first):
        return _UNSURE
    margin = " " * indent
    folded = mark[0] == ">"
    texts: list[str] = []
    for line in lines:
        text = line[indent:]
        if not text:
            if line.strip(" "):
                return _UNSURE
        elif line[:indent] != margin or not text.strip(" "):
            return _UNSURE
        elif folded and text[0] == " ":
            return _UNSURE
        texts.append(text)
    while not texts[-1]:
        texts.pop()
    text = _fold(texts) if folded else "\n".join(texts)
    if len(mark) == 1:
        text += "\n"
    return Scalar(text, Style.FOLDED if folded else Style.LITERAL)


def _fold(lines: list[str]) -> str:
    if "" not in lines:
        return " ".join(lines)
    text = "\n".join(lines)
    return re.sub(r"(?<!\n)\n(?!\n)|\n(?=\n)", _fold_break, text)


def _fold_break(found: re.Match[str]) -> str:
    text, at = found.string, found.start()
    is_single = text[at + 1] != "\n"
    if is_single:
        return " "
    return "" if text[at - 1] != "\n" else "\n"


def _is_flat_tree(block: str) -> bool:
    if _LIST.match(block):
        return True
    if not _MAP.match(block):
        return False
    keys = _MAP_KEY.findall(block)
    seen = set(keys)
    return len(seen) == len(keys) and _TYPED_KEYS.isdisjoint(seen)


def _is_simple_tree(lines: list[str]) -> bool:
    """Whether nested lines are maps and lists of one-line scalars, well indented."""
    levels: list[tuple[int, set[str] | None]] = []
    opened: int | None = -1
    for line in lines:
        if not line:
            continue
        parts = _NESTED.match(line)
        if parts is None:
            return False
        indent = len(parts[1])
        inner, key = parts[2], parts[4]
        if indent == 0 and key:
            return False
        if opened is not None and indent > opened:
            levels.append((indent, set() if key else None))
            if len(levels) > MAX_DEPTH - 3:
                return False
        elif not _fits_level(levels, indent):
            return False
        keys = levels[-1][1]
        if (key is None) is not (keys is None):
            return False
        opened = None
        if inner:
            levels.append((indent + 2, keys := set()))
            key = inner
        if keys is None:
            continue
        if key in keys or key in _TYPED_KEYS:
            return False
        keys.add(key)
        if parts.lastindex in (2, 4):
            opened = indent + 2 if inner else indent
    return True


def _fits_level(levels: list[tuple[int, set[str] | None]], indent: int) -> bool:
    while levels and levels[-1][0] > indent:
        levels.pop()
    return bool(levels) and levels[-1][0] == indent


def _is_simple_json(text: str) -> bool:
    """Whether a one-line `{...}` is a flat map, or JSON that all engines read."""
    if _FLOW_MAP.fullmatch(text):
        keys = _FLOW_MAP_KEY.findall(text)
        return len(set(keys)) == len(keys) and _TYPED_KEYS.isdisjoint(keys)
    if _ODD_ESCAPE.search(text) or len(text) > 1000 or text.count("{") + text.count("[") > 12:
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
