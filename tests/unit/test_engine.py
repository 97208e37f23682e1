from __future__ import annotations

import errno
import gc
from pathlib import Path

import pytest

from metier.api import discover
from metier.core.document import MAX_FILE
from metier.core.selection import Links
from metier.diagnostics import Diagnostic, Position, Severity
from metier.engine import HEAD_SIZE, RootLike
from metier.errors import ConfigError
from metier.testing import Content, MemoryFileSystem, make_skill
from metier.world.filesystem import Entry, Reading
from tests.making import SKILLS, dialect, library

HEAD_DIALECTS = ("agentskills", "brutus", "opencode-spec", "shelley")
WHOLE_DIALECTS = ("batuta", "opi")
# A project folder in which the agent looks.
FOLDERS = {
    "agentskills": SKILLS,
    "batuta": "/proj/.apr/skills",
    "brutus": "/proj/.claude/skills",
    "opencode-spec": "/proj/.opencode/skill",
    "opi": "/proj/.opi/skills",
    "shelley": "/proj/.skills",
}
LONG = "x" * (HEAD_SIZE * 3)


def three_files(folder: str, body: str = "Do it.\n") -> dict[str, Content]:
    return {
        f"{folder}/{name}/SKILL.md": make_skill(name, "Does it", body=body)
        for name in ("a", "b", "c")
    }


def three(folder: str, body: str = "Do it.\n") -> MemoryFileSystem:
    return MemoryFileSystem(three_files(folder, body))


@pytest.mark.parametrize("name", FOLDERS)
def test_each_file_is_read_once(name: str):
    files = three(FOLDERS[name])
    found = library(files, name)
    assert found.names == ("a", "b", "c")
    assert [p for p in files.reads if p.endswith(".md") and files.exists(p)] == [
        f"{FOLDERS[name]}/{each}/SKILL.md" for each in "abc"
    ]


@pytest.mark.parametrize("name", HEAD_DIALECTS)
def test_no_body_is_read_where_the_head_decides(name: str):
    files = three(FOLDERS[name], body=LONG)
    assert library(files, name).names == ("a", "b", "c")
    assert len([p for p in files.reads if files.exists(p)]) == 3


@pytest.mark.parametrize("name", WHOLE_DIALECTS)
def test_the_whole_file_is_read_where_the_body_decides(name: str):
    files = three(FOLDERS[name], body=LONG)
    assert library(files, name).names == ("a", "b", "c")
    reads = [p for p in files.reads if files.exists(p)]
    assert len(reads) == 6


def test_a_long_header_is_read_to_its_end():
    path = f"{SKILLS}/a/SKILL.md"
    text = make_skill("a", "Does it", fields={"license": LONG})
    files = MemoryFileSystem({path: text})
    assert library(files).names == ("a",)
    assert files.reads == [path, path]


def test_each_folder_is_listed_once():
    files = three(SKILLS)
    library(files)
    assert files.listings == [SKILLS, *(f"{SKILLS}/{name}" for name in "abc")]


@pytest.mark.parametrize("name", ["batuta", "opi"])
def test_where_skills_lie_one_folder_deep_only_the_root_is_listed(name: str):
    files = three(FOLDERS[name])
    library(files, name)
    assert files.listings == [FOLDERS[name]]


def test_a_folder_under_two_roots_is_read_once():
    files = three(SKILLS)
    found = library(files, roots=[SKILLS, "/proj/.agents"])
    assert found.names == ("a", "b", "c")
    assert len(files.reads) == 3
    assert [note.rule for note in found.notes] == ["folder-repeated"]


def test_a_file_that_is_too_large_is_not_read_further():
    path = f"{SKILLS}/a/SKILL.md"
    files = MemoryFileSystem({path: "x" * (MAX_FILE + 1)})
    found = library(files)
    assert files.reads == [path]
    assert [(each.path, each.rule) for each in found.rejected] == [
        (path, "file-too-large")
    ]


class Vanishing(MemoryFileSystem):
    """A file that is there for its head only."""

    def read_file(self, path: str, limit: int, links: Links) -> Reading:
        if path in self.reads:
            raise OSError(errno.EACCES, "Permission denied", path)
        return super().read_file(path, limit, links)


def test_a_file_that_cannot_be_read_to_its_end_is_rejected():
    path = f"{SKILLS}/a/SKILL.md"
    text = make_skill("a", "b", fields={"license": LONG})
    found = library(Vanishing({path: text}))
    assert [(each.rule, each.diagnostics[0].message) for each in found.rejected] == [
        ("file-unreadable", "the file cannot be read: permission denied")
    ]


# --- the name and its folder --------------------------------------------------------


def test_a_name_unlike_its_folder_may_be_a_warning():
    found = library({f"{SKILLS}/other/SKILL.md": make_skill("a", "b")})
    assert found["a"].diagnostics == (
        Diagnostic(
            rule="name-not-directory",
            severity=Severity.WARNING,
            message="`a` stands in a folder called `other`",
            position=Position(1, 1),
            help="give both the same name",
        ),
    )


def test_a_name_unlike_its_folder_may_be_an_error():
    found = library({"/proj/.skills/other/SKILL.md": make_skill("a", "b")}, "shelley")
    assert [(each.name, each.rule) for each in found.rejected] == [
        ("a", "name-not-directory")
    ]
    assert found.rejected[0].diagnostics[-1].severity is Severity.ERROR


def test_a_name_unlike_its_folder_may_be_nobodys_business():
    path = "/proj/.opi/skills/other/SKILL.md"
    found = library({path: make_skill("a", "b")}, "opi")
    assert found["a"].diagnostics == ()


class Closed(MemoryFileSystem):
    """A disk on which nobody may look into one folder."""

    closed = ""

    def list_folder(self, path: str) -> list[Entry]:
        if path == self.closed:
            raise OSError(errno.EACCES, "Permission denied", path)
        return super().list_folder(path)

    def read_file(self, path: str, limit: int, links: Links) -> Reading:
        if path.startswith(f"{self.closed}/"):
            raise OSError(errno.EACCES, "Permission denied", path)
        return super().read_file(path, limit, links)

    def exists(self, path: str) -> bool:
        return not path.startswith(f"{self.closed}/") and super().exists(path)

    def is_directory(self, path: str) -> bool:
        return self.exists(path) and super().is_directory(path)

    def identity(self, path: str) -> tuple[int, int]:
        if path.startswith(f"{self.closed}/"):
            raise OSError(errno.EACCES, "Permission denied", path)
        return super().identity(path)


def closed_folder(path: str) -> Diagnostic:
    return Diagnostic(
        rule="folder-unreadable",
        severity=Severity.WARNING,
        message="the folder cannot be read: permission denied",
        path=path,
    )


@pytest.mark.parametrize("closed", ["/proj/.agents", "/home"])
def test_a_folder_above_a_root_that_lets_nobody_through_is_told_once(closed: str):
    files = Closed({**three_files(SKILLS), **three_files("/home/.agents/skills")})
    files.closed = closed
    found = library(files)
    assert found.names == ("a", "b", "c")
    told = [each for each in found.notes if each.rule == "folder-unreadable"]
    assert told == [closed_folder(closed)]


def test_a_root_that_lets_nobody_look_for_its_folders_is_told_once():
    files = Closed({**three_files("/proj/.opencode/skill"), "/proj/.claude/x": ""})
    files.write("/home/.opencode/skills/z/SKILL.md", make_skill("z", "Does it"))
    files.closed = "/home/.opencode"
    found = library(files, "opencode-spec")
    assert found.names == ("a", "b", "c")
    assert found.notes == (closed_folder("/home/.opencode"),)


def test_an_explicit_folder_behind_a_closed_one_is_told():
    files = Closed({**EXPLICIT, "/shut/in/a/SKILL.md": ""})
    files.closed = "/shut"
    found = library(files, roots=["/shut/in", "/gone", "/one"])
    assert [root.path for root in found.roots] == ["/one"]
    assert found.notes[0] == closed_folder("/shut")
    assert found.notes[1].message == "there is no such folder"


def test_a_folder_that_no_path_can_name_is_none(tmp_path: Path):
    found = discover(
        dialect="opencode-spec",
        cwd=tmp_path,
        home=tmp_path,
        variables={"OPENCODE_CONFIG_DIR": "/a\0b"},
    )
    assert (found.names, found.notes) == ((), ())


def test_a_closed_folder_is_no_skill_and_stops_no_agent():
    files = Closed(three_files(FOLDERS["opi"]))
    files.closed = f"{FOLDERS['opi']}/b"
    found = library(files, "opi")
    assert (found.names, found.aborted_by) == (("a", "c"), None)
    assert [(note.rule, note.path) for note in found.notes] == [
        ("folder-unreadable", files.closed)
    ]


@pytest.mark.parametrize(("name", "loaded"), [("opi", ()), ("shelley", ("z",))])
def test_a_closed_root_stops_an_agent_that_gives_up(name: str, loaded: tuple[str, ...]):
    files = Closed(three_files(FOLDERS[name]))
    for folder in ("/home/.config/opi/skills", "/home/.config/shelley"):
        files.write(f"{folder}/z/SKILL.md", make_skill("z", "Does it"))
    files.closed = FOLDERS[name]
    found = library(files, name)
    told = [each for each in found.diagnostics if each.rule == "folder-unreadable"]
    assert (found.names, [each.path for each in told]) == (loaded, [files.closed])
    assert (found.aborted_by is None) is bool(loaded)


def test_a_description_of_white_space_is_none_to_the_default_dialect():
    found = library({f"{SKILLS}/a/SKILL.md": make_skill("a", " \u3000 ")})
    assert [each.rule for each in found.rejected] == ["description-empty"]


def test_a_flag_that_does_not_count_is_told_by_the_default_dialect():
    fields = {"disable-model-invocation": "yes"}
    found = library({f"{SKILLS}/a/SKILL.md": make_skill("a", "b", fields=fields)})
    assert not found["a"].is_hidden
    assert [each.rule for each in found.diagnostics] == ["field-not-flag"]


# --- roots --------------------------------------------------------------------------

EXPLICIT = {
    "/one/a/SKILL.md": make_skill("a", "One"),
    "/two/a/SKILL.md": make_skill("a", "Two"),
    "/proj/own/b/SKILL.md": make_skill("b", "Own"),
    f"{SKILLS}/c/SKILL.md": make_skill("c", "The agent's"),
}


@pytest.mark.parametrize(
    ("roots", "expected"),
    [
        pytest.param(["/one", "/two"], ["One"], id="the first wins"),
        pytest.param(["/two", "/one"], ["Two"], id="the first wins, again"),
        pytest.param(["own"], ["Own"], id="a relative path"),
        pytest.param([Path("/two")], ["Two"], id="a Path"),
        pytest.param([("own", 3), (Path("/one"), 1)], ["One", "Own"], id="precedences"),
        pytest.param([], [], id="none at all"),
    ],
)
def test_explicit_folders_replace_those_of_the_dialect(
    roots: list[RootLike], expected: list[str]
):
    found = library(EXPLICIT, roots=roots)
    assert [skill.description for skill in found] == expected


def test_explicit_folders_have_a_precedence():
    found = library(EXPLICIT, roots=["/one", ("/two", 7)])
    assert [(root.path, root.precedence) for root in found.roots] == [
        ("/one", 0),
        ("/two", 7),
    ]


@pytest.mark.parametrize(
    ("roots", "winner"),
    [
        pytest.param([("/one", 1), ("/two", 3)], "Two", id="the higher one"),
        pytest.param([("/one", 3), "/two"], "One", id="its own is two"),
        pytest.param([("/one", 1), "/two"], "Two", id="its own is two, again"),
    ],
)
def test_the_precedence_of_explicit_folders_decides(roots: list[RootLike], winner: str):
    assert library(EXPLICIT, "opi", roots=roots)["a"].description == winner


def test_one_folder_is_no_list_of_folders():
    with pytest.raises(ConfigError, match="put it into a list"):
        library(EXPLICIT, roots="/one")


def test_an_explicit_folder_that_is_missing_is_told():
    found = library(EXPLICIT, roots=["/gone", "/one"])
    assert [root.path for root in found.roots] == ["/one"]
    assert found.notes == (
        Diagnostic(
            rule="folder-unreadable",
            severity=Severity.WARNING,
            message="there is no such folder",
            path="/gone",
        ),
    )


def test_a_dialect_may_search_explicit_folders_in_a_way_of_its_own():
    files = {"/one/deep/er/a/SKILL.md": make_skill("a", "b")}
    found = library(files, "opencode-spec", roots=["/one"])
    assert [(root.select, root.path) for root in found.roots] == [("explicit", "/one")]
    assert found.names == ("a",)


def test_the_folders_of_a_dialect_are_searched_in_its_order():
    files = MemoryFileSystem()
    files.make_folder("/proj/.git")
    for folder in ("/proj/.claude/skills", SKILLS, "/home/.agents/skills"):
        files.make_folder(folder)
    assert [(root.path, root.precedence) for root in library(files).roots] == [
        (SKILLS, 1),
        ("/proj/.claude/skills", 1),
        ("/home/.agents/skills", 0),
    ]


def test_without_any_folder_there_is_an_empty_library():
    found = library({})
    assert (len(found), found.roots, found.diagnostics) == (0, (), ())


def test_the_configuration_of_a_project_is_heard():
    files: dict[str, Content] = {
        "/proj/.opencode/config.yaml": "skill: {disable_claude_paths: true}",
        "/proj/.claude/skills/a/SKILL.md": make_skill("a", "b"),
        "/proj/.opencode/skill/c/SKILL.md": make_skill("c", "d"),
    }
    assert library(files, "brutus").names == ("c",)


# --- again --------------------------------------------------------------------------


def test_a_refreshed_library_has_what_is_there_now():
    files = three(SKILLS)
    before = library(files)
    files.remove(f"{SKILLS}/a/SKILL.md")
    files.write(f"{SKILLS}/d/SKILL.md", make_skill("d", "Is new"))
    files.write(f"{SKILLS}/b/SKILL.md", make_skill("b", "Is changed"))
    after = before.refresh()
    assert before.names == ("a", "b", "c")
    assert after.names == ("b", "c", "d")
    assert after["b"].description == "Is changed"


def test_a_refreshed_library_looks_in_the_same_explicit_folders():
    files = MemoryFileSystem(EXPLICIT)
    before = library(files, roots=["/one"])
    files.write("/one/z/SKILL.md", make_skill("z", "Is new"))
    assert before.refresh().names == ("a", "z")


def test_a_refreshed_library_finds_folders_that_were_not_there():
    files = MemoryFileSystem()
    before = library(files)
    files.write("/home/.claude/skills/a/SKILL.md", make_skill("a", "b"))
    assert before.refresh().names == ("a",)


def test_a_dialect_of_ones_own_can_be_used():
    mine = dialect("agentskills", roots=[{"base": "cwd", "scope": "user"}])
    found = library({"/proj/a/SKILL.md": make_skill("a", "b")}, mine)
    assert found.names == ("a",)


@pytest.mark.parametrize("is_enabled", [True, False])
def test_a_scan_leaves_the_garbage_collector_as_it_was(is_enabled: bool):
    was_enabled = gc.isenabled()
    try:
        (gc.enable if is_enabled else gc.disable)()
        library(three(SKILLS))
        assert gc.isenabled() is is_enabled
    finally:
        (gc.enable if was_enabled else gc.disable)()


class Fleeting(MemoryFileSystem):
    """A file that is there for its first two readings only."""

    def read_file(self, path: str, limit: int, links: Links) -> Reading:
        if self.reads.count(path) == 2:
            raise OSError(errno.EACCES, "Permission denied", path)
        return super().read_file(path, limit, links)


def test_a_file_that_is_gone_when_it_is_compared_is_no_copy():
    text = f"---\nname: a\ndescription: d\n---\n{LONG}"
    paths = ("/proj/.agents/skills/a/SKILL.md", "/proj/.warp/skills/a/SKILL.md")
    found = library(Fleeting(dict.fromkeys(paths, text)), "warp")
    assert [each.path for each in found.skills] == list(paths)
