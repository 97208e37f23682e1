"""Files of skills, for programs and for models."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from metier.core.resources import MAX_RESOURCE, PAGE_SIZE, Resource, ResourceKind
from metier.errors import MetierError, NotApproved, ResourceError
from metier.library import Library
from metier.runtime.resources import ResourceTool
from metier.runtime.tool import Reply, Request
from metier.testing import Content, Link, MemoryFileSystem, Special, make_skill
from tests.making import SKILLS, dialect, library
from tests.trusting import set_scene

HIDDEN = {"disable-model-invocation": True}
PDF = f"{SKILLS}/pdf"
FILES: dict[str, Content] = {
    f"{PDF}/SKILL.md": make_skill("pdf", "Fills forms"),
    f"{PDF}/references/forms.md": "# Forms\n",
    f"{PDF}/logo.png": b"\x89PNG\r\n\x1a\n\0",
    f"{PDF}/inside.md": Link("references/forms.md"),
    f"{PDF}/outside.md": Link("../zip/secret"),
    f"{PDF}/pipe": Special(),
    f"{SKILLS}/zip/SKILL.md": make_skill("zip", "Packs"),
    f"{SKILLS}/zip/secret": "secret",
    f"{SKILLS}/ops/SKILL.md": make_skill("ops", "Deploys", fields=HIDDEN),
}


@pytest.fixture
def skills() -> Library:
    return library(FILES)


def test_a_file_of_a_skill_is_read(skills: Library):
    expected = Resource(
        path="references/forms.md",
        kind=ResourceKind.TEXT,
        media_type="text/markdown",
        data=b"# Forms\n",
        size=8,
    )
    assert skills.read_resource("pdf", "./references/forms.md") == expected
    assert skills.read_resource(skills["pdf"], "references/forms.md") == expected
    read = skills.aread_resource("pdf", "references/forms.md")
    assert asyncio.run(read) == expected


def test_a_file_is_read_page_by_page(skills: Library):
    page = skills.read_resource("pdf", "references/forms.md", offset=2, limit=3)
    assert (page.text, page.next_offset) == ("For", 5)


def test_a_link_within_the_skill_is_followed(skills: Library):
    assert skills.read_resource("pdf", "inside.md").text == "# Forms\n"


REFUSALS = {
    "nothing.md": "there is no file `nothing.md` in the skill `pdf`",
    "reference/forms.md": "there is no file `reference/forms.md` in the skill `pdf`; "
    "did you mean `references/forms.md`?",
    "forms.md": "there is no file `forms.md` in the skill `pdf`; "
    "did you mean `references/forms.md`?",
    "../zip/secret": "`../zip/secret` is no file of the skill: "
    "it leads out of the skill's folder",
    "outside.md": "`outside.md` is no file of the skill: "
    "it leads out of the skill's folder",
    "/etc/passwd": "`/etc/passwd` is no file of the skill: "
    "it has to be relative to the skill's folder",
    "references": "`references` is not a regular file",
    "pipe": "`pipe` is not a regular file",
    "": "`` is no file of the skill: it names no file",
}


@pytest.mark.parametrize("path", REFUSALS)
def test_what_is_no_file_of_the_skill_is_refused_with_its_reason(
    skills: Library, path: str
):
    with pytest.raises(ResourceError) as caught:
        skills.read_resource("pdf", path)
    assert str(caught.value) == REFUSALS[path]
    assert [each.path for each in caught.value.diagnostics] == [f"{PDF}/SKILL.md"]


def test_a_file_that_is_too_large_is_refused(skills: Library):
    assert isinstance(skills.filesystem, MemoryFileSystem)
    skills.filesystem.write(f"{PDF}/big", b"x" * (MAX_RESOURCE + 1))
    with pytest.raises(ResourceError, match="`big` has more than 16,777,216 bytes"):
        skills.read_resource("pdf", "big")


def test_a_file_that_the_disk_refuses_is_refused(tmp_path: Path):
    folder = tmp_path / "pdf"
    folder.mkdir()
    (folder / "SKILL.md").write_text(make_skill("pdf", "Fills forms"))
    (folder / "loop").symlink_to("loop")
    from metier.api import discover

    skills = discover(roots=[tmp_path])
    with pytest.raises(ResourceError, match="`loop` cannot be read: too many levels"):
        skills.read_resource("pdf", "loop")
    os.unlink(folder / "loop")
    with pytest.raises(ResourceError, match="there is no file `loop`"):
        skills.read_resource("pdf", "loop")


def test_a_flat_skill_has_no_files_but_its_own():
    flat = dialect(selections={"default": {"flat_suffix": ".md"}})
    skills = library(
        {f"{SKILLS}/pdf.md": make_skill("pdf", "Fills"), f"{SKILLS}/x.txt": "x"}, flat
    )
    assert "Fills" in skills.read_resource("pdf", "pdf.md").text
    with pytest.raises(ResourceError, match=r"no file `x\.txt` in the skill `pdf`"):
        skills.read_resource("pdf", "x.txt")


# --- behind a gate ------------------------------------------------------------------


def test_behind_a_gate_the_bytes_are_those_that_were_approved(tmp_path: Path):
    scene = set_scene(tmp_path)
    skills = scene.trust_all()
    assert skills.read_resource("pdf", "latest.md").text == "# Forms\n"
    (scene.skill / "references" / "forms.md").write_text("# Other\n")
    with pytest.raises(NotApproved):
        skills.read_resource("pdf", "latest.md")


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("references", "`references` is not a regular file"),
        ("out", "leads out of the skill's folder"),
        ("referenc/forms.md", "did you mean `references/forms.md`?"),
    ],
)
def test_behind_a_gate_the_refusals_are_the_same(
    tmp_path: Path, path: str, message: str
):
    scene = set_scene(tmp_path)
    (scene.skill / "out").symlink_to("../../..")
    with pytest.raises(ResourceError, match=message.replace("?", r"\?")):
        scene.trust_all().read_resource("pdf", path)


# --- the tool -----------------------------------------------------------------------


def test_a_model_is_told_of_the_tool(skills: Library):
    tool = skills.resource_tool()
    assert tool.is_offered
    assert tool.names == ("pdf", "zip")
    assert tool.definition("anthropic") == {
        "name": "read_resource",
        "description": ResourceTool.description,
        "input_schema": {
            "type": "object",
            "properties": {
                "skill": {
                    "type": "string",
                    "description": "The name of the skill",
                    "enum": ["pdf", "zip"],
                },
                **tool.properties,
            },
            "required": ["skill", "path"],
            "additionalProperties": False,
        },
    }
    assert tool.definition("openai")["function"]["parameters"] == tool.schema
    assert tool.definition()["title"] == "read_resource"


def test_without_skills_there_is_nothing_to_offer(skills: Library):
    tool = skills.resource_tool(permission={"*": "deny"})
    assert not tool.is_offered
    assert "enum" not in tool.schema["properties"]["skill"]


def test_a_model_reads_a_file(skills: Library):
    tool = skills.resource_tool()
    result = tool.call({"skill": "pdf", "path": "references/forms.md", "limit": 3})
    assert not result.is_error
    assert result.title == "pdf/references/forms.md"
    assert result.metadata == {
        "name": "pdf",
        "path": "references/forms.md",
        "type": "text/markdown",
        "size": "8",
    }
    assert result.output.splitlines()[1:] == [
        "# F",
        "</skill_resource>",
        "There is more: read on with offset 3.",
    ]
    rest = tool.call('{"skill": "pdf", "path": "references/forms.md", "offset": 3}')
    assert "\norms\n" in rest.output


def test_a_model_gets_no_more_than_a_page(skills: Library):
    assert isinstance(skills.filesystem, MemoryFileSystem)
    skills.filesystem.write(f"{PDF}/big", b"x" * (PAGE_SIZE + 1))
    arguments = {"skill": "pdf", "path": "big", "limit": 10**9, "offset": None}
    result = skills.resource_tool().call(arguments)
    assert result.output.endswith(f"read on with offset {PAGE_SIZE}.")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("{", "the arguments are not JSON: "),
        ("[]", "the arguments are not an object"),
        ({}, "the argument `skill` is missing"),
        ({"skill": "pdf"}, "the argument `path` is missing"),
        ({"skill": "pdf", "path": 3}, "the argument `path` is not a text"),
        ({"skill": "gif", "path": "a"}, "there is no skill `gif`; available: pdf, zip"),
        ({"skill": "ops", "path": "a"}, "there is no skill `ops`; available: pdf, zip"),
        ({"skill": "pdf", "path": "../x"}, "`../x` is no file of the skill: "),
        (
            {"skill": "pdf", "path": "logo.png", "offset": "0"},
            "the argument `offset` is not a whole number",
        ),
    ],
)
def test_what_goes_wrong_is_an_answer_for_the_model(
    skills: Library, arguments: dict[str, object] | str, message: str
):
    result = skills.resource_tool().call(arguments)
    assert result.is_error
    assert result.output.startswith(message)
    later = asyncio.run(skills.resource_tool().acall(arguments))
    assert later == result


def test_a_whole_number_may_be_written_as_a_fraction(skills: Library):
    tool = skills.resource_tool()
    whole = {"skill": "pdf", "path": "references/forms.md", "offset": 2, "limit": 3}
    page = tool.call(whole)
    assert 'bytes="2-5"' in page.output
    assert tool.call({**whole, "offset": 2.0, "limit": 3.0}) == page
    halved = tool.call({**whole, "offset": 2.5})
    assert halved.output == "the argument `offset` is not a whole number"


def test_a_hidden_skill_counts_from_when_a_person_asked_for_it(skills: Library):
    tool = skills.resource_tool(permission={"ops": "ask"})
    tool.unlock("ops")
    assert tool.names == ("ops", "pdf", "zip")
    assert not tool.call({"skill": "ops", "path": "SKILL.md"}).is_error


def test_a_skill_that_is_denied_has_no_files(skills: Library):
    tool = skills.resource_tool(permission={"pdf": "deny"})
    result = tool.call({"skill": "pdf", "path": "logo.png"})
    assert result.output == "there is no skill `pdf`; available: zip"


CALL = {"skill": "pdf", "path": "logo.png"}
ASKS = {"pdf": "ask"}


def test_where_a_rule_says_ask_somebody_is_asked(skills: Library):
    asked: list[str] = []

    def ask(request: Request) -> Reply:
        asked.append(request.name)
        return Reply.ALWAYS

    tool = skills.resource_tool(permission=ASKS, ask=ask)
    assert not tool.call(CALL).is_error
    assert not tool.call(CALL).is_error
    assert asked == ["pdf"]


@pytest.mark.parametrize("ask", [None, lambda _: Reply.REJECT, lambda _: False])
def test_without_a_yes_the_answer_is_no(skills: Library, ask: object):
    tool = skills.resource_tool(permission=ASKS, ask=ask)  # pyright: ignore[reportArgumentType]
    assert tool.call(CALL).output == "Permission denied: skill pdf"
    assert asyncio.run(tool.acall(CALL)).output == "Permission denied: skill pdf"


def test_who_is_asked_later_is_awaited(skills: Library):
    async def ask(request: Request) -> bool:
        return request.name == "pdf"

    tool = skills.resource_tool(permission=ASKS, ask=ask)
    assert not asyncio.run(tool.acall(CALL)).is_error
    with pytest.raises(MetierError, match="use `acall`"):
        tool.call(CALL)
