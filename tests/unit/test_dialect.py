from __future__ import annotations

import dataclasses
import keyword
import os
import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import metier
from metier.core.activation import Resources
from metier.core.dialect import Dialect, Evidence, parse_dialect
from metier.core.permission import Action
from metier.core.references import ReferenceSyntax, ShellSyntax
from metier.errors import DialectError, UnknownDialect
from metier.world.dialects import DEFAULT_DIALECT, dialect_names, load_dialect
from tests.making import dialect

SOURCE = Path(metier.__file__).parent
FILES = sorted((SOURCE / "dialects").glob("*.toml"))
NAMES = sorted(file.stem for file in FILES)
# What is said about the dialect itself, not about the agent's behaviour.
ABOUT = {"name", "title", "version", "evidence", "sources", "notes", "messages"}
ABOUT |= {"host", "recordings", "differences"}
# A part of what `roots` tells.
WITHIN_ROOTS = {"explicit_precedence", "explicit_label"}
AXES = {each.name for each in dataclasses.fields(Dialect)} - ABOUT - WITHIN_ROOTS


@cache
def stated(name: str) -> dict[str, Any]:
    """The values of a shipped dialect, as its file states them."""
    return tomllib.loads((SOURCE / "dialects" / f"{name}.toml").read_text("utf-8"))


def test_every_file_is_a_dialect_and_the_default_one_is_among_them():
    assert list(dialect_names()) == NAMES
    assert DEFAULT_DIALECT in NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_dialect_builds_under_the_name_of_its_file(name: str):
    assert load_dialect(name).name == name


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_dialect_is_read_once(name: str):
    assert load_dialect(name) is load_dialect(name)


@pytest.mark.parametrize("name", NAMES)
def test_every_axis_that_a_dialect_sets_has_a_source(name: str):
    loaded = load_dialect(name)
    without = {axis for axis in AXES & set(stated(name)) if not loaded.source_of(axis)}
    assert without == set()


@pytest.mark.parametrize("name", NAMES)
def test_every_source_of_a_dialect_is_about_an_axis(name: str):
    assert {key.partition(".")[0] for key in load_dialect(name).sources} <= AXES


@pytest.mark.parametrize("name", NAMES)
def test_every_selection_of_a_dialect_is_used(name: str):
    loaded = load_dialect(name)
    used = {root.select for root in loaded.roots} | {"explicit"}
    if loaded.config:
        used.add(loaded.config.select)
    assert set(loaded.selections) <= used


@pytest.mark.parametrize("name", NAMES)
def test_explicit_folders_have_a_selection(name: str):
    assert {"explicit", "default"} & set(load_dialect(name).selections)


@pytest.mark.parametrize(
    "note",
    [
        pytest.param(note, id=name)
        for name in NAMES
        for note in load_dialect(name).notes
    ],
)
def test_a_note_is_lower_case_and_has_no_final_period(note: str):
    first = note.split(maxsplit=1)[0]
    # A term keeps its capitals: `OPENCODE_DISABLE`, "YAML".
    assert first[0] == "`" or first == first.lower() or first == first.upper()
    assert not note.endswith(".")


@pytest.mark.parametrize("name", NAMES)
def test_the_templates_of_a_dialect_can_be_filled(name: str):
    loaded = load_dialect(name)
    catalog, activation = loaded.catalog, loaded.activation
    row = dict.fromkeys(
        (
            *("name", "key", "description", "location", "directory", "source"),
            *("fields", "folders", "flag"),
            *catalog.parts,
        ),
        "x",
    )
    for template in (catalog.item, catalog.bare_item, catalog.undescribed_item):
        assert "{" not in template.format(**row)
    group = {"group": "g", "description": "d"}
    for template in (catalog.groups.heading, catalog.groups.described_heading):
        assert "{" not in template.format(**group)
    assert "{" not in catalog.sources.item.format(source="s", path="p")
    assert "{" not in catalog.no_items.format(folders="f")
    assert "{" not in catalog.omitted.format(count=3)
    shown = dict.fromkeys(("shown", "total"), 3)
    notice = catalog.notice
    for template in (notice.omitted, notice.short, notice.both):
        assert "{" not in template.format(**shown)
    parts = ("path", "place", "project", "body", "resources", "described", "said")
    part = dict.fromkeys(parts, "x")
    outputs = (activation.output, activation.odd_output, activation.project_output)
    for template in outputs:
        assert "{" not in template.format(**row, **part)
    call = {"output": "o", "name": "n", "quoted": "q", "arguments": "a"}
    assert "{" not in activation.invoked.format(**call)
    assert "{" not in activation.invoked_bare.format(**call)
    assert "{" not in activation.title.format(name="n", key="k")
    unknown = activation.unknown.format(name="n", available="a")
    rivals = {"name": "n", "count": 2, "names": "n", "paths": "p"}
    several = activation.ambiguous.format(**rivals)
    hidden = activation.ambiguous_hidden.format(**rivals)
    refused = activation.hidden_refused.format(name="n", key="k")
    for text in (unknown, several, hidden, refused):
        assert "{" not in text.removeprefix('{"')
    assert "{" not in activation.described.format(description="d")
    assert "{" not in activation.said.format(arguments="a")
    assert "{" not in activation.unknown_item.format(name="n")
    assert "{" not in activation.repeated.format(name="n")
    assert "{" not in activation.load_failed.format(error="e")
    item = activation.resource_item.format(path="p", absolute="a", name="n")
    assert "{" not in item
    assert "{" not in activation.resources_cut.format(count=3)
    about = activation.tool_description.format(catalog="c", offered="o")
    assert not re.search(r"\{\w*\}", about)
    item = activation.offered_item.format(name="n")
    assert "{" not in activation.offered.format(names=item)
    cut = {"cut": "c"} if activation.resources is Resources.DRAWN else {}
    assert "{" not in activation.resources_before.format(directory="d", **cut)


# Words that code and markup have anyway: looked for where one is compared or asked.
ORDINARY = ("amp", "cursor")


def lines_that_name(name: str) -> Iterator[str]:
    """Every line of our own code with the name of a dialect in it, as a word."""
    pattern = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
    if name in ORDINARY:
        pattern = rf"""(?:[=!]=|dialect=|dialect\()\s*["']{name}["']"""
    word = re.compile(pattern)
    for file in sorted(SOURCE.rglob("*.py")):
        text = file.read_text("utf-8")
        for line in filter(word.search, text.splitlines()):
            yield f"{file.relative_to(SOURCE)}: {line}"


@pytest.mark.parametrize("name", [n for n in NAMES if not keyword.iskeyword(n)])
def test_no_python_file_names_a_dialect(name: str):
    excepted = f'world/dialects.py: DEFAULT_DIALECT = "{DEFAULT_DIALECT}"'
    assert [line for line in lines_that_name(name) if line != excepted] == []


def test_the_search_for_names_finds_them():
    assert list(lines_that_name(DEFAULT_DIALECT)) == [
        f'world/dialects.py: DEFAULT_DIALECT = "{DEFAULT_DIALECT}"'
    ]


# --- the model ----------------------------------------------------------------------

MINIMAL: dict[str, Any] = {
    "name": "mine",
    "title": "Mine",
    "version": "1",
    "evidence": "source",
    "fence": "prefix",
    "failure": "skip",
    "sources": {"fields": "a", "fields.name": "b"},
    "roots": [{"base": "cwd", "scope": "project", "paths": ["s"]}],
    "selections": {"default": {}},
    "text": {"decoding": "strict", "byte_order_mark": "keep"},
    "reader": {"engine": "libyaml"},
    "fields": {
        "name": {"expect": "string", "presence": "required"},
        "description": {"expect": "string", "presence": "required"},
    },
    "precedence": {"collision": "last-wins", "sorting": "name"},
    "catalog": {"place": "nowhere"},
    "activation": {"means": "call"},
}


def test_what_a_dialect_leaves_out_has_the_least_surprising_value():
    mine = parse_dialect(MINIMAL)
    assert mine.evidence is Evidence.SOURCE
    assert mine.config is None
    assert mine.references.files is ReferenceSyntax.NONE
    assert mine.references.shell is ShellSyntax.NONE
    assert (mine.permission.name, mine.permission.default) == ("skill", Action.ALLOW)
    assert mine.notes == ()
    assert mine.explicit_precedence == 0


@pytest.mark.parametrize(
    ("axis", "source"),
    [
        pytest.param("fields", "a", id="its own"),
        pytest.param("fields.name", "b", id="a narrower one"),
        pytest.param("fields.name.max_length", "b", id="that of its parent"),
        pytest.param("fields.description", "a", id="that of its parent, too"),
        pytest.param("fields[3].x", "a", id="that of a whole array"),
        pytest.param("text", None, id="none"),
        pytest.param("", None, id="none for a rule about nothing"),
    ],
)
def test_the_source_of_a_fact(axis: str, source: str | None):
    assert parse_dialect(MINIMAL).source_of(axis) == source


def test_a_root_needs_a_selection_that_there_is():
    root = {"base": "cwd", "scope": "project", "select": "flat"}
    values = {**MINIMAL, "roots": [*MINIMAL["roots"], root]}
    with pytest.raises(DialectError) as caught:
        parse_dialect(values)
    assert str(caught.value) == "roots[1].select: no selection is called `flat`"


# --- files of a caller --------------------------------------------------------------


def test_an_unknown_dialect_is_an_error_that_lists_the_others():
    with pytest.raises(UnknownDialect) as caught:
        load_dialect("no-such-agent")
    assert caught.value.known == tuple(NAMES)


def test_a_dialect_file_of_a_caller_is_read_anew_each_time(project: Path):
    shipped = (SOURCE / "dialects" / f"{DEFAULT_DIALECT}.toml").read_text("utf-8")
    file = project / "mine.toml"
    for title in ("First", "Second"):
        file.write_text(re.sub(r"(?m)^title = .*$", f'title = "{title}"', shipped))
        assert load_dialect("mine.toml").title == title


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        pytest.param(b"name = ", "Invalid value", id="not TOML"),
        pytest.param(b'name = "\xff"', "can't decode byte 0xff", id="not UTF-8"),
    ],
)
def test_a_broken_dialect_file_is_an_error_with_its_path(
    project: Path, content: bytes, problem: str
):
    (project / "mine.toml").write_bytes(content)
    with pytest.raises(DialectError) as caught:
        load_dialect("mine.toml")
    assert caught.value.key == "mine.toml"
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        pytest.param(os.mkfifo, "not a regular file", id="a pipe"),
        pytest.param(os.mkdir, "is a directory", id="a folder"),
        pytest.param(
            lambda path: os.symlink("/dev/zero", path), "not a", id="a device"
        ),
        pytest.param(
            lambda path: path.write_bytes(b"#" * 2**21), "than 1 MiB", id="a large file"
        ),
    ],
)
def test_what_is_no_dialect_file_is_refused_at_once(
    project: Path, make: Callable[[Path], object], problem: str
):
    make(project / "mine.toml")
    with pytest.raises(DialectError, match=problem) as caught:
        load_dialect("mine.toml")
    assert caught.value.key == "mine.toml"


def test_a_dialect_can_be_altered_for_a_test():
    altered = dialect(DEFAULT_DIALECT, title="Other")
    assert (altered.title, altered.name) == ("Other", DEFAULT_DIALECT)
