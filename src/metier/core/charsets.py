"""Which names an agent allows: what is wrong with one, or None."""

from __future__ import annotations

import re
from collections.abc import Callable

from metier.core.fields import Charset
from metier.core.names import compose

_LOWER_ASCII = re.compile(r"[a-z0-9-]*")
_WORDS = re.compile(r"[a-zA-Z0-9_:.-]*")
_LOWER_PLAIN = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_ASCII = re.compile(r"[a-zA-Z0-9-]*")
_PLAIN = re.compile(r"[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*")


def _problem_lower_ascii(name: str) -> str | None:
    if _LOWER_ASCII.fullmatch(name):
        return None
    return "holds characters other than a-z, 0-9 and `-`"


def _problem_lower_hyphenated(name: str) -> str | None:
    if _LOWER_PLAIN.fullmatch(name):
        return None
    return "is not a-z and 0-9 with single hyphens between them"


def _problem_ascii(name: str) -> str | None:
    if _ASCII.fullmatch(name):
        return None
    return "holds characters other than letters and digits of ASCII and `-`"


def _problem_lower_between(name: str) -> str | None:
    if _LOWER_ASCII.fullmatch(name) and name[0] != "-" and name[-1] != "-":
        return None
    return "is not a-z, 0-9 and hyphens between them"


def _problem_slash(name: str) -> str | None:
    return "holds a `/`" if "/" in name else None


def _problem_hyphenated(name: str) -> str | None:
    if _PLAIN.fullmatch(name):
        return None
    return "is not letters and digits of ASCII with single hyphens between them"


def _problem_lower_unicode(name: str) -> str | None:
    if _LOWER_PLAIN.fullmatch(name) or _is_lower_unicode(name):
        return None
    return "is not lower-case letters and digits with single hyphens between them"


def _is_lower_unicode(name: str) -> bool:
    if name != name.lower() or name[0] == "-" or name[-1] == "-" or "--" in name:
        return False
    return all(c == "-" or c.isalpha() or c.isdecimal() for c in name)


def _problem_alnum_nfkc(name: str) -> str | None:
    if _LOWER_PLAIN.fullmatch(name) or _is_lower_alnum(compose(name)):
        return None
    return "is not lower-case letters and digits with single hyphens between them"


def _is_lower_alnum(name: str) -> bool:
    if name != name.lower() or name[0] == "-" or name[-1] == "-" or "--" in name:
        return False
    return all(char == "-" or char.isalnum() for char in name)


def _problem_words(name: str) -> str | None:
    if _WORDS.fullmatch(name):
        return None
    from unicodedata import category

    if all(char in "_:.-" or category(char)[0] in "LN" for char in name):
        return None
    return "holds characters other than letters, digits, `_`, `:`, `.` and `-`"


def _no_problem(name: str) -> str | None:  # noqa: ARG001
    return None


CHARSETS: dict[Charset, Callable[[str], str | None]] = {
    Charset.ANY: _no_problem,
    Charset.LOWER_ASCII: _problem_lower_ascii,
    Charset.LOWER_UNICODE: _problem_lower_unicode,
    Charset.LOWER_HYPHENATED: _problem_lower_hyphenated,
    Charset.WORDS: _problem_words,
    Charset.ASCII: _problem_ascii,
    Charset.LOWER_ALNUM_NFKC: _problem_alnum_nfkc,
    Charset.LOWER_BETWEEN: _problem_lower_between,
    Charset.NO_SLASH: _problem_slash,
    Charset.HYPHENATED: _problem_hyphenated,
}
