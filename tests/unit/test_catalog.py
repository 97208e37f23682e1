from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from metier.core.budget import Budget, BudgetRule, Counted, Measure, estimate_tokens
from metier.core.catalog import (
    Catalog,
    CatalogRule,
    DescriptionLimit,
    EllipsisRoom,
    Folders,
    Notice,
    Overflow,
    Place,
    ShortForm,
    Stand,
    Unlisted,
)
from metier.core.catalog_parts import PartItem, PartRule
from metier.core.catalog_sheet import cut_description, render_catalog
from metier.core.escaping import Escape, escape_go_html, escape_xml
from metier.core.fields import Unit
from metier.core.locations import AliasRule, Places
from metier.core.roots import Scope
from metier.core.skill import Origin, Skill
from tests.making import dialect, root, skill

PLAIN = CatalogRule(
    place=Place.SYSTEM_PROMPT,
    before="[",
    item="{name}={description}@{location}{flag}",
    between="; ",
    after="]",
    empty="none",
    flag="!",
)
PDF, ZIP = skill("pdf", "Reads", path="/p"), skill("zip", "Packs", path="/z")
SECRET = skill("secret", "Hides", path="/s", is_hidden=True)


def test_the_catalog_is_the_template_filled_for_every_skill():
    text = "[pdf=Reads@/p; zip=Packs@/z]"
    assert render_catalog([PDF, ZIP], PLAIN) == Catalog(
        text=text, shown=("pdf", "zip"), tokens=7, size=7
    )


def test_a_skill_that_the_model_may_not_invoke_is_left_out():
    catalog = render_catalog([SECRET, PDF], PLAIN)
    assert (catalog.text, catalog.shown) == ("[pdf=Reads@/p]", ("pdf",))


def test_or_it_is_shown_with_a_flag():
    rule = replace(PLAIN, unlisted=Unlisted.SHOW)
    catalog = render_catalog([SECRET, PDF], rule)
    assert catalog.text == "[secret=Hides@/s!; pdf=Reads@/p]"


@pytest.mark.parametrize("skills", [[], [SECRET]], ids=["none", "only hidden ones"])
def test_without_skills_there_is_a_text_of_its_own(skills: list):
    assert render_catalog(skills, PLAIN, budget=9) == Catalog(
        text="none", shown=(), tokens=1, size=1, budget=Budget(amount=9)
    )


def test_an_agent_may_show_no_catalog_at_all():
    nowhere = CatalogRule(place=Place.NOWHERE, item="{name}")
    assert render_catalog([PDF], nowhere) == Catalog(text="", shown=())


def test_a_field_may_stand_behind_the_description_until_there_is_no_room():
    origin = Origin(root(), dialect("qwen-code"))
    header = "description: Reads\nwhen_to_use: Now & then\n"
    given = (
        Skill("pdf", "Reads\nall", "/p", origin, header),
        Skill("zip", " Packs ", "/z", origin, "description: ' Packs '\n"),
    )
    rule = replace(
        PLAIN,
        item="{name}={description}{when}",
        bare_item="{name}={description}",
        escape=Escape.XML,
        parts={
            "when": PartRule(items=(PartItem(field="when_to_use", item=" - {value}"),))
        },
        overflow=(Overflow.FIRST_LINES,),
        budget=BudgetRule(fixed=43, counted=Counted.ITEMS),
    )
    catalog = render_catalog(given, rule)
    assert catalog.text == "[pdf=Reads\nall - Now &amp; then; zip= Packs ]"
    assert (catalog.trimmed, catalog.size) == ((), 43)
    narrow = replace(rule, budget=replace(rule.budget, fixed=42))
    catalog = render_catalog(given, narrow)
    assert catalog.text == "[pdf=Reads; zip=Packs]"
    assert catalog.trimmed == ("pdf", "zip")


def test_a_skill_without_a_description_has_an_empty_one():
    assert render_catalog([skill("a", None, path="/a")], PLAIN).text == "[a=@/a]"


def test_or_is_written_in_a_way_of_its_own():
    rule = replace(PLAIN, undescribed_item="{name}")
    text = render_catalog([skill("a", None), skill("b", ""), PDF], rule).text
    assert text == "[a; b; pdf=Reads@/p]"


def test_braces_in_a_value_are_only_text():
    odd = skill("{name}", "{0} {", path="/}")
    assert render_catalog([odd], PLAIN).text == "[{name}={0} {@/}]"


@pytest.mark.parametrize(
    ("escape", "expected"),
    [
        (Escape.NONE, "[a=<&>\"'@/x&y]"),
        (Escape.GO_HTML, "[a=&lt;&amp;&gt;&#34;&#39;@/x&amp;y]"),
        (Escape.XML, "[a=&lt;&amp;&gt;&quot;&apos;@/x&amp;y]"),
        (Escape.ENTITIES, "[a=&lt;&amp;&gt;&quot;&apos;@/x&amp;y]"),
        (Escape.HANDLEBARS, "[a=&lt;&amp;&gt;&quot;&#x27;@/x&amp;y]"),
    ],
)
def test_values_are_escaped_and_the_template_is_not(escape: Escape, expected: str):
    odd = skill("a", "<&>\"'", path="/x&y")
    assert render_catalog([odd], replace(PLAIN, escape=escape)).text == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("\ta\nb ", "\ta\nb ", id="blanks stay"),
        pytest.param("a\rb", "a&#13;b", id="a carriage return is a reference"),
        pytest.param("a\x00\x1f\x0bb", "a\ufffd\ufffd\ufffdb", id="controls"),
        pytest.param("\ud800\udfff\udc80", "\ufffd\ufffd\ufffd", id="surrogates"),
        pytest.param("\ufffe\uffff\ufffd", "\ufffd\ufffd\ufffd", id="non-characters"),
        pytest.param(
            "\x7f\x85\u2028\U0001f52c", "\x7f\x85\u2028\U0001f52c", id="others"
        ),
        pytest.param("]]>&amp;", "]]&gt;&amp;amp;", id="what is escaped already"),
    ],
)
def test_xml_gets_only_what_it_can_carry(text: str, expected: str):
    assert escape_xml(text) == expected


def test_a_location_may_be_escaped_in_another_way():
    odd = skill("a<", "b>", path="/<>&'\"")
    rule = replace(PLAIN, location_escape=Escape.JS_HTML)
    expected = "[a<=b>@/&lt;&gt;&amp;&#39;&quot;]"
    assert render_catalog([odd], rule).text == expected


def test_go_escapes_five_characters():
    assert escape_go_html("&'<>\"\r\x00") == "&amp;&#39;&lt;&gt;&#34;\r\x00"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("abcd", 1),
        ("abcde", 2),
        ("日本", 2),
        ("日本a", 3),
        ("éèêë", 1),
    ],
)
def test_tokens_are_estimated(text: str, tokens: int):
    assert estimate_tokens(text) == tokens


# --- a budget -----------------------------------------------------------------------

LONG = "It does a good deal of work, " * 8
TRIM = Overflow.TRIM_DESCRIPTIONS
NAMES = Overflow.NAMES_ONLY
OMIT = Overflow.OMIT_LAST
FITTING = CatalogRule(
    place=Place.SYSTEM_PROMPT,
    before="<\n",
    item="{name}: {description}\n",
    bare_item="{name}\n",
    omitted="({count} more)\n",
    after=">",
    overflow=(TRIM, NAMES, OMIT),
)
MANY = [skill(name, LONG) for name in ("a", "b", "c", "d")]


def fit(budget: int | None, *steps: Overflow) -> Catalog:
    return render_catalog(MANY, replace(FITTING, overflow=steps), budget=budget)


def test_without_a_budget_nothing_is_cut():
    assert fit(None, TRIM, NAMES, OMIT).text == fit(None).text
    assert len(fit(None).text) > 4 * len(LONG)


def test_under_a_wide_budget_nothing_is_cut():
    wide = fit(10_000, TRIM, NAMES, OMIT)
    assert wide == replace(fit(None), budget=Budget(amount=10_000))


def test_without_steps_the_budget_is_only_reported():
    assert fit(1) == replace(fit(None), budget=Budget(amount=1))


def test_first_the_descriptions_are_trimmed_alike_as_little_as_possible():
    catalog = fit(120, TRIM, NAMES, OMIT)
    lines = catalog.text.splitlines()[1:-1]
    assert {line[3:] for line in lines} == {lines[0][3:]}
    assert lines[0][3:] == LONG[: len(lines[0]) - 4] + "\u2026"
    assert (catalog.trimmed, catalog.bare, catalog.omitted) == (tuple("abcd"), (), ())
    assert catalog.tokens == 112


def test_a_trimmed_description_does_not_end_in_a_blank():
    words = [skill("a", "word " * 40)]
    rule = replace(FITTING, overflow=(TRIM,))
    texts = [render_catalog(words, rule, budget=n).text for n in range(17, 50)]
    assert len(set(texts)) > 10
    assert not any(" \u2026" in text for text in texts)


def test_no_description_is_trimmed_to_nearly_nothing():
    lines = fit(1, TRIM).text.splitlines()[1:-1]
    assert lines == [f"{name}: {LONG[:39].rstrip()}\u2026" for name in "abcd"]


def test_short_descriptions_are_not_trimmed():
    short = [skill("a", "Short"), skill("b", None)]
    catalog = render_catalog(short, replace(FITTING, overflow=(TRIM,)), budget=1)
    assert (catalog.text, catalog.trimmed) == ("<\na: Short\nb: \n>", ())


def test_then_the_last_skills_are_only_named():
    catalog = fit(41, TRIM, NAMES, OMIT)
    told = f": {LONG[:39].rstrip()}\u2026\n"
    assert catalog == Catalog(
        text=f"<\na{told}b{told}c{told}d\n>",
        shown=tuple("abcd"),
        trimmed=tuple("abc"),
        bare=("d",),
        tokens=34,
        size=34,
        budget=Budget(amount=41),
    )


def test_a_template_without_a_bare_form_is_filled_with_no_description():
    rule = replace(FITTING, bare_item="", overflow=(NAMES,))
    assert render_catalog(MANY, rule, budget=1).text == "<\na: \nb: \nc: \nd: \n>"


def test_at_last_skills_are_left_out_and_counted():
    catalog = fit(2, TRIM, NAMES, OMIT)
    assert catalog == Catalog(
        text="<\n(4 more)\n>",
        shown=(),
        omitted=tuple("abcd"),
        tokens=3,
        size=3,
        budget=Budget(amount=2),
    )


def test_names_alone_bring_nothing_back_that_was_omitted():
    assert fit(0, OMIT, NAMES) == fit(0, OMIT)


def test_what_fits_as_a_whole_is_cut_no_further():
    # Each row by itself is rounded up to a token, and would be too much.
    assert fit(3, NAMES, OMIT).text == "<\na\nb\nc\nd\n>"


def test_a_budget_below_the_frame_leaves_the_frame():
    catalog = fit(0, OMIT)
    assert catalog.text == "<\n(4 more)\n>"
    assert (catalog.shown, catalog.omitted) == ((), tuple("abcd"))


def test_a_step_that_is_enough_is_the_last_one():
    assert fit(100, OMIT, TRIM) == fit(100, OMIT)
    assert fit(100, OMIT).shown == ("a",)


# --- the agent's own budget ---------------------------------------------------------


@pytest.mark.parametrize(
    ("counted", "size"),
    [
        pytest.param(Counted.WHOLE, 11, id="everything"),
        pytest.param(Counted.ITEMS, 8, id="the skills"),
        pytest.param(Counted.EACH_ITEM, 8, id="each skill"),
        pytest.param(Counted.NAMES_AND_DESCRIPTIONS, 4, id="what is said"),
    ],
)
def test_a_budget_counts_the_part_that_the_agent_counts(counted: Counted, size: int):
    own = BudgetRule(fixed=8, counted=counted)
    rule = replace(FITTING, budget=own, overflow=(NAMES, OMIT))
    catalog = render_catalog(MANY, replace(rule, overflow=(NAMES,)))
    assert (catalog.text, catalog.size) == ("<\na\nb\nc\nd\n>", size)
    kept = render_catalog(MANY, rule)
    assert (kept.omitted == ()) is (size <= 8)


def test_tokens_of_each_skill_are_rounded_up_where_the_agent_does_so():
    own = BudgetRule(
        fixed=3, fixed_measure=Measure.QUARTER_BYTES, counted=Counted.EACH_ITEM
    )
    rule = replace(FITTING, budget=own, overflow=(NAMES, OMIT))
    assert render_catalog(MANY, rule).shown == ("a", "b", "c")


def test_more_skills_than_the_agent_lists_are_left_out():
    rule = replace(FITTING, budget=BudgetRule(max_items=3), overflow=(NAMES, OMIT))
    catalog = render_catalog(MANY, rule)
    assert (catalog.shown, catalog.omitted) == (tuple("abc"), ("d",))
    tight = render_catalog(MANY, replace(rule, overflow=(OMIT,)), budget=80)
    assert tight.shown == ("a",)


def test_a_share_of_the_window_is_the_budget_where_the_window_is_known():
    rule = replace(FITTING, budget=BudgetRule(share=0.01), overflow=(NAMES, OMIT))
    assert render_catalog(MANY, rule).bare == ()
    assert render_catalog(MANY, rule, window=400).bare == tuple("abcd")


# --- descriptions that come back where they fit --------------------------------------

RESTORING = CatalogRule(
    place=Place.MESSAGE,
    before="Skills:\n",
    item="- {name}: {description}",
    bare_item="- {name}",
    between="\n",
    budget=BudgetRule(fixed_measure=Measure.COLUMNS, counted=Counted.EACH_ITEM),
    overflow=(Overflow.RESTORE_FITTING,),
)
WIDE = [skill("a", "0123456789"), skill("b", "技能"), skill("c", "xy")]


def restored(fixed: int, **changes: Any) -> Catalog:
    own = replace(RESTORING.budget, fixed=fixed, **changes)
    return render_catalog(WIDE, replace(RESTORING, budget=own))


@pytest.mark.parametrize(
    ("fixed", "text", "bare"),
    [
        (34, "- a: 0123456789\n- b: 技能\n- c: xy", ()),
        (33, "- a: 0123456789\n- b: 技能\n- c", ("c",)),
        (24, "- a: 0123456789\n- b\n- c", ("b", "c")),
        (23, "- a\n- b: 技能\n- c: xy", ("a",)),
        (17, "- a\n- b\n- c: xy", ("a", "b")),
        (0, "- a\n- b\n- c", ("a", "b", "c")),
    ],
)
def test_a_description_comes_back_where_it_fits_from_the_first_skill_on(
    fixed: int, text: str, bare: tuple[str, ...]
):
    catalog = restored(fixed)
    assert (catalog.text, catalog.bare) == (f"Skills:\n{text}", bare)


def test_what_was_left_out_before_does_not_come_back():
    catalog = restored(20, max_items=2)
    assert catalog.text == "Skills:\n- a: 0123456789\n- b"
    assert catalog.omitted == ("c",)


def test_skills_of_the_agents_own_take_their_part():
    own = {"own": 5, "c": 100}
    assert restored(39, own=own).bare == ("c",)
    assert restored(40, own=own).bare == ()
    assert restored(40, own=own).size == 40
    assert restored(40, own=own, reserved=1).bare == ("c",)


# --- the limit of a description -----------------------------------------------------


@pytest.mark.parametrize(
    ("text", "limit", "cut"),
    [
        pytest.param("abcdef", {}, "abcdef", id="no limit"),
        pytest.param("abcdef", {"max_length": 6}, "abcdef", id="just within"),
        pytest.param("abcdef", {"max_length": 5}, "ab...", id="room for the mark"),
        pytest.param("abcdef", {"max_length": 2}, "...", id="less than the mark"),
        pytest.param(
            "abcdef",
            {"max_length": 5, "room": EllipsisRoom.BEYOND},
            "abcde...",
            id="the mark on top",
        ),
        pytest.param(
            "日本語", {"max_length": 8, "unit": Unit.BYTES}, "日...", id="in bytes"
        ),
        pytest.param(
            "日本語", {"max_length": 9, "unit": Unit.BYTES}, "日本語", id="bytes within"
        ),
        pytest.param(
            "a\U0001f52cbcd",
            {"max_length": 5, "unit": Unit.UTF16},
            "a\ufffd...",
            id="half of a pair is broken",
        ),
    ],
)
def test_a_description_is_cut_to_the_limit(text: str, limit: dict, cut: str):
    assert cut_description(text, DescriptionLimit(ellipsis="...", **limit)) == cut


def test_a_description_above_the_limit_is_trimmed_without_a_budget():
    limit = DescriptionLimit(max_length=6, ellipsis="...")
    rule = replace(FITTING, description=limit)
    catalog = render_catalog([skill("a", "Reads forms"), skill("b", "Packs")], rule)
    assert catalog.text == "<\na: Rea...\nb: Packs\n>"
    assert catalog.trimmed == ("a",)


# --- sharing room -------------------------------------------------------------------

SHARED = replace(
    FITTING,
    item="{name} {description}\n",
    overflow=(Overflow.SHARE_ROOM, Overflow.OMIT_MISFITS),
    budget=BudgetRule(
        counted=Counted.EACH_ITEM, fixed=0, fixed_measure=Measure.CHARACTERS
    ),
)
UNEQUAL = [skill("a", "12345678"), skill("b", "12"), skill("c", "123456")]


def share(room: int, *, rule: CatalogRule = SHARED) -> Catalog:
    budget = replace(rule.budget, fixed=room)
    return render_catalog(UNEQUAL, replace(rule, budget=budget))


def test_each_description_in_turn_gets_a_character_more():
    catalog = share(18)
    assert catalog.text == "<\na 1234\nb 12\nc 123\n>"
    assert (catalog.trimmed, catalog.bare, catalog.size) == (("a", "c"), (), 18)


def test_a_description_for_which_there_is_no_room_is_not_shown():
    catalog = share(9)
    assert catalog.text == "<\na 12\nb\nc\n>"
    assert (catalog.trimmed, catalog.bare) == (("a",), ("b", "c"))


def test_where_the_names_do_not_fit_those_that_do_are_shown_without_descriptions():
    long_name = [skill("long-name"), *UNEQUAL]
    rule = replace(SHARED, budget=replace(SHARED.budget, fixed=5))
    catalog = render_catalog(long_name, rule)
    assert catalog.text == "<\na\nb\n(2 more)\n>"
    assert catalog.omitted == ("long-name", "c")


def test_what_was_left_out_before_gets_no_share():
    budget = replace(SHARED.budget, max_items=2)
    catalog = share(12, rule=replace(SHARED, budget=budget))
    assert catalog.text == "<\na 1234\nb 12\n(1 more)\n>"


def test_in_tokens_a_character_may_cost_nothing():
    budget = BudgetRule(counted=Counted.EACH_ITEM, measure=Measure.QUARTER_BYTES)
    rule = replace(SHARED, budget=budget, omitted="")
    assert render_catalog(UNEQUAL, rule, budget=5).text == "<\na 12345\nb 12\nc 1\n>"


# --- aliases, scopes and the opening ------------------------------------------------

ALIASED = replace(
    FITTING,
    opening="[",
    item="{name} {location}\n",
    overflow=(Overflow.OMIT_MISFITS,),
    aliases=AliasRule(name="r{index}", item="{name}={path}\n", instead_of="<\n"),
    budget=BudgetRule(counted=Counted.EACH_ITEM, measure=Measure.BYTES),
    omitted="",
)
AT_ROOT = Places(roots=(("/r", "/r"),))


def test_the_aliases_stand_before_the_skills():
    catalog = render_catalog([skill("a"), skill("b")], ALIASED, places=AT_ROOT)
    assert catalog.text == "[<\nr0=/r\na r0/a/SKILL.md\nb r0/b/SKILL.md\n>"


def test_what_the_aliases_take_more_counts():
    skills = [skill("a"), skill("b")]
    fits = render_catalog(skills, ALIASED, places=AT_ROOT, budget=10)
    assert (fits.size, fits.shown) == (38, ("a", "b"))
    cut = render_catalog(skills, ALIASED, places=AT_ROOT, budget=9)
    assert cut.shown == ("a",)


def test_the_opening_never_counts():
    rule = replace(ALIASED, budget=BudgetRule(measure=Measure.BYTES))
    catalog = render_catalog([skill("a")], rule, places=AT_ROOT, budget=100)
    assert catalog.size == len(catalog.text) - len("[")


def test_scopes_come_in_the_order_of_the_catalog():
    mine = skill("a", scope=Scope.USER)
    rule = replace(PLAIN, item="{name}", scopes=(Scope.PROJECT, Scope.USER))
    assert render_catalog([mine, PDF], rule).shown == ("pdf", "a")


def test_without_a_look_at_the_disk_nothing_beside_a_skill_is_told():
    folders = Folders(names=("scripts",), item="{name}")
    item = "{name}={description}{folders}"
    rule = replace(PLAIN, item=item, folders=folders, stand=Stand.FIRST_LINE)
    assert render_catalog([skill("a", None)], rule).text == "[a=]"


# --- the short form -----------------------------------------------------------------

SHORT = CatalogRule(
    place=Place.SYSTEM_PROMPT,
    before="long:",
    item="{name}={description};",
    bare_item="{name};",
    after=".",
    overflow=(Overflow.SHORT_FORM,),
    budget=BudgetRule(fixed=99, fixed_measure=Measure.UTF16, max_items=3),
    short_form=ShortForm(before="short:", reserve=4),
    notice=Notice(
        omitted="{shown} of {total}",
        short="short",
        both="short, {shown} of {total}",
        between="|",
    ),
)
THREE = [skill(name, "x\U0001f600") for name in "abc"]


@pytest.mark.parametrize(
    ("skills", "most", "text"),
    [
        # Two UTF-16 units for the face: three times six, and six around them.
        (THREE, 24, "long:a=x\U0001f600;b=x\U0001f600;c=x\U0001f600;."),
        (THREE, 23, "short|short:a;b;c;."),
        (THREE, 17, "short|short:a;b;c;."),
        (THREE, 16, "short, 2 of 3|short:a;b;."),
        (THREE, 13, "short, 1 of 3|short:a;."),
        (THREE, 12, "short, 0 of 3"),
        (
            [*THREE, PDF],
            99,
            "3 of 4|long:a=x\U0001f600;b=x\U0001f600;c=x\U0001f600;.",
        ),
        ([*THREE, PDF], 23, "short, 3 of 4|short:a;b;c;."),
    ],
)
def test_without_room_for_the_descriptions_there_is_another_form(
    skills: list, most: int, text: str
):
    rule = replace(SHORT, budget=replace(SHORT.budget, fixed=most))
    assert render_catalog(skills, rule).text == text


def test_a_notice_is_no_part_of_what_is_counted():
    rule = replace(SHORT, budget=replace(SHORT.budget, fixed=16))
    catalog = render_catalog(THREE, rule)
    assert (catalog.bare, catalog.omitted, catalog.size) == (("a", "b"), ("c",), 11)
