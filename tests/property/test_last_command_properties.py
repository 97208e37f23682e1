"""The last command of a script, whatever its commands are given."""

from __future__ import annotations

import shlex

from hypothesis import given
from hypothesis import strategies as st

from metier.core.last_command import ends_with_any

WORDS = st.text("ab;|&\n\"'\\$(#` ", max_size=6).map(shlex.quote)
PROGRAMS = st.sampled_from(("grep", "ls"))
SEPARATORS = st.sampled_from(("; ", " && ", " || ", " | ", " |& ", "\n", " # c;d\n"))


@given(
    st.lists(st.tuples(PROGRAMS, st.lists(WORDS, max_size=3), SEPARATORS), min_size=1)
)
def test_it_is_behind_the_last_separator_that_stands_in_no_quotes(
    commands: list[tuple[str, list[str], str]],
):
    *before, (program, words, _) = commands
    script = "".join(" ".join((p, *given)) + end for p, given, end in before)
    script += " ".join((program, *words))
    assert ends_with_any(script, ("grep",)) is (program == "grep")
