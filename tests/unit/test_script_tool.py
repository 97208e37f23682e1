"""The tool with which a model runs scripts: offered, asked about, refused."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from metier.core.events import Event, ScriptRan, kind_of
from metier.core.execution import Reach, Sandbox
from metier.core.permission import SCRIPT_PERMISSION, Action
from metier.core.roots import Scope
from metier.errors import MetierError
from metier.library import Library
from metier.runtime.policy import Eligible, RunPolicy
from metier.runtime.scripts import ScriptTool
from metier.runtime.tool import Reply, Request
from metier.testing import MemoryFileSystem, make_skill
from tests.making import SKILLS, library

HOME_SKILLS = "/home/.agents/skills"
PDF = f"{HOME_SKILLS}/pdf"
POLICY = RunPolicy(sandbox=Sandbox.NONE, project=Reach.NONE)
FILES = {
    f"{PDF}/SKILL.md": make_skill("pdf", "Fills forms"),
    f"{PDF}/scripts/say.sh": 'echo "$@"; cat\n',
    f"{PDF}/scripts/fail.sh": "exit 3\n",
    f"{HOME_SKILLS}/text/SKILL.md": make_skill("text", "Has no scripts"),
    f"{HOME_SKILLS}/text/notes.md": "# Notes\n",
    f"{SKILLS}/theirs/SKILL.md": make_skill("theirs", "Of a project"),
    f"{SKILLS}/theirs/run.sh": "echo theirs\n",
    f"{HOME_SKILLS}/ops/SKILL.md": make_skill(
        "ops", "By hand", fields={"disable-model-invocation": True}
    ),
    f"{HOME_SKILLS}/ops/run.sh": "echo ops\n",
}
SAY: dict[str, Any] = {"skill": "pdf", "script": "scripts/say.sh", "arguments": ["hi"]}
ALLOWED = {SCRIPT_PERMISSION: {"pdf/*": "allow"}}


class Person:
    """Answers with one reply after the other, and remembers what was asked."""

    def __init__(self, *replies: Reply | bool) -> None:
        self.replies = list(replies)
        self.asked: list[Request] = []

    def __call__(self, request: Request) -> Reply | bool:
        self.asked.append(request)
        return self.replies.pop(0)


@pytest.fixture
def memory() -> MemoryFileSystem:
    return MemoryFileSystem(FILES)


@pytest.fixture
def skills(memory: MemoryFileSystem) -> Library:
    return library(memory)


def test_a_model_runs_a_script_that_is_allowed(skills: Library):
    tool = skills.script_tool(policy=POLICY, permission=ALLOWED)
    result = tool.call({**SAY, "stdin": "food"})
    assert (result.output, result.title, result.is_error) == (
        (
            '<script_result skill="pdf" script="scripts/say.sh" exit="0">\n'
            "<stdout>\nhi\nfood\n</stdout>\n</script_result>"
        ),
        "pdf/scripts/say.sh",
        False,
    )
    assert result.metadata == {
        "name": "pdf",
        "script": "scripts/say.sh",
        "sandbox": "none",
    }
    assert result.decision is not None
    assert result.decision.action is Action.ALLOW


def test_a_script_that_fails_is_an_error_with_its_output(skills: Library):
    tool = skills.script_tool(policy=POLICY, permission=ALLOWED)
    result = tool.call({"skill": "pdf", "script": "scripts/fail.sh"})
    assert (result.is_error, 'exit="3"' in result.output) == (True, True)


def test_nothing_is_run_that_nobody_was_asked_about(skills: Library):
    # The default dialect lets a model load skills; that says nothing about running.
    result = skills.script_tool(policy=POLICY).call(SAY)
    denial = "Permission denied: run_script pdf/scripts/say.sh"
    assert (result.output, result.is_error) == (denial, True)


def test_a_person_is_told_exactly_what_would_be_run(skills: Library):
    person = Person(True)
    result = skills.script_tool(policy=POLICY, ask=person).call(SAY)
    assert not result.is_error
    (asked,) = person.asked
    assert (asked.permission, asked.name, asked.patterns) == (
        "run_script",
        "pdf",
        ("pdf/scripts/say.sh",),
    )
    assert asked.plan is not None
    assert asked.plan.argv[1:] == ("<skill>/scripts/say.sh", "hi")
    assert asked.decision.action is Action.ASK


def test_always_is_about_a_script_as_long_as_the_skill_is_the_same(
    skills: Library, memory: MemoryFileSystem
):
    person = Person(Reply.ALWAYS, Reply.REJECT, Reply.REJECT)
    tool = skills.script_tool(policy=POLICY, ask=person)
    assert not tool.call(SAY).is_error
    assert not tool.call({**SAY, "arguments": ["again"]}).is_error
    assert len(person.asked) == 1
    assert tool.call({**SAY, "script": "scripts/fail.sh"}).is_error
    memory.write(f"{PDF}/scripts/lib.sh", "evil")
    assert tool.call(SAY).is_error
    assert len(person.asked) == 3


def test_what_a_rule_denies_is_not_asked_about(skills: Library):
    person = Person()
    rules = {SCRIPT_PERMISSION: {"*": "ask", "pdf/scripts/say.sh": "deny"}}
    tool = skills.script_tool(policy=POLICY, permission=rules, ask=person)
    assert tool.call(SAY).output.startswith("Permission denied")
    assert asyncio.run(tool.acall(SAY)).is_error
    assert person.asked == []


def test_a_skill_that_may_not_be_loaded_has_no_scripts(skills: Library):
    rules = {"skill": {"pdf": "deny"}, SCRIPT_PERMISSION: {"*": "allow"}}
    tool = skills.script_tool(policy=POLICY, permission=rules)
    assert tool.call(SAY).output == "there is no skill `pdf`; available: none"


def test_a_question_may_be_asked_off_the_thread(skills: Library):
    async def agree(request: Request) -> bool:
        return request.name == "pdf"

    tool = skills.script_tool(policy=POLICY, ask=agree)
    assert "hi" in asyncio.run(tool.acall(SAY)).output
    with pytest.raises(MetierError, match="use `acall`"):
        tool.call(SAY)


MISTAKES = {
    "the argument `script` is missing": {"skill": "pdf"},
    "the argument `stdin` is not text": {**SAY, "stdin": 3},
    "an argument is neither text nor a number": {**SAY, "arguments": [[]]},
    "the arguments are neither a list nor an object": {**SAY, "arguments": "hi"},
    "there is no file `no.sh` in the skill `pdf`": {**SAY, "script": "no.sh"},
    "nothing says how `SKILL.md` is run: it has no `#!` line": {
        **SAY,
        "script": "SKILL.md",
    },
    "there is no skill `ops`; available: pdf": {**SAY, "skill": "ops"},
}


@pytest.mark.parametrize("message", MISTAKES)
def test_a_mistake_of_a_model_is_told_to_it(skills: Library, message: str):
    tool = skills.script_tool(policy=POLICY, permission=ALLOWED)
    result = tool.call(MISTAKES[message])
    assert (result.output, result.is_error) == (message, True)


def test_options_may_be_an_object(skills: Library):
    tool = skills.script_tool(policy=POLICY, permission=ALLOWED)
    result = tool.call({**SAY, "arguments": {"max": 3}, "stdin": None})
    assert "--max 3" in result.output


def test_only_skills_with_scripts_that_may_be_run_are_offered(skills: Library):
    tool = skills.script_tool(policy=POLICY)
    assert (tool.names, tool.is_offered) == (("pdf",), True)
    tool.unlock("ops")
    assert tool.names == ("ops", "pdf")
    everybody = replace(POLICY, eligible=Eligible.ALL)
    assert skills.script_tool(policy=everybody).names == ("pdf", "theirs")
    nobody = replace(POLICY, scopes=frozenset((Scope.SYSTEM,)))
    assert not skills.script_tool(policy=nobody).is_offered


def test_without_scripts_there_is_nothing_to_offer():
    files = {f"{HOME_SKILLS}/text/SKILL.md": make_skill("text", "Has no scripts")}
    assert not library(files).script_tool().is_offered


def test_who_unlocks_a_skill_has_not_allowed_its_scripts(skills: Library):
    tool = skills.script_tool(policy=POLICY)
    tool.unlock("ops")
    result = tool.call({"skill": "ops", "script": "run.sh"})
    assert result.output == "Permission denied: run_script ops/run.sh"


def test_a_skill_of_a_project_is_refused_in_words(skills: Library):
    tool = skills.script_tool(
        policy=POLICY, permission={SCRIPT_PERMISSION: {"*": "allow"}}
    )
    result = tool.call({"skill": "theirs", "script": "run.sh"})
    assert (result.output, result.is_error) == (
        "nobody trusts /proj; if you know who wrote it, `metier trust add`",
        True,
    )


@pytest.mark.parametrize(
    "kind", ["anthropic", "openai", "openai-responses", "gemini", "json-schema"]
)
def test_every_provider_gets_a_definition(skills: Library, kind: Any):
    tool = skills.script_tool(policy=POLICY)
    assert '"run_script"' in str(tool.definition(kind)).replace("'", '"')


def test_the_definition_names_the_skills_and_what_a_script_takes(skills: Library):
    definition = skills.script_tool(policy=POLICY).definition("anthropic")
    assert definition["input_schema"] == {
        "type": "object",
        "properties": {
            "skill": {
                "type": "string",
                "description": "The name of the skill",
                "enum": ["pdf"],
            },
            "script": {
                "type": "string",
                "description": "The script, relative to the skill's folder",
            },
            "arguments": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Its arguments, one by one",
            },
            "stdin": {
                "type": "string",
                "description": "What the script reads from its standard input",
            },
        },
        "required": ["skill", "script"],
        "additionalProperties": False,
    }


def test_a_call_without_a_script_is_none_of_this_tool(skills: Library):
    from metier.runtime.model_tool import Call

    tool = skills.script_tool(policy=POLICY)
    with pytest.raises(TypeError, match="without a script"):
        ScriptTool._decide(tool, Call(skill=skills["pdf"], arguments={}))


def test_a_script_that_was_run_is_told(skills: Library):
    events: list[Event] = []
    ledger = skills.ledger(on_event=events.append, clock=lambda: "noon")
    tool = skills.script_tool(policy=POLICY, permission=ALLOWED, ledger=ledger)
    tool.call(SAY)
    tool.call({"skill": "pdf", "script": "scripts/fail.sh"})
    tool.call({"skill": "pdf", "script": "scripts/none.sh"})
    first, second, third = events
    assert isinstance(first, ScriptRan)
    assert isinstance(second, ScriptRan)
    assert first == ScriptRan(
        name="pdf",
        at="noon",
        script="scripts/say.sh",
        exit_code=0,
        seconds=first.seconds,
        sandbox="none",
    )
    assert (second.exit_code, kind_of(third)) == (3, "refused")
