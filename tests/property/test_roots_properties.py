"""The folders of a search, against `pathlib` and against themselves."""

from __future__ import annotations

from pathlib import PurePosixPath
from posixpath import normpath

from hypothesis import given
from hypothesis import strategies as st

from metier.core.roots import (
    Base,
    Config,
    ConfigRule,
    Environment,
    Order,
    Root,
    RootRule,
    Scope,
    Stop,
    absolute_path,
    explicit_roots,
    plan_roots,
)

STEPS = st.sampled_from(["a", "b", ".c", "..", ".", "~"])
RELATIVE = st.lists(STEPS, max_size=4).map("/".join)
FOLDERS = st.lists(st.sampled_from(["a", "b", "c"]), max_size=4).map(
    lambda steps: "/" + "/".join(steps)
)
ENVIRONMENTS = st.builds(
    Environment,
    cwd=FOLDERS,
    home=st.none() | FOLDERS,
    git_root=st.none() | FOLDERS,
    variables=st.dictionaries(
        st.sampled_from(["XDG_CONFIG_HOME", "X_DIR", "OFF"]),
        st.sampled_from(["", "1", "true", "/x", "x/../y"]),
    ),
)
RULES = st.builds(
    RootRule,
    base=st.sampled_from(Base),
    scope=st.sampled_from(Scope),
    paths=st.lists(RELATIVE, min_size=1, max_size=2).map(tuple),
    select=st.sampled_from(["default", "flat"]),
    precedence=st.integers(0, 2),
    stop=st.sampled_from(Stop),
    order=st.sampled_from(Order),
    variable=st.sampled_from(["X_DIR", None]),
    unless_variables=st.sampled_from([("OFF",), (), ()]),
    unless_flag=st.sampled_from(["off", None, None]),
    group=st.sampled_from(["g", None, None]),
)
PLANS = st.lists(RULES, max_size=4).map(tuple)
CONFIGS = st.builds(
    Config,
    flags=st.frozensets(st.just("off")),
    extra_paths=st.lists(RELATIVE, max_size=2).map(tuple),
)
CONFIG_RULE = ConfigRule(path="c", section="s")


def everywhere(_path: str) -> bool:
    return True


def planned(
    rules: tuple[RootRule, ...], stands_in: Environment, config: Config
) -> tuple[Root, ...]:
    return plan_roots(
        rules,
        stands_in,
        is_directory=everywhere,
        config_rule=CONFIG_RULE,
        config=config,
    )


@given(PLANS, ENVIRONMENTS, CONFIGS)
def test_every_folder_is_absolute_and_comes_once_for_each_selection(
    rules: tuple[RootRule, ...], stands_in: Environment, config: Config
):
    found = planned(rules, stands_in, config)
    assert all(root.path == normpath(root.path) for root in found)
    assert all(root.path.startswith("/") for root in found)
    keys = [(root.path, root.select) for root in found]
    assert len(keys) == len(set(keys))


@given(PLANS, ENVIRONMENTS, CONFIGS)
def test_folders_come_in_the_order_of_the_rules(
    rules: tuple[RootRule, ...], stands_in: Environment, config: Config
):
    axes = [root.axis for root in planned(rules, stands_in, config)]
    order = [*(f"roots[{index}]" for index in range(len(rules))), "config"]
    assert axes == sorted(axes, key=order.index)


@given(PLANS, ENVIRONMENTS, st.sets(FOLDERS))
def test_only_folders_that_exist_are_scanned(
    rules: tuple[RootRule, ...], stands_in: Environment, there: set[str]
):
    found = plan_roots(rules, stands_in, is_directory=there.__contains__)
    assert {root.path for root in found} <= there


@given(PLANS, ENVIRONMENTS, CONFIGS)
def test_nothing_but_the_groups_and_the_order_ties_rules_together(
    rules: tuple[RootRule, ...], stands_in: Environment, config: Config
):
    alone = [planned((rule,), stands_in, config) for rule in rules if not rule.group]
    together = planned(rules, stands_in, config)
    one_by_one = {(root.path, root.select) for found in alone for root in found}
    assert one_by_one <= {(root.path, root.select) for root in together}


@given(FOLDERS, st.sampled_from(Stop))
def test_a_walk_is_the_parents_of_the_folder(folder: str, stop: Stop):
    walk = RootRule(base=Base.WALK_UP, scope=Scope.PROJECT, stop=stop)
    parents = [folder, *map(str, PurePosixPath(folder).parents)]
    found = plan_roots(
        (walk,), Environment(cwd=folder, home=None), is_directory=everywhere
    )
    paths = [root.path for root in found]
    assert paths == ([folder] if stop is Stop.GIT_ROOT else parents)


@given(FOLDERS, st.integers(0, 4), st.sampled_from(Stop))
def test_a_walk_ends_at_the_repository_either_way(folder: str, up: int, stop: Stop):
    parents = [folder, *map(str, PurePosixPath(folder).parents)]
    git_root = parents[min(up, len(parents) - 1)]
    stands_in = Environment(cwd=folder, home=None, git_root=git_root)
    ways = [
        plan_roots(
            (RootRule(base=Base.WALK_UP, scope=Scope.PROJECT, stop=stop, order=order),),
            stands_in,
            is_directory=everywhere,
        )
        for order in (Order.NEAREST_FIRST, Order.FARTHEST_FIRST)
    ]
    near, far = ([root.path for root in way] for way in ways)
    assert near == parents[: parents.index(git_root) + 1]
    assert far == near[::-1]


@given(RELATIVE | FOLDERS, FOLDERS, st.none() | FOLDERS)
def test_a_path_that_is_absolute_stays_as_it_is(
    path: str, base: str, home_folder: str | None
):
    once = absolute_path(path, base=base, home=home_folder)
    assert once.startswith("/")
    assert absolute_path(once, base="/elsewhere", home="/other") == once


@given(RELATIVE, FOLDERS)
def test_a_path_below_the_home_stays_there_or_goes_up_from_there(path: str, base: str):
    below = absolute_path(f"~/{path}", base="/elsewhere", home=base)
    assert below == absolute_path(f"./{path}", base=base)


@given(st.lists(st.tuples(RELATIVE | FOLDERS, st.integers(-3, 3))), FOLDERS)
def test_explicit_folders_are_all_there_in_order(
    given_roots: list[tuple[str, int]], cwd: str
):
    found = explicit_roots(tuple(given_roots), select="default", cwd=cwd)
    assert [root.precedence for root in found] == [n for _, n in given_roots]
    assert [root.path for root in found] == [
        absolute_path(path, base=cwd) for path, _ in given_roots
    ]
