"""A quick reader for the shapes that most headers have.

It reads a header only where every YAML engine agrees about it, and gives up (None)
on anything else, so that its answer is the full reader's answer. Only the wanted
scalars are read, all else is checked: a caller who wants lists, maps or spans asks
the full reader. That is what a scan needs, at a tenth of the price.
"""

from __future__ import annotations

import re
from enum import Enum

from metier.core.nodes import MAX_DEPTH, Scalar, Style

# Characters on whose meaning the engines differ: controls, tabs, other line breaks,
# surrogates, byte order marks, non-characters.
_ODD = "\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_ANY = f"[^{_ODD}]"
_KEY = r"[A-Za-z_][A-Za-z0-9_-]{0,99}"
# A plain scalar on one line: `:` and `#` only where they start nothing.
_RUN = rf"[^:#{_ODD}]*+(?:(?::(?=[^ \n])|(?<! )#)[^:#{_ODD}]*+)*+"
_PLAIN = rf"[^ :#\-?,\[\]{{}}&*!|>'\"%@`{_ODD}]{_RUN}"
_MORE = rf"[^ :#\-?,\[\]{{}}&*!|>'\"%@`{_ODD}]{_RUN}(?<! )"
_DOUBLE = rf'"[^"\\{_ODD}]*+(?:\\["\\nt][^"\\{_ODD}]*+)*+"'
_SINGLE = rf"'[^'{_ODD}]*+(?:''[^'{_ODD}]*+)*+'"
# The same over several lines, each indented.
_DOUBLES = rf'"[^"\\{_ODD}]*+(?:(?:\\["\\nt]|(?<! )\n++ )[^"\\{_ODD}]*+)*+"'
_SINGLES = rf"'[^'{_ODD}]*+(?:(?:''|(?<! )\n++ )[^'{_ODD}]*+)*+'"
_VALUE = rf"(?:{_PLAIN}|{_DOUBLE}|{_SINGLE})"
_FLOW_RUN = rf"[^:#,\[\]{{}}?{_ODD}]*+"
_FLOW_WORD = (
    rf"[^ :#\-?,\[\]{{}}&*!|>'\"%@`{_ODD}]{_FLOW_RUN}"
    rf"(?:(?::(?=[^ \n,\[\]{{}}?])|(?<! )#){_FLOW_RUN})*+"
)
_FLOW_ITEM = rf"(?:{_FLOW_WORD}|{_DOUBLE}|{_SINGLE})"
_FLOW_LIST = rf"\[ *+(?:{_FLOW_ITEM} *+(?:, *+{_FLOW_ITEM} *+)*+)?\]"
_FLOW = (
    rf"\[ *+(?:(?:{_FLOW_ITEM}|{_FLOW_LIST}) *+"
    rf"(?:, *+(?:{_FLOW_ITEM}|{_FLOW_LIST}) *+)*+)?\]"
)
_NODE = rf"(?:{_VALUE}|{_FLOW})"
_ITEM = re.compile(
    rf"({_KEY}):(?: ++(?:"
    rf"({_PLAIN})\n(?! )"
    rf"|({_DOUBLES}|{_SINGLES}) *+\n(?! )"
    rf"|(?:{_FLOW}|(\{{{_ANY}*\}})) *+\n(?! )"
    rf"|([|>]-?)\n((?:\n*+ {_ANY}*+\n)++)\n*+"
    rf"|({_MORE}(?:\n ++{_MORE})++)\n)"
    rf"| *+\n ++({_MORE}(?:\n ++{_MORE})*+)\n(?! )"
    rf"|(\n(?:(?:(?: |- ){_ANY}*+)?\n)*+)"
    rf")|(?:#{_ANY}*+)?\n"
)
_NESTED = re.compile(
    rf"( *)(?:- (?:({_KEY}):(?: +({_NODE}))?|{_NODE})|({_KEY}):(?: +({_NODE}))?) *\Z"
)
# The two trees that are nearly all trees: a list, and a map of one level.
_LIST = re.compile(rf"\n++(?:( *+)- {_NODE} *\n++)(?:\1- {_NODE} *\n++)*+\Z")
_MAP = re.compile(rf"\n++(?:( ++){_KEY}: ++{_NODE} *\n++)(?:\1{_KEY}: ++{_NODE} *\n++)*+\Z")
_MAP_KEY = re.compile(rf"^ +({_KEY}):", re.MULTILINE)
_ODD_ESCAPE = re.compile(r'\\[^"\\nt]')
_ESCAPE = re.compile(r"\\(.)")
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
    closed = header[-1:] == "\n"
    if not closed:
        header += "\n"
    fields: FastFields = {}
    keys: list[str] = []
    kind: int | None = None
    at = 0
    size = len(header)
    match = _ITEM.match
    while at < size:
        item = match(header, at)
        if item is None:
            return None
        at = item.end()
        kind = item.lastindex
        if kind is None:
            continue
        key = item[1]
        keys.append(key)
        if kind == 2:
            if key in wanted:
                fields[key] = Scalar(item[2].rstrip(" "))
        else:
            value = _read_rest(item, kind)
            if value is _UNSURE:
                return None
            if key in wanted:
                fields[key] = None if value is _CONTAINER else value
    if not closed and kind == 6:
        # The engines differ in whether the last line of a block ends here.
        return None
    seen = set(keys)
    if len(seen) != len(keys) or not _TYPED_KEYS.isdisjoint(seen):
        return None
    return fields if keys else None


def _read_rest(item: re.Match[str], kind: int) -> Scalar | Verdict:
    """Everything but a plain scalar on the key's own line."""
    if kind == 3:
        return _quoted(item[3])
    if kind == 6:
        return _block_scalar(item)
    if kind in (7, 8):
        lines = item[kind].split("\n")
        return Scalar(" ".join([line.lstrip(" ") for line in lines]))
    if kind == 9:
        if not item[9].strip("\n"):
            return Scalar("")
        is_fine = _is_flat_tree(item[9]) or _is_simple_tree(item[9].split("\n"))
    else:
        is_fine = kind == 1 or _is_simple_json(item[4])
    return _CONTAINER if is_fine else _UNSURE


def _quoted(raw: str) -> Scalar:
    text = raw[1:-1]
    if "\n" in text:
        text = _fold_quoted(text.split("\n"))
    if raw[0] == "'":
        return Scalar(text.replace("''", "'"), Style.SINGLE)
    if "\\" in text:
        text = _ESCAPE.sub(lambda found: _ESCAPES[found[1]], text)
    return Scalar(text, Style.DOUBLE)


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


def _block_scalar(item: re.Match[str]) -> Scalar | Verdict:
    """The text of `|`, `|-`, `>` or `>-` over lines of one and the same indent."""
    lines = item[6].split("\n")[:-1]
    first = lines[0]
    indent = len(first) - len(first.lstrip(" "))
    if indent == len(first):
        return _UNSURE
    margin = " " * indent
    folded = item[5][0] == ">"
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
    if len(item[5]) == 1:
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
    """Whether a one-line `{...}` is JSON that every YAML engine reads as such."""
    import json

    if _ODD_ESCAPE.search(text) or len(text) > 1000 or text.count("{") + text.count("[") > 12:
        return False
    try:
        json.loads(text, object_pairs_hook=_unique_map)
    except ValueError:
        return False
    return True


def _unique_map(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("duplicate key")
    return result
