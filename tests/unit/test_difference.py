# ruff: noqa: E501 - the snapshot is as wide as what it shows
from __future__ import annotations

from dataclasses import replace
from typing import Any

from inline_snapshot import snapshot

import metier
from metier.difference import Change, ChangeKind, Difference, FieldChange
from metier.report.differences import difference_as_json, render_difference
from metier.report.matrix.groups import Places
from metier.testing import Content, MemoryFileSystem, make_skill
from tests.making import dialect

FOLDER = "/proj/.agents/skills"
NEAR = f"{FOLDER}/x/SKILL.md"
FAR = "/home/.agents/skills/x/SKILL.md"


def diff(
    old: str | metier.Dialect,
    new: str | metier.Dialect,
    files: dict[str, Content],
    **options: Any,
) -> Difference:
    memory = MemoryFileSystem(
        {p if p[0] == "/" else f"{FOLDER}/{p}": text for p, text in files.items()}
    )
    memory.make_folder("/home")
    given = {"cwd": "/proj", "home": "/home", "variables": {}, **options}
    return metier.diff(old, new, filesystem=memory, **given)


def fields_of(change: Change) -> dict[str, tuple[object, object]]:
    return {each.field: (each.old, each.new) for each in change.fields}


def test_nothing_changes_between_agents_that_do_the_same():
    found = diff("codex", "gemini-cli", {"x/SKILL.md": make_skill("x", "d")})
    assert (found.changes, found.same, bool(found)) == ((), ("x",), False)


def test_a_skill_is_lost_by_a_rule_and_gained_by_another():
    found = diff("codex", "opi", {"x/SKILL.md": make_skill("x", "d")})
    assert found.changes == (
        Change(
            kind=ChangeKind.LOST,
            name="x",
            old_path=NEAR,
            rule="folder-not-searched",
            because="no folder of this agent leads there",
            source=dialect("opi").source_of("roots"),
        ),
    )
    back = diff("opi", "codex", {"x/SKILL.md": make_skill("x", "d")})
    assert back.changes == (
        replace(
            found.changes[0],
            kind=ChangeKind.GAINED,
            new_name="x",
            old_path=None,
            new_path=NEAR,
        ),
    )


def test_another_file_of_the_same_name_takes_its_place():
    files: dict[str, Content] = {
        "x/SKILL.md": make_skill("x", "near"),
        FAR: make_skill("x", "far"),
    }
    far_wins = dialect(
        "agentskills", precedence={"collision": "last-wins", "sorting": "name"}
    )
    found = diff("agentskills", far_wins, files)
    assert found.changes == (
        Change(
            kind=ChangeKind.REPLACED,
            name="x",
            new_name="x",
            old_path=NEAR,
            new_path=FAR,
            rule="last-wins",
            because=f"{FAR} counts instead",
            source=dialect("agentskills").source_of("precedence"),
            fields=(FieldChange(field="description", old="near", new="far"),),
        ),
    )
    told = render_difference(found, places=Places("/proj", "/home"))
    assert told.splitlines()[:3] == [
        "= replaced  x  .agents/skills/x/SKILL.md -> ~/.agents/skills/x/SKILL.md",
        f"    last-wins: {FAR} counts instead",
        "    description: `near` -> `far`",
    ]


def test_of_two_with_one_name_the_one_that_stays_is_the_same():
    files: dict[str, Content] = {
        "x/SKILL.md": make_skill("x", "near"),
        FAR: make_skill("x", "far"),
    }
    found = diff("codex", "gemini-cli", files)
    assert [(each.kind.value, each.old_path) for each in found.changes] == [
        ("lost", FAR)
    ]
    assert found.same == ("x",)
    back = diff("gemini-cli", "codex", files)
    assert [(each.kind.value, each.new_path) for each in back.changes] == [
        ("gained", FAR)
    ]


def test_a_skill_is_renamed_by_the_rule_of_the_one_that_does_it():
    files: dict[str, Content] = {"a:b/SKILL.md": make_skill("a:b", "d")}
    (change,) = diff("codex", "gemini-cli", files).changes
    assert (change.kind.value, change.name, change.new_name, change.rule) == (
        "renamed",
        "a:b",
        "a-b",
        "name-rewritten",
    )
    (back,) = diff("gemini-cli", "codex", files).changes
    assert (back.name, back.new_name, back.rule) == ("a-b", "a:b", "name-rewritten")


def test_what_is_read_of_a_skill_may_change():
    fields = {
        "license": "MIT",
        "allowed-tools": "Read Write",
        "disable-model-invocation": True,
    }
    text = make_skill("x", "d", fields=fields)
    found = diff("agentskills", "codex", {"x/SKILL.md": text})
    (change,) = found.changes
    assert (change.kind, change.rule) == (ChangeKind.CHANGED, None)
    assert fields_of(change) == {
        "shown": ("hidden", "whole"),
        "license": ("MIT", None),
        "allowed_tools": (("Read", "Write"), None),
        "disable_model_invocation": (True, None),
    }
    assert found.same == ()


def test_a_description_changes_with_its_words_and_not_with_its_blanks():
    folded = "---\nname: x\ndescription: >\n  All\n  of it\n---\n"
    (change,) = diff(
        "agentskills", "shelley", {"x/SKILL.md": folded}, roots=[FOLDER]
    ).changes
    assert fields_of(change) == {"description": ("All of it\n", ">")}
    lines = '---\nname: x\ndescription: "a  b "\n---\n'
    assert not diff("agentskills", "codex", {"x/SKILL.md": lines})


def test_what_a_list_of_tools_means_may_change():
    text = make_skill("x", "d", fields={"allowed-tools": "Read"})
    strict = dialect("agentskills", permission={"allowed_tools": "restriction"})
    (change,) = diff("agentskills", strict, {"x/SKILL.md": text}).changes
    assert fields_of(change) == {"allowed_tools mean": ("preapproval", "restriction")}
    assert not diff("agentskills", strict, {"x/SKILL.md": make_skill("x", "d")})


def test_what_the_model_is_shown_may_change():
    shown = {"place": "system-prompt", "item": "{description}"}
    cut = dialect("agentskills", catalog={**shown, "description": {"max_length": 1}})
    (change,) = diff("agentskills", cut, {"x/SKILL.md": make_skill("x", "ab")}).changes
    assert fields_of(change) == {"shown": ("whole", "cut")}


# --- as it is told --------------------------------------------------------------------

SEVERAL: dict[str, Content] = {
    "a:b/SKILL.md": make_skill("a:b", "d"),
    "x/SKILL.md": make_skill(
        "x", "near", fields={"license": "MIT", "metadata": {"a": "b"}}
    ),
    FAR: make_skill("x", "far"),
    "gone/SKILL.md": "---\nname: gone\ndescription: >\n  d\n---\n",
    "same/SKILL.md": make_skill("same", "d"),
    "/home/.gemini/skills/new/SKILL.md": make_skill("new", "d"),
    "hidden/SKILL.md": make_skill(
        "hidden", "d\u202e", fields={"disable-model-invocation": True}
    ),
}


def several() -> Difference:
    return diff("agentskills", "gemini-cli", SEVERAL)


def test_changes_are_told_the_losses_first():
    told = render_difference(several(), places=Places("/proj", "/home"))
    assert told == snapshot("""\
> renamed   a:b -> a-b  .agents/skills/a:b/SKILL.md
    name-rewritten: `a:b` becomes `a-b`
~ changed   hidden  .agents/skills/hidden/SKILL.md
    shown: `hidden` -> `whole`
    disable_model_invocation: true -> not read
~ changed   x  .agents/skills/x/SKILL.md
    license: `MIT` -> not read
    metadata: `a: b` -> not read
+ gained    new  ~/.gemini/skills/new/SKILL.md
    folder-not-searched: no folder of this agent leads there
agentskills -> gemini-cli: 0 lost, 0 replaced, 1 renamed, 2 changed, 1 gained, 2 the same\
""")


def test_json_has_every_change():
    value = difference_as_json(several())
    assert value.keys() == {"version", "from", "to", "changes", "same"}
    assert (value["from"], value["to"]) == ("agentskills", "gemini-cli")
    assert [(each["kind"], each["name"]) for each in value["changes"]] == snapshot(
        [("renamed", "a:b"), ("changed", "hidden"), ("changed", "x"), ("gained", "new")]
    )
    for change in value["changes"]:
        assert change.keys() == {
            *("kind", "name", "new_name", "old_path", "new_path"),
            *("rule", "because", "source", "fields"),
        }
