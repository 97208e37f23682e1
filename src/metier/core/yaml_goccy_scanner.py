"""The scanner of goccy/go-yaml: a text to tokens, one character at a time.

What a character means depends on what was read before it: the column of the last key
or dash, whether a scalar was begun, the indent of the line. The states are the
library's own, for it is their corners that make it differ from other readers.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from metier.core.nodes import YamlError
from metier.core.yaml_goccy_blocks import Block, is_header
from metier.core.yaml_goccy_quotes import Place, scan_quoted
from metier.core.yaml_goccy_state import State
from metier.core.yaml_goccy_tokens import Token, Type

_QUOTES = (Type.SINGLE_QUOTE, Type.DOUBLE_QUOTE)
_MERGE = re.compile(r"<<(?!<)[ :]*:[ \n]")
_TAG_END = re.compile(r"[ \n{}]")
_FLOW_TAG_END = re.compile(r"[ \n{},]")


def scan_goccy(text: str) -> list[Token]:
    """The tokens of `text`, comments left out; raises `YamlError`."""
    tokens = _Scanner(text).scan()
    return [token for token in tokens if token.type is not Type.COMMENT]


class _Scanner(State):
    """A reader for each sign says whether it has dealt with it."""

    __slots__ = ()

    def scan(self) -> list[Token]:
        while self.index < self.size:
            char = self.text[self.index]
            self.see_indent(char)
            if self.is_down:
                self.end_scalar()
            if self.block is not None and not self.end_block_if_down():
                self.read_block(self.block, char)
                continue
            reader = _READERS.get(char)
            if reader is None or not reader(self):
                self.buffer.add(char)
                self.buffer.add_origin(char)
                self.step()
        self.end_scalar()
        return self.tokens

    def read_block_header(self) -> bool:
        if self.is_begun():
            return False
        sign = self.text[self.index]
        self.index += 1
        line_end = self.text.find("\n", self.index)
        # Without a line break behind it the last sign is not looked at.
        end = line_end if line_end >= 0 else max(self.size - 1, self.index)
        value = self.text[self.index : end].rstrip(" ")
        comment = value.find("#")
        option = (value[:comment] if comment > 0 else value).rstrip(" \t")
        if not is_header(option):
            raise YamlError("invalid header of a block scalar", self.index)
        if self.column == 1:
            self.delimiter = 1
        self.add(Type.LITERAL if sign == "|" else Type.FOLDED, sign + option)
        self.block = Block(option, is_literal=sign == "|")
        self.block.set_indent(self.delimiter)
        if comment >= 0:
            self.add(Type.COMMENT, "", self.column + comment + 1)
        self.is_up = self.is_down = False
        self.buffer.reset()
        self.index = end
        self.next_line()
        return True

    def read_line_break(self) -> bool:
        buffer = self.buffer
        if buffer.size > 0 and self.saved is None:
            self.saved = (self.line, self.column - buffer.solid)
        buffer.drop_blanks()
        if self.index >= self.size - 1 or self.is_name or self.is_directive:
            self.end_scalar()
        if self.is_begun() and self.is_line_start:
            if buffer.last() == " ":
                buffer.text[buffer.size - 1] = "\n"
            else:
                buffer.put("\n")
        else:
            buffer.add(" ")
        buffer.add_origin("\n")
        self.next_line()
        return True

    def read_blank(self) -> bool:
        if self.is_line_start:
            self.step()
            self.buffer.add_origin(" ")
            return True
        if self.is_directive:
            self.end_scalar()
            self.step()
            self.buffer.add_origin(" ")
            return True
        if self.is_name:
            self.end_scalar()
            self.is_name = False
            return True  # the blank itself is looked at again
        return False

    def read_tab(self) -> bool:
        is_in_plain = self.is_begun() and self.delimiter == 0
        if is_in_plain or self.delimiter < self.column:
            # The library drops it, also within a text.
            self.indent += 1
            self.buffer.add_origin("\t")
            self.index += 1
            return True
        if self.is_line_start and not self.in_flow:
            raise YamlError("a tab cannot start any token", self.index)
        return False

    def read_quote(self) -> bool:
        if self.is_begun():
            return False
        place = Place(self.index, self.line, self.column)
        quoted = scan_quoted(self.text, place, self.delimiter)
        is_single = self.text[self.index] == "'"
        kind = Type.SINGLE_QUOTE if is_single else Type.DOUBLE_QUOTE
        origin = "".join((*self.buffer.origin, quoted.origin))
        end = min(quoted.place.at, self.size)
        self.tokens.append(
            Token(kind, quoted.value, origin, self.line, self.column, end)
        )
        if quoted.place.line > self.line:
            self.indent = 0
            self.is_line_start = True
            self.is_name = self.is_directive = False
        self.index, self.line, self.column = quoted.place
        self.clear()
        return True

    def read_comment(self) -> bool:
        before = self.text[self.index - 1 : self.index]
        if self.is_begun() and before not in (" ", "\t", "\n"):
            return False
        self.end_scalar()
        line_end = self.text.find("\n", self.index)
        self.add(Type.COMMENT, "")
        self.index = line_end if line_end >= 0 else self.size
        self.next_line()
        self.clear()
        return True

    def read_tag(self) -> bool:
        if self.is_begun() or self.is_directive:
            return False
        ends = _FLOW_TAG_END if self.in_flow else _TAG_END
        ended = ends.search(self.text, self.index + 1)
        if ended is None:
            # One that goes on to the end of the text is lost.
            self.index = self.size
            return True
        if ended[0] in "{}":
            raise YamlError("found invalid tag character", ended.start())
        value = self.text[self.index : ended.start()]
        self.add(Type.TAG, value)
        # A blank behind it is passed over, but not counted.
        self.index += len(value) + (ended[0] == " ")
        self.column += len(value) - (ended[0] != " ")
        self.clear()
        return True

    def read_colon(self) -> bool:
        if self.is_directive or self.is_name or not self._is_value_sign():
            return False
        origin = "".join(self.buffer.origin[:2]).removeprefix(" ")
        is_tab = self.buffer.size > 0 and self.buffer.text[0] == "\t"
        if origin[:1] == "\t" and not is_tab:
            raise YamlError("a tab cannot stand before a key", self.index)
        key = self.end_scalar()
        if key is not None:
            self.delimiter = key.column
        elif self.tokens and self.tokens[-1].type in _QUOTES:
            self.delimiter = self.tokens[-1].column
        self.buffer.origin.clear()
        self.add(Type.MAPPING_VALUE, ":")
        self.step()
        self.clear()
        return True

    def _is_value_sign(self) -> bool:
        following = self.following()
        if self.flow_maps <= 0:
            return following in ("", " ", "\t", "\n")
        last = self.tokens[-1] if self.tokens else None
        is_second = last is not None and last.type is Type.MAPPING_VALUE
        return following != "/" and not is_second

    def read_dash(self) -> bool:
        if self._read_document_sign("-", Type.DOCUMENT_HEADER):
            return True
        if self.is_begun() and self.is_up:
            self.block = Block(is_raw=True)
            self.block.see_column(self.column)
            self.buffer.add("-")
            self.buffer.add_origin("-")
            self.step()
            return True
        if self.is_begun() or self.following() not in ("", " ", "\t", "\n", "\0"):
            return False
        if "".join(self.buffer.origin[:2]).removeprefix(" ")[:1] == "\t":
            raise YamlError("a tab cannot stand before a dash", self.index)
        self.delimiter = self.column
        return self.add_sign(Type.SEQUENCE_ENTRY, "-")

    def read_dot(self) -> bool:
        return self._read_document_sign(".", Type.DOCUMENT_END)

    def _read_document_sign(self, sign: str, kind: Type) -> bool:
        if self.indent or self.column != 1:
            return False
        following = self.text[self.index + 3 : self.index + 4]
        if not self.text.startswith(sign * 3, self.index) or following == sign:
            return False
        if sign == "-":
            if following not in ("", " ", "\t", "\n"):
                return False
            self.add_sign(kind, "---")
            self.delimiter = self.indent = 0
            return True
        return self.add_sign(kind, "...")

    def read_merge(self) -> bool:
        if not _MERGE.match(self.text, self.index):
            return False
        self.delimiter = self.column
        self.add(Type.MERGE_KEY, "<<")
        self.step(2)
        self.clear()
        return True

    def read_question(self) -> bool:
        if self.is_begun() or self.following() not in (" ", "\t"):
            return False
        self.delimiter = self.column
        self.add(Type.MAPPING_KEY, "?")
        self.step()
        self.clear()
        return True

    def read_percent(self) -> bool:
        if self.is_begun() or self.indent:
            return False
        self.add_sign(Type.DIRECTIVE, "%")
        self.is_directive = True
        return True

    def read_anchor(self) -> bool:
        return self._read_name(Type.ANCHOR)

    def read_alias(self) -> bool:
        return self._read_name(Type.ALIAS)

    def _read_name(self, kind: Type) -> bool:
        if self.is_begun():
            return False
        self.add_sign(kind, self.text[self.index])
        self.is_name = True
        return True

    def read_reserved(self) -> bool:
        if self.is_begun():
            return False
        raise YamlError("a reserved character cannot start a text", self.index)

    def open_list(self) -> bool:
        if self.is_begun() and not self.in_flow:
            return False
        self.flow_lists += 1
        return self.add_sign(Type.SEQUENCE_START, "[")

    def close_list(self) -> bool:
        if self.is_begun() and self.flow_lists <= 0:
            return False
        self.flow_lists -= 1
        return self.add_sign(Type.SEQUENCE_END, "]")

    def open_map(self) -> bool:
        if self.is_begun() and not self.in_flow:
            return False
        self.flow_maps += 1
        return self.add_sign(Type.MAPPING_START, "{")

    def close_map(self) -> bool:
        if self.flow_maps <= 0:
            return False
        self.flow_maps -= 1
        return self.add_sign(Type.MAPPING_END, "}")

    def read_comma(self) -> bool:
        return self.in_flow and self.add_sign(Type.COLLECT_ENTRY, ",")


_READERS: dict[str, Callable[[_Scanner], bool]] = {
    "\n": _Scanner.read_line_break,
    " ": _Scanner.read_blank,
    "\t": _Scanner.read_tab,
    "'": _Scanner.read_quote,
    '"': _Scanner.read_quote,
    "#": _Scanner.read_comment,
    "!": _Scanner.read_tag,
    ":": _Scanner.read_colon,
    "-": _Scanner.read_dash,
    ".": _Scanner.read_dot,
    "<": _Scanner.read_merge,
    "?": _Scanner.read_question,
    "%": _Scanner.read_percent,
    "&": _Scanner.read_anchor,
    "*": _Scanner.read_alias,
    "@": _Scanner.read_reserved,
    "`": _Scanner.read_reserved,
    "|": _Scanner.read_block_header,
    ">": _Scanner.read_block_header,
    "[": _Scanner.open_list,
    "]": _Scanner.close_list,
    "{": _Scanner.open_map,
    "}": _Scanner.close_map,
    ",": _Scanner.read_comma,
}
