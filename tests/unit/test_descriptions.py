"""Descriptions out of the body, cut ones, and what is put behind them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from metier.core.activation import is_reached
from metier.core.dialect import Dialect
from metier.core.document import Document, DocumentReader
from metier.core.fields import (
    CutAt,
    Expect,
    FieldRule,
    FieldType,
    FromBody,
    TextRule,
    Trim,
    Unit,
)
from metier.core.text import Extent
from metier.world.dialects import load_dialect
from tests.making import skill


def dialect(**changes: object) -> Dialect:
    """One that reads YAML quickly, and completes descriptions."""
    plain = load_dialect("opencode")
    rule: TextRule = replace(plain.fields.description, **changes)
    when = FieldRule(keys=("when",), type=FieldType.TEXT)
    fields = replace(plain.fields, description=rule, other={"when": when})
    return replace(plain, fields=fields, text=replace(plain.text, extent=Extent.WHOLE))


def read(text: str, **changes: object) -> Document:
    return DocumentReader(dialect(**changes)).read(text.encode(), directory="a")


@pytest.mark.parametrize(
    ("from_body", "body", "description"),
    [
        (FromBody.FIRST_PARAGRAPH, "\n\na\nb \n\nc", "a\nb "),
        (FromBody.FIRST_PARAGRAPH, "a\n \n b", "a\n \n b"),
        (FromBody.FIRST_PARAGRAPH, "\n\ufeff ", "none"),
        (FromBody.FIRST_LINE, "\n --- \n\x1c a \nb", "a"),
        (FromBody.FIRST_LINE, "\n---\n", "none"),
        (FromBody.FIRST_HEADING, "\n \n  ##\u3000a # \nb", "a #"),
        (FromBody.FIRST_HEADING, "#a\n# b", "#a"),
        (FromBody.FIRST_HEADING, "- a\n# b", "- a"),
        (FromBody.FIRST_HEADING, "# a\u2028b", "# a\u2028b"),
        (FromBody.FIRST_HEADING, "\ufeff\n\r\n", "none"),
        (FromBody.PROSE, "# A\n \n## B\n  c  \n#d\ne\n\nf", "c e"),
        (FromBody.PROSE, "a\n\t\n\nb", "a"),
        (FromBody.PROSE, "# A\n\n", "none"),
    ],
)
def test_a_description_may_come_from_the_body(
    from_body: FromBody, body: str, description: str
) -> None:
    text = f"---\nname: a\n---\n{body}"
    document = read(text, from_body=from_body, last_resort="none")
    assert (document.description, document.error) == (description, None)
    assert [each.rule for each in document.diagnostics] == ["description-missing"]


def test_what_comes_from_the_body_has_its_own_length() -> None:
    text = "---\nname: a\n---\nabc  def"
    rule = {"from_body": FromBody.FIRST_LINE, "max_from_body": 6, "ellipsis": "…"}
    assert read(text, **rule).description == "abc…"
    assert read(text[:-2], **rule).description == "abc  d"


def test_a_heading_is_cut_wherever_it_has_to_be() -> None:
    text = "---\nname: a\n---\n# abc  def"
    rule = {"from_body": FromBody.FIRST_HEADING, "max_from_body": 7, "ellipsis": "..."}
    assert read(text, **rule).description == "abc ..."
    halved = text.replace("abc  ", "abc\U0001f600")
    assert read(halved, **rule, unit=Unit.UTF16).description == "abc\ufffd..."


@pytest.mark.parametrize("stated", ["''", "' '", "'\\t'", "null"])
def test_a_blank_description_counts_as_none_where_a_heading_serves(stated: str):
    text = f"---\nname: a\ndescription: {stated}\n---\n# b"
    rule = {"from_body": FromBody.FIRST_HEADING, "trim": Trim.WHITE_SPACE}
    expected = "\\t" if stated == "'\\t'" else "b"
    assert read(text, **rule, expect=Expect.STRING_OR_ABSENT).description == expected


def test_a_header_of_two_fields_may_lack_a_part_of_its_description() -> None:
    text = "---\ndescription: d\nwhen: w\n---\n"
    assert read(text, appended="when", appendix=" - ").description == "d - w"


@pytest.mark.parametrize(
    ("body", "description"),
    [
        ("a b. c? de fg", "a b. c?"),
        ("a b c de fghi", "a b c"),
        ("abcdefghijk", "abcdefgh"),
        ("abcdefgh", "abcdefgh"),
        ("a  b   cde", "a  b"),
    ],
)
def test_it_may_end_with_its_last_whole_sentence(body: str, description: str) -> None:
    text = f"---\nname: a\n---\n{body}"
    rule = {
        "from_body": FromBody.PROSE,
        "max_from_body": 8,
        "cut_at": CutAt.SENTENCE,
    }
    assert read(text, **rule).description == description


def test_a_header_that_has_all_is_read_quickly() -> None:
    document = read(
        "---\nname: a\ndescription: d\n---\nbody",
        from_body=FromBody.FIRST_LINE,
        appended="when",
    )
    assert document[:5] == ("a", "d", False, None, ())


@pytest.mark.parametrize(
    ("header", "description"),
    [
        ("when: w", "d; w"),
        ("when: ' w '", "d; w"),
        ("when: ' '", "d"),
        ("when: [w]", "d"),
        ("other: w", "d"),
    ],
)
def test_a_field_may_stand_behind_the_description(
    header: str, description: str
) -> None:
    text = f"---\nname: a\ndescription: d\n{header}\n---\n"
    rule = {"appended": "when", "appendix": "; ", "trim": Trim.WHITE_SPACE}
    assert read(text, **rule).description == description


def test_where_there_is_no_description_nothing_stands_behind_it() -> None:
    document = read("---\nname: a\nwhen: w\n---\n", appended="when")
    assert document.description is None


@pytest.mark.parametrize(
    ("name", "path", "alias", "reached"),
    [
        ("opencode", "/r/a/SKILL.md", "b", True),
        ("letta-code", "/r/a/b/SKILL.md", "a/b", True),
        ("letta-code", "/r/a/b/SKILL.md", "b", False),
        ("letta-code", "/r/a/b/skill.md", "a/b", False),
        ("letta-code", "/r/SKILL.md", "root", False),
    ],
)
def test_which_skill_an_agent_finds_by_its_key(
    name: str, path: str, alias: str, *, reached: bool
) -> None:
    known = replace(skill("a", path=path), alias=alias)
    assert is_reached(known, load_dialect(name).activation) is reached
