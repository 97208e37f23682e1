from __future__ import annotations

import pytest

from metier.core.document import MAX_FILE
from metier.errors import LoadError
from metier.testing import Content, Link, MemoryFileSystem, Special, make_skill
from metier.world.files import ParsedFile, load_text, parse_file, read_whole
from metier.world.filesystem import DiskFileSystem
from tests.making import dialect

PATH = "/s/pdf/SKILL.md"


def parsed(content: Content, name: str = "agentskills") -> ParsedFile:
    return parse_file(PATH, dialect(name), MemoryFileSystem({PATH: content}))


def test_a_file_says_everything_that_the_dialect_reads():
    text = make_skill("pdf", "Fills", body="\nDo it.\n", fields={"license": "MIT"})
    assert parsed(text, "shelley") == ParsedFile(
        path=PATH,
        name="pdf",
        description="Fills",
        fields={
            "license": "MIT",
            "compatibility": None,
            "allowed_tools": None,
            "metadata": None,
        },
        body="Do it.",
    )


def test_the_folder_may_lend_its_name():
    assert parsed("---\ndescription: d\n---\n").name == "pdf"


def test_a_rejected_file_keeps_its_body_but_has_no_fields():
    file = parsed("---\nlicense: MIT\n---\nBody\n")
    assert (file.error, file.fields, file.body) == ("description-missing", {}, "Body")
    assert [found.rule for found in file.diagnostics] == ["description-missing"]


def test_a_file_without_frontmatter_has_no_body():
    file = parsed("text")
    assert (file.error, file.body) == ("frontmatter-missing", None)


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        pytest.param("x" * (MAX_FILE + 1), "file-too-large", id="too large"),
        pytest.param(Special(), "special-file", id="a pipe"),
        pytest.param(Link("gone"), "link-dangling", id="a dead link"),
        pytest.param(Link("SKILL.md"), "link-cycle", id="a loop"),
    ],
)
def test_a_file_that_cannot_be_read_is_an_error(content: Content, rule: str):
    file = parsed(content)
    assert (file.path, file.error, len(file.diagnostics)) == (PATH, rule, 1)
    with pytest.raises(LoadError) as caught:
        read_whole(PATH, MemoryFileSystem({PATH: content}))
    assert caught.value.diagnostics == file.diagnostics
    assert str(caught.value) == f"{PATH}: {file.diagnostics[0].message}"


def test_a_file_that_is_not_there_is_an_error():
    file = parse_file(PATH, dialect(), MemoryFileSystem())
    assert (file.error, file.diagnostics[0].message) == (
        "file-unreadable",
        "there is no such file",
    )


def test_the_largest_file_is_read():
    data = b"x" * MAX_FILE
    assert read_whole(PATH, MemoryFileSystem({PATH: data})) == data


@pytest.mark.parametrize("path", ["a\0b", "\ud800"], ids=["NUL", "half a pair"])
def test_a_path_that_cannot_be_is_an_error(path: str):
    with pytest.raises(LoadError) as caught:
        read_whole(path, DiskFileSystem())
    assert [found.rule for found in caught.value.diagnostics] == ["file-unreadable"]


@pytest.mark.parametrize(
    ("content", "dialect_name", "text", "start"),
    [
        pytest.param("---\na: b\n---\nBody", "agentskills", None, 13, id="a body"),
        pytest.param("no header", "agentskills", None, 0, id="no header"),
        pytest.param(
            "---\na: b: c\n---\nBody", "brutus", None, 16, id="a header to repair"
        ),
        pytest.param(
            "\ufeff---\na: b\n---\nBody",
            "agentskills",
            "---\na: b\n---\nBody",
            13,
            id="a byte order mark",
        ),
        pytest.param(b"\xff", "opi", "\ufffd", 0, id="what the dialect refuses"),
    ],
)
def test_the_text_of_a_file_and_where_its_body_starts(
    content: str | bytes, dialect_name: str, text: str | None, start: int
):
    files = MemoryFileSystem({PATH: content})
    expected = (content if text is None else text, start)
    assert load_text(PATH, dialect(dialect_name), files) == expected
