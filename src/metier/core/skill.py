"""The values that everything else is about: a skill, and a file that is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from posixpath import dirname
from typing import TYPE_CHECKING

from metier.core.document import Parts, read_all_fields, read_optional
from metier.core.fence import Fenced
from metier.diagnostics import Diagnostics

if TYPE_CHECKING:
    from metier.core.dialect import Dialect
    from metier.core.roots import Root
    from metier.core.values import Fields, FieldValue


class Status(Enum):
    """What became of a file."""

    LOADED = "loaded"
    HIDDEN = "hidden"  # loaded, but not offered to the model
    SHADOWED = "shadowed"  # a good skill that another one hides
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a file was found, and whose rules read it; shared by a whole root."""

    root: Root
    dialect: Dialect = field(repr=False)


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill as one agent sees it: its head, and where the rest is."""

    name: str
    description: str | None
    path: str
    origin: Origin = field(hash=False)  # a dialect holds tables, which have no hash
    header: str
    is_hidden: bool = False
    diagnostics: Diagnostics = ()
    alias: str | None = None
    content: str | None = None  # a digest, where copies of a file count once

    @property
    def key(self) -> str:
        """What it is known by, and asked for: to most agents its name."""
        return self.name if self.alias is None else self.alias

    @property
    def directory(self) -> str:
        """The folder that holds the skill file."""
        return dirname(self.path)

    @property
    def root(self) -> Root:
        """The folder whose scan found it."""
        return self.origin.root

    @property
    def fields(self) -> Mapping[str, FieldValue]:
        """The optional fields that the dialect reads, read anew at each call."""
        return read_optional(self.read_nodes(), self.origin.dialect)

    def is_stated(self, field: str) -> bool:
        """Whether the header has the optional field at all, be it empty."""
        rule = self.origin.dialect.fields.other.get(field)
        return rule is not None and not self.read_nodes().keys().isdisjoint(rule.keys)

    def read_nodes(self) -> Fields:
        """Every field of the header, as the dialect's full reader has it."""
        parts = Parts(self.header, Fenced(0, len(self.header), 0), ())
        fields, _ = read_all_fields(parts, self.origin.dialect)
        return fields or {}


def key_of(path: str, root: str) -> str:
    """The path of the folder of a skill file below its root; `root` for that itself."""
    return dirname(path)[len(root.rstrip("/")) + 1 :] or "root"


@dataclass(frozen=True, slots=True)
class Rejection:
    """A file that is no skill for this agent; the last of `diagnostics` may be info."""

    path: str
    origin: Origin = field(hash=False)
    rule: str
    diagnostics: Diagnostics
    name: str | None = None

    @property
    def root(self) -> Root:
        """The folder whose scan found it."""
        return self.origin.root


Candidate = Skill | Rejection


@dataclass(frozen=True, slots=True)
class Shadowed:
    """A good skill that is not used, and the one that is used instead."""

    skill: Skill
    by: Skill
    rule: str
