"""Commands in a body, run under a policy: what each says stands in its place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from metier.core.execution import Ending, Limits
from metier.core.filling import Values, render_command
from metier.core.inserts import CommandRun, Insert, Said, read_ending, render_insert
from metier.core.shell_scripts import Script, build_script, merge_streams
from metier.core.substitution import (
    CommandFolder,
    CommandRule,
    Repeats,
    Streams,
    Variable,
    substitution_of,
)
from metier.errors import RunRefused
from metier.runtime.policy import Insertion, RunPolicy
from metier.runtime.runs import Job, Stage, Switch, prepare_stage
from metier.world.environment import read_search_path
from metier.world.programs import Program, find_program

if TYPE_CHECKING:
    from metier.core.skill import Skill
    from metier.core.templates import Command, Template
    from metier.core.tree import Tree
    from metier.library import Library
    from metier.world.workplaces import Workplace


class Outputs(NamedTuple):
    """What stands for each command, and what was run; `problem` where there is none.

    None stands for a command that stays as it is written. `words` are the agent's own
    for the problem, if it has some.
    """

    texts: tuple[str | None, ...]
    runs: tuple[CommandRun, ...] = ()
    problem: str | None = None
    words: str = ""


def run_commands(
    library: Library,
    skill: Skill,
    tree: Tree | None,
    template: Template,
    values: Values,
    policy: RunPolicy,
    switch: Switch | None = None,
) -> Outputs:
    """Run the commands of a body, one after the other, if `policy` lets them."""
    rule = substitution_of(library.dialect).commands
    commands = template.commands
    if not commands or policy.commands is Insertion.LEFT:
        return Outputs((None,) * len(commands))
    if policy.commands is Insertion.DISABLED:
        return Outputs((rule.disabled,) * len(commands))
    try:
        stage = prepare_stage(library, skill, policy, tree)
    except RunRefused as refusal:
        if refusal.rule not in _ABOUT_TRUST:
            raise
        return Outputs((rule.untrusted,) * len(commands))
    with stage.set_up() as place:
        return _Round(stage, place, values, rule, switch).run(template)


_ABOUT_TRUST = ("run-untrusted", "run-out-of-scope")


class _Round:
    """One round through the commands of a body."""

    def __init__(
        self,
        stage: Stage,
        place: Workplace,
        values: Values,
        rule: CommandRule,
        switch: Switch | None,
    ) -> None:
        self.stage = stage
        self.place = place
        self.rule = rule
        self.switch = switch
        self.shown = values
        # A script of the skill that a command runs is that of the copy.
        own = {**values.variables, Variable.SKILL_DIRECTORY: place.skill}
        self.values = replace(values, variables=own)
        self.seconds = stage.policy.limits.total_seconds
        home = stage.environment.home
        self.shell = find_program((rule.shell,), read_search_path(), home)
        self.runs: list[CommandRun] = []
        self.known: dict[str, Insert] = {}
        self.count = 0

    def run(self, template: Template) -> Outputs:
        texts: list[str] = []
        for command in template.commands:
            written = render_command(template.body, command, self.shown)
            insert = self._insert(command, written)
            if insert.problem is not None:
                return Outputs((), tuple(self.runs), insert.problem, insert.text)
            texts.append(insert.text)
        return Outputs(tuple(texts), tuple(self.runs))

    def _insert(self, command: Command, written: str) -> Insert:
        source = command.source
        if self.rule.repeats is Repeats.ONCE and source in self.known:
            return self.known[source]
        self.count += 1
        if self.count > self._most():
            return Insert(self.rule.over_limit)
        said = self._say(command)
        insert = render_insert(source, said, self.rule, written=written)
        self.known[source] = insert
        return insert

    def _most(self) -> int:
        most = self.stage.policy.limits.commands
        return min(most, self.rule.max_commands) if self.rule.max_commands else most

    def _say(self, command: Command) -> Said:
        script = build_script(command, self.values)
        if script.problem is not None:
            return Said(problem=script.problem)
        if self.shell is None:
            return Said(problem=f"there is no `{self.rule.shell}`")
        if self.seconds <= 0:
            return Said(timed_out=True, seconds=self._limits().seconds)
        if self.rule.streams is Streams.MERGED:
            script = merge_streams(script)
        limits = self._limits()
        job = self._job(self.shell, script)
        run = self.stage.run
        outcome = run(job, self.place, limits=limits, switch=self.switch)
        self.seconds -= outcome.seconds
        self.runs.append(_record(command.source.strip(), outcome))
        return read_ending(outcome, self.rule, limits.seconds)

    def _job(self, shell: Program, script: Script) -> Job:
        name = self.rule.shell
        # Behind `--`, no text is taken for an option.
        argv = (name, "-c", "--", script.text, name, *script.parameters)
        in_skill = self.rule.folder is CommandFolder.SKILL
        folder = self.place.skill if in_skill else None
        return Job(program=shell, argv=argv, folder=folder)

    def _limits(self) -> Limits:
        limits = self.stage.policy.limits
        seconds = min(limits.seconds, max(self.seconds, 0) or limits.seconds)
        if self.rule.timeout:
            seconds = min(seconds, self.rule.timeout)
        return replace(limits, seconds=seconds)


def _record(command: str, outcome: Ending) -> CommandRun:
    return CommandRun(
        command=command,
        exit_code=outcome.exit_code,
        timed_out=outcome.timed_out,
        seconds=outcome.seconds,
        sandbox=outcome.backend,
    )
