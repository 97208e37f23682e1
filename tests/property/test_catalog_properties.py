"""Whatever a skill says of itself, the catalog says exactly that and nothing more."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from hypothesis import assume, given
from hypothesis import strategies as st

from metier.core.budget import Budget, estimate_tokens
from metier.core.catalog import Catalog
from metier.core.catalog_sheet import render_catalog
from metier.core.skill import Skill
from metier.testing import MemoryFileSystem, make_skill
from tests.making import SKILLS, dialect, library, skill
from tests.property.strategies import MARKUP_TEXTS

RULE = dialect("agentskills").catalog
FRAME = estimate_tokens(RULE.before + RULE.omitted + RULE.after)
# What XML 1.0 cannot write is replaced: the documentation says so.
UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# A folder may lend its name to a skill.
FOLDER_NAMES = MARKUP_TEXTS.map(
    lambda text: "d" + UNWRITABLE.sub("", text).replace("/", "")
)

Row = tuple[str, str, str]


def rows_in(text: str) -> list[Row]:
    """Name, description and location of every skill, as an XML parser has them."""
    catalog = ET.fromstring(text)
    assert catalog.tag == "available_skills"
    rows = [[child.text or "" for child in each] for each in catalog]
    tags = [[child.tag for child in each] for each in catalog]
    assert {each.tag for each in catalog} <= {"skill"}
    assert all(each == ["name", "description", "location"] for each in tags)
    return [(name, description, location) for name, description, location in rows]


def written(text: str | None) -> str:
    return UNWRITABLE.sub("\ufffd", text or "")


@given(st.dictionaries(FOLDER_NAMES, st.tuples(MARKUP_TEXTS, MARKUP_TEXTS), max_size=4))
def test_a_skill_file_says_in_the_catalog_what_the_library_has(
    told: dict[str, tuple[str, str]],
):
    files = {
        f"{SKILLS}/{folder}/SKILL.md": make_skill(name, description)
        for folder, (name, description) in told.items()
    }
    found = library(files)
    assume(found.skills)
    assert rows_in(found.catalog()) == [
        (each.name, each.description, written(each.path)) for each in found
    ]


@given(st.lists(st.tuples(MARKUP_TEXTS, MARKUP_TEXTS, MARKUP_TEXTS), min_size=1))
def test_any_skill_stands_in_the_catalog_but_for_what_xml_cannot_write(
    told: list[tuple[str, str, str]],
):
    skills = [skill(name, about, path=f"/{path}") for name, about, path in told]
    catalog = render_catalog(skills, RULE)
    assert rows_in(catalog.text) == [
        (written(name), written(about), written(f"/{path}"))
        for name, about, path in told
    ]
    assert catalog.text.encode().decode() == catalog.text


# --- budgets ------------------------------------------------------------------------

DESCRIPTIONS = st.none() | st.integers(0, 400).flatmap(
    lambda size: st.text("word 日本<&\u2026", min_size=size, max_size=size)
)
SKILLS_OF_A_BUDGET = st.lists(DESCRIPTIONS, max_size=8).map(
    lambda texts: [skill(f"skill-{n}", text) for n, text in enumerate(texts)]
)
BUDGETS = st.integers(0, 900)


@given(SKILLS_OF_A_BUDGET, BUDGETS)
def test_a_catalog_keeps_to_its_budget_unless_the_frame_alone_is_above(
    skills: list[Skill], budget: int
):
    catalog = render_catalog(skills, RULE, budget=budget)
    assert catalog.tokens == estimate_tokens(catalog.text)
    assert catalog.budget == Budget(amount=budget)
    assert catalog.tokens <= max(budget, FRAME)
    if catalog.tokens > budget:
        assert catalog.shown == ()


@given(SKILLS_OF_A_BUDGET, BUDGETS)
def test_the_report_of_a_catalog_adds_up(skills: list[Skill], budget: int):
    catalog = render_catalog(skills, RULE, budget=budget)
    names = tuple(each.name for each in skills)
    assert catalog.shown + catalog.omitted == names
    # The whole descriptions, the trimmed and the left out: in this order of skills.
    assert catalog.shown[len(catalog.shown) - len(catalog.bare) :] == catalog.bare
    assert not set(catalog.trimmed) & set(catalog.bare)
    assert set(catalog.trimmed) <= set(catalog.shown)


@given(SKILLS_OF_A_BUDGET, BUDGETS)
def test_the_report_of_a_catalog_is_what_its_text_shows(
    skills: list[Skill], budget: int
):
    catalog = render_catalog(skills, RULE, budget=budget)
    assume(skills)
    shown = {
        each.findtext("name"): each.findtext("description")
        for each in ET.fromstring(catalog.text)
    }
    assert tuple(shown) == catalog.shown
    assert tuple(n for n, text in shown.items() if text is None) == catalog.bare
    for each in skills:
        about, text = each.description or "", shown.get(each.name)
        if each.name in catalog.trimmed:
            assert text
            assert text.endswith("\u2026")
            assert about.startswith(text[:-1])
            assert len(text) < len(about)
        elif each.name in shown and each.name not in catalog.bare:
            assert text == about
    left_out = re.search("<!-- ([0-9]+) more skills", catalog.text)
    assert int(left_out[1] if left_out else 0) == len(catalog.omitted)


def amount_shown(catalog: Catalog) -> tuple[int, int]:
    return len(catalog.shown), len(catalog.shown) - len(catalog.bare)


@given(SKILLS_OF_A_BUDGET, BUDGETS, BUDGETS)
def test_a_larger_budget_never_shows_less(skills: list[Skill], one: int, other: int):
    less, more = sorted((one, other))
    small = render_catalog(skills, RULE, budget=less)
    large = render_catalog(skills, RULE, budget=more)
    assert amount_shown(small) <= amount_shown(large)
    assert len(small.text) <= len(large.text) + len(RULE.omitted)


@given(SKILLS_OF_A_BUDGET)
def test_an_ample_budget_changes_nothing(skills: list[Skill]):
    plain = render_catalog(skills, RULE)
    ample = plain.tokens + FRAME + len(skills)
    assert render_catalog(skills, RULE, budget=ample).text == plain.text


@given(st.dictionaries(FOLDER_NAMES, MARKUP_TEXTS, min_size=1, max_size=4))
def test_the_order_of_the_files_changes_nothing(told: dict[str, str]):
    paths = [(f"{SKILLS}/{folder}/SKILL.md", text) for folder, text in told.items()]
    made = [(path, make_skill("a", text)) for path, text in paths]
    forth, back = MemoryFileSystem(dict(made)), MemoryFileSystem(dict(made[::-1]))
    assert library(forth).skills == library(back).skills
