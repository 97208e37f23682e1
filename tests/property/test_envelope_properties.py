"""A skill's own text cannot end the envelope that it is handed over in."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from metier.core.activation import ResourceList, close_proof, render_activation
from tests.making import dialect, skill
from tests.property.strategies import MARKUP_TEXTS

RULE = dialect("agentskills").activation
TAG = RULE.envelope
# Anything that some reader could take for the closing tag.
CLOSING = re.compile(rf"<\s*/\s*{TAG}(?!\w)", re.IGNORECASE)

_PIECES = st.sampled_from(
    [
        *("<", "/", ">", TAG, TAG.upper(), TAG.title(), f"</{TAG}>", f"</{TAG} >"),
        *(f"< / {TAG}\n>", f"<\t/{TAG}", f"</{TAG}x>", f"<{TAG}>", f"</{TAG}-x>"),
        *(" ", "\n", "\u2028", "\x85", "\x1c", "&lt;", "&", "</", "<<", "skill", "_"),
        *("\u017fkill_content", "s\u212aill_content", "\\", "\x00"),
    ]
)
BODIES = st.lists(_PIECES | MARKUP_TEXTS, max_size=12).map("".join)
RESOURCES = st.builds(
    ResourceList, paths=st.lists(BODIES, max_size=3).map(tuple), is_cut=st.booleans()
)


@given(BODIES)
def test_a_body_holds_no_closing_tag(body: str):
    assert CLOSING.search(close_proof(body, TAG)) is None


@given(BODIES)
def test_a_body_loses_nothing_but_the_signs_that_would_close(body: str):
    proof = close_proof(body, TAG)
    assert proof.replace("&lt;", "<") == body.replace("&lt;", "<")
    assert proof.count("&lt;") - body.count("&lt;") == len(CLOSING.findall(body))


@given(BODIES)
def test_a_body_that_is_proof_already_stays_as_it_is(body: str):
    proof = close_proof(body, TAG)
    assert close_proof(proof, TAG) == proof


@given(BODIES, BODIES, BODIES, RESOURCES)
def test_an_envelope_is_closed_once_at_its_end(
    name: str, folder: str, body: str, resources: ResourceList
):
    path = f"/{folder}/SKILL.md"
    found = render_activation(skill(name, path=path), body, RULE, resources=resources)
    closings = [match.span() for match in CLOSING.finditer(found.output)]
    assert closings == [(len(found.output) - len(TAG) - 3, len(found.output) - 1)]


@given(BODIES)
def test_a_name_stays_inside_its_quotes(name: str):
    output = render_activation(skill(name, path="/f"), "", RULE).output
    first = re.match(rf'<{TAG} name="([^"<>]*)">\n', output)
    assert first is not None
    assert first.end() == output.index(">\n") + 2
