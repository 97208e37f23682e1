"""Which calls of the kernel a program may make, by number and by machine."""

from __future__ import annotations

import errno

import pytest

from metier.core.execution import Network
from metier.world.seccomp import MACHINES, Files, build_filter
from tests.filtering import judge

ALLOWED, KILLED = 0x7FFF_0000, 0x8000_0000
REFUSED, UNKNOWN = 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS
UNIX, INET, INET6, NETLINK, PACKET = 1, 2, 10, 16, 17
X86, ARM = MACHINES["x86_64"].audit, MACHINES["aarch64"].audit

# read, openat, execve, kill, prctl, fork (or clone)
HARMLESS = {"x86_64": (0, 257, 59, 62, 157, 57), "aarch64": (63, 56, 221, 129, 167)}
# ptrace, io_uring_setup, keyctl, mount, setns, unshare, bpf, reboot, chroot
FORBIDDEN = {
    "x86_64": (101, 425, 250, 165, 308, 272, 321, 169, 161),
    "aarch64": (117, 425, 219, 40, 268, 97, 280, 142, 51),
}
SOCKET, SOCKETPAIR = {"x86_64": 41, "aarch64": 198}, {"x86_64": 53, "aarch64": 199}
IOCTL, CLONE = {"x86_64": 16, "aarch64": 29}, {"x86_64": 56, "aarch64": 220}
CHMOD = {"x86_64": 90, "aarch64": 53}


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest) -> str:
    return request.param


def answer(
    machine: str,
    number: int,
    *arguments: int,
    network: Network = Network.NONE,
    files: Files = Files.MUTABLE,
) -> int:
    steps = build_filter(machine, network, files)
    return judge(steps, MACHINES[machine].audit, number, arguments)


def test_what_every_program_does_is_allowed(machine: str):
    answers = {answer(machine, number) for number in HARMLESS[machine]}
    assert answers == {ALLOWED}


def test_what_leads_out_is_refused(machine: str):
    answers = {answer(machine, number) for number in FORBIDDEN[machine]}
    assert answers == {REFUSED}


def test_a_call_that_nobody_looked_at_does_not_exist(machine: str):
    assert (answer(machine, 466), answer(machine, 467)) == (ALLOWED, UNKNOWN)


def test_the_calls_of_another_machine_end_the_program(machine: str):
    steps = build_filter(machine, Network.NONE)
    other = ({X86, ARM} - {MACHINES[machine].audit}).pop()
    assert judge(steps, other, 0) == judge(steps, 0x4000_0003, 0) == KILLED


def test_the_second_set_of_calls_of_x86_is_refused():
    assert answer("x86_64", 0x4000_0000 | 41, INET) == REFUSED


@pytest.mark.parametrize(
    ("network", "allowed"),
    [
        (Network.NONE, set[int]()),
        (Network.LOCAL, {UNIX}),
        (Network.ALL, {UNIX, INET, INET6}),
    ],
)
def test_a_socket_is_of_a_family_that_is_allowed(
    machine: str, network: Network, allowed: set[int]
):
    families = (UNIX, INET, INET6, NETLINK, PACKET, 38)
    found = {
        family
        for family in families
        if answer(machine, SOCKET[machine], family, network=network) == ALLOWED
    }
    assert found == allowed
    # The kernel looks at the lower half of the number alone.
    beyond = answer(machine, SOCKET[machine], INET | 1 << 40, network=network)
    assert (beyond == ALLOWED) is (INET in allowed)


def test_a_pair_of_sockets_is_a_programs_own_affair(machine: str):
    number = SOCKETPAIR[machine]
    assert (answer(machine, number, UNIX), answer(machine, number, INET)) == (
        ALLOWED,
        REFUSED,
    )


def test_nothing_is_typed_into_a_terminal(machine: str):
    typed = [answer(machine, IOCTL[machine], 1, n) for n in (0x5412, 0x541C, 0x5401)]
    assert typed == [REFUSED, REFUSED, ALLOWED]
    # `ioctl` takes the lower half of the number, too.
    assert answer(machine, IOCTL[machine], 1, 0x5412 | 1 << 32) == REFUSED


def test_a_program_limits_itself_and_nobody_else(machine: str):
    number = {"x86_64": 302, "aarch64": 261}[machine]
    assert (answer(machine, number, 0), answer(machine, number, 7)) == (
        ALLOWED,
        REFUSED,
    )


def test_a_new_process_has_no_namespace_of_its_own(machine: str):
    flags = (0x11, 0x0020_0011, 0x1000_0011, 0x4000_0000, 0x0002_0000)
    answers = [answer(machine, CLONE[machine], each) for each in flags]
    assert answers == [ALLOWED, ALLOWED, REFUSED, REFUSED, REFUSED]
    assert answer(machine, 435) == UNKNOWN


def test_modes_of_files_are_fixed_where_nothing_else_protects_them(machine: str):
    number = CHMOD[machine]
    assert answer(machine, number) == ALLOWED
    assert answer(machine, number, files=Files.FIXED) == REFUSED
    assert answer(machine, HARMLESS[machine][0], files=Files.FIXED) == ALLOWED
