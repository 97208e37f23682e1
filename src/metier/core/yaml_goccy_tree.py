"""What goccy/go-yaml reads a text into: scalars, lists, maps, and what names them."""

from __future__ import annotations

from typing import NamedTuple

from metier.core.yaml_goccy_tokens import Token


class Leaf(NamedTuple):
    """A scalar, of the type of its token; that of a block scalar is its header."""

    token: Token
    value: str


class Listed(NamedTuple):
    """A list."""

    token: Token
    items: tuple[Tree, ...]


class Mapped(NamedTuple):
    """A map."""

    token: Token
    entries: tuple[tuple[Tree, Tree], ...]


class Tagged(NamedTuple):
    """A value behind a tag; `is_redefined` where a directive has changed `!!`."""

    token: Token
    value: Tree
    is_redefined: bool = False


class Anchored(NamedTuple):
    """`&name` and its value."""

    token: Token
    name: str
    value: Tree


class Aliased(NamedTuple):
    """`*name`."""

    token: Token
    name: str


class Asked(NamedTuple):
    """`?` and a key."""

    token: Token
    value: Tree


Tree = Leaf | Listed | Mapped | Tagged | Anchored | Aliased | Asked


def text_of(key: Tree) -> str:
    """What a key is known by in its map: its source, an alias by nothing."""
    match key:
        case Asked() | Tagged() | Anchored():
            return text_of(key.value)
        case Aliased():
            return ""
        case _:
            return key.token.value
