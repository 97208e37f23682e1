from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from metier.core.roots import (
    Base,
    Config,
    ConfigRule,
    Environment,
    Order,
    Overlap,
    Root,
    RootRule,
    Scope,
    Stop,
    absolute_path,
    config_folder,
    explicit_roots,
    parents_of,
    plan_roots,
)


def environment(
    cwd: str = "/w/repo/pkg",
    *,
    home: str | None = "/home",
    git_root: str | None = "/w/repo",
    **variables: str,
) -> Environment:
    return Environment(cwd=cwd, home=home, variables=variables, git_root=git_root)


def rule(base: Base, *paths: str, **options: Any) -> RootRule:
    return RootRule(base=base, scope=Scope.USER, paths=paths or ("",), **options)


def paths(*rules: RootRule, stands_in: Environment, **options: Any) -> list[str]:
    options.setdefault("is_directory", lambda _path: True)
    return [root.path for root in plan_roots(rules, stands_in, **options)]


OUTSIDE = environment(git_root=None)
WALK = (Base.WALK_UP, "s")


@pytest.mark.parametrize(
    ("line", "stands_in", "expected"),
    [
        pytest.param(
            rule(Base.CWD, "a", "b"),
            environment(),
            ["/w/repo/pkg/a", "/w/repo/pkg/b"],
            id="the working directory",
        ),
        pytest.param(
            rule(Base.CWD), environment(), ["/w/repo/pkg"], id="the folder itself"
        ),
        pytest.param(
            rule(Base.CWD, "../x/./y"),
            environment(),
            ["/w/repo/x/y"],
            id="a path with dots",
        ),
        pytest.param(
            rule(*WALK),
            environment(),
            ["/w/repo/pkg/s", "/w/repo/s"],
            id="a walk up to the repository",
        ),
        pytest.param(
            rule(*WALK, order=Order.FARTHEST_FIRST),
            environment(),
            ["/w/repo/s", "/w/repo/pkg/s"],
            id="a walk down from the repository",
        ),
        pytest.param(
            rule(*WALK), OUTSIDE, ["/w/repo/pkg/s"], id="no walk outside a repository"
        ),
        pytest.param(
            rule(*WALK, stop=Stop.GIT_ROOT_OR_TOP),
            OUTSIDE,
            ["/w/repo/pkg/s", "/w/repo/s", "/w/s", "/s"],
            id="a walk up to the top",
        ),
        pytest.param(
            rule(*WALK, stop=Stop.GIT_ROOT_OR_TOP),
            environment(),
            ["/w/repo/pkg/s", "/w/repo/s"],
            id="a walk to the top stops at the repository",
        ),
        pytest.param(
            rule(*WALK, stop=Stop.GIT_ROOT_OR_HOME),
            environment(),
            ["/w/repo/pkg/s", "/w/repo/s"],
            id="a walk to the home stops at the repository",
        ),
        pytest.param(
            rule(*WALK, stop=Stop.GIT_ROOT_OR_HOME),
            environment(git_root=None, home="/w"),
            ["/w/repo/pkg/s", "/w/repo/s"],
            id="a walk to the home stops below it",
        ),
        pytest.param(
            rule(*WALK, stop=Stop.GIT_ROOT_OR_HOME),
            environment(git_root="/w", home="/w/repo"),
            ["/w/repo/pkg/s"],
            id="a walk to the home stops below it within a repository",
        ),
        pytest.param(
            rule(*WALK, stop=Stop.GIT_ROOT_OR_HOME),
            OUTSIDE,
            ["/w/repo/pkg/s", "/w/repo/s", "/w/s", "/s"],
            id="a walk to the home goes to the top elsewhere",
        ),
        pytest.param(
            rule(*WALK),
            environment(git_root="/elsewhere"),
            ["/w/repo/pkg/s", "/w/repo/s", "/w/s", "/s"],
            id="a repository that is no parent stops nothing",
        ),
        pytest.param(
            rule(Base.GIT_ROOT, "s"), environment(), ["/w/repo/s"], id="the repository"
        ),
        pytest.param(
            rule(Base.GIT_ROOT, "s"),
            OUTSIDE,
            ["/w/repo/pkg/s"],
            id="the repository, outside of one",
        ),
        pytest.param(rule(Base.HOME, "s"), environment(), ["/home/s"], id="the home"),
        pytest.param(rule(Base.HOME, "s"), environment(home=None), [], id="no home"),
        pytest.param(
            rule(Base.XDG_CONFIG, "s"),
            environment(),
            ["/home/.config/s"],
            id="the usual configuration folder",
        ),
        pytest.param(
            rule(Base.XDG_CONFIG, "s"),
            environment(home=None),
            [],
            id="no configuration folder without a home",
        ),
        pytest.param(
            rule(Base.XDG_CONFIG, "s"),
            environment(XDG_CONFIG_HOME="/etc/x"),
            ["/etc/x/s"],
            id="a configuration folder of its own",
        ),
        pytest.param(
            rule(Base.XDG_CONFIG, "s"),
            environment(XDG_CONFIG_HOME="conf"),
            ["/w/repo/pkg/conf/s"],
            id="a relative configuration folder",
        ),
        pytest.param(
            rule(Base.VARIABLE, "s", variable="X_DIR"),
            environment(X_DIR="/v"),
            ["/v/s"],
            id="a variable",
        ),
        pytest.param(
            rule(Base.VARIABLE, "s", variable="X_DIR"),
            environment(X_DIR="../v"),
            ["/w/repo/v/s"],
            id="a variable with a relative path",
        ),
        pytest.param(
            rule(Base.VARIABLE, "s", variable="X_DIR"),
            environment(),
            [],
            id="a variable that is not set",
        ),
        pytest.param(
            rule(Base.VARIABLE, "s"), environment(), [], id="no variable at all"
        ),
        pytest.param(
            rule(Base.VARIABLE, variable="X_DIRS", separator=","),
            environment(X_DIRS=" /v ,, w,~/x"),
            ["/v", "/w/repo/pkg/w", "/home/x"],
            id="a variable that names several",
        ),
        pytest.param(
            rule(Base.VARIABLE, variable="X_DIRS", separator=","),
            environment(),
            [],
            id="a variable that names none",
        ),
        pytest.param(
            rule(Base.VARIABLE, "s", variable="X_DIR", otherwise="~/x"),
            environment(),
            ["/home/x/s"],
            id="what stands for a variable that is not set",
        ),
        pytest.param(
            rule(Base.VARIABLE, "s", variable="X_DIR", otherwise="~/x"),
            environment(home=None),
            [],
            id="the same without a home",
        ),
        pytest.param(
            rule(Base.REPOSITORY, "s"), environment(), ["/w/repo/s"], id="a repository"
        ),
        pytest.param(rule(Base.REPOSITORY, "s"), OUTSIDE, [], id="no repository"),
        pytest.param(
            rule(Base.MACHINE, "etc/s"), OUTSIDE, ["/etc/s"], id="the machine"
        ),
    ],
)
def test_a_rule_names_these_folders(
    line: RootRule, stands_in: Environment, expected: list[str]
):
    assert paths(line, stands_in=stands_in) == expected


def test_a_root_says_where_it_comes_from():
    rules = (
        rule(Base.CWD, "gone"),
        rule(Base.HOME, "s", precedence=7, select="flat"),
    )
    found = plan_roots(rules, environment(), is_directory="/home/s".__eq__)
    assert found == (
        Root(
            path="/home/s",
            scope=Scope.USER,
            precedence=7,
            select="flat",
            axis="roots[1]",
            base="/home",
        ),
    )
    assert [each.project for each in found] == ["home"]
    assert replace(found[0], base="").project == "s"


def test_a_folder_that_two_rules_name_is_scanned_once_where_it_came_first():
    rules = (
        rule(Base.HOME, "s", precedence=1),
        rule(Base.CWD, "s"),
        rule(Base.HOME, "s", precedence=2),
    )
    found = plan_roots(rules, environment(), is_directory=lambda _path: True)
    assert [(root.path, root.precedence) for root in found] == [
        ("/home/s", 1),
        ("/w/repo/pkg/s", 0),
    ]


def test_a_rule_may_yield_a_folder_to_one_that_comes_later():
    rules = (
        rule(Base.CWD, "s", overlap=Overlap.YIELDS, precedence=1),
        rule(*WALK, overlap=Overlap.YIELDS, precedence=2),
        rule(Base.CWD, "s", precedence=3),
    )
    found = plan_roots(rules, environment(), is_directory=lambda _path: True)
    assert [(root.path, root.precedence) for root in found] == [
        ("/w/repo/s", 2),
        ("/w/repo/pkg/s", 3),
    ]


def test_a_folder_is_scanned_again_under_another_selection():
    rules = (rule(Base.HOME, "s"), rule(Base.HOME, "s", select="flat"))
    assert paths(*rules, stands_in=environment()) == ["/home/s", "/home/s"]


def test_of_a_group_only_the_first_rule_that_finds_a_folder_counts():
    rules = (
        rule(Base.CWD, "gone", group="g"),
        rule(Base.CWD, "a", "b", group="g"),
        rule(Base.CWD, "c", group="g"),
        rule(Base.CWD, "d"),
    )
    there = {"/w/repo/pkg/a", "/w/repo/pkg/b", "/w/repo/pkg/c", "/w/repo/pkg/d"}
    found = paths(*rules, stands_in=environment(), is_directory=there.__contains__)
    assert found == ["/w/repo/pkg/a", "/w/repo/pkg/b", "/w/repo/pkg/d"]


@pytest.mark.parametrize(
    ("value", "is_on"),
    [("1", False), ("true", False), ("TRUE", False), ("0", True), ("", True)],
)
def test_a_variable_switches_a_rule_off(value: str, is_on: bool):
    line = rule(Base.HOME, "s", unless_variables=("OFF",))
    assert bool(paths(line, stands_in=environment(OFF=value))) is is_on


@pytest.mark.parametrize(("value", "is_on"), [("/s", False), ("0", False), ("", True)])
def test_a_variable_that_holds_anything_switches_a_rule_off(value: str, is_on: bool):
    line = rule(Base.HOME, "s", unless_given=("ELSEWHERE",))
    assert bool(paths(line, stands_in=environment(ELSEWHERE=value))) is is_on


@pytest.mark.parametrize(("flags", "is_on"), [({"off"}, False), ({"other"}, True)])
def test_a_flag_of_the_configuration_switches_a_rule_off(flags: set[str], is_on: bool):
    line = rule(Base.HOME, "s", unless_flag="off")
    config = Config(flags=frozenset(flags))
    assert bool(paths(line, stands_in=environment(), config=config)) is is_on


def test_the_configuration_adds_folders_behind_the_others():
    found = plan_roots(
        (rule(Base.HOME, "s"),),
        environment(),
        is_directory=lambda _path: True,
        config_rule=ConfigRule(path="c", section="x", select="flat", precedence=3),
        config=Config(extra_paths=("~/more", "rel", "/abs", "~/s", "~/more")),
    )
    assert [(r.path, r.scope, r.precedence, r.select, r.axis) for r in found] == [
        ("/home/s", Scope.USER, 0, "default", "roots[0]"),
        ("/home/more", Scope.CONFIG, 3, "flat", "config"),
        ("/w/repo/pkg/rel", Scope.CONFIG, 3, "flat", "config"),
        ("/abs", Scope.CONFIG, 3, "flat", "config"),
        ("/home/s", Scope.CONFIG, 3, "flat", "config"),
    ]


@pytest.mark.parametrize(
    ("line", "stands_in", "folder"),
    [
        (ConfigRule(path="c", section="x"), environment(), "/w/repo/pkg"),
        (
            ConfigRule(path="c", section="x", variable="X", otherwise="~/.x"),
            environment(),
            "/home/.x",
        ),
        (ConfigRule(path="c", section="x", variable="X"), environment(X="/v"), "/v"),
        (ConfigRule(path="c", section="x", variable="X"), environment(), None),
    ],
)
def test_a_configuration_is_in_the_working_directory_or_where_a_variable_says(
    line: ConfigRule, stands_in: Environment, folder: str | None
):
    assert config_folder(line, stands_in) == folder


def test_what_a_configuration_of_the_user_adds_is_relative_to_it():
    found = plan_roots(
        (),
        environment(X="/v"),
        is_directory=lambda _path: True,
        config_rule=ConfigRule(path="c", section="x", variable="X"),
        config=Config(extra_paths=("more", "~/s")),
    )
    assert [each.path for each in found] == ["/v/more", "/home/s"]


def test_explicit_roots_may_have_a_label():
    (found,) = explicit_roots((("/a", 0),), select="x", cwd="/w", label="project")
    assert found.source == "project"


def test_explicit_roots_are_taken_as_given():
    found = explicit_roots((("a/../b", 2), ("/c/", 0)), select="x", cwd="/w")
    assert found == (
        Root(path="/w/b", scope=Scope.EXPLICIT, precedence=2, select="x", axis="roots"),
        Root(path="/c", scope=Scope.EXPLICIT, precedence=0, select="x", axis="roots"),
    )


@pytest.mark.parametrize(
    ("path", "home_folder", "expected"),
    [
        ("a", "/h", "/w/a"),
        (".", "/h", "/w"),
        ("../../..", "/h", "/"),
        ("/a//b/", "/h", "/a/b"),
        ("~", "/h", "/h"),
        ("~/a", "/h", "/h/a"),
        ("~//etc", "/h", "/h/etc"),
        ("~ada/a", "/h", "/w/~ada/a"),
        ("~/a", None, "/w/~/a"),
    ],
)
def test_a_path_becomes_absolute(path: str, home_folder: str | None, expected: str):
    assert absolute_path(path, base="/w", home=home_folder) == expected


@pytest.mark.parametrize(
    ("path", "parents"), [("/a/b", ["/a/b", "/a", "/"]), ("/", ["/"])]
)
def test_the_parents_of_a_folder_begin_with_itself(path: str, parents: list[str]):
    assert list(parents_of(path)) == parents
