"""Splitting lists of tools: at commas and blanks, but not inside of parentheses."""

from __future__ import annotations

import pytest

from metier.core.tools import split_tools, split_words


@pytest.mark.parametrize(
    ("text", "tools"),
    [
        ("", ()),
        (" , ,", ()),
        ("Read", ("Read",)),
        ("Read, Write,Edit", ("Read", "Write", "Edit")),
        ("Read Write\tEdit\n", ("Read", "Write", "Edit")),
        ("Bash(git add *), Read", ("Bash(git add *)", "Read")),
        ("Bash(git:*, npm:*) Read", ("Bash(git:*, npm:*)", "Read")),
        ("a(b[c {d, e}], f) g", ("a(b[c {d, e}], f)", "g")),
        ("Bash(echo ') ,'), Read", ("Bash(echo ') ,')", "Read")),
        ('Bash(echo ") x") b', ('Bash(echo ") x")', "b")),
        ("Bash(it's, Read", ("Bash(it's, Read",)),
        ("don't, stop", ("don't", "stop")),
        ("a) b] c", ("a)", "b]", "c")),
        ("a(b ] c) d", ("a(b ] c)", "d")),
        ("open( a, b", ("open( a, b",)),
    ],
)
def test_tools_stay_whole_within_their_parentheses(
    text: str, tools: tuple[str, ...]
) -> None:
    assert split_tools(text) == tools


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ()),
        (" , ", ()),
        ("Read, Write Edit", ("Read", "Write", "Edit")),
        ("Bash(git add *)", ("Bash(git", "add", "*)")),
        ("\tRead\t,\u3000Write\xa0", ("Read", "Write")),
        ("a\tb", ("a\tb",)),
    ],
)
def test_words_end_at_every_comma_and_space(text: str, words: tuple[str, ...]) -> None:
    assert split_words(text) == words
