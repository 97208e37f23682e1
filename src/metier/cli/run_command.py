"""`metier run`: a script of a trusted skill, in a sandbox."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import Enum
from typing import Any, TypeVar

import click

from metier.cli.discovery import discover_with
from metier.cli.options import GlobalOptions, global_options, root_option
from metier.cli.output import write_exact, write_line, write_note
from metier.core.execution import Backend, Limits, Network, Reach, Sandbox
from metier.core.roots import Trust
from metier.core.script_results import RunPlan, ScriptResult
from metier.engine import RootLike
from metier.report.jsons import JSON_VERSION, render_json
from metier.report.plans import render_plan
from metier.runtime.policy import RunPolicy

# As `timeout` and the shells have it.
_TIMED_OUT, _KILLED = 124, 128
F = TypeVar("F", bound=Callable[..., Any])


def _choice(name: str, default: Enum, help: str) -> Callable[[F], F]:
    kind = type(default)

    def read(_context: click.Context, _option: click.Parameter, value: str) -> Enum:
        return kind(value)

    return click.option(
        name,
        type=click.Choice([each.value for each in kind]),
        default=default.value,
        show_default=True,
        callback=read,
        help=help,
    )


_OPTIONS = (
    _choice("--sandbox", Sandbox.REQUIRED, "Whether a sandbox has to hold it."),
    _choice("--project", Reach.READ, "What it may do with the files of the project."),
    _choice("--network", Network.NONE, "Which sockets it may open."),
    click.option(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True),
        default=Limits().seconds,
        show_default=True,
        metavar="SECONDS",
        help="How long it may take.",
    ),
)


def _policy_options(function: F) -> F:
    """Give a command the options of a policy, gathered in one argument `policy`."""

    @functools.wraps(function)
    def wrapper(*, timeout: float, **given: Any) -> Any:
        chosen = {name: given.pop(name) for name in ("sandbox", "project", "network")}
        limits = replace(Limits(), seconds=timeout)
        return function(policy=RunPolicy(limits=limits, **chosen), **given)

    for option in reversed(_OPTIONS):
        wrapper = option(wrapper)
    return wrapper  # pyright: ignore[reportReturnType]


@click.command("run")
@click.argument("name")
@click.argument("script")
@click.argument("arguments", nargs=-1)
@click.option("--dry-run", is_flag=True, help="Say what would be run, and run nothing.")
@click.option("--stdin", "is_fed", is_flag=True, help="Hand standard input to it.")
@_policy_options
@root_option
@global_options
def command(
    options: GlobalOptions,
    roots: tuple[RootLike, ...],
    policy: RunPolicy,
    name: str,
    script: str,
    arguments: Sequence[str],
    dry_run: bool,  # noqa: FBT001
    is_fed: bool,  # noqa: FBT001
) -> int:
    """Run SCRIPT, a file of the skill NAME, with ARGUMENTS.

    Only the scripts of skills that you trust are run: your own, and those of a project
    that you agreed to with `metier trust`. Options for the script stand behind `--`.
    The exit code is that of the script; 124 says that it took too long.
    """
    library = discover_with(options, roots, trust=Trust.STORED)
    food = sys.stdin.buffer.read() if is_fed else b""
    run = library.prepare_script(name, script, arguments, stdin=food, policy=policy)
    if not dry_run:
        return _tell(run.run(), options)
    _write_plan(run.plan, options)
    return 0


def _write_plan(plan: RunPlan, options: GlobalOptions) -> None:
    if options.json:
        write_line(render_json({"version": JSON_VERSION, **plan.as_json()}))
    else:
        write_line(render_plan(plan))


def _tell(result: ScriptResult, options: GlobalOptions) -> int:
    if options.json:
        write_line(render_json({"version": JSON_VERSION, **result.as_json()}))
        return 0 if result.is_good else 1
    write_exact(result.stdout_bytes.decode("utf-8", "surrogateescape"))
    sys.stderr.buffer.write(result.stderr_bytes)
    sys.stderr.flush()
    if result.stdout_is_cut or result.stderr_is_cut:
        write_note("there was more output than is kept", options)
    if result.sandbox is Backend.NONE:
        write_note("no sandbox held it", options)
    if result.timed_out:
        write_note("it took too long, and was ended", options)
        return _TIMED_OUT
    if result.exit_code is None:
        return _KILLED + (result.signal or 0)
    return result.exit_code
