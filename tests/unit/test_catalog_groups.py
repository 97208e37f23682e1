"""A catalog in groups, with parts of its own and the folders that were searched."""

from __future__ import annotations

from dataclasses import replace

import pytest

from metier.core.catalog import CatalogContext, CatalogRule, Place
from metier.core.catalog_groups import (
    Grouping,
    GroupRule,
    group_folder,
    group_of,
    in_groups,
    join_groups,
)
from metier.core.catalog_parts import (
    PartItem,
    PartRule,
    SourceList,
    render_parts,
    render_sources,
)
from metier.core.catalog_sheet import render_catalog
from metier.core.fields import FieldRule, FieldType
from metier.core.roots import Scope
from metier.core.skill import Origin, Skill
from metier.world.dialects import load_dialect
from tests.making import root, skill

CATEGORY = GroupRule(
    by=Grouping.CATEGORY,
    heading="[{group}]\n",
    described_heading="[{group}: {description}]\n",
    between="\n\n",
)


@pytest.mark.parametrize(
    ("path", "group", "folder"),
    [
        ("/r/SKILL.md", "general", "/r"),
        ("/r/pdf/SKILL.md", "pdf", "/r/pdf"),
        ("/r/web/pdf/SKILL.md", "web", "/r/web"),
        ("/r/a/b/c/SKILL.md", "a/b", "/r/a/b"),
    ],
)
def test_a_category_is_the_folder_of_the_folder(path: str, group: str, folder: str):
    found = skill("pdf", path=path)
    assert (group_of(found, Grouping.CATEGORY), group_folder(found)) == (group, folder)


def test_a_source_is_the_scope_and_without_groups_there_is_one():
    found = skill("pdf", scope=Scope.USER)
    assert group_of(found, Grouping.SOURCE) == "user"
    assert group_of(found, Grouping.NONE) == ""


def test_a_category_has_its_skills_by_name_and_each_name_once():
    paths = ("/r/b/x/SKILL.md", "/r/b/w/SKILL.md", "/r/a/v/SKILL.md", "/r/b/y/SKILL.md")
    names = ("zip", "pdf", "zip", "zip")
    given = [skill(n, path=p) for n, p in zip(names, paths, strict=True)]
    assert in_groups(given, CATEGORY) == [given[2], given[1], given[0]]
    assert in_groups(given, GroupRule(by=Grouping.SOURCE)) == given


def test_each_group_stands_under_its_heading():
    given = [
        (skill(path, path=f"/r/{path}/SKILL.md"), f"- {path}")
        for path in ("a/x", "a/y", "b/z")
    ]
    about = {"b": "of b"}
    assert join_groups(given, CATEGORY, between="\n", about=about) == (
        "[a]\n- a/x\n- a/y\n\n[b: of b]\n- b/z"
    )
    assert join_groups(given, GroupRule(), between=", ", about={}) == (
        "- a/x, - a/y, - b/z"
    )


RULE = CatalogRule(
    place=Place.SYSTEM_PROMPT,
    before="<",
    item="- {name}: {description}",
    undescribed_item="- {name}",
    between="\n",
    after=">",
    groups=CATEGORY,
)


def test_a_catalog_has_its_groups_and_what_is_known_of_them():
    given = [
        skill("zip", path="/r/b/zip/SKILL.md"),
        skill("pdf", None, path="/r/a/pdf/SKILL.md"),
    ]
    around = CatalogContext(groups={"a": "of a"})
    text = "<[a: of a]\n- pdf\n\n[b]\n- zip: Does it>"
    catalog = render_catalog(given, RULE, around=around)
    assert (catalog.text, catalog.shown) == (text, ("pdf", "zip"))


def test_headings_take_room_too():
    given = [skill(name, path=f"/r/{name}/SKILL.md") for name in "ab"]
    rule = replace(RULE, overflow=load_dialect("agentskills").catalog.overflow)
    whole = render_catalog(given, rule)
    tight = render_catalog(given, rule, budget=whole.tokens - 1)
    assert tight.tokens < whole.tokens


def test_without_a_skill_there_is_a_text_for_the_items_or_for_all():
    rule = replace(RULE, no_items="none in {folders}", empty="nothing")
    around = CatalogContext(roots=(root("/a"), root("/b")))
    assert render_catalog([], rule, around=around).text == "<none in /a or /b>"
    assert render_catalog([], replace(RULE, empty="nothing")).text == "nothing"


def test_the_folders_that_were_searched_may_be_told():
    rule = SourceList(
        item="{source}: {path}", between=", ", last=" (the last)", after="."
    )
    roots = (root("/a"), root("/b", scope=Scope.USER))
    assert render_sources(roots, rule) == "project: /a, user: /b (the last)."
    assert render_sources((), rule) == "."
    assert render_sources(roots, SourceList()) == ""


def with_header(header: str) -> Skill:
    plain = load_dialect("agentskills")
    other = {
        "license": FieldRule(keys=("license",), type=FieldType.TEXT),
        "tools": FieldRule(keys=("tools",), type=FieldType.TOOLS),
        "flag": FieldRule(keys=("flag",), type=FieldType.FLAG),
    }
    fields = replace(plain.fields, other=other)
    origin = Origin(root(), replace(plain, fields=fields))
    return Skill("a", "d", "/r/a/SKILL.md", origin, header)


@pytest.mark.parametrize(
    ("header", "text"),
    [
        ("name: a", ""),
        ("license: MIT", " (License MIT)"),
        ("license: MIT\ntools: [b, c]", " (License MIT; b; c)"),
        ("tools: []\nflag: true", ""),
    ],
)
def test_a_part_is_there_where_one_of_its_fields_is(header: str, text: str):
    rule = PartRule(
        items=(
            PartItem(field="license", item="License {value}"),
            PartItem(field="tools"),
            PartItem(field="flag"),
        ),
        before=" (",
        between="; ",
        after=")",
    )
    assert render_parts(with_header(header), {"about": rule}) == {"about": text}
    assert render_parts(with_header(header), {}) == {}
