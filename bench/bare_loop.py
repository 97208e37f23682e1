"""The unit of every speed figure: what Python needs to touch the same files at all."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

HEAD_BYTES = 4096


def bare_loop(root: str | Path) -> tuple[int, float, float]:
    """Read the head of each SKILL.md under `root`: how many, CPU and wall seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    count = 0
    folders = [os.fspath(root)]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name == "SKILL.md":
                    file = os.open(entry.path, os.O_RDONLY)
                    os.read(file, HEAD_BYTES)
                    os.close(file)
                    count += 1
                elif entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
    return count, time.process_time() - cpu, time.perf_counter() - wall
