"""goccy/go-yaml's grammar on any text: it reads or refuses, and reads what is plain."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from metier.core.nodes import Scalar
from metier.core.readers import FieldShape, ReaderEngine, ReaderRule
from metier.core.readers.fast import read_fast
from metier.core.readers.trees import Header, read_tree
from metier.core.yaml_goccy_tokens import number_in, write_float

RULE = ReaderRule(
    engine=ReaderEngine.GOCCY_YAML,
    types={
        "name": FieldShape.TEXT,
        "b": FieldShape.TEXTS,
        "c": FieldShape.TEXT_MAP,
    },
)
SIGNS = st.text(alphabet="abc:- \n\t#'\"[]{},&*!|>?%@<~.\\0123x", max_size=40)
LINES = st.lists(st.sampled_from(["name: ", "b: ", "c:\n", "- ", "  "]), max_size=5)


@given(st.one_of(SIGNS, st.text(max_size=20)), LINES)
@example("a\n - b", ["name: "])
def test_any_text_is_read_or_refused_within_its_bounds(text: str, starts: list[str]):
    content = text.join(["", *starts, ""])
    fields, found = read_tree(Header(content, 0, len(content)), RULE)
    assert (fields is None) == bool(found)
    for each in found:
        assert each.span is not None
        assert 0 <= each.span.start <= each.span.end <= len(content)
    for node in (fields or {}).values():
        assert 0 <= node.start <= node.end <= len(content)


@given(st.text(alphabet="ab-:# ", min_size=1, max_size=20))
def test_what_the_quick_reader_reads_is_read_alike(text: str):
    header = f"name: {text}\n"
    fast = read_fast(header, frozenset(("name",)))
    if fast is None or not isinstance(name := fast["name"], Scalar) or not name.text:
        return
    fields, _ = read_tree(Header(header, 0, len(header)), RULE)
    read = (fields or {})["name"]
    assert isinstance(read, Scalar)
    assert read.text == name.text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_written_so_that_it_reads_back(number: float):
    assert float(write_float(number)) == number


@given(st.integers(-(2**63), 2**64 - 1))
def test_an_integer_is_the_number_that_it_says(number: int):
    assert (number_in(str(number)), number_in(hex(number))) == (number, number)


@given(st.text(alphabet="+-._0123456789abcdefxoXinN", max_size=12))
def test_what_is_no_number_is_a_text(text: str):
    number = number_in(text)
    assert number is None or isinstance(number, (int, float))
