"""Commands outside of backquotes, against one pass over the text."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from metier.core.substitution import substitution_of
from metier.core.templates import parse_template
from metier.world.dialects import load_dialect

_PIECES = st.sampled_from(
    ("`", "``", "```", "!`", "\\!`", "!", "\\", "a", "ls", " ", "\n", "!`ls`", "`x`")
)
_BODIES = st.lists(_PIECES, max_size=14).map("".join)
# The order of the alternatives is the agent's: fenced, escaped, inline, command.
_PASS = re.compile(
    r"```[\s\S]*?(?:```|\Z)|\\!`[^`]+`|(?<!!)`[^`]+`|!`(?P<command>[^`]+)`"
)
RULE = substitution_of(load_dialect("openhands"))


@given(_BODIES)
@example("!```a`")
@example("\\!`a")
def test_one_pass_finds_the_same_commands(body: str) -> None:
    slow = [found["command"] for found in _PASS.finditer(body) if found["command"]]
    assert [each.source for each in parse_template(body, RULE).commands] == slow
