"""The readers that know no YAML, on any text: places, totals and simple models."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.core.nodes import Mapping, Node, Scalar, Sequence
from metier.core.readers import LINE_READERS, ReaderEngine
from metier.core.readers.lines import read_split_lines
from metier.core.text import JS_WHITE_SPACE, WHITE_SPACE
from tests.property.strategies import HEADERS, HOSTILE_CHARACTERS

TEXTS = HEADERS | st.text(max_size=60) | st.text(HOSTILE_CHARACTERS, max_size=60)
READERS = pytest.mark.parametrize(
    "engine", LINE_READERS, ids=lambda engine: engine.value
)


def scalars(node: Node) -> list[Scalar]:
    if isinstance(node, Sequence):
        return [item for item in node.items if isinstance(item, Scalar)]
    if isinstance(node, Mapping):
        return [value for _, value in node.entries if isinstance(value, Scalar)]
    assert isinstance(node, Scalar)
    return [node]


@READERS
@given(header=TEXTS)
def test_every_value_stands_where_its_span_says(
    header: str, engine: ReaderEngine
) -> None:
    for node in LINE_READERS[engine](header).values():
        for scalar in scalars(node):
            source = header[scalar.start : scalar.end]
            assert "\n" not in source
            assert scalar.text in source
            assert not source.replace(scalar.text, "", 1).strip("\"'")


@READERS
@given(header=TEXTS)
def test_no_key_has_a_line_or_a_colon_in_it(header: str, engine: ReaderEngine) -> None:
    for key in LINE_READERS[engine](header):
        assert ":" not in key
        assert "\n" not in key
        assert key in header


@given(TEXTS)
def test_the_first_prefix_is_found_as_the_host_finds_it(header: str) -> None:
    fields = LINE_READERS[ReaderEngine.FIRST_PREFIX](header)
    for key in ("name", "description"):
        rest = (
            trimmed.removeprefix(f"{key}:").strip(WHITE_SPACE)
            for trimmed in (line.strip(WHITE_SPACE) for line in header.split("\n"))
            if trimmed.startswith(f"{key}:")
        )
        value = next(rest, None)
        node = fields.get(key)
        assert (node is None) is (value is None)
        if node is not None and value is not None:
            quoted = value[:1] in ("'", '"') and value[-1] == value[0]
            assert [node] == scalars(node)
            assert scalars(node)[0].text == (value[1:-1] if quoted else value)


@given(TEXTS)
def test_trimmed_lines_are_read_as_the_host_reads_them(header: str) -> None:
    model: dict[str, str] = {}
    for line in (each.strip(WHITE_SPACE) for each in header.split("\n")):
        if ":" in line and not line.startswith("#"):
            key, value = (part.strip(WHITE_SPACE) for part in line.split(":", 1))
            model[key] = value.strip('"').strip("'")
    fields = LINE_READERS[ReaderEngine.TRIMMED_LINES](header)
    assert {key: scalars(node)[0].text for key, node in fields.items()} == model


@given(TEXTS)
def test_the_simple_map_is_read_as_the_host_reads_it(header: str) -> None:
    fields = LINE_READERS[ReaderEngine.SIMPLE_MAP](header)
    assert {key: plain(node) for key, node in fields.items()} == shelley(header)


@given(TEXTS | st.text("a:-# \n'\ufeff", max_size=60))
def test_lines_and_lists_are_read_as_the_host_reads_them(header: str) -> None:
    fields = LINE_READERS[ReaderEngine.LINES_AND_LISTS](header)
    model = letta(header)
    assert {key: listed(node) for key, node in fields.items()} == model


@given(TEXTS | st.text("a:# \n'\x1c\xa0", max_size=60))
def test_split_lines_are_read_as_the_host_reads_them(header: str) -> None:
    model: dict[str, str] = {}
    for line in header.strip().split("\n"):
        if ":" in line:
            key, value = line.split(":", 1)
            model[key.strip()] = value.strip()
    fields = read_split_lines(header)
    assert {key: scalars(node)[0].text for key, node in fields.items()} == model
    for node in fields.values():
        (scalar,) = scalars(node)
        assert header[scalar.start : scalar.end] == scalar.text


def listed(node: Node) -> str | list[str]:
    values = [each.text for each in scalars(node)]
    return values if isinstance(node, Sequence) else values[0]


def letta(header: str) -> dict[str, str | list[str]]:
    """The host's loop, as its source has it."""
    found: dict[str, str | list[str]] = {}
    pending: str | None = None
    items: list[str] = []
    for line in header.split("\n"):
        trimmed = line.strip(JS_WHITE_SPACE)
        if trimmed.startswith("-") and pending:
            items.append(trimmed[1:].strip(JS_WHITE_SPACE))
            continue
        if pending:
            found[pending], pending, items = items or "", None, []
        colon = line.find(":")
        if colon > 0:
            key = line[:colon].strip(JS_WHITE_SPACE)
            value = line[colon + 1 :].strip(JS_WHITE_SPACE)
            if value:
                found[key] = value
            else:
                pending, items = key, []
    if pending:
        found[pending] = items or ""
    return {key: value for key, value in found.items() if key != "__proto__"}


def plain(node: Node) -> str | dict[str, str]:
    values = [each.text for each in scalars(node)]
    if not isinstance(node, Mapping):
        return values[0]
    keys = [key.text for key, _ in node.entries if isinstance(key, Scalar)]
    return dict(zip(keys, values, strict=True))


def shelley(header: str) -> dict[str, str | dict[str, str]]:
    """The host's loop, as its source has it."""
    result: dict[str, str | dict[str, str]] = {}
    current, in_map = "", False
    nested: dict[str, str] = {}
    for line in header.split("\n"):
        trimmed = line.strip(WHITE_SPACE)
        if trimmed == "" or trimmed.startswith("#"):
            continue
        parts = [part.strip(WHITE_SPACE) for part in trimmed.split(":", 1)]
        if in_map and line.startswith(("  ", "\t")):
            if len(parts) == 2:
                nested[parts[0]] = unquoted(parts[1])
            continue
        if in_map and current:
            result[current], nested, in_map = nested, {}, False
        if len(parts) == 2 and parts[1]:
            result[parts[0]] = unquoted(parts[1])
        elif len(parts) == 2:
            current, in_map = parts[0], True
    if in_map and current and nested:
        result[current] = nested
    return result


def unquoted(text: str) -> str:
    is_quoted = len(text) >= 2 and text[0] in "\"'" and text[0] == text[-1]
    return text[1:-1] if is_quoted else text
