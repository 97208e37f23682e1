"""Whole files: a head says what the file says, and line ends change nothing."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from metier.core.document import DocumentReader
from metier.core.repair import Repair, repair_text
from metier.core.rules import RULES
from metier.world.dialects import dialect_names, load_dialect
from tests.property.strategies import FILES, HEADERS, TYPICAL

READERS = {name: DocumentReader(load_dialect(name)) for name in dialect_names()}
dialects = pytest.mark.parametrize("dialect", READERS)
BODIES = st.sampled_from(["", "\n", "Body\n", "\n---\n", "---x\n", "a\r\n", "\ufeff"])
FENCED = st.builds(
    lambda opener, header, closer, body: opener + header + closer + body,
    st.sampled_from(
        ["---\n", "---\n", "---\r\n", "\ufeff---\n", "--- \n", "---json\n"]
    ),
    HEADERS | TYPICAL,
    st.sampled_from(
        ["---\n", "---\n", "\n---\n", "---\r\n", "--- \n", "---x\n", "---"]
    ),
    BODIES,
)
CONTENTS = (FILES | FENCED).map(lambda text: text.encode("utf-8", "surrogatepass"))


@dialects
@given(data=CONTENTS | st.binary(max_size=40), cut=st.integers(0, 400))
def test_a_head_that_is_enough_says_what_the_whole_file_says(
    data: bytes, cut: int, dialect: str
) -> None:
    reader = READERS[dialect]
    head = reader.read_head(data[:cut], directory="skill")
    if head is None:
        return
    whole = reader.read(data, directory="skill")
    assert head[:4] == whole[:4]


@dialects
@given(data=CONTENTS | st.binary(max_size=40))
def test_every_finding_has_a_rule_and_a_place_in_the_file(
    data: bytes, dialect: str
) -> None:
    document = READERS[dialect].read(data, directory="skill")
    for found in document.diagnostics:
        assert found.rule in RULES
        assert found.position is not None
        assert found.position.line <= data.count(b"\n") + data.count(b"\r") + 1
    errors = [f.rule for f in document.diagnostics if f.severity.value == "error"]
    assert (document.error is None) is not errors
    assert document.error is None or document.error in errors


@dialects
@given(header=TYPICAL, body=st.sampled_from(["Body\n", "a\n\nb"]))
def test_carriage_returns_change_neither_name_nor_description(
    header: str, body: str, dialect: str
) -> None:
    text = f"---\n{header}---\n{body}"
    if load_dialect(dialect).reader.repair is Repair.COLON_BLOCK_JS:
        # It repairs a line only where no carriage return follows.
        assume(repair_text(text, Repair.COLON_BLOCK_JS) == text)
    reader = READERS[dialect]
    line_feeds = reader.read(text.encode("utf-8", "surrogatepass"), directory="skill")
    both = text.replace("\n", "\r\n").encode("utf-8", "surrogatepass")
    returns = reader.read(both, directory="skill")
    if line_feeds.error is None and returns.error is None:
        assert returns[:3] == line_feeds[:3]
