"""The speed table: every figure beside the bare loop that ran next to it.

    python -m bench.speed [--quick] [DIALECT ...]

Seconds depend on the machine and on what else it does, ratios much less. So the bare
loop and every dialect take turns, and the least of the rounds counts. The tree has been
read before the first round, and each dialect has run on a small tree: no round pays for
a cold cache, an import or a compiled expression. The garbage collector starts each run
with nothing to do and stays on, as it does for a user.
"""

from __future__ import annotations

import argparse
import gc
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import metier
from bench.bare_loop import bare_loop
from bench.trees import make_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

DEFAULT_DIALECT = "agentskills"
DIALECTS = (DEFAULT_DIALECT, "brutus", "opencode-spec", "opi", "shelley", "batuta")
SEED = 20261118
ROUNDS = 3
HEAD = ("discover", "found", "cpu s", "wall s", "us/skill", "cpu ratio", "wall ratio")
STARTS = 5  # processes started for each start-up figure
FEW = 50  # skills, in the tree that warms up and that `metier list` reads


class Sizes(NamedTuple):
    """The number of skills in the two trees."""

    small: int
    large: int


FULL = Sizes(20_000, 100_000)
QUICK = Sizes(2_000, 10_000)


class Seconds(NamedTuple):
    """What one run took."""

    cpu: float
    wall: float


class Run(NamedTuple):
    """How many skills were found, and the least that it took."""

    found: int
    least: Seconds


def bare(root: Path) -> Run:
    """One bare loop."""
    gc.collect()
    count, cpu, wall = bare_loop(root)
    return Run(count, Seconds(cpu, wall))


def discover(root: Path, dialect: str) -> Run:
    """One `metier.discover`, in an empty home and an empty folder."""
    with tempfile.TemporaryDirectory(prefix="metier-bench-") as empty:
        gc.collect()
        wall, cpu = time.perf_counter(), time.process_time()
        found = metier.discover(roots=[root], dialect=dialect, home=empty, cwd=empty)
        seconds = Seconds(time.process_time() - cpu, time.perf_counter() - wall)
        return Run(len(found), seconds)


def take_turns(contenders: Sequence[Callable[[], Run]], rounds: int) -> list[Run]:
    """Run each in every round, and keep the least of each."""
    runs: list[list[Run]] = [[] for _ in contenders]
    for _ in range(rounds):
        for contender, mine in zip(contenders, runs, strict=True):
            mine.append(contender())
    return [_least(mine) for mine in runs]


def _least(runs: Sequence[Run]) -> Run:
    cpu = min(run.least.cpu for run in runs)
    wall = min(run.least.wall for run in runs)
    return Run(runs[0].found, Seconds(cpu, wall))


def measure_discovery(
    tree: Path, dialects: Sequence[str], rounds: int = ROUNDS
) -> tuple[Run, dict[str, Run]]:
    """The bare loop and each dialect over one tree, which must be warm."""
    contenders: list[Callable[[], Run]] = [lambda: bare(tree)]
    contenders += [lambda name=name: discover(tree, name) for name in dialects]
    unit, *others = take_turns(contenders, rounds)
    return unit, dict(zip(dialects, others, strict=True))


def measure_growth(
    small: Path, large: Path, dialect: str, rounds: int = ROUNDS
) -> tuple[Run, Run]:
    """One dialect over both trees, which must be warm."""
    few, many = take_turns(
        [lambda: discover(small, dialect), lambda: discover(large, dialect)], rounds
    )
    return few, many


MEMORY = """
import gc, os, sys, tracemalloc
import metier

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

how, small, tree, dialect, empty = sys.argv[1:]
options = {"dialect": dialect, "home": empty, "cwd": empty}
metier.discover(roots=[small], **options)
gc.collect()
if how == "traced":
    tracemalloc.start()
before = tracemalloc.get_traced_memory()[0] if how == "traced" else resident()
found = metier.discover(roots=[tree], **options)
gc.collect()
after = tracemalloc.get_traced_memory()[0] if how == "traced" else resident()
print((after - before) / max(len(found), 1))
"""


def bytes_per_skill(how: str, small: Path, tree: Path, dialect: str) -> float | None:
    """What a library keeps for each skill: `traced` allocations or `resident` pages."""
    if how == "resident" and not Path("/proc/self/statm").exists():
        return None
    with tempfile.TemporaryDirectory(prefix="metier-bench-") as empty:
        answer = subprocess.run(
            [sys.executable, "-c", MEMORY, how, str(small), str(tree), dialect, empty],
            stdout=subprocess.PIPE,
            check=True,
        )
    return float(answer.stdout)


def child_cpu(command: Sequence[str], cwd: Path) -> float:
    """The CPU seconds of one process, user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measure_start_up(few: Path, starts: int = STARTS) -> tuple[float, float, float]:
    """CPU seconds of a bare python, and what the import and `metier list` add to it."""
    with tempfile.TemporaryDirectory(prefix="metier-bench-") as name:
        empty = Path(name)
        script = str(Path(sys.executable).with_name("metier"))
        listing = [script, "--home", name, "--cwd", name, "list", "--root", str(few)]
        commands = (
            [sys.executable, "-c", "pass"],
            [sys.executable, "-c", "import metier"],
            listing,
        )
        least = [float("inf")] * len(commands)
        # One more than counted: the first may have to compile, and never wins.
        for _ in range(starts + 1):
            for index, command in enumerate(commands):
                least[index] = min(least[index], child_cpu(command, empty))
    python, imported, listed = least
    return python, imported - python, listed - python


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Columns under their heads: the first to the left, numbers to the right."""
    label, *widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *cells in rows:
        numbers = [cell.rjust(width) for cell, width in zip(cells, widths, strict=True)]
        print("  ".join([first.ljust(label), *numbers]))
    print(flush=True)


def report_discovery(tree: Path, dialects: Sequence[str], rounds: int) -> None:
    """Print seconds and ratios, a row for each dialect."""
    unit, runs = measure_discovery(tree, dialects, rounds)
    rows: list[Sequence[str]] = [HEAD]
    for name, run in {"bare loop": unit, **runs}.items():
        cpu, wall = run.least
        rows.append(
            [
                name,
                f"{run.found:,}",
                f"{cpu:.3f}",
                f"{wall:.3f}",
                f"{cpu / unit.found * 1e6:.1f}",
                f"{cpu / unit.least.cpu:.2f}",
                f"{wall / unit.least.wall:.2f}",
            ]
        )
    print_table(rows)


def report_growth(small: Path, large: Path, sizes: Sizes, rounds: int) -> None:
    """Print how the default dialect grows from the small tree to the large one."""
    few, many = measure_growth(small, large, DEFAULT_DIALECT, rounds)
    rows = [(f"{DEFAULT_DIALECT}, growing", "cpu s", "wall s")]
    for size, (cpu, wall) in zip(sizes, (few.least, many.least), strict=True):
        rows.append((f"{size:,} skills", f"{cpu:.3f}", f"{wall:.3f}"))
    cpu, wall = many.least.cpu / few.least.cpu, many.least.wall / few.least.wall
    rows.append(("factor", f"{cpu:.2f}", f"{wall:.2f}"))
    print_table(rows)


def report_memory(few: Path, tree: Path) -> None:
    """Print what the default dialect's library keeps for each skill."""
    rows = [(f"{DEFAULT_DIALECT}, memory", "bytes/skill")]
    for how in ("traced", "resident"):
        kept = bytes_per_skill(how, few, tree, DEFAULT_DIALECT)
        rows.append((how, "unknown" if kept is None else f"{kept:,.0f}"))
    print_table(rows)


def report_start_up(few: Path) -> None:
    """Print what a command costs before it does anything."""
    python, imported, listed = measure_start_up(few)
    print_table(
        [
            ("start-up", "cpu ms"),
            ("bare python", f"{python * 1e3:.1f}"),
            ("import metier", f"+{imported * 1e3:.1f}"),
            (f"metier list, {FEW} skills", f"+{listed * 1e3:.1f}"),
        ]
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed", allow_abbrev=False)
    parser.add_argument("dialects", nargs="*", metavar="DIALECT", default=DIALECTS)
    parser.add_argument("--quick", action="store_true", help="a tenth of the skills")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of which the least")
    options = parser.parse_args()
    sizes = QUICK if options.quick else FULL

    with tempfile.TemporaryDirectory(prefix="metier-bench-") as folder:
        few, small, large = (Path(folder, name) for name in ("few", "small", "large"))
        make_tree(few, FEW, seed=SEED)
        make_tree(small, sizes.small, seed=SEED)
        os.sync()  # or the disk is still writing while the clock runs
        bare(small)
        for name in {DEFAULT_DIALECT, *options.dialects}:
            discover(few, name)

        print(f"Python {sys.version.split()[0]}, {os.cpu_count()} CPUs", end=", ")
        print(f"{sizes.small:,} skills, the least of {options.rounds} rounds\n")
        report_discovery(small, options.dialects, options.rounds)
        report_memory(few, small)
        report_start_up(few)
        make_tree(large, sizes.large, seed=SEED)
        os.sync()
        bare(small)
        bare(large)
        report_growth(small, large, sizes, options.rounds)


if __name__ == "__main__":
    main()
