"""What the scanner of goccy/go-yaml knows as it reads: a place, a scalar, a block."""

from __future__ import annotations

from metier.core.nodes import YamlError
from metier.core.yaml_goccy_blocks import Block, BlockError, Buffer
from metier.core.yaml_goccy_quotes import is_document_marker
from metier.core.yaml_goccy_tokens import RESERVED_TAGS, Token, Type, type_of_plain


class State:
    """Where the scanner stands, what it has begun, and the tokens so far."""

    __slots__ = (
        "block",
        "buffer",
        "column",
        "delimiter",
        "flow_lists",
        "flow_maps",
        "indent",
        "index",
        "is_directive",
        "is_down",
        "is_line_start",
        "is_name",
        "is_up",
        "line",
        "saved",
        "size",
        "text",
        "tokens",
    )

    def __init__(self, text: str) -> None:
        self.text = text
        self.size = len(text)
        self.tokens: list[Token] = []
        self.buffer = Buffer()
        self.block: Block | None = None
        self.saved: tuple[int, int] | None = None  # where a plain scalar began
        self.index: int = 0
        self.line: int = 1
        self.column: int = 1
        self.indent: int = 0
        self.delimiter: int = 0  # the column of the last key or dash
        self.flow_lists: int = 0
        self.flow_maps: int = 0
        self.is_line_start = True
        self.is_name = self.is_directive = self.is_up = self.is_down = False

    def step(self, count: int = 1) -> None:
        """Go on within the line."""
        self.index += count
        self.column += count

    def next_line(self) -> None:
        """Go on behind a line break."""
        self.index += 1
        self.line += 1
        self.column = 1
        self.indent = 0
        self.is_line_start = True
        self.is_name = self.is_directive = False

    def following(self) -> str:
        """The next character, nothing at the end."""
        return self.text[self.index + 1 : self.index + 2]

    def see_indent(self, char: str) -> None:
        """Compare the column of the first sign in a line with the last key's."""
        if not self.is_line_start:
            self.is_up = self.is_down = False
        elif char == " ":
            self.indent += 1
        elif char not in "\n\t":
            if self.delimiter:
                self.is_up = self.delimiter < self.column
                self.is_down = not self.is_up
            self.is_line_start = False

    @property
    def in_flow(self) -> bool:
        """Whether a bracket is open."""
        return self.flow_lists > 0 or self.flow_maps > 0

    # --- tokens ------------------------------------------------------------------

    def add(self, kind: Type, value: str, column: int | None = None) -> None:
        """A token here."""
        column = self.column if column is None else column
        origin = "".join(self.buffer.origin)
        end = min(self.index + len(value), self.size)
        self.tokens.append(Token(kind, value, origin, self.line, column, end))

    def add_sign(self, kind: Type, sign: str) -> bool:
        """A token that is one sign, and whatever was begun before it."""
        self.end_scalar()
        self.buffer.add_origin(sign)
        self.add(kind, sign)
        self.step(len(sign))
        self.clear()
        return True

    def clear(self) -> None:
        """Forget what was begun."""
        self.buffer.reset()
        self.block = None

    def is_begun(self) -> bool:
        """Whether a scalar was begun."""
        return self.buffer.solid > 0

    def end_scalar(self) -> Token | None:
        """Make a token of what was begun."""
        place = self.saved or self._place_of_buffer()
        self.saved = None
        if not self.index:
            return None
        value = self.buffer.written()
        if self.block is not None:
            value = self.block.chomp(value)
        if not value:
            self.buffer.size = 0
            return None
        kind = self._type_of(value)
        origin = "".join(self.buffer.origin)
        token = Token(kind, value, origin, *place, self.index)
        self.buffer.reset()
        self.tokens.append(token)
        return token

    def _place_of_buffer(self) -> tuple[int, int]:
        buffer = self.buffer
        if self.block is None:
            return self.line, self.column - buffer.size
        text, origin = "".join(buffer.text[: buffer.size]), "".join(buffer.origin)
        at = origin.find(text)
        column = len(origin[:at].encode("utf-8", "surrogatepass")) if at >= 0 else -1
        return self.line - text.count("\n"), column + 1

    def _type_of(self, value: str) -> Type:
        last = self.tokens[-1] if self.tokens else None
        is_tagged = last is not None and last.type is Type.TAG
        if self.block or (is_tagged and last and last.value not in RESERVED_TAGS):
            return Type.STRING
        return type_of_plain(value)

    # --- block scalars -----------------------------------------------------------

    def end_block_if_down(self) -> bool:
        if not self.is_down:
            return False
        last = self.tokens[-1]  # the header at least
        if last.column == 1:
            raise YamlError("could not find multi-line content", self.index)
        if last.type is not Type.STRING:
            self.add(Type.STRING, "")
        self.block = None
        return True

    def read_block(self, block: Block, char: str) -> None:
        try:
            self._read_in_block(block, char)
        except BlockError as error:
            raise YamlError(str(error), self.index) from error

    def _read_in_block(self, block: Block, char: str) -> None:
        buffer = self.buffer
        buffer.add_origin(char)
        if self.index >= self.size - 1:
            self._read_last(block, char)
        elif char == "\n":
            self._end_line_in_block(block)
        elif self.is_line_start and char == " ":
            block.indent(buffer, self.column)
            self.step()
        elif self.is_line_start and char == "\t" and block.is_indent(self.column):
            raise BlockError("found a tab where an indent is expected")
        else:
            if char != "\t":
                self._see_content(block)
            buffer.add_with_tab(char)
            self.step()

    def _see_content(self, block: Block) -> None:
        block.check_behind_blanks(self.column)
        block.see_column(self.column)
        self.delimiter = block.delimiter or self.delimiter
        block.fold(self.buffer, self.column)

    def _read_last(self, block: Block, char: str) -> None:
        if self.is_line_start and char == " ":
            block.indent(self.buffer, self.column)
        else:
            self.buffer.add(char)
        block.see_column(self.column)
        self.add(Type.STRING, block.chomp(self.buffer.written()))
        self.clear()
        self.step()

    def _end_line_in_block(self, block: Block) -> None:
        self.buffer.add("\n")
        block.see_blank_line(self.column - 1)
        block.end_line()
        self.next_line()
        if self.index < self.size and is_document_marker(self.text, self.index):
            self.add(Type.STRING, block.chomp(self.buffer.written()))
            self.clear()
