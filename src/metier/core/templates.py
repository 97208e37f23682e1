"""A body as a template: cut into segments first, filled in after.

The segments are found in the body alone. A value that is put in is never looked at
again: not for placeholders, not for commands, not for references.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from metier.core.judging import trim_text
from metier.core.markdown_code import Fence, find_code_spans, find_fences
from metier.core.record import record
from metier.core.references import ReferenceSyntax, find_file_references
from metier.core.substitution import (
    Applies,
    CommandBlocks,
    CommandEscape,
    CommandSyntax,
    DollarEscape,
    End,
    FileInsert,
    Inert,
    Missing,
    Naming,
    Placeholder,
    Substitution,
    Variable,
)
from metier.core.text import JS_WHITE_SPACE
from metier.diagnostics import Span


class Caller(Enum):
    """Who asks for a skill."""

    PERSON = "person"  # with `/name`
    MODEL = "model"  # with the tool, and everybody else


class Text(NamedTuple):
    """A stretch that stays as it is; what an escape hides is already taken off."""

    text: str
    span: Span


class Argument(NamedTuple):
    """A placeholder; `place` counts from 0 and may be out of range."""

    kind: Placeholder
    place: int
    source: str
    span: Span
    if_missing: Missing


class Value(NamedTuple):
    """A variable."""

    variable: Variable
    source: str
    span: Span


Part = Text | Argument | Value


class Command(NamedTuple):
    """A shell command, cut into its own parts."""

    source: str
    parts: tuple[Part, ...]
    span: Span


class FileInsertion(NamedTuple):
    """A reference to a file, as written."""

    path: str
    source: str
    span: Span


Segment = Part | Command | FileInsertion


@record
class Template:
    """A body in segments, in order and without gaps."""

    body: str
    segments: tuple[Segment, ...]
    fills_arguments: bool

    @property
    def commands(self) -> tuple[Command, ...]:
        """The commands, in order."""
        return tuple(each for each in self.segments if isinstance(each, Command))

    @property
    def files(self) -> tuple[FileInsertion, ...]:
        """The references to files, in order."""
        return tuple(each for each in self.segments if isinstance(each, FileInsertion))

    @property
    def arguments(self) -> Iterator[Argument]:
        """The placeholders, those in commands included."""
        for segment in self.segments:
            parts = segment.parts if isinstance(segment, Command) else (segment,)
            yield from (part for part in parts if isinstance(part, Argument))


# --- from a body to segments --------------------------------------------------------

# A number of more digits than this is out of every range.
_MAX_DIGITS = 9


def parse_template(
    body: str,
    rule: Substitution,
    *,
    caller: Caller = Caller.MODEL,
    names: Sequence[str] = (),
    references: ReferenceSyntax = ReferenceSyntax.NONE,
) -> Template:
    """The segments of `body` for an agent with `rule`; time linear in its length."""
    fills = is_applied(rule.applies, caller)
    cutter = _part_cutter(rule, names, with_arguments=_Arguments(fills))
    found: list[tuple[Span, Segment]] = []
    if is_applied(rule.commands.applies, caller):
        found += _find_commands(body, rule, cutter)
    if is_applied(rule.files.applies, caller) and rule.files.insert is not _NO_FILES:
        found += _find_files(body, references, [span for span, _ in found])
    found.sort(key=lambda pair: pair[0])
    segments = tuple(_with_parts(body, found, cutter))
    return Template(body=body, segments=segments, fills_arguments=fills)


_NO_FILES = FileInsert.NONE


class _Arguments(Enum):
    FOUND = True
    LEFT = False


def is_applied(applies: Applies, caller: Caller) -> bool:
    """Whether something is filled in when `caller` asks."""
    if applies is Applies.ALWAYS:
        return True
    return (applies is Applies.SLASH) is (caller is Caller.PERSON)


PartCutter = Callable[[str, int, int], Iterator[Part]]


def _with_parts(
    body: str, found: Iterable[tuple[Span, Segment]], cutter: PartCutter
) -> Iterator[Segment]:
    done = 0
    for span, segment in found:
        yield from cutter(body, done, span.start)
        yield segment
        done = span.end
    yield from cutter(body, done, len(body))


def _part_cutter(
    rule: Substitution, names: Sequence[str], *, with_arguments: _Arguments
) -> PartCutter:
    kinds = rule.placeholders if with_arguments is _Arguments.FOUND else ()
    if rule.naming is Naming.DECLARED:
        names = [name for name in names if not name.isdigit()]
    pattern = _part_pattern(kinds, rule, names)
    positions = {name: index for index, name in reversed(tuple(enumerate(names)))}

    def cut(text: str, start: int, end: int) -> Iterator[Part]:
        done = start
        for match in pattern.finditer(text, start, end) if pattern else ():
            part = _part_of(match, rule, positions)
            if part is None:
                continue
            if match.start() > done:
                yield Text(text[done : match.start()], Span(done, match.start()))
            yield part
            done = match.end()
        if end > done:
            yield Text(text[done:end], Span(done, end))

    return cut


_ENDS = {End.ANYTHING: "", End.NO_WORD: "(?![0-9A-Za-z_])"}


def _spellings(
    rule: Substitution, names: Sequence[str]
) -> Iterator[tuple[Placeholder, str]]:
    """How each placeholder is written; of two that fit the earlier counts."""
    if rule.naming is Naming.DECLARED and names:
        declared = "|".join(map(re.escape, names))
        yield Placeholder.NAME, rf"\$(?P<name>{declared})(?![0-9A-Za-z_\[])"
    yield Placeholder.INDEX, r"\$ARGUMENTS\[(?P<index>[0-9]++)\]"
    yield Placeholder.ALL, rf"(?P<all>\$ARGUMENTS){_ENDS[rule.all_end]}"
    yield Placeholder.POSITION, rf"\$(?P<position>[0-9]++){_ENDS[rule.position_end]}"
    if rule.naming is Naming.LONGEST:
        yield Placeholder.NAME, r"\$(?P<name>[A-Za-z_][0-9A-Za-z_-]*+)"


def _part_pattern(
    kinds: Iterable[Placeholder], rule: Substitution, names: Sequence[str]
) -> re.Pattern[str] | None:
    chosen = set(kinds)
    wanted = [text for kind, text in _spellings(rule, names) if kind in chosen]
    # Python's alternation takes the first that fits: the longest must stand first.
    spelled = sorted(rule.variables, key=len, reverse=True)
    values = "|".join(map(re.escape, spelled))
    alternatives = [rf"(?P<value>{values})"] if spelled else []
    if wanted:
        is_escaped = rule.escape is DollarEscape.BACKSLASH
        mark = r"(?P<escape>(?<!\\)\\)?" if is_escaped else ""
        alternatives.append(f"{mark}(?:{'|'.join(wanted)})")
    return re.compile("|".join(alternatives)) if alternatives else None


def _part_of(
    match: re.Match[str], rule: Substitution, positions: Mapping[str, int]
) -> Part | None:
    groups, span = match.groupdict(), Span(*match.span())
    if groups.get("value"):
        return Value(rule.variables[match[0]], match[0], span)
    source = match[0]
    place, missing = 0, rule.missing_argument
    if groups.get("index"):
        kind, place = Placeholder.INDEX, _number(groups["index"]) - rule.index_base
    elif groups.get("position"):
        kind = Placeholder.POSITION
        place = _number(groups["position"]) - rule.position_base
    elif groups.get("name"):
        if groups["name"] not in positions:
            return None
        kind, place = Placeholder.NAME, positions[groups["name"]]
        missing = rule.missing_name
    else:
        kind = Placeholder.ALL
    if groups.get("escape"):
        return Text(source[1:], span)
    return Argument(kind, place, source, span, missing)


def _number(digits: str) -> int:
    return int(digits) if len(digits) <= _MAX_DIGITS else 10**_MAX_DIGITS


# --- commands and files in a body ---------------------------------------------------

_COMMANDS = {
    CommandSyntax.ANYWHERE: "!`([^`]++)`",
    CommandSyntax.ONE_LINE: r"!`([^`\n]++)`",
    CommandSyntax.AFTER_BLANK: r"(?<!\S)!`([^`\n]++)`",
    CommandSyntax.AFTER_BLANK_LINES: (
        rf"(?<![^{JS_WHITE_SPACE}])!`(?=[{JS_WHITE_SPACE}]*+[^`{JS_WHITE_SPACE}])([^`]++)`"
    ),
}


def _find_commands(
    body: str, rule: Substitution, cutter: PartCutter
) -> Iterator[tuple[Span, Segment]]:
    commands = rule.commands
    if commands.syntax is CommandSyntax.NONE and commands.blocks is CommandBlocks.NONE:
        return
    fences = find_fences(body)
    closed: list[Span] = []
    for span, (start, end) in _BLOCKS[commands.blocks](body, fences):
        closed.append(span)
        yield span, _command(body, Span(start, end), span, rule, cutter)
    closed += _inert_spans(body, commands.inert, fences)
    yield from _find_inline(body, rule, cutter, sorted(closed))


Blocks = Iterator[tuple[Span, Span]]


def _no_blocks(body: str, fences: Sequence[Fence]) -> Blocks:  # noqa: ARG001
    return iter(())


def _bang_blocks(body: str, fences: Sequence[Fence]) -> Blocks:
    for fence in fences:
        if fence.info.startswith("!"):
            whole = Span(fence.span.start, _without_line_end(body, fence.span))
            yield whole, fence.content


def _bangs_anywhere(body: str, fences: Sequence[Fence]) -> Blocks:  # noqa: ARG001
    at = 0
    while (start := body.find("```!", at)) >= 0:
        end = body.find("```", start + 4)
        if end < 0:
            return
        source = body[start + 4 : end].removesuffix("\n")
        blank = len(source) - len(source.lstrip(JS_WHITE_SPACE))
        at = end + 3
        if blank < len(source):
            yield Span(start, at), Span(start + 4 + blank, start + 4 + len(source))


_BLOCKS = {
    CommandBlocks.NONE: _no_blocks,
    CommandBlocks.BANG: _bang_blocks,
    CommandBlocks.BANG_ANYWHERE: _bangs_anywhere,
}


def _without_line_end(body: str, span: Span) -> int:
    """The line end behind a block belongs to the text around it."""
    return span.end - body.endswith("\n", span.start, span.end)


def _inert_spans(
    body: str, inert: Iterable[Inert], fences: tuple[Fence, ...]
) -> Iterator[Span]:
    if Inert.BACKQUOTES in inert:
        yield from _between_backquotes(body)
    if Inert.FENCES in inert:
        yield from (fence.span for fence in fences)
    if Inert.CODE in inert:
        yield from find_code_spans(body, fences)
    elif Inert.LONG_CODE in inert:
        yield from find_code_spans(body, fences, shortest=2)


_BACKQUOTES = re.compile(
    r"(?P<inert>```(?>(?:[^`]++|`(?!``))*)(?:```|\Z))|\\?!`[^`]++`|(?P<code>`[^`]++`)"
)


def _between_backquotes(body: str) -> Iterator[Span]:
    for found in _BACKQUOTES.finditer(body):
        if found["inert"] or found["code"]:
            yield Span(*found.span())


def _find_inline(
    body: str, rule: Substitution, cutter: PartCutter, closed: Sequence[Span]
) -> Iterator[tuple[Span, Segment]]:
    if rule.commands.syntax is CommandSyntax.NONE:
        return
    pattern = re.compile(_COMMANDS[rule.commands.syntax])
    can_escape = rule.commands.escape is CommandEscape.BACKSLASH
    backquotes = _Backquotes(body)
    at = 0
    while match := pattern.search(body, at):
        span = Span(*match.span())
        around = _span_around(span, closed)
        if around is not None:
            at = max(around.end, at + 1)
            continue
        at = span.end
        if Inert.ODD_BACKQUOTES in rule.commands.inert and backquotes.is_odd(span):
            continue
        if can_escape and body.startswith("\\", span.start - 1 if span.start else 0):
            span = Span(span.start - 1, span.end)
            yield span, Text(match[0], span)
        else:
            yield span, _command(body, Span(*match.span(1)), span, rule, cutter)


def _command(
    body: str, inside: Span, around: Span, rule: Substitution, cutter: PartCutter
) -> Command:
    written = body[inside.start : inside.end]
    source = trim_text(written, rule.commands.command_trim)
    start = inside.start + written.index(source)
    return Command(source, tuple(cutter(body, start, start + len(source))), around)


_LONE_BACKQUOTE = re.compile("(?<!`)`(?!`)")


class _Backquotes:
    """Counts the backquotes of a line, going forward only."""

    def __init__(self, body: str) -> None:
        self._body = body
        self._at = 0
        self._count = 0

    def is_odd(self, span: Span) -> bool:
        """Whether an odd number of them stands before `span` on its line."""
        line = self._body.rfind("\n", self._at, span.start)
        if line >= 0:
            self._at, self._count = line, 0
        self._count += len(_LONE_BACKQUOTE.findall(self._body, self._at, span.start))
        self._at = span.start
        return self._count % 2 == 1


def _span_around(span: Span, closed: Sequence[Span]) -> Span | None:
    """The one of `closed`, which are in order, that holds any of `span`."""
    index = bisect_right(closed, span.end - 1, key=lambda each: each.start) - 1
    if index >= 0 and closed[index].end > span.start:
        return closed[index]
    return None


def _find_files(
    body: str, syntax: ReferenceSyntax, taken: Sequence[Span]
) -> Iterator[tuple[Span, Segment]]:
    taken = sorted(taken)
    for found in find_file_references(body, syntax):
        if found.path and _span_around(found.span, taken) is None:
            source = body[found.span.start : found.span.end]
            yield found.span, FileInsertion(found.path, source, found.span)
