from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from metier.accounts import Account
from metier.core.activation import Activation
from metier.core.allowance import ToolCall, Verdict
from metier.core.budget import Budget
from metier.core.document import MAX_FILE
from metier.core.fence import FenceStyle, find_fence
from metier.core.permission import (
    Action,
    Rule,
    Ruleset,
    ToolReading,
    as_policy,
    as_ruleset,
    parse_skill_rules,
)
from metier.core.roots import Root, Scope
from metier.core.skill import Status
from metier.diagnostics import Diagnostic, Severity
from metier.errors import ConfigError, LoadError, SkillNotFound
from metier.library import Library
from metier.testing import Content, Link, MemoryFileSystem, Special, make_skill
from metier.world.dialects import dialect_names
from tests.making import SKILLS, dialect, library

HIDDEN = {"disable-model-invocation": True}
PROJECT_ROOT = Root(
    path=SKILLS,
    scope=Scope.PROJECT,
    precedence=1,
    select="default",
    axis="roots[0]",
    base="/proj",
)
CLIENT_GUIDE = (
    "agentskills/agentskills@69ef37e:"
    "docs/client-implementation/adding-skills-support.mdx"
)


@pytest.fixture
def files() -> MemoryFileSystem:
    return MemoryFileSystem(
        {
            f"{SKILLS}/pdf/SKILL.md": make_skill("pdf", "Fills forms"),
            f"{SKILLS}/zip/SKILL.md": make_skill("zip", "Packs", body="\nPack it.\n"),
            f"{SKILLS}/ops/SKILL.md": make_skill("ops", "Deploys", fields=HIDDEN),
            f"{SKILLS}/bad/SKILL.md": "no frontmatter",
            "/home/.agents/skills/pdf/SKILL.md": make_skill("pdf", "Older"),
        }
    )


@pytest.fixture
def skills(files: MemoryFileSystem) -> Library:
    return library(files)


def test_a_library_is_a_collection_of_skills(skills: Library):
    assert len(skills) == 3
    assert [skill.name for skill in skills] == ["ops", "pdf", "zip"]
    assert skills.names == ("ops", "pdf", "zip")
    assert "pdf" in skills
    assert "bad" not in skills
    assert skills["pdf"].path == f"{SKILLS}/pdf/SKILL.md"
    assert skills.get("pdf") is skills["pdf"]
    assert skills.get("bad") is None


def test_a_library_and_a_skill_are_shown_without_the_rules_of_the_agent(
    skills: Library,
):
    counts = f"{len(skills.shadowed)} shadowed, {len(skills.rejected)} rejected"
    assert repr(skills) == f"<Library of agentskills: {len(skills)} skills, {counts}>"
    for each in (*skills, *skills.rejected):
        assert "Dialect" not in repr(each)


def test_a_skill_can_be_in_a_set(skills: Library):
    assert {*skills, *skills} == set(skills.skills)
    assert {*skills.rejected, *skills.shadowed} == {*skills.shadowed, *skills.rejected}


def test_the_model_is_offered_all_but_the_hidden_ones(skills: Library):
    assert [skill.name for skill in skills.offered] == ["pdf", "zip"]


def test_a_skill_knows_its_folder_its_root_and_its_fields(skills: Library):
    skill = skills["ops"]
    assert (skill.directory, skill.root) == (f"{SKILLS}/ops", PROJECT_ROOT)
    assert skill.fields == {
        "license": None,
        "compatibility": None,
        "allowed_tools": (),
        "metadata": None,
        "when_to_use": None,
        "triggers": (),
        "paths": (),
        "disable_model_invocation": True,
        "user_invocable": True,
    }


def test_where_an_agent_keeps_all_a_name_means_the_first():
    found = library(
        {
            "/home/.shelley/a/SKILL.md": make_skill("a", "In the home"),
            "/proj/.skills/a/SKILL.md": make_skill("a", "In the project"),
        },
        "shelley",
    )
    assert found.names == ("a", "a")
    assert found["a"].description == "In the home"


@pytest.mark.parametrize(
    ("name", "message", "suggestions"),
    [
        pytest.param(
            "pfd",
            "there is no skill `pfd`; available: ops, pdf, zip; did you mean `pdf`?",
            ("pdf",),
            id="a slip",
        ),
        pytest.param(
            "none-such",
            "there is no skill `none-such`; available: ops, pdf, zip",
            (),
            id="something else",
        ),
    ],
)
def test_an_unknown_name_is_an_error_with_a_hint(
    skills: Library, name: str, message: str, suggestions: tuple[str, ...]
):
    with pytest.raises(SkillNotFound) as caught:
        skills[name]
    error = caught.value
    assert (str(error), error.suggestions, error.name) == (message, suggestions, name)


def test_an_agent_that_gives_no_hints_gives_none():
    found = library(
        {"/proj/.opencode/skill/pdf/SKILL.md": make_skill("pdf", "x")}, "opencode-spec"
    )
    assert str(found.not_found("pfd")) == (
        'Skill "pfd" not found. Available skills: pdf'
    )


# --- the catalog --------------------------------------------------------------------


def listed(*rows: tuple[str, str]) -> str:
    items = (
        f"<skill>\n<name>{name}</name>\n<description>{description}</description>\n"
        f"<location>{SKILLS}/{name}/SKILL.md</location>\n</skill>\n"
        for name, description in rows
    )
    return f"<available_skills>\n{''.join(items)}</available_skills>"


def test_the_catalog_is_what_the_model_sees(skills: Library):
    assert skills.catalog() == listed(("pdf", "Fills forms"), ("zip", "Packs"))


def test_the_catalog_has_no_skill_that_is_denied(skills: Library):
    permission = {"*": "deny", "z*": "ask"}
    assert skills.catalog(permission=permission) == listed(("zip", "Packs"))


def test_a_rendered_catalog_comes_with_its_report(skills: Library):
    report = skills.render(budget=30)
    assert (report.shown, report.omitted) == ((), ("pdf", "zip"))
    assert (report.tokens <= 30, report.budget) == (True, Budget(amount=30))
    assert report.text == skills.catalog(budget=30)


# --- handing over -------------------------------------------------------------------


def output(name: str, body: str, files: str = "") -> str:
    return (
        f'<skill_content name="{name}">\n{body}\n\nSkill directory: {SKILLS}/{name}\n'
        f"Relative paths in this skill are relative to the skill directory.\n{files}"
        "</skill_content>"
    )


def test_a_skill_is_handed_over_with_its_folder(skills: Library):
    assert skills.load("zip") == Activation(
        name="zip",
        title="Loaded skill: zip",
        output=output("zip", "Pack it."),
        directory=f"{SKILLS}/zip",
        path=f"{SKILLS}/zip/SKILL.md",
        body="Pack it.",
    )


def test_loading_off_the_event_loop_is_the_same(skills: Library):
    assert asyncio.run(skills.aload("zip")) == skills.load("zip")


def test_a_person_may_invoke_any_skill_with_a_slash(skills: Library):
    assert skills.invoke("/zip") == skills.load("zip")
    assert skills.invoke("/zip now") == skills.load("zip", arguments="now")
    assert skills.invoke("/ops") == skills.load("ops")
    assert skills.invoke("zip") is None
    with pytest.raises(SkillNotFound, match="there is no skill `gone`"):
        skills.invoke("/gone now")


def test_each_side_has_skills_of_its_own(skills: Library):
    path = f"{SKILLS}/own/SKILL.md"
    text = make_skill("own", "For the model", fields={"user-invocable": False})
    found = library({path: text})
    assert found.tool().call({"name": "own"}).title == "Loaded skill: own"
    with pytest.raises(SkillNotFound, match="there is no skill `own`"):
        found.invoke("/own")
    assert found.invoke("what of $own?") is None
    assert (found.names, found.invocable) == (("own",), ())
    assert skills.tool().call({"name": "ops"}).is_error
    assert skills["ops"] in skills.invocable
    assert skills.invoke("with $ops") == skills.load("ops")


def test_a_name_with_a_blank_is_invoked_by_the_whole_turn():
    found = library({f"{SKILLS}/a b/SKILL.md": make_skill("a b", "Has a blank")})
    assert found.invoke("/a b") == found.load("a b")


def test_where_the_agent_knows_no_slash_nothing_is_invoked():
    path = "/proj/.opi/skills/a/SKILL.md"
    assert library({path: make_skill("a", "b")}, "opi").invoke("/a") is None


def test_the_files_beside_a_skill_are_listed(files: MemoryFileSystem):
    files.write(f"{SKILLS}/zip/scripts/run.py", "")
    files.write(f"{SKILLS}/zip/a&b.txt", "")
    beside = (
        "<skill_resources>\n  <file>a&amp;b.txt</file>\n"
        "  <file>scripts/run.py</file>\n</skill_resources>\n"
    )
    assert library(files).load("zip").output == output("zip", "Pack it.", beside)


def test_an_edit_after_the_discovery_is_handed_over(
    files: MemoryFileSystem, skills: Library
):
    files.write(f"{SKILLS}/zip/SKILL.md", make_skill("zip", "Packs", body="Anew."))
    assert skills.load("zip").output == output("zip", "Anew.")


def test_an_agent_that_reads_files_is_handed_the_file():
    text = make_skill("a", "b", body="\nBody\n")
    found = library({"/proj/.skills/a/SKILL.md": text}, "shelley")
    assert found.load("a").output == text


def test_a_hidden_skill_can_be_loaded_by_the_program(skills: Library):
    assert skills.load("ops").output == output("ops", "Do it.")


BOM = "\ufeff"
NO_FRONTMATTER = find_fence("text", FenceStyle.TOLERANT_LINES)[1][0].message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(
            None, "no such file or directory: {path}", id="it is not there any more"
        ),
        pytest.param(
            b"-" * (MAX_FILE + 1), "larger than 1,048,576 bytes: {path}", id="too large"
        ),
        pytest.param("text", NO_FRONTMATTER, id="without frontmatter"),
        pytest.param(
            f"{BOM}text", NO_FRONTMATTER, id="an error, and a warning before it"
        ),
        pytest.param(
            Link("SKILL.md"),
            "too many levels of symbolic links: {path}",
            id="a link to itself",
        ),
        pytest.param(Special(), "not a regular file: {path}", id="a pipe"),
    ],
)
def test_a_file_that_was_spoilt_is_a_load_error(
    files: MemoryFileSystem, skills: Library, content: Content | None, message: str
):
    path = f"{SKILLS}/zip/SKILL.md"
    files.remove(path)
    if content is not None:
        files.write(path, content)
    with pytest.raises(LoadError) as caught:
        skills.load("zip")
    assert str(caught.value) == (f"failed to load skill: {message.format(path=path)}")


def test_a_load_error_carries_what_was_found(files: MemoryFileSystem, skills: Library):
    files.write(f"{SKILLS}/zip/SKILL.md", "text")
    with pytest.raises(LoadError) as caught:
        skills.load("zip")
    assert [found.rule for found in caught.value.diagnostics] == ["frontmatter-missing"]


def test_a_turn_calls_for_a_skill_that_is_offered(skills: Library):
    assert skills.match("please /pdf this").winner == "pdf"
    assert skills.match("please do something else").winner is None


def test_a_person_may_name_a_skill_that_the_model_may_not_invoke(skills: Library):
    assert skills.match("please /ops this").winner == "ops"
    assert skills.match("it deploys, it deploys").winner is None


def test_a_turn_is_matched_by_when_to_use():
    text = make_skill("a", "b", fields={"when_to_use": "deploy the website"})
    found = library({"/proj/.apr/skills/a/SKILL.md": text}, "batuta")
    assert found.match("deploy our website now").winner == "a"
    assert found.match("bake bread").winner is None


def test_a_skill_is_found_by_its_phrases_and_its_paths():
    fields = {"triggers": "ship it, cut a release", "paths": ["*.toml"]}
    text = make_skill("ship", "Releases", fields=fields)
    found = library({f"{SKILLS}/ship/SKILL.md": text})
    assert found.match("now cut a  Release").winner == "ship"
    assert found.match("see to this", paths=["sub/pyproject.toml"]).winner == "ship"
    assert found.match("see to this", paths=["main.py"]).winner is None


# --- allowed tools ------------------------------------------------------------------


@pytest.fixture
def tooled() -> Library:
    git = make_skill("git", "Commits", fields={"allowed-tools": "Bash(git *) Read"})
    none = make_skill("none", "Talks", fields={"allowed-tools": []})
    free = make_skill("free", "Does all")
    texts = {"git": git, "none": none, "free": free}
    return library({f"{SKILLS}/{name}/SKILL.md": t for name, t in texts.items()})


def test_the_tools_of_an_active_skill_need_no_question(tooled: Library):
    call = ToolCall(tool="Bash", subject="git status")
    assert tooled.decide(call, active=["git"]).verdict is Verdict.PREAPPROVED
    assert tooled.decide(call, active=["free"]).verdict is Verdict.ASK
    assert tooled.decide(call, active=[]).verdict is Verdict.ASK


def test_no_skill_goes_beyond_the_users_rules(tooled: Library):
    call = ToolCall(tool="Bash", subject="git push")
    policy = {"bash": {"git push*": "deny"}}
    ruling = tooled.decide(call, active=["git"], policy=policy)
    assert ruling.verdict is Verdict.DENIED


def test_the_users_rules_are_a_table_of_tools_or_made_already(tooled: Library):
    call = ToolCall(tool="Bash", subject="git log")
    for policy in ({"bash": "ask"}, as_policy({"bash": "ask"})):
        ruling = tooled.decide(call, active=["git"], policy=policy)
        assert ruling.because == "the user's policy: `*: ask` decided"
    with pytest.raises(ConfigError, match="`maybe` is no action"):
        tooled.decide(call, active=["git"], policy={"bash": "maybe"})


def test_an_empty_list_of_tools_is_another_thing_than_none(tooled: Library):
    call, reading = ToolCall(tool="Read"), ToolReading.RESTRICTION
    none = tooled.decide(call, active=["none"], reading=reading)
    free = tooled.decide(call, active=["free"], reading=reading)
    assert (none.verdict, free.verdict) == (Verdict.DENIED, Verdict.ASK)


# --- permission ---------------------------------------------------------------------


def test_without_rules_nothing_is_taken_out(skills: Library):
    assert skills.permitted(None) is skills


def test_what_is_denied_is_not_in_the_library(skills: Library):
    assert skills.permitted({"pdf": "deny", "zip": "ask"}).names == ("ops", "zip")


def test_a_refreshed_library_still_denies(files: MemoryFileSystem, skills: Library):
    permitted = skills.permitted({"pdf": "deny"})
    files.write(f"{SKILLS}/new/SKILL.md", make_skill("new", "Is new"))
    assert permitted.refresh().names == ("new", "ops", "zip")
    assert permitted.refresh().refresh().names == ("new", "ops", "zip")


DENY_ALL = Ruleset(default=Action.DENY)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(None, Ruleset(default=Action.ALLOW), id="nothing"),
        pytest.param(DENY_ALL, DENY_ALL, id="rules"),
        pytest.param(
            {"a-*": "ask"},
            Ruleset(
                rules=(Rule(permission="skill", pattern="a-*", action=Action.ASK),),
                default=Action.ALLOW,
            ),
            id="a mapping of patterns",
        ),
        pytest.param(
            {"bash": "deny", "skill": {"a-*": "ask"}},
            Ruleset(
                rules=(
                    Rule(permission="bash", pattern="*", action=Action.DENY),
                    Rule(permission="skill", pattern="a-*", action=Action.ASK),
                ),
                default=Action.ALLOW,
            ),
            id="an agent's whole table",
        ),
    ],
)
def test_rules_may_be_given_in_several_ways(given: Any, expected: Ruleset):
    assert as_ruleset(given, Action.ALLOW) == expected


@pytest.mark.parametrize(
    "given",
    [
        {"a-*": "deny"},
        {"skill": {"a-*": "deny"}},
        {"Skill": {"a-*": "deny"}},
        parse_skill_rules({"a-*": "deny"})[0],
    ],
)
def test_rules_are_about_skills_whatever_an_agent_calls_them(given: Any):
    rules = as_ruleset(given, Action.ALLOW, name="Skill")
    assert rules.evaluate("Skill", "a-b").action is Action.DENY
    assert rules.evaluate("Skill", "b").action is not Action.DENY


@pytest.mark.parametrize("name", dialect_names())
def test_in_every_agent_what_is_denied_is_not_there(name: str):
    pdf = {f"{SKILLS}/pdf/SKILL.md": make_skill("pdf", "Reads PDF files")}
    skills = library(pdf, name, roots=[SKILLS])
    assert skills.names == ("pdf",)
    assert skills.permitted({"pdf": "deny"}).names == ()
    assert skills.tools(permission={"pdf": "deny"}) == ()
    asking = skills.tool(permission={"pdf": "ask"})
    (required,) = asking.schema["required"]
    assert asking.call({required: "pdf"}).output.startswith("Permission denied: ")


@pytest.mark.parametrize("key", ["skill", "Skill", "run_script"])
def test_a_rule_that_may_mean_two_things_is_refused(key: str):
    with pytest.raises(ConfigError, match=r"write `\{.*: \{\"\*\": \"deny\"\}\}`"):
        as_ruleset({key: "deny"}, Action.ALLOW, name="Skill")


@pytest.mark.parametrize(
    ("permission", "message"),
    [
        pytest.param(
            {"a": "denied"},
            "`denied` is no action, in the `skill` rule for `a`; did you mean `deny`?",
            id="a slip",
        ),
        pytest.param(
            {"skill": {"a": 1}},
            "`1` is no action, in the `skill` rule for `a`; "
            "write `allow`, `ask` or `deny`",
            id="a number, in a table",
        ),
    ],
)
def test_a_rule_that_is_no_action_is_refused(
    skills: Library, permission: dict[str, object], message: str
):
    with pytest.raises(ConfigError) as caught:
        skills.catalog(permission=permission)
    assert str(caught.value) == message


# --- why ----------------------------------------------------------------------------


def test_everything_that_was_found_has_an_account(skills: Library):
    assert [(a.name, a.status, a.rule) for a in skills.accounts()] == [
        ("ops", Status.HIDDEN, "hidden"),
        ("pdf", Status.LOADED, "loaded"),
        ("zip", Status.LOADED, "loaded"),
        ("pdf", Status.SHADOWED, "first-wins"),
        (None, Status.REJECTED, "frontmatter-missing"),
    ]


def test_why_a_skill_is_loaded(skills: Library):
    assert skills.why("zip") == (
        Account(
            name="zip",
            description="Packs",
            path=f"{SKILLS}/zip/SKILL.md",
            root=PROJECT_ROOT,
            status=Status.LOADED,
            rule="loaded",
            because=f"found in project folder {SKILLS}",
            source=f"{CLIENT_GUIDE} (where to scan)",
        ),
    )


def test_why_a_skill_is_hidden(skills: Library):
    (account,) = skills.why("ops")
    assert account.because == (
        f"found in project folder {SKILLS}; the model may not invoke it by itself"
    )
    assert account.source == "agentskills/agentskills@69ef37e:docs/specification.mdx"


def test_why_a_skill_is_shadowed(skills: Library):
    winner, loser = skills.why("pdf")
    assert winner.status is Status.LOADED
    assert (loser.status, loser.path, loser.because, loser.source) == (
        Status.SHADOWED,
        "/home/.agents/skills/pdf/SKILL.md",
        f"{SKILLS}/pdf/SKILL.md counts instead",
        f"{CLIENT_GUIDE} (name collisions)",
    )


@pytest.mark.parametrize(
    "query", ["bad", f"{SKILLS}/bad", f"{SKILLS}/bad/SKILL.md"], ids=str
)
def test_why_a_file_is_rejected(skills: Library, query: str):
    (account,) = skills.why(query)
    assert (account.name, account.status, account.rule, account.because) == (
        None,
        Status.REJECTED,
        "frontmatter-missing",
        NO_FRONTMATTER,
    )
    assert account.source == f"{CLIENT_GUIDE} (parsing)"


def test_why_all_are_rejected_where_the_agent_gives_up():
    found = library(
        {
            "/proj/.opi/skills/a/SKILL.md": make_skill("a", "Good"),
            "/proj/.opi/skills/b/SKILL.md": "no frontmatter",
        },
        "opi",
    )
    (account,) = found.why("a")
    assert (account.name, account.rule, account.source) == (
        "a",
        "host-aborts",
        dialect("opi").sources["failure"],
    )
    assert account.because.startswith("one bad file stops the discovery of all: ")
    assert found.aborted_by is not None
    assert found.aborted_by.path == "/proj/.opi/skills/b/SKILL.md"
    assert len(found) == 0


def test_a_rule_without_a_finding_is_its_own_reason(skills: Library):
    bare = replace(skills.rejected[0], rule="house-style", diagnostics=())
    (account,) = replace(skills, rejected=(bare,)).why("bad")
    assert (account.because, account.source) == ("house-style", None)


@pytest.mark.parametrize("query", ["", "nothing", "/", "skills"])
def test_nothing_is_told_about_what_was_not_found(skills: Library, query: str):
    assert skills.why(query) == ()


def test_the_diagnostics_are_about_winners_losers_and_folders():
    odd = make_skill("Odd", "Is odd")
    found = library(
        {
            f"{SKILLS}/Odd/SKILL.md": odd,
            f"{SKILLS}/loop": Link("."),
            f"{SKILLS}/bad/SKILL.md": "text",
            "/home/.agents/skills/Odd/SKILL.md": odd,
        }
    )
    assert [(each.rule, each.path) for each in found.diagnostics] == [
        ("name-invalid", f"{SKILLS}/Odd/SKILL.md"),
        ("name-invalid", "/home/.agents/skills/Odd/SKILL.md"),
        ("frontmatter-missing", f"{SKILLS}/bad/SKILL.md"),
        ("link-cycle", f"{SKILLS}/loop"),
        ("name-collision", "/home/.agents/skills/Odd/SKILL.md"),
    ]


def test_a_diagnostic_is_placed_in_its_file():
    found = library({f"{SKILLS}/bad/SKILL.md": "text"})
    (finding,) = found.diagnostics
    assert isinstance(finding, Diagnostic)
    assert (finding.severity, finding.position) == (Severity.ERROR, (1, 1))
