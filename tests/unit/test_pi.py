"""pi: what becomes of names that are no texts, the list, and `/skill:name`."""

from __future__ import annotations

import pytest

from metier.testing import Link
from tests.making import library

FILE = "---\nname: {}\ndescription: {}\n---\n\nDo it.\n"
FOLDER = "/proj/.agents/skills/pdf"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(FILE.format("PDF tools", "d"), ("PDF tools", "d"), id="any name"),
        pytest.param(FILE.format("0", "d"), ("pdf", "d"), id="zero is no name"),
        pytest.param(FILE.format("false", "d"), ("pdf", "d"), id="nor is false"),
        pytest.param(FILE.format("1", "d"), None, id="another number rejects"),
        pytest.param(FILE.format("a", "' '"), None, id="a blank description"),
        pytest.param(FILE.format("a", "' b '"), ("a", " b "), id="blanks around one"),
        pytest.param(FILE.format("a", "b: c"), None, id="no YAML"),
        pytest.param(
            "---xname: a\ndescription: b\n---", ("a", "b"), id="a glued opener"
        ),
        pytest.param("----name: a\ndescription: b\n----", ("a", "b"), id="four dashes"),
        pytest.param(
            "---\rname: a\rdescription: b\r---", ("a", "b"), id="old line ends"
        ),
        pytest.param("\ufeff" + FILE.format("a", "b"), None, id="a byte order mark"),
        pytest.param("---\n---\n", None, id="an empty header"),
        pytest.param("---\nname: a", None, id="no closer"),
    ],
)
def test_name_and_description(text: str, expected: tuple[str, str] | None):
    found = library({f"{FOLDER}/SKILL.md": text}, "pi")
    told = [(skill.name, skill.description) for skill in found]
    assert told == ([expected] if expected else [])


def test_the_folders_in_their_order_and_a_file_once():
    places = {
        "/proj/.pi/skills/flat.md": FILE.format("flat", "A file in the folder of pi"),
        "/proj/.agents/skills/pdf/SKILL.md": FILE.format("pdf", "That of the project"),
        "/proj/.agents/skills/flat.md": FILE.format("other", "No skill here"),
        "/home/.pi/agent/skills/zip/SKILL.md": Link(
            "/proj/.agents/skills/pdf/SKILL.md"
        ),
        "/home/.agents/skills/pdf/SKILL.md": FILE.format("pdf", "That of the user"),
        "/.agents/skills/top/SKILL.md": FILE.format("top", "At the top"),
    }
    found = library(places, "pi")
    assert [(skill.name, skill.path) for skill in found] == [
        ("flat", "/proj/.pi/skills/flat.md"),
        ("pdf", "/proj/.agents/skills/pdf/SKILL.md"),
        ("top", "/.agents/skills/top/SKILL.md"),
    ]
    assert [(lost.skill.path, lost.rule) for lost in found.shadowed] == [
        ("/home/.pi/agent/skills/zip/SKILL.md", "same-file"),
        ("/home/.agents/skills/pdf/SKILL.md", "first-wins"),
    ]


def test_its_own_folder_may_be_elsewhere():
    places = {
        "/home/.pi/agent/skills/pdf/SKILL.md": FILE.format("pdf", "d"),
        "/other/skills/zip/SKILL.md": FILE.format("zip", "d"),
    }
    found = library(places, "pi", variables={"PI_CODING_AGENT_DIR": "/other"})
    assert found.names == ("zip",)


def test_the_list_is_xml_without_the_hidden():
    hidden = "---\ndescription: d\ndisable-model-invocation: {}\n---\n"
    found = library(
        {
            f"{FOLDER}/SKILL.md": FILE.format("pdf", '"Q\'s <form> & co"'),
            "/proj/.agents/skills/secret/SKILL.md": hidden.format("true"),
            "/proj/.agents/skills/shown/SKILL.md": hidden.format("'true'"),
        },
        "pi",
    )
    assert found.catalog() == (
        "\n\nThe following skills provide specialized instructions for specific "
        "tasks.\nUse the read tool to load a skill's file when the task matches its "
        "description.\nWhen a skill file references a relative path, resolve it "
        "against the skill directory (parent of SKILL.md / dirname of the path) and "
        "use that absolute path in tool commands.\n\n<available_skills>\n"
        "  <skill>\n    <name>pdf</name>\n"
        "    <description>Q&apos;s &lt;form&gt; &amp; co</description>\n"
        "    <location>/proj/.agents/skills/pdf/SKILL.md</location>\n  </skill>\n"
        "  <skill>\n    <name>shown</name>\n    <description>d</description>\n"
        "    <location>/proj/.agents/skills/shown/SKILL.md</location>\n  </skill>\n"
        "</available_skills>"
    )
    assert library({}, "pi").catalog() == ""


def test_a_person_gets_the_skill_and_what_was_said_behind_its_name():
    found = library({f"{FOLDER}/SKILL.md": FILE.format("pdf", "d")}, "pi")
    block = (
        '<skill name="pdf" location="/proj/.agents/skills/pdf/SKILL.md">\n'
        "References are relative to /proj/.agents/skills/pdf.\n\nDo it.\n</skill>"
    )
    invoked = found.invoke("/skill:pdf  fill this ")
    assert invoked is not None
    assert invoked.output == f"{block}\n\nfill this"
    assert found.load("pdf").output == block
    assert found.invoke("/pdf") is None
