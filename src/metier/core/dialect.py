"""The model of a dialect: everything that one agent does with skills, as values.

A dialect is built from a TOML file and checked here; the modules that do the work
take the part they need. Behaviour that values cannot say is a function in one of
those modules, under a name that the file refers to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from enum import Enum
from typing import Any

from metier.core.activation import ActivationRule
from metier.core.catalog import CatalogRule
from metier.core.compaction import CompactionRule
from metier.core.fence import FenceStyle, Headless
from metier.core.fields import FieldRules
from metier.core.mapping import NOTHING_STATED, Later, build
from metier.core.permission import Action, Ruleset, ToolReading, as_ruleset
from metier.core.readers import ReaderRule
from metier.core.record import record
from metier.core.references import ReferenceSyntax, ShellSyntax
from metier.core.resolve import FailurePolicy, PrecedenceRule
from metier.core.roots import ConfigRule, RootRule
from metier.core.selection import Selection
from metier.core.text import TextPolicy
from metier.core.triggers import Matcher
from metier.errors import DialectError


class Evidence(Enum):
    """How the facts of a dialect were checked."""

    SPECIFICATION = "specification"  # a written standard
    RECORDED = "recorded"  # against answers of the agent's own program
    SOURCE = "source"  # read in its source, not run
    DOCUMENTATION = "documentation"


class Reload(Enum):
    """When the agent looks at the disk again."""

    RESTART = "restart"
    EACH_TURN = "each-turn"
    WATCH = "watch"


@record
class References:
    """Which inserts a body may hold."""

    files: ReferenceSyntax = ReferenceSyntax.NONE
    shell: ShellSyntax = ShellSyntax.NONE


@record
class PermissionRule:
    """What a permission is called and what happens without a rule.

    A person is asked about a skill that has any of the optional fields `asked_about`.
    """

    name: str = "skill"
    default: Action = Action.ALLOW
    asked_about: tuple[str, ...] = ()
    allowed_tools: ToolReading = ToolReading.PREAPPROVAL

    def rules_in(self, permission: Ruleset | Mapping[str, Any] | None) -> Ruleset:
        """`permission` as rules under the agent's own name for what is about skills."""
        return as_ruleset(permission, self.default, name=self.name)


@record
class Recordings:
    """Under which names the recorded cases hold this agent's answers."""

    edge: str | None = None
    corpus: str | None = None
    trees: str | None = None


@record
class Host:
    """What a machine has on it that has the agent.

    `folders` are below the home folder; what starts with `.config/` follows
    `$XDG_CONFIG_HOME`.
    """

    programs: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()


@record
class Difference:
    """A recorded case in which metier knowingly differs: a fault of the agent."""

    case: str  # `edge:bom2`, `trees:1000`
    because: str


@record
class Dialect:
    """How one agent finds, reads, ranks and shows skills."""

    name: str
    title: str
    version: str
    evidence: Evidence
    sources: dict[str, str]
    roots: tuple[RootRule, ...]
    selections: dict[str, Selection]
    text: TextPolicy
    fence: FenceStyle
    reader: ReaderRule
    fields: FieldRules
    precedence: PrecedenceRule
    failure: FailurePolicy
    catalog: CatalogRule
    activation: ActivationRule
    fatal: tuple[str, ...] = ()  # rules: one file that breaks one stops the agent
    headless: Headless = Headless.REJECTED
    # What the files of a selection of that name are judged by instead.
    variants: dict[str, FieldRules] = field(default_factory=dict[str, FieldRules])
    config: ConfigRule | None = None
    references: References = field(default_factory=References)
    substitution: Later = NOTHING_STATED  # `core/substitution.py` reads it
    sidecar: Later = NOTHING_STATED  # `core/sidecar.py` reads it
    permission: PermissionRule = field(default_factory=PermissionRule)
    compaction: CompactionRule = field(default_factory=CompactionRule)
    requirements: Later = NOTHING_STATED  # `core/requirements.py` reads it
    matching: Matcher = Matcher.NONE
    explicit_precedence: int = 0
    explicit_label: str = ""
    reload: Reload = Reload.RESTART
    notes: tuple[str, ...] = ()
    host: Host = field(default_factory=Host)
    recordings: Recordings = field(default_factory=Recordings)
    differences: tuple[Difference, ...] = ()

    def for_selection(self, name: str) -> Dialect:
        """The same dialect with the rules for the files of that selection."""
        rules = self.variants.get(name)
        return self if rules is None else replace(self, fields=rules)

    def source_of(self, axis: str) -> str | None:
        """Where the fact about `axis` comes from: its own source or its parent's."""
        axis = axis.partition("[")[0]
        while axis:
            if axis in self.sources:
                return self.sources[axis]
            axis = axis.rpartition(".")[0]
        return None


def parse_dialect(values: Mapping[str, Any]) -> Dialect:
    """The dialect that `values` (a parsed TOML file) states."""
    dialect = build(Dialect, values, key="")
    for index, root in enumerate(dialect.roots):
        if root.select not in dialect.selections:
            raise DialectError(
                f"no selection is called `{root.select}`", key=f"roots[{index}].select"
            )
    return dialect
