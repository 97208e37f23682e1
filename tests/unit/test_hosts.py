from __future__ import annotations

import json
from pathlib import Path

import pytest

from metier.cli import run
from metier.core.dialect import Host
from metier.core.roots import Environment
from metier.report.hosts import HostRow, hosts_as_json, render_hosts
from metier.testing import MemoryFileSystem
from metier.world.dialects import Agreed, dialect_names, load_dialect
from metier.world.environment import read_search_path
from metier.world.hosts import Traces, find_traces
from tests.making import dialect

HOST = Host(programs=("one", "two"), folders=(".one", ".config/one"))


def make_program(path: Path, *, mode: int = 0o755) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("", "utf-8")
    path.chmod(mode)
    return str(path)


def traces(*files: str, path: tuple[str, ...] = (), **variables: str) -> Traces:
    home = Environment(cwd="/work", home="/home", variables=variables)
    disk = MemoryFileSystem(dict.fromkeys(files, ""))
    return find_traces(HOST, home, disk, search_path=path)


def test_a_program_is_the_one_that_a_shell_would_start(tmp_path: Path):
    first = make_program(tmp_path / "a" / "two")
    make_program(tmp_path / "b" / "two")
    make_program(tmp_path / "a" / "one", mode=0o644)
    (tmp_path / "b" / "one").mkdir()
    found = traces(path=(str(tmp_path / "a"), str(tmp_path / "b")))
    assert found == Traces(programs=(first,))


def test_a_folder_is_looked_for_in_the_home():
    found = traces("/home/.one/skills/x", "/home/.config/one")
    assert found == Traces(folders=("/home/.one",))


def test_the_folders_of_a_configuration_follow_its_variable():
    found = traces("/home/.config/one/a", "/etc/me/one/a", XDG_CONFIG_HOME="/etc/me")
    assert found == Traces(folders=("/etc/me/one",))


def test_without_a_home_there_are_no_folders():
    homeless = Environment(cwd="/", home=None)
    disk = MemoryFileSystem({"/.one/a": ""})
    assert find_traces(HOST, homeless, disk, search_path=()) == Traces()


def test_the_search_path_has_each_absolute_folder_once():
    assert read_search_path({"PATH": "/b:bin::/a:/b:."}) == ("/b", "/a")
    assert read_search_path({}) == ()


def test_a_row_tells_how_the_dialect_was_checked():
    counts = {"trees": Agreed(1_000, 1_001), "edge": Agreed(2, 2)}
    plain, measured = HostRow(dialect(), {}), HostRow(dialect(), counts)
    assert measured.cases == "2 hand-made files, 1,001 trees"
    found = plain._replace(traces=Traces(("/bin/one",), ("/home/.one",)))
    title = f"{dialect().title}, {dialect().version}; {dialect().evidence.value}"
    name = dialect().name
    assert render_hosts([measured, found]).splitlines() == [
        f"{name}  {title}: agrees in 1,002 of 1,003 cases",
        f"{name}  {title}",
        f"{'':<{len(name)}}  /bin/one",
        f"{'':<{len(name)}}  /home/.one",
    ]


def test_json_has_the_counts_of_each_kind():
    (row,) = hosts_as_json([HostRow(dialect(), {"edge": Agreed(1, 2)})])
    assert (row["agreed"], row["total"]) == (1, 2)
    assert row["cases"] == {"edge": {"agreed": 1, "total": 2}}
    assert (row["programs"], row["folders"]) == (None, None)


def test_the_command_lists_every_dialect(capfd: pytest.CaptureFixture[str]):
    assert run(["hosts", "--json"]) == 0
    hosts = json.loads(capfd.readouterr().out)["hosts"]
    assert [host["dialect"] for host in hosts] == list(dialect_names())


def test_the_command_finds_what_is_installed(
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run(["hosts", "--installed"]) == 3
    assert capfd.readouterr() == ("", "none of the agents is installed here\n")
    name = next(n for n in dialect_names() if load_dialect(n).host.programs)
    program = make_program(tmp_path / load_dialect(name).host.programs[0])
    assert run(["hosts", "--installed", "--dialect", name]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert [line.strip() for line in lines[1:]] == [program]


@pytest.mark.parametrize("name", dialect_names())
def test_a_host_has_plain_names_and_folders_below_the_home(name: str):
    host = load_dialect(name).host
    assert [each for each in host.programs if "/" in each] == []
    assert [each for each in host.folders if each.startswith(("/", "~", ".."))] == []
