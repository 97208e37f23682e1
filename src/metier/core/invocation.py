"""What a person asks for by name: `/name arguments`, and `$name` within a turn.

A person may ask for what the model is not offered, and not for what the author keeps
for the model.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from metier.core.activation import ActivationRule, Mentions, Slash
from metier.core.fields import Effect
from metier.core.markdown_code import find_code_spans, find_fences
from metier.core.names import hyphenate
from metier.core.record import record
from metier.core.text import JS_WHITE_SPACE

if TYPE_CHECKING:
    from metier.core.skill import Skill


@record
class Mention:
    """A name with a `$`, and the path of the skill file where one stands behind it."""

    name: str
    path: str | None = None


@record
class Invocation:
    """A skill that a person asks for, and what it is told."""

    skill: Skill
    arguments: str = ""


def is_invocable(skill: Skill) -> bool:
    """Whether a person may invoke it: some authors keep a skill for the model."""
    if is_disabled(skill):
        return False
    rules = skill.origin.dialect.fields.other
    flags = [name for name, rule in rules.items() if rule.effect in _ABOUT_PEOPLE]
    if not flags:
        return True
    fields = skill.fields
    return all(fields[name] for name in flags)


_ABOUT_PEOPLE = (Effect.BARS_PEOPLE, Effect.ADMITS_PEOPLE)


def is_disabled(skill: Skill) -> bool:
    """Whether its author has switched it off, for the model and for people."""
    return any(found.rule == "skill-disabled" for found in skill.diagnostics)


def split_invocation(turn: str, rule: ActivationRule) -> tuple[str, str] | None:
    """The name and the arguments in `/name arguments`; None for any other turn."""
    slash = _cut_slash(turn, rule)
    # `/usr/bin is broken` is about a path.
    is_path = rule.slash in _BARE and slash is not None and "/" in slash[0]
    return None if is_path else slash


_BARE = (Slash.NAME, Slash.SPACED_NAME, Slash.HYPHENATED_NAME)


def _cut_slash(turn: str, rule: ActivationRule) -> tuple[str, str] | None:
    if rule.slash is Slash.HYPHENATED_NAME:
        command = _COMMAND.match(turn)
        return (command[1], command[2].strip()) if command else None
    prefix = _PREFIXES.get(rule.slash)
    if prefix is None or not turn.startswith(prefix):
        return None
    rest = turn.removeprefix(prefix)
    if rule.slash is Slash.NAME:
        rest = rest.replace("\n", " ")
    name, _, arguments = rest.partition(" ")
    return (name, arguments.strip()) if name else None


_COMMAND = re.compile(rf"/([^{JS_WHITE_SPACE}]+)(.*)", re.DOTALL)
_PREFIXES = {Slash.NAME: "/", Slash.SPACED_NAME: "/", Slash.SKILL_NAME: "/skill:"}


def find_mentions(turn: str) -> tuple[Mention, ...]:
    """The names with a `$` in front, outside of what is code or quoted in Markdown."""
    if "$" not in turn:
        return ()
    found = (_mention(each) for each in _MENTION.finditer(_without_code(turn)))
    return tuple(each for each in found if each.name not in _NO_MENTIONS)


def _mention(found: re.Match[str]) -> Mention:
    path = found["path"]
    name = found["linked"] or found["plain"] or ""
    return Mention(name=name, path=path.strip() if path else None)


# `$PATH` in a turn is about the variable.
_NO_MENTIONS = frozenset(
    ("", *"PATH HOME USER SHELL PWD TMPDIR TEMP TMP LANG TERM XDG_CONFIG_HOME".split())
)
_MENTION = re.compile(
    r"""
    \\.                                         # `\$` is a dollar sign
    | \[\$(?P<linked>[\w:-]+)\][ \t]*+
      \((?P<path>(?=[ \t]*+[^\s)])
         (?>(?:[^()\n]++|\((?>(?:[^()\n]++|\([^()\n]*+\))*)\))+))\)
    | \$(?P<plain>[\w:-]+)
    """,
    re.ASCII | re.VERBOSE,
)


def _without_code(text: str) -> str:
    fences = find_fences(text)
    spans = (*(each.span for each in fences), *find_code_spans(text, fences))
    signs = list(text)
    for span in spans:
        signs[span.start : span.end] = _SIGN.sub(".", text[span.start : span.end])
    return _ASIDE.sub("", "".join(signs))


_SIGN = re.compile("[^\n]")
# A quotation, and a paragraph of code.
_ASIDE = re.compile(
    r"^ {0,3}>.*$|(?:\A|(?<=\n\n))(?>(?:(?:[ ]{4}|\t).*(?:\n|\Z))+)", re.MULTILINE
)


def select_mentioned(
    skills: Sequence[Skill], mentions: Iterable[Mention]
) -> tuple[Skill, ...]:
    """The skills that are meant, in the order of `skills`.

    A name behind which a path stands means the skill there or none; one that two skills
    have means neither.
    """
    mentions = tuple(mentions)
    paths = {each.path.removeprefix("skill://") for each in mentions if each.path}
    linked = {each.name for each in mentions if each.path}
    names = {each.name for each in mentions} - linked
    counts = Counter(skill.name for skill in skills)
    return tuple(
        skill
        for skill in skills
        if skill.path in paths or (skill.name in names and counts[skill.name] == 1)
    )


def find_slashes(turn: str) -> tuple[str, ...]:
    """The names with a `/` in front: the one that starts the turn, then the others."""
    start = turn.lstrip()
    first = start[1:].split(None, 1)[:1] if start.startswith("/") else []
    prose = _CODE.sub("\0", turn)
    opening = len(prose) - len(prose.lstrip())
    words = (each for each in _SLASH.finditer(prose) if each.start() != opening)
    names = (each[1].rstrip(".,;:!?)]}'\"`") for each in words)
    others = (name for name in names if _PLAIN_NAME.fullmatch(name))
    return tuple(dict.fromkeys((*(each.casefold() for each in first), *others)))


_CODE = re.compile(
    r"^[ \t]*(?P<fence>`{3,}|~{3,})[\s\S]*?(?:^[ \t]*(?P=fence)|\Z)"
    r"|(?P<ticks>`+)[^`\n]*?(?P=ticks)",
    re.MULTILINE,
)
_SLASH = re.compile(r"(?<!\S)/(\S+)")
_PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9._:-]*")


def _named_by_slashes(turn: str, skills: Sequence[Skill]) -> Iterator[Invocation]:
    for name in find_slashes(turn):
        skill = next((each for each in skills if each.key.casefold() == name), None)
        if skill is not None and is_invocable(skill):
            yield Invocation(skill=skill)


def _called(name: str, skills: Sequence[Skill], rule: ActivationRule) -> Skill | None:
    if rule.slash is not Slash.HYPHENATED_NAME:
        return next((each for each in skills if each.key == name), None)
    from metier.core.collation import locale_key

    called = hyphenate(name)
    fitting = (each for each in skills if _command_of(each.key) == called)
    return min(
        filter(is_invocable, fitting),
        key=lambda each: locale_key(each.key.lower()),
        default=None,
    )


def _command_of(name: str) -> str:
    if command := hyphenate(name):
        return command
    digest = sha256(name.lower().encode("utf-8", "replace")).hexdigest()
    return f"skill-command-{digest[:12]}"


def find_invocations(
    turn: str, skills: Sequence[Skill], rule: ActivationRule
) -> Iterator[Invocation]:
    """What a person asks for in `turn`: with a slash one skill, with `$` any number.

    A name behind a slash that no skill has is no invocation: `/name` may be a command
    of the agent's own.
    """
    if rule.mentions is Mentions.SLASH_NAME:
        yield from _named_by_slashes(turn, skills)
        return
    slash = _cut_slash(turn, rule)
    if slash is not None:
        # A name may hold blanks: then the whole turn is it.
        whole = ((turn.removeprefix("/"), ""),) if rule.slash is Slash.NAME else ()
        for name, arguments in (*whole, slash):
            skill = _called(name, skills, rule)
            if skill is not None and is_invocable(skill):
                yield Invocation(skill=skill, arguments=arguments)
                return
    if rule.mentions is Mentions.DOLLAR_NAME:
        for skill in select_mentioned(skills, find_mentions(turn)):
            if is_invocable(skill):
                yield Invocation(skill=skill)
