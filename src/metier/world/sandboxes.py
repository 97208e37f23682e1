"""Which sandbox a program is run in, and running it there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache

from metier.core.execution import Backend, Network, Order, Sandbox
from metier.world.bubblewrap import build_prefix, find_bubblewrap
from metier.world.landlock import OLDEST_VERSION, build_ruleset, find_version
from metier.world.processes import Jail, LaunchFailed, Run
from metier.world.seccomp import MACHINES, Files, build_filter

BACKENDS = (Backend.LANDLOCK, Backend.BUBBLEWRAP)


def choose_backend(
    wanted: Sandbox, backends: Sequence[Backend] = BACKENDS
) -> Backend | None:
    """The first backend that works here; None where there has to be one and is not."""
    if wanted is Sandbox.NONE:
        return Backend.NONE
    for each in backends:
        if each is not Backend.NONE and works(each):
            return each
    return Backend.NONE if wanted is Sandbox.PREFERRED else None


def works(backend: Backend) -> bool:
    """Whether this machine has what `backend` takes."""
    if backend is Backend.NONE:
        return True
    if os.uname().machine not in MACHINES:
        return False  # no filter can be built for it
    if backend is Backend.LANDLOCK:
        return find_version() >= OLDEST_VERSION
    return find_bubblewrap() is not None


def start(order: Order, backend: Backend) -> Run:
    """Start a program within `backend`."""
    return Run(order, build_jail(order, backend))


def build_jail(order: Order, backend: Backend) -> Jail:
    """What it takes to hold the program of `order`."""
    if backend is Backend.NONE:
        return Jail()
    network = order.confinement.network
    if backend is Backend.LANDLOCK:
        handled, rules = build_ruleset(order.confinement)
        coded = [(os.fsencode(path), rights) for path, rights in rules]
        return Jail(
            backend=backend,
            landlock=(handled, coded),
            filter=_filter_for(network, Files.MUTABLE),
            strict_filter=_filter_for(network, Files.FIXED),
            in_namespace=True,
        )
    path = find_bubblewrap()
    if path is None:
        raise LaunchFailed("bubblewrap", 2)
    return Jail(
        backend=backend,
        filter=_filter_for(network, Files.MUTABLE),
        is_filter_passed=True,
        prefix=build_prefix(path, order),
    )


@cache
def _filter_for(network: Network, files: Files) -> bytes:
    return build_filter(os.uname().machine, network, files)
