"""Programs are started, heard out, and ended with all that came of them."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from metier.core.execution import Backend, Confinement, Ending, Limits, Sandbox
from metier.world import bubblewrap, processes, sandboxes
from metier.world.hearing import MARGIN
from metier.world.processes import Jail, LaunchFailed, Run
from metier.world.sandboxes import build_jail, choose_backend, start, works
from tests.running import HERE, getaway, shell_order


@pytest.fixture(params=HERE, ids=lambda each: each.value)
def backend(request: pytest.FixtureRequest) -> Backend:
    return request.param


def test_a_program_says_how_it_ended(backend: Backend, tmp_path: Path):
    script = 'cat; echo "$#:$1:$2"; echo oh >&2; pwd; exit 3'
    order = shell_order(script, "a b", "$(x)", folder=tmp_path, stdin=b"food\n")
    outcome = start(order, backend).finish()
    assert replace(outcome, seconds=0.0) == Ending(
        exit_code=3,
        signal=None,
        stdout=f"food\n2:a b:$(x)\n{tmp_path}\n".encode(),
        stderr=b"oh\n",
        stdout_is_cut=False,
        stderr_is_cut=False,
        seconds=0.0,
        timed_out=False,
        backend=backend,
    )
    assert 0 < outcome.seconds < 60


def test_a_program_that_a_signal_ended_has_no_exit_code(tmp_path: Path):
    outcome = start(shell_order("kill -9 $$", folder=tmp_path), Backend.NONE).finish()
    assert (outcome.exit_code, outcome.signal) == (None, signal.SIGKILL)


def test_the_environment_of_a_program_is_the_one_that_was_ordered(
    backend: Backend, tmp_path: Path
):
    order = shell_order("exec env -0", folder=tmp_path)
    variables = {
        "PATH": "/usr/bin:/bin",
        "A": "1\n2",
        "B": "\udcff",
        "PWD": str(tmp_path),
    }
    outcome = start(replace(order, environment=variables), backend).finish()
    found = dict(each.split(b"=", 1) for each in outcome.stdout.split(b"\0") if each)
    # A shell counts itself, and tells the command its own path.
    for name in (b"SHLVL", b"_", b"OLDPWD"):
        found.pop(name, None)
    assert found == {os.fsencode(k): os.fsencode(v) for k, v in variables.items()}


def test_what_is_fed_may_be_longer_than_a_pipe_and_need_not_be_eaten(tmp_path: Path):
    food = b"x" * 1_000_000
    order = shell_order("wc -c", folder=tmp_path, stdin=food)
    assert start(order, Backend.NONE).finish().stdout.strip() == b"1000000"
    order = shell_order("exec 0<&-; echo done", folder=tmp_path, stdin=food)
    assert start(order, Backend.NONE).finish().stdout == b"done\n"


def test_an_output_is_cut_and_read_to_its_end(tmp_path: Path):
    script = "head -c 300000 /dev/zero; head -c 100 /dev/zero >&2; echo $? >done"
    order = shell_order(script, folder=tmp_path, output=100)
    outcome = start(order, Backend.NONE).finish()
    assert outcome.exit_code == 0
    assert (len(outcome.stdout), len(outcome.stderr)) == (100 + MARGIN, 100)
    assert (outcome.stdout_is_cut, outcome.stderr_is_cut) == (True, False)
    assert (tmp_path / "done").read_text() == "0\n"


def test_what_takes_too_long_is_ended(backend: Backend, tmp_path: Path):
    order = shell_order("echo on; while :; do :; done", folder=tmp_path, seconds=0.3)
    outcome = start(order, backend).finish()
    assert (outcome.timed_out, outcome.signal) == (True, signal.SIGKILL)
    assert 0.3 <= outcome.seconds < 10


def test_what_a_program_leaves_behind_ends_with_it(backend: Backend, tmp_path: Path):
    with getaway(tmp_path, backend, then="go") as gone:
        assert gone.run.finish().exit_code == 0
        assert gone.is_over()


def test_what_got_away_from_a_program_is_ended_as_well(
    backend: Backend, tmp_path: Path
):
    with getaway(tmp_path, backend, then="stay") as gone:
        gone.wait()
        assert not gone.is_over()
        gone.run.stop()
        gone.run.stop()  # once is enough
        outcome = gone.run.finish()
        assert gone.is_over()
    assert (outcome.timed_out, outcome.exit_code) == (False, None)


def test_what_cannot_be_started_says_why(tmp_path: Path):
    order = replace(shell_order("", folder=tmp_path), program=f"{tmp_path}/none/sh")
    with pytest.raises(LaunchFailed, match="No such file or directory") as caught:
        start(order, Backend.NONE).finish()
    assert caught.value.stage == "start"
    far = replace(order, program="/bin/sh", cwd=f"{tmp_path}/none")
    with pytest.raises(LaunchFailed, match="No such file"):
        start(far, Backend.NONE).finish()
    long = shell_order("", "x" * 200_000, folder=tmp_path)
    with pytest.raises(LaunchFailed, match="Argument list too long"):
        start(long, Backend.NONE).finish()


def test_a_sandbox_that_cannot_be_put_up_lets_nothing_run(tmp_path: Path):
    order = shell_order("echo ran > ran", folder=tmp_path)
    nonsense = Jail(landlock=((1 << 60, 0, 0), []))
    with pytest.raises(LaunchFailed) as caught:
        Run(order, nonsense).finish()
    assert caught.value.stage == "landlock"
    with pytest.raises(LaunchFailed) as caught:
        Run(order, Jail(strict_filter=b"\0" * 8)).finish()
    assert caught.value.stage == "seccomp"
    assert not (tmp_path / "ran").exists()


def test_a_launcher_that_is_gone_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(processes, "_START", "import os; os._exit(0)")
    with pytest.raises(LaunchFailed, match="the launcher is gone"):
        start(shell_order("", folder=tmp_path), Backend.NONE).finish()


def test_a_launcher_that_says_nothing_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(processes, "_START", "import signal; signal.pause()")
    monkeypatch.setattr(processes, "GRACE", 0.05)
    order = shell_order("", folder=tmp_path, seconds=0.05)
    with pytest.raises(LaunchFailed, match="the launcher is gone"):
        start(order, Backend.NONE).finish()


def test_a_program_that_was_frozen_is_no_interpreter(monkeypatch: pytest.MonkeyPatch):
    processes.find_interpreter.cache_clear()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert "python" in os.path.basename(processes.find_interpreter())
    processes.find_interpreter.cache_clear()
    monkeypatch.setenv("PATH", "")
    with pytest.raises(LaunchFailed, match="there is no Python"):
        processes.find_interpreter()


# --- which sandbox ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "working", "expected"),
    [
        (Sandbox.NONE, {Backend.LANDLOCK}, Backend.NONE),
        (Sandbox.REQUIRED, {Backend.LANDLOCK, Backend.BUBBLEWRAP}, Backend.LANDLOCK),
        (Sandbox.REQUIRED, {Backend.BUBBLEWRAP}, Backend.BUBBLEWRAP),
        (Sandbox.REQUIRED, set[Backend](), None),
        (Sandbox.PREFERRED, {Backend.BUBBLEWRAP}, Backend.BUBBLEWRAP),
        (Sandbox.PREFERRED, set[Backend](), Backend.NONE),
    ],
)
def test_the_first_sandbox_that_works_is_taken_and_none_only_where_that_is_wanted(
    monkeypatch: pytest.MonkeyPatch,
    wanted: Sandbox,
    working: set[Backend],
    expected: Backend | None,
):
    monkeypatch.setattr(sandboxes, "works", lambda each: each in working)
    assert choose_backend(wanted) is expected


def test_no_backend_is_never_a_sandbox():
    assert choose_backend(Sandbox.REQUIRED, (Backend.NONE,)) is None
    assert works(Backend.NONE)


def test_a_machine_whose_calls_are_not_known_has_no_sandbox(
    monkeypatch: pytest.MonkeyPatch,
):
    name = os.uname()
    odd = os.uname_result((name[0], name[1], name[2], name[3], "vax"))
    monkeypatch.setattr(os, "uname", lambda: odd)
    assert [works(each) for each in Backend] == [False, False, True]


def test_a_kernel_that_is_too_old_has_no_landlock(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sandboxes, "find_version", lambda: 5)
    assert not works(Backend.LANDLOCK)


def test_a_bubblewrap_that_does_not_work_is_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    bubblewrap.find_bubblewrap.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert bubblewrap.find_bubblewrap() is None
    (tmp_path / "bwrap").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    bubblewrap.find_bubblewrap.cache_clear()
    assert bubblewrap.find_bubblewrap() is None
    (tmp_path / "bwrap").write_text("no program")
    bubblewrap.find_bubblewrap.cache_clear()
    assert bubblewrap.find_bubblewrap() is None
    with pytest.raises(LaunchFailed):
        build_jail(shell_order("", folder=tmp_path), Backend.BUBBLEWRAP)
    bubblewrap.find_bubblewrap.cache_clear()


def test_a_bubblewrap_that_fails_later_is_no_answer_of_the_script(tmp_path: Path):
    front = tmp_path / "bwrap"
    front.write_text("#!/bin/sh\necho 'bwrap: no mounts here' >&2\nexit 1\n")
    front.chmod(0o755)
    words = (str(front), "{filter}")
    passed = {"filter": b"", "is_filter_passed": True}
    jail = Jail(backend=Backend.BUBBLEWRAP, prefix=words, **passed)
    with pytest.raises(LaunchFailed, match="no mounts here") as caught:
        Run(shell_order("", folder=tmp_path), jail).finish()
    assert caught.value.stage == "bubblewrap"


def test_what_stands_in_front_of_a_command_is_taken_literally(tmp_path: Path):
    folder = tmp_path / "{filter}"
    folder.mkdir()
    order = shell_order("", folder=folder)
    words = [each.format(filter=7) for each in bubblewrap.build_prefix("bwrap", order)]
    assert words[-3:] == ["--seccomp", "7", "--"]
    assert words[words.index("--bind-try") + 1] == str(folder)


def test_limits_are_bounds_of_the_kernel(backend: Backend, tmp_path: Path):
    script = "ulimit -t; ulimit -v; ulimit -f; ulimit -n; ulimit -c"
    order = shell_order(script, folder=tmp_path)
    limits = Limits(seconds=7.5, memory=2**30, file_size=2**20, open_files=99)
    outcome = start(replace(order, limits=limits), backend).finish()
    assert outcome.stdout.split() == [b"8", b"1048576", b"2048", b"99", b"0"]


def test_a_program_may_have_more_folders_than_its_own(backend: Backend, tmp_path: Path):
    read, write, hidden = (tmp_path / name for name in ("read", "write", "hidden"))
    for folder in (read, write, hidden):
        folder.mkdir()
        (folder / "x").write_text(folder.name)
    confinement = Confinement(readable=(str(read),), writable=(str(write),))
    script = (
        'cat "$1/read/x" "$1/hidden/x"; echo new >"$1/write/x"; echo n >"$1/read/x"'
    )
    order = shell_order(script, str(tmp_path), folder=write)
    outcome = start(replace(order, confinement=confinement), backend).finish()
    is_free = backend is Backend.NONE
    assert outcome.stdout == (b"readhidden" if is_free else b"read")
    assert (write / "x").read_text() == "new\n"
    assert (read / "x").read_text() == ("n\n" if is_free else "read")
