"""Scripts of skills: what is run, for whom, with which bytes."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from metier.api import discover
from metier.core.execution import Backend, Limits, Network, Reach, Sandbox
from metier.core.permission import SCRIPT_PERMISSION
from metier.core.roots import Scope, Trust
from metier.core.script_results import ScriptResult
from metier.errors import NotApproved, ResourceError, RunRefused
from metier.library import Library
from metier.runtime import runs
from metier.runtime.policy import Eligible, RunPolicy
from metier.testing import MemoryFileSystem, make_skill
from metier.world import sandboxes
from tests.inserting import using
from tests.making import library
from tests.trusting import set_scene

# Where a machine has no sandbox, the rest still holds.
ANY = RunPolicy(sandbox=Sandbox.PREFERRED)
OPEN = RunPolicy(sandbox=Sandbox.NONE)
SHOW = """#!/usr/bin/env python3
import json, os, sys
shown = {"argv": sys.argv[1:], "stdin": sys.stdin.read(), "cwd": os.getcwd()}
shown["environment"] = sorted(set(os.environ) - {"LC_CTYPE"})
shown["here"] = sorted(os.listdir(os.path.dirname(__file__)))
print(json.dumps(shown))
"""
FILES = {
    "SKILL.md": make_skill("pdf", "Fills forms"),
    "scripts/show.py": SHOW,
    "scripts/fail.sh": "echo out; echo err >&2; exit 7\n",
    "scripts/plain": "no first line\n",
    "scripts/odd": "#!/nowhere/odd-language\n",
    "notes.md": "# Notes\n",
}


def write(folder: Path) -> None:
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.fixture
def skills(home: Path, project: Path) -> Library:
    """A skill of the user's own."""
    write(home / ".agents" / "skills" / "pdf")
    return discover(cwd=project, home=home)


def shown(result: ScriptResult) -> dict[str, object]:
    assert result.exit_code == 0, result
    return json.loads(result.stdout)


def test_a_script_gets_its_arguments_as_they_are_and_a_bare_environment(
    skills: Library, project: Path
):
    words = ["a b", "$(touch x)", "", "`", "é\n"]
    found = shown(skills.run_script("pdf", "scripts/show.py", words, stdin="food",
                                    policy=ANY))  # fmt: skip
    assert found == {
        "argv": words,
        "stdin": "food",
        "cwd": str(project),
        "environment": sorted({"HOME", "PATH", "PWD", "TMPDIR", *found_here()}),
        "here": ["fail.sh", "odd", "plain", "show.py"],
    }


def found_here() -> set[str]:
    return {
        name for name in ("LANG", "LC_ALL", "LC_CTYPE", "TZ") if name in os.environ
    } - {"LC_CTYPE"}


def test_a_mapping_is_options(skills: Library):
    found = shown(
        skills.run_script("pdf", "scripts/show.py", {"max": 3, "v": True}, policy=ANY)
    )
    assert found["argv"] == ["--max", "3", "-v"]


def test_how_a_script_ended_is_in_its_result(skills: Library):
    result = skills.run_script(skills["pdf"], "./scripts/fail.sh", policy=OPEN)
    expected = ScriptResult(
        skill="pdf",
        script="scripts/fail.sh",
        exit_code=7,
        signal=None,
        stdout_bytes=b"out\n",
        stderr_bytes=b"err\n",
        stdout_is_cut=False,
        stderr_is_cut=False,
        seconds=result.seconds,
        timed_out=False,
        sandbox=Backend.NONE,
    )
    assert result == expected


def test_a_plan_says_what_would_be_run_and_runs_nothing(
    skills: Library, home: Path, project: Path
):
    (home / ".agents/skills/pdf/scripts/make.sh").write_text(
        f"#!/bin/sh\n>{project}/x\n"
    )
    prepared = skills.prepare_script(
        "pdf", "scripts/make.sh", ["a"], stdin="food", policy=OPEN
    )
    plan = prepared.plan
    assert plan.argv == ("/bin/sh", "<skill>/scripts/make.sh", "a")
    assert (plan.cwd, plan.sandbox, plan.stdin_size) == (str(project), Backend.NONE, 4)
    assert {"HOME", "PATH", "PWD", "TMPDIR"} <= set(plan.environment)
    assert plan.confinement.readable == ("<skill>", str(project))
    assert plan.confinement.writable == ("<scratch>",)
    assert not (project / "x").exists()
    assert prepared.run().exit_code == 0
    assert (project / "x").exists()


def test_what_was_prepared_is_what_is_run(skills: Library, home: Path):
    prepared = skills.prepare_script("pdf", "scripts/fail.sh", policy=OPEN)
    (home / ".agents/skills/pdf/scripts/fail.sh").write_text("echo evil\n")
    assert prepared.run().stdout == "out\n"


def test_a_script_runs_off_the_event_loop(skills: Library):
    prepared = skills.prepare_script("pdf", "scripts/fail.sh", policy=OPEN)
    assert asyncio.run(prepared.arun()).exit_code == 7


Start = Callable[[Library], Coroutine[Any, Any, object]]
CALL = {"skill": "pdf", "script": "scripts/long.sh"}
RUNS = {SCRIPT_PERMISSION: {"*": "allow"}}
STARTS: dict[str, Start] = {
    "a script": lambda skills: skills.prepare_script(
        "pdf", "scripts/long.sh", policy=OPEN
    ).arun(),
    "a script of a model": lambda skills: skills.script_tool(
        policy=OPEN, permission=RUNS
    ).acall(CALL),
    "a command of a body": lambda skills: skills.aload("pdf", policy=OPEN),
    "a command for a model": lambda skills: skills.tool(policy=OPEN).acall(
        {"name": "pdf"}
    ),
}


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_what_was_started_ends_when_nobody_waits_for_it_any_more(
    start: Start, home: Path, project: Path
):
    os.mkfifo(project / "pipe")
    commands = f"exec 3>{project}/pipe\necho >&3\nwhile :; do :; done"
    body = f"```!\n{commands}\n```\n"
    write(home / ".agents/skills/pdf")
    (home / ".agents/skills/pdf/SKILL.md").write_text(
        make_skill("pdf", "Fills forms", body=body)
    )
    (home / ".agents/skills/pdf/scripts/long.sh").write_text(commands)
    skills = discover(cwd=project, home=home, dialect=using("claude-code"))
    pipe = os.open(project / "pipe", os.O_RDONLY | os.O_NONBLOCK)

    async def start_and_leave() -> None:
        task = asyncio.ensure_future(start(skills))
        loop, started = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(pipe, started.set)
        await started.wait()
        loop.remove_reader(pipe)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(start_and_leave())
    # The thread is awaited when the loop closes: by then there is nobody left.
    assert os.read(pipe, 9) == b"\n"
    assert os.read(pipe, 9) == b""
    os.close(pipe)


def test_a_run_that_was_given_up_before_it_began_is_ended_at_once(skills: Library):
    prepared = skills.prepare_script("pdf", "scripts/fail.sh", policy=OPEN)
    switch = runs.Switch()
    switch.turn_off()
    result = prepared.run(switch)
    assert (result.signal, result.timed_out) in ((9, False), (None, False))


REFUSED = {
    "scripts/plain": "nothing says how `scripts/plain` is run: it has no `#!` line",
    "scripts/odd": "there is no `odd-language` to run `scripts/odd`",
    "notes.md": "nothing says how `notes.md` is run: it has no `#!` line",
}


@pytest.mark.parametrize("path", REFUSED)
def test_what_nothing_can_run_is_refused(skills: Library, path: str):
    with pytest.raises(RunRefused) as caught:
        skills.prepare_script("pdf", path, policy=OPEN)
    assert str(caught.value) == REFUSED[path]
    assert [each.rule for each in caught.value.diagnostics] == ["run-no-interpreter"]


@pytest.mark.parametrize("path", ["../pdf/scripts/fail.sh", "/bin/sh", "scripts/no.sh"])
def test_what_is_no_file_of_the_skill_is_not_run(skills: Library, path: str):
    with pytest.raises(ResourceError):
        skills.run_script("pdf", path, policy=OPEN)


def test_a_link_that_leads_out_is_not_run(skills: Library, home: Path, world: Path):
    (world / "evil.sh").write_text("echo evil\n")
    (home / ".agents/skills/pdf/scripts/out.sh").symlink_to(world / "evil.sh")
    with pytest.raises(ResourceError, match="it leads out"):
        skills.run_script("pdf", "scripts/out.sh", policy=OPEN)


def test_arguments_that_make_no_sense_are_refused(skills: Library):
    with pytest.raises(RunRefused, match="no program can be given") as caught:
        skills.run_script("pdf", "scripts/fail.sh", ["\0"], policy=OPEN)
    assert caught.value.diagnostics[0].rule == "run-arguments"


def test_where_no_sandbox_works_nothing_is_run(
    skills: Library, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sandboxes, "works", lambda each: each is Backend.NONE)
    with pytest.raises(RunRefused, match="no sandbox works") as caught:
        skills.run_script("pdf", "scripts/fail.sh")
    assert caught.value.diagnostics[0].rule == "run-no-sandbox"
    assert (
        skills.run_script("pdf", "scripts/fail.sh", policy=ANY).sandbox is Backend.NONE
    )


def test_a_sandbox_that_fails_runs_nothing(
    skills: Library, monkeypatch: pytest.MonkeyPatch
):
    broken = sandboxes.Jail(strict_filter=b"\0" * 8)
    monkeypatch.setattr(sandboxes, "build_jail", lambda *_: broken)
    with pytest.raises(RunRefused, match=r"cannot be put up \(seccomp\)") as caught:
        skills.run_script("pdf", "scripts/fail.sh", policy=OPEN)
    assert caught.value.diagnostics[0].rule == "run-no-sandbox"


def test_a_program_that_cannot_be_started_is_a_refusal(skills: Library, tmp_path: Path):
    gone = RunPolicy(sandbox=Sandbox.NONE, cwd=f"{tmp_path}/none")
    with pytest.raises(RunRefused, match="cannot be started: no such file"):
        skills.run_script("pdf", "scripts/fail.sh", policy=gone)


# --- what a policy opens ------------------------------------------------------------

REACH = """
for name in "$@"; do
  cat "$name" >/dev/null 2>&1 && echo "read $name"
  { echo x >>"$name"; } 2>/dev/null && echo "write $name"
done
pwd
"""


def reached(skills: Library, policy: RunPolicy, *paths: Path) -> set[str]:
    words = [str(path) for path in paths]
    result = skills.run_script("pdf", "scripts/reach.sh", words, policy=policy)
    return set(result.stdout.splitlines())


def test_a_policy_opens_the_project_and_other_folders(
    skills: Library, home: Path, project: Path, world: Path
):
    (home / ".agents/skills/pdf/scripts/reach.sh").write_text(REACH)
    files = (project / "a", world / "b", home / "c")
    for each in files:
        each.write_text("x")
    in_project, beside, in_home = files
    if runs.choose_backend(Sandbox.REQUIRED) is None:
        return  # another test says that nothing is run
    found = reached(skills, RunPolicy(), *files)
    assert found == {f"read {in_project}", str(project)}
    found = reached(skills, RunPolicy(project=Reach.NONE), *files)
    assert len(found) == 1
    assert found.isdisjoint({str(project)})
    writing = RunPolicy(project=Reach.WRITE, readable=("../b",), cwd="~/.agents",
                        writable=("~/c",))  # fmt: skip
    assert reached(skills, writing, *files) == {
        f"read {in_project}",
        f"write {in_project}",
        f"read {beside}",
        f"read {in_home}",
        f"write {in_home}",
        str(home / ".agents"),
    }


def test_a_home_folder_is_no_project(home: Path):
    write(home / ".agents" / "skills" / "pdf")
    skills = discover(cwd=home, home=home)
    plan = skills.prepare_script("pdf", "scripts/fail.sh", policy=OPEN).plan
    assert (plan.cwd, plan.confinement.readable) == ("<scratch>", ("<skill>",))


def test_without_a_home_folder_a_project_is_one(project: Path):
    write(project / ".agents" / "skills" / "pdf")
    policy = RunPolicy(sandbox=Sandbox.NONE, eligible=Eligible.ALL)
    skills = discover(cwd=project, variables={})
    plan = skills.prepare_script("pdf", "scripts/fail.sh", policy=policy).plan
    assert plan.cwd == str(project)


def test_a_scratch_folder_may_stay(skills: Library, home: Path, tmp_path: Path):
    script = "echo made >$TMPDIR/made; echo $HOME\n"
    (home / ".agents/skills/pdf/scripts/make.sh").write_text(script)
    policy = RunPolicy(sandbox=Sandbox.PREFERRED, scratch=str(tmp_path))
    result = skills.run_script("pdf", "scripts/make.sh", policy=policy)
    assert (result.stdout, (tmp_path / "made").read_text()) == (
        f"{tmp_path}\n",
        "made\n",
    )


def test_secrets_do_not_come_out(
    skills: Library, home: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SOME_API_KEY", "swordfish")
    script = 'echo swordfish; echo "$GIVEN_TOKEN" >&2; echo hidden-phrase\n'
    (home / ".agents/skills/pdf/scripts/tell.sh").write_text(script)
    policy = RunPolicy(
        sandbox=Sandbox.NONE,
        settings={"GIVEN_TOKEN": "tunafish"},
        secrets=("hidden-phrase",),
    )
    result = skills.run_script("pdf", "scripts/tell.sh", policy=policy)
    assert (result.stdout, result.stderr) == ("[secret]\n[secret]\n", "[secret]\n")
    assert "tunafish" not in repr(policy)
    assert "hidden-phrase" not in repr(policy)


def test_a_secret_at_the_edge_of_what_is_shown_is_taken_out(
    skills: Library, home: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SOME_API_KEY", "swordfish")
    (home / ".agents/skills/pdf/scripts/tell.sh").write_text("echo 12345swordfish\n")
    policy = RunPolicy(sandbox=Sandbox.NONE, limits=Limits(output=10))
    result = skills.run_script("pdf", "scripts/tell.sh", policy=policy)
    assert (result.stdout, result.stdout_is_cut) == ("12345[secr", True)


def test_a_network_is_opened_by_the_policy(skills: Library):
    policy = RunPolicy(sandbox=Sandbox.NONE, network=Network.ALL)
    plan = skills.prepare_script("pdf", "scripts/fail.sh", policy=policy).plan
    assert plan.as_json()["network"] == "all"


# --- who may run something ----------------------------------------------------------


def test_a_skill_of_a_project_runs_nothing_before_somebody_trusts_it(tmp_path: Path):
    scene = set_scene(tmp_path)
    skills = discover(cwd=scene.project, home=tmp_path / "home")
    with pytest.raises(RunRefused, match="nobody trusts") as caught:
        skills.run_script("pdf", "scripts/fill.py", policy=OPEN)
    assert caught.value.diagnostics[0].rule == "run-untrusted"
    trusting = RunPolicy(sandbox=Sandbox.NONE, eligible=Eligible.ALL)
    assert (
        skills.run_script("pdf", "scripts/fill.py", policy=trusting).stdout == "fill\n"
    )


def test_what_a_person_approved_runs_with_the_bytes_that_were_approved(tmp_path: Path):
    scene = set_scene(tmp_path)
    skills = scene.trust_all()
    assert skills.run_script("pdf", "scripts/fill.py", policy=OPEN).stdout == "fill\n"
    prepared = skills.prepare_script("pdf", "scripts/fill.py", policy=OPEN)
    (scene.skill / "scripts" / "lib" / "pages.py").write_text("PAGES = 2\n")
    assert prepared.run().stdout == "fill\n"
    with pytest.raises(NotApproved):
        skills.run_script("pdf", "scripts/fill.py", policy=OPEN)


def test_what_was_approved_runs_in_a_library_without_a_gate_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    state = tmp_path / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    scene = set_scene(tmp_path)
    scene.trust_all()
    skills = discover(cwd=scene.project, variables=dict(os.environ))
    assert skills.gate is None
    assert skills.run_script("pdf", "scripts/fill.py", policy=OPEN).stdout == "fill\n"


def test_trust_in_a_folder_is_enough_where_that_is_the_mode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    scene = set_scene(tmp_path)
    scene.trust_all()
    skills = discover(
        cwd=scene.project, variables=dict(os.environ), trust=Trust.WORKSPACE
    )
    (scene.skill / "scripts" / "fill.py").write_text("print('new')\n")
    assert skills.run_script("pdf", "scripts/fill.py", policy=OPEN).stdout == "new\n"


def test_a_scope_can_be_left_out(skills: Library):
    policy = RunPolicy(sandbox=Sandbox.NONE, scopes=frozenset((Scope.SYSTEM,)))
    with pytest.raises(RunRefused, match="skills of the user run nothing") as caught:
        skills.run_script("pdf", "scripts/fail.sh", policy=policy)
    assert caught.value.diagnostics[0].rule == "run-out-of-scope"


def test_a_skill_that_cannot_be_copied_runs_nothing(skills: Library, home: Path):
    (home / ".agents/skills/pdf/SKILL.md").unlink()
    (home / ".agents/skills/pdf").rename(home / "moved")
    with pytest.raises(RunRefused, match="cannot be copied: no such file") as caught:
        skills.run_script("pdf", "scripts/fail.sh", policy=OPEN)
    assert caught.value.diagnostics[0].rule == "run-unbound"


def test_skills_that_lie_in_memory_run_too():
    top = "/home/.agents/skills/pdf"
    files = {f"{top}/{name}": text for name, text in FILES.items()}
    skills = library(MemoryFileSystem(files))
    policy = RunPolicy(sandbox=Sandbox.NONE, project=Reach.NONE)
    assert skills.run_script("pdf", "scripts/fail.sh", policy=policy).exit_code == 7
