"""What there is around an agent, and whether a skill has there what it needs."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from enum import Enum

from metier.core.record import record
from metier.core.requirements import Need, Requirement, SystemNames
from metier.diagnostics import Diagnostic, Diagnostics, Severity, printable


@record
class Surroundings:
    """What is there, by name; None for what nobody has told of.

    `system` is what Python calls it in `sys.platform`. Of variables only the names are
    known, and only of those that hold something. `conditions` are words that hold here,
    `settings` the paths in the configuration of the agent that are switched on.
    """

    system: str | None = None
    programs: Container[str] | None = None
    variables: Container[str] | None = None
    servers: Container[str] | None = None
    tools: Container[str] | None = None
    settings: Container[str] | None = None
    conditions: Container[str] | None = None


class Standing(Enum):
    """Whether something that is needed is there."""

    MET = "met"
    UNMET = "unmet"
    UNKNOWN = "unknown"


def judge_requirements(
    requirements: Iterable[Requirement],
    surroundings: Surroundings,
    names: SystemNames = SystemNames.COMMON,
) -> Diagnostics:
    """A finding for everything that is missing, or of which nobody has told."""
    return tuple(_findings(requirements, surroundings, names))


def _findings(
    requirements: Iterable[Requirement], surroundings: Surroundings, names: SystemNames
) -> Iterator[Diagnostic]:
    for each in requirements:
        standing = standing_of(each, surroundings, names)
        if standing is Standing.UNMET:
            yield _unmet(each, surroundings)
        elif standing is Standing.UNKNOWN:
            yield _unknown(each)


def standing_of(
    requirement: Requirement, surroundings: Surroundings, names: SystemNames
) -> Standing:
    """Whether what is needed is there; unknown where nobody has told."""
    if requirement.need is Need.SYSTEM:
        return _standing_of_system(requirement.names, surroundings.system, names)
    there = _there(requirement.need, surroundings)
    if there is None:
        return Standing.UNKNOWN
    found = [name in there for name in requirement.names]
    match requirement.need:
        case Need.ANY_PROGRAM:
            is_met = any(found)
        case Need.NO_TOOLS:
            is_met = not any(found)
        case _:
            is_met = all(found)
    return Standing.MET if is_met else Standing.UNMET


def _there(need: Need, surroundings: Surroundings) -> Container[str] | None:
    match need:
        case Need.PROGRAMS | Need.ANY_PROGRAM:
            return surroundings.programs
        case Need.TOOLS | Need.NO_TOOLS:
            return surroundings.tools
        case _:
            there: Container[str] | None = getattr(surroundings, need.value)
            return there


def _missing(requirement: Requirement, surroundings: Surroundings) -> tuple[str, ...]:
    """The names that make the difference."""
    if requirement.need in (Need.SYSTEM, Need.ANY_PROGRAM):
        return requirement.names
    there = _there(requirement.need, surroundings) or ()
    is_wanted = requirement.need is not Need.NO_TOOLS
    return tuple(n for n in requirement.names if (n in there) is not is_wanted)


# --- systems ------------------------------------------------------------------------

# What people write for each system that Python has a name for.
_COMMON = {
    "cygwin": "cygwin",
    "darwin": "darwin",
    "freebsd": "freebsd",
    "linux": "linux",
    "mac": "darwin",
    "macos": "darwin",
    "osx": "darwin",
    "win": "win32",
    "win32": "win32",
    "windows": "win32",
}
_PYTHON = {"macos": "darwin", "linux": "linux", "windows": "win32"}


def _standing_of_system(
    words: Iterable[str], system: str | None, names: SystemNames
) -> Standing:
    if system is None:
        return Standing.UNKNOWN
    meant = {_RULES[names](word, system) for word in words}
    if True in meant:
        return Standing.MET
    return Standing.UNMET if False in meant else Standing.UNKNOWN


def _by_common_name(word: str, system: str) -> bool | None:
    known = _COMMON.get(word.lower())
    return None if known is None else system.startswith(known)


def _by_node_name(word: str, system: str) -> bool:
    return word == system


def _by_python_name(word: str, system: str) -> bool:
    plain = word.lower().strip()
    return system.startswith(_PYTHON.get(plain, plain))


_RULES: dict[SystemNames, Callable[[str, str], bool | None]] = {
    SystemNames.COMMON: _by_common_name,
    SystemNames.NODE: _by_node_name,
    SystemNames.PYTHON: _by_python_name,
}


# --- in words -----------------------------------------------------------------------

# What a name is the name of, what is wrong with it, and a remedy.
_WORDS = {
    Need.PROGRAMS: ("program", "not on the search path", "install it"),
    Need.ANY_PROGRAM: ("program", "not on the search path", "install one of them"),
    Need.VARIABLES: ("variable", "not set", "set it in the environment"),
    Need.SYSTEM: ("system", "another one", None),
    Need.SERVERS: ("MCP server", "not connected", "connect it"),
    Need.TOOLS: ("tool", "not there", None),
    Need.NO_TOOLS: ("tool", "there, which makes the skill needless", None),
    Need.SETTINGS: ("setting", "not switched on", "switch it on"),
    Need.CONDITIONS: ("condition", "not met", None),
}


def _unmet(requirement: Requirement, surroundings: Surroundings) -> Diagnostic:
    thing, problem, help = _WORDS[requirement.need]
    missing = _missing(requirement, surroundings)
    message = f"`{requirement.key}`: {_subject(thing, missing)} {problem}"
    if requirement.need is Need.SYSTEM:
        message = f"{message} than `{surroundings.system}`"
    return Diagnostic(
        rule="requirement-unmet",
        severity=Severity.WARNING,
        message=message,
        help=help,
    )


def _unknown(requirement: Requirement) -> Diagnostic:
    thing, _, _ = _WORDS[requirement.need]
    whether = f"whether {_subject(thing, requirement.names)} there"
    return Diagnostic(
        rule="requirement-unknown",
        severity=Severity.INFO,
        message=f"`{requirement.key}`: nobody has told {whether}",
    )


def _subject(thing: str, names: tuple[str, ...]) -> str:
    listed = ", ".join(f"`{printable(name)}`" for name in names)
    return (
        f"the {thing} {listed} is" if len(names) == 1 else f"the {thing}s {listed} are"
    )
