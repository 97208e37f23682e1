"""What one agent has: its skills, those that lost, and why."""

from __future__ import annotations

from collections.abc import (
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from metier.agent_host import AgentHost
from metier.core.activation import (
    Activation,
    ResourceList,
)
from metier.core.catalog import Catalog
from metier.core.lookup import Index, find_meant, index_skills
from metier.core.permission import Action, as_policy
from metier.core.rules import axis_of
from metier.core.skill import Rejection, Shadowed, Skill
from metier.errors import NotApproved, SkillNotFound
from metier.tool_host import ToolHost

if TYPE_CHECKING:
    from metier.accounts import Account
    from metier.core.allowance import Ruling, ToolCall
    from metier.core.dialect import Dialect
    from metier.core.invocation import Invocation
    from metier.core.permission import Ruleset, ToolReading
    from metier.core.requirements import Unmet
    from metier.core.resources import Resource
    from metier.core.roots import Environment, Root
    from metier.core.surroundings import Surroundings
    from metier.core.tree import Tree
    from metier.core.triggers import Match
    from metier.diagnostics import Diagnostic, Diagnostics
    from metier.runtime.ledger import Ledger
    from metier.runtime.occasion import Occasion
    from metier.runtime.policy import RunPolicy
    from metier.runtime.trust import Gate
    from metier.world.filesystem import FileSystem
    from metier.world.sights import Sought


@dataclass(frozen=True, kw_only=True)
class Library(AgentHost, ToolHost):
    """The skills of one agent at one moment; nothing that was found is missing.

    Iterating gives the skills in the dialect's order, hidden ones included. Two
    skills with one name are possible where the agent keeps both; `[name]` is then
    the first.
    """

    dialect: Dialect
    environment: Environment
    filesystem: FileSystem = field(repr=False)
    roots: tuple[Root, ...]
    skills: tuple[Skill, ...]
    shadowed: tuple[Shadowed, ...] = ()
    rejected: tuple[Rejection, ...] = ()
    notes: Diagnostics = ()
    aborted_by: Diagnostic | None = None
    links: Mapping[str, Mapping[str, str]] = field(
        default_factory=dict[str, Mapping[str, str]], repr=False
    )
    rescan: Callable[[], Library] = field(repr=False)
    seek: Callable[[], Sought] = field(repr=False)
    gate: Gate | None = field(default=None, repr=False)
    unmet: Unmet | None = None

    def __repr__(self) -> str:
        return (
            f"<Library of {self.dialect.name}: {len(self.skills)} skills, "
            f"{len(self.shadowed)} shadowed, {len(self.rejected)} rejected>"
        )

    def __len__(self) -> int:
        return len(self.skills)

    def __iter__(self) -> Iterator[Skill]:
        return iter(self.skills)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None

    def __getitem__(self, name: str) -> Skill:
        skill = self.get(name)
        if skill is None:
            raise self.not_found(name)
        return skill

    def get(self, name: str) -> Skill | None:
        """The skill of that name, or None."""
        found = self._meant_by(name)
        return found[0] if found and not self.is_ambiguous(name) else None

    def is_ambiguous(self, name: str) -> bool:
        """Whether `name` stands for several skills, of which the agent picks none."""
        return len(self._meant_by(name)) > 1 and bool(self.dialect.activation.ambiguous)

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which the skills are asked for, in the dialect's order."""
        return tuple(skill.key for skill in self.skills)

    @property
    def offered(self) -> tuple[Skill, ...]:
        """The skills that the model may invoke by itself."""
        return tuple(skill for skill in self.skills if not skill.is_hidden)

    @property
    def invocable(self) -> tuple[Skill, ...]:
        """The skills that a person may ask for by name."""
        from metier.core.invocation import is_invocable

        return tuple(skill for skill in self.skills if is_invocable(skill))

    @property
    def untrusted(self) -> tuple[Rejection, ...]:
        """The files that count as soon as a person trusts them."""
        return tuple(each for each in self.rejected if axis_of(each.rule) == "trust")

    @cached_property
    def diagnostics(self) -> Diagnostics:
        """Everything that was noticed, about winners, losers and folders."""
        found = [d.located(s.path) for s in self.skills for d in s.diagnostics]
        for shadowed in self.shadowed:
            skill = shadowed.skill
            found.extend(d.located(skill.path) for d in skill.diagnostics)
        for rejection in self.rejected:
            found.extend(d.located(rejection.path) for d in rejection.diagnostics)
        return (*found, *self.notes)

    @cached_property
    def _by_name(self) -> Index:
        return index_skills(self.skills, self.shadowed, self.roots, self.dialect)

    def _meant_by(self, name: str) -> tuple[Skill, ...]:
        return find_meant(self._by_name, name, self.dialect)

    def permitted(self, permission: Ruleset | Mapping[str, Any] | None) -> Library:
        """The same library without the skills that `permission` denies."""
        if permission is None:
            return self
        rules = self.dialect.permission.rules_in(permission)
        kept = tuple(
            skill
            for skill in self.skills
            if rules.evaluate(self.dialect.permission.name, skill.key).action
            is not Action.DENY
        )
        return replace(
            self,
            skills=kept,
            shadowed=(),
            rejected=(),
            notes=(),
            aborted_by=None,
            rescan=lambda: self.refresh().permitted(rules),
        )

    def equipped(
        self, surroundings: Surroundings | None = None, *, unmet: Unmet | None = None
    ) -> Library:
        """The same library, its skills judged by what they say that they need.

        What is missing is a finding, and hides a skill where `unmet` says so; without
        it, the dialect. Without `surroundings` those of this process count.
        """
        from metier.runtime.requirements import equip

        return equip(self, surroundings, unmet)

    def catalog(
        self,
        *,
        budget: int | None = None,
        window: int | None = None,
        permission: Ruleset | Mapping[str, Any] | None = None,
    ) -> str:
        """The exact text that the model sees."""
        return self.render(budget=budget, window=window, permission=permission).text

    def render(
        self,
        *,
        budget: int | None = None,
        window: int | None = None,
        permission: Ruleset | Mapping[str, Any] | None = None,
    ) -> Catalog:
        """The catalog with its report: what is shown, what was cut, the tokens.

        `budget` is in tokens; without one, the agent's own rule counts, for a model
        with a context of `window` tokens.
        """
        from metier.runtime.catalogs import write_catalog

        skills = self.permitted(permission).skills
        return write_catalog(self, skills, budget=budget, window=window)

    def load(
        self, name: str, *, arguments: str = "", policy: RunPolicy | None = None
    ) -> Activation:
        """Hand over a skill: its file is read now, so edits are in it.

        With `arguments`, as when a person says them behind its name. A `policy` lets
        commands be run, and files be read, that the body asks for.
        """
        from metier.runtime.occasion import said_by

        return self._load(name, said_by(arguments, policy))

    def _load(self, name: str, occasion: Occasion) -> Activation:
        from metier.core.invocation import is_disabled
        from metier.runtime.handover import as_invoked

        skill = self[name]
        if is_disabled(skill):
            raise self.not_found(name)
        activation = self.activate(skill, occasion)
        if not occasion.arguments:
            return activation
        return as_invoked(activation, occasion.arguments, self.dialect.activation)

    def invoke(
        self,
        turn: str,
        *,
        ledger: Ledger | None = None,
        policy: RunPolicy | None = None,
    ) -> Activation | None:
        """Hand over the skill that a person asks for with `/name`, hidden or not.

        None where the turn is no such thing, or the agent knows no slash.
        `SkillNotFound` for a name that no skill has, or that is the model's alone.
        With a `ledger`, what the conversation holds already is not repeated.
        """
        from metier.core.events import Invoker
        from metier.core.invocation import split_invocation
        from metier.runtime.handover import as_invoked
        from metier.runtime.occasion import said_by_a_person

        rule = self.dialect.activation
        for found in self.invocations(turn):
            occasion = said_by_a_person(found.arguments, policy)
            activation = self.activate(found.skill, occasion)
            activation = as_invoked(activation, found.arguments, rule)
            if ledger is None:
                return activation
            return ledger.hand_over(activation, by=Invoker.PERSON)
        unknown = split_invocation(turn, rule)
        if unknown is not None:
            raise self.not_found(unknown[0])
        return None

    def invocations(self, turn: str) -> tuple[Invocation, ...]:
        """What a person asks for: `/name arguments`, or `$name` in the turn."""
        from metier.core.invocation import find_invocations

        return tuple(find_invocations(turn, self.skills, self.dialect.activation))

    async def aload(
        self, name: str, *, arguments: str = "", policy: RunPolicy | None = None
    ) -> Activation:
        """`load`, off the event loop; what is run ends when the task is cancelled."""
        from metier.runtime.occasion import said_by

        occasion = said_by(arguments, policy)
        if policy is None:
            import asyncio

            return await asyncio.to_thread(self._load, name, occasion)
        from metier.runtime.runs import finish_off_loop

        return await finish_off_loop(
            lambda switch: self._load(name, replace(occasion, switch=switch))
        )

    def activate(self, skill: Skill, occasion: Occasion | None = None) -> Activation:
        """Hand over a skill that is already in hand."""
        return self.hand_over(skill, self.open_tree(skill), occasion)

    def hand_over(
        self, skill: Skill, tree: Tree | None, occasion: Occasion | None = None
    ) -> Activation:
        """Hand over what `tree` holds of a skill, or else what the disk does."""
        from metier.runtime.handover import hand_over

        return hand_over(self, skill, tree, occasion)

    def open_tree(self, skill: Skill) -> Tree | None:
        """All that `skill` holds, as it was approved; None where nobody has to.

        `NotApproved` where it is something else now.
        """
        if self.gate is None:
            return None
        tree, finding, question = self.gate.open(skill)
        if finding is None:
            return tree
        rule = self.dialect.activation
        message = rule.load_failed.format(error=finding.message)
        found = (finding.located(skill.path),)
        raise NotApproved(message, diagnostics=found, question=question)

    def read_body(self, skill: Skill) -> str:
        """The instructions of `skill`, as they are now."""
        from metier.runtime.handover import read_body

        return read_body(self, skill, self.open_tree(skill))

    def resources(self, skill: Skill, tree: Tree | None = None) -> ResourceList:
        """The files beside the skill file, relative to its folder, at most 100."""
        from metier.runtime.handover import list_beside

        return list_beside(self, skill, tree)

    def read_resource(
        self,
        skill: str | Skill,
        path: str,
        *,
        offset: int = 0,
        limit: int | None = None,
    ) -> Resource:
        """A file below the folder of `skill`, or `limit` bytes of it from `offset`.

        `ResourceError` where there is none, and where the path leads out of the skill.
        """
        from metier.runtime.resources import read_resource

        asked = self[skill] if isinstance(skill, str) else skill
        return read_resource(self, asked, path, offset=offset, limit=limit)

    async def aread_resource(
        self,
        skill: str | Skill,
        path: str,
        *,
        offset: int = 0,
        limit: int | None = None,
    ) -> Resource:
        """`read_resource`, off the event loop."""
        import asyncio

        read = self.read_resource
        return await asyncio.to_thread(read, skill, path, offset=offset, limit=limit)

    def not_found(self, name: str) -> SkillNotFound:
        """The agent's own words for a name that is not there."""
        from metier.core.invocation import is_disabled
        from metier.runtime.handover import describe_unknown

        names = [each.key for each in self.skills if not is_disabled(each)]
        rivals, rule = self._meant_by(name), self.dialect.activation
        return describe_unknown(name, names, rule, rivals=rivals)

    def match(self, turn: str, *, paths: Sequence[str] = ()) -> Match:
        """The skill that the dialect's matcher picks for a turn, and the scores.

        `paths` are the files that the turn is about, relative to the project.
        """
        from metier.core.triggers import match_turn, trigger_of

        triggers = [trigger_of(skill) for skill in self.skills]
        return match_turn(turn, triggers, self.dialect.matching, paths=paths)

    def decide(
        self,
        call: ToolCall,
        *,
        active: Iterable[str],
        policy: Ruleset | Mapping[str, Any] | None = None,
        reading: ToolReading | None = None,
    ) -> Ruling:
        """What the `allowed-tools` of the `active` skills mean for a tool call.

        Preapproved, ask or denied; never more than `policy`, the user's own rules,
        grants. Without a `reading`, the dialect's own.
        """
        from metier.core.allowance import allowance_of, decide_call, judge_call

        rules = None if policy is None else as_policy(policy)
        return decide_call(
            call,
            [allowance_of(self[name]) for name in active],
            policy=None if rules is None else judge_call(call, rules),
            reading=reading or self.dialect.permission.allowed_tools,
        )

    def refresh(self) -> Library:
        """A new library from the same folders, as they are now."""
        return self.rescan()

    def why(self, query: str) -> tuple[Account, ...]:
        """Every candidate for a name or a path, and what happened to it."""
        return tuple(a for a in self.accounts() if a.is_about(query))

    def accounts(self) -> Iterator[Account]:
        """What became of everything: the loaded first, in the dialect's order."""
        from metier.accounts import list_accounts

        return list_accounts(self)
