from __future__ import annotations

from dataclasses import replace

import pytest

from metier.core.activation import ResourceList
from metier.core.tree import EntryKind, Part, build_tree
from metier.testing import Content, Link, MemoryFileSystem, Special
from metier.world import resources
from metier.world.resources import list_resources, resources_in


def listed(files: dict[str, Content] | str, *, limit: int = 100) -> ResourceList:
    given = dict.fromkeys(files.split(), "") if isinstance(files, str) else files
    tree = {"/s/SKILL.md": "", **{f"/s/{path}": c for path, c in given.items()}}
    memory = MemoryFileSystem(tree)
    found = list_resources(memory, "/s/SKILL.md", limit=limit)
    assert memory.reads == []
    return found


def test_the_files_beside_a_skill_are_listed_sorted():
    found = listed("z.txt a.py scripts/run.py scripts/lib/x.py")
    assert found == ResourceList(
        paths=("a.py", "scripts/lib/x.py", "scripts/run.py", "z.txt")
    )


def test_the_skill_file_itself_is_not_listed_but_one_below_is():
    assert listed("sub/SKILL.md") == ResourceList(paths=("sub/SKILL.md",))


def test_a_skill_alone_has_none():
    assert listed("") == ResourceList()


def test_what_belongs_to_tools_is_left_out():
    found = listed(".git/HEAD node_modules/x/y.js a/__pycache__/z.pyc a/node.py .env")
    assert found == ResourceList(paths=(".env", "a/node.py"))


def test_only_files_are_listed():
    odd: dict[str, Content] = {"pipe": Special(), "link": Link("a"), "a": ""}
    assert listed(odd) == ResourceList(paths=("a",))


def test_no_link_is_followed_out_of_the_folder():
    memory = MemoryFileSystem(
        {"/s/SKILL.md": "", "/s/etc": Link("/etc"), "/etc/passwd": ""}
    )
    assert list_resources(memory, "/s/SKILL.md", limit=9) == ResourceList()


def test_folders_five_deep_are_listed_and_of_a_deeper_one_the_list_says_so():
    assert listed("1/2/3/4/5/a") == ResourceList(paths=("1/2/3/4/5/a",))
    found = listed("1/2/3/4/5/a 1/2/3/4/5/6/b")
    assert found == ResourceList(paths=("1/2/3/4/5/a",), is_cut=True)
    assert listed("1/2/3/4/5/node_modules/b") == ResourceList()


def test_a_tree_that_was_read_is_listed_in_the_same_way():
    paths = ("SKILL.md", "1/2/3/4/5/a", ".git/HEAD", "1/2/3/4/5/6/b")
    tree = build_tree(Part(path, EntryKind.FILE) for path in paths)
    deep = ResourceList(paths=("1/2/3/4/5/a",), is_cut=True)
    assert resources_in(tree, "SKILL.md", limit=9) == deep
    flat = build_tree(Part(path, EntryKind.FILE) for path in paths[:3])
    assert resources_in(flat, "SKILL.md", limit=9) == replace(deep, is_cut=False)
    assert resources_in(flat, "1/2/3/4/5/a", limit=1) == ResourceList(
        paths=("SKILL.md",)
    )


@pytest.mark.parametrize(
    ("limit", "count", "is_cut"), [(4, 4, False), (3, 3, True), (1, 1, True)]
)
def test_no_more_than_the_limit_is_listed(limit: int, count: int, is_cut: bool):
    found = listed("a b c d", limit=limit)
    assert found == ResourceList(paths=tuple("abcd"[:count]), is_cut=is_cut)


def test_a_list_that_is_full_is_cut_before_the_other_folders():
    found = listed("a b x/c y/d", limit=1)
    assert (len(found.paths), found.is_cut) == (1, True)


def test_no_more_folders_are_looked_into_than_is_sensible(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(resources, "_MAX_FOLDERS", 2)
    assert listed("a/x b/x c/x").is_cut


def test_a_folder_that_is_gone_has_none():
    memory = MemoryFileSystem()
    assert list_resources(memory, "/s/SKILL.md", limit=9) == ResourceList()
