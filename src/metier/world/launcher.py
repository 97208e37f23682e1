"""What is started for each program: takes rights away, starts it, and ends all of it.

This file runs by itself, in an interpreter of its own, and imports nothing of metier.
It has one thread, which forks: one half takes away what the order says and becomes the
program; the other half stays, and waits. Whatever the program leaves behind becomes a
child of the one who waits, whatever it did to get away, or it lives in a namespace that
ends with its first process.

The order comes through a pipe that stays open: who closes it wants an end.
"""

from __future__ import annotations

import ctypes
import marshal
import os
import resource
import select
import sys
import time

# Neither `typing` nor the enumerations of `signal`: each takes as long to load as all
# the rest here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from typing import Any, NoReturn

    Order = dict[str, Any]
else:
    import _signal as signal

_SET_DEATH_SIGNAL, _SET_FILTER, _FILTER_MODE, _DROP_FROM_BOUNDS = 1, 22, 2, 24
_SET_SUBREAPER, _SET_NO_NEW_PRIVILEGES, _AMBIENT, _CLEAR_ALL = 36, 38, 47, 4
_NEW_USERS, _NEW_PROCESSES = 0x1000_0000, 0x2000_0000
_NEW_MOUNTS, _BE_SLAVES, _BIND = 0x0002_0000, 0x4000 | 1 << 19, 0x1000 | 0x4000
_SET_MOUNT, _HERE, _AND_BELOW, _READ_ONLY = 442, -100, 0x8000, 1
_CREATE_RULESET, _ADD_RULE, _RESTRICT = 444, 445, 446
# What a person called root needs in order to use its own files, and no more: chown,
# dac_override, fowner, fsetid.
_KEPT = frozenset((0, 1, 3, 4))
_LAST_CAPABILITY = 63
# Some die faster than anybody can bury them: the child comes first.
_AT_A_TIME = 100
# A link to what is not there is no reason to give up, a path through a file neither.
_NOT_THERE = (2, 13, 20, 40)

libc = ctypes.CDLL(None, use_errno=True)


class Failure(Exception):
    """A step that did not work: the program is not run."""

    def __init__(self, stage: str, number: int) -> None:
        super().__init__(stage, number)
        self.stage = stage
        self.number = number


def main() -> None:
    """Read the order, follow it, and say in one line what became of it."""
    control, report = int(sys.argv[1]), int(sys.argv[2])
    order = _read(control)
    try:
        line = _follow(order, control)
    except Failure as failure:
        line = f"failed {failure.stage} {failure.number}"
    except OSError as error:
        line = f"failed launcher {error.errno}"
    os.write(report, line.encode())


def _read(control: int) -> Order:
    size = int.from_bytes(_read_exactly(control, 4), "big")
    return marshal.loads(_read_exactly(control, size))  # noqa: S302, from its parent


def _read_exactly(control: int, size: int) -> bytes:
    data = b""
    while len(data) < size:
        chunk = os.read(control, size - len(data))
        if not chunk:
            sys.exit(1)
        data += chunk
    return data


# --- the half that waits ------------------------------------------------------------


def _follow(order: Order, control: int) -> str:
    if sys.platform == "linux":
        _check("launcher", libc.prctl(_SET_SUBREAPER, 1, 0, 0, 0))
    order["group"] = _make_group(order["processes"])
    if order["namespaces"]:
        order["namespaces"] = _enter_namespace(order)
    if "others" not in order:
        order["others"] = _count_others()
    bell, ringer = os.pipe()
    os.set_blocking(ringer, False)
    signal.signal(signal.SIGCHLD, _hear)
    signal.set_wakeup_fd(ringer, warn_on_full_buffer=False)
    ear, mouth = os.pipe()
    start = time.monotonic()
    child = _fork(order, mouth)
    os.close(mouth)
    ended, is_late = _wait(child, [control, bell], start + order["seconds"])
    seconds = time.monotonic() - start
    status = _end_all(child, ended)
    _remove_group(order["group"])
    said = os.read(ear, 100).decode()
    if said.startswith("failed"):
        return said
    return f"ended {said or status} {seconds:.6f} {int(is_late)}"


def _hear(_signal: int, _frame: object) -> None:
    """Nothing: the bell has rung."""


def _wait(child: int, ends: list[int], deadline: float) -> tuple[int | None, bool]:
    """How the child ended, or None for one that has not; whether that took too long."""
    control, bell = ends
    while True:
        ready, _, _ = select.select(ends, (), (), max(0, deadline - time.monotonic()))
        if not ready or control in ready:
            return None, not ready
        os.read(bell, 4096)
        status = _bury(child)
        if status is not None:
            return status, False


def _bury(child: int) -> int | None:
    """How the child ended, if it has; others that became ours are buried as well."""
    for wanted in (child, *[-1] * _AT_A_TIME):
        pid, status = os.waitpid(wanted, os.WNOHANG)
        if pid == child:
            return status
        if wanted == -1 and pid == 0:
            break
    return None


def _end_all(child: int, status: int | None) -> int:
    """Kill the child and all that came of it; how the child ended.

    When one dies, those that it started are ours: each round is about another
    generation, until there is nobody.
    """
    _end_group(child, status)
    while True:
        for pid in _children():
            _kill(pid)
        try:
            pid, found = os.waitpid(-1, 0)
        except ChildProcessError:
            return status or 0
        if pid == child:
            status = found


def _children() -> list[int]:
    me = os.getpid()
    try:
        with open(f"/proc/self/task/{me}/children", "rb") as file:
            return [int(each) for each in file.read().split()]
    except OSError:
        return [each for each in _processes() if _parent_of(each) == me]


def _processes() -> list[int]:
    try:
        return [int(each) for each in os.listdir("/proc") if each.isdecimal()]
    except OSError:
        return []


def _parent_of(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            # The name before it is in brackets, and may hold anything.
            return int(file.read().rpartition(b")")[2].split()[1])
    except OSError:
        return 0


def _end_group(child: int, status: int | None) -> None:
    """The child, and those that stayed in its session."""
    try:
        os.killpg(child, signal.SIGKILL)
    except OSError:
        if status is None:
            _kill(child)


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        return


# --- namespaces ---------------------------------------------------------------------


def _enter_namespace(order: Order) -> bool:
    """Whether children live, from now on, in a namespace that ends with the first."""
    if libc.unshare(_NEW_PROCESSES) == 0:
        return True
    if not _may_have_users():
        return False
    _unshare_users()
    order["others"] = 0  # only who is in the new namespace is counted
    return True


def _may_have_users() -> bool:
    """Whether a namespace of users can be made; somebody else has to try it out."""
    pid = os.fork()
    if pid == 0:
        try:
            _unshare_users()
        except (Failure, OSError):
            os._exit(1)
        os._exit(0)
    return os.waitpid(pid, 0)[1] == 0


def _unshare_users() -> None:
    user, group = os.geteuid(), os.getegid()
    _check("namespace", libc.unshare(_NEW_USERS | _NEW_PROCESSES))
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{user} {user} 1")
    _write("/proc/self/gid_map", f"{group} {group} 1")


def _count_others() -> int:
    """How many threads this user has: the kernel counts them all together."""
    me, threads = os.geteuid(), 0
    if me == 0:
        return 0  # it does not count those of root
    for pid in _processes():
        try:
            if os.stat(f"/proc/{pid}").st_uid == me:
                threads += os.stat(f"/proc/{pid}/task").st_nlink - 2
        except OSError:
            continue
    return threads


# Where a group of processes can be made, of this generation and of the one before.
_GROUPS = ("/sys/fs/cgroup", "/sys/fs/cgroup/pids")


def _make_group(processes: int) -> str:
    """A group that counts the processes of root, which nothing else does; or empty."""
    if os.geteuid() != 0 or sys.platform != "linux":
        return ""
    for folder in _GROUPS:
        path = f"{folder}/metier-{os.getpid()}"
        try:
            os.mkdir(path)
            _write(f"{path}/pids.max", str(processes))
            return path
        except OSError:
            _remove_group(path)
    return ""


def _join_group(path: str) -> None:
    """Put this process into the group, by its one thread where that can be said.

    For a whole process the kernel waits until all processors have heard of it: 10 ms.
    """
    try:
        _write(f"{path}/tasks", "0")
    except FileNotFoundError:  # this generation knows processes alone
        _write(f"{path}/cgroup.procs", "0")


def _remove_group(path: str) -> None:
    try:
        os.rmdir(path)
    except OSError:
        return


def _write(path: str, text: str) -> None:
    """Say `text` to the kernel; a file that is not there is not made."""
    opened = os.open(path, os.O_WRONLY)
    try:
        os.write(opened, text.encode())
    finally:
        os.close(opened)


def _lead(order: Order, mouth: int) -> NoReturn:
    """Be the first process of a namespace: start the program, and bury the dead."""
    child = os.fork()
    if child == 0:
        _become(order, mouth)
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == child:
            os.write(mouth, str(status).encode())
            os._exit(0)


# --- the half that becomes the program ----------------------------------------------


def _fork(order: Order, mouth: int) -> int:
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        if sys.platform == "linux":
            libc.prctl(_SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        if order["namespaces"]:
            _lead(order, mouth)
        _become(order, mouth)
    finally:
        os._exit(127)


def _become(order: Order, mouth: int) -> NoReturn:
    try:
        _give_up(order, mouth)
        os.execve(order["program"], order["argv"], order["environment"])  # noqa: S606
    except Failure as failure:
        line = f"failed {failure.stage} {failure.number}"
    except OSError as error:
        line = f"failed start {error.errno}"
    os.write(mouth, line.encode())
    os._exit(127)


def _give_up(order: Order, mouth: int) -> None:
    """Take away from this process whatever the program must not have."""
    signal.set_wakeup_fd(-1)
    for each in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(each, signal.SIG_DFL)
    if order["group"]:
        _join_group(order["group"])
    is_frozen = order["landlock"] is not None and _freeze(order["writable"])
    os.chdir(order["cwd"])
    _limit(order)
    if sys.platform == "linux":
        _check("privileges", libc.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    if order["landlock"]:
        _restrict(*order["landlock"])
        _drop_capabilities()
    _close_all(mouth, order["kept"])
    steps = order["filter"] if is_frozen else order["strict_filter"]
    if steps is not None:
        _apply_filter(steps)


def _limit(order: Order) -> None:
    processes = order["processes"] + order["others"]
    limits = [*order["limits"], (resource.RLIMIT_NPROC, processes)]
    for number, value in limits:
        _, most = resource.getrlimit(number)
        if most != resource.RLIM_INFINITY:
            value = min(value, most)  # noqa: PLW2901
        try:
            resource.setrlimit(number, (value, value))
        except (OSError, ValueError) as error:
            raise Failure("limits", getattr(error, "errno", 0) or 0) from error


def _drop_capabilities() -> None:
    """Of all that root may do, leave what it can do with its own files."""
    libc.prctl(_AMBIENT, _CLEAR_ALL, 0, 0, 0)
    for number in range(_LAST_CAPABILITY + 1):
        if number not in _KEPT:
            libc.prctl(_DROP_FROM_BOUNDS, number, 0, 0, 0)


def _close_all(mouth: int, kept: list[int]) -> None:
    below = 3
    for each in sorted((mouth, *kept)):
        os.closerange(below, each)
        below = each + 1
    os.closerange(below, 65536)
    for each in kept:
        os.set_inheritable(each, True)  # noqa: FBT003


# --- mounts -------------------------------------------------------------------------


def _freeze(writable: list[bytes]) -> bool:
    """Whether all the machine but `writable` could be made unchangeable.

    Landlock leaves out modes, owners, times and attributes of files.
    """
    if libc.unshare(_NEW_MOUNTS) or libc.mount(None, b"/", None, _BE_SLAVES, None):
        return False
    for path in writable:
        if libc.mount(path, path, None, _BIND, None):
            return False
    changes = [_set_mount(b"/", _READ_ONLY, 0)]
    changes += [_set_mount(path, 0, _READ_ONLY) for path in writable]
    return not any(changes)


def _set_mount(path: bytes, added: int, removed: int) -> int:
    change = (ctypes.c_uint64 * 4)(added, removed, 0, 0)
    size = ctypes.c_size_t(ctypes.sizeof(change))
    name, here = ctypes.c_char_p(path), ctypes.c_int(_HERE)
    below = ctypes.c_uint(_AND_BELOW)
    return _call(_SET_MOUNT, here, name, below, ctypes.byref(change), size)


# --- Landlock -----------------------------------------------------------------------


def _restrict(handled: tuple[int, int, int], rules: list[tuple[bytes, int]]) -> None:
    attributes = (ctypes.c_uint64 * 3)(*handled)
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    ruleset = _call(_CREATE_RULESET, ctypes.byref(attributes), size, 0)
    _check("landlock", ruleset)
    for path, rights in rules:
        _allow(ruleset, path, rights)
    _check("landlock", _call(_RESTRICT, ctypes.c_int(ruleset), ctypes.c_uint(0)))


def _allow(ruleset: int, path: bytes, rights: int) -> None:
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in _NOT_THERE:
            return
        raise
    if os.fstat(opened).st_mode & 0o170000 != 0o040000:
        rights &= 0b1100_0000_0000_0111  # what there is to do with a single file
    rule = rights.to_bytes(8, sys.byteorder) + opened.to_bytes(4, sys.byteorder)
    added = _call(_ADD_RULE, ctypes.c_int(ruleset), 1, ctypes.c_char_p(rule), 0)
    os.close(opened)
    _check("landlock", added)


def _call(number: int, *arguments: Any) -> int:
    return libc.syscall(ctypes.c_long(number), *arguments)


# --- seccomp ------------------------------------------------------------------------


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def _apply_filter(steps: bytes) -> None:
    program = _Program(len(steps) // 8, steps)
    made = libc.prctl(_SET_FILTER, _FILTER_MODE, ctypes.byref(program), 0, 0)
    _check("seccomp", made)


def _check(stage: str, result: int) -> None:
    if result < 0:
        raise Failure(stage, ctypes.get_errno())


if __name__ == "__main__":
    main()
