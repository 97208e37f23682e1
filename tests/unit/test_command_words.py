"""The words of a command, as Claude Code 2.1.197 hands them to a skill."""

from __future__ import annotations

import time

import pytest

from metier.core.arguments import Words, split_arguments
from metier.core.substitution import Splitting, Unbalanced


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("one two  three", "one|two|three"),
        (" 'a b' \"c d\" e'f g'h ", "a b|c d|ef gh"),
        ("'' a ''", "|a|"),
        ('a\\ b \\"c \\\nd', 'a b|"c|d'),
        ('"a\\"b\\\\"', 'a\\"b\\\\'),
        ("a\\", "a"),
        ("a \\", "a|"),
        ("it's ok now", "it's ok now"),
        ("don't 'x y' z", "dont x|y' z"),
        ("a \"b 'c", "a|\"b 'c"),
        ("'a b", "'a b"),
        ("a;b", "a"),
        ("a | b", "a"),
        ("a -> b", "a|-"),
        ("a 2>&1 b", "a"),
        ("http://a?b=c&d", "http://a?b=c"),
        ("a\nb", "a"),
        ("; & a", "a"),
        ("> a b", "b"),
        ("2>a b", "b"),
        ("<<<a b", "b"),
        ("(a b) c", "a|b"),
        ("{ a b; }", "a|b"),
        ("! a", "a"),
        ("!a !b c!", "\\!a|\\!b|c!"),
        ("fix #1 in a#2", "fix"),
        ("a#2 b", "a#2|b"),
        ("a=b c=d e f=g", "e|f=g"),
        ("a=b", "a=b"),
        ("'a'=b c", "a=b|c"),
        ("[x] a", "a"),
        ("[ a b ]", "b|]"),
        ("a [b c]", "a|[b|c]"),
        ("$HOME ${x:-a b} $(c d)", "$HOME|${x:-a b}"),
        ("$(a b)c d", "$(a b)c|d"),
        ("$((1+2)) a", "$((1+2))|a"),
        ("$'a b' $\"c d\"", "$'a b'|$c d"),
        ("a $ b", "a|b"),
        ("a `b` c", "a"),
        ("a`b`", "a`b`"),
        ("a\xa0b", "a\xa0b"),
        # What is no command is split at white space.
        ("# a 'b c'", "#|a|'b|c'"),
        ("<a> b", "<a>|b"),
        (")", ")"),
        ("((a) b", "((a)|b"),
        ("$", "$"),
        ("[a]", "[a]"),
        (" ; ", ";"),
    ],
)
def test_the_words_of_the_first_command(text: str, words: str) -> None:
    expected = Words(tuple(words.split("|")))
    assert split_arguments(text, Splitting.COMMAND, Unbalanced.ERROR) == expected


def test_no_arguments_are_no_words() -> None:
    assert split_arguments(" ", Splitting.COMMAND, Unbalanced.ERROR) == Words(())


@pytest.mark.parametrize(
    "unit", ["a ", "'", '"', "\\", "$(", "${", "$'", "(", "<a", "1", "=", "!", "`", "["]
)
def test_a_long_line_costs_little(unit: str) -> None:
    started = time.process_time()
    split_arguments(unit * 20_000, Splitting.COMMAND, Unbalanced.ERROR)
    assert time.process_time() - started < 2
