"""The table of rules and what the code utters are the same set."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import metier
from metier.core.dialect import Dialect
from metier.core.outcome import Departure
from metier.core.resolve import Collision
from metier.core.rules import RULES, RuleInfo, axis_of
from metier.core.skill import Status
from metier.world.dialects import dialect_names, load_dialect

SOURCE = Path(metier.__file__).parent
# What a finding is made with: the name of the callable, and where the rule stands in
# its positional arguments.
MAKERS = {
    "Diagnostic": None,
    "Finding": 0,
    "Rejection": 2,
    "Shadowed": 2,
    "YamlError": 2,
    "_error": 0,
    "_finding": 0,
    "diagnostic_at": 0,
    "error_at": 0,
    "finding": 0,
    "make": 0,
    "refuse": 0,
    "warning_at": 0,
}
TEXT_KEYS = ("name", "description")


def capped_keys() -> set[str]:
    """The fields whose length some dialect limits: `{key}-too-long`."""
    dialects: list[Dialect] = [load_dialect(name) for name in dialect_names()]
    other = {
        key
        for each in dialects
        for key, rule in each.fields.deciding()
        if rule.max_length is not None
    }
    return other | set(TEXT_KEYS)


def calls() -> Iterator[ast.Call]:
    for file in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and maker_of(node) in MAKERS:
                yield node


def maker_of(call: ast.Call) -> str:
    function = call.func
    return function.id if isinstance(function, ast.Name) else ""


def rule_argument(call: ast.Call) -> ast.expr | None:
    for keyword in call.keywords:
        if keyword.arg == "rule":
            return keyword.value
    place = MAKERS[maker_of(call)]
    return call.args[place] if place is not None and len(call.args) > place else None


def names_in(node: ast.AST | None) -> Iterator[str]:
    """Every rule name that the expression can be, as far as it is written out."""
    match node:
        case ast.Constant(value=str(name)):
            yield name
        case ast.IfExp(body=body, orelse=orelse):
            yield from names_in(body)
            yield from names_in(orelse)
        case ast.JoinedStr(values=[ast.FormattedValue(), ast.Constant(value=str(end))]):
            keys = capped_keys() if end == "-too-long" else TEXT_KEYS
            yield from (f"{key}{end}" for key in keys)
        case _:
            return


def is_rule_name(text: str) -> bool:
    return re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", text) is not None


def uttered() -> set[str]:
    """The rules of all findings that the code makes, and of all outcomes."""
    found = {name for call in calls() for name in names_in(rule_argument(call))}
    defaults = {"yaml-invalid"}  # the rule of a `YamlError` that names none
    nobody_wins = (Collision.KEEP_ALL, Collision.UNDEFINED)
    won = {each.value for each in Collision if each not in nobody_wins}
    outcomes = {Status.LOADED.value, Status.HIDDEN.value}
    outcomes |= {each.value for each in Departure}
    # `_error(errno.ENOENT, path)` of the file system in memory is no finding.
    return {name for name in found if is_rule_name(name)} | defaults | won | outcomes


def test_every_rule_that_is_uttered_stands_in_the_table():
    assert uttered() - set(RULES) == set()


def test_every_rule_in_the_table_is_uttered():
    assert set(RULES) - uttered() == set()


@pytest.mark.parametrize("name", RULES)
def test_a_rule_is_about_an_axis_and_says_what_it_means(name: str):
    info = RULES[name]
    # Whom a person trusts, and what is run, is a matter of no dialect.
    axes = {*Dialect.__dataclass_fields__, "run", "trust"}
    assert info.axis.partition(".")[0] in axes
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    assert info.summary[0] == info.summary[0].lower()
    assert not info.summary.endswith(".")


def test_the_axis_of_a_rule_is_known():
    assert RULES["name-missing"] == RuleInfo("fields.name", "there is no `name`")
    assert axis_of("name-missing") == "fields.name"


def test_a_rule_of_a_caller_has_no_axis():
    assert axis_of("house-style") == ""
