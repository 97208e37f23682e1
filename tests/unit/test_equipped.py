"""A library whose skills are judged by what they need."""

from __future__ import annotations

from typing import Any

import pytest

from metier.api import discover
from metier.core.requirements import Unmet
from metier.core.skill import Status
from metier.core.surroundings import Surroundings
from metier.library import Library
from metier.testing import MemoryFileSystem, make_skill
from tests.making import CWD, HOME, SKILLS, dialect, library

HERE = Surroundings(system="linux", programs={"git"}, variables=(), servers={"github"})


def files() -> MemoryFileSystem:
    def needing(name: str, **needs: Any) -> str:
        return make_skill(name, "Needs", fields={"requires": needs})

    return MemoryFileSystem(
        {
            f"{SKILLS}/plain/SKILL.md": make_skill("plain", "Needs nothing"),
            f"{SKILLS}/met/SKILL.md": needing("met", bins=["git"], mcp=["github"]),
            f"{SKILLS}/lacks/SKILL.md": needing("lacks", bins=["git", "jq"]),
            f"{SKILLS}/asks/SKILL.md": needing("asks", tools=["Bash"]),
        }
    )


def equipped(unmet: Unmet | None = None, **options: Any) -> Library:
    return library(files(), **options).equipped(HERE, unmet=unmet)


def told(found: Library) -> list[tuple[str, str]]:
    return [(s.name, d.rule) for s in found for d in s.diagnostics]


def statuses(found: Library) -> dict[str, str]:
    return {str(each.name): each.status.value for each in found.accounts()}


def test_what_is_missing_is_a_warning():
    found = equipped()
    assert told(found) == [
        ("asks", "requirement-unknown"),
        ("lacks", "requirement-unmet"),
    ]
    assert set(statuses(found).values()) == {"loaded"}
    assert [d.rule for d in found.diagnostics] == [
        "requirement-unknown",
        "requirement-unmet",
    ]


def test_or_hides_the_skill_from_the_model():
    found = equipped(Unmet.HIDE)
    assert statuses(found) == {
        "asks": "loaded",
        "lacks": "hidden",
        "met": "loaded",
        "plain": "loaded",
    }
    assert [each.name for each in found.offered] == ["asks", "met", "plain"]
    assert "lacks" not in found.catalog()
    assert found.tool().call({"name": "lacks"}).is_error


def test_a_person_may_still_ask_for_it():
    found = equipped(Unmet.HIDE)
    asked = found.invoke("/lacks")
    assert asked is not None
    assert asked.is_hidden


def test_or_is_nothing_at_all():
    plain = library(files())
    assert plain.equipped(HERE, unmet=Unmet.IGNORE) is plain


def test_why_tells_what_is_missing():
    (account,) = equipped(Unmet.HIDE).why("lacks")
    assert (account.status, account.rule, account.because) == (
        Status.HIDDEN,
        "requirement-unmet",
        "`requires.bins`: the program `jq` is not on the search path",
    )
    assert account.source == dialect().source_of("requirements")


def test_a_skill_that_only_gets_a_warning_was_found_as_ever():
    (account,) = equipped(Unmet.WARN).why("lacks")
    assert (account.status, account.rule) == (Status.LOADED, "loaded")
    assert [each.rule for each in account.diagnostics] == ["requirement-unmet"]


def test_a_library_that_is_read_again_is_judged_again():
    memory = files()
    found = library(memory).equipped(HERE, unmet=Unmet.HIDE)
    text = make_skill("new", "Is new", fields={"requires": {"env": ["KEY"]}})
    memory.write(f"{SKILLS}/new/SKILL.md", text)
    again = found.refresh()
    assert statuses(again)["new"] == "hidden"
    assert told(again).count(("lacks", "requirement-unmet")) == 1


def test_permissions_and_needs_go_together():
    rules = {"*": "allow", "plain": "deny"}
    one = library(files()).permitted(rules).equipped(HERE, unmet=Unmet.HIDE)
    other = library(files()).equipped(HERE, unmet=Unmet.HIDE).permitted(rules)
    for found in (one, one.refresh(), other, other.refresh()):
        assert [each.name for each in found.offered] == ["asks", "met"]


def test_the_surroundings_of_the_process_count_where_none_are_told(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("PATH", "/nowhere")
    found = library(files()).equipped(unmet=Unmet.HIDE)
    assert [each.name for each in found.offered] == ["asks", "plain"]


def seen(**options: Any) -> Library:
    memory = files()
    memory.make_folder(HOME)
    return discover(
        cwd=CWD, home=HOME, filesystem=memory, **{"variables": {}, **options}
    )


def test_discovering_judges_where_somebody_asks_for_it():
    assert told(seen()) == []
    assert seen(unmet=Unmet.HIDE, surroundings=HERE)["lacks"].is_hidden
    assert not seen(surroundings=HERE)["lacks"].is_hidden
    assert ("lacks", "requirement-unmet") in told(seen(surroundings=HERE))
    assert told(seen(unmet=Unmet.IGNORE)) == []


def test_discovering_looks_at_the_environment_that_it_is_given():
    found = seen(unmet=Unmet.WARN)
    lacking = [name for name, rule in told(found) if rule == "requirement-unmet"]
    assert lacking == ["lacks", "met"]


def test_an_agent_that_hides_such_skills_hides_them():
    rules = {"unmet": "hide", "programs": ["requires.bins"]}
    hiding = dialect(requirements=rules)
    assert [each.name for each in seen(dialect=hiding).offered] == ["asks", "plain"]
    shown = seen(dialect=hiding, unmet=Unmet.WARN)
    assert len(shown.offered) == 4


def test_an_agent_that_reads_no_such_field_needs_nothing():
    found = library(files(), dialect(requirements={}))
    assert found.equipped(HERE) is found
