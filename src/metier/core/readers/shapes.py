"""The shapes of headers about which every YAML engine agrees, as expressions.

All of them are linear: the repetitions are possessive, what they repeat does not
overlap with what follows. They are kept small, as compiling them is a good part of
what starting the program costs: characters beyond ASCII are looked at by `has_odd`.
"""

from __future__ import annotations

import re
from functools import cache

# Controls of ASCII; a tab means something else to every engine.
ODD = "\x00-\x1f\x7f"
ANY = f"[^{ODD}]"
KEY = r"[A-Za-z_][A-Za-z0-9_-]{0,99}"
# A plain scalar on one line: `:` and `#` only where they start nothing.
RUN = rf"[^:#{ODD}]*+(?>(?:(?::(?=[^ \n])|(?<! )#)[^:#{ODD}]*+)*)"
PLAIN = rf"[^ :#\-?,\[\]{{}}&*!|>'\"%@`{ODD}]{RUN}"
MORE = rf"{PLAIN}(?<! )"
# `\\u` but for controls, surrogates and non-characters.
ESCAPED = r'\\(?:["\\nt]|u(?!00[01]|[dD][89a-fA-F]|[fF]{3}[eEfF])[0-9a-fA-F]{4})'
DOUBLE = rf'"[^"\\{ODD}]*+(?>(?:{ESCAPED}[^"\\{ODD}]*+)*)"'
SINGLE = rf"'[^'{ODD}]*+(?>(?:''[^'{ODD}]*+)*)'"
# The same over several lines, each indented.
DOUBLES = rf'"[^"\\{ODD}]*+(?>(?:(?:{ESCAPED}|(?<! )\n++ )[^"\\{ODD}]*+)*)"'
SINGLES = rf"'[^'{ODD}]*+(?>(?:(?:''|(?<! )\n++ )[^'{ODD}]*+)*)'"
FLOW_RUN = rf"[^:#,\[\]{{}}?{ODD}]*+"
FLOW_WORD = (
    rf"[^ :#\-?,\[\]{{}}&*!|>'\"%@`{ODD}]{FLOW_RUN}"
    rf"(?>(?:(?::(?=[^ \n,\[\]{{}}?])|(?<! )#){FLOW_RUN})*)"
)
NODE = rf"(?:{PLAIN}|{DOUBLE}|{SINGLE})"
# One group for each shape; the last one catches whatever is none of them, to the end:
# a search that went on behind it would look at a long line once for each character.
ITEM = re.compile(
    rf"({KEY}):(?: ++(?:"
    rf"({PLAIN})\n(?! )"
    rf"|({DOUBLES}|{SINGLES}) *+\n(?! )"
    rf"|([\[{{]{ANY}*+)\n(?! )"
    rf"|([|>]-?)\n((?>(?:\n*+ {ANY}*+\n)+))\n*+"
    rf"|({MORE}(?>(?:\n ++{MORE})+))\n)"
    rf"| *+\n ++({MORE}(?>(?:\n ++{MORE})*))\n(?! )"
    rf"|(\n(?>(?:(?:(?: |- ){ANY}*+)?\n)*))"
    rf")|(?:#{ANY}*+)?\n"
    rf"|([\s\S]++)"
)
# One line of a tree: an indent, a dash, a key, a value; the value may be in brackets.
NESTED = re.compile(
    rf"( *)(- )?(?:({KEY}):(?: +|(?=\Z)))?(?:({NODE})|([\[{{]{ANY}*+))? *\Z"
)
# The two trees that are nearly all trees: a list, and a map of one level.
LIST = re.compile(rf"\n++(?=( *+)-)(?>(?:\1- {NODE} *\n++)+)\Z")
MAP = re.compile(rf"\n++(?=( ++))(?>(?:\1{KEY}: ++{NODE} *\n++)+)\Z")
MAP_KEY = re.compile(rf"^ +({KEY}):", re.MULTILINE)
# Keys that an engine may read as something else than text, and so as duplicates.
TYPED_KEYS = frozenset(
    word
    for stem in ("true", "false", "yes", "no", "on", "off", "null", "y", "n")
    for word in (stem, stem.capitalize(), stem.upper())
)


def has_odd(header: str) -> bool:
    """Whether a character beyond ASCII is in `header` on which the engines differ."""
    if header.isascii() or header.replace("\n", "").isprintable():
        return False
    return _odd().search(header) is not None


@cache
def _odd() -> re.Pattern[str]:
    # Controls, other line breaks, surrogates, byte order marks, non-characters.
    return re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


@cache
def flow_list() -> re.Pattern[str]:
    """A one-line list of scalars, of lists of them, and of maps with one key."""
    item = rf"(?:{FLOW_WORD}|{DOUBLE}|{SINGLE})"
    inner = rf"{_list_of(item)}|\{{ *+{KEY}: ++{item} *+\}}"
    return re.compile(_list_of(rf"(?:{item}|{inner})") + " *+")


def _list_of(item: str) -> str:
    # The item stands there once: what is written twice is compiled twice.
    return rf"\[ *+(?>(?:{item} *+(?:, *+(?!\])|(?=\])))*)\]"


@cache
def flow_map() -> re.Pattern[str]:
    """A one-line map of scalars."""
    pair = rf"{KEY}: ++(?:{FLOW_WORD}|{DOUBLE}|{SINGLE}) *+"
    return re.compile(rf"\{{ *+{pair}(?>(?:, *+{pair})*)\}} *+")


@cache
def flow_map_key() -> re.Pattern[str]:
    """The keys of such a map; from a nested or quoted place at worst one too many."""
    return re.compile(rf"[{{,] *({KEY}):")
