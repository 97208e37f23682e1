"""From the bytes of a file to a skill's head, or the reason why it is none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from metier.core.dialect import Dialect
from metier.core.document import (
    Document,
    DocumentReader,
    Parts,
    body_of,
    read_all_fields,
    read_optional,
    split_document,
)
from metier.core.fence import Fenced, FenceStyle
from metier.core.fields import Trim
from metier.core.nodes import MAX_HEADER, Scalar, Style
from metier.core.readers import RetryOn
from metier.core.repair import Repair
from metier.diagnostics import Diagnostic, Position, Severity, Span
from metier.world.dialects import dialect_names, load_dialect

GOOD = b"---\nname: skill\ndescription: What for\n---\nBody\n"


@pytest.fixture(params=dialect_names())
def dialect(request: pytest.FixtureRequest) -> Dialect:
    """Every dialect that comes with metier."""
    return load_dialect(request.param)


def read(data: bytes, name: str, directory: str = "skill") -> Document:
    return DocumentReader(load_dialect(name)).read(data, directory=directory)


def test_a_good_file_is_a_skill_in_every_dialect(dialect: Dialect) -> None:
    document = DocumentReader(dialect).read(GOOD, directory="skill")
    assert document[:5] == ("skill", "What for", False, None, ())
    assert document.header.strip() == "name: skill\ndescription: What for"


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("opi", b"---\nname: a\ndescription: \xff\n---\n", "text-not-utf8"),
        ("shelley", b"# Title\n", "frontmatter-missing"),
        ("batuta", b"---\nname: a\n", "frontmatter-unclosed"),
        ("brutus", b"---\nname: [a\n---\n", "yaml-invalid"),
        ("brutus", b"---\nname: a\nname: b\n---\n", "key-duplicate"),
        ("brutus", b"---\ndescription: b\n---\n", "name-missing"),
        ("opencode-spec", b"---\nname: 1\ndescription: b\n---\n", "name-not-text"),
        ("opencode-spec", b"---js\nname: a\n---\n", "host-evaluates-code"),
        ("opi", b"---\nname: '\ndescription: b\n---\n", "host-panics"),
        (
            "opi",
            b'---\nname: a\ndescription: b\ndisable-model-invocation: "\n---\n',
            "host-panics",
        ),
        ("opi", b"---\nname: A\ndescription: b\n---\n", "name-invalid"),
        ("batuta", b"---\nname: a\ndescription: b\n---\n \n", "body-empty"),
        ("agentskills", b"---\nname: a\n---\n", "description-missing"),
    ],
)
def test_a_bad_file_is_rejected_by_a_rule(name: str, data: bytes, error: str) -> None:
    document = read(data, name)
    assert document.error == error
    assert error in [each.rule for each in document.diagnostics]


def test_a_finding_about_a_field_has_its_place_in_the_file() -> None:
    document = read(
        b"---\nname: skill\ndescription: 2026-01-01\n---\n", "opencode-spec"
    )
    assert document.diagnostics == (
        Diagnostic(
            rule="description-not-text",
            severity=Severity.ERROR,
            message="`description` is read as a date, not as text",
            position=Position(3, 14),
            span=Span(29, 39),
            help="put it in quotes",
        ),
    )


def test_a_finding_without_a_node_stands_at_the_head_of_the_header() -> None:
    document = read(b"---\ndescription: a\n---\n", "opencode-spec")
    assert [(each.rule, each.span) for each in document.diagnostics] == [
        ("name-missing", Span(3, 3))
    ]


def test_warnings_do_not_cost_the_skill() -> None:
    document = read(b"---\nname: My Skill\ndescription: a\n--- \nBody", "agentskills")
    assert document.name == "My Skill"
    assert document.error is None
    assert [(each.rule, each.severity) for each in document.diagnostics] == [
        ("fence-trailing-blank", Severity.WARNING),
        ("name-invalid", Severity.WARNING),
    ]


def test_a_hidden_skill() -> None:
    data = b"---\nname: a\ndescription: b\ndisable-model-invocation: true\n---\nx"
    assert read(data, "opi").is_hidden is True
    assert read(data, "agentskills").is_hidden is True
    assert read(data, "batuta").is_hidden is False


def test_a_list_that_decides_is_read_by_the_full_reader() -> None:
    data = b"---\nname: a\ndescription: b\ncompatibility: [c]\n---\n"
    document = read(data, "agentskills")
    assert document[:4] == ("a", "b", False, None)


def test_an_empty_body_is_told_where_it_should_be() -> None:
    document = read(b"---\nname: a\ndescription: b\n---\n\n", "batuta")
    assert document[:4] == ("a", "b", False, "body-empty")
    assert document.diagnostics == (
        Diagnostic(
            rule="body-empty",
            severity=Severity.ERROR,
            message="the body is empty",
            position=Position(5, 1),
            span=Span(31, 31),
        ),
    )


HEAD = b"---\nname: skill\ndescription: What for\n---\n"


@pytest.mark.parametrize(
    ("name", "head", "is_enough"),
    [
        pytest.param("agentskills", HEAD, True, id="the whole header"),
        pytest.param(
            "agentskills", HEAD + b"\xff", True, id="what follows is not read"
        ),
        pytest.param("agentskills", HEAD[:-1], False, id="the closer may go on"),
        pytest.param("agentskills", HEAD[:30], False, id="no closer"),
        pytest.param("agentskills", b"# a\n---\n", False, id="no opener"),
        pytest.param(
            "agentskills", HEAD.replace(b"\n---", b"\n---x"), False, id="a glued closer"
        ),
        pytest.param("agentskills", b"\xff\n---\n", False, id="not UTF-8"),
        pytest.param("opi", HEAD, False, id="an agent that decodes the whole file"),
        pytest.param("opencode-spec", b"---\nname: a\n----\n", True, id="any closer"),
        pytest.param("opencode-spec", b"text\n---\n", False, id="all of it is body"),
    ],
)
def test_when_a_head_is_enough(name: str, head: bytes, is_enough: bool) -> None:
    reader = DocumentReader(load_dialect(name))
    assert (reader.read_head(head, directory="skill") is not None) is is_enough


def test_a_head_that_cannot_be_decoded_is_not_enough() -> None:
    # No dialect reads a head strictly; a caller's own may.
    known = load_dialect("agentskills")
    strict = replace(
        known, text=replace(known.text, decoding=load_dialect("opi").text.decoding)
    )
    reader = DocumentReader(strict)
    data = b"---\nname: \xff\n---\n"
    assert reader.read_head(data, directory="a") is None
    assert reader.read(data, directory="a").error == "text-not-utf8"


@pytest.mark.parametrize("name", ["agentskills", "opi"])
def test_a_header_that_is_too_large_is_not_looked_at(name: str) -> None:
    document = read(b"---\n" + b"#" * MAX_HEADER + b"\n\n---\n", name)
    size = "65,537" if name == "opi" else "65,538"
    assert document == Document(
        None,
        None,
        error="frontmatter-too-large",
        diagnostics=(
            Diagnostic(
                rule="frontmatter-too-large",
                severity=Severity.ERROR,
                message=f"the frontmatter has {size} characters, 65,536 are read",
                position=Position(2, 1),
                span=Span(4, 4),
                help="move the text below the closing `---`",
            ),
        ),
    )


def test_every_field_with_its_place() -> None:
    dialect = load_dialect("agentskills")
    parts = split_document(b"---\na: b\n---\n", dialect)
    assert read_all_fields(parts, dialect) == (
        {"a": Scalar("b", Style.PLAIN, 3, 4)},
        (),
    )


def test_every_field_of_a_line_reader() -> None:
    dialect = load_dialect("batuta")
    parts = split_document(b"---\na: b\n---\n", dialect)
    assert read_all_fields(parts, dialect) == (
        {"a": Scalar("b", Style.PLAIN, 3, 4)},
        (),
    )


def test_without_a_fence_there_are_no_fields() -> None:
    dialect = load_dialect("agentskills")
    parts = split_document(b"text", dialect)
    fields, found = read_all_fields(parts, dialect)
    assert fields is None
    assert [each.rule for each in found] == ["frontmatter-missing"]


def test_a_text_that_is_refused_has_no_parts() -> None:
    parts = split_document(b"\xff", load_dialect("opi"))
    assert (parts.text, parts.fenced) == ("", None)
    assert [each.rule for each in parts.diagnostics] == ["text-not-utf8"]


def test_optional_fields_come_under_their_own_names() -> None:
    dialect = load_dialect("batuta")
    parts = split_document(b"---\nwhen-to-use: a\nallowed-tools: b, c\n---\n", dialect)
    fields, _ = read_all_fields(parts, dialect)
    assert fields is not None
    assert read_optional(fields, dialect) == {
        "when_to_use": "a",
        "allowed_tools": ("b", "c"),
    }


@pytest.mark.parametrize(
    ("trim", "body"),
    [
        (Trim.NONE, "\ufeff\x85 a \n"),
        (Trim.WHITE_SPACE, "\ufeff\x85 a"),
        (Trim.JS_WHITE_SPACE, "\x85 a"),
    ],
)
def test_what_is_taken_off_the_body(trim: Trim, body: str) -> None:
    known = load_dialect("agentskills")
    fields = replace(known.fields, body=replace(known.fields.body, trim=trim))
    dialect = replace(known, fields=fields)
    text = "---\n---\n\ufeff\x85 a \n"
    assert body_of(Parts(text, Fenced(4, 4, 8), ()), dialect) == body
    assert body_of(Parts(text[8:], None, ()), dialect) == body


BROKEN = "the frontmatter is not valid YAML: mapping values are not allowed here"


def test_a_header_that_is_read_once_it_is_rewritten() -> None:
    document = read(b"---\nname: skill\ndescription: a: b\n---\nBody\n", "opencode")
    assert document == Document(
        "skill",
        "a: b",
        header="\nname: skill\ndescription: |-\n  a: b",
        diagnostics=(
            Diagnostic(
                rule="yaml-rewritten",
                severity=Severity.WARNING,
                message=f"read only after the host rewrote it: {BROKEN}",
                position=Position(3, 15),
                span=Span(30, 33),
                help="quote the value: a plain value cannot hold `: `",
            ),
        ),
    )


def test_what_is_found_in_a_rewritten_header_has_no_place() -> None:
    document = read(b"---\nname: 1\ndescription: a: b\n---\n", "opencode")
    assert document.error == "name-not-text"
    told = [(each.rule, each.position, each.span) for each in document.diagnostics]
    assert told[1:] == [("name-not-text", None, None)]


@pytest.mark.parametrize(
    ("data", "error"),
    [
        pytest.param(
            b"---\nname: a\ndescription: [b\n---\n", "yaml-invalid", id="same"
        ),
        pytest.param(b"---\na: b: c\nd: [e\n---\n", "yaml-invalid", id="still broken"),
        pytest.param(b"---\nname: 1\n---\n", "name-not-text", id="not of that kind"),
    ],
)
def test_a_rewrite_that_is_no_help(data: bytes, error: str) -> None:
    document = read(data, "opencode")
    assert document.error == error
    assert [each.rule for each in document.diagnostics] == [error]


def test_a_field_of_the_wrong_type_may_be_rewritten_too() -> None:
    dialect = load_dialect("opencode")
    reader = replace(dialect.reader, retry=Repair.QUOTE_VALUE, retry_on=RetryOn.TYPES)
    dialect = replace(dialect, reader=reader, fence=FenceStyle.TRIMMED_LINES)
    data = b"---\nname: {a: b}\n---\n"
    assert DocumentReader(dialect).read(data, directory="a").name == "{a: b}"
