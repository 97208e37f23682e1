"""The recorded answers of the agents, and metier's in the same words.

Which recordings are an agent's is said in its dialect (`[recordings]`), and so are the
cases in which metier knowingly differs (`[[differences]]`), each with its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from re import fullmatch, split
from typing import Any

from metier.api import discover
from metier.core.invocation import is_invocable
from metier.core.skill import Skill
from metier.library import Library
from metier.testing import MemoryFileSystem
from metier.world.dialects import dialect_names, load_dialect
from metier.world.files import parse_file
from tests.conformance.loading import FileCase
from tests.conformance.parsing import Pair, legible

# As long as the path that the recordings tell: one agent cuts a description so that
# there is room for it.
ROOT = "/tre/proj/.agents/skills"
RECORDED_ROOT = "tree/proj/.agents/skills"
# No more of a body was recorded, of some agents less than of others.
RECORDED_BODIES = (40, 60)


def recorded_agents(kind: str) -> tuple[str, ...]:
    """The dialects that say which recordings of this kind are theirs."""
    return tuple(name for name in dialect_names() if _column(name, kind))


def _column(dialect: str, kind: str) -> str | None:
    return getattr(load_dialect(dialect).recordings, kind)


def known_differences(dialect: str) -> frozenset[str]:
    """The cases of an agent's own faults that a dialect cannot describe."""
    return frozenset(each.case for each in load_dialect(dialect).differences)


def file_pair(case: FileCase, dialect: str, kind: str) -> Pair | None:
    """What became of one file, ours and theirs; None where nobody asked."""
    column = _column(dialect, kind)
    outcome = case.outcomes.get(column or "")
    if outcome is None:
        return None
    folder, _, name = case.path.rpartition("/")
    if kind == "corpus":
        folder, name = _corpus_folder(outcome), "SKILL.md"
    path = f"{ROOT}/{folder}/{name}"
    files = MemoryFileSystem({path: case.data})
    library = discover(
        roots=[ROOT],
        dialect=dialect,
        cwd="/tre/proj",
        home="/home",
        variables={},
        filesystem=files,
    )
    theirs = {key: _recorded(value) for key, value in outcome.items()}
    if "name" in theirs:
        # A name that is no text was recorded as it is; the agent writes it out.
        theirs["name"] = str(theirs["name"])
    asked = {**_ASKED, **_LISTED.get(column or "", {})}
    return _answer(library, path, theirs, asked), theirs


def _recorded(value: Any) -> Any:
    value = legible(value)
    return value.replace(RECORDED_ROOT, ROOT) if isinstance(value, str) else value


def _corpus_folder(outcome: Mapping[str, Any]) -> str:
    """The numbered folder in which the agent saw a real file."""
    name = str(outcome.get("name", ""))
    return name if fullmatch(r"d\d{4}", name) else "d0000"


Asked = Mapping[str, Callable[[Library, Skill], Any]]


def _answer(
    library: Library, path: str, theirs: Mapping[str, Any], asked: Asked
) -> dict[str, Any]:
    skill = next((each for each in library.skills if each.path == path), None)
    if skill is None:
        return {"ok": False}
    told = {key: _told(asked[key](library, skill), theirs[key]) for key in theirs}
    if len(theirs.get("body") or "") in RECORDED_BODIES:
        told["body"] = told["body"][: len(theirs["body"])]
    return told


def _told(ours: Any, theirs: Any) -> Any:
    """`ours`, as some agents do not tell an absent text from an empty one."""
    return "" if ours is None and theirs == "" else legible(ours)


def _listed(library: Library, skill: Skill) -> str:
    """The text behind the name in the model's list."""
    line = library.catalog().partition(f"- {skill.name}")[2]
    return line.removeprefix(": ")


def _body(library: Library, skill: Skill) -> str:
    """The instructions, also where the agent has the model read the whole file."""
    parsed = parse_file(skill.path, library.dialect, library.filesystem)
    return parsed.body or ""


def _is_described(_library: Library, skill: Skill) -> bool:
    return all(found.rule != "description-missing" for found in skill.diagnostics)


def _first_listed(library: Library, skill: Skill) -> str:
    """What was recorded of that text: a line like `- Note: this` ended it."""
    return split(r"\n- \S+: ", _listed(library, skill))[0]


def _is_anybodys(_library: Library, skill: Skill) -> bool:
    return not skill.is_hidden or is_invocable(skill)


def _is_listed(_library: Library, skill: Skill) -> bool:
    return not skill.is_hidden


_ASKED: Asked = {
    "ok": lambda _library, _skill: True,
    "name": lambda _library, skill: skill.name,
    "description": lambda _library, skill: skill.description,
    "listed": _listed,
    "body": _body,
}
# What was recorded off the lists for the model and for people: a description is what
# the model has of a skill, and `ok` is whether the header states it; of a real file,
# whether anybody has the skill.
_LISTED: Mapping[str, Asked] = {
    "claude-code": {"ok": _is_described},
    "claude": {
        "ok": _is_anybodys,
        "listed": _is_listed,
        "description": _first_listed,
    },
}


def differing(
    cases: Sequence[FileCase], dialect: str, kind: str
) -> dict[str, tuple[Any, Any]]:
    """The cases in which metier does not say what the agent said."""
    known = known_differences(dialect)
    pairs = ((case.id, file_pair(case, dialect, kind)) for case in cases)
    return {
        name: pair
        for name, pair in pairs
        if pair and pair[0] != pair[1] and f"{kind}:{name}" not in known
    }


# --- trees ---------------------------------------------------------------------------


def tree_pair(record: Mapping[str, Any], root: Path, dialect: str) -> Pair | None:
    """The skills of a tree: ours and theirs, as comparable lists; None if not asked."""
    column = _column(dialect, "trees")
    if column not in record["res"]:
        return None
    spec = record["spec"]
    library = discover(
        dialect=dialect,
        cwd=root / spec["cwd"],
        home=root / spec["home"],
        variables={},
    )
    theirs = record["res"][column]
    if "listing" in theirs:
        return _listing_pair(library, theirs["listing"])
    if isinstance(theirs, dict):
        theirs = theirs["skills"]
    ours = [_row(skill, root) for skill in library.skills]
    recorded = [_recorded_row(each) for each in theirs]
    return sorted(_settled(ours, recorded, library, root)), sorted(recorded)


def _listing_pair(library: Library, listing: str) -> Pair:
    """The list for the model, without the skills that the agent brings along."""
    rule = library.dialect.catalog
    offered = {skill.name for skill in library.offered}
    own = next(name for name in rule.budget.own if name not in offered)
    theirs = listing.partition(f"\n- {own}: ")[0].strip("\n")
    return legible(library.catalog().removeprefix(rule.before)), legible(theirs)


Row = tuple[str, str, str]


def _row(skill: Skill, root: Path) -> Row:
    path = skill.path.replace(str(root), "/ROOT")
    return (str(legible(skill.name)), str(legible(skill.description or "")), path)


def _recorded_row(each: Mapping[str, Any]) -> Row:
    return (each["name"], each.get("description") or "", each["path"])


def _settled(
    ours: Sequence[Row], theirs: Sequence[Row], library: Library, root: Path
) -> Iterator[Row]:
    """`ours`, with the recorded skill where chance decided between those found."""
    rivals = {
        _row(lost.skill, root)
        for lost in library.shadowed
        if lost.rule == "name-collision-undefined"
    }
    recorded = {row[0]: row for row in theirs}
    for row in ours:
        chosen = recorded.get(row[0])
        yield chosen if chosen in rivals else row
