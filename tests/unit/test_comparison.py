from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import metier
from metier.core.outcome import Outcome
from metier.core.skill import Status
from metier.errors import ConfigError, UnknownDialect
from metier.matrix import Cell, Matrix, Row
from metier.testing import Content, Link, MemoryFileSystem, Special, make_skill
from tests.making import dialect

FOLDER = "/proj/.agents/skills"
GOOD = make_skill("good", "Does it")


def compare(
    files: dict[str, Content], *dialects: str | metier.Dialect, roots: bool = False
) -> Matrix:
    """What agents in `/proj` make of files below `.agents/skills`."""
    memory = MemoryFileSystem(
        {p if p[0] == "/" else f"{FOLDER}/{p}": text for p, text in files.items()}
    )
    memory.make_folder("/home")
    return metier.compare(
        dialects=dialects or ("agentskills",),
        roots=[FOLDER] if roots else None,
        cwd="/proj",
        home="/home",
        variables={},
        filesystem=memory,
    )


def only_row(matrix: Matrix) -> Row:
    (row,) = matrix.rows
    return row


def named(name: str, base: str, **changes: Any) -> metier.Dialect:
    """A shipped dialect under another name, with some of its tables changed."""
    return replace(dialect(base, **changes), name=name)


def told(cell: Cell) -> tuple[str, str, str]:
    return cell.outcome.value, cell.rule, cell.because


# --- what a cell says -----------------------------------------------------------------


def test_a_skill_is_loaded_where_an_agent_finds_it():
    row = only_row(compare({"good/SKILL.md": GOOD}, "agentskills", "opi"))
    path = f"{FOLDER}/good/SKILL.md"
    assert (row.name, row.path, row.found) == ("good", path, path)
    assert row.description == "Does it"
    assert told(row["agentskills"]) == (
        "loaded",
        "loaded",
        f"found in project folder {FOLDER}",
    )
    assert (row["agentskills"].name, row["agentskills"].path) == ("good", path)
    assert told(row["opi"]) == (
        "not looked for",
        "folder-not-searched",
        "no folder of this agent leads there",
    )
    assert (row["opi"].name, row["opi"].path, row["opi"].account) == (None, None, None)
    assert row["opi"].source == dialect("opi").source_of("roots")


def test_a_row_knows_its_agents_only():
    with pytest.raises(KeyError, match="nobody"):
        only_row(compare({"good/SKILL.md": GOOD}))["nobody"]


def test_a_skill_for_people_is_hidden():
    text = make_skill("x", "d", fields={"disable-model-invocation": True})
    row = only_row(compare({"x/SKILL.md": text}, "agentskills", "codex"))
    assert [cell.outcome for cell in row.cells] == [Outcome.HIDDEN, Outcome.LOADED]
    assert row.is_portable


def test_a_description_is_truncated_where_the_reader_loses_some_of_it():
    text = "---\nname: x\ndescription: >-\n  All\n  of it\n---\n"
    row = only_row(compare({"x/SKILL.md": text}, "agentskills", "shelley", roots=True))
    assert row["agentskills"].outcome is Outcome.LOADED
    assert told(row["shelley"]) == (
        "truncated",
        "description-shortened",
        "2 of 9 characters are read",
    )
    assert row.is_portable


def test_a_description_is_truncated_where_the_catalog_shows_its_start():
    shown = {"place": "system-prompt", "item": "{name}: {description}"}
    limited = named(
        "limited", "opi", catalog={**shown, "description": {"max_length": 3}}
    )
    row = only_row(compare({"good/SKILL.md": GOOD}, limited, roots=True))
    assert told(row["limited"]) == (
        "truncated",
        "description-cut",
        "the catalog shows 3 characters of 7",
    )
    assert row["limited"].source == limited.source_of("catalog")


@pytest.mark.parametrize(
    ("step", "rule"),
    [
        ("trim-descriptions", "description-cut"),
        ("names-only", "description-omitted"),
        ("omit-last", "skill-omitted"),
    ],
)
def test_a_skill_is_truncated_where_the_catalog_has_no_room(step: str, rule: str):
    files: dict[str, Content] = {"x/SKILL.md": make_skill("x", "long " * 40)}
    catalog = {
        "place": "system-prompt",
        "item": "{name}: {description}",
        "bare_item": "{name}",
        "overflow": [step],
        "budget": {"fixed": 100, "fixed_measure": "characters"},
    }
    narrow = named("narrow", "opi", catalog=catalog)
    row = only_row(compare(files, narrow, roots=True))
    assert told(row["narrow"]) == (
        "truncated",
        rule,
        "the catalog would not fit otherwise",
    )


def test_a_skill_is_renamed_where_its_name_is_not_the_one_that_is_written():
    files: dict[str, Content] = {"a:b/SKILL.md": make_skill("a:b", "d")}
    row = only_row(compare(files, "gemini-cli", "codex", roots=True))
    assert row.name == "a:b"
    assert told(row["gemini-cli"]) == (
        "renamed",
        "name-rewritten",
        "`a:b` becomes `a-b`",
    )
    assert row["gemini-cli"].name == "a-b"
    assert not row.is_portable


def test_a_skill_is_renamed_where_a_reader_takes_another_line_for_its_name():
    text = "---\nname: x\ndescription: d\nmetadata:\n  name: y\n---\nDo.\n"
    row = only_row(compare({"x/SKILL.md": text}, "batuta", "codex", roots=True))
    assert (row.name, row["codex"].outcome) == ("x", Outcome.LOADED)
    assert told(row["batuta"]) == ("renamed", "name-differs", "it is called `y` there")


def test_without_a_written_name_the_one_counts_that_most_agents_give():
    text = "---\ndescription: d\n---\n"
    files: dict[str, Content] = {"folder:x/SKILL.md": text}
    row = only_row(compare(files, "codex", "agentskills", roots=True))
    assert (row.name, row.is_portable) == ("folder:x", True)


def test_a_name_that_had_to_be_cleaned_is_not_the_written_one():
    files: dict[str, Content] = {"x/SKILL.md": make_skill("a\x07b", "d")}
    row = only_row(compare(files, "codex", "agentskills", roots=True))
    assert row.name == "a\x07b"
    assert [cell.outcome.value for cell in row.cells] == ["loaded", "renamed"]
    assert told(row["agentskills"])[1:] == (
        "name-differs",
        "it is called `a\ufffdb` there",
    )


def test_the_loser_of_two_with_one_name_is_a_row_of_its_own():
    files: dict[str, Content] = {
        "good/SKILL.md": GOOD,
        "/home/.agents/skills/good/SKILL.md": GOOD,
    }
    matrix = compare(files, "agentskills", "codex")
    assert [row.found for row in matrix.rows] == [
        f"{FOLDER}/good/SKILL.md",
        "/home/.agents/skills/good/SKILL.md",
    ]
    assert told(matrix.rows[1]["agentskills"]) == (
        "shadowed",
        "first-wins",
        f"{FOLDER}/good/SKILL.md counts instead",
    )
    assert matrix.rows[1]["codex"].outcome is Outcome.LOADED
    assert matrix.notes == ()


def test_a_broken_file_is_dropped_by_the_rule_that_it_breaks():
    files: dict[str, Content] = {"x/SKILL.md": "---\nname: [\n---\n"}
    row = only_row(compare(files, "roo-code", "gemini-cli"))
    assert [(cell.outcome.value, cell.rule) for cell in row.cells] == [
        ("dropped", "yaml-invalid"),
        ("dropped", "description-missing"),
    ]
    assert (row.name, row.description) == ("[", None)


def test_where_one_bad_file_stops_an_agent_the_others_name_it():
    files: dict[str, Content] = {"bad/SKILL.md": "---\nname: ''\n---\n"}
    files["good/SKILL.md"] = GOOD
    bad, good = compare(files, "opi", roots=True).rows
    assert good["opi"].rule == "host-aborts"
    assert good["opi"].because.endswith(f", in {FOLDER}/bad/SKILL.md")
    assert bad["opi"].rule == "name-empty"


# --- which files are rows -------------------------------------------------------------


def test_a_file_is_one_row_whichever_path_led_there():
    files: dict[str, Content] = {
        "good/SKILL.md": GOOD,
        "/proj/.claude/skills": Link(FOLDER),
    }
    row = only_row(compare(files, "batuta", "codex"))
    assert (row.path, row.found) == (
        f"{FOLDER}/good/SKILL.md",
        "/proj/.claude/skills/good/SKILL.md",
    )
    assert [cell.path for cell in row.cells] == [row.found, row.path]
    assert row.is_portable


def test_of_several_paths_to_a_file_the_one_counts_that_fares_best():
    files: dict[str, Content] = {"good/SKILL.md": GOOD, "again": Link("good")}
    row = only_row(compare(files, "gemini-cli"))
    assert row["gemini-cli"].outcome is Outcome.LOADED


def test_a_file_that_one_of_its_folders_hides_is_loaded_by_the_other():
    files: dict[str, Content] = {
        "a/SKILL.md": Link("../good/SKILL.md"),
        "a/agents/openai.yaml": "policy: {allow_implicit_invocation: false}",
        "good/SKILL.md": GOOD,
    }
    rules = {"path": "agents/openai.yaml", "invocation": _INVOCATION}
    shape = {"policy": "map", _INVOCATION: "flag"}
    both = {"collision": "keep-all", "sorting": "discovery"}
    hiding = dialect("agentskills", sidecar={**rules, "shape": shape}, precedence=both)
    row = only_row(compare(files, hiding))
    assert row.found == row["agentskills"].path == f"{FOLDER}/good/SKILL.md"
    assert row["agentskills"].outcome is Outcome.LOADED


_INVOCATION = "policy.allow_implicit_invocation"


def test_a_broken_link_is_a_row_where_it_stands():
    files: dict[str, Content] = {"x/SKILL.md": Link("nowhere"), "y/SKILL.md": Special()}
    rows = compare(files, "agentskills").rows
    assert [(row.path[len(FOLDER) :], row["agentskills"].rule) for row in rows] == [
        ("/x/SKILL.md", "link-dangling"),
        ("/y/SKILL.md", "special-file"),
    ]


def test_a_file_that_only_ends_like_one_is_a_stray():
    files: dict[str, Content] = {
        "README.md": "# Skills\n",
        "broken.md": "---\nname: broken\n",
        "bare/SKILL.md": "no header\n",
    }
    matrix = compare(files, "batuta", "codex", roots=True)
    assert [(row.found[len(FOLDER) :], row.is_stray) for row in matrix.rows] == [
        ("/README.md", True),
        ("/bare/SKILL.md", False),
        ("/broken.md", False),
    ]
    assert [row.found[len(FOLDER) :] for row in matrix.skills] == [
        "/bare/SKILL.md",
        "/broken.md",
    ]


def test_what_is_near_comes_first():
    files: dict[str, Content] = {
        "/home/.agents/skills/a/SKILL.md": make_skill("a", "d"),
        "/proj/.agents/skills/z/SKILL.md": make_skill("z", "d"),
    }
    assert [row.name for row in compare(files, "codex").rows] == ["z", "a"]


# --- why an agent has not looked ------------------------------------------------------


def test_a_file_below_a_searched_folder_is_passed_over_by_a_rule():
    files: dict[str, Content] = {"a/b/good/SKILL.md": GOOD}
    row = only_row(compare(files, "codex", "gemini-cli"))
    assert told(row["gemini-cli"]) == (
        "not looked for",
        "file-passed-over",
        f"{FOLDER} is searched, but it is searched 1 folder deep",
    )


def test_a_link_that_is_not_followed_is_told():
    files: dict[str, Content] = {
        "/elsewhere/good/SKILL.md": GOOD,
        "linked": Link("/elsewhere"),
    }
    unlinked = named(
        "unlinked", "gemini-cli", selections={"default": {"directory_links": "ignore"}}
    )
    row = only_row(compare(files, "agentskills", unlinked, roots=True))
    assert row["unlinked"].because == (
        f"{FOLDER} is searched, but links to folders are not followed"
    )


def test_what_a_walk_said_of_a_folder_is_why_a_file_in_it_is_not_known():
    files: dict[str, Content] = {"a/b/c/d/e/f/g/good/SKILL.md": GOOD}
    deep = named("deep", "agentskills", selections={"default": {"max_depth": 9}})
    row = only_row(compare(files, deep, "agentskills"))
    assert told(row["agentskills"])[:2] == ("not looked for", "scan-depth")


def test_a_root_that_is_a_link_is_above_what_it_leads_to():
    files: dict[str, Content] = {
        "/real/skills/deep/er/good/SKILL.md": GOOD,
        "/proj/.agents/skills": Link("/real/skills"),
    }
    matrix = metier.compare(
        dialects=["codex", "gemini-cli"],
        cwd="/proj",
        home="/home",
        variables={},
        filesystem=MemoryFileSystem(files),
    )
    row = only_row(matrix)
    assert row["gemini-cli"].because == (
        "/proj/.agents/skills is searched, but it is searched 1 folder deep"
    )


# --- the matrix -----------------------------------------------------------------------


def test_notes_are_told_once_and_not_what_the_cells_say():
    files: dict[str, Content] = {"good/SKILL.md": GOOD, "loop": Link("/proj")}
    files["/home/.agents/skills/good/SKILL.md"] = GOOD
    matrix = compare(files, "agentskills", "gemini-cli", "roo-code")
    assert len({note.rule for note in matrix.notes}) == len(matrix.notes)
    assert "name-collision" not in {note.rule for note in matrix.notes}


def test_without_names_every_agent_is_a_column():
    matrix = metier.compare(
        roots=["/none"], cwd="/", home="/", filesystem=MemoryFileSystem()
    )
    assert len(matrix.dialects) > 10
    assert matrix.rows == matrix.skills == matrix.portable == ()
    assert [note.rule for note in matrix.notes] == ["folder-unreadable"]


def test_an_agent_is_compared_once_and_its_name_is_one_agent():
    matrix = compare({"good/SKILL.md": GOOD}, "codex", "codex")
    assert [each.name for each in matrix.dialects] == ["codex"]
    other = named("codex", "opi")
    with pytest.raises(ConfigError, match="two dialects are called `codex`"):
        compare({}, "codex", other)
    with pytest.raises(UnknownDialect):
        compare({}, "nobody")


def test_an_answer_is_for_each_agent_the_best_of_what_is_asked_about():
    files: dict[str, Content] = {
        "good/SKILL.md": GOOD,
        "/home/.agents/skills/good/SKILL.md": GOOD,
        "other/SKILL.md": make_skill("other", "d"),
    }
    matrix = compare(files, "agentskills", "opi")
    cells = matrix.answers("good")
    assert [(c.dialect, c.outcome.value, c.path) for c in cells] == [
        ("agentskills", "loaded", f"{FOLDER}/good/SKILL.md"),
        ("opi", "not looked for", None),
    ]
    for query in (f"{FOLDER}/good/SKILL.md", f"{FOLDER}/good"):
        assert matrix.answers(query) == cells
    assert matrix.answers("nothing") == ()


def test_an_answer_knows_every_name_that_an_agent_gives():
    files: dict[str, Content] = {"a:b/SKILL.md": make_skill("a:b", "d")}
    matrix = compare(files, "codex", "gemini-cli", roots=True)
    assert matrix.answers("a-b") == matrix.answers("a:b") == matrix.rows[0].cells


def test_a_row_counts_its_cells():
    row = only_row(compare({"good/SKILL.md": GOOD}, "codex", "opi", "agentskills"))
    assert row.count(Outcome.LOADED) == 2
    assert row.count(Outcome.LOADED, Outcome.NOT_LOOKED_FOR) == 3
    accounts = [cell.account for cell in row.cells if cell.account]
    assert [account.status for account in accounts] == [Status.LOADED] * 2
