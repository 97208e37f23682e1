"""All fields of a header, in the order in which an agent lists them."""

from __future__ import annotations

import pytest

from metier.core.catalog import FieldList, FieldOrder
from metier.core.field_list import copied_map_order, render_fields
from metier.core.skill import Skill
from tests.making import library

FILE = "---\nname: a\ndescription: b\nlicense: MIT\nmetadata: {c: d}\n---\nDo it.\n"


def written() -> Skill:
    return library({"/proj/.agents/skills/a/SKILL.md": FILE}).skills[0]


def test_the_fields_are_listed_as_they_are_written_but_for_maps():
    rule = FieldList(item="{key}={value}", between="; ")
    assert render_fields(written(), rule) == "name=a; description=b; license=MIT"


def test_or_in_the_order_of_a_hash_map():
    rule = FieldList(item="{key}", between=" ", order=FieldOrder.JAVA_MAP)
    assert render_fields(written(), rule) == "name license description"


@pytest.mark.parametrize(
    ("keys", "order"),
    [
        pytest.param("", "", id="none"),
        pytest.param("name", "name", id="one"),
        pytest.param("BBB AaBB BBAa", "BBB AaBB BBAa", id="one bucket"),
        pytest.param(
            "a b c d e f g h i j k l m n o p q r s t u v w x y z",
            "a b c d e f g h i j k l m n o p q r s t u v w x y z",
            id="more than fit at first",
        ),
        pytest.param("name \U0001f52c", "\U0001f52c name", id="above the basic plane"),
    ],
)
def test_a_copied_hash_map_goes_by_the_hashes(keys: str, order: str):
    assert copied_map_order(keys.split()) == order.split()
