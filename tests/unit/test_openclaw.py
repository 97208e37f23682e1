"""OpenClaw: four folders in rising order, texts alone, a catalog that shrinks."""

from __future__ import annotations

from pathlib import Path

import pytest

from metier.api import discover
from metier.core.surroundings import Surroundings
from metier.testing import Link, MemoryFileSystem
from tests.making import library

FILE = "---\nname: {}\ndescription: {}\n---\n\nDo it.\n"
WORKSPACE, PERSONAL = "/proj/skills", "/home/.agents/skills"


def introduction(told: str) -> str:
    return (
        "\n\nThe following skills provide specialized instructions for specific "
        "tasks.\nUse the read tool to load a skill's file when the task matches its "
        f"{told}.\nWhen a skill file references a relative path, resolve it against "
        "the skill directory (parent of SKILL.md / dirname of the path) and use that "
        "absolute path in tool commands.\n\n<available_skills>\n"
    )


def names(*found: tuple[str, str]) -> list[str]:
    files = {path: FILE.format(name, "Does it") for path, name in found}
    skills = library(files, "openclaw").skills
    return [each.name for each in skills]


def test_the_model_is_told_of_the_skills_by_their_names():
    found = library(
        {
            f"{WORKSPACE}/zip/SKILL.md": FILE.format("Zip", "Packs <it> & 'that'"),
            f"{PERSONAL}/pdf/SKILL.md": FILE.format("pdf", "Reads"),
            f"{PERSONAL}/own/SKILL.md": (
                "---\ndescription: Hides\ndisable-model-invocation: Yes\n---\n"
            ),
        },
        "openclaw",
    )
    assert found.catalog() == (
        f"{introduction('description')}"
        "  <skill>\n    <name>pdf</name>\n    <description>Reads</description>\n"
        "    <location>~/.agents/skills/pdf/SKILL.md</location>\n  </skill>\n"
        "  <skill>\n    <name>Zip</name>\n"
        "    <description>Packs &lt;it&gt; &amp; &apos;that&apos;</description>\n"
        f"    <location>{WORKSPACE}/zip/SKILL.md</location>\n  </skill>\n"
        "</available_skills>"
    )


def test_without_a_skill_the_model_is_told_nothing():
    assert library({}, "openclaw").catalog() == ""


def many(count: int, length: int) -> str:
    files = {
        f"{WORKSPACE}/s{index:03}/SKILL.md": FILE.format(f"s{index:03}", "x" * length)
        for index in range(count)
    }
    return library(files, "openclaw").catalog()


def short(count: int) -> str:
    items = (
        f"  <skill>\n    <name>s{index:03}</name>\n"
        f"    <location>{WORKSPACE}/s{index:03}/SKILL.md</location>\n  </skill>\n"
        for index in range(count)
    )
    return f"{introduction('name')}{''.join(items)}</available_skills>"


AUDIT = "Run `openclaw skills check` to audit."


def test_without_room_for_descriptions_there_are_names_and_places():
    compact = f"⚠️ Skills catalog using compact format (descriptions omitted). {AUDIT}"
    assert many(100, 100) == f"{compact}\n{short(100)}"


def test_skills_above_the_150th_are_left_out():
    note = "⚠️ Skills truncated: included 150 of 151 (compact format, descriptions "
    assert many(151, 1) == f"{note}omitted). {AUDIT}\n{short(150)}"


def test_without_room_for_the_names_the_first_ones_are_told():
    folder = "/proj/skills/" + "d" * 90
    files = {
        f"{folder}/s{index:03}/SKILL.md": FILE.format(f"s{index:03}", "x")
        for index in range(150)
    }
    text = library(files, "openclaw").catalog()
    note, _, rest = text.partition("\n")
    assert note == (
        "⚠️ Skills truncated: included 94 of 150 (compact format, descriptions "
        f"omitted). {AUDIT}"
    )
    assert rest.count("<name>") == 94
    item = len(rest) - len(rest.replace("s000", "", 1).split("s001")[0])
    assert len(rest) <= 17_850 < len(rest) + item


# --- which files --------------------------------------------------------------------


def test_a_folder_is_above_those_before_it():
    folders = ("/home/.openclaw/skills", PERSONAL, "/proj/.agents/skills", WORKSPACE)
    files = {
        f"{folder}/{name}/SKILL.md": FILE.format(name, folder)
        for index, folder in enumerate(folders)
        for name in ("all", str(index))
    }
    found = library(files, "openclaw")
    assert {each.name: each.description for each in found.skills} == {
        "all": WORKSPACE,
        **{str(index): folder for index, folder in enumerate(folders)},
    }


def test_a_variable_may_name_the_folder_of_what_was_installed():
    found = library(
        {
            "/state/skills/a/SKILL.md": FILE.format("a", "There"),
            "/home/.openclaw/skills/b/SKILL.md": FILE.format("b", "Here"),
        },
        "openclaw",
        variables={"OPENCLAW_STATE_DIR": "/state"},
    )
    assert found.names == ("a",)


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ("a/SKILL.md g/b/SKILL.md g/h/c/SKILL.md", "a g/b"),
        ("a/SKILL.md a/b/SKILL.md", "a"),
        (".a/SKILL.md node_modules/SKILL.md g/.b/SKILL.md g/node_modules/SKILL.md", ""),
        ("SKILL.md a/SKILL.md", "."),
        ("a/SKILL.md skills/b/SKILL.md", "skills/b"),
        ("a/SKILL.md skills/SKILL.md", "a skills"),
        ("a/skill.md", ""),
    ],
)
def test_where_a_skill_may_stand(paths: str, expected: str):
    found = [(f"{WORKSPACE}/{path}", path) for path in paths.split()]
    kept = {f"{each}/SKILL.md".removeprefix("./") for each in expected.split()}
    assert set(names(*found)) == kept


def linked() -> MemoryFileSystem:
    return MemoryFileSystem(
        {
            "/proj/skills/real/SKILL.md": FILE.format("", "Does it"),
            "/proj/skills/near": Link("real"),
            "/proj/skills/far": Link("/store/one"),
            "/home/.agents/skills/mine": Link("/store/one"),
            "/home/.agents/skills/stray/SKILL.md": Link("/store/one/SKILL.md"),
            "/store/one/SKILL.md": FILE.format("", "Does it"),
        }
    )


def test_links_of_a_workspace_stay_in_it_and_those_of_a_person_may_lead_anywhere():
    found = library(linked(), "openclaw")
    assert [(each.name, each.path) for each in found.skills] == [
        ("mine", "/store/one/SKILL.md"),
        ("near", "/proj/skills/near/SKILL.md"),
        ("real", "/proj/skills/real/SKILL.md"),
    ]
    assert [(each.path, each.rule) for each in found.rejected] == [
        ("/home/.agents/skills/stray/SKILL.md", "link-ignored")
    ]
    assert found.load("near").output == FILE.format("", "Does it")


def test_a_file_with_a_second_name_is_passed_over(tmp_path: Path):
    for name in ("one", "two"):
        folder = tmp_path / "skills" / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(FILE.format(name, "Does it"))
    twin = tmp_path / "twin"
    twin.hardlink_to(tmp_path / "skills" / "two" / "SKILL.md")
    found = discover(dialect="openclaw", cwd=tmp_path, home=tmp_path, variables={})
    assert found.names == ("one",)
    (lost,) = found.rejected
    assert (lost.path, lost.rule, lost.diagnostics[-1].message) == (
        f"{tmp_path}/skills/two/SKILL.md",
        "link-ignored",
        "a file with a second name, which the agent passes over",
    )
    twin.unlink()
    assert found.refresh().names == ("one", "two")


def test_a_root_has_so_many_skills_and_folders_and_a_file_so_many_bytes():
    files = {
        f"{WORKSPACE}/s{index:03}/SKILL.md": FILE.format(f"s{index:03}", "Does it")
        for index in range(310)
    }
    files[f"{PERSONAL}/big/SKILL.md"] = FILE.format("big", "Big") + "x" * 256_000
    found = library(files, "openclaw")
    assert found.names == tuple(f"s{index:03}" for index in range(200))
    rules = [each.rule for each in found.rejected]
    assert rules == ["file-too-large", *["scan-limit"] * 100]
    assert [each.rule for each in found.notes] == ["scan-limit"]


# --- what they say ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "name", "description"),
    [
        ("name: ' a '\ndescription: b", "a", "b"),
        ("name: 1.0\ndescription: true", "1", "true"),
        ("description: [a, b]", "pdf", '["a","b"]'),
        ("description: Use when: asked\nname: 'x'", "x", "Use when: asked"),
        ("description: ~\nname:", "pdf", "~"),
        ("description: |\n  a\n  b", "pdf", "a\n  b".replace("  ", "")),
    ],
)
def test_a_name_and_a_description_may_be_written_in_any_way(
    header: str, name: str, description: str
):
    found = library({f"{WORKSPACE}/pdf/SKILL.md": f"---\n{header}\n---\n"}, "openclaw")
    assert [(s.name, s.description) for s in found.skills] == [(name, description)]


@pytest.mark.parametrize(
    "text", ["", "Do it.", "---\nname: a\n---\n", "---\ndescription: ' '\n---\n"]
)
def test_a_file_without_a_description_is_no_skill(text: str):
    found = library({f"{WORKSPACE}/pdf/SKILL.md": text}, "openclaw")
    assert (found.skills, len(found.rejected)) == ((), 1)


NEEDS = (
    '---\ndescription: Needs\nmetadata: {{"{}": {{"os": ["linux"], "always": {},'
    ' "requires": {{"bins": ["zz"], "anyBins": ["a", "b"], "env": ["KEY"]}}}}}}\n---\n'
)
NO_JSON5 = """---
description: Needs
metadata: {openclaw: {requires: {bins: [zz]}}}
---
"""
IN_YAML = """---
description: Needs
metadata:
  openclaw: {requires: {bins: [zz]}}
---
"""
THERE = Surroundings(system="linux", programs=("zz", "b"), variables=("KEY",))


@pytest.mark.parametrize(
    ("text", "around", "is_hidden"),
    [
        (NEEDS.format("openclaw", "false"), THERE, False),
        (NEEDS.format("clawdbot", "false"), THERE, False),
        (NEEDS.format("other", "false"), Surroundings(), False),
        (NEEDS.format("openclaw", "false"), Surroundings(programs=("b",)), True),
        (NEEDS.format("openclaw", "false"), Surroundings(system="darwin"), True),
        (NEEDS.format("openclaw", "true"), Surroundings(programs=()), False),
        (NO_JSON5, Surroundings(programs=()), False),
        (IN_YAML, Surroundings(programs=()), True),
        (NEEDS.format("openclaw", "true"), Surroundings(system="darwin"), True),
    ],
)
def test_a_skill_that_lacks_what_it_needs_is_not_offered(
    text: str, around: Surroundings, is_hidden: bool
):
    files = {f"{WORKSPACE}/pdf/SKILL.md": text}
    found = library(files, "openclaw", surroundings=around)
    assert [each.is_hidden for each in found.skills] == [is_hidden]


def test_a_person_invokes_what_is_open_to_people():
    found = library(
        {
            f"{WORKSPACE}/open/SKILL.md": FILE.format("open", "For all"),
            f"{WORKSPACE}/shut/SKILL.md": (
                "---\ndescription: Shut\nuser-invocable: off\n---\n"
            ),
        },
        "openclaw",
    )
    invoked = found.invoke("/open now")
    assert invoked is not None
    assert invoked.output == FILE.format("open", "For all") + "\n\nUser input:\nnow"
    assert found.invocations("/shut") == ()
