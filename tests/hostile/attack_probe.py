"""Reads every attack as one dialect; prints a line of JSON for what went wrong.

attack_probe.py DIALECT SIZE SECONDS [pure]
"""

# ruff: noqa: T201
from __future__ import annotations

import json
import os
import resource
import signal
import sys
import tempfile
import time

import yaml

if sys.argv[4:] == ["pure"] and hasattr(yaml, "CSafeLoader"):
    del yaml.CSafeLoader

from attacks import files_of

from metier.core.dialect import Dialect
from metier.core.rules import RULES
from metier.world.dialects import load_dialect
from metier.world.files import parse_file
from metier.world.filesystem import DiskFileSystem

# Gigabytes fail instead of filling the machine; hangs end.
_MEMORY = 2 << 30
_PATIENCE = 3


def main() -> None:
    dialect, size, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    rules = load_dialect(dialect)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    signal.signal(signal.SIGALRM, _give_up)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "SKILL.md")
        for name, data in files_of(size).items():
            with open(path, "wb") as file:
                file.write(data)
            if problem := _problem(path, rules, seconds):
                print(json.dumps({"attack": name, "problem": problem}), flush=True)


def _problem(path: str, dialect: Dialect, seconds: float) -> str | None:
    signal.alarm(_PATIENCE)
    started = time.process_time()
    try:
        parsed = parse_file(path, dialect, DiskFileSystem())
    except BaseException as error:  # noqa: BLE001
        return repr(error)[:200]
    finally:
        signal.alarm(0)
    spent = time.process_time() - started
    if spent > seconds:
        return f"{spent:.2f} s"
    unknown = {found.rule for found in parsed.diagnostics} - set(RULES)
    if unknown:
        return f"unknown rules {unknown}"
    return "too many findings" if len(parsed.diagnostics) > 100 else None


def _give_up(*_: object) -> None:
    raise TimeoutError(f"{_PATIENCE} s and no answer")


main()
