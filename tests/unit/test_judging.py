"""Name, description and the deciding fields under every rule a dialect can state."""

from __future__ import annotations

from dataclasses import replace

import pytest

from metier.core.fields import (
    Charset,
    Consequence,
    Effect,
    Expect,
    Falsity,
    FieldRule,
    FieldRules,
    FieldType,
    FromBody,
    KeyRule,
    KeySource,
    Likeness,
    NameDefault,
    Presence,
    Quotes,
    Rewriting,
    TextRule,
    Trim,
    Unit,
)
from metier.core.findings import Finding
from metier.core.judging import Judge, Judged
from metier.core.lengths import length_of, start_of
from metier.core.names import is_alike, title_of
from metier.core.nodes import Alias, Mapping, Node, Scalar, Sequence, Style
from metier.core.readers.lines import LONE_QUOTE
from metier.core.scalars import ScalarSchema
from metier.core.values import Fields
from metier.diagnostics import Severity, Span

ERROR, WARNING = Severity.ERROR, Severity.WARNING
RELAXED = TextRule(expect=Expect.STRING_OR_ABSENT, presence=Presence.OPTIONAL)
NAME = Scalar("skill", start=6, end=11)
QUOTE_IT = "put it in quotes"
CORE = "tag:yaml.org,2002:"


def judge(
    fields: Fields,
    *,
    name: TextRule = RELAXED,
    description: TextRule = RELAXED,
    other: dict[str, FieldRule] | None = None,
    schema: ScalarSchema = ScalarSchema.CORE,
    directory: str = "folder",
) -> Judged:
    rules = FieldRules(name=name, description=description, other=other or {})
    return Judge(rules, schema).judge(fields, directory)


def judge_description(
    node: Node, expect: Expect, schema: ScalarSchema = ScalarSchema.CORE
) -> tuple[str | None, list[Finding]]:
    """What becomes of one description whose type is all that matters."""
    rule = replace(RELAXED, expect=expect)
    judged = judge({"description": node}, description=rule, schema=schema)
    return judged.description, judged.findings


def not_text(severity: Severity, message: str, help: str | None = QUOTE_IT) -> Finding:
    return Finding("description-not-text", severity, message, Span(0, 0), help)


@pytest.mark.parametrize("expect", Expect)
@pytest.mark.parametrize(
    "node",
    [
        pytest.param(Scalar("text"), id="plain"),
        pytest.param(Scalar("text", Style.DOUBLE), id="quoted"),
        pytest.param(Scalar("text", tag="!"), id="tagged"),
        pytest.param(Alias("a", Scalar("text")), id="alias"),
    ],
)
def test_text_is_text_whatever_is_expected(node: Node, expect: Expect) -> None:
    assert judge_description(node, expect) == ("text", [])


@pytest.mark.parametrize(
    ("expect", "node", "value", "findings"),
    [
        pytest.param(
            Expect.STRING,
            Scalar("1"),
            None,
            [not_text(ERROR, "`description` is read as a number, not as text")],
            id="string-int",
        ),
        pytest.param(
            Expect.STRING,
            Scalar("x", tag="!mine"),
            None,
            [not_text(ERROR, "`description` is read as a tagged value, not as text")],
            id="string-tag",
        ),
        pytest.param(
            Expect.STRING,
            Scalar(""),
            None,
            [not_text(ERROR, "`description` is read as nothing (null), not as text")],
            id="string-null",
        ),
        pytest.param(Expect.STRING_OR_ABSENT, Scalar("1"), None, [], id="absent-int"),
        pytest.param(Expect.STRING_OR_ABSENT, Sequence(()), None, [], id="absent-list"),
        pytest.param(Expect.TOLERANT, Scalar("null"), None, [], id="tolerant-null"),
        pytest.param(
            Expect.TOLERANT,
            Scalar("true"),
            "true",
            [not_text(WARNING, "`description` is read as a boolean by many agents")],
            id="tolerant-bool",
        ),
        pytest.param(
            Expect.STRING,
            Mapping(()),
            None,
            [not_text(ERROR, "`description` is a map, not a text")],
            id="string-map",
        ),
        pytest.param(
            Expect.AS_WRITTEN,
            Alias("a", Sequence(())),
            None,
            [not_text(ERROR, "`description` is a list, not a text")],
            id="as-written-list",
        ),
        pytest.param(Expect.JS_TEXT, Scalar("1.50"), "1.5", [], id="js-float"),
        pytest.param(Expect.JS_TEXT, Scalar("TRUE"), "true", [], id="js-bool"),
        pytest.param(Expect.JS_TEXT, Scalar("~"), None, [], id="js-null"),
        pytest.param(Expect.JS_TEXT, Sequence(()), None, [], id="js-list"),
        pytest.param(Expect.AS_WRITTEN, Scalar("1_000"), "1_000", [], id="as-written"),
        pytest.param(Expect.AS_WRITTEN, Scalar("~"), "", [], id="as-written-null"),
        pytest.param(Expect.SCALAR, Scalar("1_0"), "1_0", [], id="scalar-int"),
        pytest.param(Expect.SCALAR, Scalar("~"), None, [], id="scalar-null"),
        pytest.param(Expect.SCALAR, Scalar("a", tag="!b"), "a", [], id="scalar-tag"),
        pytest.param(
            Expect.SCALAR, Scalar("x", tag=f"{CORE}int"), "x", [], id="scalar-int-tag"
        ),
        pytest.param(
            Expect.SCALAR,
            Scalar("~", tag=f"{CORE}null"),
            None,
            [],
            id="scalar-null-tag",
        ),
        pytest.param(
            Expect.SCALAR,
            Scalar("a", Style.DOUBLE, tag=f"{CORE}null"),
            "a",
            [],
            id="scalar-null-tag-quoted",
        ),
        pytest.param(
            Expect.SCALAR,
            Scalar("", tag=f"{CORE}null"),
            None,
            [not_text(ERROR, f"`description` does not fit its tag `{CORE}null`", None)],
            id="scalar-null-tag-empty",
        ),
        pytest.param(
            Expect.SCALAR,
            Sequence(()),
            None,
            [not_text(ERROR, "`description` is a list, not a text")],
            id="scalar-list",
        ),
        *(
            pytest.param(
                Expect.STRING_OR_FALSY, node, None, [], id=f"falsy-{node.text}"
            )
            for node in (
                *(Scalar("~"), Scalar("False"), Scalar("0"), Scalar("-0.0")),
                *(Scalar(".nan"), Scalar("0x00"), Scalar("n", tag=f"{CORE}null")),
            )
        ),
        pytest.param(Expect.STRING_OR_NULL, Scalar("~"), None, [], id="null"),
        pytest.param(
            Expect.STRING_OR_NULL,
            Scalar("false"),
            None,
            [not_text(ERROR, "`description` is read as a boolean, not as text")],
            id="null-false",
        ),
        pytest.param(Expect.JS_STRING, Scalar("~"), None, [], id="js-string-null"),
        pytest.param(
            Expect.JS_STRING, Scalar("1.50"), "1.5", [], id="js-string-number"
        ),
        pytest.param(
            Expect.JS_STRING,
            Sequence((Scalar("a"), Scalar("~"), Sequence((Scalar("1e3"),)))),
            "a,1000",
            [],
            id="js-string-list",
        ),
        pytest.param(
            Expect.JS_STRING,
            Sequence((Scalar("a"), Mapping(()))),
            None,
            [
                not_text(
                    ERROR,
                    "`description` holds a map, of which JavaScript can make no text",
                    None,
                )
            ],
            id="js-string-map",
        ),
        pytest.param(Expect.STRING_OR_FALSY, Scalar("a"), "a", [], id="falsy-text"),
        pytest.param(
            Expect.STRING_OR_FALSY,
            Scalar("true"),
            None,
            [not_text(ERROR, "`description` is read as a boolean, not as text")],
            id="falsy-true",
        ),
        pytest.param(
            Expect.STRING_OR_FALSY,
            Scalar("1"),
            None,
            [not_text(ERROR, "`description` is read as a number, not as text")],
            id="falsy-one",
        ),
        pytest.param(
            Expect.STRING_OR_FALSY,
            Scalar("a", tag="!b"),
            None,
            [not_text(ERROR, "`description` is read as a tagged value, not as text")],
            id="falsy-tag",
        ),
        pytest.param(
            Expect.STRING_OR_FALSY,
            Mapping(()),
            None,
            [not_text(ERROR, "`description` is a map, not a text")],
            id="falsy-map",
        ),
    ],
)
def test_what_becomes_of_other_types(
    expect: Expect, node: Node, value: str | None, findings: list[Finding]
) -> None:
    assert judge_description(node, expect, ScalarSchema.GO_YAML) == (value, findings)


def test_a_field_may_be_there_without_a_node() -> None:
    # The quick reader knows that there is a list or a map, and no more.
    rule = replace(RELAXED, expect=Expect.STRING)
    assert judge({"name": None}, name=rule) == Judged(None, None, False, [])


def test_a_string_that_is_expected_and_not_there() -> None:
    rule = replace(RELAXED, expect=Expect.STRING)
    assert judge({}, name=rule).findings == []
    judged = judge({}, name=replace(rule, presence=Presence.REQUIRED))
    assert judged.findings == [Finding("name-missing", ERROR, "`name` is missing")]


def test_a_lone_quote_makes_the_host_panic() -> None:
    quote = Scalar("", Style.SINGLE, 3, 4, LONE_QUOTE)
    assert judge({"name": quote}).findings == [
        Finding(
            "host-panics",
            ERROR,
            "`name` is a lone quote, on which the host panics",
            Span(3, 4),
        )
    ]


EMPTY = Scalar("", Style.DOUBLE, 6, 8)


@pytest.mark.parametrize(
    ("presence", "fields", "findings"),
    [
        (Presence.OPTIONAL, {}, []),
        (Presence.OPTIONAL, {"name": EMPTY}, []),
        (Presence.REQUIRED, {"name": EMPTY}, []),
        (
            Presence.REQUIRED,
            {},
            [
                Finding(
                    "name-missing",
                    ERROR,
                    "`name` is missing",
                    help="add `name: ...`",
                )
            ],
        ),
        (
            Presence.NON_EMPTY,
            {"name": EMPTY},
            [Finding("name-empty", ERROR, "`name` is empty", Span(6, 8))],
        ),
    ],
)
def test_whether_a_name_has_to_be_there(
    presence: Presence, fields: Fields, findings: list[Finding]
) -> None:
    rule = replace(RELAXED, presence=presence)
    assert judge(fields, name=rule).findings == findings


@pytest.mark.parametrize(
    ("text", "rules"),
    [(" \u2003\ufeff\n", ["description-empty"]), (" a ", []), ("\x85", [])],
)
def test_a_description_of_white_space_may_be_none(text: str, rules: list[str]) -> None:
    rule = replace(RELAXED, presence=Presence.NON_BLANK)
    found = judge({"description": Scalar(text, Style.DOUBLE)}, description=rule)
    assert (found.description, [each.rule for each in found.findings]) == (text, rules)


def test_of_two_things_that_are_missing_the_first_is_told() -> None:
    needed = replace(RELAXED, presence=Presence.NON_EMPTY)
    found = judge({}, name=needed, description=needed).findings
    assert [each.rule for each in found] == ["name-missing"]


@pytest.mark.parametrize(
    ("fields", "directory", "name"),
    [
        ({"name": NAME}, "folder", "skill"),
        ({}, "folder", "folder"),
        ({"name": EMPTY}, "folder", "folder"),
        ({"name": EMPTY}, "", ""),
        ({}, "", None),
    ],
)
def test_a_name_may_come_from_the_folder(
    fields: Fields, directory: str, name: str | None
) -> None:
    rule = replace(RELAXED, default=NameDefault.DIRECTORY)
    assert judge(fields, name=rule, directory=directory).name == name


@pytest.mark.parametrize("fields", [{}, {"name": NAME}, {"name": Sequence(())}])
def test_or_always_does(fields: Fields) -> None:
    rule = replace(RELAXED, default=NameDefault.ALWAYS_DIRECTORY)
    judged = judge(fields, name=rule)
    assert (judged.name, judged.findings) == ("folder", [])


@pytest.mark.parametrize(
    ("fields", "key", "name"),
    [
        ({"title": NAME}, None, "skill"),
        ({"name": EMPTY, "title": NAME}, None, "skill"),
        ({"title": EMPTY}, None, "My Folder"),
        ({"id": Scalar("x/a-b")}, "x/a-b", "A B"),
        ({"id": EMPTY}, None, "My Folder"),
        ({"id": Sequence(())}, None, "My Folder"),
    ],
)
def test_a_name_may_come_from_a_title_or_be_made_of_the_key(
    fields: Fields, key: str | None, name: str
) -> None:
    rule = replace(RELAXED, others=("title",), default=NameDefault.TITLED_KEY)
    rules = FieldRules(
        name=rule,
        description=RELAXED,
        key=KeyRule(source=KeySource.PATH, field="id"),
    )
    judge = Judge(rules, ScalarSchema.TEXT)
    judged = judge.judge(fields, "web/my-folder")
    assert (judged.key, judged.name) == (key, name)
    assert judge.keys == {"name", "description", "title", "id"}


@pytest.mark.parametrize(
    ("key", "title"),
    [("", ""), ("a/", ""), ("a-b/c--d_e f", "C  D_e F"), ("1st-über-é", "1st üBer é")],
)
def test_a_title_has_a_capital_where_a_word_of_ascii_starts(
    key: str, title: str
) -> None:
    assert title_of(key) == title


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (Scalar("0"), None),
        (Scalar("no"), None),
        (Scalar("", Style.DOUBLE), None),
        (Sequence(()), None),
        (Mapping(()), None),
        (Scalar("1"), "1"),
        (Scalar("0", Style.DOUBLE), "0"),
        (Scalar("name"), "name"),
        (Sequence((Scalar("0"),)), "[0]"),
    ],
)
def test_what_python_takes_for_false_may_count_as_absent(
    node: Node, text: str | None
) -> None:
    rule = replace(RELAXED, expect=Expect.PYTHON_TEXT, falsity=Falsity.ABSENT)
    judged = judge(
        {"description": node}, description=rule, schema=ScalarSchema.YAML_1_1
    )
    assert (judged.description or None, judged.findings) == (text, [])


@pytest.mark.parametrize(
    ("node", "is_good"),
    [
        (Scalar("a"), True),
        (Scalar("b", Style.SINGLE), True),
        (Scalar(""), True),
        (Scalar("0"), True),
        (Scalar("c"), False),
        (Scalar("1"), False),
        (Sequence((Scalar("a"),)), False),
    ],
)
def test_a_field_may_have_to_be_one_of_some_words(node: Node, *, is_good: bool) -> None:
    rule = FieldRule(keys=("kind",), type=FieldType.TEXT, choices=("a", "b"))
    judged = judge({"kind": node}, other={"kind": rule}, schema=ScalarSchema.YAML_1_1)
    message = "`kind` is none of `a`, `b`"
    found = [] if is_good else [("field-no-choice", ERROR, message)]
    assert [each[:3] for each in judged.findings] == found


@pytest.mark.parametrize(
    ("text", "bare"), [("' a'", " a"), ("  \"'a'\" ", "a"), ("'", ""), ("a'b", "a'b")]
)
def test_any_number_of_quotes_may_be_taken_off(text: str, bare: str) -> None:
    rule = replace(RELAXED, quotes=Quotes.STRIP_ALL)
    assert judge({"description": Scalar(text)}, description=rule).description == bare


@pytest.mark.parametrize(
    ("most", "ellipsis", "unit", "text", "expected"),
    [
        (3, "", Unit.CHARACTERS, "abc", "abc"),
        (3, "", Unit.CHARACTERS, "abcd", "abc"),
        (4, "...", Unit.CHARACTERS, "abcde", "a..."),
        (3, "", Unit.UTF16, "a\U0001f680bc", "a\U0001f680"),
        (3, "", Unit.UTF16, "abc", "abc"),
        (3, "", Unit.BYTES, "aéé", "aé"),
    ],
)
def test_what_is_too_long_may_be_cut(
    most: int, ellipsis: str, unit: Unit, text: str, expected: str
) -> None:
    rule = replace(
        RELAXED,
        max_length=most,
        ellipsis=ellipsis,
        unit=unit,
        when_invalid=Consequence.CUT,
    )
    judged = judge({"description": Scalar(text)}, description=rule)
    assert judged.description == expected
    assert [each.severity for each in judged.findings] == [WARNING] * (text != expected)


def test_what_is_too_long_and_only_warned_about_stays() -> None:
    rule = replace(RELAXED, max_length=1, when_invalid=Consequence.WARN)
    assert judge({"name": NAME}, name=rule).name == "skill"


@pytest.mark.parametrize(
    ("unit", "start"),
    [(Unit.CHARACTERS, "é\U0001f680"), (Unit.UTF16, "é\ufffd"), (Unit.BYTES, "é")],
)
def test_the_start_of_a_text_is_cut_where_its_unit_ends(unit: Unit, start: str) -> None:
    assert start_of("é\U0001f680a", 2, unit) == start


@pytest.mark.parametrize(
    ("charset", "name", "is_good"),
    [
        (Charset.ANY, "Any Thing!", True),
        (Charset.LOWER_ASCII, "a-b-1", True),
        (Charset.LOWER_ASCII, "-a--b-", True),
        (Charset.LOWER_ASCII, "A", False),
        (Charset.LOWER_ASCII, "é", False),
        (Charset.LOWER_ASCII, "a\n", False),
        (Charset.LOWER_UNICODE, "a-b-1", True),
        (Charset.LOWER_UNICODE, "été-日本-٣", True),
        (Charset.LOWER_UNICODE, "A", False),
        (Charset.LOWER_UNICODE, "-a", False),
        (Charset.LOWER_UNICODE, "a-", False),
        (Charset.LOWER_UNICODE, "a--b", False),
        (Charset.LOWER_UNICODE, "a_b", False),
        (Charset.LOWER_UNICODE, "²", False),
        (Charset.LOWER_HYPHENATED, "a-b-1", True),
        (Charset.LOWER_HYPHENATED, "a--b", False),
        (Charset.LOWER_HYPHENATED, "é", False),
        (Charset.WORDS, "a_B:1.x-", True),
        (Charset.WORDS, "Été-日本-²Ⅷ٣", True),
        (Charset.WORDS, "a b", False),
        (Charset.WORDS, "a/b", False),
        (Charset.WORDS, "u\u0308", False),
        (Charset.ASCII, "-a--B-1", True),
        (Charset.ASCII, "a_b", False),
        (Charset.LOWER_BETWEEN, "a--b", True),
        (Charset.LOWER_BETWEEN, "-", False),
        (Charset.LOWER_BETWEEN, "a-", False),
        (Charset.LOWER_BETWEEN, "A", False),
        (Charset.NO_SLASH, "a b\\", True),
        (Charset.NO_SLASH, "a/b", False),
        (Charset.HYPHENATED, "a-B-1", True),
        (Charset.HYPHENATED, "a--B", False),
        (Charset.HYPHENATED, "É", False),
    ],
)
def test_which_names_are_allowed(charset: Charset, name: str, is_good: bool) -> None:
    judged = judge({"name": Scalar(name)}, name=replace(RELAXED, charset=charset))
    assert judged.name == name
    assert [each.rule for each in judged.findings] == ["name-invalid"][is_good:]


@pytest.mark.parametrize(
    ("name", "directory", "exact", "folded", "composed"),
    [
        ("pdf", "pdf", True, True, True),
        ("pdf", "PDF", False, True, False),
        ("sk", "ſK", False, True, False),  # a long s, and the sign for Kelvin
        ("ss", "ß", False, False, False),
        ("pdf", "pdf-", False, False, False),
        ("u\u0308ber", "über", False, False, True),
        ("fi", "ﬁ", False, False, True),
    ],
)
def test_when_a_name_is_that_of_its_folder(
    name: str, directory: str, exact: bool, folded: bool, composed: bool
) -> None:
    found = [is_alike(name, directory, each) for each in Likeness]
    assert found == [exact, folded, composed]


@pytest.mark.parametrize(
    ("consequence", "severities"),
    [
        (Consequence.REJECT, [ERROR, ERROR]),
        (Consequence.WARN, [WARNING, WARNING]),
        (Consequence.IGNORE, []),
    ],
)
def test_what_a_bad_name_leads_to(
    consequence: Consequence, severities: list[Severity]
) -> None:
    rule = replace(
        RELAXED, charset=Charset.LOWER_ASCII, max_length=3, when_invalid=consequence
    )
    found = judge({"name": Scalar("Näme")}, name=rule).findings
    assert [each.severity for each in found] == severities


def test_a_bad_name_is_told_with_its_place() -> None:
    rule = replace(RELAXED, charset=Charset.LOWER_UNICODE)
    named = Scalar("My\u200bSkill", start=6, end=14)
    assert judge({"name": named}, name=rule).findings == [
        Finding(
            "name-invalid",
            ERROR,
            "`My\\u200bSkill` is not lower-case letters and digits with single "
            "hyphens between them",
            Span(6, 14),
            "use lower-case letters, digits and single hyphens",
        )
    ]


@pytest.mark.parametrize(
    ("unit", "value", "findings"),
    [
        (Unit.CHARACTERS, "日本語語", []),
        (
            Unit.CHARACTERS,
            "日本語語語",
            [("description-too-long", "`description` has 5 characters, 4 are allowed")],
        ),
        (Unit.BYTES, "abcd", []),
        (Unit.BYTES, "éé", []),
        (
            Unit.BYTES,
            "ééé",
            [("description-too-long", "`description` has 6 bytes, 4 are allowed")],
        ),
    ],
)
def test_what_a_length_counts(
    unit: Unit, value: str, findings: list[tuple[str, str]]
) -> None:
    rule = replace(RELAXED, max_length=4, unit=unit)
    found = judge({"description": Scalar(value)}, description=rule).findings
    assert [(each.rule, each.message) for each in found] == findings


def test_a_name_that_is_too_long_is_told_how_much_to_cut() -> None:
    found = judge({"name": NAME}, name=replace(RELAXED, max_length=3)).findings
    assert found == [
        Finding(
            "name-too-long",
            ERROR,
            "`name` has 5 characters, 3 are allowed",
            Span(6, 11),
            "cut 2 characters",
        )
    ]


def test_a_byte_that_was_kept_counts_as_one() -> None:
    assert length_of("\udcff\udcfe", Unit.BYTES) == 2


def test_a_character_above_the_basic_plane_is_two_utf16_units():
    assert length_of("a\U0001f52c", Unit.UTF16) == 3
    rule = replace(RELAXED, max_length=3, unit=Unit.UTF16)
    judged = judge({"description": Scalar("\U0001f52c\U0001f52c")}, description=rule)
    message = "`description` has 4 UTF-16 units, 3 are allowed"
    assert [each.message for each in judged.findings] == [message]


@pytest.mark.parametrize(
    ("trim", "left"),
    [
        (Trim.NONE, "\ufeff\x85 a\n"),
        (Trim.WHITE_SPACE, "\ufeff\x85 a"),
        (Trim.JS_WHITE_SPACE, "\x85 a"),
        (Trim.JAVA_WHITE_SPACE, "\ufeff\x85 a"),
    ],
)
def test_blanks_may_be_taken_off_before_a_text_is_judged(trim: Trim, left: str):
    rule = replace(RELAXED, trim=trim)
    text = Scalar("\ufeff\x85 a\n", Style.LITERAL)
    judged = judge({"name": text, "description": text}, name=rule, description=rule)
    assert (judged.name, judged.description) == (left, left)


def test_a_text_of_blanks_alone_is_empty_once_they_are_taken_off():
    rule = replace(RELAXED, presence=Presence.NON_EMPTY, trim=Trim.WHITE_SPACE)
    judged = judge({"description": Scalar(" \n", Style.DOUBLE)}, description=rule)
    assert [each.rule for each in judged.findings] == ["description-empty"]


HIDING = FieldRule(keys=("hide", "hidden"), type=FieldType.FLAG, effect=Effect.HIDES)
LIMITED = FieldRule(keys=("compat",), type=FieldType.TEXT, max_length=3)
HARMLESS = FieldRule(keys=("license",), type=FieldType.TEXT)


@pytest.mark.parametrize(
    ("fields", "is_hidden", "rules"),
    [
        ({"name": NAME}, False, []),
        ({"hide": Scalar("true")}, True, []),
        ({"hidden": Scalar("true")}, True, []),
        ({"hide": Scalar("false")}, False, []),
        ({"license": Scalar("very long")}, False, []),
        ({"compat": Scalar("abc")}, False, []),
        ({"compat": Scalar("abcd")}, False, ["compat-too-long"]),
        ({"compat": Sequence(())}, False, []),
        (
            {"compat": Scalar("abcd"), "hide": Scalar("true")},
            True,
            ["compat-too-long"],
        ),
    ],
)
def test_the_fields_that_decide(
    fields: Fields, is_hidden: bool, rules: list[str]
) -> None:
    other = {"compat": LIMITED, "hidden": HIDING, "license": HARMLESS}
    judged = judge(fields, other=other)
    assert judged.is_hidden is is_hidden
    assert [each.rule for each in judged.findings] == rules


SWITCH = FieldRule(
    keys=("disabled", "enabled"),
    type=FieldType.OFF_SWITCH,
    other_types=Consequence.REJECT,
    effect=Effect.DISABLES,
)


@pytest.mark.parametrize(
    ("fields", "is_hidden", "messages"),
    [
        ({"enabled": Scalar("true")}, False, []),
        ({"enabled": Scalar("false")}, True, ["`enabled` switches it off"]),
        (
            {"disabled": Scalar("true"), "enabled": Scalar("x")},
            True,
            ["`disabled` switches it off"],
        ),
        ({"enabled": Scalar("x")}, False, ["`enabled` is neither `true` nor `false`"]),
        ({"disabled": None}, False, ["`disabled` is neither `true` nor `false`"]),
    ],
)
def test_a_skill_may_be_switched_off(
    fields: Fields, is_hidden: bool, messages: list[str]
) -> None:
    judged = judge(fields, other={"disabled": SWITCH})
    assert judged.is_hidden is is_hidden
    assert [each.message for each in judged.findings] == messages


def test_or_what_is_no_switch_may_count_for_nothing() -> None:
    lenient = replace(SWITCH, other_types=Consequence.IGNORE)
    judged = judge({"disabled": Scalar("x")}, other={"disabled": lenient})
    assert (judged.is_hidden, judged.findings) == (False, [])
    hiding = replace(SWITCH, effect=Effect.HIDES)
    judged = judge({"disabled": Scalar("true")}, other={"disabled": hiding})
    assert (judged.is_hidden, judged.findings) == (True, [])


WAITING = FieldRule(keys=("paths",), type=FieldType.PATTERNS, effect=Effect.WAITS)


@pytest.mark.parametrize("text", ["", "**"])
def test_a_skill_that_is_about_everything_does_not_wait(text: str) -> None:
    assert judge({"paths": Scalar(text)}, other={"paths": WAITING}).findings == []


def test_a_skill_may_wait_for_files() -> None:
    fields: Fields = {"paths": Scalar("src/**, *.py", start=7, end=19)}
    assert judge(fields, other={"paths": WAITING}).findings == [
        Finding(
            "paths-waiting",
            ERROR,
            "it waits until a file is read that matches `src`, `*.py`",
            Span(7, 19),
            "remove `paths`, and it counts from the start",
        )
    ]


def test_once_hidden_stays_hidden() -> None:
    other = {"a": HIDING, "b": replace(HIDING, keys=("other",))}
    fields: Fields = {"hide": Scalar("true"), "other": Scalar("false")}
    assert judge(fields, other=other).is_hidden is True


def test_a_judge_wants_the_keys_that_decide() -> None:
    rules = FieldRules(
        name=RELAXED,
        description=RELAXED,
        other={"compat": LIMITED, "hidden": HIDING, "license": HARMLESS},
    )
    judge = Judge(rules, ScalarSchema.CORE)
    assert judge.keys == {"name", "description", "compat", "hide", "hidden"}


@pytest.mark.parametrize(
    ("expect", "text", "name", "rules"),
    [
        (Expect.TOLERANT, "a\x00\x1b\ud800b", "a\ufffd\ufffd\ufffdb", ["text-control"]),
        (Expect.TOLERANT, "a\tb\n", "a\tb\n", []),
        (Expect.STRING_OR_ABSENT, "a\x00b", "a\x00b", []),
    ],
)
def test_characters_that_no_catalog_can_carry(
    expect: Expect, text: str, name: str, rules: list[str]
) -> None:
    judge = Judge(
        FieldRules(name=replace(RELAXED, expect=expect), description=RELAXED),
        ScalarSchema.TEXT,
    )
    judged = judge.judge_thoroughly({"name": Scalar(text)}, "folder", "")
    assert judged.name == name
    assert [each.rule for each in judged.findings] == rules


TOLERANT = replace(RELAXED, expect=Expect.TOLERANT)
THOROUGH = Judge(FieldRules(name=TOLERANT, description=TOLERANT), ScalarSchema.YAML_1_1)


@pytest.mark.parametrize(
    ("description", "text", "kind"),
    [
        pytest.param(Sequence((), 13, 28), "[What for, Why]", "a list", id="a list"),
        pytest.param(
            Alias("a", Mapping((), 29, 43), 0, 2), "{do: this, x}", "a map", id="a map"
        ),
    ],
)
def test_a_list_or_a_map_is_taken_as_the_text_that_was_meant(
    description: Sequence | Alias, text: str, kind: str
) -> None:
    header = "description: [What for, Why]\n{do: this,\n x}"
    fields: Fields = {"description": description}
    assert THOROUGH.judge_thoroughly(fields, "folder", header) == Judged(
        None,
        text,
        False,
        [
            Finding(
                "description-not-text",
                WARNING,
                f"`description` is {kind}, and was taken as plain text",
                Span(description.start, description.end),
                "put it in quotes: most agents drop this skill",
            )
        ],
    )


def test_control_characters_are_told_last() -> None:
    fields: Fields = {
        "name": Alias("a", Scalar("a\x07", Style.DOUBLE), 6, 8),
        "description": Scalar("1"),
    }
    assert THOROUGH.judge_thoroughly(fields, "folder", "") == Judged(
        "a\ufffd",
        "1",
        False,
        [
            not_text(WARNING, "`description` is read as a number by many agents"),
            Finding(
                "text-control",
                WARNING,
                "`name` holds control characters, which were replaced",
                Span(6, 8),
                "remove them",
            ),
        ],
    )


def test_an_alias_that_names_nothing_is_no_text() -> None:
    fields: Fields = {"name": Alias("a", None, 6, 8)}
    message = "`name` is a map, not a text"
    refused = Finding("name-not-text", ERROR, message, Span(6, 8), QUOTE_IT)
    judged = THOROUGH.judge_thoroughly(fields, "folder", "")
    assert judged == Judged(None, None, False, [refused])


@pytest.mark.parametrize(
    ("directory", "name", "rules"),
    [
        pytest.param("tidy", "tidy", [], id="printable"),
        pytest.param("a\u200bb", "a\u200bb", [], id="invisible"),
        pytest.param("a\x1bb", "a\ufffdb", ["text-control"], id="a control"),
    ],
)
def test_a_name_that_is_lent_by_the_folder_is_cleaned(
    directory: str, name: str, rules: list[str]
) -> None:
    rule = replace(RELAXED, default=NameDefault.DIRECTORY)
    judged = judge({}, name=rule, directory=directory)
    assert judged.name == name
    assert [each.rule for each in judged.findings] == rules


def test_a_skill_without_a_description_may_be_hidden() -> None:
    hides = replace(RELAXED, absence=Effect.HIDES)
    assert judge({}, description=hides).is_hidden
    assert not judge({}).is_hidden
    empty = {"description": Scalar("", Style.DOUBLE)}
    assert not judge(empty, description=hides).is_hidden


def test_a_name_is_made_fit_for_a_file_where_the_dialect_says_so() -> None:
    rule = replace(RELAXED, rewriting=Rewriting.FILE_NAME)
    judged = judge({"name": Scalar("a:b/<c>", start=6, end=13)}, name=rule)
    shown = "`a:b/<c>` becomes `a-b--c-`"
    changed = Finding("name-rewritten", WARNING, shown, Span(6, 13))
    assert judged == Judged("a-b--c-", None, False, [changed])


def test_a_name_that_is_fit_for_a_file_stays() -> None:
    rule = replace(RELAXED, rewriting=Rewriting.FILE_NAME)
    assert judge({"name": NAME}, name=rule) == Judged("skill", None, False, [])


def test_texts_may_be_put_on_a_single_line() -> None:
    rule = replace(RELAXED, rewriting=Rewriting.SINGLE_LINE)
    fields = {"name": Scalar(" a\t\u2003b\n"), "description": Scalar("c\n\n d\xa0")}
    judged = judge(fields, name=rule, description=rule)
    shown = "` a\\t\\u2003b\\n` becomes `a b`"
    changed = Finding("name-rewritten", WARNING, shown, Span(0, 0))
    assert judged == Judged("a b", "c d", False, [changed])


def test_a_name_of_blanks_is_none_once_it_is_on_a_single_line() -> None:
    rule = replace(
        RELAXED, rewriting=Rewriting.SINGLE_LINE, default=NameDefault.DIRECTORY
    )
    judged = judge({"name": Scalar("\u3000")}, name=rule, directory=" my  folder")
    assert judged.name == "my folder"


@pytest.mark.parametrize(
    ("text", "left"),
    [("<b>a</b>", "a"), ("<>a>b", "<>a>b"), ("a <b", "a <b"), ("a<\n>> b", "a> b")],
)
def test_tags_may_be_taken_out(text: str, left: str) -> None:
    rule = replace(RELAXED, rewriting=Rewriting.NO_TAGS)
    judged = judge({"description": Scalar(text)}, description=rule)
    assert judged.description == left


def test_the_name_of_the_folder_may_take_the_place_of_another_one() -> None:
    rule = replace(RELAXED, directory_match=Consequence.RENAME)
    judged = judge({"name": NAME}, name=rule)
    message = "`skill` stands in a folder called `folder`, whose name counts"
    found = Finding("name-not-directory", WARNING, message, Span(6, 11))
    assert judged == Judged("folder", None, False, [found])
    for directory in ("skill", ""):
        same = judge({"name": NAME}, name=rule, directory=directory)
        assert same == Judged("skill", None, False, [])


@pytest.mark.parametrize(
    ("text", "rules"),
    [(" a ", []), (" \u3000\n", ["description-empty"]), ("", ["description-empty"])],
)
def test_a_description_of_blanks_may_count_as_none(text: str, rules: list[str]) -> None:
    rule = replace(RELAXED, presence=Presence.NON_WHITE)
    judged = judge({"description": Scalar(text, Style.DOUBLE)}, description=rule)
    assert (judged.description, [each.rule for each in judged.findings]) == (
        text,
        rules,
    )


def test_a_description_that_is_blank_without_its_ends_may_come_from_the_body() -> None:
    rule = replace(RELAXED, trim=Trim.WHITE_SPACE, from_body=FromBody.PROSE)
    fields = {"description": Scalar("  ", Style.DOUBLE)}
    assert judge(fields, description=rule).description is None


@pytest.mark.parametrize(
    ("node", "is_told"),
    [
        (Scalar("true"), False),
        (Scalar("False"), False),
        (Scalar("true", style=Style.DOUBLE), False),
        (Scalar("FALSE", style=Style.SINGLE), False),
        (Scalar("yes"), True),
        (Scalar("1"), True),
        (Scalar(""), True),
        (Sequence((Scalar("true"),)), True),
        (Alias("a", target=Scalar("true")), False),
        (None, False),
    ],
)
def test_a_flag_that_does_not_count_may_be_told(node: Node | None, *, is_told: bool):
    rule = FieldRule(
        keys=("manual",),
        type=FieldType.FLAG,
        effect=Effect.HIDES,
        other_types=Consequence.WARN,
    )
    judged = judge({"name": NAME, "manual": node}, other={"manual": rule})
    told = [(each.rule, each.severity) for each in judged.findings]
    assert told == ([("field-not-flag", WARNING)] if is_told else [])
