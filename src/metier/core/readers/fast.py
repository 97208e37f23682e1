"""A quick reader for the shapes that most headers have.

It reads a header only where every YAML engine agrees about it, and gives up (None)
on anything else, so that its answer is the full reader's answer. Only the wanted
scalars are read, all else is checked: a caller who wants lists, maps or spans asks
the full reader. That is what a scan needs, at a tenth of the price.
"""

from __future__ import annotations

import re
from enum import Enum

from metier.core.nodes import MAX_HEADER, Scalar, Style
from metier.core.readers.fast_trees import is_flat_tree, is_simple_flow, is_simple_tree
from metier.core.readers.shapes import ITEM, TYPED_KEYS, has_odd

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_ESCAPES = {'"': '"', "\\": "\\", "n": "\n", "t": "\t"}


class Verdict(Enum):
    """What was found where no scalar was read."""

    CONTAINER = "container"  # a list or a map, well formed
    UNSURE = "unsure"  # the full reader has to look


# As `Scalar(...)`, at half the price: most values of most headers are made here.
_scalar = Scalar._make
_CONTAINER = Verdict.CONTAINER
_UNSURE = Verdict.UNSURE

# None stands for a list or a map, which were checked only.
FastFields = dict[str, Scalar | None]


def read_fast(header: str, wanted: frozenset[str]) -> FastFields | None:
    """The wanted fields of `header`, None where the full reader has to look.

    The spans of the scalars are not filled in.
    """
    if len(header) > MAX_HEADER or has_odd(header):
        return None
    if "\r" in header:
        header = header.replace("\r\n", "\n")
    closed = header[-1:] == "\n"
    fields: FastFields = {}
    keys: list[str] = []
    mark = ""
    items = ITEM.findall(header if closed else header + "\n")
    for key, plain, quoted, flow, mark, block, folded, below, tree, junk in items:
        if not key:
            if junk:
                return None
            continue
        keys.append(key)
        if plain:
            if key in wanted:
                text = plain.rstrip(" ")
                fields[key] = _scalar((text, Style.PLAIN, 0, 0, None))
            continue
        value = _read_rest(quoted, flow, mark, block, folded or below, tree)
        if value is _UNSURE:
            return None
        if key in wanted:
            fields[key] = None if value is _CONTAINER else value
    if not closed and len(mark) == 1 and keys[-1] in wanted:
        # The engines differ in whether the last line of a block ends here.
        return None
    seen = set(keys)
    if len(seen) != len(keys) or not TYPED_KEYS.isdisjoint(seen):
        return None
    return fields if keys else None


def _read_rest(
    quoted: str, flow: str, mark: str, block: str, folded: str, tree: str
) -> Scalar | Verdict:
    """Everything but a plain scalar on the key's own line; one of them is there."""
    if quoted:
        return _quoted(quoted)
    if tree:
        return _tree(tree)
    if mark:
        return _block_scalar(mark, block)
    if folded:
        return _folded_plain(folded)
    return _CONTAINER if is_simple_flow(flow) else _UNSURE


def _folded_plain(text: str) -> Scalar:
    return Scalar(" ".join([line.lstrip(" ") for line in text.split("\n")]))


def _tree(text: str) -> Scalar | Verdict:
    if not text.strip("\n"):
        return Scalar("")
    if is_flat_tree(text) or is_simple_tree(text):
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
        elif (
            line[:indent] != margin
            or not text.strip(" ")
            or (folded and text[0] == " ")
        ):
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
