"""Hostile trees: what a repository may hold to hang, flood or fool a reader.

Each case fills the folder `bad`, which a walk reaches before the folder `good`.
"""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

GOOD = "---\nname: good\ndescription: A good skill.\n---\nDo good.\n"
BAD = "---\nname: bad\ndescription: A bad skill.\n---\nDo bad.\n"

DIALECTS = ("agentskills", "brutus", "opencode-spec", "opi", "shelley", "batuta")
# These look at the children of a root and no deeper, through links too.
FLAT = frozenset(("opi", "shelley", "batuta"))
# These enter no folder that is a link.
UNLINKED = frozenset(("brutus",))

Build = Callable[[Path], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A tree, and how many findings it is worth, unless a dialect never gets there."""

    name: str
    build: Build
    findings: int = 1
    unseen_by: frozenset[str] = frozenset()

    def findings_for(self, dialect: str) -> int:
        return 0 if dialect in self.unseen_by else self.findings


def plant(root: Path, case: Case) -> Path:
    """The tree of `case` beside a good skill, under `root`."""
    (root / "good").mkdir(parents=True)
    (root / "good" / "SKILL.md").write_text(GOOD)
    case.build(root / "bad")
    return root


def holding(content: bytes | str) -> Build:
    """A folder whose skill file holds just this."""
    data = content.encode() if isinstance(content, str) else content

    def build(folder: Path) -> None:
        folder.mkdir()
        (folder / "SKILL.md").write_bytes(data)

    return build


def headed(header: str) -> Build:
    """A skill file with these lines below a fine name and description."""
    return holding(f"---\nname: bad\ndescription: bad\n{header}\n---\nDo bad.\n")


def linked_to(target: str) -> Build:
    """A folder whose skill file is a symbolic link."""

    def build(folder: Path) -> None:
        folder.mkdir()
        (folder / "SKILL.md").symlink_to(target)

    return build


def fifo(folder: Path) -> None:
    folder.mkdir()
    os.mkfifo(folder / "SKILL.md")


def linked_fifo(folder: Path) -> None:
    folder.mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "SKILL.md").symlink_to("pipe")


def bound_socket(folder: Path) -> None:
    folder.mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        # A socket's path has to be short; the folder's need not be.
        here = os.open(folder, os.O_RDONLY)
        server.bind(f"/proc/self/fd/{here}/SKILL.md")
        os.close(here)


def device(folder: Path) -> None:
    """Like /dev/zero; only root can make one."""
    folder.mkdir()
    if os.geteuid() == 0:
        zero = stat.S_IFCHR | 0o666
        os.mknod(folder / "SKILL.md", zero, os.makedev(1, 5))
    else:
        (folder / "SKILL.md").symlink_to("/dev/zero")


def directory(folder: Path) -> None:
    (folder / "SKILL.md").mkdir(parents=True)


def self_link(folder: Path) -> None:
    folder.symlink_to(folder.name)


def mutual_links(folder: Path) -> None:
    """The other one lies outside of the root, so that it is not one more to tell."""
    folder.mkdir()
    other = folder.parent.parent / "other"
    other.symlink_to(folder / "SKILL.md")
    (folder / "SKILL.md").symlink_to(other)


def two_loops(folder: Path) -> None:
    folder.mkdir()
    (folder / "one").symlink_to(".")
    (folder / "two").symlink_to(".")


def parent_loop(folder: Path) -> None:
    folder.mkdir()
    (folder / "up").symlink_to("..")


def deep_folders(folder: Path) -> None:
    """Built from its innermost folder on: the whole path is too long to be named."""
    depth, name = 1_200, "d" * 20
    here = folder.parent
    innermost = here / "rising"
    innermost.mkdir()
    (innermost / "SKILL.md").write_text(BAD)
    for _ in range(depth):
        outer = here / "outer"
        outer.mkdir()
        innermost.rename(outer / name)
        innermost = outer.rename(here / "rising")
    innermost.rename(folder)


def long_path(folder: Path) -> None:
    """Fewer folders than are walked, whose names make a path that is too long."""
    here = folder.parent
    innermost = here / "rising"
    innermost.mkdir()
    for _ in range(17):
        outer = here / "outer"
        outer.mkdir()
        innermost.rename(outer / ("d" * 250))
        innermost = outer.rename(here / "rising")
    innermost.rename(folder)


def many_files(folder: Path) -> None:
    folder.mkdir()
    for number in range(30_000):
        os.close(os.open(folder / f"asset-{number}.md", os.O_CREAT | os.O_WRONLY))


def sparse(folder: Path) -> None:
    folder.mkdir()
    with (folder / "SKILL.md").open("wb") as file:
        file.write(BAD.encode())
        file.truncate(300 * 1024 * 1024)


def named(name: str | bytes) -> Build:
    """A skill in a folder of this name, whose file has no frontmatter."""

    def build(folder: Path) -> None:
        place = os.path.join(os.fsencode(folder.parent), os.fsencode(name))
        os.mkdir(place)
        with open(os.path.join(place, b"SKILL.md"), "wb") as file:
            file.write(b"no frontmatter\n")

    return build


_BOMB = "\n".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
# Only these know YAML; to the others all this is text.
PLAIN = FLAT

CASES = (
    Case(name="fifo", build=fifo),
    Case(name="link to a fifo", build=linked_fifo),
    Case(name="socket", build=bound_socket),
    Case(name="device", build=device),
    Case(name="directory", build=directory),
    Case(name="dangling link", build=linked_to("nowhere")),
    Case(name="link to /dev/zero", build=linked_to("/dev/zero")),
    Case(name="link to /dev/null", build=linked_to("/dev/null")),
    Case(name="link to itself", build=linked_to("SKILL.md")),
    Case(name="two links to each other", build=mutual_links),
    Case(name="folder that links to itself", build=self_link, unseen_by=UNLINKED),
    Case(name="two loops", build=two_loops, findings=2, unseen_by=FLAT | UNLINKED),
    Case(name="loop to the parent", build=parent_loop, unseen_by=FLAT | UNLINKED),
    Case(name="1,200 nested folders", build=deep_folders, unseen_by=FLAT),
    Case(name="path too long", build=long_path, unseen_by=FLAT),
    Case(name="30,000 files beside it", build=many_files, findings=0),
    Case(name="300 MB", build=sparse),
    Case(name="1 MB without a newline", build=holding(b"a" * 1_000_000)),
    Case(name="1 MB of newlines", build=holding(b"---\n" + b"\n" * 1_000_000)),
    Case(name="20,000 brackets", build=headed("x: " + "[" * 20_000), unseen_by=PLAIN),
    # These headers are larger than metier reads for anybody.
    Case(name="200,000 brackets", build=headed("x: " + "[" * 200_000)),
    Case(name="30,000 nested maps", build=headed("x:\n  - " + "{a: " * 30_000)),
    Case(
        name="alias bomb",
        build=holding(f"---\nname: bad\na: &a [x]\n{_BOMB}\ndescription: *i\n---\n.\n"),
        unseen_by=PLAIN,
    ),
    Case(name="59:59", build=headed("x: 59" + ":59" * 9_000), findings=0),
    Case(name="NUL", build=holding(b"\0" * 4_000)),
    Case(name="UTF-16 LE", build=holding(b"\xff\xfe" + "no\n".encode("utf-16-le"))),
    Case(name="UTF-16 BE", build=holding(b"\xfe\xff" + "no\n".encode("utf-16-be"))),
    Case(name="Latin-1", build=holding("n\xe9ant\n".encode("latin-1"))),
    Case(name="js fence", build=holding("---js\nrequire('fs')\n---\nDo bad.\n")),
    Case(name="folder's name with a newline", build=named("bad\nname")),
    Case(name="folder's name that is not UTF-8", build=named(b"bad\xff\xfe")),
)
