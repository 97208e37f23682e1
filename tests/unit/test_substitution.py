"""The model of what a dialect fills in, and the tables that say so."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from metier.core.substitution import (
    VERBATIM,
    Applies,
    CommandRule,
    CommandSyntax,
    Placeholder,
    Splitting,
    Substitution,
    substitution_of,
)
from metier.errors import DialectError
from metier.world.dialects import dialect_names, load_dialect
from tests.making import dialect

TABLES: dict[str, dict[str, Any]] = {
    name: {key: value for key, value in table.items() if key != "sources"}
    for name, table in tomllib.loads(
        Path(__file__).with_name("substitutions.toml").read_text("utf-8")
    ).items()
}


def rule(name: str) -> Substitution:
    """What one agent fills in, whether or not there is a dialect for it."""
    return substitution_of(dialect(substitution=TABLES[name]))


def test_a_dialect_without_a_table_hands_the_body_over_as_it_stands():
    assert substitution_of(load_dialect("shelley")) == VERBATIM == Substitution()


def test_nothing_is_filled_in_unless_a_table_says_so():
    assert (
        VERBATIM.placeholders,
        VERBATIM.append,
        VERBATIM.variables,
        VERBATIM.commands.syntax,
    ) == ((), "", {}, CommandSyntax.NONE)


@pytest.mark.parametrize("name", dialect_names())
def test_the_table_of_every_shipped_dialect_makes_sense(name: str):
    assert isinstance(substitution_of(load_dialect(name)), Substitution)


@pytest.mark.parametrize("name", TABLES)
def test_the_table_of_every_agent_makes_sense(name: str):
    assert rule(name) != VERBATIM


def test_the_default_dialect_fills_in_what_a_person_types_and_runs_nothing():
    assert substitution_of(load_dialect("agentskills")) == Substitution(
        applies=Applies.SLASH,
        placeholders=(Placeholder.ALL, Placeholder.INDEX),
        splitting=Splitting.SHELL,
        unbalanced=rule("claude-code").unbalanced,
        append="\n\nARGUMENTS: {arguments}",
        commands=CommandRule(),
    )


def test_a_word_that_is_none_is_named_with_its_key():
    broken = dialect(substitution={"commands": {"failure": "shrug"}})
    with pytest.raises(DialectError, match=r"^substitution\.commands\.failure: `sh"):
        substitution_of(broken)


def test_the_table_of_a_file_of_your_own_is_checked_when_it_is_read(tmp_path: Path):
    own = tmp_path / "own.toml"
    text = (Path(load_dialect.__code__.co_filename).parents[1] / "dialects").joinpath(
        "opi.toml"
    )
    own.write_text(text.read_text("utf-8") + "\n[substitution]\nplace = 1\n", "utf-8")
    with pytest.raises(DialectError, match=r"^substitution\.place: unknown key"):
        load_dialect(str(own))


def test_a_table_is_built_once():
    loaded = load_dialect("agentskills")
    assert substitution_of(loaded) is substitution_of(loaded)
