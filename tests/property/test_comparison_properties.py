"""A comparison decides nothing: it says what each agent's own library says."""

from __future__ import annotations

from posixpath import basename, dirname

from hypothesis import given
from hypothesis import strategies as st

import metier
from metier.accounts import Account
from metier.core.outcome import Outcome
from metier.core.skill import Status
from metier.testing import Content, Link, MemoryFileSystem, make_skill
from metier.world.dialects import dialect_names

FOLDERS = (
    "/proj/.agents/skills",
    "/proj/.claude/skills",
    "/proj/.opencode/skill",
    "/proj/.opi/skills",
    "/proj/.apr/skills",
    "/proj/.skills",
    "/home/.agents/skills",
    "/home/.config/opi/skills",
)
NAMES = ("a", "b", "a:b", "a/b", ".x", "Ä")
TEXTS = (
    *(make_skill(name, "d") for name in ("a", "b", "a:b", "-", "\x07")),
    make_skill("a", "long " * 300),
    make_skill("a", "d", fields={"disable-model-invocation": True}),
    "---\nname: a\ndescription: >\n  folded\n  text\n---\nbody\n",
    "---\nname: a\ndescription: With: a colon\n---\nbody\n",
    "---\nname: [\n---\n",
    "---\nname: 1\ndescription: d\n---\nbody\n",
    "no header\n",
    "",
)
CONTENTS: st.SearchStrategy[Content] = st.one_of(
    st.sampled_from(TEXTS),
    st.builds(Link, st.sampled_from(("nowhere", "/proj/.agents/skills/a/SKILL.md"))),
)
PATHS = st.builds(
    "/".join,
    st.tuples(
        st.sampled_from(FOLDERS),
        st.sampled_from(NAMES),
        st.sampled_from(("SKILL.md", "skill.md", "README.md")),
    ),
)
LINKS = st.dictionaries(
    st.builds("{}/{}".format, st.sampled_from(FOLDERS), st.sampled_from(("l", "b"))),
    st.builds(Link, st.sampled_from((*FOLDERS, f"{FOLDERS[0]}/a", "/proj"))),
    max_size=2,
)
TREES = st.dictionaries(PATHS, CONTENTS, max_size=6)
AGENTS = st.lists(st.sampled_from(dialect_names()), min_size=1, max_size=4, unique=True)
ROOTS = st.none() | st.lists(st.sampled_from(FOLDERS), min_size=1, max_size=2)
HERE = {"cwd": "/proj", "home": "/home", "variables": {}}


def files_of(tree: dict[str, Content], links: dict[str, Link]) -> MemoryFileSystem:
    files = MemoryFileSystem(tree)
    for folder in ("/proj", "/home"):
        files.make_folder(folder)
    for path, link in links.items():
        if not files.exists(path):
            files.write(path, link)
    return files


def real_path(path: str, files: MemoryFileSystem) -> str:
    try:
        return files.stamp(path).path
    except OSError:
        return f"{files.stamp(dirname(path)).path}/{basename(path)}"


def accounts_by_file(
    library: metier.Library, files: MemoryFileSystem
) -> dict[str, list[Account]]:
    found: dict[str, list[Account]] = {}
    for account in library.accounts():
        found.setdefault(real_path(account.path, files), []).append(account)
    return found


FITTING = {
    Status.LOADED: {Outcome.LOADED, Outcome.TRUNCATED, Outcome.RENAMED},
    Status.HIDDEN: {Outcome.HIDDEN, Outcome.RENAMED},
    Status.SHADOWED: {Outcome.SHADOWED},
    Status.REJECTED: {Outcome.DROPPED},
}


@given(TREES, LINKS, AGENTS, ROOTS)
def test_each_file_has_one_cell_for_each_agent_and_it_is_what_why_says(
    tree: dict[str, Content],
    links: dict[str, Link],
    agents: list[str],
    roots: list[str] | None,
) -> None:
    files = files_of(tree, links)
    matrix = metier.compare(dialects=agents, roots=roots, filesystem=files, **HERE)
    alone = {
        name: accounts_by_file(
            metier.discover(dialect=name, roots=roots, filesystem=files, **HERE), files
        )
        for name in agents
    }
    paths = [row.path for row in matrix.rows]
    assert sorted(paths) == sorted({path for each in alone.values() for path in each})
    for row in matrix.rows:
        assert [cell.dialect for cell in row.cells] == agents
        for cell in row.cells:
            candidates = alone[cell.dialect].get(row.path, [])
            if cell.account is None:
                assert (cell.outcome, candidates) == (Outcome.NOT_LOOKED_FOR, [])
                continue
            assert cell.account in candidates
            order = list(Status)
            best = min(order.index(each.status) for each in candidates)
            assert order.index(cell.account.status) == best
            assert cell.outcome in FITTING[cell.account.status]


@given(TREES, LINKS, st.permutations(dialect_names()), ROOTS)
def test_the_order_of_the_agents_decides_nothing_about_a_cell(
    tree: dict[str, Content],
    links: dict[str, Link],
    agents: list[str],
    roots: list[str] | None,
) -> None:
    files = files_of(tree, links)
    one, other = (
        metier.compare(dialects=each, roots=roots, filesystem=files, **HERE)
        for each in (agents[:4], agents[3::-1])
    )
    accounts = [
        {(row.path, c.dialect): c.account for row in matrix.rows for c in row.cells}
        for matrix in (one, other)
    ]
    assert accounts[0] == accounts[1]


@given(TREES, AGENTS)
def test_a_difference_to_itself_is_none(
    tree: dict[str, Content], agents: list[str]
) -> None:
    files = files_of(tree, {})
    found = metier.diff(agents[0], agents[0], filesystem=files, **HERE)
    library = metier.discover(dialect=agents[0], filesystem=files, **HERE)
    assert found.changes == ()
    assert set(found.same) == {skill.name for skill in library}


@given(TREES, AGENTS, AGENTS)
def test_every_skill_of_the_old_agent_is_the_same_or_changes(
    tree: dict[str, Content], some: list[str], others: list[str]
) -> None:
    files = files_of(tree, {})
    found = metier.diff(some[0], others[0], filesystem=files, **HERE)
    old = metier.discover(dialect=some[0], filesystem=files, **HERE)
    new = metier.discover(dialect=others[0], filesystem=files, **HERE)
    lost = [each for each in found.changes if each.old_path]
    gained = [each for each in found.changes if each.new_path]
    assert len({skill.path for skill in old}) == len(lost) + len(found.same)
    assert len({skill.path for skill in new}) == len(gained) + len(found.same)
