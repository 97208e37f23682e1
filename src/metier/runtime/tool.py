"""The `skill` tool: what a model is offered, and what happens when it calls."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import field, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from metier.core.activation import Activation, Concealed, Names, render_refused
from metier.core.definitions import DefinitionKind, define_tool
from metier.core.escaping import sendable
from metier.core.events import Cause
from metier.core.invocation import is_disabled
from metier.core.permission import Action, Decision, Ruleset
from metier.core.record import record
from metier.errors import LoadError, MetierError, SkillNotFound

if TYPE_CHECKING:
    from metier.core.script_results import RunPlan
    from metier.core.skill import Skill
    from metier.library import Library
    from metier.runtime.ledger import Ledger
    from metier.runtime.occasion import Occasion
    from metier.runtime.policy import RunPolicy
    from metier.runtime.runs import Switch


class Reply(Enum):
    """What a person says when asked; `True` and `False` do as well."""

    ONCE = "once"
    ALWAYS = "always"  # and do not ask again for this skill
    REJECT = "reject"


@record
class Request:
    """The question that an `ask` callback gets."""

    permission: str
    name: str
    patterns: tuple[str, ...]
    always: tuple[str, ...]
    decision: Decision
    plan: RunPlan | None = None  # what would be run, where it is about that


Ask = Callable[[Request], Reply | bool]
AsyncAsk = Callable[[Request], Awaitable[Reply | bool]]


@record
class ToolResult:
    """What goes back to the model; `decision` says which rule let it through.

    `activation` has the parts of what was handed over: the body, the folder, the
    files beside it. It is None where nothing was.
    """

    output: str
    title: str
    is_error: bool = False
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
    decision: Decision | None = None
    activation: Activation | None = None

    def __str__(self) -> str:
        return self.output


class Wanted(NamedTuple):
    """A skill that a model may have, what it says to it, and what to ask before."""

    skill: Skill
    said: str
    request: Request | None


class SkillTool:
    """One agent's `skill` tool, under that agent's rules.

    A skill that the rules deny does not exist here: not in the description, not in
    the schema, not in the text of an error. Where a rule says ask and there is
    nobody to ask, the answer is no.
    """

    def __init__(
        self,
        *,
        library: Library,
        rules: Ruleset,
        ask: Ask | AsyncAsk | None = None,
        ledger: Ledger | None = None,
        schema_names: Names | None = None,
        policy: RunPolicy | None = None,
    ) -> None:
        self.policy = policy
        self.library = library.permitted(rules)
        self.rules = rules
        self.ask = ask
        self.ledger = ledger
        self._rule = library.dialect.activation
        self._permission = library.dialect.permission.name
        self._schema_names = schema_names or self._rule.names
        self._always: set[str] = set()

    def renew(self, library: Library) -> None:
        """Load from `library` from now on.

        A definition that the model was given stays as it is: who caches a prompt keeps
        it, and tells the model what is different.
        """
        self.library = library.permitted(self.rules)

    @property
    def name(self) -> str:
        """What the tool is called."""
        return self._rule.tool_name

    @property
    def names(self) -> tuple[str, ...]:
        """The skills that the model may load."""
        return tuple(skill.key for skill in self.library.offered)

    @property
    def is_offered(self) -> bool:
        """Whether there is anything to offer; if not, leave the tool out."""
        if self._rule.hidden is Concealed.LOADED:
            return bool(self.library.skills)
        return bool(self.names)

    @property
    def description(self) -> str:
        """The description of the tool, with the catalog where it belongs there."""
        rule, names = self._rule, dict.fromkeys(self.names)
        items = ", ".join(rule.offered_item.format(name=name) for name in names)
        offered = rule.offered.format(names=items) if items else ""
        catalog = self.library.catalog()
        told = rule.tool_description.format(catalog=catalog, offered=offered)
        return sendable(told)

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the arguments."""
        name: dict[str, Any] = {
            "type": "string",
            "description": self._rule.parameter_description,
        }
        if self._schema_names is Names.ENUM and self.names:
            name["enum"] = list(dict.fromkeys(map(sendable, self.names)))
        properties = {self._rule.parameter_name: name}
        if self._rule.arguments_name:
            about = self._rule.arguments_description
            said = {"type": "string", "description": about}
            properties[self._rule.arguments_name] = said
        return {
            "type": "object",
            "properties": properties,
            "required": [self._rule.parameter_name],
            "additionalProperties": False,
        }

    def definition(self, kind: DefinitionKind = "json-schema") -> dict[str, Any]:
        """One entry of the list of tools, as a provider wants it."""
        about, schema = self.description, self.schema
        return define_tool(kind, name=self.name, description=about, schema=schema)

    def call(self, arguments: Mapping[str, Any] | str) -> ToolResult:
        """Load a skill for the model; what goes wrong is an error result."""
        prepared = self._prepare(arguments)
        if isinstance(prepared, ToolResult):
            return prepared
        skill, said, request = prepared
        if request is not None:
            reply = self._ask_now(request)
            if not self._accept(reply, request):
                return self._refuse(request.decision)
        return self._load(skill, said)

    async def acall(self, arguments: Mapping[str, Any] | str) -> ToolResult:
        """`call`, with an `ask` that may be a coroutine function.

        What it started ends when the task is cancelled.
        """
        prepared = self._prepare(arguments)
        if isinstance(prepared, ToolResult):
            return prepared
        skill, said, request = prepared
        if request is not None:
            reply = self._answer(request)
            if inspect.isawaitable(reply):
                reply = await reply
            if not self._accept(reply, request):
                return self._refuse(request.decision)
        if self.policy is None:
            import asyncio

            return await asyncio.to_thread(self._load, skill, said)
        from metier.runtime.runs import finish_off_loop

        return await finish_off_loop(lambda switch: self._load(skill, said, switch))

    def _prepare(self, arguments: Mapping[str, Any] | str) -> ToolResult | Wanted:
        rule = self._rule
        name, said, problem = _read(arguments, rule.parameter_name, rule.arguments_name)
        if problem:
            return self._fail(name, Cause.ARGUMENTS, problem)
        skill = self.library.get(name)
        if skill is None:
            return self._fail(name, Cause.UNKNOWN, str(self._not_found(name)))
        if skill.is_hidden and self._rule.hidden is not Concealed.LOADED:
            return self._fail(name, Cause.UNKNOWN, self._conceal(name, skill))
        if is_disabled(skill):
            return self._fail(name, Cause.UNKNOWN, str(self._not_found(name)))
        decision = self._decide(skill)
        if decision.action is Action.ALLOW or name in self._always:
            return Wanted(skill, said, None)
        request = Request(
            permission=self._permission,
            name=name,
            patterns=(name,),
            always=(name,),
            decision=decision,
        )
        return Wanted(skill, said, request)

    def _conceal(self, name: str, skill: Skill) -> str:
        if self._rule.hidden is Concealed.REFUSED:
            return render_refused(name, skill, self._rule)
        return str(self._not_found(name))

    def _not_found(self, name: str) -> SkillNotFound:
        rule, library = self._rule, self.library
        tells = rule.hidden is Concealed.REFUSED and library.is_ambiguous(name)
        if tells or rule.hidden is Concealed.LOADED:
            return library.not_found(name)
        offered = self.library.offered
        return replace(self.library, skills=offered).not_found(name)

    def _decide(self, skill: Skill) -> Decision:
        decision = self.rules.evaluate(self._permission, skill.key)
        fields = self.library.dialect.permission.asked_about
        if decision.rule is None and fields and any(map(skill.fields.get, fields)):
            return replace(decision, action=Action.ASK)
        return decision

    def _ask_now(self, request: Request) -> Reply | bool:
        reply = self._answer(request)
        if inspect.isawaitable(reply):
            if inspect.iscoroutine(reply):
                reply.close()
            raise MetierError("`ask` is a coroutine function: use `acall`")
        return reply

    def _answer(self, request: Request) -> Reply | bool | Awaitable[Reply | bool]:
        return self.ask(request) if self.ask else Reply.REJECT

    def _accept(self, reply: Reply | bool, request: Request) -> bool:  # noqa: FBT001
        if reply is Reply.ALWAYS:
            self._always.update(request.always)
        return reply is True or reply in (Reply.ONCE, Reply.ALWAYS)

    def _load(
        self, skill: Skill, said: str, switch: Switch | None = None
    ) -> ToolResult:
        try:
            loaded = self.library.activate(skill, self._occasion(said, switch))
        except LoadError as error:
            return self._fail(skill.key, Cause.FAILURE, str(error))
        if self.ledger is not None:
            loaded = self.ledger.hand_over(loaded)
        return ToolResult(
            output=sendable(loaded.output),
            title=loaded.title,
            metadata={"name": loaded.name, "dir": loaded.directory},
            decision=self._decide(skill),
            activation=loaded,
        )

    def _occasion(self, said: str, switch: Switch | None) -> Occasion | None:
        if self.policy is None and not said:
            return None
        from metier.runtime.occasion import Occasion

        return Occasion(arguments=said, policy=self.policy, switch=switch)

    def _fail(self, name: str, cause: Cause, message: str) -> ToolResult:
        if self.ledger is not None:
            self.ledger.refuse(name, cause, message)
        return ToolResult(output=sendable(message), title="", is_error=True)

    def _refuse(self, decision: Decision) -> ToolResult:
        message = f"Permission denied: {decision.permission} {decision.subject}"
        failed = self._fail(decision.subject, Cause.PERMISSION, message)
        return replace(failed, decision=decision)


def _read(
    arguments: Mapping[str, Any] | str, parameter: str, more: str
) -> tuple[str, str, str | None]:
    """The name that a model asks for, what it says to it, or what is wrong with both.

    What it says is under `more`, to an agent whose tool has such a parameter.
    """
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError) as error:
            return "", "", f"the arguments are not JSON: {error}"
    if not isinstance(arguments, Mapping):
        return "", "", "the arguments are not an object"
    name, said = arguments.get(parameter), arguments.get(more) if more else None
    if not isinstance(name, str):
        fault = "missing" if name is None else "not a text"
        return "", "", f"the argument `{parameter}` is {fault}"
    if not isinstance(said, str | None):
        return name, "", f"the argument `{more}` is not text"
    return name, said or "", None
