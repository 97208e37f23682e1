"""What skills say that they need, in any header, and what is there, in any world."""

from __future__ import annotations

import json
from collections.abc import Container
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from metier.core.requirements import (
    Need,
    Requirement,
    read_requirements,
    requirement_rules,
)
from metier.core.skill import Origin, Skill
from metier.core.surroundings import (
    Standing,
    Surroundings,
    judge_requirements,
    standing_of,
)
from metier.world.dialects import dialect_names, load_dialect
from tests.making import dialect, root

RULES = requirement_rules(dialect())
KEYS = sorted({key for path, _ in RULES.places() for key in path.split(".")})
WORDS = st.sampled_from(["git", "jq", "linux", "win32", "KEY", "", " ", "a, b", "😀"])
VALUES = st.recursive(
    WORDS | st.booleans() | st.none() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*KEYS, "name", "required"]), inner)
    ),
    max_leaves=12,
)
SOME = st.frozensets(st.sampled_from(["git", "jq", "KEY", "a"]))
WORLDS = st.builds(
    Surroundings,
    system=st.sampled_from([None, "linux", "darwin", "win32"]),
    programs=st.none() | SOME,
    variables=st.none() | SOME,
    servers=st.none() | SOME,
    tools=st.none() | SOME,
    settings=st.none() | SOME,
    conditions=st.none() | SOME,
)
REQUIREMENTS = st.builds(
    Requirement,
    need=st.sampled_from(Need),
    names=st.lists(WORDS, min_size=1, unique=True).map(tuple),
    key=st.just("k"),
)


def headed(header: str, using: str = "agentskills") -> Skill:
    origin = Origin(root(), load_dialect(using))
    return Skill("pdf", "Fills", "/r/pdf/SKILL.md", origin, header)


@given(
    st.text(alphabet="requismtad.bn:[]{}\"'\\ \n-\t", max_size=80),
    st.sampled_from(dialect_names()),
)
def test_any_header_says_something_or_nothing(header: str, using: str):
    for each in read_requirements(headed(header, using), RULES):
        assert each.names
        assert all(each.names)


@given(st.dictionaries(st.sampled_from(KEYS), VALUES))
def test_a_map_and_its_text_say_the_same(values: dict[str, object]):
    written = json.dumps(values, ensure_ascii=False)
    quoted = json.dumps(json.dumps(values))
    below = {
        need.value: tuple(f"block.{path}" for path in getattr(RULES, need.value))
        for need in Need
    }
    rules = replace(RULES, **below, waived_by=())
    as_map = read_requirements(headed(f"block: {written}\n"), rules)
    as_text = read_requirements(headed(f"block: {quoted}\n"), rules)
    assert as_map == as_text


@given(st.dictionaries(st.sampled_from(KEYS), VALUES), WORLDS)
def test_every_finding_is_about_something_that_is_said(
    values: dict[str, object], world: Surroundings
):
    needed = read_requirements(headed(f"metadata: {json.dumps(values)}\n"), RULES)
    found = judge_requirements(needed, world)
    assert len(found) <= len(needed)
    assert all(each.message.isprintable() for each in found)
    assert {each.rule for each in found} <= {"requirement-unmet", "requirement-unknown"}


@given(REQUIREMENTS, WORLDS, SOME)
def test_more_of_everything_is_never_less(
    required: Requirement, world: Surroundings, more: frozenset[str]
):
    def with_more(there: Container[str] | None) -> frozenset[str] | None:
        return frozenset(there) | more if isinstance(there, frozenset) else None

    richer = Surroundings(
        system=world.system,
        programs=with_more(world.programs),
        variables=with_more(world.variables),
        servers=with_more(world.servers),
        tools=with_more(world.tools),
        settings=with_more(world.settings),
        conditions=with_more(world.conditions),
    )
    before = standing_of(required, world, RULES.system_names)
    after = standing_of(required, richer, RULES.system_names)
    # Some skills stand in for a tool, and are needless where it is.
    if before is Standing.MET and required.need is not Need.NO_TOOLS:
        assert after is Standing.MET
    assert (before is Standing.UNKNOWN) == (after is Standing.UNKNOWN)


@given(REQUIREMENTS)
def test_of_what_nobody_has_told_nothing_is_concluded(required: Requirement):
    assert standing_of(required, Surroundings(), RULES.system_names) is Standing.UNKNOWN
