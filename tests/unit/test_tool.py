from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import pytest
from inline_snapshot import snapshot

from metier.core.activation import Activation
from metier.core.definitions import DefinitionKind
from metier.core.dialect import Dialect
from metier.core.permission import Action, Decision, Rule, Ruleset
from metier.errors import ConfigError, MetierError
from metier.runtime.tool import (
    Reply,
    Request,
    SkillTool,
    ToolResult,
)
from metier.testing import MemoryFileSystem, make_skill
from tests.making import SKILLS, dialect, library

FOLDERS = {
    "agentskills": SKILLS,
    "brutus": "/proj/.opencode",
    "opencode-spec": "/proj/.opencode/skill",
}
HIDDEN = {"disable-model-invocation": True}


def files(name: str = "agentskills") -> MemoryFileSystem:
    folder = FOLDERS[name]
    return MemoryFileSystem(
        {
            f"{folder}/pdf/SKILL.md": make_skill("pdf", "Fills <forms>"),
            f"{folder}/zip/SKILL.md": make_skill("zip", "Packs"),
            f"{folder}/ops/SKILL.md": make_skill("ops", "Deploys", fields=HIDDEN),
        }
    )


def tool(name: str = "agentskills", **options: Any) -> SkillTool:
    return library(files(name), name).tool(**options)


def schema(about: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"name": {"type": "string", "description": about, **more}},
        "required": ["name"],
        "additionalProperties": False,
    }


DESCRIPTIONS = {
    "agentskills": snapshot(
        "Load the full instructions of one of the skills below. Call it when a task "
        "matches a skill's description, before you start on the task.\n"
        "<available_skills>\n"
        "<skill>\n<name>pdf</name>\n<description>Fills &lt;forms&gt;</description>\n"
        "<location>/proj/.agents/skills/pdf/SKILL.md</location>\n</skill>\n"
        "<skill>\n<name>zip</name>\n<description>Packs</description>\n"
        "<location>/proj/.agents/skills/zip/SKILL.md</location>\n</skill>\n"
        "</available_skills>"
    ),
    "brutus": snapshot(
        "Load a skill to get detailed instructions for a specific task. Skills provide "
        "specialized knowledge and step-by-step guidance. Use this when a task matches "
        "an available skill's description. <available_skills>"
        " <skill> <name>ops</name> <description>Deploys</description> </skill>"
        " <skill> <name>pdf</name> <description>Fills <forms></description> </skill>"
        " <skill> <name>zip</name> <description>Packs</description> </skill>"
        "</available_skills>"
    ),
    "opencode-spec": snapshot(
        "Load a skill to get detailed instructions for a specific task. Skills provide "
        "specialized knowledge and step-by-step guidance. Use this when a task matches "
        "an available skill's description. <available_skills>"
        "   <skill>     <name>ops</name>     "
        "<description>Deploys</description>   </skill>"
        "   <skill>     <name>pdf</name>     "
        "<description>Fills <forms></description>   </skill>"
        "   <skill>     <name>zip</name>     "
        "<description>Packs</description>   </skill>"
        " </available_skills>"
    ),
}
SCHEMAS = {
    "agentskills": schema("The name of the skill to load", enum=["pdf", "zip"]),
    "brutus": schema("The skill identifier"),
    "opencode-spec": schema(
        "The skill identifier from available_skills (e.g., 'code-review')"
    ),
}


def gemini(about: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "OBJECT",
        "properties": {"name": {"type": "STRING", "description": about, **more}},
        "required": ["name"],
    }


GEMINI = {
    "agentskills": gemini(
        "The name of the skill to load", format="enum", enum=["pdf", "zip"]
    ),
    "brutus": gemini("The skill identifier"),
    "opencode-spec": gemini(
        "The skill identifier from available_skills (e.g., 'code-review')"
    ),
}


@pytest.mark.parametrize("name", FOLDERS)
def test_the_model_is_told_of_the_tool_in_the_words_of_the_agent(name: str):
    assert tool(name).description == DESCRIPTIONS[name]
    assert tool(name).schema == SCHEMAS[name]


@pytest.mark.parametrize("name", FOLDERS)
def test_a_tool_is_defined_as_each_provider_wants_it(name: str):
    described = {"name": "skill", "description": DESCRIPTIONS[name]}
    defined: list[tuple[DefinitionKind, dict[str, Any]]] = [
        ("anthropic", {**described, "input_schema": SCHEMAS[name]}),
        (
            "openai",
            {
                "type": "function",
                "function": {**described, "parameters": SCHEMAS[name]},
            },
        ),
        (
            "openai-responses",
            {
                "type": "function",
                **described,
                "parameters": SCHEMAS[name],
                "strict": True,
            },
        ),
        (
            "gemini",
            {"functionDeclarations": [{**described, "parameters": GEMINI[name]}]},
        ),
        (
            "json-schema",
            {"title": "skill", "description": DESCRIPTIONS[name], **SCHEMAS[name]},
        ),
    ]
    assert [(kind, tool(name).definition(kind)) for kind, _ in defined] == defined


def test_the_plain_definition_is_the_json_schema():
    assert tool().definition() == tool().definition("json-schema")


@pytest.mark.parametrize("name", FOLDERS)
def test_there_is_no_tool_where_there_is_nothing_to_offer(name: str):
    skills = library(files(name), name)
    offered = skills.tools()[0]
    assert (offered.is_offered, offered.definition()) == (True, tool(name).definition())
    assert not tool(name, permission={"*": "deny"}).is_offered
    assert skills.tools(permission={"*": "deny"}) == ()
    assert library({}, name).tools() == ()


def test_skills_that_are_all_hidden_are_nothing_to_offer_but_where_they_load():
    denied = {"*": "deny", "ops": "allow"}
    assert library(files()).tools(permission=denied) == ()
    assert len(library(files(), concealing("loaded")).tools(permission=denied)) == 2


def test_without_skills_the_schema_has_no_empty_list_of_names():
    nothing = tool(permission={"*": "deny"})
    assert nothing.names == ()
    assert nothing.schema["properties"]["name"] == {
        "type": "string",
        "description": "The name of the skill to load",
    }


# --- calls --------------------------------------------------------------------------

ALLOWED = Decision(action=Action.ALLOW, rule=None, permission="skill", subject="zip")
ZIP = (
    f'<skill_content name="zip">\nDo it.\n\nSkill directory: {SKILLS}/zip\n'
    "Relative paths in this skill are relative to the skill directory.\n"
    "</skill_content>"
)
PACKED = ToolResult(
    output=ZIP,
    title="Loaded skill: zip",
    metadata={"name": "zip", "dir": f"{SKILLS}/zip"},
    decision=ALLOWED,
    activation=Activation(
        name="zip",
        title="Loaded skill: zip",
        output=ZIP,
        directory=f"{SKILLS}/zip",
        path=f"{SKILLS}/zip/SKILL.md",
        body="Do it.",
    ),
)

Call = Callable[[SkillTool, Any], ToolResult]


def call_now(called: SkillTool, arguments: Any) -> ToolResult:
    return called.call(arguments)


def call_async(called: SkillTool, arguments: Any) -> ToolResult:
    return asyncio.run(called.acall(arguments))


both_ways = pytest.mark.parametrize("call", [call_now, call_async])


def error(output: str, decision: Decision | None = None) -> ToolResult:
    return ToolResult(output=output, title="", is_error=True, decision=decision)


@both_ways
@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param({"name": "zip"}, id="a mapping"),
        pytest.param('{"name": "zip"}', id="JSON"),
        pytest.param({"name": "zip", "more": 1}, id="with more than is needed"),
    ],
)
def test_a_call_hands_the_skill_over(call: Call, arguments: Any):
    assert call(tool(), arguments) == PACKED


def test_a_result_reads_as_its_output():
    assert str(PACKED) == PACKED.output


@both_ways
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        pytest.param({}, "the argument `name` is missing", id="no name"),
        pytest.param({"name": 3}, "the argument `name` is not a text", id="a number"),
        pytest.param({"name": None}, "the argument `name` is missing", id="null"),
        pytest.param("[1]", "the arguments are not an object", id="a list"),
        pytest.param('"zip"', "the arguments are not an object", id="a text"),
        pytest.param(["zip"], "the arguments are not an object", id="a real list"),
        pytest.param(
            "zip",
            "the arguments are not JSON: Expecting value: line 1 column 1 (char 0)",
            id="not JSON",
        ),
        pytest.param(
            "",
            "the arguments are not JSON: Expecting value: line 1 column 1 (char 0)",
            id="nothing",
        ),
    ],
)
def test_arguments_that_make_no_sense_are_an_error_for_the_model(
    call: Call, arguments: Any, problem: str
):
    assert call(tool(), arguments) == error(problem)


def test_arguments_that_nest_too_deep_are_an_error_for_the_model():
    result = tool().call('{"name":' + "[" * 100_000)
    assert result.is_error
    assert result.output.startswith("the arguments are not JSON: ")


@both_ways
@pytest.mark.parametrize(
    ("name", "output"),
    [
        pytest.param(
            "zap",
            "there is no skill `zap`; available: pdf, zip; did you mean `zip`?",
            id="unknown",
        ),
        pytest.param(
            "ops",
            "there is no skill `ops`; available: pdf, zip",
            id="not for the model",
        ),
    ],
)
def test_a_name_that_is_not_offered_is_an_error(call: Call, name: str, output: str):
    assert call(tool(), {"name": name}) == error(output)


def concealing(hidden: str, **more: str) -> Dialect:
    """The default dialect with a plain tool that treats hidden skills so."""
    means = {"means": "tool", "output": "{name}"}
    return dialect("agentskills", activation={**means, "hidden": hidden, **more})


NOT_THERE = "skill `ops` not found, available: pdf, zip"


@both_ways
@pytest.mark.parametrize(
    ("hidden", "output", "is_error"),
    [
        ("loaded", "ops", False),
        ("not-found", NOT_THERE, True),
        ("refused", "skill `ops` is not for the model to load", True),
    ],
)
def test_a_hidden_skill_that_the_model_asks_for_is_what_the_agent_makes_of_it(
    call: Call, hidden: str, output: str, is_error: bool
):
    called = library(files(), concealing(hidden)).tool()
    result = call(called, {"name": "ops"})
    assert (result.output, result.is_error) == (output, is_error)
    assert called.names == ("pdf", "zip")


def test_an_agent_that_loads_hidden_skills_names_them_in_its_errors():
    called = library(files(), concealing("loaded")).tool()
    assert called.call({"name": "x"}).output == (
        "skill `x` not found, available: ops, pdf, zip"
    )


def test_the_argument_is_called_what_the_agent_calls_it():
    other = concealing("not-found", parameter_name="skill")
    called = library(files(), other).tool()
    assert called.schema["required"] == ["skill"]
    assert called.call({"skill": "zip"}).output == "zip"
    assert called.call({"name": "zip"}) == error("the argument `skill` is missing")


@both_ways
def test_a_file_that_is_gone_is_an_error_for_the_model(call: Call):
    there = files()
    called = library(there).tool()
    there.remove(f"{SKILLS}/zip/SKILL.md")
    assert call(called, {"name": "zip"}) == error(
        f"failed to load skill: no such file or directory: {SKILLS}/zip/SKILL.md"
    )


# --- permission ---------------------------------------------------------------------


@both_ways
def test_what_is_denied_does_not_exist_for_the_model(call: Call):
    denied = tool(permission={"pdf": "deny"})
    result = call(denied, {"name": "pdf"})
    assert result == error("there is no skill `pdf`; available: zip")
    assert denied.names == ("zip",)
    assert "pdf" not in denied.description
    assert denied.schema["properties"]["name"]["enum"] == ["zip"]
    # Not as a suggestion, either.
    assert "pdf" not in call(denied, {"name": "pdff"}).output.replace("pdff", "")


@pytest.mark.parametrize("name", FOLDERS)
def test_no_dialect_tells_the_model_of_what_is_denied(name: str):
    denied = tool(name, permission={"pdf": "deny"})
    told = [str(denied.definition()), denied.call({"name": "p"}).output]
    assert ["pdf" in text for text in told] == [False, False]
    assert ["zip" in text for text in told] == [True, True]


def test_a_rule_that_cannot_be_read_is_refused():
    with pytest.raises(ConfigError, match="`never` is no action"):
        tool(permission={"pdf": "never"})


def test_rules_may_be_given_ready_made():
    deny = Rule(permission="skill", pattern="z*", action=Action.DENY)
    ready = Ruleset(rules=(deny,), default=Action.ALLOW)
    assert tool(permission=ready).names == ("pdf",)


ASK = {"zip": "ask"}
ASKED = Decision(
    action=Action.ASK,
    rule=Rule(permission="skill", pattern="zip", action=Action.ASK),
    permission="skill",
    subject="zip",
)
REFUSED = error("Permission denied: skill zip", ASKED)


class Person:
    """Somebody who gives the same answer to every question."""

    def __init__(self, reply: Any) -> None:
        self.reply = reply
        self.questions: list[Request] = []

    def ask(self, request: Request) -> Any:
        self.questions.append(request)
        return self.reply

    async def ask_later(self, request: Request) -> Any:
        await asyncio.sleep(0)
        return self.ask(request)


def ways_to_ask() -> list[Any]:
    return [
        pytest.param(call_now, Person.ask, id="at once"),
        pytest.param(call_async, Person.ask, id="at once, from a coroutine"),
        pytest.param(call_async, Person.ask_later, id="later"),
    ]


asking = pytest.mark.parametrize(("call", "method"), ways_to_ask())
Method = Callable[[Person, Request], Any]


def asking_tool(person: Person, method: Method) -> SkillTool:
    return tool(permission=ASK, ask=method.__get__(person))


@asking
@pytest.mark.parametrize("reply", [Reply.ONCE, Reply.ALWAYS, True])
def test_a_person_who_agrees_lets_the_skill_through(
    call: Call, method: Method, reply: Any
):
    person = Person(reply)
    result = call(asking_tool(person, method), {"name": "zip"})
    assert (result.output, result.decision) == (PACKED.output, ASKED)
    assert person.questions == [
        Request(
            permission="skill",
            name="zip",
            patterns=("zip",),
            always=("zip",),
            decision=ASKED,
        )
    ]


@asking
@pytest.mark.parametrize("reply", [Reply.REJECT, False, None, "once", 1])
def test_whatever_is_not_a_yes_is_a_no(call: Call, method: Method, reply: Any):
    result = call(asking_tool(Person(reply), method), {"name": "zip"})
    assert result == REFUSED


@asking
@pytest.mark.parametrize(
    ("reply", "questions"), [(Reply.ALWAYS, 1), (Reply.ONCE, 3), (True, 3)]
)
def test_only_always_is_remembered(
    call: Call, method: Method, reply: Any, questions: int
):
    person = Person(reply)
    called = asking_tool(person, method)
    for _ in range(3):
        assert not call(called, {"name": "zip"}).is_error
    assert len(person.questions) == questions


def test_always_is_said_of_one_skill_only():
    person = Person(Reply.ALWAYS)
    called = tool(permission={"*": "ask"}, ask=person.ask)
    for name in ("zip", "pdf", "zip", "pdf"):
        called.call({"name": name})
    assert [question.name for question in person.questions] == ["zip", "pdf"]


@both_ways
def test_where_there_is_nobody_to_ask_the_answer_is_no(call: Call):
    assert call(tool(permission=ASK), {"name": "zip"}) == REFUSED


@both_ways
def test_nobody_is_asked_about_what_is_allowed(call: Call):
    person = Person(Reply.REJECT)
    called = tool(permission={"*": "allow"}, ask=person.ask)
    assert call(called, {"name": "zip"}).output == PACKED.output
    assert person.questions == []


def test_nobody_is_asked_about_what_is_not_there():
    person = Person(Reply.ONCE)
    assert tool(permission={"*": "ask"}, ask=person.ask).call({"name": "x"}).is_error
    assert person.questions == []


def test_the_default_of_the_dialect_may_be_to_ask():
    assert tool("opencode-spec").call({"name": "zip"}).output == (
        "Permission denied: skill zip"
    )


class Later:
    """An awaitable that is no coroutine."""

    def __await__(self) -> Any:
        yield from ()
        return Reply.ONCE


def ask_with_an_awaitable(_request: Request) -> Awaitable[Reply]:
    return Later()


async def ask_with_a_coroutine(_request: Request) -> Reply:
    return Reply.ONCE


@pytest.mark.parametrize("ask", [ask_with_an_awaitable, ask_with_a_coroutine])
def test_a_person_who_answers_later_needs_the_async_call(ask: Any):
    called = tool(permission=ASK, ask=ask)
    with pytest.raises(MetierError, match="use `acall`"):
        called.call({"name": "zip"})
    assert not asyncio.run(called.acall({"name": "zip"})).is_error


def test_an_error_of_the_person_asked_is_not_hidden():
    def ask(_request: Request) -> Reply:
        raise TimeoutError("nobody there")

    arguments: Mapping[str, Any] = {"name": "zip"}
    with pytest.raises(TimeoutError, match="nobody there"):
        tool(permission=ASK, ask=ask).call(arguments)


ODD_FOLDER = f"{SKILLS}/odd\udcff"


@pytest.mark.parametrize("name", ["agentskills", "codex", "letta-code", "pi"])
def test_what_a_model_gets_can_be_sent_to_it(name: str):
    memory = files()
    memory.write(f"{ODD_FOLDER}/SKILL.md", make_skill("odd", "Has an odd folder"))
    memory.write(f"{ODD_FOLDER}/notes\udcfe.md", "# Notes\n")
    skills = library(memory, name)
    tools = skills.tools()
    told = [json.dumps(tools.definitions("anthropic"), ensure_ascii=False)]
    told += [tool.call({tool.schema["required"][0]: key}).output
             for tool in tools for key in (*skills.names, "half \ud800")]  # fmt: skip
    told.append(tools.call("half \udfff", {}).output)
    ledger = skills.ledger()
    for key in skills.names:
        ledger.hand_over(skills.load(key))
    told.append(ledger.reinject().text)
    for text in told:
        text.encode()
    assert any("\ufffd" in text for text in told)


def test_a_denial_can_be_sent_too():
    memory = files()
    memory.write(f"{ODD_FOLDER}/SKILL.md", make_skill("odd", "Has an odd folder"))
    rules = {"*": "ask"}
    tools = library(memory, "letta-code").tools(permission=rules)
    for tool in tools:
        first, *more = tool.schema["required"]
        arguments = {first: "odd\udcff", **dict.fromkeys(more, "x")}
        told = tool.call(arguments).output
        assert told == "Permission denied: Skill odd\ufffd"
