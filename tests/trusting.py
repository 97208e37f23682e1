"""A project with a skill, a store of trust, and every way to edit what was approved."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from metier.api import discover
from metier.errors import NotApproved
from metier.library import Library
from metier.runtime.trust import Gate
from metier.testing import make_skill
from metier.world.dialects import DEFAULT_DIALECT
from metier.world.trust_store import TrustStore

SKILL = make_skill("pdf", "Fills forms", body="Run scripts/fill.py.\n")


def store_in(folder: Path) -> TrustStore:
    """A store below `folder`, with a clock that stands still."""
    path = str(folder / "state" / "metier" / "trust.json")
    return TrustStore(path=path, clock=lambda: "2026-01-01T00:00:00Z")


def gate_of(library: Library) -> Gate:
    assert library.gate is not None
    return library.gate


@dataclass(frozen=True)
class Scene:
    """A project, the folder of its one skill, and the store that trusts them."""

    project: Path
    store: TrustStore
    dialect: str = DEFAULT_DIALECT

    @property
    def skill(self) -> Path:
        return self.project / ".agents" / "skills" / "pdf"

    def look(self) -> Library:
        return discover(
            dialect=self.dialect,
            cwd=self.project,
            home="/nowhere",
            trust=self.store,
        )

    def trust_all(self) -> Library:
        library = self.look()
        gate_of(library).accept(gate_of(library).questions(library))
        return library.refresh()


def set_scene(folder: Path, *, dialect: str = DEFAULT_DIALECT) -> Scene:
    """The project, not trusted yet."""
    scene = Scene(folder / "project", store_in(folder), dialect)
    (scene.project / ".git").mkdir(parents=True)
    fill(scene.skill)
    return scene


def fill(skill: Path) -> None:
    """Everything that a skill may hold: hidden, empty, linked, executable."""
    files = {
        "SKILL.md": SKILL,
        "scripts/fill.py": "print('fill')\n",
        "scripts/lib/pages.py": "PAGES = 1\n",
        "references/forms.md": "# Forms\n",
        "references/fields.md": "# Fields\n",
        ".hidden/notes": "hidden\n",
        ".git/config": "[core]\n",
        "node_modules/left/index.js": "0\n",
        "empty.txt": "",
    }
    for name, text in files.items():
        (skill / name).parent.mkdir(parents=True, exist_ok=True)
        (skill / name).write_text(text)
    (skill / "scripts" / "fill.py").chmod(0o755)
    (skill / "assets" / "nothing").mkdir(parents=True)
    (skill / "latest.md").symlink_to("references/forms.md")
    (skill / "docs").symlink_to("references")


# --- edits --------------------------------------------------------------------------

Edit = Callable[[Path, random.Random], None]


def _file(skill: Path, chance: random.Random) -> Path:
    files = [p for p in sorted(skill.rglob("*")) if p.is_file() and not p.is_symlink()]
    return chance.choice(files)


def _folder(skill: Path, chance: random.Random) -> Path:
    below = [p for p in sorted(skill.rglob("*")) if p.is_dir() and not p.is_symlink()]
    return chance.choice([skill, *below])


def change_a_byte(skill: Path, chance: random.Random) -> None:
    path = chance.choice([skill / "SKILL.md", skill / "scripts" / "fill.py"])
    data = bytearray(path.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(7)
    path.write_bytes(bytes(data))


def change_a_byte_and_the_clock_back(skill: Path, chance: random.Random) -> None:
    path = skill / "SKILL.md"
    before = path.stat()
    change_a_byte(skill, chance)
    for each in (path, skill / "scripts" / "fill.py"):
        os.utime(each, ns=(before.st_atime_ns, before.st_mtime_ns))


def append(skill: Path, chance: random.Random) -> None:
    with _file(skill, chance).open("ab") as file:
        file.write(b"\n")


def empty_a_file(skill: Path, chance: random.Random) -> None:
    path = _file(skill, chance)
    path.write_bytes(b"" if path.stat().st_size else b"x")


def rename_a_file(skill: Path, chance: random.Random) -> None:
    path = _file(skill, chance)
    path.rename(path.with_name(path.name + chance.choice("x~ ")))


def change_the_case_of_a_name(skill: Path, chance: random.Random) -> None:
    path = chance.choice(sorted((skill / "references").iterdir()))
    path.rename(path.with_name(path.name.upper()))


def move_a_file(skill: Path, chance: random.Random) -> None:
    path = chance.choice([skill / "empty.txt", skill / "scripts" / "fill.py"])
    path.rename(skill / ".hidden" / path.name)


def swap_two_files(skill: Path, _chance: random.Random) -> None:
    one, two = skill / "references" / "forms.md", skill / "references" / "fields.md"
    first, second = one.read_bytes(), two.read_bytes()
    one.write_bytes(second)
    two.write_bytes(first)


def rename_a_folder(skill: Path, chance: random.Random) -> None:
    path = chance.choice([skill / "scripts", skill / "assets", skill / ".hidden"])
    path.rename(path.with_name(path.name + "2"))


def add_a_file(skill: Path, chance: random.Random) -> None:
    name = chance.choice(["a", ".a", "SKILL.md~", "z\n", "\u202ecod.exe"])
    (_folder(skill, chance) / name).write_text(chance.choice(["", "new"]))


def add_an_empty_folder(skill: Path, chance: random.Random) -> None:
    (_folder(skill, chance) / "new").mkdir()


def add_to_git(skill: Path, _chance: random.Random) -> None:
    (skill / ".git" / "hooks").mkdir()
    (skill / ".git" / "hooks" / "post-checkout").write_text("#!/bin/sh\n")


def add_a_pipe(skill: Path, chance: random.Random) -> None:
    os.mkfifo(_folder(skill, chance) / "pipe")


def remove_a_file(skill: Path, chance: random.Random) -> None:
    path = _file(skill, chance)
    while path.name == "SKILL.md":
        path = _file(skill, chance)
    path.unlink()


def remove_a_folder(skill: Path, chance: random.Random) -> None:
    shutil.rmtree(skill / chance.choice(["assets", "scripts/lib", "node_modules"]))


def make_a_program(skill: Path, chance: random.Random) -> None:
    path = chance.choice([skill / "scripts" / "lib" / "pages.py", skill / "SKILL.md"])
    path.chmod(0o644 | chance.choice([0o100, 0o010, 0o001, 0o111]))


def unmake_a_program(skill: Path, _chance: random.Random) -> None:
    (skill / "scripts" / "fill.py").chmod(0o644)


def make_it_run_as_its_owner(skill: Path, chance: random.Random) -> None:
    (skill / "scripts" / "fill.py").chmod(0o755 | chance.choice([0o4000, 0o2000]))


def turn_a_link(skill: Path, chance: random.Random) -> None:
    link = skill / chance.choice(["latest.md", "docs"])
    target = chance.choice(["scripts", "/etc/passwd", "../../..", "./references"])
    link.unlink()
    link.symlink_to(target)


def put_a_link_for_a_file(skill: Path, _chance: random.Random) -> None:
    path = skill / "references" / "forms.md"
    path.rename(skill.parent / "forms.md")
    path.symlink_to("../../forms.md")


def put_a_link_for_a_folder(skill: Path, _chance: random.Random) -> None:
    (skill / "scripts").rename(skill.parent / "scripts")
    (skill / "scripts").symlink_to("../scripts")


def put_a_file_for_a_link(skill: Path, _chance: random.Random) -> None:
    (skill / "latest.md").unlink()
    shutil.copy(skill / "references" / "forms.md", skill / "latest.md")


def put_a_folder_for_a_file(skill: Path, _chance: random.Random) -> None:
    (skill / "empty.txt").unlink()
    (skill / "empty.txt").mkdir()


EDITS: tuple[Edit, ...] = (
    change_a_byte,
    change_a_byte_and_the_clock_back,
    append,
    empty_a_file,
    rename_a_file,
    change_the_case_of_a_name,
    move_a_file,
    swap_two_files,
    rename_a_folder,
    add_a_file,
    add_an_empty_folder,
    add_to_git,
    add_a_pipe,
    remove_a_file,
    remove_a_folder,
    make_a_program,
    unmake_a_program,
    make_it_run_as_its_owner,
    turn_a_link,
    put_a_link_for_a_file,
    put_a_link_for_a_folder,
    put_a_file_for_a_link,
    put_a_folder_for_a_file,
)


# --- what is no edit ----------------------------------------------------------------


def do_nothing(_skill: Path, _chance: random.Random) -> None:
    pass


def touch(skill: Path, chance: random.Random) -> None:
    os.utime(
        _file(skill, chance), ns=(chance.randrange(2**60), chance.randrange(2**60))
    )


def write_the_same_again(skill: Path, chance: random.Random) -> None:
    path = _file(skill, chance)
    path.write_bytes(path.read_bytes())


def replace_by_a_copy(skill: Path, chance: random.Random) -> None:
    path = _file(skill, chance)
    copy = path.with_name("copy")
    shutil.copy(path, copy)
    copy.rename(path)


def change_who_may_read(skill: Path, chance: random.Random) -> None:
    (skill / "references" / "forms.md").chmod(chance.choice([0o600, 0o664, 0o444]))
    (skill / "assets").chmod(chance.choice([0o700, 0o775, 0o2755]))


def put_it_back(skill: Path, chance: random.Random) -> None:
    """Away and back again: the entries of the folder stand in another order."""
    path = _file(skill, chance)
    path.rename(skill.parent / "away")
    (skill.parent / "away").rename(path)


NO_EDITS: tuple[Edit, ...] = (
    do_nothing,
    touch,
    write_the_same_again,
    replace_by_a_copy,
    change_who_may_read,
    put_it_back,
)


def asks_again(library: Library) -> bool:
    """Whether a person has to be asked before the skill is handed over."""
    try:
        library.load("pdf")
    except NotApproved as error:
        return error.question is not None
    return False


def count_refusals(edits: tuple[Edit, ...], *, count: int) -> int:
    """After how many of `count` edits, each of what was approved, a load is refused."""
    with quick_folder() as folder:
        scene = set_scene(folder)
        library = scene.trust_all()
        assert library.names == ("pdf",)
        kept = folder / "kept"
        shutil.copytree(scene.skill, kept, symlinks=True)
        chance = random.Random(count)
        refused = 0
        for number in range(count):
            edits[number % len(edits)](scene.skill, chance)
            if asks_again(library):
                refused += 1
                restore(scene.skill, kept)
        assert library.load("pdf").name == "pdf"
        return refused


def restore(skill: Path, kept: Path) -> None:
    """Make the skill what it was, and take away what lies beside it."""
    for each in skill.parent.iterdir():
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    shutil.copytree(kept, skill, symlinks=True)


@contextmanager
def quick_folder() -> Generator[Path]:
    """A folder in memory where there is one: a disk takes a millisecond for each."""
    memory = "/dev/shm"
    with TemporaryDirectory(dir=memory if os.path.isdir(memory) else None) as folder:
        yield Path(folder).resolve()
