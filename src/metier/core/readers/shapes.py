"""The shapes of headers about which every YAML engine agrees, as expressions.

All of them are linear: the repetitions are possessive, what they repeat does not
overlap with what follows.
"""

from __future__ import annotations

import re

# Characters on whose meaning the engines differ: controls, tabs, other line breaks,
# surrogates, byte order marks, non-characters.
ODD = "\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
ANY = f"[^{ODD}]"
KEY = r"[A-Za-z_][A-Za-z0-9_-]{0,99}"
# A plain scalar on one line: `:` and `#` only where they start nothing.
RUN = rf"[^:#{ODD}]*+(?:(?::(?=[^ \n])|(?<! )#)[^:#{ODD}]*+)*+"
PLAIN = rf"[^ :#\-?,\[\]{{}}&*!|>'\"%@`{ODD}]{RUN}"
MORE = rf"[^ :#\-?,\[\]{{}}&*!|>'\"%@`{ODD}]{RUN}(?<! )"
# `\\u` but for controls, surrogates and non-characters.
ESCAPED = r'\\(?:["\\nt]|u(?!00[01]|[dD][89a-fA-F]|[fF]{3}[eEfF])[0-9a-fA-F]{4})'
DOUBLE = rf'"[^"\\{ODD}]*+(?:{ESCAPED}[^"\\{ODD}]*+)*+"'
SINGLE = rf"'[^'{ODD}]*+(?:''[^'{ODD}]*+)*+'"
# The same over several lines, each indented.
DOUBLES = rf'"[^"\\{ODD}]*+(?:(?:{ESCAPED}|(?<! )\n++ )[^"\\{ODD}]*+)*+"'
SINGLES = rf"'[^'{ODD}]*+(?:(?:''|(?<! )\n++ )[^'{ODD}]*+)*+'"
VALUE = rf"(?:{PLAIN}|{DOUBLE}|{SINGLE})"
FLOW_RUN = rf"[^:#,\[\]{{}}?{ODD}]*+"
FLOW_WORD = (
    rf"[^ :#\-?,\[\]{{}}&*!|>'\"%@`{ODD}]{FLOW_RUN}"
    rf"(?:(?::(?=[^ \n,\[\]{{}}?])|(?<! )#){FLOW_RUN})*+"
)
FLOW_ITEM = rf"(?:{FLOW_WORD}|{DOUBLE}|{SINGLE})"
FLOW_LIST = rf"\[ *+(?:{FLOW_ITEM} *+(?:, *+{FLOW_ITEM} *+)*+)?\]"
FLOW_PAIR = rf"\{{ *+{KEY}: ++{FLOW_ITEM} *+\}}"
FLOW_ANY = rf"(?:{FLOW_ITEM}|{FLOW_LIST}|{FLOW_PAIR})"
FLOW = rf"(?:\[ *+(?:{FLOW_ANY} *+(?:, *+{FLOW_ANY} *+)*+)?\]|{FLOW_PAIR})"
NODE = rf"(?:{VALUE}|{FLOW})"
# One group for each shape; the last one catches whatever is none of them, to the end:
# a search that went on behind it would look at a long line once for each character.
ITEM = re.compile(
    rf"({KEY}):(?: ++(?:"
    rf"({PLAIN})\n(?! )"
    rf"|({DOUBLES}|{SINGLES}) *+\n(?! )"
    rf"|({FLOW}) *+\n(?! )"
    rf"|(\{{{ANY}*\}}) *+\n(?! )"
    rf"|([|>]-?)\n((?:\n*+ {ANY}*+\n)++)\n*+"
    rf"|({MORE}(?:\n ++{MORE})++)\n)"
    rf"| *+\n ++({MORE}(?:\n ++{MORE})*+)\n(?! )"
    rf"|(\n(?:(?:(?: |- ){ANY}*+)?\n)*+)"
    rf")|(?:#{ANY}*+)?\n"
    rf"|([\s\S]++)"
)
NESTED = re.compile(
    rf"( *)(?:- (?:({KEY}):(?: +({NODE}))?|{NODE})|({KEY}):(?: +({NODE}))?) *\Z"
)
# The two trees that are nearly all trees: a list, and a map of one level.
LIST = re.compile(rf"\n++(?:( *+)- {NODE} *\n++)(?:\1- {NODE} *\n++)*+\Z")
MAP = re.compile(rf"\n++(?:( ++){KEY}: ++{NODE} *\n++)(?:\1{KEY}: ++{NODE} *\n++)*+\Z")
FLOW_MAP = re.compile(
    rf"\{{ *+{KEY}: ++{FLOW_ANY} *+(?:, *+{KEY}: ++{FLOW_ANY} *+)*+\}}"
)
# One too many at worst, out of a nested map: then the full reader decides.
FLOW_MAP_KEY = re.compile(rf"[{{,] *({KEY}):")
MAP_KEY = re.compile(rf"^ +({KEY}):", re.MULTILINE)
# Keys that an engine may read as something else than text, and so as duplicates.
TYPED_KEYS = frozenset(
    word
    for stem in ("true", "false", "yes", "no", "on", "off", "null", "y", "n")
    for word in (stem, stem.capitalize(), stem.upper())
)
