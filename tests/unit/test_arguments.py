from __future__ import annotations

import pytest

from metier.core.arguments import Words, split_arguments
from metier.core.substitution import Splitting, Unbalanced

ERROR, REST = Unbalanced.ERROR, Unbalanced.REST


@pytest.mark.parametrize(
    ("splitting", "text", "words"),
    [
        (Splitting.BLANKS, " a  'b c'\n", ("a", "'b", "c'")),
        (Splitting.BLANKS, "", ()),
        (Splitting.SHELL, "a 'b c' \"d e\"", ("a", "b c", "d e")),
        (Splitting.SHELL, "a'b 'c\"d \"e", ("ab cd e",)),
        (Splitting.SHELL, "'' \"\"", ("", "")),
        (Splitting.SHELL, r"a\ b \'c", ("a b", "'c")),
        (Splitting.SHELL, r"'a\b' " + r'"c\"d\x"', (r"a\b", r'c"d\x')),
        (Splitting.SHELL, '"a\\\nb"', ("ab",)),
        (Splitting.SHELL, "a\\", ("a\\",)),
        (Splitting.SHELL, " a ", ("a",)),
        (Splitting.DOUBLE_QUOTES, 'A "57 C" it\'s', ("A", "57 C", "it's")),
        (Splitting.DOUBLE_QUOTES, '"C:\\path\\"', ("C:\\path\\",)),
        (Splitting.LEADING_QUOTES, "a 'b c'd e'f g", ("a", "b cd", "e'f", "g")),
        (Splitting.LEADING_QUOTES, '\\"a b"\' "" \'c"d\' \'\'', ("\\a b'", 'c"d')),
        (Splitting.LEADING_QUOTES, " \u3000a\xa0b\n", ("a", "b")),
        (Splitting.RUNS, "a \"b c\" 'd' e'f", ("a", "b c", "d", "e", "f")),
        (Splitting.RUNS, "[Image  2] [IMAGE", ("[Image  2]", "[IMAGE")),
        (Splitting.RUNS, "\"'a'\"", ("'a'",)),
    ],
)  # fmt: skip
def test_words_are_told_apart_as_the_agent_does(
    splitting: Splitting, text: str, words: tuple[str, ...]
):
    assert split_arguments(text, splitting, ERROR) == Words(words)


def test_a_quote_without_its_partner_is_an_error_or_groups_the_rest():
    problem = "the arguments have a ' without its partner"
    leading = Splitting.LEADING_QUOTES
    assert split_arguments("a 'b c", leading, ERROR) == Words((), problem)
    assert split_arguments("a 'b c", leading, REST) == Words(("a", "b c"))
    assert split_arguments("a it's b", Splitting.SHELL, ERROR) == Words((), problem)
    assert split_arguments("a it's b", Splitting.SHELL, REST) == Words(("a", "its b"))
