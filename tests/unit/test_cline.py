"""Cline: a switch with two sides, a tool that names skills, the end of a name."""

from __future__ import annotations

import pytest

from metier.api import discover
from metier.core.skill import Status
from metier.diagnostics import Position
from metier.errors import SkillNotFound
from metier.library import Library
from metier.testing import Content, Link, MemoryFileSystem
from tests.making import library

ROOT = "/home/.cline/skills"
ABOUT = (
    "When a skill matches the user's request, invoking this tool is a blocking "
    "requirement before any other response. Never mention a skill without invoking "
    "this tool."
)


def only(text: str) -> Library:
    """The user has one file."""
    return library({f"{ROOT}/pdf/SKILL.md": text}, "cline")


def made(*names: str, **others: str) -> Library:
    """The user has skills of these names; those of `others` have such headers."""
    headers = {**dict.fromkeys(names, ""), **others}
    files = {
        f"{ROOT}/{number}/SKILL.md": f"---\nname: {name!r}\n{header}\n---\nDo it."
        for number, (name, header) in enumerate(headers.items())
    }
    return library(files, "cline")


def reply(skills: Library, name: str, **arguments: str) -> str:
    return skills.tool().call({"skill": name, **arguments}).output


# --- where --------------------------------------------------------------------------


def test_a_later_folder_wins_and_the_user_is_above_the_project():
    places = (
        "/proj/.clinerules/skills",
        "/proj/.cline/skills",
        "/proj/.agents/skills",
        "/home/.cline/skills",
        "/home/.agents/skills",
    )
    for number in range(len(places), 0, -1):
        files = {f"{place}/pdf/SKILL.md": place for place in places[:number]}
        skills = library(files, "cline")
        assert [each.root.path for each in skills] == [places[number - 1]]


def test_the_project_is_the_repository():
    files: dict[str, Content] = {
        "/repo/.git/HEAD": "",
        "/repo/.cline/skills/top/SKILL.md": "b",
        "/repo/web/.cline/skills/low/SKILL.md": "b",
    }
    skills = discover(
        dialect="cline",
        cwd="/repo/web",
        home="/home",
        variables={},
        filesystem=MemoryFileSystem(files),
    )
    assert skills.names == ("top",)


def test_a_variable_names_another_folder_of_the_user():
    files = {"/mine/skills/pdf/SKILL.md": "new", f"{ROOT}/pdf/SKILL.md": "old"}
    skills = library(files, "cline", variables={"CLINE_DIR": "/mine"})
    assert [each.path for each in skills] == ["/mine/skills/pdf/SKILL.md"]


def test_a_file_in_the_root_is_a_skill_and_a_link_is_none():
    files: dict[str, Content] = {
        f"{ROOT}/SKILL.md": "Do it.",
        f"{ROOT}/a/b/SKILL.md": "Too deep.",
        "/proj/.cline/skills/SKILL.md": Link("/else/SKILL.md"),
        "/proj/.cline/skills/pdf": Link("/else"),
        "/else/SKILL.md": "Do that.",
    }
    skills = library(files, "cline")
    assert skills.names == ("pdf", "skills")
    assert [(each.path, each.rule) for each in skills.rejected] == [
        ("/proj/.cline/skills/SKILL.md", "link-ignored")
    ]


# --- what ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "body"),
    [
        ("Do it.", "pdf", "Do it."),
        ("---\nname: a\n---\nDo it.", "a", "Do it."),
        ("\ufeff---\r\nname: ' A '\r\n---\r\n\r\nDo it.\r\n", "A", "Do it."),
        ("---\nname: ''\n---\nDo it.", "pdf", "Do it."),
        ("---\nname: ~\n---\nDo it.", "pdf", "Do it."),
        ("---\nname: a\n---- Do it.", "a", "- Do it."),
        ("---\nname: a\nDo it.", "pdf", "---\nname: a\nDo it."),
        ("---\n- a\n---\nDo it.", "pdf", "Do it."),
        ("---\n---\nDo it.", "pdf", "---\n---\nDo it."),
        ("---\n\n---\nDo it.", "pdf", "Do it."),
    ],
)
def test_a_file_needs_no_more_than_a_body(text: str, name: str, body: str):
    skills = only(text)
    assert [(each.name, each.description) for each in skills] == [(name, None)]
    assert skills.read_body(skills[name]) == body


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("---\nname: a\n---\n \ufeff\n", "body-empty"),
        ("---\nname: 1\n---\nb", "name-not-text"),
        ("---\ndescription: [a]\n---\nb", "description-not-text"),
        ("---\na: b: c\n---\nb", "yaml-invalid"),
        ("---\na: 1\na: 2\n---\nb", "yaml-invalid"),
        ("---\ndisabled: 'true'\n---\nb", "field-misfit"),
        ("---\ndisabled: []\n---\nb", "field-misfit"),
        ("---\nenabled: yes\n---\nb", "field-misfit"),
        ("---\ndisabled: ~\nenabled: 0\n---\nb", "field-misfit"),
    ],
)
def test_what_is_of_another_type_is_no_skill(text: str, rule: str):
    assert [each.rule for each in only(text).rejected] == [rule]


@pytest.mark.parametrize(
    ("header", "is_off"),
    [
        ("disabled: true", True),
        ("disabled: false", False),
        ("enabled: false", True),
        ("enabled: TRUE", False),
        ("disabled: false\nenabled: false", False),
        ("disabled: ~\nenabled: false", True),
        ("enabled: ~", False),
        ("disabled: true\nenabled: maybe", True),
        ("a: &off false\nenabled: *off", True),
    ],
)
def test_a_skill_that_is_switched_off_is_for_nobody(header: str, is_off: bool):
    skills = made(pdf=header)
    assert [each.is_hidden for each in skills] == [is_off]
    assert len(skills.invocable) == (0 if is_off else 1)
    assert skills.catalog() == ("" if is_off else " Available skills: pdf.")
    assert skills.tool().is_offered is not is_off


def test_a_folder_of_blanks_lends_no_name():
    files = {f"{ROOT}/ pdf\u2028/SKILL.md": "a", f"{ROOT}/\xa0/SKILL.md": "b"}
    skills = library(files, "cline")
    assert skills.names == ("pdf",)
    assert [each.rule for each in skills.rejected] == ["name-missing"]


def test_names_are_one_in_any_case_and_keep_their_place():
    skills = made("pdf", "Zip", "PDF", "a")
    assert [each.name for each in skills] == ["PDF", "Zip", "a"]


# --- the tool -----------------------------------------------------------------------


def test_the_tool_tells_of_the_names_alone():
    tool = made("pdf", "Zip", off="disabled: true").tool()
    assert tool.name == "skills"
    assert tool.description.startswith("Execute a skill within the main conversation. ")
    assert tool.description.endswith(f"{ABOUT} Available skills: pdf, Zip.")
    assert list(tool.schema["properties"]) == ["skill", "args"]


def test_a_tool_without_names_ends_before_them():
    assert made(off="disabled: true").tool().description.endswith(ABOUT)


TOLD = "\n<command-instructions>\nDescription: "


@pytest.mark.parametrize(
    ("header", "arguments", "expected"),
    [
        ("", {}, "\n<command-instructions>\nDo it."),
        (
            "description: ' Reads. '",
            {"args": "\n a b "},
            f"\n<command-args>a b</command-args>{TOLD}Reads.\n\nDo it.",
        ),
        ("description: ' '", {"args": " "}, "\n<command-instructions>\nDo it."),
    ],
)
def test_the_model_gets_what_there_is(
    header: str, arguments: dict[str, str], expected: str
):
    output = f"<command-name>Pdf</command-name>{expected}\n</command-instructions>"
    skills = made(Pdf=header)
    assert reply(skills, "pdf", **arguments) == output
    assert skills.load("Pdf", arguments=arguments.get("args", "")).output == output


NOT_FOUND = 'Skill "{}" not found. Available skills: a:zip, B:Zip, pdf, Tool:PDF'


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("PDF", "<command-name>pdf</command-name>"),
        (" /pdf ", "<command-name>pdf</command-name>"),
        ("any:pdf", 'Skill "any:pdf" is ambiguous. Use one of: pdf, tool:pdf'),
        ("tool:pdf", "<command-name>Tool:PDF</command-name>"),
        ("Zip", 'Skill "Zip" is ambiguous. Use one of: a:zip, b:zip'),
        ("OFF", 'Skill "x:Off" is configured but disabled.'),
        ("x:Off", 'Skill "x:Off" is configured but disabled.'),
        (
            "gone",
            'Skill "gone" is ambiguous, and all matches are disabled: a:gone, b:gone',
        ),
        ("none", NOT_FOUND.format("none")),
        ("pd", NOT_FOUND.format("pd")),
        (" / ", "Missing skill name."),
    ],
)
def test_a_name_is_looked_for_by_its_end(asked: str, expected: str):
    off = dict.fromkeys(("x:Off", "a:gone", "b:gone"), "enabled: false")
    skills = made("pdf", "Tool:PDF", "a:zip", "B:Zip", **off)
    assert reply(skills, asked).partition("\n")[0] == expected


def test_without_skills_there_are_no_names_to_tell():
    skills = made(off="disabled: true")
    assert reply(skills, "pdf") == "No skills are currently available."


# --- a person -----------------------------------------------------------------------


def test_a_person_types_a_name_with_hyphens():
    found = made("My PDF", Off="disabled: true").invoke("/my-pdf a\nb")
    assert found is not None
    assert found.output == (
        "<command-name>My PDF</command-name>\n<command-args>a\nb</command-args>\n"
        "<command-instructions>\nDo it.\n</command-instructions>"
    )


def test_nobody_invokes_what_is_switched_off():
    skills = made("pdf", Off="disabled: true")
    assert skills.invocations("/off") == ()
    for ask in (skills.load, skills.invoke):
        with pytest.raises(SkillNotFound) as caught:
            ask("/off")
        assert str(caught.value) == 'Skill "Off" is configured but disabled.'
    with pytest.raises(SkillNotFound) as caught:
        skills.load("none")
    assert str(caught.value) == 'Skill "none" not found. Available skills: pdf'


def test_it_is_told_what_switches_a_skill_off():
    (account,) = made(Off="a: b\nenabled: false").why("Off")
    assert (account.status, account.rule, account.because) == (
        Status.HIDDEN,
        "skill-disabled",
        "`enabled` switches it off",
    )
    assert account.source is not None
    assert account.source.endswith("#parseBooleanField")
    assert [each.position for each in account.diagnostics] == [Position(4, 10)]
