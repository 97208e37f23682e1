from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace

import pytest

from metier.core.record import record


@record
class Point:
    x: int
    y: int = 2
    tags: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    x: int
    y: int = 2
    tags: dict[str, str] = field(default_factory=dict[str, str])


def test_a_record_is_made_shown_and_compared_as_a_dataclass_is():
    assert repr(Point(x=1)) == repr(Plain(x=1)).replace("Plain", "Point")
    assert Point(x=1) == Point(x=1, y=2)
    assert Point(x=1) != Point(x=3)
    assert Point(x=1) != Plain(x=1)
    assert [each.name for each in fields(Point)] == ["x", "y", "tags"]
    assert replace(Point(x=1), y=5) == Point(x=1, y=5)


def test_what_is_not_to_be_shown_is_not_shown():
    @record
    class Door:
        name: str
        code: str = field(default="1234", repr=False)

    assert repr(Door(name="front")).endswith("Door(name='front')")


def test_each_record_has_containers_of_its_own():
    assert Point(x=1).tags is not Point(x=1).tags


def test_equal_records_have_one_hash():
    @record
    class Name:
        text: str

    assert len({Name(text="a"), Name(text="a"), Name(text="b")}) == 2


def test_a_record_is_frozen_and_has_no_room_for_more():
    point = Point(x=1)
    for name in ("x", "z"):
        with pytest.raises(FrozenInstanceError):
            setattr(point, name, 2)
    with pytest.raises(FrozenInstanceError):
        delattr(point, "y")
    assert not hasattr(point, "__dict__")


def test_a_record_wants_all_of_its_arguments_and_no_other():
    with pytest.raises(TypeError, match="missing argument `x`"):
        Point(y=1)  # pyright: ignore[reportCallIssue]
    with pytest.raises(TypeError, match="unexpected argument `z`"):
        Point(x=1, z=1)  # pyright: ignore[reportCallIssue]


def test_a_record_can_be_copied_and_pickled():
    point = Point(x=1, tags={"a": "b"})
    assert copy.deepcopy(point) == point
    assert pickle.loads(pickle.dumps(point)) == point
