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


def test_what_a_person_asked_for_has_files_where_no_skill_is_for_the_model():
    hidden = make_skill("pdf", "Reads PDF", fields={"disable-model-invocation": True})
    skills = library({**FILES, f"{SKILLS}/pdf/SKILL.md": hidden})
    ledger = skills.ledger()
    assert skills.tools(ledger=ledger) == ()
    skills.invoke("/pdf", ledger=ledger)
    tools = skills.tools(ledger=ledger)
    assert [tool.name for tool in tools] == ["read_resource"]
    assert "# Forms" in tools.call("read_resource", READ).output


def test_all_tools_turn_to_a_new_library_together():
    tools = library(FILES).tools()
    tools.renew(library({f"{SKILLS}/zip/SKILL.md": make_skill("zip", "Packs")}))
    assert tools.call("skill", LOAD).is_error
    assert tools.call("read_resource", READ).is_error
    assert not tools.call("skill", {"name": "zip"}).is_error


def test_the_tools_write_in_one_ledger():
    skills = library(FILES)
    ledger = skills.ledger()
    skills.tools(ledger=ledger).call("skill", LOAD)
    assert ledger.active == ("pdf",)
