"""A program that tries to get out: run in a sandbox, it says which ways were open.

Each way is a function. One that returns has got out; one that raises was held. Calls of
the kernel are made with arguments that make no sense, so that nothing happens where
they are allowed: whoever is told that they make no sense was let in.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import json
import os
import platform
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

TARGETS: dict[str, Any] = {}
WAYS: dict[str, Callable[[], object]] = {}
libc = ctypes.CDLL(None, use_errno=True)
Way = Callable[[], object]


class Held(Exception):
    """Not an error of the system, but held all the same."""


def way(function: Way) -> Way:
    WAYS[function.__name__] = function
    return function


def outside(name: str) -> Path:
    return Path(TARGETS["outside"], name)


def project(name: str) -> Path:
    return Path(TARGETS["project"], name)


# --- files that are nobody's business -----------------------------------------------


@way
def read_a_file_of_the_home_folder():
    (Path(TARGETS["home"]) / "secret").read_text()


@way
def list_the_home_folder():
    os.listdir(TARGETS["home"])


@way
def read_a_file_of_another_folder():
    outside("secret").read_text()


@way
def read_the_passwords():
    Path("/etc/shadow").read_bytes()


@way
def read_through_a_link():
    Path("link").symlink_to(outside("secret"))
    Path("link").read_text()


@way
def read_through_a_hard_link():
    os.link(outside("secret"), "hard")
    Path("hard").read_text()


@way
def read_through_the_parent():
    project("../outside/secret").read_text()


@way
def read_below_a_descriptor():
    folder = os.open(TARGETS["project"], os.O_RDONLY)
    os.read(os.open("../outside/secret", os.O_RDONLY, dir_fd=folder), 9)


@way
def read_through_proc():
    Path(f"/proc/self/root{outside('secret')}").read_text()


@way
def read_through_the_folder_of_another_process():
    Path(f"/proc/{TARGETS['victim']}/cwd/secret").read_text()


@way
def move_a_file_here():
    outside("movable").rename("moved")


@way
def run_a_program_of_the_home_folder():
    subprocess.run([Path(TARGETS["home"]) / "program"], check=True)


@way
def read_the_log_of_the_kernel():
    os.read(os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK), 9000)


@way
def read_the_memory_of_the_machine():
    os.open("/dev/mem", os.O_RDONLY)


@way
def read_a_disk():
    disks = [f"/dev/{name}" for name in os.listdir("/dev") if name[:2] in ("sd", "vd")]
    os.read(os.open(disks[0], os.O_RDONLY), 9)


@way
def open_the_terminal():
    os.open("/dev/tty", os.O_RDWR)


# --- changes ------------------------------------------------------------------------


@way
def write_into_the_home_folder():
    (Path(TARGETS["home"]) / "new").write_text("x")


@way
def write_into_another_folder():
    outside("new").write_text("x")


@way
def write_into_the_project():
    project("new").write_text("x")


@way
def append_to_a_file_of_the_project():
    project("file").open("a").close()


@way
def remove_a_file_of_the_project():
    project("doomed").unlink()


@way
def rename_a_file_of_the_project():
    project("named").rename(project("renamed"))


@way
def empty_a_file_of_the_project():
    os.truncate(project("file"), 0)


@way
def change_the_mode_of_a_file():
    project("file").chmod(0o777)


@way
def change_the_mode_of_an_open_file():
    os.fchmod(os.open(project("file"), os.O_RDONLY), 0o777)


@way
def change_the_mode_of_a_hidden_file():
    outside("changed").chmod(0o777)


@way
def change_the_times_of_a_file():
    os.utime(outside("changed"), (0, 0))


@way
def change_the_owner_of_a_file():
    os.chown(outside("changed"), os.getuid(), os.getgid())


@way
def change_the_attributes_of_a_file():
    os.setxattr(outside("changed"), "user.metier", b"x")


@way
def make_a_folder_in_the_project():
    project("folder").mkdir()


@way
def make_a_link_in_the_project():
    project("link").symlink_to("/")


@way
def change_the_skill_itself():
    Path(__file__).open("a").close()


@way
def write_among_the_programs():
    os.open("/usr", os.O_RDWR | os.O_TMPFILE)


@way
def change_a_setting_of_the_machine():
    Path("/etc/passwd").open("r+").close()


@way
def change_a_setting_of_the_kernel():
    Path("/proc/sys/kernel/core_pattern").open("r+").close()


@way
def make_a_device():
    os.mknod("null", 0o020666, os.makedev(1, 3))


# --- the network --------------------------------------------------------------------


def connect(family: int, kind: int, address: Any) -> None:
    with socket.socket(family, kind) as opened:
        opened.settimeout(2)
        opened.connect(address)
        opened.send(b"x")


@way
def connect_to_a_port():
    connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", TARGETS["port"]))


@way
def connect_to_a_port_by_a_longer_address():
    address = ("::ffff:127.0.0.1", TARGETS["port"])
    connect(socket.AF_INET6, socket.SOCK_STREAM, address)


@way
def send_a_packet():
    connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", TARGETS["port"]))


@way
def listen_at_a_port():
    with socket.create_server(("127.0.0.1", 0)):
        pass


@way
def connect_to_a_socket_with_a_path():
    connect(socket.AF_UNIX, socket.SOCK_STREAM, str(outside("socket")))


@way
def connect_to_a_socket_with_a_name():
    connect(socket.AF_UNIX, socket.SOCK_STREAM, f"\0{TARGETS['name']}")


@way
def listen_at_a_name():
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind("\0metier-escaped")


@way
def talk_to_the_kernel():
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).close()


@way
def use_the_crypto_of_the_kernel():
    socket.socket(38, socket.SOCK_SEQPACKET, 0).close()


@way
def see_all_packets():
    socket.socket(17, socket.SOCK_RAW, 0).close()


@way
def talk_to_the_host_of_the_machine():
    socket.socket(40, socket.SOCK_STREAM, 0).close()


@way
def make_a_pair_of_strange_sockets():
    left, right = socket.socketpair(30, socket.SOCK_STREAM)
    left.close()
    right.close()


# --- other processes ----------------------------------------------------------------


@way
def signal_another_process():
    os.kill(TARGETS["victim"], signal.SIGCONT)


@way
def signal_whoever_started_this():
    os.kill(TARGETS["starter"], 0)


@way
def read_the_environment_of_another_process():
    data = Path(f"/proc/{TARGETS['victim']}/environ").read_bytes()
    if TARGETS["secret"].encode() not in data:
        raise Held


@way
def read_the_environment_of_whoever_started_this():
    Path(f"/proc/{TARGETS['starter']}/environ").read_bytes()


@way
def read_the_memory_of_another_process():
    os.open(f"/proc/{TARGETS['victim']}/mem", os.O_RDWR)


@way
def trace_another_process():
    checked(libc.ptrace(0x4206, TARGETS["victim"], None, None))


@way
def limit_another_process():
    resource.prlimit(TARGETS["victim"], resource.RLIMIT_CORE)


# --- calls of the kernel ------------------------------------------------------------

NUMBERS = {
    "x86_64": {
        "process_vm_readv": 310,
        "pidfd_getfd": 438,
        "kcmp": 312,
        "io_uring_setup": 425,
        "bpf": 321,
        "userfaultfd": 323,
        "perf_event_open": 298,
        "keyctl": 250,
        "add_key": 248,
        "setns": 308,
        "mount": 165,
        "pivot_root": 155,
        "chroot": 161,
        "unshare": 272,
        "open_by_handle_at": 304,
        "fanotify_init": 300,
        "init_module": 175,
        "kexec_load": 246,
        "reboot": 169,
        "swapon": 167,
        "syslog": 103,
        "clock_settime": 227,
        "sethostname": 170,
        "fsopen": 430,
        "open_tree": 428,
        "move_mount": 429,
        "acct": 163,
        "clone3": 435,
    },
    "aarch64": {
        "process_vm_readv": 270,
        "pidfd_getfd": 438,
        "kcmp": 272,
        "io_uring_setup": 425,
        "bpf": 280,
        "userfaultfd": 282,
        "perf_event_open": 241,
        "keyctl": 219,
        "add_key": 217,
        "setns": 268,
        "mount": 40,
        "pivot_root": 41,
        "chroot": 51,
        "unshare": 97,
        "open_by_handle_at": 265,
        "fanotify_init": 262,
        "init_module": 105,
        "kexec_load": 104,
        "reboot": 142,
        "swapon": 224,
        "syslog": 116,
        "clock_settime": 112,
        "sethostname": 161,
        "fsopen": 430,
        "open_tree": 428,
        "move_mount": 429,
        "acct": 89,
        "clone3": 435,
    },
}
NONSENSE = ctypes.c_long(-1)


def call(name: str) -> Way:
    def make_the_call() -> None:
        number = NUMBERS[platform.machine()][name]
        checked(libc.syscall(ctypes.c_long(number), *[NONSENSE] * 5))

    return make_the_call


def checked(result: int) -> None:
    """Held is who is told that it may not, or that there is no such thing."""
    if result < 0 and ctypes.get_errno() in (errno.EPERM, errno.ENOSYS, errno.EACCES):
        raise OSError(ctypes.get_errno(), "held")
    if result < 0 and ctypes.get_errno() == errno.ESRCH:
        raise Held


for _name in NUMBERS["x86_64"]:
    WAYS[f"call_{_name}"] = call(_name)


@way
def make_a_namespace_with_a_process():
    flags = ctypes.c_long(0x1000_0000 | signal.SIGCHLD)
    number = {"x86_64": 56, "aarch64": 220}[platform.machine()]
    pid = libc.syscall(ctypes.c_long(number), flags, None, None, None, None)
    if pid == 0:
        os._exit(0)
    checked(pid)


@way
def type_into_the_terminal():
    checked(libc.ioctl(0, 0x5412, b"x"))


@way
def paste_into_the_terminal():
    checked(libc.ioctl(0, 0x541C, b"x"))


# --- rights -------------------------------------------------------------------------


@way
def become_somebody_else():
    os.setuid(12345)


@way
def become_a_member_of_another_group():
    os.setgroups([12345])


@way
def get_new_rights_from_a_program():
    if libc.prctl(39, 0, 0, 0, 0) == 1:
        raise Held


@way
def have_the_rights_to_run_the_machine():
    header, data = (ctypes.c_uint32 * 2)(0x2008_0522, 0), (ctypes.c_uint32 * 6)()
    checked(libc.capget(ctypes.byref(header), ctypes.byref(data)))
    effective = data[0] | data[3] << 32
    # What root may do with files, and no more.
    if not effective & ~0b11011:
        raise Held


@way
def leave_a_core():
    if resource.getrlimit(resource.RLIMIT_CORE)[1] == 0:
        raise Held


@way
def have_more_open_files():
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most + 1, most + 1))


@way
def find_a_secret_in_the_environment():
    if TARGETS["secret"] not in os.environ.values():
        raise Held


@way
def find_an_open_file():
    for number in range(3, 1000):
        try:
            fcntl.fcntl(number, fcntl.F_GETFD)
        except OSError:
            continue
        return
    raise Held


# --- using up what there is ---------------------------------------------------------


@way
def start_processes_without_end():
    started: list[int] = []
    try:
        for _ in range(TARGETS["processes"]):
            pid = os.fork()
            if pid == 0:
                signal.pause()
            started.append(pid)
    finally:
        for pid in started:
            os.kill(pid, signal.SIGKILL)


@way
def take_all_the_memory():
    try:
        bytearray(TARGETS["memory"])
    except MemoryError as error:
        raise Held from error


@way
def fill_the_disk():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open("large", "wb") as file:
        file.write(bytes(TARGETS["file_size"] + 1))


@way
def open_files_without_end():
    for _ in range(TARGETS["open_files"]):
        os.open("/dev/null", os.O_RDONLY)


@way
def run_without_end():
    if resource.getrlimit(resource.RLIMIT_CPU)[1] < 1000:
        raise Held


# --- one after the other ------------------------------------------------------------

ESCAPED, HELD = 0, 3


def tried(function: Way) -> str:
    pid = os.fork()
    if pid == 0:
        signal.alarm(10)
        try:
            function()
        except BaseException:  # noqa: BLE001, whatever held it
            os._exit(HELD)
        os._exit(ESCAPED)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return {ESCAPED: "escaped", HELD: "held"}.get(code, f"ended with {code}")


def main() -> None:
    TARGETS.update(json.loads(sys.argv[1]))
    found = {name: tried(function) for name, function in WAYS.items()}
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
