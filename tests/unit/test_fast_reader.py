"""The quick reader: the shapes it reads, and those it leaves to the full one."""

from __future__ import annotations

import pytest

from metier.core.nodes import MAX_HEADER, Scalar, Style
from metier.core.readers.fast import FastFields, read_fast

PLAIN, SINGLE, DOUBLE, LITERAL, FOLDED = Style
WANTED = frozenset(("a", "b"))


def read(header: str) -> FastFields | None:
    return read_fast(header, WANTED)


@pytest.mark.parametrize(
    ("header", "fields"),
    [
        pytest.param("a: b\n", {"a": Scalar("b")}, id="a word"),
        pytest.param("a:  b c  \n", {"a": Scalar("b c")}, id="blanks around it"),
        pytest.param("a: b", {"a": Scalar("b")}, id="no line end"),
        pytest.param(
            "a: b\r\nb: c\r\n", {"a": Scalar("b"), "b": Scalar("c")}, id="CRLF"
        ),
        pytest.param("a: b:c#d\n", {"a": Scalar("b:c#d")}, id="signs within a word"),
        pytest.param("a: b\nc: d\n", {"a": Scalar("b")}, id="only what is wanted"),
        pytest.param("c: d\n", {}, id="nothing that is wanted"),
        pytest.param("a:\n", {"a": Scalar("")}, id="no value"),
        pytest.param("a:\n\nc: d\n", {"a": Scalar("")}, id="no value, but lines"),
        pytest.param("# b\n\na: b\n#\n", {"a": Scalar("b")}, id="comments"),
        pytest.param("a: ''\n", {"a": Scalar("", SINGLE)}, id="empty quotes"),
        pytest.param("a: 'b''c: d'  \n", {"a": Scalar("b'c: d", SINGLE)}, id="single"),
        pytest.param('a: "b"\n', {"a": Scalar("b", DOUBLE)}, id="double"),
        pytest.param(
            'a: "\\"\\\\\\n\\t\\u00e9"\n',
            {"a": Scalar('"\\\n\té', DOUBLE)},
            id="escapes",
        ),
        pytest.param(
            'a: "b\n  c\n\n\n  d"\n',
            {"a": Scalar("b c\n\nd", DOUBLE)},
            id="quoted lines",
        ),
        pytest.param(
            "a: 'b\n\n  c'\n", {"a": Scalar("b\nc", SINGLE)}, id="a quoted break"
        ),
        pytest.param("a: b\n  c\n  d\n", {"a": Scalar("b c d")}, id="folded"),
        pytest.param("a:\n  b\n   c\n", {"a": Scalar("b c")}, id="folded, all below"),
        pytest.param(
            "a: |\n  b\n   c\n", {"a": Scalar("b\n c\n", LITERAL)}, id="literal"
        ),
        pytest.param("a: |\n  b\n \n", {"a": Scalar("b\n", LITERAL)}, id="blanks"),
        pytest.param("a: |-\n  b\n\n", {"a": Scalar("b", LITERAL)}, id="literal, cut"),
        pytest.param(
            "a: >\n  b\n  c\n", {"a": Scalar("b c\n", FOLDED)}, id="folded text"
        ),
        pytest.param(
            "a: >-\n b\n\n c\n\n\n d\n e\n",
            {"a": Scalar("b\nc\n\nd e", FOLDED)},
            id="folded text with breaks",
        ),
        pytest.param(
            "a: |\n  b\n\n  c\n", {"a": Scalar("b\n\nc\n", LITERAL)}, id="gap"
        ),
    ],
)
def test_scalars(header: str, fields: FastFields) -> None:
    assert read(header) == fields


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(" []\n", id="an empty list"),
        pytest.param(" [b, 'c', \"d\"]\n", id="a list"),
        pytest.param(" [[b], [c, d], {e: f}]  \n", id="lists in a list"),
        pytest.param(" {b: c}\n", id="a map of one"),
        pytest.param(" {b: c, d: 'e'}\n", id="a map"),
        pytest.param(' {"b": {"c": [1, null]}}\n', id="JSON"),
        pytest.param("\n  - b\n  - c\n", id="a block list"),
        pytest.param("\n- b\n- c\n", id="a list without an indent"),
        pytest.param("\n  b: c\n  d: e\n", id="a block map"),
        pytest.param("\n  b:\n    c: d\n  e: f\n", id="a map in a map"),
        pytest.param("\n  b:\n    - c\n    - d: e\n      f: g\n", id="lists in a map"),
        pytest.param("\n  - b:\n      c: d\n  - e\n", id="a map in a list"),
        pytest.param("\n  b:\n    - c\n\n  d:\n", id="empty values"),
    ],
)
def test_lists_and_maps_are_checked_and_not_read(value: str) -> None:
    assert read(f"a:{value}b: c\n") == {"a": None, "b": Scalar("c")}
    assert read(f"c:{value}b: c\n") == {"b": Scalar("c")}


@pytest.mark.parametrize(
    "header",
    [
        pytest.param("", id="nothing"),
        pytest.param("# a\n", id="nothing but a comment"),
        pytest.param("#" * (MAX_HEADER + 1), id="too large"),
        pytest.param("a: b\na: c\n", id="a key twice"),
        pytest.param("c: b\nc: c\n", id="another key twice"),
        pytest.param("yes: b\n", id="a key that may be no text"),
        pytest.param("text\n", id="no key"),
        pytest.param(" a: b\n", id="an indent"),
        pytest.param("a: b: c\n", id="a colon"),
        pytest.param("a: *b\n", id="an alias"),
        pytest.param("a: &b c\n", id="an anchor"),
        pytest.param("a: !b c\n", id="a tag"),
        pytest.param("a: b # c\n", id="a comment behind a value"),
        pytest.param("a: b\tc\n", id="a tab"),
        pytest.param("a: b\rc\n", id="a carriage return"),
        pytest.param("a: b\x85c\n", id="another line break"),
        pytest.param("\ufeffa: b\n", id="a byte order mark"),
        pytest.param("a: b\n---\nb: c\n", id="a second document"),
        pytest.param('a: "\\x41"\n', id="an escape that not all know"),
        pytest.param('a: "\\ud83d"\n', id="half a character"),
        pytest.param('a: "b" c\n', id="text behind quotes"),
        pytest.param("a: 'b\nc'\n", id="quoted text without an indent"),
        pytest.param("a: |\n  b", id="a block that is not ended"),
        pytest.param("a: |+\n  b\n", id="a block that keeps its end"),
        pytest.param("a: |\n   b\n  c\n", id="a block with an odd indent"),
        pytest.param("a: |\n   \n  b\n", id="a block that starts with blanks"),
        pytest.param("a:\n  b:\n  - c\n", id="a list at its key's indent"),
        pytest.param("a: {b: [c], d: e}\n", id="a list in a map"),
        pytest.param("a: b\x7f\n", id="a delete"),
        pytest.param("a: |\n  b\n    \n  c\n", id="a block with a line of blanks"),
        pytest.param("a: >\n  b\n   c\n", id="a folded block with more indent"),
        pytest.param("a: [b, c\n", id="an open list"),
        pytest.param("a: [b c: d]\n", id="a pair in a list"),
        pytest.param("a: {b: c, b: d}\n", id="a key twice in a map"),
        pytest.param("a: {yes: b, c: d}\n", id="a typed key in a map"),
        pytest.param('a: {"b": 1, "b": 2}\n', id="a key twice in JSON"),
        pytest.param('a: {"b": "\\/"}\n', id="an odd escape in JSON"),
        pytest.param('a: {"b": 1,}\n', id="no JSON"),
        pytest.param('a: {"b": "' + "c" * 1000 + '"}\n', id="long JSON"),
        pytest.param('a: {"b": ' + "[" * 12 + "]" * 12 + "}\n", id="deep JSON"),
        pytest.param("a:\n  b: c\n  b: d\n", id="a key twice below"),
        pytest.param("a:\n  no: c\n", id="a typed key below"),
        pytest.param("a:\n  b:\n    c: d\n    c: e\n", id="a key twice further below"),
        pytest.param("a:\n  b:\n    no: d\n", id="a typed key further below"),
        pytest.param("a:\n  b: c\n   d: e\n", id="an odd indent below"),
        pytest.param("a:\n    b: c\n  d: e\n", id="an indent that goes back too far"),
        pytest.param("a:\n  - b\n  c: d\n", id="a key in a list"),
        pytest.param("a:\n  b: c\n  - d\n", id="an item in a map"),
        pytest.param("a:\n  - b: c\n    - d\n", id="an item in an item's map"),
        pytest.param("a:\n  b: c d: e\n", id="a colon below"),
        pytest.param("a:\n  b: [c\n", id="an open list below"),
        pytest.param("a:\n  - {b: c, b: d}\n", id="a map with a key twice below"),
        pytest.param("a:\n  b: |\n    c\n", id="a block below"),
        pytest.param(
            "a:\n" + "".join(" " * n + "b:\n" for n in range(1, 16)), id="depth"
        ),
    ],
)
def test_what_is_left_to_the_full_reader(header: str) -> None:
    assert read(header) is None


def test_a_value_that_is_not_wanted_is_checked_all_the_same() -> None:
    assert read_fast("c: [\na: b\n", WANTED) is None
    assert read_fast('c: "b"\na: b\n', WANTED) == {"a": Scalar("b")}
