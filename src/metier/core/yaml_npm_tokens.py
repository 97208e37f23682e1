"""The tokens of npm's `yaml`, version 2.

It cuts a text into tokens before it knows what they mean: how deep a line is indented
and whether brackets are open is all that decides. So an indicator is one wherever a
blank follows it, and a quoted text ends where its lines stop being indented. Those
traits decide which headers load, so they are kept.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple, NoReturn, Protocol

from metier.core.nodes import YamlError
from metier.core.text import BYTE_ORDER_MARK


class TokenKind(Enum):
    """What a token is."""

    SPACE = "space"
    COMMENT = "comment"
    NEWLINE = "newline"
    DIRECTIVE = "directive"
    DOCUMENT = "document"  # takes no room: content follows without a `---`
    DOCUMENT_START = "---"
    DOCUMENT_END = "..."
    ITEM = "-"
    ASKED = "?"
    COLON = ":"
    COMMA = ","
    OPENER = "opening bracket"
    CLOSER = "closing bracket"
    ANCHOR = "anchor"
    TAG = "tag"
    ALIAS = "alias"
    PLAIN = "plain text"
    SINGLE = "text in single quotes"
    DOUBLE = "text in double quotes"
    BLOCK = "block of text"


class Token(NamedTuple):
    """A piece of the text; `indent` is how deep its line is indented before it.

    The text of a block is its header, its lines are in `body`.
    """

    kind: TokenKind
    text: str
    start: int
    end: int
    indent: int
    body: str = ""


INDICATORS = {
    "-": TokenKind.ITEM,
    "?": TokenKind.ASKED,
    ":": TokenKind.COLON,
}
_INDENTING = frozenset(INDICATORS.values())
_QUOTES = {"'": TokenKind.SINGLE, '"': TokenKind.DOUBLE}
_MARKS = ",[]{}"
_SEPARATORS = {"---": TokenKind.DOCUMENT_START, "...": TokenKind.DOCUMENT_END}

_SPACES = re.compile(r" *")
_BLANKS = re.compile(r"[ \t]*")
_NAME = re.compile(r"[^ ,\[\]{}\n\r\t]*")
_TAG = re.compile(
    r"!<[^ \n\r\t>]*>?|!(?:[-#;/?:@&=+$_.!~*'()\w]|%[0-9a-fA-F]{2})*", re.ASCII
)
_EMPTY = re.compile(r"[ \t\r\n]*")
_BREAK = re.compile(r"\r?\n")
_HEADER = re.compile(r"[|>][^ \n\r\t#]*")
_DIGITS = re.compile(r"[1-9]")
_DIRECTIVE_END = re.compile(r"(?<![ \t])[ \t]++(?:#|\Z)")
_CLOSED = {
    "'": re.compile(r"'[^']*+(?>(?:''[^']*+)*)'"),
    '"': re.compile(r'"[^"\\]*+(?>(?:\\.[^"\\]*+)*)"', re.DOTALL),
}
_MORE_PLAIN = re.compile(r"[^: \t\r\n]+")
_MORE_FLOW = re.compile(r"[^: \t\r\n,\[\]{}]+")


def is_empty(char: str) -> bool:
    """Whether `char` ends a word; the end of the text, "", does."""
    return char in " \n\r\t"


def scan_tokens(text: str) -> list[Token]:
    """The tokens of `text`; raises `YamlError` for what is none."""
    scanner = _Scanner(text)
    state: _State | None = scanner.stream
    while state is not None and scanner.pos < len(text):
        state = state()
    return scanner.tokens


class _State(Protocol):
    """Scans a little, and says what is next."""

    def __call__(self) -> _State: ...


class _Scanner:
    """A place in the text, and how deep what follows has to be indented."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0
        self.tokens: list[Token] = []
        self._least = 0  # what a line needs to belong to the text before it
        self._indent = 0  # of this line, with the indicators at its start
        self._brackets = 0
        self._after_key = False  # whether a `:` in brackets needs no blank
        # What is told of a token: only what starts a line indents.
        self._told_indent = 0
        self._starts_line = True

    # --- pieces ---------------------------------------------------------------------

    def _char(self, ahead: int = 0) -> str:
        at = self.pos + ahead
        return self.text[at : at + 1]

    def _push(self, kind: TokenKind, end: int, body: str = "") -> int:
        """Hand out the text up to `end`; how long it is."""
        start = self.pos
        text = self.text[start:end]
        self.tokens.append(Token(kind, text, start, end, self._told_indent, body))
        self.pos = end
        if kind is TokenKind.NEWLINE:
            self._starts_line, self._told_indent = True, 0
        elif kind is TokenKind.SPACE:
            if self._starts_line and text[0] == " ":
                self._told_indent += len(text)
        elif kind in _INDENTING:
            self._told_indent += self._starts_line
        elif kind is not TokenKind.DOCUMENT:
            self._starts_line = False
        return end - start

    def _space(self, run: re.Pattern[str] = _BLANKS) -> int:
        end = self._end_of(run)
        return self._push(TokenKind.SPACE, end) if end > self.pos else 0

    def _newline(self) -> bool:
        size = self._break_size()
        if size:
            self._push(TokenKind.NEWLINE, self.pos + size)
        return size > 0

    def _break_size(self) -> int:
        return self._skip(_BREAK, self.pos) - self.pos

    def _skip(self, run: re.Pattern[str], at: int) -> int:
        found = run.match(self.text, at)
        return found.end() if found else at

    def _end_of(self, run: re.Pattern[str]) -> int:
        return self._skip(run, self.pos)

    def _line_end(self) -> int:
        end = self.text.find("\n", self.pos)
        if end < 0:
            return len(self.text)
        return end - (end > self.pos and self.text[end - 1] == "\r")

    def _fail(self, problem: str) -> NoReturn:
        raise YamlError(problem, self.pos)

    # --- states ---------------------------------------------------------------------

    def stream(self) -> _State:
        """Between documents."""
        if self._char() == BYTE_ORDER_MARK:
            self.pos += 1
            self._starts_line = False
        end = self._line_end()
        if self._char() == "%":
            self._push(TokenKind.DIRECTIVE, self._directive_end(end))
            self._comment(end)
            return self.stream
        if self._at_line_end():
            self._comment(end)
            self._newline()
            return self.stream
        self._push(TokenKind.DOCUMENT, self.pos)
        return self._line()

    def _directive_end(self, line_end: int) -> int:
        found = _DIRECTIVE_END.search(self.text[self.pos : line_end])
        return self.pos + found.start() if found else line_end

    def _at_line_end(self) -> bool:
        at = self._end_of(_BLANKS)
        rest = self.text[at : at + 2]
        return rest[:1] in "#\n" or rest == "\r\n"

    def _comment(self, line_end: int) -> None:
        """What is left of a line, where that is blanks and a comment."""
        self._space()
        if self.pos < line_end:
            self._push(TokenKind.COMMENT, line_end)

    def _line(self) -> _State:
        """The start of a line in a document."""
        separator = _SEPARATORS.get(self.text[self.pos : self.pos + 3])
        if separator and is_empty(self._char(3)):
            self._push(separator, self.pos + 3)
            self._indent = self._least = 0
            is_start = separator is TokenKind.DOCUMENT_START
            return self._document if is_start else self.stream
        self._indent = self._space(_SPACES)
        if self._least > self._indent and not is_empty(self._char(1)):
            self._least = self._indent
        return self._block()

    def _block(self) -> _State:
        """Where an indicator counts as indentation."""
        kind = INDICATORS.get(self._char())
        if kind is None or not is_empty(self._char(1)):
            return self._document
        size = self._push(kind, self.pos + 1) + self._space()
        self._least = self._indent + 1
        self._indent += size
        return self._block

    def _document(self) -> _State:
        self._space()
        end = self._line_end()
        self._properties()
        match self._char() if self.pos < end else "":
            case "" | "#":
                self._comment(end)
                self._newline()
                return self._line()
            case "{" | "[":
                self._push(TokenKind.OPENER, self.pos + 1)
                self._after_key, self._brackets = False, 1
                return self._flow
            case "*":
                self._push(TokenKind.ALIAS, self._end_of(_NAME))
                return self._document
            case "'" | '"':
                return self._quoted()
            case "|" | ">":
                return self._block_text()
            case "}" | "]":
                return self._fail("found a closing bracket that nothing opened")
            case _:
                return self._plain()

    def _properties(self) -> None:
        """Tags, anchors, and indicators that are not at the start of their line."""
        while True:
            char = self._char()
            if char == "!":
                self._push(TokenKind.TAG, self._end_of(_TAG))
            elif char == "&":
                self._push(TokenKind.ANCHOR, self._end_of(_NAME))
            elif char in INDICATORS and self._ends_indicator(self._char(1)):
                if not self._brackets:
                    self._least = self._indent + 1
                self._after_key = False
                self._push(INDICATORS[char], self.pos + 1)
            else:
                return
            self._space()

    def _ends_indicator(self, char: str) -> bool:
        return is_empty(char) or (self._brackets > 0 and char in _MARKS)

    def _flow(self) -> _State:
        """Within brackets."""
        self._flow_space()
        while self._char() == ",":
            self._push(TokenKind.COMMA, self.pos + 1)
            self._space()
            self._after_key = False
        end = self._line_end()
        self._properties()
        match self._char() if self.pos < end else "":
            case "":
                return self._flow
            case "#":
                self._push(TokenKind.COMMENT, end)
                return self._flow
            case "{" | "[" | "}" | "]" as char:
                return self._bracket(char)
            case "*":
                self._push(TokenKind.ALIAS, self._end_of(_NAME))
                return self._flow
            case "'" | '"':
                self._after_key = True
                return self._quoted()
            case ":" if self._after_key or self._char(1) == ",":
                self._after_key = False
                self._push(TokenKind.COLON, self.pos + 1)
                self._space()
                return self._flow
            case _:
                self._after_key = False
                return self._plain()

    def _flow_space(self) -> None:
        indent = -1
        while True:
            has_moved = self._newline()
            if has_moved:
                self._indent = indent = self._space(_SPACES)
            if not (has_moved or self._space()):
                break
        if indent < 0:
            return
        line = self.text[self.pos : self.pos + 4]
        is_out = indent < self._least and line[:1] != "#"
        is_end = indent == 0 and line[:3] in _SEPARATORS and is_empty(line[3:])
        closes = line[:1] in ("]", "}") and self._brackets == 1
        if (is_out or is_end) and not (closes and indent == self._least - 1):
            self._fail("what stands in brackets has to be indented")

    def _bracket(self, char: str) -> _State:
        opens = char in "{["
        self._push(TokenKind.OPENER if opens else TokenKind.CLOSER, self.pos + 1)
        self._after_key = not opens
        self._brackets += 1 if opens else -1
        return self._flow if self._brackets else self._document

    # --- texts ----------------------------------------------------------------------

    def _after_text(self) -> _State:
        return self._flow if self._brackets else self._document

    def _goes_on(self, at: int) -> int:
        """Where the line at `at` starts if it belongs to the text before, else -1."""
        text = self.text
        if self._least <= 0:
            is_separator = text[at : at + 3] in _SEPARATORS
            return -1 if is_separator and is_empty(text[at + 3 : at + 4]) else at
        start = self._skip(_SPACES, at)
        if text.startswith("\r\n", start):
            return start + 1
        is_in = text.startswith("\n", start) or start - at >= self._least
        return start if is_in else -1

    def _quoted(self) -> _State:
        quote = self._char()
        closed = _CLOSED[quote].match(self.text, self.pos)
        end = closed.end() if closed else len(self.text)
        at = self.text.find("\n", self.pos, end - 1) if closed else -1
        while at >= 0:
            start = self._goes_on(at + 1)
            if start < 0:
                end = at - (self.text[at - 1] == "\r")
                break
            at = self.text.find("\n", start, end - 1)
        self._push(_QUOTES[quote], end)
        return self._after_text()

    def _plain(self) -> _State:
        text = self.text
        run = _MORE_FLOW if self._brackets else _MORE_PLAIN
        at = end = self.pos
        while True:
            found = run.match(text, at)
            if found:
                at = end = found.end()
            char = text[at : at + 1]
            if char == ":" and not self._ends_indicator(text[at + 1 : at + 2]):
                at = end = at + 1
            elif char and is_empty(char):
                if char == "\r" and not text.startswith("\n", at + 1):
                    end = at + 1
                at = self._past_blank(at)
                if at < 0:
                    break
            else:
                break
        self._push(TokenKind.PLAIN, end)
        return self._after_text()

    def _past_blank(self, at: int) -> int:
        """Behind the blank or the line end at `at`; -1 where the text ends here."""
        text = self.text
        at += text.startswith("\r\n", at)
        following = text[at + 1 : at + 2]
        if following == "#" or (self._brackets and following and following in _MARKS):
            return -1
        if text[at] != "\n":
            return at + 1
        start = self._goes_on(at + 1)
        # One back: a `#` behind a blank ends the text.
        return -1 if start < 0 else max(at + 1, start - 1)

    def _block_text(self) -> _State:
        start, header_end = self.pos, self._end_of(_HEADER)
        header = self.text[start:header_end]
        lines = self._header_line_end(header_end)
        end = self._block_end(header, lines)
        body = self.text[lines:end]
        indent = self._told_indent
        self.tokens.append(Token(TokenKind.BLOCK, header, start, end, indent, body))
        self.pos = end
        self._starts_line, self._told_indent = True, 0
        return self._line()

    def _header_line_end(self, header_end: int) -> int:
        """Behind the line of a header, on which only a comment may follow."""
        self.pos = header_end
        end = self._line_end()
        rest = self.text[header_end:end]
        if rest.lstrip(" \t")[:1] not in ("", "#") or rest[:1] == "#":
            self._fail("expected a line break after the header of a block scalar")
        self.pos = end
        return end + self._break_size()

    def _block_end(self, header: str, lines: int) -> int:
        """Where the lines of a block end that start at `lines`."""
        line, indent = self._first_line(lines)
        if indent >= self._least:
            digits = _DIGITS.findall(header)
            self._least = int(digits[-1]) - 1 + (self._least or 1) if digits else indent
            line = self._lines_end(line)
        at = self._skip(_SPACES, line)
        if self.text.startswith("\t", at):
            # An error, which only shows when the text is read.
            return self._skip(_EMPTY, at)
        return line if "+" in header else self._without_blanks(lines, line, indent)

    def _first_line(self, at: int) -> tuple[int, int]:
        """Where the first line that is not blank starts, and its indentation."""
        while True:
            start = self._skip(_SPACES, at)
            found = _BREAK.match(self.text, start)
            if found is None:
                return at, start - at
            at = found.end()

    def _lines_end(self, at: int) -> int:
        while (start := self._goes_on(at)) >= 0:
            found = self.text.find("\n", start)
            if found < 0:
                return len(self.text)
            at = found + 1
        return at

    def _without_blanks(self, start: int, end: int, indent: int) -> int:
        """`end` without the lines before it that hold `indent` spaces at most."""
        text = self.text
        while True:
            last = end - text.endswith("\n", start, end)
            last -= text.endswith("\r", start, last)
            line = text.rfind("\n", start, last) + 1
            if not line or last - line > indent or text[line:last].strip(" "):
                return end
            end = line
