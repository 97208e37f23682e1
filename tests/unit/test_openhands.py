"""OpenHands: names of folders, triggers, and a tool that tells no paths."""

from __future__ import annotations

from pathlib import Path

import pytest

from metier.core.substitution import substitution_of
from metier.core.templates import parse_template
from metier.library import Library
from metier.testing import Link
from metier.world.dialects import load_dialect
from tests.inserting import OPEN, skill_with
from tests.making import library

FILE = "---\nname: pdf\ndescription: Reads <it>\n{}---\n\n# Title\n\nDo it.\nThen go.\n"
PATH = "/proj/.agents/skills/pdf/SKILL.md"


def found(*lines: str) -> Library:
    header = "".join(f"{line}\n" for line in lines)
    return library({PATH: FILE.format(header)}, "openhands")


def test_a_file_in_any_letter_case_in_a_folder_of_the_same_name():
    files = {
        "/proj/.agents/skills/a/sKiLl.Md": "Just do it.",
        "/proj/.agents/skills/b/SKILL.md": "---\nname: c\n---\n",
        "/proj/.agents/skills/d/SKILL.md": "---\nname:\n---\n",
        "/proj/.agents/skills/e/SKILL.md": "---\nname: ''\n---\n",
        "/proj/.agents/skills/f/g/SKILL.md": "too deep",
        "/proj/.agents/skills/SKILL.md": "no folder",
    }
    skills = library(files, "openhands")
    assert skills.names == ("a",)
    assert {lost.path: lost.rule for lost in skills.rejected} == {
        "/proj/.agents/skills/b/SKILL.md": "name-not-directory",
        "/proj/.agents/skills/d/SKILL.md": "name-invalid",
        "/proj/.agents/skills/e/SKILL.md": "name-empty",
    }


def test_the_project_is_above_the_user_and_the_shared_folder_above_its_own():
    places = (
        "/proj/.openhands/skills",
        "/proj/.agents/skills",
        "/home/.openhands/microagents",
    )
    files = {f"{each}/pdf/SKILL.md": FILE.format("") for each in places}
    skills = library(files, "openhands")
    assert [skill.path for skill in skills.skills] == [PATH]
    assert len(skills.shadowed) == 2


@pytest.mark.parametrize(
    "line",
    [
        "triggers: pdf",
        "triggers:",
        "triggers: [1]",
        "inputs: [name]",
        "inputs:",
        "inputs: [{name: a}]",
        "inputs: {}",
        "paths: 1",
        "paths: ['*.py']\ntriggers: a",
        "metadata: a",
        "allowed-tools: {a: b}",
        "description: [a]",
        "disable-model-invocation: 2",
        "1: a",
        "handler: a",
    ],
)
def test_what_costs_a_skill(line: str):
    skills = found(line)
    assert (skills.names, len(skills.rejected)) == ((), 1)


def test_fields_as_they_are_taken():
    skills = found(
        "triggers: [pdf, PDF file]",
        "inputs: [{name: a, description: b, more: c}]",
        "allowed_tools: [Read, 1]",
        "metadata: {a: 1}",
        "disable-model-invocation:",
        "license:",
    )
    (skill,) = skills.skills
    assert skill.fields == {
        "license": None,
        "compatibility": None,
        "metadata": {"a": "1"},
        "allowed_tools": ("Read", "1"),
        "disable_model_invocation": None,
        "paths": None,
        "triggers": ("pdf", "PDF file"),
        "inputs": True,
    }


def test_patterns_of_files_make_other_fields_free_and_hide_the_skill():
    skills = found("paths: 'src/**/*.py, *.md,'", "triggers: [1]", "inputs: 3")
    (skill,) = skills.skills
    assert skill.is_hidden
    assert skill.fields["paths"] == ("src/**/*.py", "*.md")
    assert skills.catalog() == ""
    refused = skills.tool().call({"name": "pdf"})
    assert refused.output == (
        "Skill 'pdf' cannot be invoked directly. "
        "It can only be activated by trigger matching."
    )
    matches = [
        skills.match("pdf", paths=[path]).winner
        for path in ("src/x.py", "src/a/b.py", "x.py", "doc/README.md", "README.mdx")
    ]
    assert matches == ["pdf", "pdf", None, "pdf", None]


@pytest.mark.parametrize(
    ("turn", "because"),
    [
        ("a PDF please", "`pdf`"),
        ("a pdfs", None),
        ("ask /linear", "`/linear`"),
        ("x/linear", None),
        ("run /pdf now", "`pdf`"),
    ],
)
def test_words_call_for_a_skill(turn: str, because: str | None):
    skills = found("triggers: [pdf, /linear, '']", "inputs: []")
    assert [score.because for score in skills.match(turn).scores] == (
        [because] if because else []
    )


def test_a_skill_with_inputs_is_called_by_its_name():
    assert found("inputs: []").match("do /pdf").scores[0].because == "`/pdf`"
    assert found().match("do /pdf").winner is None


def test_a_body_that_waits_for_values_asks_for_them():
    asks = "\n\nIf the user didn't provide any of these variables, ask the user"
    waiting = found("inputs: [{name: a, description: b}]")
    body = waiting.read_body(waiting["pdf"])
    assert body.startswith("# Title\n\nDo it.\nThen go." + asks)
    for lines in (["inputs: []"], ["paths: [a]", "inputs: [1]"], []):
        skills = found(*lines)
        assert skills.read_body(skills["pdf"]) == "# Title\n\nDo it.\nThen go."
    text = FILE.format("inputs: []\n").replace("Do it.", "Do ${it}.")
    filled = library({PATH: text}, "openhands")
    assert asks in filled.read_body(filled["pdf"])


def test_a_long_description_keeps_both_of_its_ends():
    text = FILE.replace("Reads <it>", "a" * 600 + "b" * 600).format("")
    (skill,) = library({PATH: text}, "openhands").skills
    assert skill.description is not None
    assert len(skill.description) == 1024
    head, _, tail = skill.description.partition("<response clipped>")
    notice, _, tail = tail.partition("</NOTE>")
    assert (set(head), set(tail), len(head) - len(tail)) == ({"a"}, {"b"}, 1)
    assert notice.endswith(f"skill content at {PATH}.")


def test_the_catalog_tells_no_place_and_stands_in_with_the_body():
    skills = library(
        {
            PATH: FILE.format(""),
            "/proj/.agents/skills/zip/SKILL.md": "# Zip\n\n Packs files. \nMore.",
            "/proj/.agents/skills/tar/SKILL.md": "# Only a title",
        },
        "openhands",
    )
    listed = skills.catalog().partition("<available_skills>\n")[2]
    assert listed == (
        "  <skill>\n    <name>pdf</name>\n"
        "    <description>Reads &lt;it&gt;</description>\n  </skill>\n"
        "  <skill>\n    <name>tar</name>\n    <description></description>\n  </skill>\n"
        "  <skill>\n    <name>zip</name>\n"
        "    <description>Packs files.... [6 characters truncated. Call "
        'invoke_skill(name="zip") to load the full skill]</description>\n'
        "  </skill>\n</available_skills>\n</SKILLS>"
    )


def test_what_is_handed_over_says_where_it_is():
    skills = library(
        {
            PATH: FILE.format(""),
            "/home/.agents/skills/zip/SKILL.md": "Packs.",
        },
        "openhands",
    )
    footer = "\n\n---\nThis skill is located at `{}`. Any files it references"
    assert footer.format(".agents/skills/pdf") in skills.load("pdf").output
    assert footer.format("/home/.agents/skills/zip") in skills.load("zip").output
    unknown = skills.tool().call({"name": "x"})
    assert unknown.output == "Unknown skill 'x'. Available skills: pdf, zip."


@pytest.mark.parametrize(
    ("body", "commands"),
    [
        ("a !`ls` b", ("ls",)),
        (r"\!`ls` !`pwd`", ("pwd",)),
        ("`a` !`ls` `b !`c` d`", ("ls",)),
        ("```!`ls` !`pwd`", ()),
        ("x ```a` !`b` ``` !`c`", ("c",)),
        ("`never closed !`ls`", ()),
    ],
)
def test_commands_stand_outside_of_backquotes(body: str, commands: tuple[str, ...]):
    rule = substitution_of(load_dialect("openhands"))
    found = parse_template(body, rule).commands
    assert tuple(each.source for each in found) == commands


def legacy(**files: str) -> Library:
    """Markdown files below a folder for skills."""
    named = {f"/proj/.openhands/skills/{path}": each for path, each in files.items()}
    return library(named, "openhands")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (" echo ' a '; echo b >&2 ", "a"),
        ("printf 'a\\r\\nb'", "a\nb"),
        (" exit 3", "[Error: Command ` exit 3` exited with code 3: ]"),
        ("kill -9 $$", "[Error: Command `kill -9 $$` exited with code -9: ]"),
        (
            "printf '\\377'",
            (
                "[Error: Failed to execute command `printf '\\377'`: 'utf-8' codec "
                "can't decode byte 0xff in position 0: invalid start byte]"
            ),
        ),
    ],
)
def test_what_a_command_says_is_read_as_python_does(
    tmp_path: Path, command: str, said: str
):
    skills = skill_with(f"a !`{command}`", load_dialect("openhands"), cwd=tmp_path)
    assert skills.load("x", policy=OPEN).body == f"a {said}"


def test_other_markdown_files_are_skills_called_as_their_path():
    skills = legacy(
        **{
            "deep/.er/go.md": "---\ntriggers: [go]\n---\nGo.",
            "flat.md": "Stay.",
            "any.md": "---\nname: Any Name\ntriggers: [x]\ninputs: []\n---\n",
            "README.md": "no skill",
            "readme.md": "---\ninputs: []\n---\nA skill.",
            "AGENTS.md": "told in another way",
            "pdf/SKILL.md": "A skill with a folder.",
            "pdf/notes.md": "its own",
            "up/pdf/Skill.md": "too deep",
            "up/pdf/more.md": "---\ntriggers: [1]\n---\n",
        }
    )
    assert [(each.name, each.is_hidden) for each in skills.skills] == [
        ("Any Name", False),
        ("deep/.er/go", False),
        ("flat", True),
        ("readme", False),
        ("pdf", False),
    ]
    assert [lost.path[-7:] for lost in skills.rejected] == ["more.md"]


def test_of_two_files_in_one_folder_the_last_counts_and_no_folder_of_that_name():
    text = "---\nname: pdf\ntriggers: [x]\n---\n{}"
    skills = legacy(
        **{
            "a.md": text.format("a"),
            "b.md": text.format("b"),
            "pdf/SKILL.md": "c",
        }
    )
    assert [skill.path for skill in skills.skills] == ["/proj/.openhands/skills/b.md"]


def test_patterns_hide_a_markdown_file_as_well():
    text = "---\npaths: '*.py'\ntriggers: [a]\ninputs: []\n---\n"
    assert [skill.is_hidden for skill in legacy(**{"rule.md": text})] == [True]


def test_links_to_folders_are_followed_for_folders_of_skills_alone():
    skills = library(
        {
            "/proj/.openhands/skills/pdf": Link("/store/pdf"),
            "/store/pdf/SKILL.md": "A skill.",
            "/proj/.openhands/skills/more": Link("/store/more"),
            "/store/more/a.md": "no skill",
        },
        "openhands",
    )
    assert skills.names == ("pdf",)


def test_allowed_tools_are_also_a_text_split_at_blanks():
    (skill,) = found("allowed-tools: Read,  Bash(git *)").skills
    assert skill.fields["allowed_tools"] == ("Read,", "Bash(git", "*)")
