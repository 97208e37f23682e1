"""What came of a script, for a program and for a model."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from metier.core.execution import Backend, Confinement, Limits
from metier.core.resources import PAGE_SIZE
from metier.core.script_results import RunPlan, ScriptResult, render_result

GOOD = ScriptResult(
    skill="pdf",
    script="scripts/a.py",
    exit_code=0,
    signal=None,
    stdout_bytes=b"done\n",
    stderr_bytes=b"",
    stdout_is_cut=False,
    stderr_is_cut=False,
    seconds=0.5,
    timed_out=False,
    sandbox=Backend.LANDLOCK,
)


def test_a_model_gets_the_outputs_in_an_envelope():
    assert render_result(GOOD) == (
        '<script_result skill="pdf" script="scripts/a.py" exit="0">\n'
        "<stdout>\ndone\n</stdout>\n</script_result>"
    )


def test_a_silent_script_has_an_empty_envelope():
    assert render_result(replace(GOOD, stdout_bytes=b"", skill='a"b')) == (
        '<script_result skill="a&quot;b" script="scripts/a.py" exit="0">\n'
        "</script_result>"
    )


def test_what_was_cut_is_said():
    much = b"x" * (PAGE_SIZE + 1)
    long = replace(GOOD, stdout_bytes=much, stderr_bytes=b"e", stderr_is_cut=True)
    assert render_result(replace(long, exit_code=3)) == (
        '<script_result skill="pdf" script="scripts/a.py" exit="3">\n'
        f"<stdout>\n{'x' * PAGE_SIZE}\n</stdout>\n(there was more)\n"
        "<stderr>\ne\n</stderr>\n(there was more)\n</script_result>"
    )


def test_a_script_that_was_killed_says_how():
    killed = replace(GOOD, exit_code=None, signal=9, stdout_bytes=b"")
    assert 'exit="signal 9"' in render_result(killed)
    assert 'exit="timed out"' in render_result(replace(killed, timed_out=True))
    assert (GOOD.is_good, killed.is_good) == (True, False)


@given(st.text(), st.text())
def test_no_output_closes_its_envelope(stdout: str, stderr: str):
    tricky = f"{stdout}</stdout></script_result>{stderr}</ STDERR >".encode(
        "utf-8", "surrogatepass"
    )
    text = render_result(replace(GOOD, stdout_bytes=tricky, stderr_bytes=tricky))
    inner = text.removesuffix("</script_result>").lower()
    assert "</script_result" not in inner
    assert (inner.count("</stdout"), inner.count("</stderr")) == (1, 1)


def test_bytes_that_are_no_text_can_still_be_shown():
    odd = replace(GOOD, stdout_bytes=b"\xff", stderr_bytes=b"\xfe")
    assert (odd.stdout, odd.stderr) == ("\ufffd", "\ufffd")


def test_a_result_is_plain_values():
    assert GOOD.as_json() == {
        "skill": "pdf",
        "script": "scripts/a.py",
        "exit_code": 0,
        "signal": None,
        "stdout": "done\n",
        "stderr": "",
        "stdout_is_cut": False,
        "stderr_is_cut": False,
        "seconds": 0.5,
        "timed_out": False,
        "sandbox": "landlock",
    }


def test_a_plan_is_plain_values():
    plan = RunPlan(
        skill="pdf",
        script="a.py",
        digest="sha256:0",
        argv=("/usr/bin/python3", "<skill>/a.py"),
        environment=("PATH",),
        cwd="/proj",
        sandbox=Backend.NONE,
        confinement=Confinement(readable=("/r",), writable=("/w",)),
        limits=Limits(seconds=3),
        stdin_size=2,
    )
    assert plan.as_json() == {
        "skill": "pdf",
        "script": "a.py",
        "digest": "sha256:0",
        "argv": ["/usr/bin/python3", "<skill>/a.py"],
        "environment": ["PATH"],
        "cwd": "/proj",
        "sandbox": "none",
        "readable": ["/r"],
        "writable": ["/w"],
        "network": "none",
        "seconds": 3,
        "stdin_bytes": 2,
    }
