"""What is run for skills, at the size that was promised."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from metier.core.execution import Backend, Sandbox
from metier.world.sandboxes import BACKENDS, choose_backend, start, works
from tests.escaping import prison
from tests.hostile.escapes import WAYS
from tests.inserting import wrong_arguments
from tests.running import HERE, getaway, shell_order
from tests.trusting import quick_folder

ROUNDS = 200


@pytest.fixture(params=HERE, ids=lambda each: each.value)
def backend(request: pytest.FixtureRequest) -> Backend:
    return request.param


def test_a_hundred_thousand_arguments_arrive_as_they_are(tmp_path: Path):
    assert wrong_arguments(100_000, at_once=400, cwd=tmp_path) == []


def test_whatever_got_away_is_ended_within_a_second(backend: Backend, tmp_path: Path):
    took: list[float] = []
    for _ in range(ROUNDS):
        with getaway(tmp_path, backend, then="stay") as gone:
            gone.wait()
            started = time.perf_counter()
            gone.run.stop()
            gone.run.finish()
            took.append(time.perf_counter() - started)
            assert gone.is_over()
    late = sorted(took)[ROUNDS * 99 // 100]
    told = f"{backend.value}: p99 of ending all that got away: {late * 1000:.0f} ms"
    print(told)  # noqa: T201
    assert late < 1


@pytest.mark.parametrize("wanted", BACKENDS, ids=lambda each: each.value)
def test_no_way_out_opens_in_twenty_tries(wanted: Backend):
    if not works(wanted):
        assert choose_backend(Sandbox.REQUIRED, (wanted,)) is None
        return
    with quick_folder() as folder:
        for number in range(20):
            with prison(folder / str(number)) as cell:
                assert cell.try_all(wanted) == dict.fromkeys(WAYS, "held")


def test_what_a_sandbox_costs_is_told(tmp_path: Path):
    order = shell_order("", folder=tmp_path)
    times: dict[Backend, float] = {}
    for backend in HERE:
        took: list[float] = []
        for _ in range(ROUNDS):
            started = time.perf_counter()
            start(order, backend).finish()
            took.append(time.perf_counter() - started)
        times[backend] = sorted(took)[ROUNDS // 10]
        told = f"{backend.value}: {times[backend] * 1000:.1f} ms for `sh -c ''`"
        print(told)  # noqa: T201
    bare = times.pop(Backend.NONE)
    assert all(each - bare < 0.1 for each in times.values())
