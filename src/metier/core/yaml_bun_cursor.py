"""A place in a text as Bun's YAML parser keeps it: lines, indents, tabs, brackets.

Bun counts indentation while it skips space, and remembers whether a tab stood in it.
What it accepts hangs on that, so the cursor keeps it too.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import NoReturn

from metier.core.nodes import YamlError

# Ends the text; one that stands in the text ends it too, but in a comment.
END = "\0"
BREAKS = "\r\n"
BLANKS = " \t"
SPACES = BLANKS + BREAKS
GAPS = SPACES + END
_LINE_ENDS = BREAKS + END
FLOW_MARKS = ",[]{}"


class Context(Enum):
    """What the text around a place is."""

    BLOCK_OUT = "block-out"
    BLOCK_IN = "block-in"  # behind the first entry of a block mapping
    FLOW_IN = "flow-in"  # within brackets
    FLOW_KEY = "flow-key"  # the same, where a key is looked for


_FLOW = frozenset((Context.FLOW_IN, Context.FLOW_KEY))
_BLANK_RUN = re.compile(r"[ \t]*")
_LINE_REST = re.compile(r"[^\r\n]*")


class Cursor:
    """A place in the text, and what Bun knows about its line."""

    __slots__ = (
        "blocks",
        "contexts",
        "indent",
        "is_tabbed",
        "line",
        "line_start",
        "pos",
        "size",
        "text",
    )

    def __init__(self, text: str) -> None:
        self.size = len(text)
        # Room to look ahead in without a bounds check.
        self.text = text + END * 4
        self.pos = self.line_start = int(text.startswith("\ufeff"))
        self.line = 1
        self.indent = 0
        self.is_tabbed = False  # a tab stands between the indent and what follows
        self.contexts: list[Context] = []
        self.blocks: list[int] = []  # the indents of the block collections around

    def fail(self, problem: str) -> NoReturn:
        raise YamlError(problem, min(self.pos, self.size))

    def fail_at_tab(self) -> NoReturn:
        self.fail("found a tab where an indentation has to be spaces")

    @property
    def char(self) -> str:
        return self.text[self.pos]

    @property
    def next_char(self) -> str:
        return self.text[self.pos + 1]

    @property
    def context(self) -> Context:
        return self.contexts[-1] if self.contexts else Context.BLOCK_OUT

    @property
    def is_in_flow(self) -> bool:
        return bool(self.contexts) and self.contexts[-1] in _FLOW

    @property
    def is_at_line_start(self) -> bool:
        return self.pos == self.line_start

    @property
    def is_at_line_end(self) -> bool:
        return self.text[self.pos] in _LINE_ENDS

    @property
    def is_outside_block(self) -> bool:
        """Whether the line is indented too little to go on with the block."""
        return bool(self.blocks) and self.indent <= self.blocks[-1]

    def break_line(self) -> None:
        """Go past one character that breaks a line; Windows takes two for it."""
        self.pos += 1
        self.line_start = self.pos
        self.line += 1
        self.indent = 0
        self.is_tabbed = False

    def break_whole_line(self) -> None:
        """Go past a line break, be it one character or two."""
        if self.char == "\r" and self.next_char == "\n":
            self.pos += 1
        self.break_line()

    def skip_blanks(self) -> int:
        """Go past spaces and tabs; how many there were."""
        return self._skip(_BLANK_RUN)

    def skip_spaces(self, most: int | None = None) -> int:
        """Go past spaces, `most` of them; how many there were."""
        start = self.pos
        end = self.size if most is None else min(start + most, self.size)
        while self.pos < end and self.text[self.pos] == " ":
            self.pos += 1
        return self.pos - start

    def skip_line(self) -> None:
        """Go to the end of the line."""
        self._skip(_LINE_REST)
        self.pos = min(self.pos, self.size)

    def _skip(self, run: re.Pattern[str]) -> int:
        found = run.match(self.text, self.pos)
        length = len(found[0]) if found else 0
        self.pos += length
        return length

    def is_at_marker(self, marker: str) -> bool:
        """Whether the line starts with `marker`, a document's start or end."""
        if not self.is_at_line_start or not self.text.startswith(marker, self.pos):
            return False
        after = self.pos + len(marker)
        return after >= self.size or self.text[after] in SPACES

    def fold_lines(self) -> int:
        """Go past line breaks and the indentation behind them; how many breaks."""
        total = 0
        while True:
            char = self.char
            if char in BREAKS:
                self.break_whole_line()
                total += 1
            elif char == " ":
                self.indent = self.skip_spaces()
                self.is_tabbed = self.is_tabbed or self.char == "\t"
                self.skip_blanks()
            elif char == "\t":
                self.is_tabbed = True
                self.skip_blanks()
            else:
                return total
