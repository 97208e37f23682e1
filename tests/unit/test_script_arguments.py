"""Arguments as a model gives them, to the words of a command."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.core.script_arguments import (
    MAX_ARGUMENT,
    MAX_ARGUMENTS,
    ArgumentsInvalid,
    read_arguments,
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, ()),
        ([], ()),
        (("a", "b c"), ("a", "b c")),
        (["a", 3, 1.5, True], ("a", "3", "1.5", "true")),
        ({}, ()),
        ({"max-pages": 3}, ("--max-pages", "3")),
        ({"n": 3}, ("-n", "3")),
        ({"dry-run": True, "force": False, "x": None}, ("--dry-run",)),
        ({"page": [1, "b"]}, ("--page", "1", "--page", "b")),
        ({"out": "--evil"}, ("--out=--evil",)),
        ({"o": "-x"}, ("-o-x",)),
        ({"name": ""}, ("--name", "")),
    ],
)
def test_a_list_is_the_words_and_an_object_is_options(
    value: object, expected: tuple[str, ...]
):
    assert read_arguments(value) == expected


REFUSED = {
    "the arguments are neither a list nor an object": "a b",
    "an argument is neither text nor a number": [["a"]],
    "the value of `x` is neither text nor a number": {"x": {"y": 1}},
    "`--x` is no name of an option": {"--x": 1},
    "`1` is no name of an option": {1: 1},
    "an argument that no program can be given": ["a\0"],
    f"an argument of more than {MAX_ARGUMENT:,} bytes": ["é" * (MAX_ARGUMENT // 2 + 1)],
    f"more than {MAX_ARGUMENTS:,} arguments": ["x"] * (MAX_ARGUMENTS + 1),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_is_no_argument_is_refused_with_its_reason(message: str):
    with pytest.raises(ArgumentsInvalid) as caught:
        read_arguments(REFUSED[message])
    assert str(caught.value) == message


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
)


@given(VALUES)
def test_every_value_is_words_or_is_refused(value: object):
    try:
        words = read_arguments(value)
    except ArgumentsInvalid:
        return
    assert all("\0" not in word for word in words)


@given(st.dictionaries(st.from_regex(r"[a-z][a-z-]{0,5}", fullmatch=True), st.text()))
def test_no_value_becomes_an_option(values: dict[str, str]):
    try:
        words = read_arguments(values)
    except ArgumentsInvalid:
        return
    options = [word for word in words if word.startswith("-")]
    assert len(options) == len(values)
