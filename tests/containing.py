"""Folders full of links, paths that try to get out, and canaries outside."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from metier.world.contained import Opener, open_below, open_by_steps, read_below
from metier.world.filesystem import NotAFile
from tests.racing import CANARY

OPENERS: tuple[Opener, ...] = (open_below, open_by_steps)
_NAMES = ("a", "b", "c", "d.txt")


def lay_out(folder: Path, chance: random.Random) -> Path:
    """A skill whose links lead everywhere, in a folder where all else is canaries."""
    shutil.rmtree(folder, ignore_errors=True)
    top = folder / "skill"
    for outside in ("outside", "skills", "skill2"):
        for name in ("", *_NAMES[:2]):
            (folder / outside / name).mkdir(parents=True, exist_ok=True)
            (folder / outside / name / "d.txt").write_bytes(CANARY)
    (folder / "d.txt").write_bytes(CANARY)
    top.mkdir()
    for _ in range(chance.randint(4, 14)):
        _add(top, folder, chance)
    return top


def _add(top: Path, folder: Path, chance: random.Random) -> None:
    steps = [chance.choice(_NAMES) for _ in range(chance.randint(1, 3))]
    path = top.joinpath(*steps)
    if not _is_plain(path.parent, top) or os.path.lexists(path):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    kind = chance.randrange(8)
    if kind < 3:
        path.write_bytes(b"good")
    elif kind < 4:
        path.mkdir()
    elif kind < 5:
        os.mkfifo(path)
    else:
        path.symlink_to(_target(folder, chance))


def _is_plain(path: Path, top: Path) -> bool:
    """Whether everything down to `path` is a folder, or nothing yet."""
    while path != top:
        if os.path.lexists(path) and (path.is_symlink() or not path.is_dir()):
            return False
        path = path.parent
    return True


def _target(folder: Path, chance: random.Random) -> str:
    if chance.random() < 0.2:
        return str(folder / chance.choice(["outside", "skill", "skill/a", "d.txt"]))
    return any_path(chance)


def any_path(chance: random.Random) -> str:
    """A path as somebody writes it who wants to get out."""
    if chance.random() < 0.1:
        return "../" * chance.randint(1, 3) + chance.choice(["d.txt", "skill2/a/d.txt"])
    if chance.random() < 0.5:
        return "/".join(chance.choice(_NAMES) for _ in range(chance.randint(1, 2)))
    steps = (*_NAMES, *_NAMES, "..", "..", ".", "", "outside", "skill", "skill2")
    path = "/".join(chance.choice(steps) for _ in range(chance.randint(1, 6)))
    return path.lstrip("/") or "a"


def outcomes(top: Path, path: str) -> Iterator[bytes | str]:
    """What each way of opening gives: bytes, or the kind of the refusal."""
    for opener in OPENERS:
        try:
            yield read_below(str(top), path, 100, opener=opener).data
        except NotAFile:
            yield "no file"
        except OSError as error:
            yield os.strerror(error.errno or 0)


def careless(top: Path, path: str) -> bool:
    """Whether somebody who looks at nothing would have read the canary."""
    file = top / path
    return file.is_file() and file.read_bytes() == CANARY


@dataclass
class Tally:
    """What came of many readings."""

    leaked: int = 0
    good: int = 0
    lost_by_careless: int = 0
    different: list[str] = field(default_factory=list[str])


def try_paths(folder: Path, *, layouts: int, paths: int) -> Tally:
    """Read `paths` paths in each of `layouts` skills, in every way that there is."""
    chance = random.Random(layouts)
    tally = Tally()
    for _ in range(layouts):
        top = lay_out(folder / "world", chance)
        for _ in range(paths):
            path = any_path(chance)
            found = list(outcomes(top, path))
            tally.leaked += CANARY in found
            tally.good += b"good" in found
            tally.lost_by_careless += careless(top, path)
            if len(set(found)) > 1:
                tally.different.append(f"{path}: {found}")
    return tally
