"""Every recorded file reads as the real systems read it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.loading import (
    CORPUS,
    SYSTEMS,
    FileCase,
    corpus_cases,
    edge_cases,
)
from tests.conformance.parsing import compared, file_answers, memory_answers

CORPUS_SECONDS = 15
EVERY_SYSTEM = pytest.mark.parametrize("system", SYSTEMS)


@pytest.fixture(scope="module")
def corpus() -> tuple[FileCase, ...]:
    if not CORPUS.exists():
        pytest.skip(f"the corpus of real skills is not at {CORPUS}")
    return tuple(corpus_cases())


@pytest.fixture(scope="module")
def corpus_paths(
    corpus: tuple[FileCase, ...], tmp_path_factory: pytest.TempPathFactory
) -> list[Path]:
    folder = tmp_path_factory.mktemp("corpus")
    paths = [folder / case.id / case.path for case in corpus]
    for case, path in zip(corpus, paths, strict=True):
        path.parent.mkdir(parents=True)
        path.write_bytes(case.data)
    return paths


@pytest.mark.parametrize("case", edge_cases(), ids=str)
def test_an_odd_file_reads_as_recorded(case: FileCase, tmp_path: Path):
    path = tmp_path / case.path
    path.parent.mkdir()
    path.write_bytes(case.data)
    for system in SYSTEMS:
        ours, theirs = file_answers(case, system, str(path))
        assert ours == theirs, system


@EVERY_SYSTEM
def test_a_real_file_reads_as_recorded(system: str, corpus: tuple[FileCase, ...]):
    answers = {case.id: memory_answers(case, system) for case in corpus}
    assert differences(answers) == {}


@EVERY_SYSTEM
def test_the_command_line_says_the_same_in_one_call_and_in_time(
    system: str, corpus: tuple[FileCase, ...], corpus_paths: list[Path]
):
    before = child_seconds()
    lines = parse_listed(corpus_paths, system)
    assert child_seconds() - before < CORPUS_SECONDS
    assert [line["path"] for line in lines] == [str(path) for path in corpus_paths]
    answers = {
        case.id: compared(line, case.outcomes[system])
        for case, line in zip(corpus, lines, strict=True)
    }
    assert differences(answers) == {}


def differences(answers: dict[str, tuple[Any, Any]]) -> dict[str, tuple[Any, Any]]:
    return {case: pair for case, pair in answers.items() if pair[0] != pair[1]}


def child_seconds() -> float:
    """The processor's time: a busy machine is no bug."""
    spent = os.times()
    return spent.children_user + spent.children_system


def parse_listed(paths: list[Path], system: str) -> list[dict[str, Any]]:
    words = ["-m", "metier", "parse", "--dialect", system, "--stdin-list", "--json"]
    done = subprocess.run(
        [sys.executable, *words],
        input="".join(f"{path}\n" for path in paths).encode(),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")  # 1: some are no skills
    return [json.loads(line) for line in done.stdout.splitlines()]
