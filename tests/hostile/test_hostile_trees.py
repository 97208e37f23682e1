"""No tree and no file hangs metier, floods it, or hides the good skill beside it."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from metier.core.document import Document, DocumentReader
from metier.core.rules import RULES
from metier.world.dialects import load_dialect

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from attacks import SIZES  # noqa: E402
from trees import BAD, CASES, DIALECTS, GOOD, Case, holding, plant  # noqa: E402

MAX_SECONDS = 2
MAX_MEGABYTES = 300
NOBODY = 65534


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A folder that other users may enter, which pytest's own is not."""
    folder = Path(tempfile.mkdtemp(prefix="hostile-"))
    folder.chmod(0o755)
    yield folder
    # `shutil.rmtree` recurses, which 1,200 nested folders are too many for.
    subprocess.run(["rm", "-rf", str(folder)], check=True)


def probe(root: Path, *dialects: str, user: int | None = None) -> list[dict[str, Any]]:
    request = {"root": str(root), "dialects": dialects, "user": user}
    command = [sys.executable, str(HERE / "probe.py"), json.dumps(request)]
    run = subprocess.run(command, capture_output=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.fixture(scope="module")
def measure(place: Path) -> Any:
    @cache
    def measured(case: Case) -> dict[str, dict[str, Any]]:
        root = plant(place / str(CASES.index(case)), case)
        return {each["dialect"]: each for each in probe(root, *DIALECTS)}

    return measured


def told_about(found: dict[str, Any]) -> list[str]:
    """The places with a finding; a host that gives up is told on top."""
    ours = (d for d in found["diagnostics"] if d["rule"] != "host-aborts")
    return sorted({each["path"] for each in ours})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_hostile_tree_costs_little_and_hides_nothing(
    measure: Any, case: Case, dialect: str
) -> None:
    found = measure(case)[dialect]
    assert "died" not in found
    assert found["seconds"] < MAX_SECONDS
    assert found["megabytes"] < MAX_MEGABYTES
    assert len(told_about(found)) == case.findings_for(dialect)
    assert {each["rule"] for each in found["diagnostics"]} <= set(RULES)
    assert_good_is_there(found)


def assert_good_is_there(found: dict[str, Any]) -> None:
    good = [each for each in found["accounts"] if each["name"] == "good"]
    if found["aborted"]:
        assert found["dialect"] == "opi"
        assert "host-aborts" in {each["rule"] for each in found["diagnostics"]}
    else:
        assert [each["status"] for each in good] == ["loaded"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_rejected_file_is_told_once_and_for_one_reason(
    measure: Any, case: Case, dialect: str
) -> None:
    found = measure(case)[dialect]
    for account in found["accounts"]:
        if account["status"] == "rejected":
            about = [d for d in found["diagnostics"] if d["path"] == account["path"]]
            assert [d["rule"] for d in about].count(account["rule"]) == 1


@pytest.mark.parametrize("name", ["fifo", "link to a fifo", "socket", "device"])
def test_opi_does_not_give_up_at_what_is_no_file(measure: Any, name: str) -> None:
    case = next(case for case in CASES if case.name == name)
    assert not measure(case)["opi"]["aborted"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_pipe_is_left_as_it_is(place: Path, dialect: str) -> None:
    root = place / f"pipe-{dialect}"
    (root / "bad").mkdir(parents=True)
    os.mkfifo(place / f"{dialect}.fifo")
    (root / "bad" / "SKILL.md").symlink_to(place / f"{dialect}.fifo")
    pipe = os.open(place / f"{dialect}.fifo", os.O_RDWR | os.O_NONBLOCK)
    os.write(pipe, BAD.encode())
    (found,) = probe(root, dialect)
    assert os.read(pipe, 1_000) == BAD.encode()
    os.close(pipe)
    assert [each["rule"] for each in found["accounts"]] == ["special-file"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_folder_without_permission_is_told_and_passed(
    place: Path, dialect: str
) -> None:
    root = plant(place / f"locked-{dialect}", Case(name="locked", build=holding(BAD)))
    (root / "bad").chmod(0)
    (found,) = probe(root, dialect, user=NOBODY if os.geteuid() == 0 else None)
    assert len(told_about(found)) == 1
    assert_good_is_there(found)


def test_fifteen_thousand_flat_files_take_no_square_of_the_time(place: Path) -> None:
    root = plant(place / "flat", Case(name="flat", build=holding(BAD)))
    for number in range(15_000):
        (root / f"{number}.md").symlink_to("good/SKILL.md")
    (found,) = probe(root, "batuta")
    assert found["seconds"] < MAX_SECONDS * 0.8


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_header_takes_a_second(dialect: str, size: int) -> None:
    assert attack(dialect, size, 1) == []


@pytest.mark.parametrize("dialect", ["agentskills", "brutus"])
def test_no_header_takes_a_second_without_libyaml(dialect: str) -> None:
    assert attack(dialect, 4 * 1024, 0.5, "pure") == []


def attack(dialect: str, size: int, seconds: float, *more: str) -> list[str]:
    program = str(HERE / "attack_probe.py")
    command = [sys.executable, program, dialect, str(size), str(seconds), *more]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


SEEDS = (
    GOOD,
    "---\nname: &n a\ndescription: *n\nx: [a, {b: c}, 'd']\n---\nbody\n",
    "---\nname: a\ndescription: Use when: asked\nmetadata:\n  k: v\n---\nbody\n",
    "---\nname: 'a'\ndescription: >-\n  one\n  two\n\n  three\n---\nbody\n",
    '--- \nname: "a\\u0041"\r\ndescription: |\n  $1 text\n---\r\nbody\n',
    '---json\n{"name": "a", "description": "b"}\n---\nbody\n',
    "---\nb: &b {k: 1}\n<<: *b\nname: 1:59:59\ndescription: !!str 1\n---\nbody",
)
TOKENS = (
    *("---", "\n---\n", "\n", "\r", "\r\n", ": ", ":", " #", "- ", "  ", "\t", "!"),
    *("&a ", "*a", "|", ">", "'", '"', "\\", "\\ud800", "\\UFFFFFFFF", "[", "]", "{"),
    *("}", ",", "? ", "<<: *a\n", "%YAML 1.1\n", "...\n", "\0", "\ufeff", "\u2028"),
    *("$1", "$0", "${a}", "name: ", "description: ", "~", "true", "0x_", "\x0b"),
)


def mutants(count: int) -> Iterator[bytes]:
    chance = random.Random(1)
    for _ in range(count):
        text = chance.choice(SEEDS)
        for _ in range(chance.randrange(1, 6)):
            at = chance.randrange(len(text) + 1)
            gone = chance.choice((0, 0, 1, 5))
            text = text[:at] + chance.choice(TOKENS) + text[at + gone :]
        data = bytearray(text.encode())
        if chance.random() < 0.2:
            data[chance.randrange(len(data))] = chance.randrange(256)
        yield bytes(data)


def verdict(document: Document) -> tuple[str | None, ...]:
    return document.name, document.description, document.error


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_head_of_a_mutant_says_what_the_whole_says(dialect: str) -> None:
    reader = DocumentReader(load_dialect(dialect))
    for number, data in enumerate(mutants(1_500)):
        whole = reader.read(data, directory="x")
        head = reader.read_head(data[: number % (len(data) + 1)], directory="x")
        assert head is None or verdict(head) == verdict(whole), data
        assert {found.rule for found in whole.diagnostics} <= set(RULES), data
        spans = [found.span for found in whole.diagnostics if found.span]
        assert all(span.start <= span.end for span in spans), data


@pytest.mark.parametrize("dialect", ["agentskills", "brutus"])
def test_the_parser_without_libyaml_agrees_about_mutants(dialect: str) -> None:
    texts = json.dumps([data.decode("utf-8", "replace") for data in mutants(600)])
    fast, pure = (
        subprocess.run(
            [sys.executable, str(HERE / "pure_probe.py"), dialect, *more],
            input=texts,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        for more in ((), ("pure",))
    )
    assert len(fast) == 600
    differing = sum(a != b for a, b in zip(fast, pure, strict=True))
    # The two disagree about tabs, byte order marks and half pairs.
    assert differing <= 12


def run_cli(
    *arguments: str | bytes, shell: str = "", cwd: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """The command line; `shell` is what a shell would write behind it, or before."""
    kept = {"PATH": os.environ["PATH"], **variables}
    program = [sys.executable, "-m", "metier.cli", *arguments]
    command = ["sh", "-c", f"{shell or chr(34) + '$@' + chr(34)}", "sh", *program]
    run = subprocess.run(  # noqa: PLW1510
        command, cwd=cwd, env=kept, capture_output=True, stdin=subprocess.DEVNULL
    )
    output = (run.stdout + run.stderr).decode("utf-8", "replace")
    return subprocess.CompletedProcess(command, run.returncode, output)


COMMAND_LINES: tuple[tuple[str | bytes, ...], ...] = (
    ("--home", "", "list"),
    ("--home", "/dev/null", "list"),
    ("--cwd", "/nonexistent", "list"),
    ("list", "--root", ""),
    ("list", "--root", ":5"),
    ("list", "--root", "/:" + "9" * 5_000),
    ("list", "--root", "/proc/self"),
    ("list", "--json", "--root", b"\xff\nx"),
    ("list", "--root", "a" * 5_000),
    ("--dialect", "/nonexistent.toml", "list"),
    ("--dialect", b"\xff", "list"),
    ("parse", "/dev/zero"),
    ("parse", "/tmp"),
    ("parse", "--json", b"\xff"),
    ("refs", "/nonexistent"),
    ("load", b"\xff"),
    ("why", "--json", b"\xff"),
    ("match", b"\xff"),
)


@pytest.mark.parametrize("arguments", COMMAND_LINES, ids=repr)
def test_an_odd_command_line_gets_an_answer(arguments: tuple[str | bytes, ...]) -> None:
    run = run_cli(*arguments, LANG="C")
    assert "Traceback" not in run.stdout
    assert run.returncode in (0, 1, 2, 3)


@pytest.mark.parametrize(
    "shell",
    [
        '"$@" >&-',
        '"$@" --json >&-',
        '"$@" <&- >&- 2>&-',
        '"$@" >/dev/full',
        '"$@" --json >/dev/full',
        '"$@" 2>/dev/full',
        '"$@" | true',
        'mkdir gone && cd gone && rmdir ../gone && "$@"',
    ],
)
def test_a_broken_surrounding_gets_an_answer(tmp_path: Path, shell: str) -> None:
    plant(tmp_path / ".agents" / "skills", Case(name="bad", build=holding("no")))
    run = run_cli("--home", str(tmp_path), "list", shell=shell, cwd=tmp_path)
    assert "Traceback" not in run.stdout
    assert "Exception ignored" not in run.stdout
    assert run.returncode in (0, 1, 2, 3)


@pytest.mark.parametrize(
    "line", [b"a\\0b", b"\\377\\376", b"\\355\\240\\200"], ids=repr
)
def test_a_listed_path_that_cannot_be_gets_an_answer(line: bytes) -> None:
    shell = f"""printf '{line.decode()}\\n' | "$@" """
    for utf8 in "01":
        run = run_cli("parse", "--stdin-list", "--json", shell=shell, PYTHONUTF8=utf8)
        assert json.loads(run.stdout)["ok"] is False


@pytest.mark.parametrize("dialect", ["agentskills", "opencode-spec"])
@pytest.mark.parametrize("command", ["list", "catalog", "list --json", "why bad"])
def test_half_a_pair_in_a_description_is_printed(
    tmp_path: Path, dialect: str, command: str
) -> None:
    text = '---json\n{"name": "bad", "description": "\\ud800 \\udc7f"}\n---\nDo bad.\n'
    root = plant(tmp_path / "skills", Case(name="pair", build=holding(text)))
    run = run_cli("--dialect", dialect, *command.split(), "--root", str(root))
    assert "Traceback" not in run.stdout


@pytest.mark.parametrize(
    "path", ['"a\\0b"', '"\\ud800"', "/dev/zero", "&a [*a]", "[" * 9_000]
)
def test_a_hostile_configuration_leaves_the_skills(tmp_path: Path, path: str) -> None:
    root = plant(tmp_path / ".opencode", Case(name="bad", build=holding("no")))
    config = f"skill:\n  additional_paths: [{path}]\n"
    (root / "config.yaml").write_text(config)
    run = run_cli("--dialect", "brutus", "--cwd", str(tmp_path), "list", "--json")
    assert "Traceback" not in run.stdout
    assert '"loaded"' in run.stdout


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_command_line_lists_the_good_skill_in_a_tree_of_all_cases(
    place: Path, dialect: str
) -> None:
    home = place / f"home of {dialect}"
    folder = home / HOMES[dialect]
    folder.mkdir(parents=True)
    for number, case in enumerate(CASES):
        if case.name not in SLOW_TO_PLANT:
            case.build(folder / f"bad{number}")
    (folder / "good").mkdir()
    (folder / "good" / "SKILL.md").write_text(GOOD)
    run = run_cli(
        *("--dialect", dialect, "--home", str(home), "--cwd", str(home)),
        *("list", "--json"),
    )
    value, _ = json.JSONDecoder().raw_decode(run.stdout)  # the rest is stderr's
    listed = {each["name"]: each["status"] for each in value["skills"]}
    assert listed["good"] == ("rejected" if dialect == "opi" else "loaded")


# Where the others are planted once, a tree for each dialect would take too long.
SLOW_TO_PLANT = frozenset(
    ("1,200 nested folders", "30,000 files beside it", "two links to each other")
)
HOMES = {
    "agentskills": ".agents/skills",
    "brutus": ".claude/skills",
    "opencode-spec": ".claude/skills",
    "opi": ".config/opi/skills",
    "shelley": ".config/agents/skills",
    "batuta": ".config/apr/skills",
}
