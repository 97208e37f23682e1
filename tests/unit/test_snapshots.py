"""A catalog that is kept, and what a model is told instead of another one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from inline_snapshot import snapshot

from metier.core.changes import Aspect, Changes
from metier.core.skill import Status
from metier.core.snapshots import CatalogSnapshot, Delta, render_delta
from metier.library import Library
from metier.testing import MemoryFileSystem, make_skill
from tests.making import SKILLS, dialect, library, skill
from tests.trusting import set_scene

HIDDEN = {"disable-model-invocation": True}
RULE = dialect().catalog


def files(**skills: str) -> MemoryFileSystem:
    return MemoryFileSystem(
        {
            f"{SKILLS}/{name}/SKILL.md": make_skill(name, about)
            for name, about in skills.items()
        }
    )


def put(memory: MemoryFileSystem, name: str, about: str, **options: Any) -> None:
    memory.write(f"{SKILLS}/{name}/SKILL.md", make_skill(name, about, **options))


def taken(memory: MemoryFileSystem, **options: Any) -> CatalogSnapshot:
    return library(memory).snapshot(**options)


def test_a_snapshot_keeps_its_catalog():
    memory = files(pdf="Fills", zip="Packs")
    found = library(memory)
    kept = found.snapshot()
    text = found.catalog()
    put(memory, "new", "Is new")
    memory.remove(f"{SKILLS}/zip/SKILL.md")
    assert kept.text == text
    assert found.snapshot(budget=50).text == found.catalog(budget=50)


def test_a_model_is_told_what_is_new_what_is_other_and_what_is_gone():
    memory = files(pdf="Fills", zip="Packs", tar="Unpacks")
    before = taken(memory)
    put(memory, "csv", "Reads <tables>")
    put(memory, "pdf", "Fills forms")
    memory.remove(f"{SKILLS}/tar/SKILL.md")
    memory.remove(f"{SKILLS}/zip/SKILL.md")
    delta = taken(memory).delta_since(before)
    assert delta == Delta(
        text=snapshot("""\
New skills are available, beside those that were listed before:
<skill>
<name>csv</name>
<description>Reads &lt;tables&gt;</description>
<location>/proj/.agents/skills/csv/SKILL.md</location>
</skill>
These skills have changed, and what is said of them here counts:
<skill>
<name>pdf</name>
<description>Fills forms</description>
<location>/proj/.agents/skills/pdf/SKILL.md</location>
</skill>
These skills are no longer available and must not be used:
- tar
- zip
"""),
        added=("csv",),
        changed=("pdf",),
        removed=("tar", "zip"),
        tokens=delta.tokens,
    )
    assert delta
    assert taken(memory).delta_since(before) == delta


def test_where_nothing_is_different_nothing_is_said():
    memory = files(pdf="Fills")
    before = taken(memory)
    put(memory, "pdf", "Fills", body="Other instructions.\n")
    delta = taken(memory).delta_since(before)
    assert delta == Delta()
    assert not delta


def test_each_delta_is_about_the_snapshot_before():
    memory = files(pdf="Fills")
    first = taken(memory)
    put(memory, "csv", "Reads")
    second = taken(memory)
    put(memory, "zip", "Packs")
    third = taken(memory)
    assert second.delta_since(first).added == ("csv",)
    assert third.delta_since(second).added == ("zip",)
    assert third.delta_since(first).added == ("csv", "zip")


def test_a_hidden_or_denied_skill_is_never_told_of():
    memory = files(pdf="Fills")
    rules = {"*": "allow", "secret": "deny"}
    before = taken(memory, permission=rules)
    put(memory, "ops", "Deploys", fields=HIDDEN)
    put(memory, "secret", "Is secret")
    assert taken(memory, permission=rules).delta_since(before) == Delta()
    put(memory, "ops", "Deploys more", fields=HIDDEN)
    memory.remove(f"{SKILLS}/secret/SKILL.md")
    assert taken(memory, permission=rules).delta_since(before) == Delta()


def test_not_even_where_the_catalog_lists_it_with_a_flag():
    rule = dialect(catalog={"place": "system-prompt", "unlisted": "show"}).catalog
    hidden = skill("ops", is_hidden=True)
    assert render_delta([], [hidden], rule) == Delta()
    assert render_delta([hidden], [], rule) == Delta()


def test_a_skill_that_is_hidden_from_now_on_is_gone_for_the_model():
    memory = files(pdf="Fills", ops="Deploys")
    before = taken(memory)
    put(memory, "ops", "Deploys", fields=HIDDEN)
    hidden = taken(memory)
    assert hidden.delta_since(before).removed == ("ops",)
    denied = taken(memory, permission={"*": "deny"})
    assert denied.delta_since(hidden).removed == ("pdf",)
    assert before.delta_since(hidden).added == ("ops",)


def test_of_many_new_skills_as_many_are_told_as_there_is_room_for():
    memory = files(pdf="Fills")
    before = taken(memory)
    for index in range(9):
        put(memory, f"new-{index}", "A description of some length, as they are" * 3)
    after = taken(memory)
    whole = after.delta_since(before)
    cut = after.delta_since(before, budget=200)
    assert len(whole.added) == 9
    assert cut.tokens <= 200 < whole.tokens
    assert (*cut.added, *cut.omitted) == whole.added
    assert cut.omitted
    assert after.delta_since(before, budget=5) == Delta(omitted=whole.added)


def test_what_is_gone_is_told_whatever_the_room():
    memory = files(pdf="Fills", zip="Packs")
    before = taken(memory)
    put(memory, "new", "Is new")
    put(memory, "zip", "Packs more")
    memory.remove(f"{SKILLS}/pdf/SKILL.md")
    delta = taken(memory).delta_since(before, budget=0)
    assert (delta.added, delta.changed, delta.removed, delta.omitted) == (
        (),
        (),
        ("pdf",),
        ("new", "zip"),
    )


def test_an_agent_without_a_catalog_has_nothing_to_say():
    rule = dialect(catalog={"place": "nowhere"}).catalog
    assert render_delta([], [skill("pdf")], rule) == Delta()


def test_an_agent_that_has_a_name_twice_lists_what_is_left():
    twice = [skill("pdf", "One", path="/r/1"), skill("pdf", "Two", path="/r/2")]
    delta = render_delta(twice, twice[1:], RULE)
    assert (delta.added, delta.changed, delta.removed) == ((), ("pdf",), ())


def test_a_name_that_is_gone_stays_on_its_line():
    delta = render_delta([skill("a\n- b<c>")], [], RULE)
    assert delta.text.splitlines()[1:] == ["- a&#10;- b&lt;c&gt;"]


def test_a_template_without_line_ends_gets_one():
    rule = dialect(
        catalog={"place": "system-prompt", "item": "* {name}", "between": "; "}
    ).catalog
    delta = render_delta([], [skill("a"), skill("b")], rule)
    assert delta.text.splitlines()[1:] == ["* a; * b"]


# --- for people ---------------------------------------------------------------------


def changes(before: CatalogSnapshot, after: CatalogSnapshot) -> list[Any]:
    found = after.changes_since(before)
    return [
        [each.name for each in found.added],
        [(each.after.name, each.aspects) for each in found.changed],
        [each.name for each in found.removed],
    ]


def test_people_are_told_of_everything_that_happened():
    memory = files(pdf="Fills", zip="Packs", tar="Unpacks")
    before = taken(memory)
    assert taken(memory).changes_since(before) == Changes()
    put(memory, "pdf", "Fills", body="Otherwise.\n")
    put(memory, "tar", "Unpacks", fields=HIDDEN)
    memory.remove(f"{SKILLS}/zip/SKILL.md")
    memory.write(f"{SKILLS}/broken/SKILL.md", "---\nname: broken\n")
    assert changes(before, taken(memory)) == [
        [None],
        [("pdf", (Aspect.BODY,)), ("tar", (Aspect.HEADER, Aspect.STATUS))],
        ["zip"],
    ]


def test_a_skill_that_another_one_hides_changed_its_status():
    memory = files(pdf="Fills")
    memory.write("/home/.agents/skills/pdf/SKILL.md", make_skill("pdf", "Reads"))
    before = taken(memory)
    memory.remove(f"{SKILLS}/pdf/SKILL.md")
    found = taken(memory).changes_since(before)
    (change,) = found.changed
    assert (change.before.status, change.after.status) == (
        Status.SHADOWED,
        Status.LOADED,
    )


def test_what_is_not_what_was_approved_is_not_read(tmp_path: Path):
    scene = set_scene(tmp_path)
    found = scene.trust_all()
    before = found.snapshot()
    (scene.skill / "empty.txt").write_text("full")
    assert [each.body for each in before.states] != [None]
    assert [each.body for each in found.snapshot().states] == [None]
    after = found.refresh().snapshot()
    (change,) = after.changes_since(before).changed
    assert (change.after.status, change.after.rule) == (
        Status.REJECTED,
        "skill-changed",
    )
    assert after.delta_since(before).removed == ("pdf",)


def test_a_library_is_not_changed_by_a_snapshot():
    found: Library = library(files(pdf="Fills"))
    assert found.snapshot() == found.snapshot()
