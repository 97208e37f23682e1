"""What is put into a template, and the text that comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import NamedTuple

from metier.core.arguments import split_arguments
from metier.core.record import record
from metier.core.substitution import Last, Missing, Placeholder, Substitution, Variable
from metier.core.templates import (
    Command,
    FileInsertion,
    Part,
    Template,
    Text,
    Value,
)

Variables = Mapping[Variable, str]


@record
class Values:
    """What is put in: what was typed, its words, and the variables that are known."""

    raw: str = ""
    words: tuple[str, ...] = ()
    variables: Variables = field(default_factory=dict[Variable, str])
    swallows: int | None = None  # the place of the `$N` that takes all the rest

    def of(self, part: Part) -> str:
        """What stands for `part`."""
        found = self.of_known(part)
        if found is not None:
            return found
        return part.text if isinstance(part, Text) else part.source

    def of_known(self, part: Part) -> str | None:
        """The value that `part` stands for; None where it stays as it is written."""
        if isinstance(part, Text):
            return None
        if isinstance(part, Value):
            return self.variables.get(part.variable)
        if part.kind is Placeholder.ALL:
            return self.raw
        if not 0 <= part.place < len(self.words):
            return None if part.if_missing is Missing.VERBATIM else ""
        if part.kind is Placeholder.POSITION and part.place == self.swallows:
            return " ".join(self.words[part.place :])
        return self.words[part.place]


class Prepared(NamedTuple):
    """Values for one template; `problem` where the arguments make no sense."""

    values: Values
    problem: str | None = None


def prepare_values(
    template: Template, rule: Substitution, raw: str, variables: Variables
) -> Prepared:
    """What a template with these placeholders takes out of the arguments."""
    places = [a.place for a in template.arguments if a.kind is Placeholder.POSITION]
    swallows = max(places, default=None) if rule.last is Last.REST else None
    words, problem = split_arguments(raw, rule.splitting, rule.unbalanced)
    if problem and next(template.arguments, None) is None:
        problem = None
    values = Values(raw=raw, words=words, variables=variables, swallows=swallows)
    return Prepared(values, problem)


def render_template(
    template: Template,
    values: Values,
    *,
    outputs: Sequence[str | None] = (),
    contents: Sequence[str | None] = (),
) -> str:
    """The body with everything put in.

    `outputs` are those of the commands, `contents` those of the files, in order; what
    has none stays as it is written, but for the variables in it.
    """
    output, content = iter(outputs), iter(contents)
    pieces: list[str] = []
    for segment in template.segments:
        if isinstance(segment, Command):
            said = next(output, None)
            left = _as_left(template.body, segment, values)
            pieces.append(left if said is None else said)
        elif isinstance(segment, FileInsertion):
            text = next(content, None)
            pieces.append(segment.source if text is None else text)
        else:
            pieces.append(values.of(segment))
    return "".join(pieces)


def _as_left(body: str, command: Command, values: Values) -> str:
    """A command that is not run, as it stands there: arguments are not filled in."""
    return _spliced(
        body,
        command,
        lambda part: values.of_known(part) if isinstance(part, Value) else None,
    )


def render_command(body: str, command: Command, values: Values) -> str:
    """A command with its marks and the values in it: for people, and for no shell."""
    return _spliced(body, command, values.of_known)


def _spliced(
    body: str, command: Command, value_of: Callable[[Part], str | None]
) -> str:
    pieces: list[str] = []
    done = command.span.start
    for part in command.parts:
        value = value_of(part)
        if value is not None:
            pieces += (body[done : part.span.start], value)
            done = part.span.end
    return "".join((*pieces, body[done : command.span.end]))


def render_appendix(template: Template, rule: Substitution, raw: str) -> str:
    """What is put behind a body that uses no argument, though there are some."""
    if not raw.strip() or not template.fills_arguments:
        return ""
    if next(template.arguments, None) is not None:
        return ""
    return rule.append.format(arguments=raw)
