"""A header as a tree: its fields, duplicates, merges, languages and recovery."""

from __future__ import annotations

from dataclasses import replace

import pytest

from metier.core.nodes import Alias, Mapping, Node, Scalar, Sequence, Style
from metier.core.readers import (
    DuplicateKeys,
    Languages,
    ReaderEngine,
    ReaderRule,
    Recovery,
)
from metier.core.readers.trees import Header, read_tree
from metier.core.scalars import ScalarSchema
from metier.diagnostics import Diagnostic, Fix, Position, Severity, Span

LIBYAML = ReaderRule(engine=ReaderEngine.LIBYAML)
GO_YAML = ReaderRule(engine=ReaderEngine.GO_YAML)
JS_YAML = ReaderRule(engine=ReaderEngine.JS_YAML_3)
RECOVERING = replace(LIBYAML, recovery=Recovery.FIELDS)
FINDING_TWO = ReaderRule(
    engine=ReaderEngine.JS_YAML_4_1,
    schema=ScalarSchema.JS_YAML_4_1,
    recovery=Recovery.NAME_AND_DESCRIPTION,
)
LANGUAGES = replace(JS_YAML, languages=Languages.GRAY_MATTER)


def header_of(content: str, language: str = "") -> Header:
    """`content` between fences, as it stands in a file."""
    fence = f"---{language}\n"
    text = f"{fence}{content}---\n"
    return Header(text, len(fence), len(fence) + len(content), language)


def read(
    content: str, rule: ReaderRule, language: str = ""
) -> tuple[dict[str, object] | None, list[str]]:
    """The fields as plain values, and the rules that spoke."""
    fields, found = read_tree(header_of(content, language), rule)
    rules = [each.rule for each in found]
    if fields is None:
        return None, rules
    return {key: plain(node) for key, node in fields.items()}, rules


def plain(node: Node) -> object:
    match node:
        case Mapping():
            return {str(plain(key)): plain(value) for key, value in node.entries}
        case Sequence():
            return [plain(item) for item in node.items]
        case Alias():
            return f"*{node.name}"
        case Scalar():
            return node.text


@pytest.mark.parametrize(
    "rule", [LIBYAML, GO_YAML, JS_YAML], ids=lambda r: r.engine.value
)
@pytest.mark.parametrize(
    ("content", "fields", "rules"),
    [
        pytest.param("a: b\nc: [d]\n", {"a": "b", "c": ["d"]}, [], id="fields"),
        pytest.param("", {}, [], id="nothing"),
        pytest.param("~\n", {}, [], id="null"),
        pytest.param("text\n", None, ["frontmatter-not-a-map"], id="a text"),
        pytest.param("''\n", None, ["frontmatter-not-a-map"], id="an empty text"),
        pytest.param("- a\n", None, ["frontmatter-not-a-map"], id="a list"),
        pytest.param("a: b\nc: *d\n", None, ["yaml-invalid"], id="no YAML"),
        pytest.param("a: &x b\nc: *x\n", {"a": "b", "c": "*x"}, [], id="an alias"),
        pytest.param("[" * 17 + "]" * 17, None, ["yaml-too-deep"], id="too deep"),
    ],
)
def test_what_every_engine_reads(
    rule: ReaderRule, content: str, fields: dict[str, object] | None, rules: list[str]
) -> None:
    assert read(content, rule) == (fields, rules)


def test_each_engine_has_its_own_grammar() -> None:
    content = "a: b\n---\nc: d\n"
    assert read(content, LIBYAML) == (None, ["yaml-invalid"])
    assert read(content, GO_YAML) == ({"a": "b"}, [])
    escaped = 'a: "\\ud83d\\udd2c"\n'
    assert read(escaped, LIBYAML) == (None, ["yaml-invalid"])
    assert read(escaped, JS_YAML) == ({"a": "\U0001f52c"}, [])
    duplicate = "a: b\na: c\n"
    assert read(duplicate, GO_YAML) == (None, ["key-duplicate"])
    assert read(duplicate, JS_YAML) == (None, ["yaml-invalid"])


@pytest.mark.parametrize(
    ("duplicates", "fields", "rules"),
    [
        (DuplicateKeys.REJECT, None, ["key-duplicate", "key-duplicate"]),
        (DuplicateKeys.WARN, {"a": "d"}, ["key-duplicate", "key-duplicate"]),
        (DuplicateKeys.LAST, {"a": "d"}, []),
    ],
)
def test_what_a_key_that_stands_twice_means(
    duplicates: DuplicateKeys, fields: dict[str, object] | None, rules: list[str]
) -> None:
    rule = replace(LIBYAML, duplicate_keys=duplicates)
    assert read("a: b\na: c\n'a': d\n", rule) == (fields, rules)


def test_a_duplicate_is_told_where_it_stands_the_second_time() -> None:
    rule = replace(LIBYAML, duplicate_keys=DuplicateKeys.WARN)
    _, found = read_tree(header_of("a: b\na: c\n"), rule)
    assert found == (
        Diagnostic(
            rule="key-duplicate",
            severity=Severity.WARNING,
            message="`a` stands twice",
            position=Position(3, 1),
            span=Span(9, 10),
            help="keep one of them: agents differ in which one counts",
        ),
    )


def test_a_thousand_duplicates_are_told_fifty_times() -> None:
    rule = replace(LIBYAML, duplicate_keys=DuplicateKeys.WARN)
    assert read("a: b\n" * 1000, rule) == ({"a": "b"}, ["key-duplicate"] * 50)


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        pytest.param("[a]: b\nc: d\n", {"c": "d"}, id="a key that is no text"),
        pytest.param("&k a: b\n*k : c\n", {"a": "c"}, id="an alias as a key"),
        pytest.param("<<: {a: b}\na: c\n", {"a": "c"}, id="the map itself wins"),
        pytest.param("<<: {a: b, [c]: d}\n", {"a": "b"}, id="a merge"),
        pytest.param("'<<': {a: b}\n", {"<<": {"a": "b"}}, id="quoted, it is a key"),
        pytest.param("!!str <<: a\n", {"<<": "a"}, id="tagged, it is a key"),
        pytest.param(
            "<<: [{a: b}, {a: c, d: e}]\n", {"a": "b", "d": "e"}, id="several"
        ),
        pytest.param("x: &x {a: b}\n<<: *x\n", {"x": {"a": "b"}, "a": "b"}, id="alias"),
        pytest.param("<<: {a: b}\n<<: {c: d}\n", {"a": "b", "c": "d"}, id="twice"),
        pytest.param("<<: text\na: b\n", {"a": "b"}, id="a text"),
        pytest.param("<<: [{a: b}, c, {d: e}]\n", {"a": "b"}, id="up to a text"),
    ],
)
def test_merges_of_libyaml(content: str, fields: dict[str, object]) -> None:
    rule = replace(LIBYAML, duplicate_keys=DuplicateKeys.LAST)
    assert read(content, rule) == (fields, [])


def test_merges_look_at_so_much_and_no_more() -> None:
    maps = "a: b, " * 99
    many = f"x: &x {{{maps}}}\n<<: [{'*x, ' * 100}]\n<<: {{c: d}}\n"
    more = f"x: &x {{{maps}}}\n<<: [{'*x, ' * 101}]\n<<: {{c: d}}\n"
    rule = replace(LIBYAML, duplicate_keys=DuplicateKeys.LAST)
    for content in (many, more):
        fields, _ = read(content, rule)
        assert fields is not None
        assert set(fields) == {"x", "a"}


def test_what_is_no_map_is_shown_whole() -> None:
    _, found = read_tree(header_of("- a\n"), LIBYAML)
    assert found == (
        Diagnostic(
            rule="frontmatter-not-a-map",
            severity=Severity.ERROR,
            message="the frontmatter is not a list of `key: value` lines",
            position=Position(2, 1),
            span=Span(4, 8),
            help="write `name: ...` and `description: ...` on lines of their own",
        ),
    )


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        pytest.param("a: b: c\nd: e\n", {"a": "b: c", "d": "e"}, id="a colon"),
        pytest.param("a: *b* c\n", {"a": "*b* c"}, id="an alias"),
        pytest.param("a: [b] [c]\nd: [e]\n", {"a": "[b] [c]", "d": ["e"]}, id="a list"),
        pytest.param('a: "b" c\n', {"a": '"b" c'}, id="text behind a quote"),
        pytest.param("a: 'b': 'c'\n", {"a": "b': 'c"}, id="quotes around it all"),
        pytest.param("a: '\n", {"a": "'"}, id="a lone quote"),
        pytest.param("a: | b: c\n", {"a": "b: c"}, id="text behind a literal mark"),
        pytest.param("a: >-\n\tb\n", {"a": "b"}, id="a tab in a block"),
        pytest.param("a: b: c\n  d\n\n  e\n", {"a": "b: c d e"}, id="several lines"),
        pytest.param("a: @\nb: &x c\nd: *x\n", {"a": "@", "b": "c", "d": "*x"}),
        pytest.param("a: b: c\na: d\n", {"a": "d"}, id="the last one"),
        pytest.param("a:\n  b: [\nc:\n  d: e\n", {"a": "b: [", "c": {"d": "e"}}),
        pytest.param("a: b\n---\nc: d\n", {"a": "b --- ", "c": "d"}, id="a document"),
        pytest.param("a: b\n1: c\nd: @\n", {"a": "b 1: c", "d": "@"}, id="odd keys"),
        pytest.param("a: @\nb:", {"a": "@", "b": ""}, id="no value"),
    ],
)
def test_what_is_no_yaml_is_read_field_by_field(
    content: str, fields: dict[str, object]
) -> None:
    assert read(content, RECOVERING)[0] == {
        key: value.strip() if isinstance(value, str) else value
        for key, value in fields.items()
    }


def test_a_recovered_field_is_told_with_a_fix() -> None:
    fields, found = read_tree(header_of('a: b\nc:  d: "e" \n'), RECOVERING)
    assert fields == {
        "a": Scalar("b", Style.PLAIN, 3, 4),
        "c": Scalar('d: "e"', Style.DOUBLE, 9, 15),
    }
    assert found == (
        Diagnostic(
            rule="yaml-recovered",
            severity=Severity.WARNING,
            message="`c` is not valid YAML and was taken as plain text",
            position=Position(3, 5),
            span=Span(13, 19),
            help="put the value in quotes: most agents drop this skill",
            fix=Fix(
                title="quote the value",
                span=Span(13, 19),
                replacement='"d: \\"e\\""',
            ),
        ),
    )


def test_a_list_between_broken_fields_keeps_its_place() -> None:
    fields, _ = read_tree(header_of("a: @\nb: [c]\n"), RECOVERING)
    assert fields is not None
    assert (fields["b"].start, fields["b"].end) == (8, 11)


def test_what_is_broken_between_the_fields_is_told_once() -> None:
    fields, found = read_tree(header_of("a: b\n: c\nd: e\n"), RECOVERING)
    assert fields is not None
    assert [(each.rule, each.severity) for each in found] == [
        ("yaml-recovered", Severity.WARNING)
    ]


def test_an_error_outside_of_every_field_is_told_at_its_place() -> None:
    fields, found = read_tree(header_of("@\na: b\n"), RECOVERING)
    assert fields == {"a": Scalar("b", Style.PLAIN, 5, 6)}
    assert found == (
        Diagnostic(
            rule="yaml-recovered",
            severity=Severity.WARNING,
            message="the frontmatter is not valid YAML: found character that cannot "
            "start any token",
            position=Position(2, 1),
            span=Span(4, 4),
            help="each field was read on its own; most agents drop this skill",
        ),
    )


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("@\n", id="no field"),
        pytest.param("".join(f"k{n}: @\n" for n in range(1001)), id="too many"),
    ],
)
def test_where_nothing_can_be_recovered(content: str) -> None:
    assert read(content, RECOVERING) == (None, ["yaml-invalid"])


def test_a_thousand_recovered_fields_are_told_fifty_times() -> None:
    fields, rules = read("".join(f"k{n}: @\n" for n in range(1000)), RECOVERING)
    assert fields == {f"k{n}": "@" for n in range(1000)}
    assert rules == ["yaml-recovered"] * 50


def test_depth_is_not_recovered_from() -> None:
    assert read("a: " + "[" * 17, RECOVERING) == (None, ["yaml-too-deep"])


@pytest.mark.parametrize("language", ["yaml", "YML"])
def test_a_header_may_say_that_it_is_yaml(language: str) -> None:
    assert read("a: b\n", LANGUAGES, language) == ({"a": "b"}, [])


@pytest.mark.parametrize(
    ("content", "fields", "rules"),
    [
        pytest.param("\n# a\n\n # b: c\n", {}, [], id="comments"),
        pytest.param("\n# a\rb: c\n", {}, [], id="a carriage return in a comment"),
        pytest.param("\n# a\0b\n", {}, [], id="a control in a comment"),
        pytest.param(" \n\ufeff\n", {}, [], id="blanks"),
        pytest.param("\n#\nb: c", {"b": "c"}, [], id="more than comments"),
        pytest.param("\n#\n\0", None, ["yaml-invalid"], id="a comment of no text"),
    ],
)
@pytest.mark.parametrize("language", ["", "yaml"])
def test_gray_matter_knows_comments_itself(
    content: str, fields: dict[str, object] | None, rules: list[str], language: str
):
    assert read(content, LANGUAGES, language) == (fields, rules)


def test_a_language_of_which_there_is_nothing_is_not_asked():
    assert read("\n# a\n", LANGUAGES, "js") == ({}, [])


def test_a_language_that_is_not_looked_for_is_none() -> None:
    assert read("a: b\n", JS_YAML, "js") == ({"a": "b"}, [])


@pytest.mark.parametrize(
    ("content", "fields", "rules"),
    [
        pytest.param(
            '{"a": "b", "c": [1, 1e999, true, null], "d": {"e": ""}}',
            {"a": "b", "c": ["1", "1e999", "true", "null"], "d": {"e": ""}},
            [],
            id="values",
        ),
        pytest.param('{"a": 1, "a": 2}', {"a": "2"}, [], id="the last of two"),
        pytest.param('{"<<": {"a": 1}}', {"<<": {"a": "1"}}, [], id="nothing merges"),
        pytest.param("null", {}, [], id="null"),
        pytest.param("[]", None, ["frontmatter-not-a-map"], id="a list"),
        pytest.param('"null"', None, ["frontmatter-not-a-map"], id="a text"),
        pytest.param("a: b", None, ["yaml-invalid"], id="no JSON"),
        pytest.param('{"a": NaN}', None, ["yaml-invalid"], id="no number"),
        pytest.param('{"a": ' + "[" * 17 + "]" * 17 + "}", None, ["yaml-invalid"]),
        pytest.param("[" * 30_000, None, ["yaml-invalid"], id="far too deep"),
    ],
)
def test_a_header_in_json(
    content: str, fields: dict[str, object] | None, rules: list[str]
) -> None:
    assert read(content, LANGUAGES, "json") == (fields, rules)


def test_texts_of_json_are_quoted_and_numbers_are_plain() -> None:
    fields, _ = read_tree(header_of('{"a": "1", "b": 1}', "json"), LANGUAGES)
    assert fields == {"a": Scalar("1", Style.DOUBLE), "b": Scalar("1")}


@pytest.mark.parametrize(
    ("language", "rule"),
    [
        ("js", "host-evaluates-code"),
        ("JavaScript", "host-evaluates-code"),
        ("coffee", "frontmatter-language"),
        ("JSON", "frontmatter-language"),
        ("toml", "frontmatter-language"),
    ],
)
def test_a_language_that_is_not_read(language: str, rule: str) -> None:
    assert read("a: b\n", LANGUAGES, language) == (None, [rule])


def test_code_is_not_run_but_told() -> None:
    header = Header("--- js\nprocess.exit()\n---", 6, 21, "js")
    assert read_tree(header, LANGUAGES) == (
        None,
        (
            Diagnostic(
                rule="host-evaluates-code",
                severity=Severity.ERROR,
                message="the host evaluates `js` frontmatter as code",
                position=Position(1, 5),
                span=Span(4, 6),
                help="write the frontmatter in YAML; metier evaluates nothing",
            ),
        ),
    )


@pytest.mark.parametrize(
    ("content", "fields", "rules"),
    [
        pytest.param(
            "name: a\ndescription: b\nx: [y]\n",
            {"name": "a", "description": "b", "x": ["y"]},
            [],
            id="two texts: the whole tree",
        ),
        pytest.param(
            "name: 1\ndescription: |\n  b\nx: y\n",
            {"name": "1", "description": "| b"},
            [],
            id="a number",
        ),
        pytest.param(
            "name: a\ndescription: [b]\n",
            {"name": "a", "description": "[b]"},
            [],
            id="a list",
        ),
        pytest.param(
            "name: a\nname: b\ndescription: c\n",
            {"name": "b", "description": "c"},
            ["yaml-recovered"],
            id="a duplicate",
        ),
        pytest.param(
            "name: a\ndescription: b: c\n",
            {"name": "a", "description": "b: c"},
            ["yaml-recovered"],
            id="no YAML",
        ),
        pytest.param("- name: a\n", {}, ["yaml-recovered"], id="no map"),
        pytest.param("", {}, [], id="nothing"),
    ],
)
def test_name_and_description_are_looked_for_where_they_are_no_texts(
    content: str, fields: dict[str, object], rules: list[str]
) -> None:
    assert read(content, FINDING_TWO) == (fields, rules)
