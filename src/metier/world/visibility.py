"""What a sandboxed program sees of every machine: its programs, and little else."""

from __future__ import annotations

import os

from metier.core.execution import Confinement

# The programs of the machine and their libraries. `/etc` and `/var` are not among them,
# nor are `/proc` and `/sys`: they hold what is about other programs and other people.
SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt"),
    *("/nix/store", "/gnu/store", "/run/current-system"),
)
# What programs want to know in order to start, to find names and to trust servers.
SETTINGS = tuple(
    f"/etc/{name}"
    for name in (
        *("ld.so.cache", "ld.so.conf", "ld.so.preload", "localtime", "timezone"),
        *("passwd", "group", "nsswitch.conf", "host.conf", "hosts", "resolv.conf"),
        *("gai.conf", "services", "protocols", "mime.types", "locale.alias"),
        *("os-release", "gitconfig", "inputrc", "bash.bashrc", "profile"),
    )
)
SETTINGS_FOLDERS = tuple(
    f"/etc/{name}"
    for name in (
        *("ld.so.conf.d", "alternatives", "ssl/certs", "ssl/openssl.cnf", "pki/tls"),
        *("pki/ca-trust", "ca-certificates", "crypto-policies", "fonts", "terminfo"),
        *("python3", "perl", "ImageMagick-6", "ImageMagick-7", "java", "profile.d"),
    )
)
DEVICES = tuple(
    f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom")
)
# Of `/proc` only what is about the machine.
FACTS = (
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/loadavg", "/proc/uptime"),
    *("/proc/version", "/proc/filesystems", "/proc/sys/kernel/osrelease"),
    *("/proc/sys/kernel/pid_max", "/proc/sys/kernel/cap_last_cap"),
    *("/proc/sys/kernel/ngroups_max", "/proc/sys/kernel/random/uuid"),
    *("/proc/sys/vm/overcommit_memory", "/sys/devices/system/cpu/online"),
    *(
        "/sys/devices/system/cpu/possible",
        "/sys/kernel/mm/transparent_hugepage/enabled",
    ),
)


def is_visible(path: str, confinement: Confinement) -> bool:
    """Whether a program that is confined like this may read what `path` leads to."""
    real = os.path.realpath(path)
    shown = (*SYSTEM, *confinement.readable, *confinement.writable)
    tops = (os.path.realpath(each).rstrip("/") for each in shown)
    return any(real == top or real.startswith(f"{top}/") for top in tops)
