from __future__ import annotations

from dataclasses import replace

from metier.core.locations import AliasRule, Locations, Places, as_found
from metier.core.skill import Origin, Skill
from tests.making import root, skill

RULE = AliasRule(name="r{index}", item="- {name}={path}\n", after="skills:\n")


def placed(name: str, *, below: str, path: str) -> Skill:
    made = skill(name, path=path)
    return replace(made, origin=Origin(root(below), made.origin.dialect))


ONE = placed("one", below="/a", path="/a/one/SKILL.md")
TWO = placed("two", below="/b", path="/b/two/SKILL.md")
ROOTS = Places(roots=(("/z", "/z"), ("/b", "/b"), ("/a", "/a")))


def test_without_aliases_a_skill_is_at_its_path():
    locations = Locations([ONE], AliasRule(), ROOTS)
    assert (locations.of(ONE), locations.table) == ("/a/one/SKILL.md", "")


def test_roots_with_skills_are_counted_in_the_order_of_the_scan():
    locations = Locations([ONE, TWO], RULE, ROOTS)
    assert locations.table == "- r0=/b\n- r1=/a\nskills:\n"
    assert [locations.of(each) for each in (ONE, TWO)] == [
        "r1/one/SKILL.md",
        "r0/two/SKILL.md",
    ]


def test_of_two_roots_around_a_skill_the_nearer_one_counts():
    inner = placed("in", below="/a", path="/a/deep/in/SKILL.md")
    other = placed("other", below="/a/deep", path="/a/deep/other/SKILL.md")
    roots = Places(roots=(("/a", "/a"), ("/a/deep", "/a/deep")))
    locations = Locations([inner, other], RULE, roots)
    assert locations.of(inner) == "r1/in/SKILL.md"


def test_a_root_that_is_a_link_is_named_by_what_it_leads_to():
    locations = Locations([ONE], RULE, Places(roots=(("/a", "/real"),)))
    assert locations.table == "- r0=/real\nskills:\n"
    assert locations.of(ONE) == "/a/one/SKILL.md"


def test_a_folder_behind_a_link_is_where_the_link_is():
    far = placed("far", below="/a", path="/store/far/SKILL.md")
    links = {"/a": {"/store/far": "/a/near"}}
    locations = Locations([far], RULE, replace(ROOTS, links=links))
    assert locations.of(far) == "r0/near/SKILL.md"


def test_links_behind_links_are_followed_back_to_the_first():
    links = {"/x": "/a/x", "/y/deep": "/x/y", "/y": "/a/other"}
    assert as_found("/y/deep/SKILL.md", links) == "/a/x/y/SKILL.md"
    assert as_found("/elsewhere", links) == "/elsewhere"


def test_links_in_a_circle_come_to_an_end():
    assert as_found("/x/SKILL.md", {"/x": "/y", "/y": "/x"}) == "/x/SKILL.md"


def test_a_path_below_the_home_folder_may_be_told_from_there():
    places = Places(homes=("/real/home", "/home"))
    rule = AliasRule(home="~")
    homes = ("/home/x/SKILL.md", "/real/home/x/SKILL.md", "/homes/x/SKILL.md")
    found = [placed("x", below="/", path=path) for path in homes]
    locations = Locations(found, rule, places)
    assert [locations.of(each) for each in found] == [
        "~/x/SKILL.md",
        "~/x/SKILL.md",
        "/homes/x/SKILL.md",
    ]
    assert Locations(found, AliasRule(), places).of(found[0]) == homes[0]
