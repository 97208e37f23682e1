"""Running a program: started by the launcher, heard out, and ended in time."""

from __future__ import annotations

import marshal
import os
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from shutil import which
from threading import Lock
from typing import Any

from metier.core.execution import Backend, Ending, Limits, Order
from metier.core.record import record
from metier.world.hearing import Ear

# The launcher ends what takes too long; this is for the case that it cannot.
GRACE = 5.0


class LaunchFailed(OSError):
    """The program was not run; `stage` says what did not work."""

    def __init__(self, stage: str, number: int, reason: str | None = None) -> None:
        super().__init__(number, reason or os.strerror(number))
        self.stage = stage


@record
class Jail:
    """A backend, and what it takes: the launcher's part, and a program in front."""

    backend: Backend = Backend.NONE
    landlock: tuple[Any, ...] | None = None
    filter: bytes | None = None
    strict_filter: bytes | None = None
    prefix: tuple[str, ...] = ()
    is_filter_passed: bool = False
    in_namespace: bool = False


class Run:
    """A program that is running: `finish` hears it out, `stop` ends it now."""

    def __init__(self, order: Order, jail: Jail) -> None:
        self._limits = order.limits
        self._jail = jail
        self._lock = Lock()
        self._start = time.monotonic()
        passed = _filter_pipe(jail)
        message = _message(order, jail, passed)
        control, self._control = os.pipe()
        self._report, report = os.pipe()
        try:
            self._process = _launch((control, report, *passed))
        except OSError:
            os.close(self._control)
            os.close(self._report)
            raise
        finally:
            for each in (control, report, *passed):
                os.close(each)
        self._tell(message)
        self._ear = Ear(self._process, order.stdin, order.limits.output)

    def _tell(self, message: bytes) -> None:
        # The launcher reads before it does anything else.
        with suppress(BrokenPipeError):
            while message:
                message = message[os.write(self._control, message) :]

    def stop(self) -> None:
        """End it, and everything that came of it; for any thread."""
        with self._lock:
            if self._control >= 0:
                os.close(self._control)
            self._control = -1

    def finish(self) -> Ending:
        """What became of it; `LaunchFailed` where it was not run."""
        try:
            deadline = self._start + self._limits.seconds + GRACE
            said = self._ear.hear(self._report, deadline)
        finally:
            self.stop()
            self._bury()
        return self._outcome(said)

    def _bury(self) -> None:
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        finally:
            os.close(self._report)
            self._ear.close()

    def _outcome(self, said: list[str]) -> Ending:
        match said:
            case ["ended", status, seconds, is_late]:
                return self._ended(int(status), float(seconds), is_late == "1")
            case ["failed", stage, number]:
                raise LaunchFailed(stage, int(number))
            case _:
                raise LaunchFailed("launcher", 0, "the launcher is gone")

    def _ended(self, status: int, seconds: float, is_late: bool) -> Ending:  # noqa: FBT001
        code = os.waitstatus_to_exitcode(status)
        stdout, stderr = self._ear.stdout, self._ear.stderr
        if self._jail.prefix and code == 1 and stderr.data.startswith(b"bwrap: "):
            reason = stderr.data.decode("utf-8", "replace").strip()
            raise LaunchFailed("bubblewrap", 0, reason)
        return Ending(
            exit_code=code if code >= 0 else None,
            signal=-code if code < 0 else None,
            stdout=bytes(stdout.data),
            stderr=bytes(stderr.data),
            stdout_is_cut=stdout.is_cut,
            stderr_is_cut=stderr.is_cut,
            seconds=seconds,
            timed_out=is_late,
            backend=self._jail.backend,
        )


# --- the launcher -------------------------------------------------------------------

# By a path behind those of the standard library, so that it is compiled only once.
_START = (
    f"import sys; sys.path.append({str(Path(__file__).parent)!r})\n"
    # The report is all there is to say: an interpreter that tidies up first takes a
    # tenth longer.
    "import launcher; launcher.main(); launcher.os._exit(0)"
)


def _launch(passed: tuple[int, ...]) -> subprocess.Popen[bytes]:
    control, report, *_ = passed
    command = [find_interpreter(), "-I", "-S", "-c", _START]
    command += [str(control), str(report)]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=passed,
        cwd="/",
        env=_bare_environment(),
        start_new_session=True,
        bufsize=0,
    )


@cache
def find_interpreter() -> str:
    """The Python with which the launcher is started."""
    # A program that was frozen is no interpreter.
    own = None if getattr(sys, "frozen", False) else sys.executable
    found = own or which("python3")
    if not found:
        raise LaunchFailed("launcher", 2, "there is no Python to start it with")
    return found


def _bare_environment() -> dict[str, str]:
    """What an interpreter may need in order to find its libraries."""
    names = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
    return {name: os.environ[name] for name in names if name in os.environ}


def _filter_pipe(jail: Jail) -> tuple[int, ...]:
    """A pipe with the filter in it, for a program in front that applies it."""
    if not jail.is_filter_passed or jail.filter is None:
        return ()
    reading, writing = os.pipe()
    os.write(writing, jail.filter)
    os.close(writing)
    return (reading,)


def _message(order: Order, jail: Jail, passed: tuple[int, ...]) -> bytes:
    """The order, as the launcher reads it."""
    argv = list(order.argv)
    program = order.program
    if jail.prefix:
        front = [each.format(filter=passed[0]) for each in jail.prefix]
        program, argv = front[0], [*front, program, *argv[1:]]
    value = {
        "program": os.fsencode(program),
        "argv": [os.fsencode(each) for each in argv],
        "environment": {
            os.fsencode(name): os.fsencode(each)
            for name, each in order.environment.items()
        },
        "cwd": os.fsencode(order.cwd),
        "seconds": order.limits.seconds,
        "limits": _rlimits(order.limits),
        "processes": order.limits.processes,
        "namespaces": jail.in_namespace,
        "landlock": jail.landlock,
        "writable": [os.fsencode(path) for path in order.confinement.writable],
        "filter": None if jail.is_filter_passed else jail.filter,
        "strict_filter": None if jail.is_filter_passed else jail.strict_filter,
        "kept": list(passed),
    }
    data = marshal.dumps(value)
    return len(data).to_bytes(4, "big") + data


def _rlimits(limits: Limits) -> list[tuple[int, int]]:
    import resource

    return [
        (resource.RLIMIT_CPU, int(limits.seconds) + 1),
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_FSIZE, limits.file_size),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_CORE, 0),
    ]
