"""The command line; each command is imported when it is called."""

from __future__ import annotations

import gc
import sys
from importlib import import_module

import click

from metier.cli.options import GlobalOptions, global_options
from metier.errors import LoadError, MetierError, SkillNotFound, UnknownDialect

# One a line, so that two new ones never meet on it.
_COMMANDS = (
    "catalog",
    "diff",
    "hosts",
    "list",
    "load",
    "match",
    "matrix",
    "parse",
    "refs",
    "run",
    "trust",
    "why",
)


class _LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(_COMMANDS)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002
        cmd_name: str,
    ) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        return import_module(f"metier.cli.{cmd_name}_command").command


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit: 0 fine, 1 findings or not found, 2 usage or internal error, "
    "3 nothing matched.",
)
@click.version_option(package_name="metier", prog_name="metier")
@global_options
@click.pass_context
def cli(context: click.Context, options: GlobalOptions) -> None:
    """Find, read, rank, show and load agent skills, and say why."""
    context.obj = options


def main() -> None:
    """The console script."""
    # Starting makes much and drops little: looking for garbage costs it milliseconds.
    gc.set_threshold(50_000)
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command line; the exit code."""
    try:
        result = cli.main(arguments, prog_name="metier", standalone_mode=False)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code if isinstance(error, click.UsageError) else 2
    except click.Abort:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except Exception as error:  # noqa: BLE001, a user gets a sentence, never a traceback
        return _explain(error)
    return result if isinstance(result, int) else 0


def _explain(error: Exception) -> int:
    """Say on stderr what went wrong; the exit code that goes with it."""
    match error:
        case SkillNotFound():
            click.echo(str(error), err=True)
            return 1
        case UnknownDialect():
            click.echo(f"error: {error}", err=True)
            click.echo(f"help: one of {', '.join(error.known)}", err=True)
            return 2
        case LoadError():
            click.echo(f"error: {error}", err=True)
            return 1
        case MetierError() | OSError():
            click.echo(f"error: {error}", err=True)
            return 2
        case _:
            click.echo(f"internal error: {error!r}", err=True)
            click.echo("help: please report it, with the command line", err=True)
            return 2
