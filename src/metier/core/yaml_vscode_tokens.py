"""The tokens that VS Code's own small YAML parser makes of a header.

It never complains: what it cannot place is a plain text. Only a character that Unicode
does not have ends it.
"""

from __future__ import annotations

import re
from enum import Enum
from itertools import islice
from typing import NamedTuple

from metier.core.nodes import Style, YamlError
from metier.core.yaml_escapes import join_surrogates
from metier.core.yaml_vscode_scalars import Chomping, fold_lines, parse_js_hex


class Type(Enum):
    """What a token is."""

    SCALAR = "scalar"
    COLON = ":"
    DASH = "-"
    COMMA = ","
    MAP_START = "{"
    MAP_END = "}"
    LIST_START = "["
    LIST_END = "]"
    LINE_END = "line-end"
    INDENT = "indent"
    COMMENT = "#"
    DOCUMENT_START = "---"
    DOCUMENT_END = "..."
    END = "end"


class Token(NamedTuple):
    """A piece of the header; `text` and `style` are those of a scalar."""

    type: Type
    start: int
    end: int
    text: str = ""
    style: Style = Style.PLAIN


_LAYOUT = frozenset((Type.LINE_END, Type.COMMENT, Type.INDENT))
_FLOW_SIGNS = {
    "}": Type.MAP_END,
    "]": Type.LIST_END,
    ",": Type.COMMA,
}
_OPENERS = {"{": Type.MAP_START, "[": Type.LIST_START}
_SPACES = " \t"
_BREAKS = ("\r", "\n")
# What ends a word: a blank, the end of the line or of the text.
_GAPS = ("", " ", "\t", "\n", "\r")
_BREAK = re.compile(r"\r\n|\r|\n")
_BLANKS = re.compile(r"[ \t]*")
_LINE = re.compile(r"[^\r\n]*")
_MARKER = re.compile(r"(?:---|\.\.\.)(?=[ \t\r\n]|\Z)")
_BLOCK_HEAD = re.compile(r"[|>][1-9+\-]*[ \t]*(?=[\r\n#]|\Z)")


# What stands behind the line that starts the second one is not looked at.
_MAX_DOCUMENTS = 2


def scan_tokens(text: str) -> list[Token]:
    """The tokens of `text`, with one of the type `END` behind them."""
    scanner = _Scanner(text)
    while scanner.at < len(text) and scanner.documents < _MAX_DOCUMENTS:
        scanner.line()
    scanner.add(Type.END, scanner.at)
    return scanner.tokens


class _Scanner:
    """Where the scan stands, how deep in brackets, and what it has found."""

    __slots__ = ("at", "depth", "documents", "has_colon", "text", "tokens")

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[Token] = []
        self.at = 0
        self.depth = 0
        self.documents = 0
        self.has_colon = False

    def add(self, kind: Type, start: int) -> None:
        self.tokens.append(Token(kind, start, self.at))

    def scalar(self, start: int, text: str, style: Style) -> None:
        self.tokens.append(Token(Type.SCALAR, start, self.at, text, style))

    def here(self) -> str:
        """The next character, nothing at the end."""
        return self.text[self.at : self.at + 1]

    def is_at_line_end(self) -> bool:
        return self.here() in ("", "\n", "\r")

    def skip(self, pattern: re.Pattern[str]) -> bool:
        """Whether `pattern` stands here; then it is behind us."""
        found = pattern.match(self.text, self.at)
        if found is None:
            return False
        self.at = found.end()
        return True

    def line(self) -> None:
        """Everything up to the end of a line, or of what goes on below it."""
        self.has_colon = False
        start = self.at
        self.skip(_BLANKS)
        if self.at > start:
            self.add(Type.INDENT, start)
        if not self.is_at_line_end():
            self._filled_line(is_indented=self.at > start)
        self._line_end()

    def _filled_line(self, *, is_indented: bool) -> None:
        marker = None if is_indented else _MARKER.match(self.text, self.at)
        is_start = marker is not None and marker[0] == "---"
        if marker:
            self.at = marker.end()
            kind = Type.DOCUMENT_START if is_start else Type.DOCUMENT_END
            self.add(kind, marker.start())
        elif self.here() == "%":  # a directive
            self.skip(_LINE)
        self._content()
        self.documents += is_start

    def _line_end(self) -> None:
        start = self.at
        if self.skip(_BREAK):
            self.add(Type.LINE_END, start)

    def _content(self) -> None:
        while True:
            self.skip(_BLANKS)
            if self.is_at_line_end():
                return
            sign = self.here()
            if sign == "#":
                start = self.at
                self.skip(_LINE)
                self.add(Type.COMMENT, start)
                return
            if sign in "|>" and self._is_block():
                self._block(sign)
                # The lines behind it start anew.
                return
            self._piece(sign)

    def _piece(self, sign: str) -> None:
        kind = self._sign(sign)
        if kind is not None:
            self.at += 1
            self.add(kind, self.at - 1)
        elif sign in "'\"":
            self._quoted(sign)
        else:
            self._plain()

    def _sign(self, sign: str) -> Type | None:
        """What `sign` is here, where it is no text."""
        if sign in _OPENERS:
            self.depth += 1
            return _OPENERS[sign]
        if sign in _FLOW_SIGNS and self.depth > 0:
            self.depth -= sign != ","
            return _FLOW_SIGNS[sign]
        if sign == "-" and self._behind() in _GAPS:
            return Type.DASH
        if sign == ":" and self._is_colon():
            self.has_colon = self.has_colon or self.depth == 0
            return Type.COLON
        if sign == ":" and self.depth > 0 and self._follows_closed():
            return Type.COLON
        return None

    def _behind(self) -> str:
        return self.text[self.at + 1 : self.at + 2]

    def _is_colon(self) -> bool:
        """Whether a colon here stands between a key and its value."""
        if self.has_colon and self.depth == 0:
            return False  # a line has one such, the next ones are text
        behind = self._behind()
        return behind in _GAPS or (self.depth > 0 and behind in ",}]")

    def _follows_closed(self) -> bool:
        """Whether what stands before is quoted, or closed by a bracket."""
        for token in reversed(self.tokens):
            if token.type not in _LAYOUT:
                is_quoted = token.type is Type.SCALAR and token.style is not Style.PLAIN
                return is_quoted or token.type in (Type.MAP_END, Type.LIST_END)
        return False  # pragma: no cover - within brackets there is their opener

    # --- plain texts ----------------------------------------------------------------

    def _plain(self) -> None:
        start = end = self.at
        while not self.is_at_line_end():
            sign = self.here()
            if self._ends_plain(sign, start):
                break
            self.at += 1
            if sign not in _SPACES:
                end = self.at
        self.tokens.append(Token(Type.SCALAR, start, end, self.text[start:end]))

    def _ends_plain(self, sign: str, start: int) -> bool:
        if sign == ":":
            return self._is_colon()
        if sign == "#":
            return self.at > start and self.text[self.at - 1] in _SPACES
        return self.depth > 0 and sign in ",{}[]"

    # --- quoted texts ---------------------------------------------------------------

    def _quoted(self, quote: str) -> None:
        start = self.at
        self.at += 1
        self.scalar(
            start,
            self._single() if quote == "'" else join_surrogates(self._double()),
            Style.SINGLE if quote == "'" else Style.DOUBLE,
        )

    def _single(self) -> str:
        parts: list[str] = []
        while sign := self.here():
            if sign == "'":
                self.at += 1
                if self.here() != "'":
                    break
                self.at += 1
                parts.append("'")
            else:
                self._literal(parts, _SINGLE_RUN)
        return "".join(parts)

    def _double(self) -> str:
        parts: list[str] = []
        while sign := self.here():
            if sign == '"':
                self.at += 1
                break
            if sign == "\\":
                parts.append(self._escape())
            else:
                self._literal(parts, _DOUBLE_RUN)
        return "".join(parts)

    def _literal(self, parts: list[str], run: re.Pattern[str]) -> None:
        """What stands there as it is: a run of text, or a fold."""
        if self.here() in _BREAKS:
            parts.append(self._fold())
            return
        start = self.at
        self.skip(run)
        text = self.text[start : self.at]
        # Blanks before the end of a line go, escaped ones stay.
        parts.append(text.rstrip(_SPACES) if self.here() in _BREAKS else text)

    def _fold(self) -> str:
        """The end of a line: a blank, or as many line feeds as lines are empty."""
        empty = -1
        while self.skip(_BREAK):
            empty += 1
            self.skip(_BLANKS)
        return "\n" * empty or " "

    def _escape(self) -> str:
        sign = self._behind()
        if sign in _BREAKS:
            self.at += 1
            self.skip(_BREAK)
            self.skip(_BLANKS)
            return ""
        if sign in _HEX_DIGITS:
            return self._coded(sign)
        self.at += 2
        return _ESCAPES.get(sign, f"\\{sign}")

    def _coded(self, sign: str) -> str:
        start, size = self.at + 2, _HEX_DIGITS[sign]
        digits = self.text[start : start + size]
        code = parse_js_hex(digits)
        self.at = start
        if len(digits) < size or code is None:
            return f"\\{sign}"
        self.at += size
        if sign == "x":
            return chr(code % 0x10000)
        if not 0 <= code < 0x110000:
            raise YamlError(f"there is no character {digits}", start)
        return chr(code)

    # --- blocks ---------------------------------------------------------------------

    def _is_block(self) -> bool:
        return self.depth == 0 and _BLOCK_HEAD.match(self.text, self.at) is not None

    def _block(self, sign: str) -> None:
        start = self.at
        digit, chomping = self._block_head()
        parent = self._parent_indent()
        lines, empty = self._block_lines(parent, parent + digit if digit else 0)
        text = "\n".join(lines) if sign == "|" else fold_lines(lines)
        text = chomping.apply(text, empty, has_content=any(lines))
        self.scalar(start, text, Style.LITERAL if sign == "|" else Style.FOLDED)

    def _block_head(self) -> tuple[int, Chomping]:
        """The digit and the sign behind `|`; the rest of the line does not count."""
        digit, chomping = 0, Chomping.CLIP
        self.at += 1
        for _ in range(2):
            sign = self.here()
            if sign.isdigit() and sign != "0" and not digit:
                digit = int(sign)
            elif sign in _CHOMPINGS and chomping is Chomping.CLIP:
                chomping = _CHOMPINGS[sign]
            else:
                continue
            self.at += 1
        self.skip(_BLANKS)
        if self.here() == "#":
            self.skip(_LINE)
        self.skip(_BREAK)
        return digit, chomping

    def _block_lines(self, parent: int, indent: int) -> tuple[list[str], int]:
        """The lines of a block, and how many of the last ones are empty."""
        lines: list[str] = []
        empty = 0
        while self.at < len(self.text):
            start = self.at
            self.skip(_SPACE_RUN)
            width = self.at - start
            if self.is_at_line_end():
                kept = self.text[start + indent : self.at] if indent else ""
                lines.append(kept)
                empty = 0 if kept else empty + 1
                self.skip(_BREAK)
                continue
            is_marker = width == 0 and _MARKER.match(self.text, self.at)
            indent = indent or (width if width > parent else 0)
            if is_marker or width < indent or (not indent and width <= parent):
                self.at = start
                break
            self.skip(_LINE)
            lines.append(self.text[start + indent : self.at])
            empty = 0
            self.skip(_BREAK)
        return lines, empty

    def _parent_indent(self) -> int:
        """Where the key or the dash stands that the block belongs to."""
        told = (each for each in reversed(self.tokens) if each.type not in _LAYOUT)
        found = tuple(islice(told, 2))
        last = found[0].type if found else None
        if last is Type.COLON:
            return self._column(found[1].start) if len(found) > 1 else 0
        if last is Type.DASH:
            return self._column(found[0].start)
        return -1 if last is Type.DOCUMENT_START else 0

    def _column(self, at: int) -> int:
        line = max(self.text.rfind(sign, 0, at) for sign in _BREAKS)
        return at - line - 1


_SPACE_RUN = re.compile(" *")
_SINGLE_RUN = re.compile(r"[^'\r\n]*")
_DOUBLE_RUN = re.compile(r'[^"\\\r\n]*')
_CHOMPINGS = {"-": Chomping.STRIP, "+": Chomping.KEEP}
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}
_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "\\": "\\",
    '"': '"',
    "/": "/",
    "r": "\r",
    "0": "\0",
    "a": "\x07",
    "b": "\b",
    "e": "\x1b",
    "v": "\v",
    "f": "\f",
    " ": " ",
    "_": "\xa0",
}
