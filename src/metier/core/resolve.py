"""Many candidates to the skills that count, with a reason for every other one."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from enum import Enum
from posixpath import dirname
from typing import NamedTuple, assert_never

from metier.core.names import is_array_index
from metier.core.record import record
from metier.core.roots import Scope
from metier.core.skill import Candidate, Rejection, Shadowed, Skill
from metier.diagnostics import Diagnostic, Diagnostics, Severity


class Collision(Enum):
    """Which of two skills with one name counts."""

    LAST_WINS = "last-wins"
    FIRST_WINS = "first-wins"
    HIGHER_PRECEDENCE = "higher-precedence"
    KEEP_ALL = "keep-all"
    UNDEFINED = "undefined"  # one of them, by chance: here the last one found


class Tie(Enum):
    """What one name twice at the same precedence means."""

    ERROR = "error"
    FIRST_WINS = "first-wins"
    LAST_WINS = "last-wins"


class Meeting(Enum):
    """In which order the skills meet those of their name."""

    AS_FOUND = "as-found"
    AS_SORTED = "as-sorted"  # in the order in which they come out


class Within(Enum):
    """Which of two skills with one name counts that lie in one root."""

    ALIKE = "alike"  # the one that would of two in two roots
    # The last folder; a file without a folder of its own only where there is none.
    LAST_FOLDER = "last-folder"
    BOTH = "both"  # each of them stays


class Spelling(Enum):
    """Which spellings of a name are one name."""

    EXACT = "exact"  # the same to the letter
    LOWER = "lower"  # the same in lower case
    ANY_CASE = "any-case"  # as Python's `casefold` has it


class Seat(Enum):
    """Where the winner stands among the others, as they were found."""

    HELD = "held"  # where the first of that name was
    OWN = "own"  # where it was found itself


class SameFile(Enum):
    """What the same path, found twice, means."""

    COLLIDES = "collides"
    ONCE = "once"
    ONCE_REAL = "once-real"  # it is one skill, also where a link leads to it


class Copies(Enum):
    """What a file with the content of another one means."""

    KEEP = "keep"
    # The first of those below one folder counts, whatever they are called.
    FIRST_OF_FOLDER = "first-of-folder"


class Sorting(Enum):
    """In which order the skills come out."""

    DISCOVERY = "discovery"
    NAME = "name"
    NAME_AND_PATH = "name-and-path"  # by name, and those of one name by path
    FOLDED_FOLDER = "folded-folder"  # by the path of their folder in lower case
    JS_OBJECT = "js-object"  # integer-like names first, `__proto__` lost
    JS_LOCALE = "js-locale"  # as `localeCompare` has it, `__proto__` lost
    KEY_JS_LOCALE = "key-js-locale"  # by their keys, as `localeCompare` has it


class FailurePolicy(Enum):
    """What one broken file does to the others."""

    SKIP = "skip"
    ABORT_ALL = "abort-all"


@record
class PrecedenceRule:
    """Everything that decides between candidates.

    `scopes`, where they are listed, come out in that order, each one sorted.
    """

    collision: Collision
    sorting: Sorting
    scopes: tuple[Scope, ...] = ()
    meeting: Meeting = Meeting.AS_FOUND
    tie: Tie = Tie.FIRST_WINS
    same_file: SameFile = SameFile.COLLIDES
    copies: Copies = Copies.KEEP
    spelling: Spelling = Spelling.EXACT
    seat: Seat = Seat.HELD
    within: Within = Within.ALIKE


class Resolution(NamedTuple):
    """Who won, who lost and why; after an abort nobody won."""

    skills: tuple[Skill, ...]
    shadowed: tuple[Shadowed, ...]
    rejected: tuple[Rejection, ...]
    diagnostics: Diagnostics
    aborted_by: Diagnostic | None = None


def resolve(
    candidates: Sequence[Candidate],
    rule: PrecedenceRule,
    failure: FailurePolicy,
    *,
    fatal: Container[str] = (),
    locate: Callable[[str], str] = str,
) -> Resolution:
    """The skills that count, in the dialect's order.

    Where one bad file costs the others nothing, one that breaks a `fatal` rule does.
    `locate` says where the file of a path really is.
    """
    rejected: list[Rejection] = []
    board = _Board(rule, locate)
    if rule.meeting is Meeting.AS_SORTED:
        candidates = _sorted_skills(candidates, rule.sorting)
    for candidate in candidates:
        if isinstance(candidate, Skill):
            stopped = board.enter(candidate)
        else:
            rejected.append(candidate)
            is_fatal = failure is _ABORT or _is_fatal(candidate, fatal)
            stopped = _stops(candidate) if is_fatal else None
        if stopped:
            return _aborted(stopped, candidate, candidates)
    winners, lost = _SORTINGS[rule.sorting](board.winners())
    winners = in_scope_order(winners, rule.scopes)
    return Resolution(
        winners,
        tuple(board.shadowed),
        (*rejected, *lost),
        tuple(board.found),
    )


_ABORT = FailurePolicy.ABORT_ALL


def _sorted_skills(
    candidates: Sequence[Candidate], sorting: Sorting
) -> tuple[Candidate, ...]:
    skills = [each for each in candidates if isinstance(each, Skill)]
    others = (each for each in candidates if not isinstance(each, Skill))
    ranked, lost = _SORTINGS[sorting](skills)
    return (*others, *lost, *ranked)


def spelled(key: str, rule: PrecedenceRule) -> str:
    """`key` as it is compared."""
    match rule.spelling:
        case Spelling.EXACT:
            return key
        case Spelling.LOWER:
            return key.lower()
        case Spelling.ANY_CASE:
            return key.casefold()
        case _:
            assert_never(rule.spelling)


class _Board:
    """Who holds each name so far."""

    __slots__ = (
        "all",
        "beside",
        "contents",
        "found",
        "holders",
        "locate",
        "paths",
        "rule",
        "shadowed",
    )

    def __init__(self, rule: PrecedenceRule, locate: Callable[[str], str]) -> None:
        self.rule = rule
        self.locate = locate
        self.holders: dict[str, Skill] = {}
        self.all: list[Skill] = []
        self.beside: dict[int, list[Skill]] = {}
        self.paths: dict[str, Skill] = {}
        self.contents: dict[tuple[str, str], Skill] = {}
        self.shadowed: list[Shadowed] = []
        self.found: list[Diagnostic] = []

    def enter(self, skill: Skill) -> Diagnostic | None:
        """Take `skill` in; a diagnostic means that the host gives up here."""
        if self.rule.same_file is not SameFile.COLLIDES:
            is_real = self.rule.same_file is SameFile.ONCE_REAL
            path = self.locate(skill.path) if is_real else skill.path
            known = self.paths.setdefault(path, skill)
            if known is not skill:
                self.shadowed.append(Shadowed(skill, known, "same-file"))
                return None
        if skill.content is not None:
            known = self.contents.setdefault((skill.root.base, skill.content), skill)
            if known is not skill:
                self.shadowed.append(Shadowed(skill, known, "same-content"))
                return None
        if self.rule.collision is Collision.KEEP_ALL:
            self.all.append(skill)
            return None
        holder = self.holders.setdefault(spelled(skill.key, self.rule), skill)
        if holder is skill:
            return None
        if self.rule.within is Within.BOTH and holder.root == skill.root:
            self.beside.setdefault(id(holder), []).append(skill)
            return None
        return self._collide(holder, skill)

    def _collide(self, holder: Skill, skill: Skill) -> Diagnostic | None:
        wins = _newcomer_wins(holder, skill, self.rule)
        if wins is None:
            return _duplicate(holder, skill)
        winner, loser = (skill, holder) if wins else (holder, skill)
        key = spelled(skill.key, self.rule)
        if self.rule.seat is Seat.OWN and winner is skill:
            del self.holders[key]
        self.holders[key] = winner
        is_undefined = self.rule.collision is Collision.UNDEFINED
        found = (_chance if is_undefined else _collision)(winner, loser, self.rule)
        rule = found.rule if is_undefined else self.rule.collision.value
        self.shadowed.append(Shadowed(loser, winner, rule))
        self.found.append(found)
        return None

    def winners(self) -> list[Skill]:
        if self.rule.collision is Collision.KEEP_ALL:
            return self.all
        if not self.beside:
            return list(self.holders.values())
        both = (
            (each, *self.beside.get(id(each), ())) for each in self.holders.values()
        )
        return [skill for skills in both for skill in skills]


def _newcomer_wins(holder: Skill, skill: Skill, rule: PrecedenceRule) -> bool | None:
    """None where the host calls it an error."""
    if rule.within is Within.LAST_FOLDER and skill.root == holder.root:
        return not _is_flat(skill)
    match rule.collision:
        case Collision.LAST_WINS | Collision.UNDEFINED:
            return True
        case Collision.FIRST_WINS:
            return False
        case _:
            if skill.root.precedence != holder.root.precedence:
                return skill.root.precedence > holder.root.precedence
            return None if rule.tie is Tie.ERROR else rule.tie is Tie.LAST_WINS


def _collision(winner: Skill, loser: Skill, rule: PrecedenceRule) -> Diagnostic:
    return Diagnostic(
        rule="name-collision",
        severity=Severity.WARNING,
        message=f"`{winner.key}` is also in {winner.path}, which counts "
        f"({rule.collision.value})",
        path=loser.path,
        help="rename one of them",
    )


def _chance(winner: Skill, loser: Skill, rule: PrecedenceRule) -> Diagnostic:  # noqa: ARG001
    return Diagnostic(
        rule="name-collision-undefined",
        severity=Severity.WARNING,
        message=f"`{winner.name}` is also in {winner.path}, and which of them counts "
        "is chance",
        path=loser.path,
        help="rename one of them: the host may load another one each time",
    )


def _duplicate(holder: Skill, skill: Skill) -> Diagnostic:
    return Diagnostic(
        rule="name-duplicate",
        severity=Severity.ERROR,
        message=f"duplicate skill name '{skill.name}' in discovery layer at "
        f"{skill.directory}",
        path=skill.path,
        help=f"rename it: {holder.path} has the same name and precedence",
    )


# What a host takes for absent, or never answers about: that stops nobody else.
_PASSED_OVER = frozenset(("link-dangling", "link-cycle", "special-file"))


def _is_fatal(rejection: Rejection, fatal: Container[str]) -> bool:
    # What has no folder of its own is read with more care.
    return rejection.rule in fatal and not _is_flat(rejection)


def _is_flat(candidate: Candidate) -> bool:
    return dirname(candidate.path) == candidate.root.path


def _stops(rejection: Rejection) -> Diagnostic | None:
    """The finding that makes a host give up, if it is one of those."""
    if rejection.rule in _PASSED_OVER:
        return None
    errors = (d for d in rejection.diagnostics if d.severity is Severity.ERROR)
    return next(errors, None)


def _aborted(
    stopped: Diagnostic, last: Candidate, candidates: Sequence[Candidate]
) -> Resolution:
    abort = Diagnostic(
        rule="host-aborts",
        severity=Severity.ERROR,
        message=f"one bad file stops the discovery of all: {stopped.message}",
        path=last.path,
        help=stopped.help,
    )
    lost = [
        each
        if isinstance(each, Rejection)
        else _lost_to(stopped if each is last else abort, each)
        for each in candidates
    ]
    return Resolution((), (), tuple(lost), (abort,), stopped.located(last.path))


def _lost_to(finding: Diagnostic, skill: Skill) -> Rejection:
    return Rejection(skill.path, skill.origin, finding.rule, (finding,), skill.name)


def _in_discovery_order(
    skills: list[Skill],
) -> tuple[tuple[Skill, ...], tuple[Rejection, ...]]:
    return tuple(skills), ()


def _by_name(
    skills: list[Skill],
) -> tuple[tuple[Skill, ...], tuple[Rejection, ...]]:
    return tuple(sorted(skills, key=lambda skill: skill.name)), ()


def _by_name_and_path(
    skills: list[Skill],
) -> tuple[tuple[Skill, ...], tuple[Rejection, ...]]:
    return tuple(sorted(skills, key=_name_and_path)), ()


def _name_and_path(skill: Skill) -> tuple[str, list[str]]:
    return skill.name, skill.path.split("/")


def _by_folded_folder(
    skills: list[Skill],
) -> tuple[tuple[Skill, ...], tuple[Rejection, ...]]:
    return tuple(sorted(skills, key=_folded_folder)), ()


def _folded_folder(skill: Skill) -> tuple[str, str]:
    return _lower(skill.directory), _lower(skill.name)


def _lower(text: str) -> str:
    # Each character to one, as Go has it: Python makes two of a capital I with a dot.
    if text.isascii():
        return text.lower()
    return "".join(char.lower()[:1] for char in text)


def in_scope_order(
    skills: tuple[Skill, ...], scopes: tuple[Scope, ...]
) -> tuple[Skill, ...]:
    """`skills` by the order of `scopes`; those of others come last, as they were."""
    if not scopes:
        return skills
    ranks = {scope: rank for rank, scope in enumerate(scopes)}
    return tuple(sorted(skills, key=lambda s: ranks.get(s.root.scope, len(ranks))))


def _as_js_object(
    skills: list[Skill],
) -> tuple[tuple[Skill, ...], tuple[Rejection, ...]]:
    kept = [skill for skill in skills if skill.name != "__proto__"]
    lost = [_lost(skill) for skill in skills if skill.name == "__proto__"]
    numbered = sorted(filter(_is_array_index, kept), key=lambda skill: int(skill.name))
    named = (skill for skill in kept if not _is_array_index(skill))
    return (*numbered, *named), tuple(lost)


def _as_js_locale(
    skills: list[Skill],
) -> tuple[tuple[Skill, ...], tuple[Rejection, ...]]:
    from metier.core.collation import locale_key

    kept, lost = _as_js_object(skills)
    return tuple(sorted(kept, key=lambda skill: locale_key(skill.name))), lost


def _by_key_as_js_locale(
    skills: list[Skill],
) -> tuple[tuple[Skill, ...], tuple[Rejection, ...]]:
    from metier.core.collation import locale_key

    return tuple(sorted(skills, key=lambda skill: locale_key(skill.key))), ()


def _is_array_index(skill: Skill) -> bool:
    return is_array_index(skill.name)


def _lost(skill: Skill) -> Rejection:
    found = Diagnostic(
        rule="name-lost",
        severity=Severity.ERROR,
        message=f"the host's registry cannot hold the name `{skill.name}`",
        path=skill.path,
        help="rename the skill",
    )
    return _lost_to(found, skill)


_SORTINGS: dict[
    Sorting,
    Callable[[list[Skill]], tuple[tuple[Skill, ...], tuple[Rejection, ...]]],
] = {
    Sorting.DISCOVERY: _in_discovery_order,
    Sorting.NAME: _by_name,
    Sorting.NAME_AND_PATH: _by_name_and_path,
    Sorting.FOLDED_FOLDER: _by_folded_folder,
    Sorting.JS_OBJECT: _as_js_object,
    Sorting.JS_LOCALE: _as_js_locale,
    Sorting.KEY_JS_LOCALE: _by_key_as_js_locale,
}
