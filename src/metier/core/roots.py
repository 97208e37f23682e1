"""A dialect and an environment to the ordered folders where skills are looked for.

Paths are text here, always with `/`; whether a folder exists is asked through a
function, so that the same rules run on a disk, in memory and in tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from enum import Enum
from posixpath import basename, dirname, isabs, join, normpath

from metier.core.record import record


class Base(Enum):
    """What a root's path is relative to."""

    CWD = "cwd"
    WALK_UP = "walk-up"  # the working directory and its parents
    REPOSITORY = "repository"  # its root; outside of one there is no such folder
    GIT_ROOT = "git-root"  # or the working directory outside of a repository
    HOME = "home"
    XDG_CONFIG = "xdg-config"
    VARIABLE = "variable"  # the folder that an environment variable names
    MACHINE = "machine"  # `/`: what holds for everybody on this machine


class Scope(Enum):
    """Whose folder it is."""

    PROJECT = "project"
    USER = "user"
    SYSTEM = "system"
    ADMIN = "admin"
    CONFIG = "config"
    EXPLICIT = "explicit"


class Trust(Enum):
    """Which skills of a project count; those of the user always do."""

    ALL = "all"  # each one, and nobody is asked
    WORKSPACE = "workspace"  # those of a folder that a person trusts
    STORED = "stored"  # and of these only what a person approved, to the byte
    NONE = "none"  # not one


class Stop(Enum):
    """The last folder of a walk up."""

    GIT_ROOT = "git-root"  # outside of a repository: the working directory
    GIT_ROOT_OR_TOP = "git-root-or-top"  # outside of a repository: `/`
    # The same, but the home folder and what is above it do not count.
    GIT_ROOT_OR_HOME = "git-root-or-home"


class Order(Enum):
    """In which order a walk up yields its folders."""

    NEAREST_FIRST = "nearest-first"
    FARTHEST_FIRST = "farthest-first"


class Overlap(Enum):
    """Whose a folder is that two rules name."""

    TAKES = "takes"  # this rule's, where it comes first
    YIELDS = "yields"  # the other one's, also where that comes later


@record
class RootRule:
    """One line of the search: where, and how what is there counts.

    Of the rules of one `group` only the first that exists is used; a rule with
    `unless` is off when one of those variables or that configuration flag is set:
    `unless_given` are variables that may hold anything but nothing.
    A `variable` that is not set stands for `otherwise`: `~/...`, below the home folder.
    """

    base: Base
    scope: Scope
    paths: tuple[str, ...] = ("",)
    select: str = "default"
    precedence: int = 0
    stop: Stop = Stop.GIT_ROOT
    order: Order = Order.NEAREST_FIRST
    variable: str | None = None
    separator: str = ""  # between the folders that a variable names, where it is a list
    otherwise: str | None = None
    overlap: Overlap = Overlap.TAKES
    unless_variables: tuple[str, ...] = ()
    unless_given: tuple[str, ...] = ()
    unless_flag: str | None = None
    group: str | None = None
    label: str = ""  # what the agent calls it in its texts; else the scope


@record
class ConfigRule:
    """A YAML file that may switch roots off and add others.

    It is the project's, in the working directory, or the user's, in the folder that a
    `variable` names: what it adds is then relative to that folder. What it lists as
    `disabled` are names of skills that are switched off; one whose folder alone is
    called like that is only kept from the model's list.
    """

    path: str
    section: str
    variable: str | None = None
    otherwise: str | None = None
    flags: tuple[str, ...] = ()
    extra_paths: str | None = None
    disabled: str | None = None
    select: str = "default"
    precedence: int = 0


@record
class Environment:
    """Where an agent stands; read once, at the edge."""

    cwd: str
    home: str | None
    # Somebody's key may be among them, and is nothing for a log.
    variables: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    git_root: str | None = None


@record
class Config:
    """What a configuration file says about skills."""

    flags: frozenset[str] = frozenset()
    extra_paths: tuple[str, ...] = ()
    disabled: frozenset[str] = frozenset()


@record
class Root:
    """A folder to scan."""

    path: str
    scope: Scope
    precedence: int
    select: str
    axis: str  # which entry of the dialect it comes from, for `why`
    label: str = ""
    base: str = ""  # the folder below which the dialect looks for it

    @property
    def project(self) -> str:
        """What the folder is called in which it was found."""
        return basename(self.base or self.path)

    @property
    def source(self) -> str:
        """What the agent calls it."""
        return self.label or self.scope.value


def plan_roots(
    rules: tuple[RootRule, ...],
    environment: Environment,
    *,
    is_directory: Callable[[str], bool],
    config_rule: ConfigRule | None = None,
    config: Config = Config(),
) -> tuple[Root, ...]:
    """The folders that exist, in the dialect's order, each once."""
    roots: dict[tuple[str, str], Root] = {}
    groups: set[str] = set()
    claimed = _claimed(rules, environment)
    for index, rule in enumerate(rules):
        if rule.group in groups or _is_off(rule, environment, config):
            continue
        for base, path in _places_of(rule, environment):
            if rule.overlap is Overlap.YIELDS and path in claimed:
                continue
            if is_directory(path):
                root = _root(rule, path, base, f"roots[{index}]")
                roots.setdefault((path, rule.select), root)
                if rule.group:
                    groups.add(rule.group)
    if config_rule:
        for root in _configured(config_rule, environment, config):
            roots.setdefault((root.path, root.select), root)
    return tuple(roots.values())


def _claimed(rules: tuple[RootRule, ...], environment: Environment) -> frozenset[str]:
    """The folders that a rule which yields leaves to the others."""
    if all(rule.overlap is Overlap.TAKES for rule in rules):
        return frozenset()
    takers = (rule for rule in rules if rule.overlap is Overlap.TAKES)
    return frozenset(
        path for rule in takers for _, path in _places_of(rule, environment)
    )


def explicit_roots(
    given: tuple[tuple[str, int], ...], *, select: str, cwd: str, label: str = ""
) -> tuple[Root, ...]:
    """The folders that a caller names, instead of the dialect's own."""
    return tuple(
        Root(
            path=absolute_path(path, base=cwd),
            scope=Scope.EXPLICIT,
            precedence=precedence,
            select=select,
            axis="roots",
            label=label,
        )
        for path, precedence in given
    )


def absolute_path(path: str, *, base: str, home: str | None = None) -> str:
    """`path` from `base`, with a leading `~/` expanded, without `.` and `..`."""
    if home and (path == "~" or path.startswith("~/")):
        path = join(home, path[2:].lstrip("/"))
    return normpath(path if isabs(path) else join(base, path))


def parents_of(path: str) -> Iterator[str]:
    """`path` and every folder above it."""
    yield path
    while (parent := dirname(path)) != path:
        path = parent
        yield path


def _is_off(rule: RootRule, environment: Environment, config: Config) -> bool:
    for name in rule.unless_variables:
        if environment.variables.get(name, "").lower() in ("1", "true"):
            return True
    if any(environment.variables.get(name) for name in rule.unless_given):
        return True
    return rule.unless_flag in config.flags


def _places_of(rule: RootRule, environment: Environment) -> Iterator[tuple[str, str]]:
    """The folders of a rule, each behind the one that it is below of."""
    for base in _bases_of(rule, environment):
        for path in rule.paths:
            yield base, normpath(join(base, path)) if path else base


def _bases_of(rule: RootRule, environment: Environment) -> tuple[str, ...]:
    match rule.base:
        case Base.CWD:
            return (environment.cwd,)
        case Base.WALK_UP:
            return _walk_up(rule, environment)
        case Base.REPOSITORY | Base.GIT_ROOT:
            outside = environment.cwd if rule.base is Base.GIT_ROOT else None
            return _some(environment.git_root or outside)
        case Base.HOME:
            return _some(environment.home)
        case Base.XDG_CONFIG:
            given = environment.variables.get("XDG_CONFIG_HOME", "")
            if given:
                return (absolute_path(given, base=environment.cwd),)
            return _some(environment.home and join(environment.home, ".config"))
        case Base.MACHINE:
            return ("/",)
        case _:  # Base.VARIABLE
            return _named_by(rule, environment)


def config_folder(rule: ConfigRule, environment: Environment) -> str | None:
    """The folder with the configuration file, None where nobody says which."""
    if rule.variable is None:
        return environment.cwd
    value = environment.variables.get(rule.variable, "")
    return _variable(value, rule, environment)


def _named_by(rule: RootRule, environment: Environment) -> tuple[str, ...]:
    value = environment.variables.get(rule.variable or "", "")
    if not rule.separator:
        return _some(_variable(value, rule, environment))
    folders = (each.strip() for each in value.split(rule.separator))
    cwd, home = environment.cwd, environment.home
    return tuple(absolute_path(each, base=cwd, home=home) for each in folders if each)


def _variable(
    value: str, rule: RootRule | ConfigRule, environment: Environment
) -> str | None:
    if value:
        return absolute_path(value, base=environment.cwd)
    if rule.otherwise is None or environment.home is None:
        return None
    return absolute_path(rule.otherwise, base="/", home=environment.home)


def _some(path: str | None) -> tuple[str, ...]:
    return (path,) if path else ()


def _walk_up(rule: RootRule, environment: Environment) -> tuple[str, ...]:
    stop = environment.git_root
    if stop is None:
        stop = environment.cwd if rule.stop is Stop.GIT_ROOT else "/"
    levels: list[str] = []
    for path in parents_of(environment.cwd):
        if rule.stop is Stop.GIT_ROOT_OR_HOME and path == environment.home:
            break
        levels.append(path)
        if path == stop:
            break
    if rule.order is Order.FARTHEST_FIRST:
        levels.reverse()
    return tuple(levels)


def _root(rule: RootRule, path: str, base: str, axis: str) -> Root:
    return Root(
        path=path,
        base=base,
        scope=rule.scope,
        precedence=rule.precedence,
        select=rule.select,
        axis=axis,
        label=rule.label,
    )


def _configured(
    rule: ConfigRule, environment: Environment, config: Config
) -> Iterator[Root]:
    base = config_folder(rule, environment) or environment.cwd
    for path in config.extra_paths:
        yield Root(
            path=absolute_path(path, base=base, home=environment.home),
            scope=Scope.CONFIG,
            precedence=rule.precedence,
            select=rule.select,
            axis="config",
        )
