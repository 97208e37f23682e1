"""Running a script of a skill: for a program, and as a tool for a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from metier.core.events import Cause
from metier.core.execution import Ending
from metier.core.interpreters import NATIVE, find_interpreter, is_script
from metier.core.permission import SCRIPT_PERMISSION, Action, Decision
from metier.core.resources import parse_place
from metier.core.script_arguments import ArgumentsInvalid, read_arguments
from metier.core.script_results import (
    SCRATCH,
    SKILL_COPY,
    RunPlan,
    ScriptResult,
    render_result,
)
from metier.core.tree import digest_bytes
from metier.errors import LoadError
from metier.runtime.clearance import cleared_skills, refuse
from metier.runtime.model_tool import ArgumentError, Call, ModelTool
from metier.runtime.policy import RunPolicy
from metier.runtime.resources import read_bytes, refused_place
from metier.runtime.runs import Job, Stage, Switch, finish_off_loop, prepare_stage
from metier.runtime.tool import Request, ToolResult
from metier.world.environment import read_search_path
from metier.world.programs import Program, find_program
from metier.world.workplaces import Workplace

if TYPE_CHECKING:
    from metier.core.permission import Ruleset
    from metier.core.skill import Skill
    from metier.library import Library
    from metier.runtime.ledger import Ledger
    from metier.runtime.tool import Ask, AsyncAsk

Arguments = Sequence[str] | Mapping[str, object]
_PLANNED = Workplace(SKILL_COPY, SCRATCH)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptRun:
    """A script that is ready to be run: what was read is what will be run."""

    stage: Stage
    script: str
    data: bytes
    program: Program | None
    before: tuple[str, ...]
    arguments: tuple[str, ...]
    stdin: bytes

    @property
    def plan(self) -> RunPlan:
        """Exactly what would be run."""
        limits = self.stage.policy.limits
        order = self.stage.order(self._job(_PLANNED), _PLANNED, limits)
        return RunPlan(
            skill=self.stage.skill.name,
            script=self.script,
            digest=digest_bytes(self.data),
            argv=order.argv,
            environment=tuple(sorted(order.environment)),
            cwd=order.cwd,
            sandbox=self.stage.backend,
            confinement=order.confinement,
            limits=limits,
            stdin_size=len(self.stdin),
        )

    def run(self, switch: Switch | None = None) -> ScriptResult:
        """Run it; `RunRefused` where it could not be started."""
        with self.stage.set_up() as place:
            outcome = self.stage.run(self._job(place), place, switch=switch)
        return self._result(outcome)

    async def arun(self) -> ScriptResult:
        """`run`, off the event loop; the script ends when this is cancelled."""
        return await finish_off_loop(self.run)

    def _job(self, place: Workplace) -> Job:
        path = f"{place.skill}/{self.script}"
        program = self.program or Program(path)
        front = (program.path, *self.before, path) if self.program else (path,)
        return Job(program=program, argv=(*front, *self.arguments), stdin=self.stdin)

    def _result(self, outcome: Ending) -> ScriptResult:
        return ScriptResult(
            skill=self.stage.skill.name,
            script=self.script,
            exit_code=outcome.exit_code,
            signal=outcome.signal,
            stdout_bytes=outcome.stdout,
            stderr_bytes=outcome.stderr,
            stdout_is_cut=outcome.stdout_is_cut,
            stderr_is_cut=outcome.stderr_is_cut,
            seconds=outcome.seconds,
            timed_out=outcome.timed_out,
            sandbox=outcome.backend,
        )


def prepare_script(
    library: Library,
    skill: Skill,
    path: str,
    arguments: object = (),
    *,
    stdin: str | bytes = b"",
    policy: RunPolicy,
) -> ScriptRun:
    """The run of a script of `skill`, before it begins.

    `RunRefused` for what is not to be run, `ResourceError` for what is no file of it.
    """
    try:
        words = read_arguments(arguments)
    except ArgumentsInvalid as error:
        raise refuse("run-arguments", str(error), skill) from error
    place = parse_place(path)
    if place.refusal is not None:
        raise refused_place(skill, path, place.refusal)
    stage = prepare_stage(library, skill, policy)
    data = read_bytes(library, skill, stage.tree, place.path)
    interpreter = find_interpreter(place.path, data)
    if interpreter is None:
        message = f"nothing says how `{place.path}` is run: it has no `#!` line"
        raise refuse("run-no-interpreter", message, skill)
    program = None
    if interpreter is not NATIVE:
        folders = read_search_path()
        home = library.environment.home
        program = find_program(interpreter.names, folders, home)
        if program is None:
            message = f"there is no `{interpreter.names[-1]}` to run `{place.path}`"
            raise refuse("run-no-interpreter", message, skill)
    return ScriptRun(
        stage=stage,
        script=place.path,
        data=data,
        program=program,
        before=interpreter.arguments,
        arguments=words,
        stdin=_bytes(stdin),
    )


def _bytes(text: str | bytes) -> bytes:
    return text.encode("utf-8", "replace") if isinstance(text, str) else text


# --- the tool -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptCall(Call):
    """A call with the run that it asks for."""

    run: ScriptRun
    switch: Switch = field(default_factory=Switch)

    def stop(self) -> None:
        self.switch.turn_off()


class ScriptTool(ModelTool):
    """The tool with which a model runs the scripts of skills.

    Every script is a question, unless a rule for the permission `run_script` says
    otherwise: its subject is the skill and the path, `pdf/scripts/fill.py`. Who says
    "always" means the script with what the skill holds now.
    """

    name = "run_script"
    description = (
        "Run a script of a skill that you have loaded, as its instructions say. Give "
        "each argument by itself: no shell takes them apart."
    )
    required = ("script",)

    def __init__(
        self,
        *,
        library: Library,
        rules: Ruleset,
        policy: RunPolicy,
        ask: Ask | AsyncAsk | None = None,
        ledger: Ledger | None = None,
    ) -> None:
        super().__init__(library=library, rules=rules, ask=ask, ledger=ledger)
        self.policy = policy

    @property
    def names(self) -> tuple[str, ...]:
        """The skills with scripts that may be run."""
        opened = [each for each in self.library if self._is_open(each)]
        with_scripts = [each for each in opened if self._has_scripts(each)]
        cleared = cleared_skills(self.library, with_scripts, self.policy)
        return tuple(dict.fromkeys(each.key for each in cleared))

    def _has_scripts(self, skill: Skill) -> bool:
        listed = self.library.resources(skill)
        return listed.is_cut or any(map(is_script, listed.paths))

    @property
    def properties(self) -> dict[str, Any]:
        return {
            "script": {
                "type": "string",
                "description": "The script, relative to the skill's folder",
            },
            "arguments": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Its arguments, one by one",
            },
            "stdin": {
                "type": "string",
                "description": "What the script reads from its standard input",
            },
        }

    def _read_call(self, arguments: Mapping[str, Any] | str) -> ScriptCall:
        call = super()._read_call(arguments)
        values = call.arguments
        try:
            run = prepare_script(
                self.library,
                call.skill,
                values["script"],
                values.get("arguments"),
                stdin=_text(values, "stdin"),
                policy=self.policy,
            )
        except LoadError as error:
            cause, name = Cause.FAILURE, call.skill.key
            raise ArgumentError(str(error), name=name, cause=cause) from error
        return ScriptCall(skill=call.skill, arguments=values, run=run)

    def _request(self, call: Call) -> Request | None:
        decision, run = self._decide(call), _script_of(call).run
        key = f"{decision.subject} {run.stage.tree.digest}"
        if decision.action is Action.ALLOW or key in self._always:
            return None
        return Request(
            permission=SCRIPT_PERMISSION,
            name=call.skill.key,
            patterns=(decision.subject,),
            always=(key,),
            decision=decision,
            plan=run.plan,
        )

    def _decide(self, call: Call) -> Decision:
        subject = f"{call.skill.key}/{_script_of(call).run.script}"
        decision = self.rules.evaluate(SCRIPT_PERMISSION, subject)
        # What holds for loading skills where no rule speaks says nothing about this.
        return decision if decision.rule else replace(decision, action=Action.ASK)

    def _run(self, call: Call) -> ToolResult:
        asked = _script_of(call)
        result = asked.run.run(asked.switch)
        if self.ledger is not None:
            self.ledger.note_script(call.skill.key, result)
        return ToolResult(
            output=render_result(result),
            title=f"{result.skill}/{result.script}",
            is_error=not result.is_good,
            metadata={
                "name": result.skill,
                "script": result.script,
                "sandbox": result.sandbox.value,
            },
            decision=self._decide(call),
        )


def _script_of(call: Call) -> ScriptCall:
    if not isinstance(call, ScriptCall):
        raise TypeError("a call without a script")
    return call


def _text(values: Mapping[str, Any], key: str) -> str:
    value = values.get(key) or ""
    if not isinstance(value, str):
        raise ArgumentError(f"the argument `{key}` is not text")
    return value
