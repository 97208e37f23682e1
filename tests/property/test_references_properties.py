from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from metier.core.references import (
    ReferenceSyntax,
    ShellSyntax,
    find_file_references,
    find_shell_commands,
)

GO_BLANKS = "\t\n\f\r "
ECMASCRIPT_BLANKS = (
    "\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff"
    + "".join(map(chr, range(0x2000, 0x200B)))
)


def as_published(blanks: str) -> re.Pattern[str]:
    """The regular expression of both documents, with `\\s` spelled out."""
    source = r"(?<![`\w])@(\.?[^\s`,.]*(?:\.[^\s`,.]+)*)"
    return re.compile(source.replace(r"\s", re.escape(blanks)), re.ASCII)


AS_GO, AS_ECMASCRIPT = as_published(GO_BLANKS), as_published(ECMASCRIPT_BLANKS)
SIGNS = "@@@...``!!,ab_é1/~) \n\v\x1c\x85\xa0\u2003\u200b\u3000\ufeff"
TEXTS = st.text(SIGNS, max_size=40) | st.text(max_size=40)


@given(TEXTS)
def test_every_mention_is_where_the_published_expression_finds_it(text: str):
    found = find_file_references(text, ReferenceSyntax.AT_PATH_UNICODE)
    oracle = [(m[1], m.span()) for m in AS_ECMASCRIPT.finditer(text)]
    assert [(one.path, tuple(one.span)) for one in found] == oracle


@given(TEXTS)
def test_first_mentions_are_those_of_the_published_expression(text: str):
    found = find_file_references(text, ReferenceSyntax.AT_PATH_ASCII_UNIQUE)
    oracle: dict[str, tuple[int, int]] = {}
    for match in AS_GO.finditer(text):
        oracle.setdefault(match[1], match.span())
    assert {one.path: tuple(one.span) for one in found} == oracle
    assert [one.path for one in found] == list(oracle)


@given(TEXTS)
def test_commands_are_where_the_published_expression_finds_them(text: str):
    found = find_shell_commands(text, ShellSyntax.BANG_BACKTICK)
    oracle = [(m[1], m.span()) for m in re.finditer("!`([^`]+)`", text)]
    assert [(one.command, tuple(one.span)) for one in found] == oracle


@given(TEXTS)
def test_a_span_is_the_text_it_stands_for(text: str):
    for one in find_file_references(text, ReferenceSyntax.AT_PATH_UNICODE):
        assert text[one.span.start : one.span.end] == "@" + one.path
    for one in find_shell_commands(text, ShellSyntax.BANG_BACKTICK):
        assert text[one.span.start : one.span.end] == f"!`{one.command}`"


@given(TEXTS)
def test_spans_come_in_order_and_never_overlap(text: str):
    found = find_file_references(text, ReferenceSyntax.AT_PATH_UNICODE)
    for one, after in pairwise(found):
        assert one.span.end <= after.span.start
