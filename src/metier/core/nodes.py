"""A YAML tree with spans, built from parser events.

The tree is built with an explicit stack (libyaml's own recursive composer ends
the interpreter on 25,000 nested brackets), its depth and size are capped, and an
alias points at its node instead of being expanded. Plain scalars stay text: what
`yes` or `2026-01-01` means is the dialect's business.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from metier.diagnostics import Diagnostic, Severity, Span, diagnostic_at

# Deepest nesting in 148,796 real files is below this; events beyond it are refused
# before they cost anything.
MAX_DEPTH = 16
# 64 KiB: the largest real frontmatter has 15,769 bytes.
MAX_HEADER = 64 * 1024


class Style(Enum):
    """How a scalar is written."""

    PLAIN = "plain"
    SINGLE = "single"
    DOUBLE = "double"
    LITERAL = "literal"
    FOLDED = "folded"


class Documents(Enum):
    """What a second YAML document in the header means."""

    FIRST = "first"  # only the first is read, what follows may be anything
    ONE = "one"  # more than one is an error


# Named tuples, not dataclasses: thousands of nodes are made per scan, and a frozen
# dataclass costs four times as much to make.


class Scalar(NamedTuple):
    """A text; `tag` is set only where the author wrote one."""

    text: str
    style: Style = Style.PLAIN
    start: int = 0
    end: int = 0
    tag: str | None = None


class Sequence(NamedTuple):
    """A list."""

    items: tuple[Node, ...]
    start: int = 0
    end: int = 0
    tag: str | None = None


class Mapping(NamedTuple):
    """A map, with every entry that was written, duplicates included."""

    entries: tuple[tuple[Node, Node], ...]
    start: int = 0
    end: int = 0
    tag: str | None = None


class Alias(NamedTuple):
    """`*name`; the target is None where an alias stands inside its own anchor."""

    name: str
    target: Scalar | Sequence | Mapping | None
    start: int = 0
    end: int = 0


Node = Scalar | Sequence | Mapping | Alias


class YamlError(Exception):
    """The text is not YAML; never leaves the readers, which make it a diagnostic."""

    def __init__(self, problem: str, offset: int, rule: str = "yaml-invalid") -> None:
        super().__init__(problem)
        self.problem = problem
        self.offset = offset
        self.rule = rule


def diagnose_yaml(error: YamlError, text: str, *, header_start: int) -> Diagnostic:
    """`error`, found in the header that starts at `header_start` of `text`."""
    at = min(header_start + error.offset, len(text))
    line_end = text.find("\n", at)
    end = line_end if line_end >= 0 else len(text)
    return diagnostic_at(
        error.rule,
        Severity.ERROR,
        f"the frontmatter is not valid YAML: {error.problem}",
        text=text,
        span=Span(at, max(at, end)),
        help=_remedy(error.problem),
    )


def _remedy(problem: str) -> str | None:
    if "mapping values" in problem:
        return "quote the value: a plain value cannot hold `: `"
    if "alias" in problem:
        return "quote the value: `*` starts an alias"
    if "cannot start any token" in problem:
        return "quote the value: it starts with a character that YAML reserves"
    return None


def target_of(node: Node) -> Scalar | Sequence | Mapping | None:
    """The node itself, or what an alias points at."""
    return node.target if isinstance(node, Alias) else node
