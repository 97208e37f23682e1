"""Who wins, against oracles that say it in one line; and nobody vanishes."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from metier.core.collation import locale_key
from metier.core.resolve import (
    Collision,
    FailurePolicy,
    PrecedenceRule,
    Resolution,
    SameFile,
    Sorting,
    Tie,
    resolve,
)
from metier.core.skill import Candidate, Skill
from metier.diagnostics import Severity
from tests.making import rejection, skill
from tests.property.strategies import SKILL_NAMES

FOUND = st.tuples(SKILL_NAMES, st.integers(0, 2), st.sampled_from("pqrst"))
SKILLS = st.lists(FOUND, max_size=9).map(
    lambda found: [
        skill(name, path=f"/{folder}/{name}/SKILL.md", precedence=precedence)
        for name, precedence, folder in found
    ]
)
REJECTIONS = st.builds(
    lambda folder, severity: rejection(f"/{folder}/bad", severity),
    st.sampled_from("pqrst"),
    st.sampled_from(Severity),
)
CANDIDATES = st.tuples(SKILLS, st.lists(REJECTIONS, max_size=3)).flatmap(
    lambda both: st.permutations(list[Candidate](both[0] + both[1]))
)
RULES = st.builds(
    PrecedenceRule,
    collision=st.sampled_from(Collision),
    sorting=st.sampled_from(Sorting),
    tie=st.sampled_from(Tie),
    same_file=st.sampled_from(SameFile),
)
FAILURES = st.sampled_from(FailurePolicy)


def winners(
    skills: list[Skill], collision: Collision, tie: Tie = Tie.ERROR
) -> Resolution:
    rule = PrecedenceRule(collision=collision, sorting=Sorting.DISCOVERY, tie=tie)
    return resolve(skills, rule, FailurePolicy.SKIP)


def namesakes(skills: list[Skill]) -> dict[str, list[Skill]]:
    return {
        each.name: [other for other in skills if other.name == each.name]
        for each in skills
    }


@given(SKILLS)
def test_the_last_of_each_name_wins(skills: list[Skill]):
    expected = [same[-1] for same in namesakes(skills).values()]
    assert list(winners(skills, Collision.LAST_WINS).skills) == expected


@given(SKILLS)
def test_the_first_of_each_name_wins(skills: list[Skill]):
    expected = [same[0] for same in namesakes(skills).values()]
    assert list(winners(skills, Collision.FIRST_WINS).skills) == expected


def rank(each: Skill) -> int:
    return each.root.precedence


@given(SKILLS)
def test_the_first_of_the_highest_precedence_wins(skills: list[Skill]):
    expected = [max(same, key=rank) for same in namesakes(skills).values()]
    found = winners(skills, Collision.HIGHER_PRECEDENCE, Tie.FIRST_WINS)
    assert list(found.skills) == expected


@given(SKILLS)
def test_the_last_of_the_highest_precedence_wins(skills: list[Skill]):
    expected = [max(same[::-1], key=rank) for same in namesakes(skills).values()]
    found = winners(skills, Collision.HIGHER_PRECEDENCE, Tie.LAST_WINS)
    assert list(found.skills) == expected


def first_tie(skills: list[Skill]) -> Skill | None:
    """The first skill that is as high as the highest of its name before it."""
    for place, each in enumerate(skills):
        before = [rank(other) for other in skills[:place] if other.name == each.name]
        if before and max(before) == rank(each):
            return each
    return None


@given(SKILLS)
def test_a_tie_at_the_top_is_an_error(skills: list[Skill]):
    found = winners(skills, Collision.HIGHER_PRECEDENCE, Tie.ERROR)
    tied = first_tie(skills)
    if tied is None:
        same = winners(skills, Collision.HIGHER_PRECEDENCE, Tie.FIRST_WINS)
        assert found == same
    else:
        assert (found.skills, found.shadowed) == ((), ())
        assert found.aborted_by is not None
        assert (found.aborted_by.rule, found.aborted_by.path) == (
            "name-duplicate",
            tied.path,
        )


@given(SKILLS, st.sampled_from(Collision))
def test_a_file_that_was_found_before_counts_once(
    skills: list[Skill], collision: Collision
):
    once = PrecedenceRule(
        collision=collision, sorting=Sorting.DISCOVERY, same_file=SameFile.ONCE
    )
    collides = PrecedenceRule(collision=collision, sorting=Sorting.DISCOVERY)
    first_of_each_path = list({each.path: each for each in skills[::-1]}.values())
    unique = [each for each in skills if any(each is f for f in first_of_each_path)]
    found = resolve(skills, once, FailurePolicy.SKIP)
    assert found.skills == resolve(unique, collides, FailurePolicy.SKIP).skills
    again = [s.skill for s in found.shadowed if s.rule == "same-file"]
    assert len(again) == len(skills) - len(unique)


@given(SKILLS)
def test_all_are_kept_where_all_are_kept(skills: list[Skill]):
    assert winners(skills, Collision.KEEP_ALL) == Resolution(tuple(skills), (), (), ())


JS_SORTINGS = (Sorting.JS_OBJECT, Sorting.JS_LOCALE)
REASONS = {each: (each.value,) for each in Collision} | {
    Collision.UNDEFINED: ("name-collision-undefined",)
}


def place_of(candidate: Candidate) -> tuple[str, str | None, int]:
    return candidate.path, candidate.name, candidate.root.precedence


def places(resolution: Resolution) -> Counter[tuple[str, str | None, int]]:
    lost = [shadowed.skill for shadowed in resolution.shadowed]
    everyone = [*resolution.skills, *lost, *resolution.rejected]
    return Counter(map(place_of, everyone))


@given(CANDIDATES, RULES, FAILURES)
def test_nobody_vanishes_and_nobody_is_in_two_places(
    candidates: list[Candidate], rule: PrecedenceRule, failure: FailurePolicy
):
    found = resolve(candidates, rule, failure)
    assert places(found) == Counter(map(place_of, candidates))


@given(CANDIDATES, RULES, FAILURES)
def test_every_loser_has_a_reason(
    candidates: list[Candidate], rule: PrecedenceRule, failure: FailurePolicy
):
    found = resolve(candidates, rule, failure)
    for shadowed in found.shadowed:
        assert shadowed.skill is not shadowed.by
        assert shadowed.rule in ("same-file", *REASONS[rule.collision])
    for each in found.rejected:
        assert each.rule in {finding.rule for finding in each.diagnostics}


@given(CANDIDATES, RULES)
def test_an_error_stops_everything_where_it_does(
    candidates: list[Candidate], rule: PrecedenceRule
):
    found = resolve(candidates, rule, FailurePolicy.ABORT_ALL)
    errors = [
        each
        for each in candidates
        if not isinstance(each, Skill)
        and each.diagnostics[0].severity is Severity.ERROR
    ]
    if errors:
        assert found.aborted_by is not None
    if found.aborted_by:
        assert (found.skills, found.shadowed) == ((), ())


@given(CANDIDATES, RULES, FAILURES)
def test_the_sorting_changes_only_the_order(
    candidates: list[Candidate], rule: PrecedenceRule, failure: FailurePolicy
):
    found = resolve(candidates, rule, failure)
    as_found = PrecedenceRule(
        collision=rule.collision,
        sorting=Sorting.DISCOVERY,
        tie=rule.tie,
        same_file=rule.same_file,
    )
    plain = resolve(candidates, as_found, failure)
    assert found.shadowed == plain.shadowed
    kept = [
        each
        for each in plain.skills
        if rule.sorting not in JS_SORTINGS or each.name != "__proto__"
    ]
    if rule.sorting is Sorting.NAME:
        kept.sort(key=lambda each: each.name)
    elif rule.sorting is Sorting.NAME_AND_PATH:
        kept.sort(key=lambda each: (each.name, each.path.split("/")))
    elif rule.sorting is Sorting.FOLDED_FOLDER:
        kept.sort(key=lambda each: (each.directory.lower(), each.name.lower()))
    elif rule.sorting is Sorting.JS_OBJECT:
        kept.sort(key=lambda each: int(each.name) if each.name.isdigit() else 99)
    elif rule.sorting is Sorting.JS_LOCALE:
        kept.sort(key=lambda each: locale_key(each.name))
    assert list(found.skills) == kept
