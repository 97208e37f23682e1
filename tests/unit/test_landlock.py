"""What a program sees of the machine under Landlock."""

from __future__ import annotations

from pathlib import Path

import pytest

from metier.core.execution import Confinement, Network
from metier.world.landlock import DEVICE, READ, WRITE, build_ruleset, find_version
from metier.world.visibility import is_visible


def test_only_what_is_named_can_be_written():
    ruleset = build_ruleset(Confinement(readable=("/r",), writable=("/w",)))
    rights = dict(ruleset.rules)
    assert (rights["/r"], rights["/w"], rights["/usr"]) == (READ, WRITE, READ)
    writable = {path for path, right in ruleset.rules if right & 2}
    assert writable == {"/w", *(p for p in rights if p.startswith("/dev/"))}
    assert {rights[p] for p in rights if p.startswith("/dev/")} == {DEVICE}


@pytest.mark.parametrize(
    "path", ["/", "/home", "/root", "/etc", "/proc", "/sys", "/tmp", "/var", "/run"]
)
def test_no_folder_of_people_or_of_other_programs_is_seen(path: str):
    rules = dict(build_ruleset(Confinement()).rules)
    assert path not in rules
    assert "/etc/shadow" not in rules


def test_devices_are_not_made_even_where_files_are():
    assert WRITE & (1 << 6 | 1 << 11 | 1 << 15) == 0


@pytest.mark.parametrize(
    ("network", "ports"), [(Network.NONE, 3), (Network.LOCAL, 3), (Network.ALL, 0)]
)
def test_ports_are_forbidden_with_the_network(network: Network, ports: int):
    handled = build_ruleset(Confinement(network=network)).handled
    assert handled == (0xFFFF, ports, 3)


def test_a_machine_has_a_version_or_none():
    assert 0 <= find_version() < 100


def test_what_is_visible_is_told_by_where_links_lead(tmp_path: Path):
    shown, hidden = tmp_path / "shown", tmp_path / "hidden"
    (shown / "bin").mkdir(parents=True)
    hidden.mkdir()
    (shown / "out").symlink_to(hidden)
    (hidden / "in").symlink_to(shown)
    confinement = Confinement(readable=(str(shown),))
    paths = (shown, shown / "bin", hidden / "in", shown / "out", hidden, f"{shown}2")
    assert [is_visible(str(path), confinement) for path in paths] == [
        *(True, True, True),
        *(False, False, False),
    ]
    assert is_visible("/usr/bin", Confinement())
