"""Commands that take the name of a skill, which may look like an option."""

from __future__ import annotations

import re

import click

# `-lead` is a name, `--lead` an option that somebody mistyped.
_NAME_LIKE = re.compile("-[^-].+", re.DOTALL)


class NameCommand(click.Command):
    """Takes what looks like short options as NAME, where there are no such options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption:
            names = [each for each in given if _NAME_LIKE.fullmatch(each)]
            if len(names) != 1 or "--" in given:
                raise
            given.remove(names[0])
            return super().parse_args(ctx, [*given, "--", *names])
