"""Running programs for a skill: what they get, where they stand, what holds them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from posixpath import join
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from metier.core.execution import (
    Backend,
    Confinement,
    Ending,
    Limits,
    Order,
    Reach,
)
from metier.core.redaction import redact
from metier.core.roots import absolute_path
from metier.runtime.clearance import open_for_run, refuse
from metier.runtime.policy import RunPolicy
from metier.world.child_environment import build_environment, known_secrets
from metier.world.processes import LaunchFailed, Run
from metier.world.programs import Program
from metier.world.sandboxes import choose_backend, start
from metier.world.workplaces import Workplace, set_up

if TYPE_CHECKING:
    from metier.core.roots import Environment
    from metier.core.skill import Skill
    from metier.core.tree import Tree
    from metier.library import Library

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A program and its arguments; it starts in `folder`, or else in the project."""

    program: Program
    argv: tuple[str, ...]
    stdin: bytes = b""
    folder: str | None = None


class Switch:
    """Ends a run from another thread, also one that has not begun yet."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._run: Run | None = None
        self._is_off = False

    def turn_off(self) -> None:
        """End what runs, and whatever would be run later."""
        with self._lock:
            self._is_off = True
            if self._run is not None:
                self._run.stop()

    def watch(self, run: Run) -> None:
        """Let `run` be the one that is ended."""
        with self._lock:
            self._run = run
            if self._is_off:
                run.stop()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """What everything has in common that is run for one skill at one moment."""

    skill: Skill
    tree: Tree
    policy: RunPolicy
    environment: Environment
    backend: Backend

    def set_up(self) -> AbstractContextManager[Workplace]:
        """The folders for as long as something is run."""
        scratch = self.policy.scratch
        return set_up(self.tree, None if scratch is None else self._absolute(scratch))

    def order(self, job: Job, place: Workplace, limits: Limits) -> Order:
        """What is run in `place`, to the letter."""
        confinement = self._confinement(job, place)
        cwd = self._cwd(job, place)
        variables = build_environment(
            self.policy.environment,
            self.policy.settings,
            scratch=place.scratch,
            cwd=cwd,
            confinement=confinement,
            backend=self.backend,
        )
        return Order(
            program=job.program.path,
            argv=job.argv,
            environment=variables,
            cwd=cwd,
            stdin=job.stdin,
            limits=limits,
            confinement=confinement,
        )

    def run(
        self,
        job: Job,
        place: Workplace,
        *,
        limits: Limits | None = None,
        switch: Switch | None = None,
    ) -> Ending:
        """Run it, and hear it out; `RunRefused` where it could not be started."""
        limits = limits or self.policy.limits
        order = self.order(job, place, limits)
        try:
            run = start(order, self.backend)
            if switch is not None:
                switch.watch(run)
            outcome = run.finish()
        except LaunchFailed as error:
            raise self._not_started(job, error) from error
        return self._without_secrets(outcome, limits.output)

    def _not_started(self, job: Job, error: LaunchFailed) -> Exception:
        reason = (error.strerror or str(error)).lower()
        if error.stage == "start":
            message = f"`{job.argv[0]}` cannot be started: {reason}"
            return refuse("run-failed", message, self.skill)
        message = f"the sandbox cannot be put up ({error.stage}): {reason}"
        return refuse("run-no-sandbox", message, self.skill)

    def _without_secrets(self, outcome: Ending, limit: int) -> Ending:
        secrets = {*self.policy.secrets, *known_secrets(self.policy.settings)}
        return replace(
            outcome,
            stdout=redact(outcome.stdout, secrets)[:limit],
            stderr=redact(outcome.stderr, secrets)[:limit],
        )

    def _absolute(self, path: str) -> str:
        home = self.environment.home
        return absolute_path(path, base=self.environment.cwd, home=home)

    def _confinement(self, job: Job, place: Workplace) -> Confinement:
        readable = [place.skill, *job.program.readable]
        readable += map(self._absolute, self.policy.readable)
        writable = [place.scratch, *map(self._absolute, self.policy.writable)]
        project = self.project
        if project is not None and self.policy.project is Reach.READ:
            readable.append(project)
        if project is not None and self.policy.project is Reach.WRITE:
            writable.append(project)
        return Confinement(
            readable=tuple(dict.fromkeys(readable)),
            writable=tuple(dict.fromkeys(writable)),
            network=self.policy.network,
        )

    @property
    def project(self) -> str | None:
        """The folder of the project; None for one that would be the home folder."""
        home = self.environment.home
        project = self.environment.git_root or self.environment.cwd
        inside = join(home, "") if home else ""
        if self.policy.project is Reach.NONE or inside.startswith(join(project, "")):
            return None
        return project

    def _cwd(self, job: Job, place: Workplace) -> str:
        if job.folder is not None:
            return job.folder
        if self.policy.cwd is not None:
            return self._absolute(self.policy.cwd)
        return place.scratch if self.project is None else self.environment.cwd


def prepare_stage(
    library: Library, skill: Skill, policy: RunPolicy, tree: Tree | None = None
) -> Stage:
    """What it takes to run something for `skill`; `RunRefused` where nothing may be."""
    tree = open_for_run(library, skill, policy, tree)
    backend = choose_backend(policy.sandbox, policy.backends)
    if backend is None:
        message = "no sandbox works on this machine, and the policy requires one"
        help = "install bubblewrap, or Linux 6.12 or newer"
        raise refuse("run-no-sandbox", message, skill, help=help)
    return Stage(
        skill=skill,
        tree=tree,
        policy=policy,
        environment=library.environment,
        backend=backend,
    )


async def finish_off_loop(run: Callable[[Switch], T]) -> T:
    """What `run` gives, off the event loop; ended when this is cancelled."""
    import asyncio

    switch = Switch()
    try:
        return await asyncio.to_thread(run, switch)
    except asyncio.CancelledError:
        switch.turn_off()
        raise
