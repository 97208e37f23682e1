"""What would be run for a skill, and what came of it, as values and for a model."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from metier.core.envelope import close_proof
from metier.core.escaping import escape_xml
from metier.core.execution import Backend, Confinement, Limits
from metier.core.record import record
from metier.core.resources import PAGE_SIZE

# How the folders that are made for a run are called before they are made.
SKILL_COPY, SCRATCH = "<skill>", "<scratch>"


@record
class RunPlan:
    """Exactly what would be run.

    `<skill>` is the copy of the skill for this run, `<scratch>` where it may write.
    """

    skill: str
    script: str
    digest: str
    argv: tuple[str, ...]
    environment: tuple[str, ...]
    cwd: str
    sandbox: Backend
    confinement: Confinement
    limits: Limits = field(default_factory=Limits)
    stdin_size: int = 0

    def as_json(self) -> dict[str, Any]:
        """The plan as plain values."""
        return {
            "skill": self.skill,
            "script": self.script,
            "digest": self.digest,
            "argv": list(self.argv),
            "environment": list(self.environment),
            "cwd": self.cwd,
            "sandbox": self.sandbox.value,
            "readable": list(self.confinement.readable),
            "writable": list(self.confinement.writable),
            "network": self.confinement.network.value,
            "seconds": self.limits.seconds,
            "stdin_bytes": self.stdin_size,
        }


@record
class ScriptResult:
    """What came of a script; one that was killed has a `signal` and no `exit_code`.

    `sandbox` is the one that held it. `stdout` and `stderr` are text, in which what is
    no UTF-8 has become U+FFFD; the bytes are there as well.
    """

    skill: str
    script: str
    exit_code: int | None
    signal: int | None
    stdout_bytes: bytes
    stderr_bytes: bytes
    stdout_is_cut: bool
    stderr_is_cut: bool
    seconds: float
    timed_out: bool
    sandbox: Backend

    @property
    def stdout(self) -> str:
        return self.stdout_bytes.decode("utf-8", "replace")

    @property
    def stderr(self) -> str:
        return self.stderr_bytes.decode("utf-8", "replace")

    @property
    def is_good(self) -> bool:
        """Whether it ended by itself and says that all is well."""
        return self.exit_code == 0

    def as_json(self) -> dict[str, Any]:
        """The result as plain values."""
        return {
            "skill": self.skill,
            "script": self.script,
            "exit_code": self.exit_code,
            "signal": self.signal,
            "stdout": self.stdout,
            "stderr": self.stderr,
            "stdout_is_cut": self.stdout_is_cut,
            "stderr_is_cut": self.stderr_is_cut,
            "seconds": self.seconds,
            "timed_out": self.timed_out,
            "sandbox": self.sandbox.value,
        }


_TAG = "script_result"


def render_result(result: ScriptResult) -> str:
    """What a model gets to read: both outputs in an envelope that they cannot close."""
    end = "timed out" if result.timed_out else f"signal {result.signal}"
    if result.exit_code is not None:
        end = str(result.exit_code)
    head = (
        f'<{_TAG} skill="{_attribute(result.skill)}" '
        f'script="{_attribute(result.script)}" exit="{end}">'
    )
    parts = [head, *_shown("stdout", result.stdout, is_cut=result.stdout_is_cut)]
    parts += _shown("stderr", result.stderr, is_cut=result.stderr_is_cut)
    return "\n".join((*parts, f"</{_TAG}>"))


def _shown(name: str, text: str, *, is_cut: bool) -> list[str]:
    if not text:
        return []
    page = text[:PAGE_SIZE]
    cut = ["(there was more)"] if is_cut or len(page) < len(text) else []
    for tag in (_TAG, "stdout", "stderr"):
        page = close_proof(page, tag)
    return [f"<{name}>", page.removesuffix("\n"), f"</{name}>", *cut]


def _attribute(text: str) -> str:
    return escape_xml(text).replace("\n", "&#10;")
