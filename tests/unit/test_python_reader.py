"""Fields that PyYAML reads, and what python-frontmatter and pydantic do with them."""

from __future__ import annotations

from typing import Any

import pytest

from metier.core.document import DocumentReader, split_document
from metier.core.fields import Expect
from metier.world.dialects import load_dialect
from tests.making import dialect

TEXT = {
    "decoding": "strict",
    "byte_order_mark": "keep",
    "line_ends": "universal",
    "extent": "whole",
}
FRONTMATTER = {
    "engine": "pyyaml-libyaml",
    "schema": "yaml-1.1",
    "duplicate_keys": "last",
    "languages": "python-frontmatter",
    "shapeless": "empty",
    "reserved": ["content", "handler"],
}
PLAIN = {"engine": "pyyaml", "schema": "yaml-1.1", "duplicate_keys": "last"}


def reader(
    table: dict[str, Any], name: Expect = Expect.STRING, fence: str = "dash-lines"
) -> DocumentReader:
    """An agent that wants a name of some type, and nothing else."""
    return DocumentReader(
        dialect(
            "opencode",
            text=TEXT,
            fence=fence,
            reader=table,
            fields={
                "name": {"expect": name.value, "presence": "required"},
                "description": {"expect": "string-or-absent", "presence": "optional"},
            },
        )
    )


def named(
    header: str, table: dict[str, Any], name: Expect = Expect.STRING
) -> tuple[str | None, str | None]:
    """The name and the rule that rejects a file with this header."""
    data = f"---\n{header}\n---\n".encode("utf-8", "surrogatepass")
    document = reader(table, name).read(data, directory="folder")
    return document.name, document.error


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        pytest.param("name: a", ("a", None), id="a text"),
        pytest.param("name: 1", (None, "name-not-text"), id="a number"),
        pytest.param("name: a\nx: 2026-02-30", (None, "yaml-value"), id="no date"),
        pytest.param("name: a\nx: 2026-02-03", ("a", None), id="a date"),
        pytest.param("name: a\nx: =", (None, "yaml-invalid"), id="a lone sign"),
        pytest.param("name: a\nx:\n  =", (None, "yaml-invalid"), id="one on its line"),
        pytest.param("name: a\nx: [b, <<]", (None, "yaml-invalid"), id="a merge sign"),
        pytest.param("name: a\nx: a = b", ("a", None), id="a sign in a text"),
        pytest.param("name: a\nx: 0x_", (None, "yaml-value"), id="no number"),
        pytest.param(
            f"name: a\nx: 1{'0' * 4300}", (None, "yaml-value"), id="a long number"
        ),
        pytest.param("- name", (None, "frontmatter-not-a-map"), id="a list"),
        pytest.param("", (None, "name-missing"), id="nothing"),
        pytest.param("name: a\n1: b\ncontent: c", ("a", None), id="any key"),
        pytest.param("name: a\nname: b", ("b", None), id="a key twice"),
    ],
)
def test_the_safe_loader(header: str, expected: tuple[str | None, str | None]):
    assert named(header, PLAIN) == expected


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        pytest.param("name: a", ("a", None), id="a text"),
        pytest.param("- name", (None, "name-missing"), id="a list counts as empty"),
        pytest.param("name: a\n1: b", (None, "key-not-text"), id="a number as a key"),
        pytest.param("name: a\ncontent: b", (None, "key-reserved"), id="an argument"),
        pytest.param("name: a\nself: b", ("a", None), id="no argument here"),
    ],
)
def test_fields_that_are_handed_on_as_arguments(
    header: str, expected: tuple[str | None, str | None]
):
    assert named(header, FRONTMATTER) == expected


@pytest.mark.parametrize(
    ("text", "name", "rules"),
    [
        ("---\nname: a\n---\n", "a", []),
        ("---\nname: a: ' b'\n---\n", "a: ' b'", ["yaml-recovered"]),
        ("---\nname: a\nx: 2026-02-30\n---\n", "a", ["yaml-recovered"]),
        ("---\n- a\n---\n", "folder", []),
    ],
)
def test_where_yaml_fails_lines_may_be_read(text: str, name: str, rules: list[str]):
    hermes = DocumentReader(load_dialect("hermes"))
    document = hermes.read(text.encode(), directory="folder")
    assert document.name == name
    assert [each.rule for each in document.diagnostics] == rules


def test_a_finding_about_a_key_says_where_it_is():
    text = b"---\nname: a\nhandler: b\n---\n"
    document = reader(FRONTMATTER).read(text, directory="")
    (found,) = document.diagnostics
    assert (found.message, found.position) == (
        "the agent fails on the key `handler`",
        (3, 10),
    )


@pytest.mark.parametrize(
    ("text", "name", "error"),
    [
        ('{\n"name": "a"\n}\nbody\n', "a", None),
        ('{\n"name": "a", "self": NaN\n}\n', "a", None),
        ('{\n"name": "a", "content": 1\n}\n', None, "key-reserved"),
        ('{\n"name"\n}\n', None, "yaml-invalid"),
        ('{\n"name": "a"\n', None, "name-missing"),
        ("\n ---\nname: a\n---\n", "a", None),
        ("no fence", None, "name-missing"),
        ("---\nname: a", None, "name-missing"),
    ],
)
def test_python_frontmatter_reads_json_too_and_misses_no_fence(
    text: str, name: str | None, error: str | None
):
    agent = reader(FRONTMATTER, fence="python-frontmatter")
    document = agent.read(text.encode(), directory="")
    assert (document.name, document.error) == (name, error)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", "a"),
        ("", "None"),
        ("yes", "True"),
        ("[a, 1]", "['a', 1]"),
        ("&x {b: c}", "{'b': 'c'}"),
        ("!!binary aGk=", "b'hi'"),
    ],
)
def test_a_name_that_python_writes(value: str, text: str):
    assert named(f"name: {value}", PLAIN, Expect.PYTHON_TEXT) == (text, None)


def test_python_does_not_write_numbers_of_many_digits():
    header = f"name: 0x{'f' * 5000}"
    expected = (None, "name-not-text")
    assert named(header, PLAIN, Expect.PYTHON_TEXT) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a", ("a", None)),
        ("!!binary aGk=", ("hi", None)),
        ("!!binary /w==", (None, "name-not-text")),
        ("1", (None, "name-not-text")),
        ("[a]", (None, "name-not-text")),
    ],
)
def test_a_name_that_pydantic_takes(value: str, expected: tuple[str | None, str]):
    assert named(f"name: {value}", PLAIN, Expect.PYDANTIC_TEXT) == expected


def test_carriage_returns_end_lines_also_behind_a_mark_and_in_utf_16():
    agent = dialect("opencode", text={**TEXT, "utf16": "decode"})
    texts = ["a\rb\r\nc\n", "a\r\r\nb", "\ufeffa\rb"]
    encoded = [text.encode() for text in texts] + [texts[0].encode("utf-16")]
    assert [split_document(data, agent).text for data in encoded] == [
        "a\nb\nc\n",
        "a\n\nb",
        "\ufeffa\nb",
        "a\nb\nc\n",
    ]
