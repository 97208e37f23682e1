"""VS Code Copilot: the folder's name counts, and hardly a file is too broken."""

from __future__ import annotations

import pytest

from tests.making import library

FILE = "---\nname: {}\ndescription: {}\n---\n\nDo it.\n"
INTRODUCTION = """\
<skills>
Here is a list of skills that contain domain specific knowledge on a variety of topics.
Each skill comes with a description of the topic and a file path that contains the \
detailed instructions.
When a user asks you to perform a task that falls within the domain of a skill, use \
the 'read_file' tool to acquire the full instructions from the file URI.
"""


def test_the_model_is_told_where_the_files_are_with_what_is_said_of_them():
    found = library(
        {
            "/proj/.github/skills/pdf/SKILL.md": FILE.format("pdf", "'Reads & <i>PDF'"),
            "/home/.claude/skills/bare/SKILL.md": "Do it.\n",
            "/home/.claude/skills/mine/SKILL.md": (
                "---\ndisable-model-invocation: true\n---\n"
            ),
        },
        "vscode-copilot",
    )
    assert found.catalog() == (
        f"{INTRODUCTION}"
        "<skill>\n<name>pdf</name>\n<description>Reads & PDF</description>\n"
        "<file>/proj/.github/skills/pdf/SKILL.md</file>\n</skill>\n"
        "<skill>\n<name>bare</name>\n"
        "<file>/home/.claude/skills/bare/SKILL.md</file>\n</skill>\n"
        "</skills>\n\n"
    )


def test_without_a_skill_the_model_is_told_nothing():
    assert library({}, "vscode-copilot").catalog() == ""


def test_the_project_is_above_the_user_and_each_path_above_the_next():
    paths = (
        "/proj/.github/skills",
        "/proj/.agents/skills",
        "/proj/.claude/skills",
        "/home/.copilot/skills",
        "/home/.agents/skills",
        "/home/.claude/skills",
    )
    files = {
        f"{path}/{name}/SKILL.md": FILE.format(name, path)
        for index, path in enumerate(paths)
        for name in ("all", str(index))
    }
    found = library(files, "vscode-copilot")
    assert [(each.name, each.description) for each in found.skills] == [
        ("0", paths[0]),
        ("all", paths[0]),
        *((str(index), paths[index]) for index in range(1, 6)),
    ]


@pytest.mark.parametrize(
    "header",
    [
        "---\nname: other\n---\n",
        "---\nname: <b>pdf</b>s\n---\n",
        "---\nname: [pdf]\n---\n",
        "---\nname:\n---\n",
        "---\n- pdf\n---\n",
        "---\n---\n",
        "----\nname: other\n---\n",
        "",
    ],
)
def test_the_folder_gives_the_name_whatever_the_header_says(header: str):
    found = library({"/proj/.agents/skills/pdf/SKILL.md": header}, "vscode-copilot")
    assert [(each.name, each.description) for each in found.skills] == [("pdf", None)]


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("pdf", []),
        ("<b>pdf</b>", ["name-rewritten"]),
        ("pdfs", ["name-not-directory"]),
        ("p" * 65, ["name-too-long", "name-not-directory"]),
    ],
)
def test_a_name_that_does_not_count_is_told_of(name: str, rules: list[str]):
    path = "/proj/.agents/skills/pdf/SKILL.md"
    found = library({path: FILE.format(name, "Reads")}, "vscode-copilot")
    assert [each.rule for each in found.skills[0].diagnostics] == rules


@pytest.mark.parametrize(
    ("header", "description"),
    [
        ("description: Use when: asked", "Use when: asked"),
        ("description: One\ndescription: Two", "One"),
        ("description: null", "null"),
        ("description: <>a<b <c>> < d", "<>a> < d"),
        ("description: " + "x" * 1100, "x" * 1024),
        ("description: >\n  a\n  b", "a b\n"),
        ("<<: {description: Merged}", None),
        ("description: {a: b}", None),
        ("a\ndescription: lost", None),
    ],
)
def test_a_description_is_the_first_text_of_that_name(
    header: str, description: str | None
):
    path = "/proj/.agents/skills/pdf/SKILL.md"
    found = library({path: f"---\n{header}\n---\n"}, "vscode-copilot")
    assert [each.description for each in found.skills] == [description]


def test_an_escape_for_no_character_is_all_that_makes_a_file_unreadable():
    path = "/proj/.agents/skills/pdf/SKILL.md"
    found = library({path: '---\nx: "\\U00110000"\n---\n'}, "vscode-copilot")
    assert [each.rule for each in found.rejected] == ["yaml-invalid"]


@pytest.mark.parametrize(
    ("flag", "is_hidden"), [("true", True), ("'true'", True), ("True", False)]
)
def test_a_flag_is_set_in_small_letters_alone(flag: str, is_hidden: bool):
    path = "/proj/.agents/skills/pdf/SKILL.md"
    text = f"---\ndisable-model-invocation: {flag}\n---\n"
    found = library({path: text}, "vscode-copilot")
    assert [each.is_hidden for each in found.skills] == [is_hidden]


def test_a_person_may_invoke_what_is_not_kept_for_the_model():
    found = library(
        {
            "/proj/.agents/skills/open/SKILL.md": FILE.format("open", "For all"),
            "/proj/.agents/skills/shut/SKILL.md": "---\nuser-invocable: false\n---\n",
        },
        "vscode-copilot",
    )
    invoked = found.invoke("/open now")
    assert invoked is not None
    assert invoked.output == FILE.format("open", "For all")
    assert [each.skill.name for each in found.invocations("/shut")] == []


@pytest.mark.parametrize(
    "path", ["SKILL.md", "a/b/SKILL.md", "a/skill.md", "a/README.md"]
)
def test_a_skill_is_a_file_of_that_name_in_a_folder_of_the_root(path: str):
    files = {f"/proj/.agents/skills/{path}": FILE.format("x", "y")}
    assert library(files, "vscode-copilot").skills == ()
