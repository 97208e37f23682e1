"""Mistral Vibe: types that pydantic checks, and a file that Codex reads too."""

from __future__ import annotations

import pytest

from metier.library import Library
from metier.testing import Content, Link
from tests.making import library

FILE = "---\nname: pdf\ndescription: Reads <it>\n---\n\n Do it. \n\n"
PATH = "/proj/.agents/skills/pdf/SKILL.md"


def found(text: Content = FILE, **files: Content) -> Library:
    beside = {f"/proj/.agents/skills/pdf/{key}": each for key, each in files.items()}
    return library({PATH: text, **beside}, "mistral-vibe")


def with_lines(*lines: str) -> str:
    return FILE.replace("---\n\n", "".join(f"{line}\n" for line in lines) + "---\n\n")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("license: 1.0", "`license` is no text"),
        ("license: [MIT]", "`license` is no text"),
        ("license: !!binary /w==", "`license` is no UTF-8"),
        ('license: "\\ud800"', "`license` is no text"),
        ("metadata: [a]", "`metadata` is no map"),
        ("allowed-tools: 1", "`allowed-tools` is no list"),
        ("allowed-tools: [a, 1]", "`allowed-tools` is no text"),
        ("user-invocable:", "`user-invocable` is nothing (null)"),
        ("user-invocable: 2", "`user-invocable` is no flag"),
        ("user_invocable: maybe", "`user_invocable` is no flag"),
        ("disable-model-invocation: []", "`disable-model-invocation` is no text"),
        (
            f"metadata: {{a: 0x{'f' * 5000}}}",
            "`metadata` a number of more digits than Python writes",
        ),
    ],
)
def test_a_field_of_another_type_costs_the_skill(line: str, problem: str):
    (lost,) = found(with_lines(line)).rejected
    assert (lost.rule, lost.diagnostics[-1].message) == ("field-misfit", problem)


def test_fields_are_what_pydantic_makes_of_them():
    lines = (
        "license: !!binary TUlU",
        "compatibility:",
        "metadata: {version: 1.50, 2: yes, list: [a]}",
        "allowed-tools: Read  Write",
        "user-invocable: 'OFF'",
        "disable-model-invocation: 0.0",
    )
    (skill,) = found(with_lines(*lines)).skills
    assert skill.fields == {
        "license": "MIT",
        "compatibility": None,
        "metadata": {"version": "1.5", "2": "True", "list": "['a']"},
        "allowed_tools": ("Read", "Write"),
        "user_invocable": False,
        "disable_model_invocation": False,
    }


@pytest.mark.parametrize(
    ("value", "tools"),
    [
        ("!!binary ''", ()),
        ("!!set {a}", ("a",)),
        ("{a: 1}", ("a",)),
        ("[!!binary YQ==]", ("a",)),
        ("", None),
    ],
)
def test_whatever_can_be_gone_through_is_a_list_of_tools(
    value: str, tools: tuple[str, ...] | None
):
    (skill,) = found(with_lines(f"allowed-tools: {value}")).skills
    assert skill.fields["allowed_tools"] == tools


def test_either_spelling_of_a_key_counts_and_the_first_is_with_hyphens():
    lines = ("allowed_tools: [Read]", "user_invocable: 1", "user-invocable: true")
    (skill,) = found(with_lines(*lines)).skills
    assert skill.fields["allowed_tools"] == ("Read",)
    both = found(with_lines("allowed-tools: Read", "allowed_tools: 1"))
    assert both.names == ("pdf",)


@pytest.mark.parametrize(
    ("text", "is_hidden"),
    [
        ("policy: {allow_implicit_invocation: off}\nother: 1", True),
        ("policy: {allow_implicit_invocation: on, products: [a]}", False),
        ("policy: {allow_implicit_invocation: maybe}", True),
        ("policy: {allow_implicit: true}", True),
        ("policy: {products: [1]}", True),
        ("policy: {products: a}", True),
        ("policy:", False),
        ("- a", True),
        ("a: [", True),
        ("", False),
    ],
)
def test_the_file_of_another_agent_hides_a_skill_also_where_it_is_wrong(
    text: str, is_hidden: bool
):
    (skill,) = found(**{"agents/openai.yaml": text}).skills
    assert skill.is_hidden is is_hidden


def test_the_catalog_and_what_is_handed_over():
    names = ("z.py", "a/b.md", "dist/x", "node_modules/y")
    skills = found(**dict.fromkeys(names, ""))
    assert skills.catalog() == (
        "<available-skills>\n"
        "  <skill>\n"
        "    <name>pdf</name>\n"
        "    <description>Reads &lt;it&gt;</description>\n"
        f"    <path>{PATH}</path>\n"
        "  </skill>\n"
        "</available-skills>"
    )
    assert skills.load("pdf").output == (
        '<skill_content name="pdf">\n# Skill: pdf\n\nDo it.\n\n'
        "Base directory for this skill: /proj/.agents/skills/pdf\n"
        "Relative paths in this skill are relative to this base directory.\n"
        "Note: file list is sampled.\n\n"
        "<skill_files>\n<file>a/b.md</file>\n<file>z.py</file>\n</skill_files>\n"
        "</skill_content>"
    )
    unknown = skills.tool().call({"name": "docx"})
    assert unknown.output == (
        'Skill "docx" is not available to this runtime. Available skills: pdf'
    )


def test_of_many_files_the_first_by_name_are_listed():
    names = [f"f{number:03}" for number in range(300)]
    listed = found(**dict.fromkeys(names, "")).load("pdf").resources.paths
    assert listed == tuple(names[:10])


def test_a_file_in_another_code_page_is_read_all_the_same():
    text = FILE.replace("<it>", "résumés").encode("cp1252")
    (skill,) = found(text).skills
    assert skill.description == "Reads résumés"


def test_at_home_the_folder_of_the_project_is_the_user_s():
    skills = library(
        {"/home/.vibe/skills/pdf/SKILL.md": FILE},
        "mistral-vibe",
        variables={"VIBE_HOME": "/proj/.vibe"},
    )
    assert [root.path for root in skills.roots] == []
    home = library({"/proj/.agents/skills/pdf/SKILL.md": FILE}, "mistral-vibe")
    assert [root.scope.value for root in home.roots] == ["project"]


@pytest.mark.parametrize(
    ("turn", "names"),
    [
        ("/PDF now", ("pdf",)),
        ("  /pdf", ("pdf",)),
        ("use /zip, then /pdf.", ("zip", "pdf")),
        ("/pdf and /pdf", ("pdf",)),
        ("see /usr/bin or a/pdf or /PDF", ()),
        ("`/pdf` and ``/zip``", ()),
        ("```\n/pdf\n```\n/zip", ("zip",)),
        ("~~~\n/pdf", ()),
        ("/ /docx", ()),
    ],
)
def test_a_person_names_skills_with_slashes(turn: str, names: tuple[str, ...]):
    beside = {"/proj/.agents/skills/zip/SKILL.md": FILE.replace("pdf", "zip")}
    skills = library({PATH: FILE, **beside}, "mistral-vibe")
    assert tuple(each.skill.name for each in skills.invocations(turn)) == names


def test_a_skill_that_is_the_model_s_alone_is_not_for_people():
    skills = found(with_lines("user-invocable: no"))
    assert skills.invocations("/pdf") == ()
    assert [each.skill.name for each in found().invocations("/pdf")] == ["pdf"]


def test_files_by_the_name_of_a_skill_file_are_not_listed():
    listed = found(**{"sub/SKILL.md": "", "sub/x.md": ""}).load("pdf").resources
    assert listed.paths == ("sub/x.md",)


def test_a_link_that_leads_nowhere_is_no_skill():
    skills = library(
        {"/proj/.agents/skills/a": Link("gone"), PATH: FILE}, "mistral-vibe"
    )
    assert skills.names == ("pdf",)


@pytest.mark.parametrize(("rest", "names"), [(b"", ("pdf",)), (b"x", ())])
def test_utf_16_is_read_where_it_is_whole(rest: bytes, names: tuple[str, ...]):
    assert found(FILE.encode("utf-16") + rest).names == names
