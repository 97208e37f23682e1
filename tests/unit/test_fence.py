"""Where the frontmatter starts and ends, as each agent looks for it."""

from __future__ import annotations

import pytest

from metier.core.fence import (
    Fenced,
    FenceStyle,
    find_fence,
    find_plain_header,
    without_header,
)
from metier.diagnostics import Diagnostic, Position, Severity, Span

Cut = tuple[str, str] | str


def cut(text: str, style: FenceStyle) -> Cut:
    """Header and body, or the rule that says why there are none."""
    fenced, found = find_fence(text, style)
    if fenced is None:
        return found[0].rule
    return text[fenced.header_start : fenced.header_end], text[fenced.body_start :]


MISSING, UNCLOSED = "frontmatter-missing", "frontmatter-unclosed"
NO_CLOSER = "the frontmatter has no closing `---`"
ODD_CLOSER = "the closing `---` does not stand alone on its line"
# What stands in the file, and what each style makes of it.
TOLERANT = FenceStyle.TOLERANT_LINES
EXACT = FenceStyle.EXACT_LINES
CLOSED = FenceStyle.CLOSED_LINES
PREFIX = FenceStyle.PREFIX
LINE_PREFIX = FenceStyle.LINE_PREFIX
ANYWHERE = FenceStyle.ANYWHERE
DASH_LINES = FenceStyle.DASH_LINES
FRONTMATTER = FenceStyle.PYTHON_FRONTMATTER
GRAY_MATTER = FenceStyle.GRAY_MATTER
SPACED, CLOSER = FenceStyle.SPACED_LINES, FenceStyle.SPACED_CLOSER
STRIPPED = FenceStyle.STRIPPED_LINES
CASES: list[tuple[str, dict[FenceStyle, Cut]]] = [
    (
        "---\na: b\n---\nbody\n",
        {
            TOLERANT: ("a: b\n", "body\n"),
            EXACT: ("a: b\n", "body\n"),
            CLOSED: ("a: b", "body\n"),
            PREFIX: ("a: b", "body\n"),
            ANYWHERE: ("\na: b\n", "\nbody\n"),
            GRAY_MATTER: ("\na: b", "body\n"),
        },
    ),
    (
        "---\r\na: b\r\n---\r\nbody",
        {
            TOLERANT: ("a: b\r\n", "body"),
            EXACT: ("a: b\r\n", "body"),
            CLOSED: ("a: b", "body"),
            PREFIX: ("a: b\r", "body"),
            ANYWHERE: ("\r\na: b\r\n", "\r\nbody"),
            GRAY_MATTER: ("\r\na: b\r", "body"),
        },
    ),
    (
        "---\na: b\n---",
        {
            TOLERANT: ("a: b\n", ""),
            EXACT: ("a: b\n", ""),
            CLOSED: UNCLOSED,
            PREFIX: ("a: b", ""),
            ANYWHERE: ("\na: b\n", ""),
            GRAY_MATTER: ("\na: b", ""),
        },
    ),
    (
        "---\n---\nbody",
        {
            TOLERANT: ("", "body"),
            EXACT: ("", "body"),
            CLOSED: UNCLOSED,
            PREFIX: UNCLOSED,
            ANYWHERE: ("\n", "\nbody"),
            GRAY_MATTER: ("", "body"),
        },
    ),
    (
        "---\na: b\n---title\nbody",
        {
            TOLERANT: UNCLOSED,
            EXACT: UNCLOSED,
            CLOSED: UNCLOSED,
            PREFIX: ("a: b", "title\nbody"),
            ANYWHERE: ("\na: b\n", "title\nbody"),
            GRAY_MATTER: ("\na: b", "title\nbody"),
        },
    ),
    (
        "---\na: b--- c\n--- \n---\nbody",
        {
            TOLERANT: ("a: b--- c\n", "---\nbody"),
            EXACT: ("a: b--- c\n--- \n", "body"),
            CLOSED: ("a: b--- c\n--- ", "body"),
            PREFIX: ("a: b--- c", " \n---\nbody"),
            ANYWHERE: ("\na: b", " c\n--- \n---\nbody"),
            GRAY_MATTER: ("\na: b--- c", " \n---\nbody"),
        },
    ),
    (
        "--- yaml\na: b\n---\nbody",
        {
            TOLERANT: MISSING,
            EXACT: MISSING,
            CLOSED: MISSING,
            PREFIX: (" yaml\na: b", "body"),
            ANYWHERE: (" yaml\na: b\n", "\nbody"),
            GRAY_MATTER: ("\na: b", "body"),
        },
    ),
    (
        "\n---\na: b\n---\nbody",
        {
            TOLERANT: ("a: b\n", "body"),
            EXACT: MISSING,
            CLOSED: MISSING,
            PREFIX: ("a: b", "body"),
            ANYWHERE: MISSING,
            GRAY_MATTER: ("", "\n---\na: b\n---\nbody"),
        },
    ),
    (
        "---\na: b",
        {
            TOLERANT: UNCLOSED,
            EXACT: UNCLOSED,
            CLOSED: UNCLOSED,
            PREFIX: UNCLOSED,
            ANYWHERE: UNCLOSED,
            GRAY_MATTER: ("\na: b", ""),
        },
    ),
    (
        "----\na: b\n----\n",
        {
            TOLERANT: MISSING,
            EXACT: MISSING,
            CLOSED: MISSING,
            PREFIX: ("-\na: b", "-\n"),
            ANYWHERE: ("-\na: b\n", "-\n"),
            GRAY_MATTER: ("", "----\na: b\n----\n"),
        },
    ),
    (
        "",
        {
            TOLERANT: MISSING,
            EXACT: MISSING,
            CLOSED: MISSING,
            PREFIX: MISSING,
            ANYWHERE: MISSING,
            GRAY_MATTER: ("", ""),
        },
    ),
]


@pytest.mark.parametrize(
    ("text", "style", "expected"),
    [
        pytest.param(text, style, expected, id=f"{style.value}-{text!r}")
        for text, cuts in CASES
        for style, expected in cuts.items()
    ],
)
def test_header_and_body(text: str, style: FenceStyle, expected: Cut) -> None:
    assert cut(text, style) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\na\n---", ("a\n", "")),
        ("---\n---\nb", UNCLOSED),
        ("---\n---\nb\n---\nc", ("---\nb\n", "c")),
        ("---\n\n---\nb", ("\n", "b")),
        ("--- \na\n---\n", MISSING),
    ],
)
def test_line_two_may_not_close(text: str, expected: Cut) -> None:
    assert cut(text, FenceStyle.LATER_LINES) == expected


@pytest.mark.parametrize(
    ("text", "style", "expected"),
    [
        ("--- \n\n \n  a\n---\x1c\n\n b", SPACED, ("  a", " b")),
        ("---\n---\na\n---\n", SPACED, ("---\na", "")),
        ("---\n---\n", SPACED, UNCLOSED),
        ("---\na\n---", SPACED, UNCLOSED),
        ("---\na\n---x\n---\t\nb", SPACED, ("a\n---x", "b")),
        ("--- a\n---\n", SPACED, MISSING),
        ("----\na\n---\n", SPACED, MISSING),
        ("--- a\n---\n", CLOSER, (" a", "")),
        ("---\n---\nb", CLOSER, ("", "b")),
        ("--- a", CLOSER, UNCLOSED),
        (" ---\n---\n", CLOSER, MISSING),
        (" ---\x1f\n a\n\n\xa0--- \nb", STRIPPED, ("a", "b")),
        ("---\n---", STRIPPED, ("", "")),
        ("---\n \n---\nb\n---\n", STRIPPED, ("", "b\n---\n")),
        ("---\na\n--- b", STRIPPED, UNCLOSED),
        ("---", STRIPPED, UNCLOSED),
        ("", STRIPPED, MISSING),
        ("a\n---\n", STRIPPED, MISSING),
    ],
)
def test_white_space_of_python_stands_around_the_dashes(
    text: str, style: FenceStyle, expected: Cut
) -> None:
    assert cut(text, style) == expected


def test_a_text_without_a_header_may_be_all_body() -> None:
    fenced, found = without_header(find_fence("a", FenceStyle.EXACT_LINES)[1])
    assert fenced == Fenced(0, 0, 0)
    assert [(each.rule, each.severity) for each in found] == [
        ("frontmatter-missing", Severity.WARNING)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\na\n---x\n---\nbody", ("a\n---x\n", "body")),
        ("---\na\n---\r\r", ("a\n", "")),
        ("---\r\n---\nbody", ("", "body")),
    ],
)
def test_an_exact_line_closes_wherever_it_stands(text: str, expected: Cut) -> None:
    assert cut(text, FenceStyle.EXACT_LINES) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\na\n---x\n---\r\nbody", ("a\n---x", "body")),
        ("---\n\r\n---\nbody", ("", "body")),
        ("---\n\n---\nbody", ("", "body")),
        ("---\r\n\n---\nbody", ("", "body")),
    ],
)
def test_a_closed_line_needs_a_line_before_and_a_break_behind(
    text: str, expected: Cut
) -> None:
    assert cut(text, FenceStyle.CLOSED_LINES) == expected


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("--- yaml \r\na: b\n---\n", "yaml"),
        ("---json\n{}\n---\n", "json"),
        ("---\n---\n", ""),
        ("---js", "j"),
        ("\ufeff---toml\n---", "toml"),
    ],
)
def test_gray_matter_reads_a_language_behind_the_opener(
    text: str, language: str
) -> None:
    fenced, _ = find_fence(text, FenceStyle.GRAY_MATTER)
    assert fenced is not None
    assert fenced.language == language


def test_gray_matter_skips_a_byte_order_mark() -> None:
    assert find_fence("\ufeff---\na\n---\nb", FenceStyle.GRAY_MATTER) == (
        Fenced(4, 6, 11),
        (),
    )
    assert cut("\ufeffbody", FenceStyle.GRAY_MATTER) == ("", "body")


def test_gray_matter_only_warns_and_takes_the_rest_for_the_header() -> None:
    fenced, found = find_fence("---\na: b", FenceStyle.GRAY_MATTER)
    assert fenced == Fenced(3, 8, 8)
    assert [(each.rule, each.severity) for each in found] == [
        (UNCLOSED, Severity.WARNING)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\na: b\n---\nbody", ("a: b", "body")),
        (" --- \r\na: b\r\n\t---\xa0\r\nbody", ("a: b", "body")),
        ("---\n\n---\n", ("", "")),
        ("---\na--- ---\n----\n---", ("a--- ---\n----", "")),
        ("---\n---\nbody", MISSING),
        ("---", MISSING),
        ("\n---\na: b\n---\n", MISSING),
        ("\ufeff---\na: b\n---\n", MISSING),
        ("---\na: b\n----\n", UNCLOSED),
    ],
)
def test_a_line_without_its_blanks_is_a_fence(text: str, expected: Cut) -> None:
    assert cut(text, FenceStyle.TRIMMED_LINES) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\na: b\n---\nbody", ("a: b", "body")),
        ("\n \n --- \na: b\n\n\t---\xa0\nbody", ("a: b\n", "body")),
        ("---\n---\nbody", ("", "body")),
        ("---\n---", ("", "")),
        ("---", MISSING),
        ("", MISSING),
        ("----\na: b\n---\n", MISSING),
        ("text\n---\na: b\n---\n", MISSING),
        ("\n---\na: b\n----\n", UNCLOSED),
    ],
)
def test_and_it_may_stand_behind_blank_lines(text: str, expected: Cut) -> None:
    assert cut(text, FenceStyle.LATE_TRIMMED_LINES) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\na: b\n---\nbody", ("a: b", "\nbody")),
        ("---xa: b\n---c", ("a: b", "c")),
        ("----\n\n---", ("\n", "")),
        ("---éa\n---", ("éa", "")),
        ("---\udc80\na\n---", ("\na", "")),
        ("---\n---\n", "host-panics"),
        ("---", UNCLOSED),
        ("--", MISSING),
        ("\n---\na\n---", MISSING),
    ],
)
def test_one_character_behind_the_opener_is_lost(text: str, expected: Cut) -> None:
    assert cut(text, FenceStyle.CUT_PREFIX) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a--- \n b: c\n --- d --- e", ("b: c", " d --- e")),
        ("------", ("", "")),
        ("----- - --- x", ("-- -", " x")),
        ("a", MISSING),
        ("a---b--", UNCLOSED),
    ],
)
def test_any_two_fences_split_a_text(text: str, expected: Cut) -> None:
    assert cut(text, FenceStyle.SPLIT) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\na: b\n---\nbody", ("a: b\n", "body")),
        (" \n---\r\na: b\r\n---\r\nbody", ("a: b\r\n", "body")),
        ("---\na: b\n---", ("a: b\n", "")),
        ("---\n---\nbody", ("", "body")),
        ("--- # c\na: b\n---\n", ("--- # c\na: b\n", "")),
        ("---\n%YAML 1.1\na: b\n---\n", ("---\n%YAML 1.1\na: b\n", "")),
        ("---\na: b\n...\n---\n", ("---\na: b\n...\n", "")),
        ("---\na: b\n--- \n---\nc", ("---\na: b\n--- \n", "c")),
        ("---\na: b\n----\n", UNCLOSED),
        ("---\na: b\n--- \n", UNCLOSED),
        ("---", UNCLOSED),
        ("a\n---\nb\n---\n", MISSING),
    ],
)
def test_a_closer_may_have_to_be_exact(text: str, expected: Cut) -> None:
    assert cut(text, FenceStyle.EXACT_CLOSER) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\na: b\n---\nbody", ("a: b", "body")),
        ("\n\u3000---\t\r\n\n a: b \r\n--- \r\nbody", ("a: b", "body")),
        ("---\n\n---\n", ("", "")),
        ("---\n---\na\n---\n", ("---\na", "")),
        ("---\na: b\n---", UNCLOSED),
        ("---\na: b\n ---\n", UNCLOSED),
        ("--- a\nb\n---\n", MISSING),
    ],
)
def test_a_closer_may_need_its_line_break(text: str, expected: Cut) -> None:
    assert cut(text, FenceStyle.LOOSE_CLOSED_LINES) == expected


def test_what_is_tolerated_is_told_with_its_place() -> None:
    text = "\n\n--- \na: b\n---\xa0\t\r\nbody"
    fenced, found = find_fence(text, FenceStyle.TOLERANT_LINES)
    assert fenced == Fenced(7, 12, 19)
    assert found == (
        Diagnostic(
            rule="fence-leading-blank",
            severity=Severity.WARNING,
            message="blank lines before the opening `---`",
            position=Position(1, 1),
            span=Span(0, 2),
            help="start the file with `---`",
        ),
        Diagnostic(
            rule="fence-trailing-blank",
            severity=Severity.WARNING,
            message="blanks after `---`",
            position=Position(3, 4),
            span=Span(5, 6),
            help="remove them: several agents do not see this fence",
        ),
        Diagnostic(
            rule="fence-trailing-blank",
            severity=Severity.WARNING,
            message="blanks after `---`",
            position=Position(5, 4),
            span=Span(15, 17),
            help="remove them: several agents do not see this fence",
        ),
    )


def test_a_missing_fence_points_at_the_first_line() -> None:
    _, found = find_fence("# Title\n---\n", FenceStyle.EXACT_LINES)
    assert found == (
        Diagnostic(
            rule="frontmatter-missing",
            severity=Severity.ERROR,
            message="no frontmatter: the first line is not `---`",
            position=Position(1, 1),
            span=Span(0, 7),
            help="start the file with `---`, `name:`, `description:` and `---`",
        ),
    )


@pytest.mark.parametrize(
    ("text", "message", "span", "position"),
    [
        pytest.param(
            "---\na: b\n---# T\n", ODD_CLOSER, Span(9, 15), Position(3, 1), id="glued"
        ),
        pytest.param(
            "---\na: b\n  ---\n", ODD_CLOSER, Span(9, 14), Position(3, 1), id="indented"
        ),
        pytest.param(
            "---\na: b\n", NO_CLOSER, Span(0, 3), Position(1, 1), id="the opener"
        ),
    ],
)
def test_an_unclosed_fence_points_at_what_may_have_been_meant(
    text: str, message: str, span: Span, position: Position
) -> None:
    _, found = find_fence(text, FenceStyle.TOLERANT_LINES)
    assert found == (
        Diagnostic(
            rule="frontmatter-unclosed",
            severity=Severity.ERROR,
            message=message,
            position=position,
            span=span,
            help="put `---` alone on the line after the last field",
        ),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("---\na: b\n---\nbody\n", ("a: b", "body\n"), id="plain"),
        pytest.param("---\r\na: b\r\n---\r\nbody", ("a: b", "body"), id="returns"),
        pytest.param("---\na: b\n---", ("a: b", ""), id="no final line end"),
        pytest.param("---\na\n----\nb\n---\nc", ("a", ""), id="text behind is lost"),
        pytest.param("---\n\r\n---\nb", ("", "b"), id="an empty line"),
        pytest.param("---\n---\nbody\n", UNCLOSED, id="no line between"),
        pytest.param("--- \na: b\n---\n", MISSING, id="a blank behind the opener"),
        pytest.param("\n---\na: b\n---\n", MISSING, id="a blank line first"),
    ],
)
def test_a_line_prefix_closes_behind_an_exact_opener(text: str, expected: Cut) -> None:
    assert cut(text, LINE_PREFIX) == expected


@pytest.mark.parametrize(
    ("text", "dashes", "library"),
    [
        pytest.param(
            "---\na: b\n---\nc\n",
            ("\na: b\n", "\nc\n"),
            ("\na: b\n", "\nc\n"),
            id="plain",
        ),
        pytest.param(
            "----\n\n\na\n--- \t\n\n\nb", ("\na\n", "\nb"), ("\na\n", "\nb"), id="odd"
        ),
        pytest.param("\n---\na\n---", ("\na\n", ""), ("\na\n", ""), id="a blank line"),
        pytest.param(" ---\na\n---\nb", MISSING, ("\na\n", "\nb"), id="a blank"),
        pytest.param("x\n---\na\n---", MISSING, ("", "x\n---\na\n---"), id="a text"),
        pytest.param("---\na", UNCLOSED, ("", "---\na"), id="no closer"),
        pytest.param("---x\na", MISSING, ("", "---x\na"), id="a word"),
        pytest.param("{\n1\n}\nb", MISSING, ("\n1\n", "\nb"), id="braces"),
        pytest.param("{\n---\n", MISSING, ("", "{\n---\n"), id="one brace"),
        pytest.param("{ }", MISSING, ("", "{ }"), id="braces on one line"),
    ],
)
def test_lines_of_dashes_and_what_a_python_library_makes_of_them(
    text: str, dashes: Cut, library: Cut
) -> None:
    assert cut(text, DASH_LINES) == dashes
    assert cut(text, FRONTMATTER) == library


def test_a_header_in_braces_is_json_and_no_header_is_no_error() -> None:
    fenced, found = find_fence("{\n}\n", FRONTMATTER)
    assert (fenced, found) == (Fenced(1, 2, 3, "json"), ())
    fenced, found = find_fence("text", FRONTMATTER)
    assert fenced == Fenced(0, 0, 0)
    assert [(each.rule, each.severity) for each in found] == [
        (MISSING, Severity.WARNING)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\na: b\n---\nc\n", ("a: b\n", "c\n")),
        ("---\ra: b\r---\rc", ("a: b\r", "c")),
        ("--- \t\u2028\ufeff\r\na\r\n---\xa0", ("a\r\n", "")),
        ("---\n---", ("", "")),
        ("---\na\n --- \n---b", ("a\n --- \n---b", "")),
        ("---", ("", "")),
        ("----\n---", MISSING),
        ("\n---\na\n---", MISSING),
        ("", MISSING),
    ],
)
def test_a_header_that_nothing_closes_may_go_on_to_the_end(
    text: str, expected: Cut
) -> None:
    assert cut(text, FenceStyle.OPEN_END) == expected


@pytest.mark.parametrize(
    ("head", "bounds"),
    [(b"---\na: b\n---\n", (3, 9)), (b"---\n\na: b\n---\n", None)],
)
def test_a_blank_line_behind_dashes_takes_a_search(
    head: bytes, bounds: tuple[int, int] | None
) -> None:
    assert find_plain_header(head, head.index(b"\n---"), DASH_LINES) == bounds


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\na: b\n---\nbody", ("a: b\n", "body")),
        ("---\na: b --- c\n---\nbody", ("a: b ", "c\n---\nbody")),
        ("--- \u3000\n\n \n a: b---", (" a: b", "")),
        ("---\r\na: b\r\n---\r\n\r\n  body", ("a: b\r\n", "body")),
        ("---\n---\n", ("", "")),
        ("----\na\n---\n", MISSING),
        ("---a\n---\n", MISSING),
        (" ---\na\n---\n", MISSING),
        ("a\n---\nb\n---", MISSING),
        ("---", MISSING),
        ("---\na\n--", UNCLOSED),
    ],
)
def test_the_next_three_dashes_may_close_behind_a_line_of_three(
    text: str, expected: Cut
) -> None:
    assert cut(text, FenceStyle.LINE_ANYWHERE) == expected


@pytest.mark.parametrize(
    ("text", "header", "body"),
    [
        ("---\na: b\n---\nbody", "a: b", "\nbody"),
        ("---\r\na: b\r\n----\r\nbody", "a: b", "-\r\nbody"),
        ("---\n\n--- \nbody", "", " \nbody"),
        ("---\r\n\n---", "", ""),
    ],
)
def test_what_is_behind_the_closing_dashes_may_belong_to_the_body(
    text: str, header: str, body: str
) -> None:
    fenced, found = find_fence(text, FenceStyle.LINE_TO_PREFIX)
    assert fenced
    assert text[fenced.header_start : fenced.header_end] == header
    assert (text[fenced.body_start :], found) == (body, ())


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("--- \na: b\n---\n", "frontmatter-missing"),
        ("---\n---\nbody", "frontmatter-unclosed"),
    ],
)
def test_such_dashes_open_alone_on_their_line(text: str, rule: str) -> None:
    fenced, (found,) = find_fence(text, FenceStyle.LINE_TO_PREFIX)
    assert (fenced, found.rule) == (None, rule)
