"""What the examples do not show: the other half of each adapter."""

from __future__ import annotations

import asyncio
import importlib
import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest
from agents import FunctionTool
from agents.tool_context import ToolContext
from anthropic.types import Message
from google.adk.tools.base_tool import BaseTool
from langchain.agents import create_agent
from langchain_openai import ChatOpenAI
from openai.types.chat import ChatCompletionMessage
from openai.types.responses import Response
from pydantic_ai import Agent
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from metier.adapters import (
    anthropic,
    google_adk,
    langchain,
    openai,
    openai_agents,
    pydantic_ai,
    smolagents,
)
from metier.library import Library
from metier.runtime.tool import Request
from metier.testing import make_skill
from tests.making import SKILLS, library
from tests.scripted_model import ScriptedModel, ToolUse, scripted_model

PDF = make_skill("pdf", "Reads PDF", body="Read the pages.\n")
FILES = {f"{SKILLS}/pdf/SKILL.md": PDF, f"{SKILLS}/pdf/forms.md": "# Forms\n"}
FRAMEWORKS = ("agents", "anthropic", "google", "langchain", "langchain_core")
FRAMEWORKS += ("openai", "pydantic", "pydantic_ai", "smolagents", "opentelemetry")


def skills(dialect: str = "agentskills") -> Library:
    folder = "/proj/.roo/skills" if dialect == "roo-code" else SKILLS
    files = {path.replace(SKILLS, folder): text for path, text in FILES.items()}
    return library(files, dialect)


def anthropic_message(*calls: Mapping[str, Any]) -> Message:
    content = [{"type": "text", "text": "Let me see."}]
    content += [{"type": "tool_use", **call} for call in calls]
    return Message.model_validate(
        {
            "id": "m",
            "type": "message",
            "role": "assistant",
            "model": "scripted",
            "content": content,
            "stop_reason": "tool_use",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
    )


MINE = {"id": "1", "name": "skill", "input": {"name": "pdf"}}
OTHERS = {"id": "2", "name": "bash", "input": {"command": "ls"}}
WRONG = {"id": "3", "name": "skill", "input": {"name": "doc"}}


def test_of_a_message_only_our_own_calls_are_answered():
    message = anthropic_message(MINE, OTHERS, WRONG)
    found = anthropic.answers_to(message, skills().tools())
    assert [(each["tool_use_id"], each.get("is_error")) for each in found] == [
        ("1", False),
        ("3", True),
    ]
    assert found == asyncio.run(anthropic.aanswers_to(message, skills().tools()))


def test_a_chat_without_calls_of_ours_has_no_answers():
    custom = {"id": "1", "type": "custom", "custom": {"name": "skill", "input": "pdf"}}
    other = {"name": "bash", "arguments": "{}"}
    calls = [custom, {"id": "2", "type": "function", "function": other}]
    message = {"role": "assistant", "content": None}
    for tool_calls in (None, calls):
        heard = ChatCompletionMessage.model_validate(
            {**message, "tool_calls": tool_calls}
        )
        assert openai.chat_answers(heard, skills().tools()) == []


def test_a_response_without_calls_of_ours_has_no_answers():
    call = {"type": "function_call", "call_id": "1", "name": "bash", "arguments": "{}"}
    response = Response.model_construct(output=[])
    assert openai.response_answers(response, skills().tools()) == []
    assert openai.response_answers(made_response(call), skills().tools()) == []


def made_response(*output: Mapping[str, Any]) -> Response:
    return Response.model_validate(
        {
            "id": "r",
            "object": "response",
            "created_at": 0,
            "model": "scripted",
            "output": output,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
        }
    )


async def say_yes(_: Request) -> bool:
    await asyncio.sleep(0)
    return True


def test_the_asynchronous_clients_of_openai_may_ask_and_wait():
    tools = skills().tools(permission={"*": "ask"}, ask=say_yes)
    pdf = skills().load("pdf").output
    call = {"name": "skill", "arguments": '{"name": "pdf"}'}
    message = ChatCompletionMessage.model_validate(
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "1", "type": "function", "function": call}],
        }
    )
    assert asyncio.run(openai.achat_answers(message, tools)) == [
        {"role": "tool", "tool_call_id": "1", "content": pdf}
    ]
    response = made_response({"type": "function_call", "call_id": "2", **call})
    assert asyncio.run(openai.aresponse_answers(response, tools)) == [
        {"type": "function_call_output", "call_id": "2", "output": pdf}
    ]


def test_pydantic_ai_goes_on_though_a_model_is_wrong_again_and_again():
    heard: list[ModelMessage] = []

    def answer(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        heard[:] = messages
        if len(messages) < 6:
            return ModelResponse([ToolCallPart("skill", {"name": "doc"})])
        return ModelResponse([TextPart("I give up.")])

    toolset = pydantic_ai.toolset_for(skills().tools())
    agent = Agent(FunctionModel(answer), toolsets=[toolset])
    assert asyncio.run(agent.run("Read it")).output == "I give up."
    (told,) = heard[-1].parts
    assert isinstance(told, ToolReturnPart)
    assert str(told.content).startswith("there is no skill `doc`")


def test_where_there_is_nothing_to_offer_no_framework_gets_a_tool():
    nothing = library({}).tools()
    assert anthropic.tools_for(nothing) == []
    assert openai.chat_tools(nothing) == openai.response_tools(nothing) == []
    assert openai_agents.tools_for(nothing) == []
    assert pydantic_ai.toolset_for(nothing).tools == {}
    assert langchain.tools_for(nothing) == []
    assert google_adk.tools_for(nothing) == []
    assert smolagents.tools_for(nothing) == []


def test_langchain_runs_a_tool_in_either_way():
    load, _ = langchain.tools_for(skills().tools())
    assert load.invoke({"name": "pdf"}) == skills().load("pdf").output
    assert asyncio.run(load.ainvoke({"name": "pdf"})) == skills().load("pdf").output
    assert "there is no skill `doc`" in load.invoke({"name": "doc"})


def langchain_agent(model: ScriptedModel, middleware: Any, **options: Any) -> Any:
    """A new agent with that middleware, whose model is `model`."""
    chat = ChatOpenAI(model="m", base_url=f"{model.address}/v1", api_key=_KEY)
    return create_agent(chat, middleware=[middleware], **options)


def _KEY() -> str:  # noqa: N802 - a constant, as the class wants it
    return "none"


QUESTION: Any = {"messages": [{"role": "user", "content": "Read it"}]}


@pytest.mark.parametrize("prompt", [None, "Be brief."])
def test_a_catalog_that_no_tool_tells_is_in_the_system_prompt(prompt: str | None):
    found = skills("roo-code")
    middleware = langchain.SkillsMiddleware(found)
    call = ToolUse("skill", {"name": "pdf"})
    with scripted_model([call, "Done.", call, "Done."]) as model:
        agent = langchain_agent(model, middleware, system_prompt=prompt)
        agent.invoke(QUESTION)
        asyncio.run(agent.ainvoke(QUESTION))
    before = f"{prompt}\n\n" if prompt else ""
    systems = [request["messages"][0]["content"] for request in model.heard]
    assert systems == [before + found.catalog()] * 4


def test_a_catalog_that_a_tool_tells_is_told_once():
    found = skills()
    middleware = langchain.SkillsMiddleware(found, found.tools(permission={"*": "ask"}))
    with scripted_model(["Done."]) as model:
        langchain_agent(model, middleware).invoke(QUESTION)
    (heard,) = model.heard
    assert [message["role"] for message in heard["messages"]] == ["user"]
    assert json.dumps(heard).count("Reads PDF") == 1


def test_a_skill_that_is_denied_is_not_told_by_the_middleware_either():
    found = skills("roo-code")
    permission = {"*": "deny"}
    middleware = langchain.SkillsMiddleware(found, found.tools(permission=permission))
    with scripted_model(["Done."]) as model:
        langchain_agent(model, middleware).invoke(QUESTION)
    (heard,) = model.heard
    assert "Reads PDF" not in json.dumps(heard)
    assert "tools" not in heard


def test_of_two_skills_the_middleware_tells_the_one_that_is_permitted():
    doc = make_skill("doc", "Reads DOC")
    found = library({f"{SKILLS}/pdf/SKILL.md": PDF, f"{SKILLS}/doc/SKILL.md": doc})
    tools = found.tools(permission={"pdf": "deny"})
    middleware = langchain.SkillsMiddleware(found, tools)
    with scripted_model(["Done."]) as model:
        langchain_agent(model, middleware).invoke(QUESTION)
    (heard,) = model.heard
    assert "Reads DOC" in json.dumps(heard)
    assert "Reads PDF" not in json.dumps(heard)


def test_the_agents_sdk_gets_an_error_as_a_text():
    (load, _) = openai_agents.tools_for(skills().tools())
    assert isinstance(load, FunctionTool)
    context = ToolContext(None, tool_name="skill", tool_call_id="1", tool_arguments="")

    async def invoke() -> str:
        return await load.on_invoke_tool(context, '{"name": "doc"}')

    told = asyncio.run(invoke())
    assert "there is no skill `doc`" in told


def test_the_kit_gets_an_error_under_its_name():
    (load, _) = google_adk.tools_for(skills().tools())
    assert isinstance(load, BaseTool)
    context: Any = None
    told = asyncio.run(load.run_async(args={"name": "doc"}, tool_context=context))
    assert list(told) == ["error"]


def test_smolagents_may_leave_out_what_is_optional():
    _, read = smolagents.tools_for(skills().tools())
    told = read(skill="pdf", path="forms.md", offset=None)
    assert "# Forms" in told
    assert read.inputs["offset"]["nullable"] is True
    assert "nullable" not in read.inputs["path"]


def test_smolagents_may_leave_out_the_names_of_arguments():
    load, read = smolagents.tools_for(skills().tools())
    assert load("pdf") == skills().load("pdf").output
    assert read("pdf", "forms.md", offset=2) == read(
        skill="pdf", path="forms.md", offset=2
    )


def test_importing_metier_imports_no_framework():
    code = "import sys, metier; metier.discover; metier.Library; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in ran.stdout.split()}
    assert "metier" in loaded
    assert loaded.isdisjoint(FRAMEWORKS)


@pytest.mark.parametrize(
    ("adapter", "framework", "extra"),
    [
        ("openai_agents", "agents", "openai-agents"),
        ("pydantic_ai", "pydantic_ai", "pydantic-ai"),
        ("langchain", "langchain", "langchain"),
        ("google_adk", "google.adk", "google-adk"),
        ("smolagents", "smolagents", "smolagents"),
        ("opentelemetry", "opentelemetry", "opentelemetry"),
    ],
)
def test_an_adapter_without_its_framework_names_the_extra(
    adapter: str, framework: str, extra: str, monkeypatch: pytest.MonkeyPatch
):
    for name in [name for name in sys.modules if name.startswith(framework)]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, f"metier.adapters.{adapter}", raising=False)
    with pytest.raises(ModuleNotFoundError, match=rf"`metier\[{extra}\]`$"):
        importlib.import_module(f"metier.adapters.{adapter}")
