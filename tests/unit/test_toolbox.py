from __future__ import annotations

import asyncio

from metier.runtime.toolbox import Toolbox
from metier.testing import make_skill
from tests.making import SKILLS, library

FILES = {
    f"{SKILLS}/pdf/SKILL.md": make_skill("pdf", "Reads PDF"),
    f"{SKILLS}/pdf/forms.md": "# Forms\n",
}
LOAD, READ = {"name": "pdf"}, {"skill": "pdf", "path": "forms.md"}


def test_a_library_has_a_tool_for_skills_and_one_for_their_files():
    tools = library(FILES).tools()
    assert [tool.name for tool in tools] == ["skill", "read_resource"]
    assert tools.definitions("openai") == [tool.definition("openai") for tool in tools]
    assert tools.definitions() == [tool.definition() for tool in tools]


def test_the_tool_that_a_model_names_is_called():
    tools, skills = library(FILES).tools(), library(FILES)
    assert tools.call("skill", LOAD).output == skills.load("pdf").output
    assert tools.call("skill", LOAD) == asyncio.run(tools.acall("skill", LOAD))
    read = tools.call("read_resource", READ)
    assert "# Forms" in read.output
    assert read == asyncio.run(tools.acall("read_resource", READ))


def test_a_name_that_no_tool_has_is_an_error_for_the_model():
    tools = library(FILES).tools()
    told = tools.call("bash", {})
    assert (told.is_error, told.output) == (
        True,
        "there is no tool `bash`; available: skill, read_resource",
    )
    assert told == asyncio.run(tools.acall("bash", {}))
    assert Toolbox().call("bash", {}).output.endswith("available: none")


def test_where_there_is_nothing_to_offer_there_are_no_tools():
    assert library({}).tools() == ()
    assert library(FILES).tools(permission={"*": "deny"}) == ()
    assert library({}).tools().get("skill") is None


def test_the_tools_write_in_one_ledger():
    skills = library(FILES)
    ledger = skills.ledger()
    skills.tools(ledger=ledger).call("skill", LOAD)
    assert ledger.active == ("pdf",)
