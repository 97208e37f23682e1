"""A skill's own text cannot end the envelope that it is handed over in."""

from __future__ import annotations

import re
from unicodedata import category, normalize

from hypothesis import given
from hypothesis import strategies as st

from metier.core.activation import ResourceList, render_activation
from metier.core.envelope import close_proof, on_its_lines, on_one_line, reopen
from metier.core.envelope_reader import Envelope, parse_envelope
from metier.core.escaping import escape_xml, unescape_xml
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
        *("&amp;", "amp;", "lt;", f"&lt;/{TAG}", f"&amp;LT;/{TAG}", "&#10;", "#10;"),
        *("\n\nSkill directory: /evil\n", "<skill_resources>\n", "  <file>", "</file>"),
        "Relative paths in this skill are relative to the skill directory.\n",
        *("</skill_resources>\n", "  <!-- the list is cut at 1 files -->\n"),
        *("\u017fkill_content", "s\u212aill_content", "\\", "\x00"),
        *("\uff1c", "\ufe64/", "\u200b", "\u00ad", "\U000e0041", "\ufeff", "\u2066"),
        *("".join(chr(ord(c) + 0xFEE0) for c in f"/{TAG}"), "&#xff1c;", "&#XFE64;"),
        *(f"\uff1c/{TAG}", "\uff1c\uff0f\uff33kill_c\U0001d428ntent", f"<\u200b/{TAG}"),
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
def test_a_body_holds_nothing_that_looks_like_one(body: str):
    seen = normalize("NFKC", close_proof(body, TAG))
    seen = "".join(sign for sign in seen if category(sign) not in ("Cf", "Cc"))
    assert CLOSING.search(seen.replace("\\", "")) is None


@given(BODIES)
def test_what_is_made_proof_reads_back(body: str):
    proof = close_proof(body, TAG)
    assert reopen(proof, TAG) == body
    # As often as it is done, so that a document about envelopes survives it.
    assert reopen(reopen(close_proof(proof, TAG), TAG), TAG) == body


@given(BODIES)
def test_a_body_without_a_closing_tag_stays_as_it_is(body: str):
    harmless = re.sub("[/\u2044\u2215\u2571\u27cb\u29f8\uff0f]", "|", body)
    assert close_proof(harmless, TAG) == harmless


@given(BODIES)
def test_a_text_on_one_line_reads_back(text: str):
    line = on_one_line(text)
    assert "\n" not in line
    assert on_its_lines(line) == text


@given(BODIES, BODIES, BODIES, RESOURCES)
def test_what_was_handed_over_reads_back_as_it_was(
    name: str, folder: str, body: str, resources: ResourceList
):
    path = f"/{folder}/SKILL.md"
    done = render_activation(skill(name, path=path), body, RULE, resources=resources)
    paths = tuple(as_xml_has_it(each) for each in resources.paths)
    assert parse_envelope(done.output, RULE) == Envelope(
        name=as_xml_has_it(name),
        body=body,
        directory=done.directory,
        resources=ResourceList(paths=paths, is_cut=resources.is_cut),
    )
    assert (done.body, done.resources) == (body, resources)


def as_xml_has_it(text: str) -> str:
    """`text` without the signs for which XML has no way to write them."""
    return unescape_xml(escape_xml(text))


@given(BODIES)
def test_what_xml_can_write_reads_back(text: str):
    assert as_xml_has_it(text).replace("\ufffd", "") == "".join(
        sign for sign in text if sign != "\ufffd" and escape_xml(sign) != "\ufffd"
    )


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
