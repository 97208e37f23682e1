"""What a tool returns as JSON."""

from __future__ import annotations

import json

import pytest

from metier.core.activation_record import (
    Entry,
    RecordEntry,
    RecordRule,
    render_record,
)
from metier.core.skill import Origin, Skill
from metier.world.dialects import load_dialect
from tests.making import root

LINKED = {"docs": ("docs/*.md",), "assets": ("assets/**/*.py", "assets/**/*.sh")}


def told(entry: RecordEntry, header: str = "", paths: tuple[str, ...] = ()) -> object:
    origin = Origin(root(), load_dialect("agentskills"))
    skill = Skill("a", "d", "/r/a/SKILL.md", origin, header)
    rule = RecordRule(entries=(entry,), linked=LINKED)
    return json.loads(render_record(skill, rule, {"name": 'é"'}, paths)).get("k", "-")


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        (RecordEntry(key="k", kind=Entry.TEXT, value="<{name}>"), '<é">'),
        (RecordEntry(key="k", kind=Entry.JSON, value='{"a": [1]}'), {"a": [1]}),
        (RecordEntry(key="k", kind=Entry.FIELD, value="license"), "MIT"),
        (RecordEntry(key="k", kind=Entry.FIELD, value="compatibility"), None),
        (
            RecordEntry(key="k", kind=Entry.FIELD, value="compatibility", default="[]"),
            [],
        ),
        (RecordEntry(key="k", kind=Entry.STATED_FIELD, value="license"), "MIT"),
        (RecordEntry(key="k", kind=Entry.STATED_FIELD, value="compatibility"), "-"),
        (RecordEntry(key="k", kind=Entry.LINKED), None),
        (RecordEntry(key="k", kind=Entry.IF_LINKED, value="read them"), None),
    ],
)
def test_an_entry_of_the_record(entry: RecordEntry, value: object):
    assert told(entry, "license: MIT") == value


def test_files_are_linked_by_their_kinds():
    paths = ("docs/a.md", "docs/b/c.md", "x.md", "assets/d.py", "assets/e/f.sh")
    linked = RecordEntry(key="k", kind=Entry.LINKED)
    assert told(linked, paths=paths) == {
        "docs": ["docs/a.md"],
        "assets": ["assets/d.py", "assets/e/f.sh"],
    }
    hint = RecordEntry(key="k", kind=Entry.IF_LINKED, value="read them")
    assert told(hint, paths=paths) == "read them"
    assert told(hint, paths=("x.md",)) is None


def test_a_record_keeps_the_order_of_its_entries_and_its_letters():
    origin = Origin(root(), load_dialect("agentskills"))
    skill = Skill("a", "d", "/r/a/SKILL.md", origin, "")
    entries = tuple(
        RecordEntry(key=key, kind=Entry.TEXT, value="{name}") for key in ("b", "a")
    )
    rule = RecordRule(entries=entries, linked={})
    assert render_record(skill, rule, {"name": "é"}, ()) == '{"b": "é", "a": "é"}'
