from __future__ import annotations

import errno
from collections import Counter

import pytest

from metier.api import compare
from metier.core.document import MAX_FILE, DocumentReader
from metier.core.roots import Environment
from metier.core.selection import Links
from metier.engine import HEAD_SIZE
from metier.sharing import RememberedFiles, SharedScan
from metier.testing import Link, MemoryFileSystem, make_skill
from metier.world.dialects import dialect_names, load_dialect
from tests.making import dialect

FOLDER = "/skills"
HERE = Environment(cwd="/proj", home="/home")


def scan_of(files: MemoryFileSystem) -> SharedScan:
    return SharedScan(HERE, files)


@pytest.fixture
def files() -> MemoryFileSystem:
    return MemoryFileSystem(
        {
            f"{FOLDER}/{name}/SKILL.md": make_skill(name, "Does it", body="x" * size)
            for name, size in (("a", 1), ("b", 9), ("long", HEAD_SIZE * 2))
        }
    )


def test_all_agents_together_read_each_file_once(files: MemoryFileSystem):
    matrix = compare(roots=[FOLDER], cwd="/proj", home="/home", filesystem=files)
    assert len(matrix.dialects) == len(dialect_names())
    assert set(Counter(files.listings).values()) == {1}
    reads = Counter(path for path in files.reads if files.exists(path))
    # Of a long file the head is read, and all of it where somebody needs that.
    assert reads.pop(f"{FOLDER}/long/SKILL.md") == 2
    assert set(reads.values()) == {1}


def test_agents_that_read_alike_parse_each_file_once(
    files: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch
):
    parsed: list[bytes] = []
    read = DocumentReader.read

    def counted(self: DocumentReader, data: bytes, *, directory: str):
        parsed.append(data)
        return read(self, data, directory=directory)

    monkeypatch.setattr(DocumentReader, "read", counted)
    scan = scan_of(files)
    for order in ("first-wins", "last-wins", "keep-all"):
        altered = dialect("opi", precedence={"collision": order, "sorting": "name"})
        assert len(scan.discover(altered, [FOLDER])) == 3
    assert len(parsed) == 3


def test_a_reader_is_shared_by_those_who_read_alike():
    scan = scan_of(MemoryFileSystem())
    opi = load_dialect("opi")
    same = dialect("opi", precedence={"collision": "keep-all", "sorting": "name"})
    other = dialect("opi", fence="gray-matter")
    assert scan.reader_of(opi) is scan.reader_of(same)
    assert scan.reader_of(opi) is not scan.reader_of(other)


def test_a_file_speaks_without_a_folder_to_lend_it_a_name(files: MemoryFileSystem):
    files.write("/no-name", "---\ndescription: d\n---\n")
    files.write("/late", f"---\n#{'x' * HEAD_SIZE}\nname: late\ndescription: d\n---\n")
    files.write("/huge", f"---\n#{'x' * MAX_FILE}\nname: late\ndescription: d\n---\n")
    files.write("/loop", Link("/loop"))
    scan, reader = scan_of(files), load_dialect("agentskills")
    paths = (f"{FOLDER}/a/SKILL.md", f"{FOLDER}/long/SKILL.md", "/no-name", "/late")
    documents = [scan.read(path, reader) for path in paths]
    assert [each and each.name for each in documents] == ["a", "long", None, "late"]
    assert [scan.read(path, reader) for path in ("/huge", "/loop", "/gone")] == [
        None
    ] * 3


def test_a_file_is_known_by_the_path_without_links(files: MemoryFileSystem):
    files.write("/linked", Link(FOLDER))
    files.write(f"{FOLDER}/broken/SKILL.md", Link("nowhere"))
    scan = scan_of(files)
    assert scan.real_path("/linked/a/SKILL.md") == f"{FOLDER}/a/SKILL.md"
    assert scan.real_path("/linked/broken/SKILL.md") == f"{FOLDER}/broken/SKILL.md"
    assert scan.real_path("/gone") == "/gone"


def test_every_question_is_asked_once(files: MemoryFileSystem):
    remembered = RememberedFiles(files)
    path = f"{FOLDER}/a"
    for _ in range(2):
        assert [name for name, _, _ in remembered.list_folder(path)] == ["SKILL.md"]
        assert remembered.read_file(f"{path}/SKILL.md", 3, Links.FOLLOW).data == b"---"
        assert remembered.read_below(FOLDER, "a/SKILL.md", 3).data == b"---"
        assert remembered.is_directory(path)
        assert remembered.exists(path)
        assert not remembered.is_link(path)
        assert remembered.mark(path) == files.mark(path)
        assert remembered.count_names(path) == 1
        stamp = remembered.stamp(path)
        assert remembered.identity(path) == (stamp.device, stamp.inode)
        assert len(remembered.read_tree(path, stamp).entries) == 1
    assert files.listings == [path]
    assert files.reads == [f"{path}/SKILL.md", f"{FOLDER}/a/SKILL.md"]


def test_what_went_wrong_goes_wrong_again_without_being_asked():
    files = MemoryFileSystem()
    remembered = RememberedFiles(files)
    for _ in range(3):
        with pytest.raises(OSError, match="No such file") as raised:
            remembered.list_folder("/gone")
        assert raised.value.errno == errno.ENOENT
    assert files.listings == ["/gone"]
