"""Measures discoveries, each in a process of its own.

    probe.py '{"root": ..., "dialects": [...], "user": null}'

prints a line of JSON for each dialect: seconds, megabytes, what was found.
"""

# ruff: noqa: T201
from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
from typing import Any

import metier
from metier.core.readers import trees

# Where a reader hangs, the test has to end all the same.
_PATIENCE = 10


def main() -> None:
    request = json.loads(sys.argv[1])
    assert trees  # imported now: a process without rights cannot do so later
    for dialect in request["dialects"]:
        metier.discover(roots=[], dialect=dialect)
        child = os.fork()
        if child == 0:
            _report(request, dialect)
        _, status = os.waitpid(child, 0)
        if status:
            print(json.dumps({"dialect": dialect, "died": status}), flush=True)


def _report(request: dict[str, Any], dialect: str) -> None:
    signal.alarm(_PATIENCE)
    if request["user"] is not None:
        os.setuid(request["user"])
    memory, started = _megabytes(), time.perf_counter()
    library = metier.discover(roots=[request["root"]], dialect=dialect)
    found = [_outcome(account) for account in library.accounts()]
    diagnostics = [each.as_json() for each in library.diagnostics]
    seconds, memory = time.perf_counter() - started, _megabytes() - memory
    value = {
        "dialect": dialect,
        "seconds": seconds,
        "megabytes": memory,
        "accounts": found,
        "diagnostics": diagnostics,
        "aborted": library.aborted_by is not None,
    }
    print(json.dumps(value), flush=True)
    os._exit(0)


def _outcome(account: metier.Account) -> dict[str, Any]:
    return {
        "name": account.name,
        "path": account.path,
        "status": account.status.value,
        "rule": account.rule,
    }


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


main()
