"""What one agent has: its skills, those that lost, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from posixpath import basename, dirname
from typing import TYPE_CHECKING, Any

from metier.accounts import Account, list_accounts
from metier.core.activation import (
    Activation,
    Content,
    Lookup,
    ResourceList,
    Resources,
    Suggestions,
    render_activation,
    render_unknown,
)
from metier.core.catalog import Catalog
from metier.core.catalog_sheet import render_catalog
from metier.core.document import MAX_FILE, body_of, split_document, whole_of
from metier.core.locations import Places
from metier.core.permission import Action, Ruleset, as_policy, as_ruleset
from metier.core.resolve import spelled
from metier.core.rules import axis_of
from metier.core.skill import Rejection, Shadowed, Skill, key_of
from metier.diagnostics import Severity
from metier.errors import LoadError, NotApproved, SkillNotFound

if TYPE_CHECKING:
    from metier.core.activation import Names
    from metier.core.allowance import Ruling, ToolCall
    from metier.core.dialect import Dialect
    from metier.core.invocation import Invocation
    from metier.core.permission import ToolReading
    from metier.core.resources import Resource
    from metier.core.roots import Environment, Root
    from metier.core.snapshots import CatalogSnapshot
    from metier.core.tree import Tree
    from metier.core.triggers import Match
    from metier.diagnostics import Diagnostic, Diagnostics
    from metier.runtime.ledger import Ledger, Listener, Repeat
    from metier.runtime.resources import ResourceTool
    from metier.runtime.tool import Ask, AsyncAsk, SkillTool
    from metier.runtime.trust import Gate
    from metier.world.filesystem import FileSystem, Reading

# A catalog of files for the model, not an archive: what is left out is counted.
MAX_RESOURCES = 100


@dataclass(frozen=True, kw_only=True)
class Library:
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
    gate: Gate | None = field(default=None, repr=False)

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
        return self._by_name.get(spelled(name, self.dialect.precedence))

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
    def _by_name(self) -> Mapping[str, Skill]:
        rule = self.dialect.precedence
        if self.dialect.activation.lookup is Lookup.PATH:
            return self._by_path()
        return {spelled(skill.key, rule): skill for skill in reversed(self.skills)}

    def _by_path(self) -> Mapping[str, Skill]:
        """Every skill file by the path of its folder, that of the last root first."""
        ranks = {root.path: rank for rank, root in enumerate(self.roots)}
        found = (*self.skills, *(shadowed.skill for shadowed in self.shadowed))
        file = self.dialect.activation.lookup_file
        return {
            key_of(skill.path, skill.root.path): skill
            for skill in sorted(found, key=lambda skill: ranks[skill.root.path])
            if basename(skill.path) == file and dirname(skill.path) != skill.root.path
        }

    def permitted(self, permission: Ruleset | Mapping[str, Any] | None) -> Library:
        """The same library without the skills that `permission` denies."""
        if permission is None:
            return self
        rules = as_ruleset(permission, self.dialect.permission.default)
        kept = tuple(
            skill
            for skill in self.skills
            if rules.evaluate(self.dialect.permission.name, skill.key).action
            is not Action.DENY
        )
        return Library(
            dialect=self.dialect,
            environment=self.environment,
            filesystem=self.filesystem,
            roots=self.roots,
            skills=kept,
            links=self.links,
            rescan=lambda: self.refresh().permitted(rules),
            gate=self.gate,
        )

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
        skills = self.permitted(permission).skills
        rule = self.dialect.catalog
        places = self._places() if rule.aliases.name else Places()
        return render_catalog(skills, rule, budget=budget, window=window, places=places)

    def _places(self) -> Places:
        """The folders that were scanned, and the links in them, without links."""
        roots = tuple((root.path, self._real_path(root.path)) for root in self.roots)
        return Places(roots=roots, links=self.links)

    def _real_path(self, folder: str) -> str:
        try:
            return self.filesystem.stamp(folder).path
        except OSError:  # it is gone since the scan
            return folder

    def snapshot(
        self,
        *,
        budget: int | None = None,
        window: int | None = None,
        permission: Ruleset | Mapping[str, Any] | None = None,
    ) -> CatalogSnapshot:
        """The catalog to keep for as long as a prompt is cached, and all behind it.

        `later.delta_since(earlier)` is what to tell the model of a later one. Every
        skill is read for it.
        """
        from metier.runtime.snapshots import take_snapshot

        catalog = self.render(budget=budget, window=window, permission=permission)
        return take_snapshot(self, catalog, self.permitted(permission).offered)

    def load(self, name: str) -> Activation:
        """Hand over a skill: its file is read now, so edits are in it."""
        return self.activate(self[name])

    def invoke(self, turn: str, *, ledger: Ledger | None = None) -> Activation | None:
        """Hand over the skill that a person asks for with `/name`, hidden or not.

        None where the turn is no such thing, or the agent knows no slash.
        `SkillNotFound` for a name that no skill has, or that is the model's alone.
        With a `ledger`, what the conversation holds already is not repeated.
        """
        from metier.core.events import Invoker
        from metier.core.invocation import split_invocation

        for found in self.invocations(turn):
            activation = self._invoked(found)
            if ledger is None:
                return activation
            return ledger.hand_over(activation, by=Invoker.PERSON)
        unknown = split_invocation(turn, self.dialect.activation)
        if unknown is not None:
            raise self.not_found(unknown[0])
        return None

    def _invoked(self, found: Invocation) -> Activation:
        loaded = self.activate(found.skill)
        if not found.arguments:
            return loaded
        template = self.dialect.activation.invoked
        output = template.format(output=loaded.output, arguments=found.arguments)
        return replace(loaded, output=output)

    def invocations(self, turn: str) -> tuple[Invocation, ...]:
        """What a person asks for: `/name arguments`, or `$name` in the turn."""
        from metier.core.invocation import find_invocations

        return tuple(find_invocations(turn, self.skills, self.dialect.activation))

    async def aload(self, name: str) -> Activation:
        """`load`, off the event loop."""
        import asyncio

        return await asyncio.to_thread(self.load, name)

    def activate(self, skill: Skill) -> Activation:
        """Hand over a skill that is already in hand."""
        return self.hand_over(skill, self.open_tree(skill))

    def hand_over(self, skill: Skill, tree: Tree | None) -> Activation:
        """Hand over what `tree` holds of a skill, or else what the disk does."""
        rule = self.dialect.activation
        body = self._body_in(self._bytes_of(skill, tree))
        resources = self._resources_beside(skill, tree)
        activation = render_activation(skill, body, rule, resources=resources)
        if tree is None:
            return activation
        return replace(activation, tree_digest=tree.digest)

    def _resources_beside(self, skill: Skill, tree: Tree | None) -> ResourceList:
        rule = self.dialect.activation
        if rule.resources is Resources.UNLISTED:
            return ResourceList()
        if rule.resources is Resources.LISTED:
            return self.resources(skill, tree)
        from metier.world.resources import draw_resources, draw_tree

        if tree is not None:
            return draw_tree(tree, rule)
        return draw_resources(self.filesystem, skill.directory, rule)

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
        return self._body_in(self._bytes_of(skill, self.open_tree(skill)))

    def _bytes_of(self, skill: Skill, tree: Tree | None) -> bytes:
        if tree is not None:
            data = tree.read(basename(skill.path))
            if data is None:
                raise self._load_failed(f"no such file: {skill.path}")
            size = len(data)
        else:
            data, size = self._read_file(skill)
        if size > MAX_FILE:
            raise self._load_failed(f"larger than {MAX_FILE:,} bytes: {skill.path}")
        return data

    def _read_file(self, skill: Skill) -> Reading:
        links = self.dialect.selections[skill.root.select].file_links
        try:
            return self.filesystem.read_file(skill.path, MAX_FILE, links)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise self._load_failed(f"{reason}: {skill.path}") from error

    def _body_in(self, data: bytes) -> str:
        parts = split_document(data, self.dialect)
        if parts.fenced is None:
            errors = (d for d in parts.diagnostics if d.severity is Severity.ERROR)
            message = next(errors, parts.diagnostics[0]).message
            raise self._load_failed(message, parts.diagnostics)
        if self.dialect.activation.content is Content.FILE:
            return whole_of(data, self.dialect)
        return body_of(parts, self.dialect)

    def _load_failed(self, error: str, diagnostics: Diagnostics = ()) -> LoadError:
        message = self.dialect.activation.load_failed.format(error=error)
        return LoadError(message, diagnostics=diagnostics)

    def resources(self, skill: Skill, tree: Tree | None = None) -> ResourceList:
        """The files beside the skill file, relative to its folder, at most 100."""
        from metier.world.resources import list_resources, resources_in

        most = self.dialect.activation.max_resources or MAX_RESOURCES
        limit = min(most, MAX_RESOURCES)
        if tree is not None:
            return resources_in(tree, basename(skill.path), limit=limit)
        return list_resources(self.filesystem, skill.path, limit=limit)

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
        from difflib import get_close_matches

        rule = self.dialect.activation
        names = self.names
        message = render_unknown(name, names, rule)
        close = get_close_matches(name, names, n=3, cutoff=0.6)
        if close and rule.suggestions is Suggestions.OFFERED:
            message += f"; did you mean `{close[0]}`?"
        return SkillNotFound(message, name=name, suggestions=close)

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

    def tool(
        self,
        *,
        permission: Ruleset | Mapping[str, Any] | None = None,
        ask: Ask | AsyncAsk | None = None,
        ledger: Ledger | None = None,
        schema_names: Names | None = None,
    ) -> SkillTool:
        """The `skill` tool of this agent, for a model to call.

        `schema_names` says whether its schema lists the names; without it, the agent.
        """
        from metier.runtime.tool import SkillTool

        rules = as_ruleset(permission, self.dialect.permission.default)
        return SkillTool(
            library=self, rules=rules, ask=ask, ledger=ledger, schema_names=schema_names
        )

    def tools(
        self,
        *,
        permission: Ruleset | Mapping[str, Any] | None = None,
        ask: Ask | AsyncAsk | None = None,
        ledger: Ledger | None = None,
    ) -> tuple[SkillTool, ...]:
        """The `skill` tool, or nothing where there is nothing to offer."""
        tool = self.tool(permission=permission, ask=ask, ledger=ledger)
        return (tool,) if tool.is_offered else ()

    def resource_tool(
        self,
        *,
        permission: Ruleset | Mapping[str, Any] | None = None,
        ask: Ask | AsyncAsk | None = None,
        ledger: Ledger | None = None,
    ) -> ResourceTool:
        """A tool with which a model reads the files of a skill, page by page."""
        from metier.runtime.resources import ResourceTool

        rules = as_ruleset(permission, self.dialect.permission.default)
        return ResourceTool(library=self, rules=rules, ask=ask, ledger=ledger)

    def ledger(
        self,
        *,
        saved: str | bytes | None = None,
        repeat: Repeat | None = None,
        on_event: Listener | None = None,
        clock: Callable[[], str] | None = None,
    ) -> Ledger:
        """The ledger of one conversation, for its tools; see `metier.runtime.ledger`.

        `saved` is one that was kept with `save`; `LedgerError` where it is damaged.
        """
        from metier.runtime.ledger import open_ledger

        return open_ledger(
            self.dialect, saved=saved, repeat=repeat, on_event=on_event, clock=clock
        )

    def refresh(self) -> Library:
        """A new library from the same folders, as they are now."""
        return self.rescan()

    def why(self, query: str) -> tuple[Account, ...]:
        """Every candidate for a name or a path, and what happened to it."""
        return tuple(a for a in self.accounts() if a.is_about(query))

    def accounts(self) -> Iterator[Account]:
        """What became of everything: the loaded first, in the dialect's order."""
        return list_accounts(self)
