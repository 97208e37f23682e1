"""Bodies with what belongs into them, on every occasion."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from metier.api import discover
from metier.core.activation import Activation
from metier.core.dialect import Dialect
from metier.core.execution import Limits, Reach, Sandbox
from metier.core.inserts import CommandRun
from metier.core.substitution import Variable
from metier.errors import LoadError, RunRefused
from metier.runtime import attachments
from metier.runtime.occasion import Occasion
from metier.runtime.policy import Eligible, Insertion, RunPolicy
from metier.testing import MemoryFileSystem, make_skill
from metier.world import dialects, sandboxes
from tests.inserting import (
    HOME_SKILLS,
    OPEN,
    skill_with,
    using,
    wrong_arguments,
)
from tests.making import SKILLS, dialect
from tests.trusting import set_scene

DIALECT = Path(dialects.__file__).parents[1] / "dialects" / "agentskills.toml"
CLAUDE, HERMES = using("claude-code"), using("hermes")
OPENHANDS, OPENCODE = using("openhands"), using("opencode")
KILO_ANYWHERE = using("kilo-code", commands={"inert": []})
CLAUDE_ANYWHERE = using("claude-code", commands={"syntax": "anywhere"})


def filled(
    body: str,
    agent: Dialect,
    cwd: Path,
    arguments: str = "",
    policy: RunPolicy | None = OPEN,
    files: Mapping[str, str] | None = None,
) -> str:
    skills = skill_with(body, agent, cwd=cwd, files=files)
    return skills.load("x", arguments=arguments, policy=policy).body


# --- arguments and variables --------------------------------------------------------


def test_a_dialect_that_fills_nothing_in_hands_a_body_over_as_it_is(project: Path):
    body = "$ARGUMENTS ${CLAUDE_SKILL_DIR} !`id` @SKILL.md"
    nothing = dialect(substitution={})
    assert filled(body, nothing, project, "a b") == body


def test_arguments_and_variables_are_put_in(project: Path):
    body = "Dir ${CLAUDE_SKILL_DIR}, first $0, all $ARGUMENTS, ${CLAUDE_PROJECT_DIR}"
    expected = f"Dir /home/.agents/skills/x, first a, all a 'b c', {project}"
    assert filled(body, CLAUDE, project, "a 'b c'") == expected


def test_what_only_the_running_agent_knows_it_says(project: Path):
    skills = skill_with("In ${CLAUDE_SESSION_ID} ${CLAUDE_EFFORT}", CLAUDE, cwd=project)
    occasion = Occasion(variables={Variable.SESSION_ID: "s-1"})
    loaded = skills.activate(skills["x"], occasion)
    assert loaded.body == "In s-1 ${CLAUDE_EFFORT}"


def test_arguments_that_nothing_stands_for_come_behind_the_body(project: Path):
    assert filled("Do it.", CLAUDE, project, "now") == "Do it.\n\nARGUMENTS: now"


def test_a_model_that_says_nothing_changes_nothing(project: Path):
    assert filled("Do $ARGUMENTS", OPENCODE, project) == "Do $ARGUMENTS"
    assert filled("Do $ARGUMENTS", OPENCODE, project, "it") == "Do it"


def test_a_turn_of_a_person_is_filled_in(project: Path):
    skills = skill_with("Do $ARGUMENTS", dialect(), cwd=project)
    loaded = skills.invoke("/x this  now")
    assert loaded is not None
    assert loaded.body == "Do this  now"
    bare = skills.invoke("/x")
    assert bare is not None
    assert bare.body == "Do "
    assert asyncio.run(skills.aload("x", arguments="it")).body == "Do it"


@pytest.mark.parametrize("stated", [["branch", "target"], "branch, target"])
def test_a_skill_may_give_names_to_its_arguments(project: Path, stated: object):
    fields = tomllib.loads(DIALECT.read_text("utf-8"))["fields"]
    kind = "phrases" if isinstance(stated, list) else "text"
    fields["other"]["arguments"] = {"keys": ["arguments"], "type": kind}
    agent = using("claude-code", fields=fields)
    skills = skill_with(
        "From $branch to $target: $x", agent, cwd=project, fields={"arguments": stated}
    )
    assert skills.load("x", arguments="a b").body == "From a to b: $x"


def test_arguments_that_make_no_sense_hand_nothing_over(project: Path):
    skills = skill_with("Do $0", using("goose"), cwd=project)
    with pytest.raises(LoadError, match="without its partner"):
        skills.load("x", arguments='a "b')


# --- commands -----------------------------------------------------------------------


def test_without_a_policy_a_command_stays_as_it_is_written(project: Path):
    body = "Now: !`date; ls ${CLAUDE_SKILL_DIR} $0`\n\n```!\nls\n```"
    expected = body.replace("${CLAUDE_SKILL_DIR}", f"{HOME_SKILLS}/x")
    assert filled(body, CLAUDE, project, "a", policy=None) == expected
    left = RunPolicy(commands=Insertion.LEFT)
    assert filled(body, CLAUDE, project, "a", policy=left) == expected


def test_a_policy_may_say_that_nothing_is_run(project: Path):
    off = RunPolicy(commands=Insertion.DISABLED)
    expected = "[shell command execution disabled by policy]"
    assert filled("!`touch ran`", CLAUDE, project, policy=off) == expected
    assert list(project.iterdir()) == []


def test_what_commands_say_stands_in_their_place(project: Path):
    body = "A !`echo one` B\n\n```!\npwd\necho $1 $0\n```\n\nEnd `!`echo` \\!`x`"
    found = filled(body, CLAUDE, project, "a 'b  c'")
    expected = f"A one B\n\n{project}\nb  c a\n\nEnd `!`echo` \\!`x`"
    assert found == expected


def test_what_was_run_is_told(project: Path):
    skills = skill_with("!`echo one`\n!`exit 0`", CLAUDE, cwd=project)
    runs = skills.load("x", policy=OPEN).runs
    assert [replace(each, seconds=0.0) for each in runs] == [
        CommandRun(
            command=command,
            exit_code=0,
            timed_out=False,
            seconds=0.0,
            sandbox=runs[0].sandbox,
        )
        for command in ("echo one", "exit 0")
    ]


def test_what_was_put_in_is_never_looked_at_again(project: Path):
    body = "!`cat evil`\n$ARGUMENTS @SKILL.md"
    (project / "evil").write_text("!`touch ran` $ARGUMENTS ${CLAUDE_SKILL_DIR} @x\n")
    found = filled(body, CLAUDE, project, "!`touch ran` ${CLAUDE_SKILL_DIR} $0")
    assert found == (
        "!`touch ran` $ARGUMENTS ${CLAUDE_SKILL_DIR} @x\n"
        "!`touch ran` ${CLAUDE_SKILL_DIR} $0 @SKILL.md"
    )
    assert not (project / "ran").exists()


def test_a_command_of_hermes_runs_in_the_folder_of_the_skill(project: Path):
    body = "!`cat data.txt; echo oops >&2; exit 3` !`ls ${HERMES_SKILL_DIR}`"
    found = filled(body, HERMES, project, files={"data.txt": "data\n"})
    assert found == "data SKILL.md\ndata.txt"


def test_a_command_uses_the_copy_of_the_skill_and_the_text_names_the_folder(
    project: Path,
):
    body = "Run ${CLAUDE_SKILL_DIR}/a.sh: !`sh ${CLAUDE_SKILL_DIR}/a.sh`"
    found = filled(body, CLAUDE, project, files={"a.sh": "echo ran $0\n"})
    start, _, path = found.partition(": ran ")
    assert start == "Run /home/.agents/skills/x/a.sh"
    assert path.endswith("/skill/a.sh")
    assert not path.startswith("/home")


def test_a_failure_ends_all_or_is_a_note_as_the_agent_has_it(project: Path):
    skills = skill_with("!`echo oh >&2; exit 3`", CLAUDE, cwd=project)
    with pytest.raises(LoadError) as caught:
        skills.load("x", policy=OPEN)
    problem = "the command `echo oh >&2; exit 3` failed with status 3: oh"
    assert str(caught.value) == f"failed to load skill: {problem}"
    assert [each.rule for each in caught.value.diagnostics] == ["run-command-failed"]
    tool = skills.tool(policy=OPEN)
    assert tool.call({"name": "x"}).output == str(caught.value)
    body = "!`echo oh >&2; exit 3`"
    note = "[Error: Command `echo oh >&2; exit 3` exited with code 3: oh\n]"
    assert filled(body, OPENHANDS, project) == note
    assert filled("!`echo out; exit 3`", HERMES, project) == "out"


def test_a_command_that_takes_too_long_is_ended(project: Path):
    quick = replace(OPEN, limits=Limits(seconds=0.2))
    found = filled("!`while :; do :; done`", OPENHANDS, project, policy=quick)
    command = "while :; do :; done"
    assert found == f"[Error: Command `{command}` timed out after 0.2s]"


def test_all_commands_of_a_body_share_their_time(project: Path):
    quick = replace(OPEN, limits=Limits(total_seconds=0.2))
    loop = "!`while :; do :; done`"
    found = filled(f"{loop}\n!`echo two`", OPENHANDS, project, policy=quick)
    first, second = found.splitlines()
    assert first.endswith("timed out after 0.2s]")
    assert second == "[Error: Command `echo two` timed out after 10s]"


def test_an_agents_own_bound_counts_where_it_is_lower(project: Path):
    agent = using("openhands", commands={"timeout": 1, "max_output": 3, "cut": "<cut>"})
    assert filled("!`echo abcdef`", agent, project) == "abc<cut>"
    short = replace(OPEN, limits=Limits(output=2))
    found = filled("!`echo abcdef`", OPENHANDS, project, policy=short)
    assert found == "ab\n... [output truncated]"


def test_more_commands_than_are_run_say_so(project: Path):
    body = "".join(f"!`printf {n}`\n" for n in range(3)).rstrip()
    agent = using("kilo-code", commands={"max_commands": 2, "inert": []})
    found = filled(body, agent, project)
    assert found == "0\n1\n[skill shell command limit reached]"
    few = replace(OPEN, limits=Limits(commands=1))
    assert filled(body, agent, project, policy=few).count("limit reached") == 2


@pytest.mark.parametrize(("repeats", "times"), [("each", 3), ("once", 1)])
def test_a_command_that_is_repeated_is_run_as_often_as_the_agent_does(
    project: Path, repeats: str, times: int
):
    agent = using("openhands", commands={"repeats": repeats, "max_commands": 3})
    body = "!`echo x >>ran; wc -l <ran`\n" * 3
    found = filled(body, agent, project)
    assert len((project / "ran").read_text().split()) == times
    assert found.split() == [str(min(n, times)) for n in (1, 2, 3)]


def test_a_shell_that_is_not_there_is_a_failure(project: Path):
    agent = using("openhands", commands={"shell": "no-such-shell"})
    note = "[Error: Failed to execute command `ls`: there is no `no-such-shell`]"
    assert filled("!`ls`", agent, project) == note


def test_a_command_that_looks_like_an_option_is_a_command(project: Path):
    found = filled("!`-x`", OPENHANDS, project)
    assert found.startswith("[Error: Command `-x` exited with code 127")


def test_an_argument_where_a_shell_would_read_it_as_code_is_not_run(project: Path):
    skills = skill_with("!`eval $0`", CLAUDE, cwd=project)
    with pytest.raises(LoadError, match="might read an argument as code"):
        skills.load("x", arguments="'touch ran'", policy=OPEN)
    skills = skill_with('!`echo "$0"`', CLAUDE, cwd=project)
    with pytest.raises(LoadError, match="no program can be given"):
        skills.load("x", arguments="a\0", policy=OPEN)
    assert list(project.iterdir()) == []


def test_arguments_arrive_as_they_are_whatever_is_in_them(project: Path):
    assert wrong_arguments(10_000, at_once=400, cwd=project) == []


# --- who may run something ----------------------------------------------------------


def test_a_skill_that_nobody_trusts_runs_nothing(project: Path):
    for folder in (SKILLS, f"{project}/.agents/skills"):
        skills = skill_with("!`touch ran`", KILO_ANYWHERE, cwd=project, folder=folder)
        if "x" not in skills:
            continue
        loaded = skills.load("x", policy=OPEN)
        assert loaded.body == "[skill shell execution disabled for untrusted skill]"
        assert loaded.runs == ()
    assert list(project.iterdir()) == []


def test_a_program_that_judges_by_itself_may_let_all_run(project: Path):
    folder = f"{project}/.agents/skills"
    skills = skill_with("!`printf ran`", KILO_ANYWHERE, cwd=project, folder=folder)
    everybody = replace(OPEN, eligible=Eligible.ALL)
    assert skills.load("x", policy=everybody).body == "ran"


def test_what_runs_is_what_was_approved(tmp_path: Path):
    scene = set_scene(tmp_path)
    text = make_skill("pdf", "Fills forms", body="!`sh ${CLAUDE_SKILL_DIR}/a.sh`")
    (scene.skill / "SKILL.md").write_text(text)
    (scene.skill / "a.sh").write_text("printf one\n")
    scene.trust_all()
    skills = discover(
        cwd=scene.project, home="/nowhere", trust=scene.store, dialect=CLAUDE_ANYWHERE
    )
    assert skills.load("pdf", policy=OPEN).body == "one"
    (scene.skill / "a.sh").write_text("printf two\n")
    with pytest.raises(LoadError, match="not what was approved"):
        skills.load("pdf", policy=OPEN)


def test_where_a_sandbox_is_required_and_none_works_nothing_is_handed_over(
    project: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sandboxes, "works", lambda _: False)
    skills = skill_with("!`touch ran`", CLAUDE, cwd=project)
    with pytest.raises(RunRefused, match="no sandbox works"):
        skills.load("x", policy=RunPolicy())
    assert skills.load("x").body == "!`touch ran`"


def test_a_command_is_held_by_the_sandbox(project: Path):
    if sandboxes.choose_backend(Sandbox.REQUIRED) is None:
        return  # the test before this one says what happens then
    body = "!`cat file; echo x >new || echo held; cat /etc/shadow || echo hidden`"
    (project / "file").write_text("read\n")
    agent = using("hermes", commands={"folder": "project"})
    found = filled(body, agent, project, policy=RunPolicy())
    assert found == "read\nheld\nhidden"


def test_a_tool_fills_in_what_its_policy_lets_it(project: Path):
    skills = skill_with("!`echo one`", CLAUDE, cwd=project)
    with_policy, without = skills.tool(policy=OPEN), skills.tool()
    assert with_policy.call({"name": "x"}).activation.body == "one"  # type: ignore[union-attr]
    assert without.call({"name": "x"}).activation.body == "!`echo one`"  # type: ignore[union-attr]


def test_a_model_may_say_something_to_a_skill_where_the_tool_has_room_for_it(
    project: Path,
):
    takes = {"means": "tool", "arguments_name": "args"}
    agent = using("claude-code", activation=takes)
    tool = skill_with("Do $ARGUMENTS", agent, cwd=project).tool()
    assert tool.schema["properties"]["args"] == {
        "type": "string",
        "description": "Optional arguments for the skill",
    }
    assert tool.schema["required"] == ["name"]
    assert tool.call({"name": "x", "args": "this"}).output == "Do this"
    assert asyncio.run(tool.acall({"name": "x", "args": "it"})).output == "Do it"
    assert tool.call({"name": "x", "args": None}).output == "Do "
    assert (
        tool.call({"name": "x", "args": 3}).output == "the argument `args` is not text"
    )
    silent = skill_with("Do $ARGUMENTS", CLAUDE, cwd=project).tool()
    assert "args" not in silent.schema["properties"]
    assert "Do \n" in silent.call({"name": "x", "args": "this"}).output


# --- files --------------------------------------------------------------------------

FILES = {"a.md": "!`touch ran` $0 @b.md\n", "b.md": "b\n", "logo": "\0"}


def reading(
    insert: str, base: str, body: str, cwd: Path, policy: RunPolicy = OPEN
) -> Activation:
    agent = using(
        "claude-code",
        files={"insert": insert, "base": base},
        references={"files": "at-path-unicode"},
    )
    return skill_with(body, agent, cwd=cwd, files=FILES).load("x", policy=policy)


def test_a_file_stands_in_its_place_and_is_never_looked_at_again(project: Path):
    loaded = reading("inline", "skill", "See @a.md and @b.md", project)
    assert loaded.body == "See !`touch ran` $0 @b.md\n and b\n"
    assert loaded.attachments == ()


def test_a_file_that_is_attached_goes_beside_the_text(project: Path):
    body = "See @a.md, @b.md, @a.md and @none.md"
    loaded = reading("attach", "skill", body, project)
    assert loaded.body == body
    assert [(each.path, each.text) for each in loaded.attachments] == [
        ("a.md", FILES["a.md"]),
        ("b.md", "b\n"),
    ]


@pytest.mark.parametrize(
    "path", ["../x/a.md", "/etc/passwd", "~/a", "none.md", "logo", "out.md"]
)
def test_what_is_no_text_of_the_skill_stays_as_it_is_written(project: Path, path: str):
    body = f"See @{path} there"
    assert reading("inline", "skill", body, project).body == body


def test_files_of_the_project_are_read_where_the_policy_opens_it(project: Path):
    (project / "notes.md").write_text("notes")
    (project / "out").symlink_to("/etc/passwd")
    agent = using(
        "claude-code",
        files={"insert": "inline"},
        references={"files": "at-path-unicode"},
    )
    folder = project.parent / "home" / ".agents" / "skills" / "x"
    folder.mkdir(parents=True)
    text = make_skill("x", "Does it", body="@notes.md @out @../home/.agents @ @none")
    (folder / "SKILL.md").write_text(text)
    skills = discover(cwd=project, home=project.parent / "home", dialect=agent)
    loaded = skills.load("x", policy=OPEN)
    assert loaded.body == "notes @out @../home/.agents @ @none"
    shut = replace(OPEN, project=Reach.NONE)
    assert skills.load("x", policy=shut).body.startswith("@notes.md @out")


def test_a_file_of_the_project_that_is_too_large_stays_a_name(
    project: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(attachments, "MAX_RESOURCE", 3)
    agent = using(
        "claude-code",
        files={"insert": "inline"},
        references={"files": "at-path-unicode"},
    )
    skills = skill_with("@large", agent, cwd=project)
    assert isinstance(skills.filesystem, MemoryFileSystem)
    skills.filesystem.write(f"{project}/large", "abcd")
    assert skills.load("x", policy=OPEN).body == "@large"


def test_no_more_files_are_read_than_the_policy_says_and_no_more_of_each(project: Path):
    few = replace(OPEN, limits=Limits(files=1, output=1))
    loaded = reading("attach", "skill", "@b.md @a.md", project, few)
    assert [(each.path, each.text) for each in loaded.attachments] == [("b.md", "b")]
    inline = reading("inline", "skill", "@b.md @a.md", project, few)
    assert inline.body == "b @a.md"


@pytest.mark.parametrize("files", [Insertion.LEFT, Insertion.DISABLED])
def test_a_policy_may_leave_files_alone(project: Path, files: Insertion):
    left = replace(OPEN, files=files)
    assert reading("inline", "skill", "@b.md", project, left).body == "@b.md"


def test_a_skill_that_nobody_trusts_gets_no_files(project: Path):
    agent = using(
        "claude-code",
        files={"insert": "inline", "base": "skill"},
        references={"files": "at-path-unicode"},
    )
    folder = f"{project}/.agents/skills"
    skills = skill_with("@b.md", agent, cwd=project, folder=folder, files=FILES)
    assert skills.load("x", policy=OPEN).body == "@b.md"
