"""What a model is told of a catalog that changed, for any two catalogs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from metier.core.budget import estimate_tokens
from metier.core.skill import Skill
from metier.core.snapshots import render_delta
from metier.world.dialects import dialect_names
from tests.making import dialect, skill

NAMES = ["pdf", "csv", "ops", 'x"\n- y', "技能"]
SECRET = "never-to-be-told"
RULES = st.sampled_from([dialect(name).catalog for name in dialect_names()])
OURS = dialect().catalog


@st.composite
def catalogs(draw: st.DrawFn) -> list[Skill]:
    names = draw(st.lists(st.sampled_from(NAMES), unique=True))
    about = st.sampled_from(["Does it", "Does more", "D" * 300])
    return [
        skill(name, draw(about), is_hidden=draw(st.booleans())) for name in names
    ] + [skill(SECRET, draw(about), is_hidden=True)]


def offered(skills: list[Skill]) -> set[str]:
    return {each.name for each in skills if not each.is_hidden}


@given(catalogs(), catalogs(), RULES)
def test_what_is_told_makes_the_one_catalog_of_the_other(before, after, rule):
    delta = render_delta(before, after, rule)
    assert render_delta(before, after, rule) == delta
    if rule.place.value == "nowhere":
        assert not delta
        return
    known = offered(before) - set(delta.removed) | set(delta.added)
    assert known == offered(after)
    assert set(delta.changed) <= offered(before) & offered(after)
    assert not set(delta.added) & offered(before)
    assert SECRET not in delta.text


@given(catalogs(), RULES)
def test_a_catalog_is_no_news_to_itself(skills, rule):
    assert not render_delta(skills, skills, rule)


@given(catalogs(), catalogs(), RULES, st.integers(-5, 300))
def test_the_news_keep_to_their_budget(before, after, rule, budget):
    whole = render_delta(before, after, rule)
    delta = render_delta(before, after, rule, budget=budget)
    gone = render_delta(before, [], rule).text
    assert delta.tokens <= max(budget, estimate_tokens(gone))
    assert delta.removed == whole.removed
    told = {*delta.added, *delta.changed, *delta.omitted}
    assert told == {*whole.added, *whole.changed}


@given(catalogs(), catalogs())
def test_two_that_are_alike_give_the_same_bytes(before, after):
    copies = render_delta([*map(_copied, before)], [*map(_copied, after)], OURS)
    assert copies == render_delta(before, after, OURS)


def _copied(each: Skill) -> Skill:
    return skill(each.name, each.description, is_hidden=each.is_hidden)
