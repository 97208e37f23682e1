"""The options that every command takes, before or behind its name."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import fields, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

import click

from metier.core.record import record
from metier.core.roots import Trust

if TYPE_CHECKING:
    from metier.core.requirements import Unmet

F = TypeVar("F", bound=Callable[..., Any])


class Color(Enum):
    """When to colour."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class Verbosity(Enum):
    """How much is said on stderr."""

    QUIET = "quiet"
    NORMAL = "normal"
    VERBOSE = "verbose"


@record
class GlobalOptions:
    """What the caller set; None where nothing was said."""

    dialect: str | None = None
    cwd: str | None = None
    home: str | None = None
    json: bool | None = None
    color: str | None = None
    quiet: bool | None = None
    verbose: bool | None = None

    @property
    def verbosity(self) -> Verbosity:
        if self.quiet:
            return Verbosity.QUIET
        return Verbosity.VERBOSE if self.verbose else Verbosity.NORMAL

    @property
    def is_colored(self) -> bool | None:
        """True, False, or None where click may decide."""
        if self.color not in (None, Color.AUTO.value):
            return self.color == Color.ALWAYS.value
        if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
            return False
        return None

    def over(self, outer: GlobalOptions | None) -> GlobalOptions:
        """These options, with those of `outer` where these say nothing."""
        if outer is None:
            return self
        if self.quiet or self.verbose:
            outer = replace(outer, quiet=None, verbose=None)
        values = {
            each.name: _first(getattr(self, each.name), getattr(outer, each.name))
            for each in fields(self)
        }
        return GlobalOptions(**values)


def _first(value: Any, other: Any) -> Any:
    return other if value is None else value


_OPTIONS = (
    click.option("--dialect", metavar="NAME", help="Whose rules: see the docs."),
    click.option(
        "--cwd",
        metavar="DIR",
        type=click.Path(exists=True, file_okay=False, readable=False),
        help="Where the agent stands.",
    ),
    click.option("--home", metavar="DIR", help="Whose home it is."),
    click.option("--json", is_flag=True, default=None, help="Print JSON."),
    click.option(
        "--color", type=click.Choice([c.value for c in Color]), help="When to colour."
    ),
    click.option("-q", "--quiet", is_flag=True, default=None, help="Only the data."),
    click.option(
        "-v", "--verbose", is_flag=True, default=None, help="Every finding too."
    ),
)


def global_options(function: F) -> F:
    """Give a command the global options, gathered in one argument `options`."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        given = {each.name: kwargs.pop(each.name) for each in fields(GlobalOptions)}
        context = click.get_current_context()
        outer = context.parent.obj if context.parent else None
        kwargs["options"] = GlobalOptions(**given).over(outer)
        return function(*args, **kwargs)

    for option in reversed(_OPTIONS):
        wrapper = option(wrapper)
    return wrapper  # pyright: ignore[reportReturnType]


# Longer numbers belong to the path; Python itself refuses those of 5,000 digits.
_MAX_DIGITS = 10


class RootType(click.ParamType[Any]):
    """`DIR` or `DIR:PRECEDENCE`."""

    name = "DIR[:PRECEDENCE]"

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,  # noqa: ARG002
        ctx: click.Context | None,  # noqa: ARG002
    ) -> str | tuple[str, int]:
        path, colon, number = str(value).rpartition(":")
        if colon and path and number.isdecimal() and len(number) < _MAX_DIGITS:
            return path, int(number)
        return str(value)


root_option = click.option(
    "--root",
    "roots",
    multiple=True,
    type=RootType(),
    help="Scan this folder instead of the dialect's own (repeatable).",
)


def _as_trust(_context: click.Context, _option: click.Parameter, value: str) -> Trust:
    return Trust(value)


trust_option = click.option(
    "--trust",
    type=click.Choice([each.value for each in Trust]),
    default=Trust.ALL.value,
    show_default=True,
    callback=_as_trust,
    help="Which skills of a project count: all, those of a folder that you trust, "
    "what you have approved of it, or none.",
)


# What stands in `metier.core.requirements.Unmet`, which no start has to load.
UNMET = ("ignore", "warn", "hide")


def _as_unmet(
    _context: click.Context, _option: click.Parameter, value: str | None
) -> Unmet | None:
    if value is None:
        return None
    from metier.core.requirements import Unmet

    return Unmet(value)


unmet_option = click.option(
    "--unmet",
    type=click.Choice(UNMET),
    callback=_as_unmet,
    help="What becomes of a skill that needs what is not here (without it, what the "
    "dialect says): nothing, a warning, or hidden from the model.",
)


def require_one_dialect(options: GlobalOptions) -> None:
    """Refuse `--dialect all` where only one makes sense."""
    if options.dialect == "all":
        raise click.UsageError("`--dialect all` is for `metier why` and `matrix`")
