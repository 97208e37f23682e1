"""A program in a sandbox gets nowhere, in a hundred ways."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from metier.core.execution import Backend, Sandbox
from metier.world.processes import Jail
from metier.world.sandboxes import BACKENDS, choose_backend, works
from tests.escaping import prison
from tests.hostile.escapes import WAYS

# What anybody can do who is in no sandbox: were these held as well, nothing would be
# proved by all that is.
OPEN_TO_ALL = {
    "append_to_a_file_of_the_project",
    "call_clone3",
    "call_keyctl",
    "change_the_mode_of_a_hidden_file",
    "connect_to_a_port",
    "connect_to_a_socket_with_a_name",
    "connect_to_a_socket_with_a_path",
    "limit_another_process",
    "list_the_home_folder",
    "listen_at_a_port",
    "make_a_folder_in_the_project",
    "read_a_file_of_another_folder",
    "read_a_file_of_the_home_folder",
    "read_below_a_descriptor",
    "read_the_environment_of_another_process",
    "read_through_a_hard_link",
    "read_through_a_link",
    "read_through_proc",
    "remove_a_file_of_the_project",
    "run_a_program_of_the_home_folder",
    "send_a_packet",
    "signal_another_process",
    "talk_to_the_kernel",
    "write_into_the_home_folder",
}


@pytest.mark.parametrize("backend", BACKENDS, ids=lambda each: each.value)
def test_every_way_out_is_closed_or_nothing_is_run(backend: Backend, tmp_path: Path):
    if not works(backend):
        assert choose_backend(Sandbox.REQUIRED, (backend,)) is None
        return
    with prison(tmp_path / "prison") as cell:
        found = cell.try_all(backend)
    assert found == dict.fromkeys(WAYS, "held")
    assert len(found) >= 60


def test_where_no_namespace_can_be_made_landlock_holds_alone(tmp_path: Path):
    if not works(Backend.LANDLOCK):
        assert choose_backend(Sandbox.REQUIRED, (Backend.LANDLOCK,)) is None
        return

    def alone(jail: Jail) -> Jail:
        return replace(jail, in_namespace=False, filter=jail.strict_filter)

    with prison(tmp_path / "prison") as cell:
        found = cell.try_all(Backend.LANDLOCK, alone)
    assert found == dict.fromkeys(WAYS, "held")


def test_without_a_sandbox_the_same_ways_lead_out(tmp_path: Path):
    with prison(tmp_path / "prison") as cell:
        found = cell.try_all(Backend.NONE)
    found_open = {name for name, came in found.items() if came == "escaped"}
    assert OPEN_TO_ALL - found_open == set()
    assert found.keys() >= OPEN_TO_ALL
