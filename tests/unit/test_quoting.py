"""Quotes around the values that YAML refuses."""

from __future__ import annotations

import pytest

from metier.core.repair import Repair, repair_text


def quoted(value: str) -> str:
    text = repair_text(f"---\nname: {value}\n---\n", Repair.QUOTE_VALUE)
    return text.split("\n")[1].removeprefix("name: ")


@pytest.mark.parametrize(
    "value",
    [
        '{"a":1,"a":2}',
        '[{"a":1,"a":2}]',
        "{[1]:2,[1]:3}",
        '{{"b":1,"c":2}:x,{"c":2,"b":1}:y}',
        '[&a {"b":c},{*a :x,*a :y}]',
    ],
)
def test_a_flow_with_the_same_key_twice_gets_quotes(value: str) -> None:
    assert quoted(value) == f"'{value}'"


@pytest.mark.parametrize("value", ["[&a [*a ]]", "[&a {*a :x,b:y}]"])
def test_a_flow_that_holds_itself_gets_quotes(value: str) -> None:
    assert quoted(value) == f"'{value}'"


@pytest.mark.parametrize(
    "value",
    ['{"a":1,"b":2}', "{[1]:2,[2]:3}", '{{"b":1}:x,{"b":2}:y}', "[&a [b],*a ]"],
)
def test_a_flow_that_is_one_stays(value: str) -> None:
    assert quoted(value) == value
