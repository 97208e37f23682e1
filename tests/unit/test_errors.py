from __future__ import annotations

import pytest

from metier import errors
from metier.core.permission import Ruleset
from metier.diagnostics import Diagnostic, Severity
from metier.errors import (
    ConfigError,
    DialectError,
    LoadError,
    MetierError,
    PermissionDenied,
    SkillNotFound,
    UnknownDialect,
)


def every_error() -> list[type[BaseException]]:
    found = (value for value in vars(errors).values() if isinstance(value, type))
    return [each for each in found if issubclass(each, BaseException)]


@pytest.mark.parametrize("error", every_error())
def test_every_error_stands_in_the_tree_of_the_docstring(error: type[BaseException]):
    assert issubclass(error, MetierError)
    assert errors.__doc__ is not None
    assert error.__name__ in errors.__doc__


def test_an_unknown_dialect_lists_those_that_are_known():
    error = UnknownDialect("x", known=["a", "b"])
    assert (str(error), error.name, error.known) == (
        "unknown dialect `x`",
        "x",
        ("a", "b"),
    )


def test_a_missing_skill_is_a_key_error_with_a_plain_message():
    error = SkillNotFound('no "x"', name="x", suggestions=["y"])
    assert isinstance(error, KeyError)
    assert (str(error), error.message, error.name, error.suggestions) == (
        'no "x"',
        'no "x"',
        "x",
        ("y",),
    )


def test_a_refusal_carries_its_decision():
    decision = Ruleset().evaluate("skill", "x")
    error = PermissionDenied("no", decision=decision)
    assert (str(error), error.decision) == ("no", decision)


def test_a_failed_load_carries_its_findings():
    found = Diagnostic(rule="r", severity=Severity.ERROR, message="m")
    error = LoadError("no", diagnostics=[found])
    assert (str(error), error.diagnostics) == ("no", (found,))


@pytest.mark.parametrize(
    ("key", "message"),
    [
        pytest.param("roots", "roots: bad", id="a key"),
        pytest.param("", "bad", id="none"),
    ],
)
def test_a_dialect_error_says_where(key: str, message: str):
    error = DialectError("bad", key=key)
    assert (str(error), error.key) == (message, key)


def test_a_configuration_error_is_only_its_message():
    assert str(ConfigError("bad")) == "bad"
