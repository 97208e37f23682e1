"""Where a node stands, and what comes of reading it, in Bun's YAML grammar."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from metier.core.nodes import Node
from metier.core.yaml_bun_tokens import Token


class Role(Enum):
    """Which node of a block collection is read."""

    ENTRY = "entry"  # behind `-`
    KEY = "key"  # behind `?`
    VALUE = "value"  # behind `:`
    PAIR_VALUE = "pair-value"  # the same, of a pair in a list in brackets


class Keys(Enum):
    """What a key may be that stands where a node is read."""

    ON_LINE = "on-line"  # on one line with its colon
    ANYWHERE = "anywhere"  # behind `?`, over several lines too


class Pairs(Enum):
    """Whether a node in brackets may be a pair, `[a: b]`."""

    REFUSED = "refused"
    ALLOWED = "allowed"


class Place(NamedTuple):
    """What a node needs to know about its position.

    `current` is the indent of the mapping that is being read, whose keys start no
    mapping of their own.
    """

    current: int | None = None
    keys: Keys = Keys.ON_LINE
    pairs: Pairs = Pairs.REFUSED


class Start(NamedTuple):
    """The token that a node starts with, and whether a tab stands before it."""

    token: Token
    is_tabbed: bool


class Found(NamedTuple):
    """A node; `is_done` where its anchors are taken care of."""

    node: Node
    is_done: bool = False
