"""The command line; each command is imported when it is called."""

from __future__ import annotations

import sys
from importlib import import_module

import click

from metier.cli.options import GlobalOptions, global_options
from metier.errors import DialectError, MetierError, SkillNotFound, UnknownDialect

_COMMANDS = ("catalog", "list", "load", "match", "parse", "refs", "why")


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
    except SkillNotFound as error:
        click.echo(str(error), err=True)
        return 1
    except UnknownDialect as error:
        click.echo(f"error: {error}", err=True)
        click.echo(f"help: one of {', '.join(error.known)}", err=True)
        return 2
    except (MetierError, OSError) as error:
        click.echo(f"error: {error}", err=True)
        return 2 if isinstance(error, DialectError | OSError) else 1
    return result if isinstance(result, int) else 0
