from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import pytest

from metier.core.mapping import build
from metier.errors import DialectError


class Color(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Wheel:
    size: int
    color: Color = Color.RED


@dataclass(frozen=True)
class Car:
    name: str
    wheels: tuple[Wheel, ...] = ()
    spare: Wheel | None = None
    prices: dict[str, float] | None = None
    stock: dict[str, Wheel] | None = None
    tags: tuple[str, ...] = ()


def refusal(values: dict[str, Any], key: str = "") -> tuple[str, str]:
    """The message about `values`, and the key that it is about."""
    with pytest.raises(DialectError) as caught:
        build(Car, values, key=key)
    return str(caught.value), caught.value.key


def test_tables_arrays_and_words_become_dataclasses_tuples_and_enums():
    values = {
        "name": "Ada",
        "wheels": [{"size": 1}, {"size": 2, "color": "blue"}],
        "spare": {"size": 3},
        "prices": {"new": 9.5},
        "stock": {"left": {"size": 4}},
        "tags": ["a", "b"],
    }
    assert build(Car, values, key="") == Car(
        name="Ada",
        wheels=(Wheel(1), Wheel(2, Color.BLUE)),
        spare=Wheel(3),
        prices={"new": 9.5},
        stock={"left": Wheel(4)},
        tags=("a", "b"),
    )


def test_what_is_not_stated_has_its_default():
    assert build(Car, {"name": "Ada"}, key="") == Car(name="Ada")


@pytest.mark.parametrize(
    ("values", "message", "key"),
    [
        pytest.param(
            {"name": 1}, "name: expected str, not int", "name", id="a number for a text"
        ),
        pytest.param(
            {"name": "Ada", "wheels": [{"size": True}]},
            "wheels[0].size: expected int, not bool",
            "wheels[0].size",
            id="a boolean for a number",
        ),
        pytest.param(
            {"name": "Ada", "wheels": {}},
            "wheels: expected list, not dict",
            "wheels",
            id="a table for an array",
        ),
        pytest.param(
            {"name": "Ada", "spare": [1]},
            "spare: expected dict, not list",
            "spare",
            id="an array for a dataclass",
        ),
        pytest.param(
            {"name": "Ada", "prices": "free"},
            "prices: expected dict, not str",
            "prices",
            id="a text for a table",
        ),
        pytest.param(
            {"name": "Ada", "prices": {"new": 9}},
            "prices.new: expected float, not int",
            "prices.new",
            id="a wrong value in a table",
        ),
        pytest.param(
            {"name": "Ada", "stock": {"left": {"size": 4, "color": "pink"}}},
            "stock.left.color: `pink` is none of red, blue",
            "stock.left.color",
            id="an unknown word",
        ),
        pytest.param(
            {"name": "Ada", "spare": {"size": 1, "color": ["red"]}},
            "spare.color: `['red']` is none of red, blue",
            "spare.color",
            id="an array for a word",
        ),
        pytest.param(
            {"name": "Ada", "spare": {"color": "red"}},
            "spare: missing size",
            "spare",
            id="a missing key",
        ),
        pytest.param({}, "missing name", "", id="a missing key at the top"),
        pytest.param(
            {"naem": "Ada"},
            "naem: unknown key `naem`, did you mean `name`?",
            "naem",
            id="a key that is nearly known",
        ),
        pytest.param(
            {"name": "Ada", "spare": {"zzz": 1}},
            "spare.zzz: unknown key `zzz`",
            "spare.zzz",
            id="a key like no other",
        ),
    ],
)
def test_a_mistake_is_told_with_the_path_of_its_key(
    values: dict[str, Any], message: str, key: str
):
    assert refusal(values) == (message, key)


def test_the_path_begins_with_the_key_that_was_given():
    assert refusal({"name": 1}, key="cars[3]")[1] == "cars[3].name"
