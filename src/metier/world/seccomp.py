"""The filter that a program runs under: calls of the kernel that it may not make.

The rest is allowed: what a program does with files is Landlock's or bubblewrap's to
say. Here stands what neither of them covers, or what has been a way out before.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from metier.core.execution import Network

# name: (number on x86_64, number on aarch64); None: it has no such call.
_DENIED: dict[str, tuple[int | None, int | None]] = {
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "perf_event_open": (298, 241),
    # what goes around the filter itself
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    # keys of the session
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # namespaces and mounts
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    # the machine
    "acct": (163, 89),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "settimeofday": (164, 170),
    "create_module": (174, None),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "ioperm": (173, None),
    "iopl": (172, None),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "lookup_dcookie": (212, 18),
    "modify_ldt": (154, None),
    "nfsservctl": (180, 42),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "reboot": (169, 142),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "syslog": (103, 116),
    "vhangup": (153, 58),
}
# What Landlock does not see: only where no file outside can be changed otherwise.
_ABOUT_FILES: dict[str, tuple[int | None, int | None]] = {
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "lchown": (94, None),
    "fchown": (93, 55),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
}
# These are looked at more closely.
_CLONE, _CLONE3 = (56, 220), (435, 435)
_PRLIMIT = (302, 261)
_IOCTL, _SOCKET, _SOCKETPAIR = (16, 29), (41, 198), (53, 199)

# Every flag of `clone` that makes a namespace.
_NEW_NAMESPACES = 0x7E02_0000
# They type into the terminal of somebody else.
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C
_AF_UNIX, _AF_INET, _AF_INET6 = 1, 2, 10
_FAMILIES = {
    Network.NONE: (),
    Network.LOCAL: (_AF_UNIX,),
    Network.ALL: (_AF_UNIX, _AF_INET, _AF_INET6),
}


class Machine(NamedTuple):
    """How the kernel calls a kind of processor, and which column of numbers counts."""

    audit: int
    column: int


MACHINES = {
    "x86_64": Machine(0xC000_003E, 0),
    "aarch64": Machine(0xC000_00B7, 1),
}
# Numbers from here on are those of another set of calls on x86_64.
_X32 = 0x4000_0000
# Nobody here has looked at the calls from this one on: they do not exist.
_UNKNOWN = 467

# --- classic BPF --------------------------------------------------------------------

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE = 0, 4
_ALLOW = 0x7FFF_0000
_KILL = 0x8000_0000
_ERROR = 0x0005_0000
_DENY = _ERROR | errno.EPERM

Step = tuple[int, int, int, int]


class Files(Enum):
    """What may be done to modes, owners, times and attributes of files."""

    MUTABLE = "mutable"  # whatever the mounts and the owner allow
    FIXED = "fixed"  # nothing


def build_filter(machine: str, network: Network, files: Files = Files.MUTABLE) -> bytes:
    """The program for `seccomp`, as the kernel of one of `MACHINES` takes it."""
    denied = [*_DENIED.values()]
    if files is Files.FIXED:
        denied += _ABOUT_FILES.values()
    steps = _steps(MACHINES[machine], network, denied)
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


Numbers = tuple[int | None, int | None]


def _steps(
    machine: Machine, network: Network, denied: Iterable[Numbers]
) -> Iterator[Step]:
    audit, column = machine
    yield _load(_ARCHITECTURE)
    yield from _unless_equal(audit, _KILL)
    yield _load(_NUMBER)
    if column == 0:
        yield (_AT_LEAST, 0, 1, _X32)
        yield _return(_DENY)
    yield (_AT_LEAST, 0, 1, _UNKNOWN)
    yield _return(_ERROR | errno.ENOSYS)
    for numbers in denied:
        number = numbers[column]
        if number is not None:
            yield from _if_equal(number, _DENY)
    # Its flags are in memory, where no filter looks; without it, `clone` is taken.
    yield from _if_equal(_CLONE3[column], _ERROR | errno.ENOSYS)
    yield from _within(_CLONE[column], [_load_argument(0), *_if_bits(_NEW_NAMESPACES)])
    # The limits of the program itself, not those of a process with a number.
    own = [_load_argument(0), *_unless_equal(0, _DENY)]
    yield from _within(_PRLIMIT[column], own)
    typing = [*_if_equal(_TIOCSTI, _DENY), *_if_equal(_TIOCLINUX, _DENY)]
    yield from _within(_IOCTL[column], [_load_argument(1), *typing])
    yield from _within(_SOCKETPAIR[column], _only_families((_AF_UNIX,)))
    yield from _within(_SOCKET[column], _only_families(_FAMILIES[network]))
    yield _return(_ALLOW)


def _within(number: int, steps: list[Step]) -> list[Step]:
    """`steps` for one call, which is allowed where they come to no end."""
    inner = [*steps, _return(_ALLOW)]
    return [(_EQUAL, 0, len(inner), number), *inner]


def _only_families(families: tuple[int, ...]) -> list[Step]:
    allowed = [step for each in families for step in _if_equal(each, _ALLOW)]
    return [_load_argument(0), *allowed, _return(_DENY)]


def _if_equal(value: int, then: int) -> list[Step]:
    return [(_EQUAL, 0, 1, value), _return(then)]


def _unless_equal(value: int, then: int) -> list[Step]:
    return [(_EQUAL, 1, 0, value), _return(then)]


def _if_bits(bits: int) -> list[Step]:
    return [(_ANY_BIT, 0, 1, bits), _return(_DENY)]


def _load(offset: int) -> Step:
    return (_LOAD, 0, 0, offset)


def _load_argument(index: int) -> Step:
    """The lower half of an argument: the kernel reads no more of these."""
    return (_LOAD, 0, 0, 16 + 8 * index)


def _return(value: int) -> Step:
    return (_RETURN, 0, 0, value)
