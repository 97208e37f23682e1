"""What the tools beside `skill` share: each is about one skill and its permission."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from metier.core.definitions import DefinitionKind, define_tool
from metier.core.escaping import sendable
from metier.core.events import Cause
from metier.core.permission import Action, Decision, Ruleset
from metier.errors import LoadError, MetierError
from metier.runtime.tool import Reply, Request, ToolResult

if TYPE_CHECKING:
    from metier.core.skill import Skill
    from metier.library import Library
    from metier.runtime.ledger import Ledger
    from metier.runtime.tool import Ask, AsyncAsk


class ArgumentError(Exception):
    """What is wrong with the arguments of a model, in words for it."""

    def __init__(
        self, message: str, *, name: str = "", cause: Cause = Cause.ARGUMENTS
    ) -> None:
        super().__init__(message)
        self.name = name
        self.cause = cause


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call that makes sense: about which skill, and with what."""

    skill: Skill
    arguments: Mapping[str, Any]

    def stop(self) -> None:
        """Nobody waits for the answer any more."""


class ModelTool:
    """A tool that is about the files of one skill.

    It is for the skills that the model may load. One that is hidden from the model
    counts from when a person has asked for it: a ledger knows that, or say so with
    `unlock`.
    """

    name: str
    description: str

    def __init__(
        self,
        *,
        library: Library,
        rules: Ruleset,
        ask: Ask | AsyncAsk | None = None,
        ledger: Ledger | None = None,
    ) -> None:
        self.library = library.permitted(rules)
        self.rules = rules
        self.ask = ask
        self.ledger = ledger
        self._permission = library.dialect.permission.name
        self._always: set[str] = set()
        self._unlocked: set[str] = set()

    def renew(self, library: Library) -> None:
        """Read from `library` from now on; a definition that was given stays."""
        self.library = library.permitted(self.rules)

    @property
    def names(self) -> tuple[str, ...]:
        """The skills that it is for."""
        return tuple(dict.fromkeys(s.key for s in self.library if self._is_open(s)))

    @property
    def is_offered(self) -> bool:
        """Whether there is anything to offer; if not, leave the tool out."""
        return bool(self.names)

    def unlock(self, name: str) -> None:
        """A person has asked for this skill: the model may see what is in it."""
        self._unlocked.add(name)
        self._always.add(name)

    def _is_open(self, skill: Skill) -> bool:
        active = self.ledger.active if self.ledger is not None else ()
        return not skill.is_hidden or skill.key in (*self._unlocked, *active)

    @property
    def properties(self) -> dict[str, Any]:
        """The arguments beside the skill, as JSON Schema."""
        raise NotImplementedError

    required: tuple[str, ...] = ()

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the arguments."""
        skill: dict[str, Any] = {
            "type": "string",
            "description": "The name of the skill",
        }
        # Asked for once: a script tool looks at the files of every skill for it.
        names = tuple(dict.fromkeys(map(sendable, self.names)))
        if names:
            skill["enum"] = list(names)
        return {
            "type": "object",
            "properties": {"skill": skill, **self.properties},
            "required": ["skill", *self.required],
            "additionalProperties": False,
        }

    def definition(self, kind: DefinitionKind = "json-schema") -> dict[str, Any]:
        """One entry of the list of tools, as a provider wants it."""
        about, schema = self.description, self.schema
        return define_tool(kind, name=self.name, description=about, schema=schema)

    def call(self, arguments: Mapping[str, Any] | str) -> ToolResult:
        """Do it for the model; what goes wrong is an error result."""
        prepared = self._prepare(arguments)
        if isinstance(prepared, ToolResult):
            return prepared
        call, request = prepared
        if request is not None:
            reply = self._answer(request)
            if inspect.isawaitable(reply):
                if inspect.iscoroutine(reply):
                    reply.close()
                raise MetierError("`ask` is a coroutine function: use `acall`")
            if not self._accept(reply, request):
                return self._refuse(request.decision)
        return self._answered(call)

    async def acall(self, arguments: Mapping[str, Any] | str) -> ToolResult:
        """`call`, with an `ask` that may be a coroutine function.

        What it started ends when the task is cancelled.
        """
        import asyncio

        prepared = await asyncio.to_thread(self._prepare, arguments)
        if isinstance(prepared, ToolResult):
            return prepared
        call, request = prepared
        if request is not None:
            reply = self._answer(request)
            if inspect.isawaitable(reply):
                reply = await reply
            if not self._accept(reply, request):
                return self._refuse(request.decision)
        try:
            return await asyncio.to_thread(self._answered, call)
        except asyncio.CancelledError:
            call.stop()
            raise

    def _prepare(
        self, arguments: Mapping[str, Any] | str
    ) -> ToolResult | tuple[Call, Request | None]:
        """The call, and what to ask before it; or what is wrong with it."""
        try:
            call = self._read_call(arguments)
        except ArgumentError as error:
            return self._fail(error.name, error.cause, str(error))
        request = self._request(call)
        if request is not None and request.decision.action is Action.DENY:
            return self._refuse(request.decision)
        return call, request

    def _read_call(self, arguments: Mapping[str, Any] | str) -> Call:
        values = _as_mapping(arguments)
        for key in ("skill", *self.required):
            if not isinstance(given := values.get(key), str):
                fault = "missing" if given is None else "not a text"
                raise ArgumentError(f"the argument `{key}` is {fault}")
        name = values["skill"]
        skill = self.library.get(name)
        if skill is None or not self._is_open(skill):
            known = ", ".join(self.names) or "none"
            message = f"there is no skill `{name}`; available: {known}"
            raise ArgumentError(message, name=name, cause=Cause.UNKNOWN)
        return Call(skill=skill, arguments=values)

    def _request(self, call: Call) -> Request | None:
        decision, name = self._decide(call), call.skill.key
        if decision.action is Action.ALLOW or name in self._always:
            return None
        return Request(
            permission=self._permission,
            name=name,
            patterns=(name,),
            always=(name,),
            decision=decision,
        )

    def _decide(self, call: Call) -> Decision:
        return self.rules.evaluate(self._permission, call.skill.key)

    def _answer(self, request: Request) -> Any:
        return self.ask(request) if self.ask else Reply.REJECT

    def _accept(self, reply: Any, request: Request) -> bool:
        if reply is Reply.ALWAYS:
            self._always.update(request.always)
        return reply is True or reply in (Reply.ONCE, Reply.ALWAYS)

    def _answered(self, call: Call) -> ToolResult:
        try:
            return self._run(call)
        except ArgumentError as error:
            return self._fail(call.skill.key, error.cause, str(error))
        except LoadError as error:
            return self._fail(call.skill.key, Cause.FAILURE, str(error))

    def _run(self, call: Call) -> ToolResult:
        raise NotImplementedError

    def _fail(self, name: str, cause: Cause, message: str) -> ToolResult:
        if self.ledger is not None:
            self.ledger.refuse(name, cause, message)
        return failed(message)

    def _refuse(self, decision: Decision) -> ToolResult:
        failure = refused(decision)
        if self.ledger is not None:
            self.ledger.refuse(decision.subject, Cause.PERMISSION, failure.output)
        return failure


def _as_mapping(arguments: Mapping[str, Any] | str) -> Mapping[str, Any]:
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError) as error:
            raise ArgumentError(f"the arguments are not JSON: {error}") from error
    if not isinstance(arguments, Mapping):
        raise ArgumentError("the arguments are not an object")
    return arguments


def failed(message: str) -> ToolResult:
    """A result that tells the model what went wrong."""
    return ToolResult(output=sendable(message), title="", is_error=True)


def refused(decision: Decision) -> ToolResult:
    """A result that tells the model that it may not."""
    message = f"Permission denied: {decision.permission} {decision.subject}"
    return replace(failed(message), decision=decision)
