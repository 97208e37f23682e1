"""The envelope around a skill that was handed over: closed by nothing inside of it.

What stands inside can be read back exactly: a sign that is written in another way says
how often that was done to it.
"""

from __future__ import annotations

import re


def close_proof(text: str, tag: str) -> str:
    """`text` with every `</tag` defused, so that it cannot end its own envelope.

    `<` becomes `&lt;`, and a `&lt;` in that place `&amp;lt;`. `reopen` undoes it.
    """
    if not tag:
        return text
    return _escape(text, rf"(<)(?={_rest_of(tag)})|&((?:amp;)*lt;)(?={_rest_of(tag)})")


def reopen(text: str, tag: str) -> str:
    """What `close_proof` was given."""
    if not tag:
        return text
    return _unescape(text, rf"&(amp;)?((?:amp;)*lt;)(?={_rest_of(tag)})", "<")


def on_one_line(text: str) -> str:
    """`text` with its line feeds written `&#10;`; `on_its_lines` undoes it."""
    return _escape(text, r"(\n)|&((?:amp;)*#10;)")


def on_its_lines(text: str) -> str:
    """What `on_one_line` was given."""
    return _unescape(text, r"&(amp;)?((?:amp;)*#10;)", "\n")


_WRITTEN = {"<": "&lt;", "\n": "&#10;"}


def _rest_of(tag: str) -> str:
    return rf"\s*/\s*{tag}\b"


def _escape(text: str, pattern: str) -> str:
    def write(found: re.Match[str]) -> str:
        return _WRITTEN[found[1]] if found[1] else f"&amp;{found[2]}"

    return re.sub(pattern, write, text, flags=re.IGNORECASE)


def _unescape(text: str, pattern: str, sign: str) -> str:
    def read(found: re.Match[str]) -> str:
        return f"&{found[2]}" if found[1] else sign

    return re.sub(pattern, read, text, flags=re.IGNORECASE)
