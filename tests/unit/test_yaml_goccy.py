"""goccy/go-yaml 1.19: what it answered is in each case."""

from __future__ import annotations

import pytest

from metier.core.nodes import Mapping, Node, Scalar, Sequence
from metier.core.readers import FieldShape, ReaderEngine, ReaderRule, goccy_struct
from metier.core.readers.trees import Header, read_tree
from metier.diagnostics import Diagnostic, Position, Severity, Span

RULE = ReaderRule(
    engine=ReaderEngine.GOCCY_YAML,
    types={
        "name": FieldShape.TEXT,
        "description": FieldShape.TEXT,
        "metadata": FieldShape.TEXT_MAP,
        "allowed-tools": FieldShape.TEXTS,
    },
)


def read(content: str) -> dict[str, object] | str:
    """The fields as plain values, or the rule that rejects the header."""
    text = f"---\n{content}\n---\n"
    fields, found = read_tree(Header(text, 4, 4 + len(content)), RULE)
    if fields is None:
        return found[0].rule
    return {key: plain(node) for key, node in fields.items()}


def plain(node: Node) -> object:
    match node:
        case Mapping():
            return {str(plain(key)): plain(value) for key, value in node.entries}
        case Sequence():
            return [plain(item) for item in node.items]
        case Scalar():
            return node.text
        case _:
            return ...


def described(value: str) -> dict[str, object] | str:
    return read(f"x: &x y\nname: n\ndescription: {value}")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param("a b", "a b", id="plain"),
        pytest.param("a\n  b\n\n  c", "a b\nc", id="a plain text over lines"),
        pytest.param("a\tb", "ab", id="a tab is dropped"),
        pytest.param("a\t# c", "a", id="a tab before a comment"),
        pytest.param("a # c", "a", id="a comment"),
        pytest.param("a#c", "a#c", id="no comment"),
        pytest.param("'a ''b'' \n\n  c'", "a 'b'\nc", id="single quotes"),
        pytest.param("'a\n \tb'", "a b", id="single quotes with a tab"),
        pytest.param(
            '"a\\tb \\x41\\u00e9\\U0001F600 \\"\\/\\\\"',
            'a\tb Aé😀 "/\\',
            id="double quotes",
        ),
        pytest.param(
            '"\\0\\a\\b\\n\\v\\f\\r\\e\\ \\N\\_\\L\\P\\\t"',
            "\x00\x07\x08\n\x0b\x0c\r\x1b \x85\xa0\u2028\u2029\t",
            id="all escapes",
        ),
        pytest.param('"\\uD83D\\uDE00"', "😀", id="a pair of surrogates"),
        pytest.param('"\\uDC00x"', "�x", id="half a pair alone"),
        pytest.param('"\\xZZ"', "ˊ", id="digits that are none"),
        pytest.param('"\\xe9"', "é", id="small hex"),
        pytest.param('"\\UFFFFFFFF"', "�", id="beyond Unicode"),
        pytest.param('"a\n  b \n\n  c"', "a b\nc", id="a folded text"),
        pytest.param('"a\\\n  b"', "ab", id="an escaped line break"),
        pytest.param('"a\tb"', "a\tb", id="a tab in quotes"),
        pytest.param('"a\t\tb\t"', "a\t\tb\t", id="tabs in quotes"),
        pytest.param('"a\t \n  b"', "a b", id="a tab at a line's end"),
        pytest.param('"a\n \tb"', "a b", id="a tab before a line"),
        pytest.param("0x1F", "31", id="a number"),
        pytest.param("017", "15", id="an octal"),
        pytest.param("018", "018", id="no octal"),
        pytest.param("+1_000", "1000", id="a number with signs"),
        pytest.param("1.50", "1.5", id="a float"),
        pytest.param("0.00001", "1e-05", id="a small float"),
        pytest.param("12345678.9", "1.23456789e+07", id="a large float"),
        pytest.param(".5", "0.5", id="a float of one digit"),
        pytest.param("-1.5e300", "-1.5e+300", id="minus"),
        pytest.param("1.5e400", "1.5e400", id="too large"),
        pytest.param(
            "99999999999999999999", "99999999999999999999", id="a huge number"
        ),
        pytest.param("-0b101", "-5", id="a negative one"),
        pytest.param("1.2.3", "1.2.3", id="two dots"),
        pytest.param("_1", "_1", id="an underscore"),
        pytest.param("-.inf", "-Inf", id="infinity"),
        pytest.param(".Inf", "+Inf", id="plus infinity"),
        pytest.param(".nan", "NaN", id="no number"),
        pytest.param("TRUE", "true", id="true"),
        pytest.param("~", "", id="null"),
        pytest.param("", "", id="nothing"),
        pytest.param("!!str 5", "5", id="tagged text"),
        pytest.param("!!str", "", id="tagged nothing"),
        pytest.param("!!str ~", "", id="tagged null"),
        pytest.param("!!int 5", "5", id="a tagged number"),
        pytest.param("!!int x", "0", id="a tagged text that is no number"),
        pytest.param("!!float 5", "5", id="a tagged float"),
        pytest.param("!!float x", "0", id="a tagged float that is none"),
        pytest.param("!!bool yes", "true", id="tagged true"),
        pytest.param("!!bool F", "false", id="tagged false"),
        pytest.param("!!null x", "", id="tagged null text"),
        pytest.param("!!binary YWJj", "abc", id="base64"),
        pytest.param("!!binary four-dashes", "~\udc8b\udcab", id="no base64"),
        pytest.param("!x 5", "5", id="a tag of its own"),
        pytest.param("!x", "", id="a tag of its own alone"),
        pytest.param("!x 'a'", "a", id="a tag and a quote"),
        pytest.param("!!str |\n  a", "a", id="a tag and a block"),
        pytest.param("\n  !!str a", "a", id="a tag on the next line"),
        pytest.param("!!str\n  a", "a", id="a tag, then its value"),
        pytest.param("!!foo a", "a", id="an unknown core tag"),
        pytest.param("!a,b c", "c", id="a tag with a comma"),
        pytest.param("|\n  a\n   b\n\n  c", "a\n b\n\nc", id="a literal"),
        pytest.param("|-\n  a\n\n", "a", id="a literal, stripped"),
        pytest.param("|+\n  a\n\n", "a\n\n", id="a literal, kept"),
        pytest.param("|2\n    a\n   b", "  a\n b", id="a literal with an indent"),
        pytest.param("| # c\n  a", "a", id="a literal with a comment"),
        pytest.param(
            "> \n  a\n  b\n\n  c\n   d\n  e", "a b\nc\n d\ne", id="a folded block"
        ),
        pytest.param(
            ">-\n  a\n  b\n\n\n  c", "a b\n\n\nc", id="a folded block, stripped"
        ),
        pytest.param("|\n\n   \n  a", "\n\na", id="blank lines first"),
        pytest.param(">+\n  a\n\n\n", "a\n\n\n", id="blank lines kept"),
        pytest.param("|\n  a\tb\n  \tc", "a\tb\n\tc", id="a tab in a literal"),
        pytest.param("|", "", id="an empty literal"),
        pytest.param("|\n   \n", "", id="a literal of blanks"),
        pytest.param("|\n  a\n...\n", "a\n", id="dots in a literal"),
        pytest.param("a\n  - b", "a - b", id="a dash goes on"),
        pytest.param("a}", "a}", id="a closed map too many"),
        pytest.param("}", "}", id="only a closed map"),
        pytest.param("http://a.b", "http://a.b", id="an address"),
        pytest.param("&a b", "b", id="an anchor"),
        pytest.param("&a\n  b", "b", id="an anchor on a line of its own"),
        pytest.param("&a !!str 5", "5", id="an anchor and a tag"),
        pytest.param("&a\n  !!str 5", "5", id="an anchor, a tag on the next line"),
        pytest.param("*x", "y", id="an alias"),
        pytest.param("!!str *x", "y", id="an alias of a tag"),
    ],
)
def test_what_a_value_is(value: str, text: str) -> None:
    fields = described(value)
    assert isinstance(fields, dict)
    assert (fields.get("name"), fields.get("description", "")) == ("n", text)


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        pytest.param("!x [a]", "description-not-text", id="a tag and a list"),
        pytest.param("!x !y a", "yaml-invalid", id="two tags"),
        pytest.param("!!seq [a]", "description-not-text", id="a list tag"),
        pytest.param("!!map {a: b}", "description-not-text", id="a map tag"),
        pytest.param(
            "!!map\n  a: b", "description-not-text", id="a map tag in a block"
        ),
        pytest.param("!!map a", "yaml-invalid", id="a map tag and a text"),
        pytest.param(
            "!!seq\n  - a", "description-not-text", id="a list tag in a block"
        ),
        pytest.param("!!omap\n  - a: b", "description-not-text", id="an ordered map"),
        pytest.param("!!set {a: b}", "description-not-text", id="a set"),
        pytest.param(
            "!!timestamp 2020-01-01", "description-not-text", id="a timestamp"
        ),
        pytest.param("!!bool maybe", "yaml-invalid", id="a boolean that is none"),
        pytest.param("!!binary 5", "yaml-invalid", id="base64 of a number"),
        pytest.param("!a{ b", "yaml-invalid", id="a tag in braces"),
        pytest.param("|4\n  a", "yaml-invalid", id="a literal with too much of one"),
        pytest.param("|x\n  a", "yaml-invalid", id="a literal with nonsense"),
        pytest.param("|10\n  a", "yaml-invalid", id="a literal with a large indent"),
        pytest.param("|0\n  a", "yaml-invalid", id="a literal with zero"),
        pytest.param("|\n\ta", "yaml-invalid", id="a tab for an indent"),
        pytest.param("|\nx: y", "key-duplicate", id="an empty literal and more"),
        pytest.param("|\n  a\n  b\n c", "yaml-invalid", id="a literal of one sign"),
        pytest.param("\n  - a\n  - b", "description-not-text", id="a list"),
        pytest.param("[a, b]", "description-not-text", id="a flow list"),
        pytest.param(
            "[a, b, ]", "description-not-text", id="a flow list that ends in a comma"
        ),
        pytest.param("[, a]", "yaml-invalid", id="a flow list that starts with one"),
        pytest.param("[a [b]]", "yaml-invalid", id="a flow list without one"),
        pytest.param("[a", "yaml-invalid", id="an open list"),
        pytest.param("[a,", "yaml-invalid", id="an open list with a comma"),
        pytest.param("[a]]", "yaml-invalid", id="a closed list too many"),
        pytest.param("\n  a: b", "description-not-text", id="a map"),
        pytest.param("{a: b, c}", "description-not-text", id="a flow map"),
        pytest.param("{a: b,}", "description-not-text", id="a flow map with a comma"),
        pytest.param(
            "{a: b c: d}", "description-not-text", id="a flow map without one"
        ),
        pytest.param(
            "{a: , b:}", "description-not-text", id="a flow map without a value"
        ),
        pytest.param(
            "{a: [b], c: {d: e}}", "description-not-text", id="a flow map of lists"
        ),
        pytest.param("{a: b", "yaml-invalid", id="an open map"),
        pytest.param("{a: b,", "yaml-invalid", id="an open map with a comma"),
        pytest.param("{a:", "yaml-invalid", id="an open map with a colon"),
        pytest.param("]", "yaml-invalid", id="only a closed list"),
        pytest.param(
            "{a: http://b}", "description-not-text", id="an address in a flow map"
        ),
        pytest.param("a: b", "yaml-invalid", id="a colon twice"),
        pytest.param("@a", "yaml-invalid", id="a reserved sign"),
        pytest.param("`a", "yaml-invalid", id="a backquote"),
        pytest.param("%a", "yaml-invalid", id="a percent"),
        pytest.param("* a", "yaml-invalid", id="a star alone"),
        pytest.param("& a", "yaml-invalid", id="an ampersand alone"),
        pytest.param("&a", "yaml-invalid", id="an anchor on nothing"),
        pytest.param("&a\n!!str 5", "yaml-invalid", id="an anchor, a tag left of it"),
        pytest.param("&a &b c", "yaml-invalid", id="an anchor twice"),
        pytest.param("&a - b", "yaml-invalid", id="an anchor and a dash"),
        pytest.param("*q", "yaml-invalid", id="an alias of nothing"),
        pytest.param("? a", "yaml-invalid", id="a question"),
        pytest.param("'a", "yaml-invalid", id="a quote that is open"),
        pytest.param('"a', "yaml-invalid", id="a double quote that is open"),
        pytest.param('"\\q"', "yaml-invalid", id="an escape that is none"),
        pytest.param('"\\', "yaml-invalid", id="an escape at the end"),
        pytest.param('"\\u12', "yaml-invalid", id="an escape too short"),
        pytest.param('"\\x1', "yaml-invalid", id="a short x"),
        pytest.param('"\\uD800x"', "yaml-invalid", id="a surrogate alone"),
        pytest.param('"\\uD800\\u0041"', "yaml-invalid", id="a surrogate and no other"),
        pytest.param("'a\n...\n'", "yaml-invalid", id="a document in quotes"),
    ],
)
def test_what_is_no_value(value: str, rule: str) -> None:
    assert described(value) == rule


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        pytest.param("", {}, id="no lines"),
        pytest.param("# c", {}, id="a comment alone"),
        pytest.param(
            "name : a\ndescription : b",
            {"name": "a", "description": "b"},
            id="spaces before a colon",
        ),
        pytest.param(
            "\"name\": a\n'description': b",
            {"name": "a", "description": "b"},
            id="quoted keys",
        ),
        pytest.param(
            "name: a\ndescription: d\na.b: 1\na:\n  b: 2",
            {"name": "a", "description": "d"},
            id="dots in keys",
        ),
        pytest.param("name: a\ndescription: d\n1: x", {}, id="a number for a key"),
        pytest.param("name: a\ndescription: d\n~: x", {}, id="null for a key"),
        pytest.param(
            "!!str name: a\ndescription: d",
            {"name": "a", "description": "d"},
            id="a tagged key",
        ),
        pytest.param(
            "&k name: a\ndescription: d",
            {"name": "a", "description": "d"},
            id="an anchored key",
        ),
        pytest.param(
            "x: &k name\n*k : a\ndescription: d",
            {"name": "a", "description": "d"},
            id="an alias for a key",
        ),
        pytest.param(
            "? name\n: a\ndescription: d",
            {"name": "a", "description": "d"},
            id="a question key",
        ),
        pytest.param(
            "name: a\ndescription: d\n? x",
            {"name": "a", "description": "d"},
            id="a question key alone",
        ),
        pytest.param(
            "? |\n  name\n: a\ndescription: d",
            {"description": "d"},
            id="a question, a block",
        ),
        pytest.param(
            "x: &x {description: d}\nname: a\n<<: *x",
            {"name": "a", "description": "d"},
            id="a merge",
        ),
        pytest.param(
            "x: &x {1: b}\n<<: *x\nname: a\ndescription: d",
            {"name": "a", "description": "d"},
            id="a merge of numbers",
        ),
        pytest.param(
            "<<: {name: a}\ndescription: d",
            {"name": "a", "description": "d"},
            id="a merge in place",
        ),
        pytest.param(
            "!!merge <<: {name: a}\ndescription: d",
            {"name": "a", "description": "d"},
            id="a merge with a tag",
        ),
        pytest.param(
            "name: a << b\ndescription: <<",
            {"name": "a << b", "description": "<<"},
            id="a text with signs",
        ),
        pytest.param(
            "name: a\ndescription: d\nmetadata: {a: 1, b: true, c: ~, ~: d, 2: e}",
            {
                "name": "a",
                "description": "d",
                "metadata": {"a": "1", "b": "true", "c": "", "": "d", "2": "e"},
            },
            id="metadata",
        ),
        pytest.param(
            "name: a\ndescription: d\nmetadata:",
            {"name": "a", "description": "d", "metadata": {}},
            id="metadata, null",
        ),
        pytest.param(
            "name: a\ndescription: d\nmetadata: &m {a: b}",
            {"name": "a", "description": "d", "metadata": {"a": "b"}},
            id="metadata, an anchor",
        ),
        pytest.param(
            "x: &m {a: b}\nname: a\ndescription: d\nmetadata: *m",
            {"name": "a", "description": "d", "metadata": {"a": "b"}},
            id="metadata, an alias",
        ),
        pytest.param(
            "x: &m\nname: a\ndescription: d\nmetadata: *m",
            {"name": "a", "description": "d", "metadata": {}},
            id="metadata, an alias of null",
        ),
        pytest.param(
            "x: &m {a: b}\nname: a\ndescription: d\nmetadata:\n  <<: *m\n  c: d",
            {"name": "a", "description": "d", "metadata": {"a": "b", "c": "d"}},
            id="metadata, a merge",
        ),
        pytest.param(
            "x: &m {a: b}\nname: a\ndescription: d\nmetadata:\n  <<: [*m, {e: f}]",
            {"name": "a", "description": "d", "metadata": {"a": "b", "e": "f"}},
            id="metadata, merges",
        ),
        pytest.param(
            "name: a\ndescription: d\nallowed-tools: [a, ~, 1]",
            {"name": "a", "description": "d", "allowed-tools": ["a", "", "1"]},
            id="tools, a list",
        ),
        pytest.param(
            "name: a\ndescription: d\nallowed-tools: a b, , c",
            {"name": "a", "description": "d", "allowed-tools": ["a b", "c"]},
            id="tools, a text",
        ),
        pytest.param(
            "name: a\ndescription: d\nallowed-tools: 1.0",
            {"name": "a", "description": "d", "allowed-tools": ["1"]},
            id="tools, a number",
        ),
        pytest.param(
            "name: a\ndescription: d\nallowed-tools: ~",
            {"name": "a", "description": "d", "allowed-tools": []},
            id="tools, null",
        ),
        pytest.param(
            "name: a\ndescription: d\nallowed-tools: &t [a]",
            {"name": "a", "description": "d", "allowed-tools": ["a"]},
            id="tools, an anchor",
        ),
        pytest.param(
            "x: &t [a]\nname: a\ndescription: d\nallowed-tools: *t",
            {"name": "a", "description": "d", "allowed-tools": ["a"]},
            id="tools, an alias",
        ),
        pytest.param(
            "name: a\ndescription: d\nallowed-tools: !x [a]",
            {"name": "a", "description": "d", "allowed-tools": ["a"]},
            id="tools, a tagged list",
        ),
        pytest.param(
            "name: a\ndescription: d\nallowed-tools: &t a, b",
            {"name": "a", "description": "d", "allowed-tools": ["a", "b"]},
            id="tools, an anchored text",
        ),
        pytest.param(
            "name: &n a\ndescription: *n",
            {"name": "a", "description": "a"},
            id="an anchor used before",
        ),
        pytest.param(
            "description: &n d\nname: *n",
            {"name": "d", "description": "d"},
            id="an anchor used by a later field",
        ),
        pytest.param(
            "x: &n 5\nname: *n\ndescription: d",
            {"name": "5", "description": "d"},
            id="an anchor that is a number",
        ),
        pytest.param(
            "x: &n [*n]\nname: a\ndescription: d",
            {"name": "a", "description": "d"},
            id="an anchor in itself",
        ),
        pytest.param(
            "x: &n a\ny: &n b\nname: *n\ndescription: d",
            {"name": "b", "description": "d"},
            id="an anchor twice",
        ),
        pytest.param(
            "x: &a\n  - b\nname: a\ndescription: d",
            {"name": "a", "description": "d"},
            id="a list for an anchor",
        ),
        pytest.param(
            "x: &a\nname: a\ndescription: d",
            {"name": "a", "description": "d"},
            id="an anchor before its sibling",
        ),
        pytest.param(
            "x:\n&a b\nname: a", {"name": "a"}, id="an anchor left of its key"
        ),
        pytest.param(
            "name: a\ndescription: d\nx:\n  y: &a\nz: b",
            {"name": "a", "description": "d"},
            id="an anchor in a deeper map",
        ),
        pytest.param(
            "name: a\ndescription: d\nx:\n  - &a\n  - &b c\n  - *b",
            {"name": "a", "description": "d"},
            id="anchors in a list",
        ),
        pytest.param(
            "name: a\ndescription: d\nx:\n  -\n  - b\n  -",
            {"name": "a", "description": "d"},
            id="a dash alone",
        ),
        pytest.param(
            "name: a\ndescription: d\nx:\n  -\ny: b",
            {"name": "a", "description": "d"},
            id="a dash left of it",
        ),
        pytest.param(
            "name: a\ndescription: d\nx:\n  - a\n  -",
            {"name": "a", "description": "d"},
            id="a last dash",
        ),
        pytest.param("x:\n  -\n  &a b", {}, id="an anchor under a dash"),
        pytest.param(
            "name: a\ndescription: d\nx:\n- a\n- b",
            {"name": "a", "description": "d"},
            id="a list in the column of its key",
        ),
        pytest.param(
            "name: a\ndescription: d\nx:\n  - y: 1\n    z: 2\n  - y: 3",
            {"name": "a", "description": "d"},
            id="a map in a list",
        ),
        pytest.param(
            "name: a\ndescription: d\nx: [y: 1, z: 2]",
            {"name": "a", "description": "d"},
            id="a map in brackets",
        ),
        pytest.param(
            "name: a\ndescription: d\nx: [\n y: 1,\n z: 2\n]",
            {"name": "a", "description": "d"},
            id="maps over lines in brackets",
        ),
        pytest.param(
            "name: a\ndescription: d\nx: {y\n z: 1}",
            {"name": "a", "description": "d"},
            id="a key over lines in brackets",
        ),
        pytest.param(
            "name: a\ndescription: d\nx: [{\ny: 1\n}]",
            {"name": "a", "description": "d"},
            id="a brace in the column of a key",
        ),
        pytest.param("name:: a", {}, id="two colons"),
        pytest.param("x:\n \t- a", {}, id="a tab before a dash"),
        pytest.param(
            "name: a\ndescription: d\nx: [\n\ty]",
            {"name": "a", "description": "d"},
            id="a tab in brackets",
        ),
        pytest.param(
            "  name: a\n  description: d",
            {"name": "a", "description": "d"},
            id="indented",
        ),
        pytest.param(
            "name: a\ndescription: d\n...\nname: b",
            {"name": "a", "description": "d"},
            id="two documents",
        ),
        pytest.param(
            "...\nname: a\ndescription: d",
            {"name": "a", "description": "d"},
            id="an end first",
        ),
        pytest.param(
            "---\nname: a\ndescription: d",
            {"name": "a", "description": "d"},
            id="a document sign",
        ),
        pytest.param("---\n---\nname: a\ndescription: d", {}, id="two document signs"),
        pytest.param(
            "name: a\ndescription: d\n---",
            {"name": "a", "description": "d"},
            id="a document sign at the end",
        ),
        pytest.param(
            "%YAML 1.2\n---\nname: a\ndescription: d",
            {"name": "a", "description": "d"},
            id="a directive",
        ),
        pytest.param(
            "%YAML\n---\nname: a\ndescription: d",
            {"name": "a", "description": "d"},
            id="a version of nothing",
        ),
        pytest.param(
            "%TAG ! x\n---\nname: !a b\ndescription: d",
            {"name": "b", "description": "d"},
            id="a tag directive",
        ),
        pytest.param(
            "%TAG !! x\n---\nname: a\ndescription: d\nx: !!int",
            {"name": "a", "description": "d"},
            id="tags redefined, and no value",
        ),
        pytest.param(
            "%foo bar\n---\nname: a\ndescription: d",
            {"name": "a", "description": "d"},
            id="a directive of its own",
        ),
        pytest.param(
            "name: a\ndescription: d\nx: {a: !!int , b: !!bool , !!str : f}",
            {"name": "a", "description": "d"},
            id="default values in braces",
        ),
        pytest.param(
            "name: a\ndescription: d\nx: [!!str , a]",
            {"name": "a", "description": "d"},
            id="a tag at the end of a list",
        ),
        pytest.param(
            "name: a\ndescription: d\nx:\n  # c\n  - a # d\n  # e",
            {"name": "a", "description": "d"},
            id="a comment in a list",
        ),
        pytest.param(
            "name: a\ndescription: d\nx: {a:/b}",
            {"name": "a", "description": "d"},
            id="a slash in braces",
        ),
        pytest.param(
            "name: a\ndescription: d\nx: {a:b}",
            {"name": "a", "description": "d"},
            id="colons in braces",
        ),
        pytest.param(
            "name: a\ndescription: d\nx: {? a : b}",
            {"name": "a", "description": "d"},
            id="a question in braces",
        ),
        pytest.param(
            "name: a\ndescription: d\nx:\n  y: |\n  'z': b",
            {"name": "a", "description": "d"},
            id="an empty block and a quoted key",
        ),
        pytest.param(
            "name: !n 0x10\ndescription: d",
            {"name": "0x10", "description": "d"},
            id="a number and a tag of its own",
        ),
        pytest.param(
            'name: "a\n  b"\ndescription: d',
            {"name": "a b", "description": "d"},
            id="a multi-line quoted value, then a key",
        ),
        pytest.param(
            "name: a\ndescription: d\nx:\n%foo bar\n---\n",
            {"name": "a", "description": "d"},
            id="a directive among values",
        ),
        pytest.param(
            "%TAG !! x\n---\nname: !!int b\ndescription: !ap d",
            {"name": "b", "description": "d"},
            id="tags redefined",
        ),
        pytest.param(
            "name: d\nx: [\n y: 1,\n!!binary  z: 2\n]",
            {"name": "d"},
            id="a tag in the column of a key in brackets",
        ),
        pytest.param("x:\n  !- &a\n  !b c", {}, id="a tag on a dash's line"),
        pytest.param(
            "name: a\ndescription: >\n  a\n   \n  b\n  c",
            {"name": "a", "description": "a\n \nb\nc"},
            id="a folded block with blanks",
        ),
        pytest.param(
            "name: a\ndescription: a{b}",
            {"name": "a", "description": "a{b}"},
            id="a brace that opens in a text",
        ),
        pytest.param(
            "name: a\ndescription: b\t\t c",
            {"name": "a", "description": "b c"},
            id="a text then a tab",
        ),
        pytest.param(
            "name: a\ndescription: >\n  a\n    b\n  c\nx: y",
            {"name": "a", "description": "a\n  b\nc\n"},
            id="a folded block, deeper and back",
        ),
    ],
)
def test_what_is_read(content: str, fields: dict[str, object]) -> None:
    assert read(content) == fields


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        pytest.param("abc", "field-not-a-map", id="a text alone"),
        pytest.param("- a", "field-not-a-map", id="a list alone"),
        pytest.param("~", "field-not-a-map", id="null alone"),
        pytest.param("name\n x: a", "yaml-invalid", id="a key over lines"),
        pytest.param("'name\n x': a", "yaml-invalid", id="a quoted key over lines"),
        pytest.param("name: a\nname: b", "key-duplicate", id="a key twice"),
        pytest.param("name: a\n'name': b", "key-duplicate", id="a key twice, quoted"),
        pytest.param(
            "name: a\nx:\n  y: 1\n  y: 2", "key-duplicate", id="a key twice, deeper"
        ),
        pytest.param(
            "x: &k name\n*k : a\n*k : b", "key-duplicate", id="two aliases for keys"
        ),
        pytest.param(
            "? name\n: a\n? name\n: b", "key-duplicate", id="a question key twice"
        ),
        pytest.param("?", "field-not-a-map", id="a question without a key"),
        pytest.param("? [a]\n: b", "yaml-invalid", id="a question and a list"),
        pytest.param(
            "x: &x {name: b}\nname: a\n<<: *x\ndescription: d",
            "key-duplicate",
            id="a merge of what is there",
        ),
        pytest.param(
            "x: &x {name: b}\n<<: *x\nname: a\ndescription: d",
            "key-duplicate",
            id="what a merge brought",
        ),
        pytest.param(
            "x: &x {name: b}\n<<: [*x]\ndescription: d",
            "field-not-a-map",
            id="a merge of a list",
        ),
        pytest.param(
            "<<: a\nname: a\ndescription: d", "field-not-a-map", id="a merge of a text"
        ),
        pytest.param("<<: *q\nname: a", "yaml-invalid", id="a merge of an unknown"),
        pytest.param(
            "!!merge x: {name: a}", "yaml-invalid", id="a merge tag on a text"
        ),
        pytest.param("<<: {a: b}\n<<: {c: d}", "key-duplicate", id="two merges"),
        pytest.param(
            "name: a\ndescription: d\nmetadata:\n  a: [b]",
            "field-not-text",
            id="metadata, deeper",
        ),
        pytest.param(
            "name: a\ndescription: d\nmetadata: [a]",
            "field-not-a-map",
            id="metadata, a list",
        ),
        pytest.param(
            "name: a\ndescription: d\nmetadata: x",
            "field-not-a-map",
            id="metadata, a text",
        ),
        pytest.param(
            "name: a\ndescription: d\nmetadata: !!map {a: b}",
            "field-not-a-map",
            id="metadata, a tag",
        ),
        pytest.param(
            "name: a\ndescription: d\nmetadata: {1: b, '1': c}",
            "key-duplicate",
            id="metadata, twice the same",
        ),
        pytest.param(
            "name: a\ndescription: d\nmetadata: {~: b, '': c}",
            "key-duplicate",
            id="metadata, null twice",
        ),
        pytest.param(
            "name: a\ndescription: d\nallowed-tools: {a: b}",
            "field-not-text",
            id="tools, a map",
        ),
        pytest.param(
            "name: a\ndescription: d\nallowed-tools: [[a]]",
            "field-not-text",
            id="tools, lists",
        ),
        pytest.param(
            "name: a\ndescription: d\nallowed-tools: !!str a",
            "host-panics",
            id="tools, a tag",
        ),
        pytest.param(
            "x: &n {a: *n}\nname: a\ndescription: *n",
            "yaml-too-deep",
            id="a map in itself",
        ),
        pytest.param("name: a\nx: &", "yaml-invalid", id="an anchor without a name"),
        pytest.param("name: a\nx: *", "yaml-invalid", id="an alias without a name"),
        pytest.param(
            "x: &~ 5\nname: *~\ndescription: d", "yaml-invalid", id="null for an alias"
        ),
        pytest.param("x:\n!a b\nname: a", "yaml-invalid", id="a tag left of its key"),
        pytest.param(
            "name: a\ndescription: d\nx: &a",
            "yaml-invalid",
            id="an anchor on the last line",
        ),
        pytest.param("x:\n  -\n  !a b", "yaml-invalid", id="a tag under a dash"),
        pytest.param(
            "x:\n  - &a\n  !b c", "yaml-invalid", id="a tag under an anchor in a list"
        ),
        pytest.param("name: - a", "yaml-invalid", id="a list on the line of its key"),
        pytest.param("name: a\n- b", "yaml-invalid", id="a list behind its key"),
        pytest.param("- a\nb: c", "yaml-invalid", id="a map behind a list"),
        pytest.param(
            "name: a\n  x: b", "yaml-invalid", id="a value deeper than a pair"
        ),
        pytest.param(
            "name: a\ndescription: d\nx: {y: [z: 1\n   }",
            "yaml-invalid",
            id="a brace behind a map",
        ),
        pytest.param(": a", "yaml-invalid", id="a colon alone"),
        pytest.param("name:a", "field-not-a-map", id="a key without a space"),
        pytest.param("name: a\n\tx: b", "yaml-invalid", id="a tab before a key"),
        pytest.param("x: y\n \tname: a", "yaml-invalid", id="a tab behind a blank"),
        pytest.param("\tname: a", "yaml-invalid", id="a tab at the start"),
        pytest.param(
            "name: a\nx:\n    y: 1\n  z: 2", "yaml-invalid", id="deeper, then back"
        ),
        pytest.param(
            "  name: a\ndescription: d", "yaml-invalid", id="indented, then not"
        ),
        pytest.param(
            "name: a\ndescription: d\n...\nb", "yaml-invalid", id="text behind an end"
        ),
        pytest.param("--- name: a", "yaml-invalid", id="a key beside a document sign"),
        pytest.param("--- - a", "yaml-invalid", id="a dash beside a document sign"),
        pytest.param("--- a", "field-not-a-map", id="a text beside a document sign"),
        pytest.param("----\nname: a", "yaml-invalid", id="four dashes"),
        pytest.param("....\nname: a", "yaml-invalid", id="four dots"),
        pytest.param(
            "%YAML 3.0\n---\nname: a", "yaml-invalid", id="an unknown version"
        ),
        pytest.param(
            "%YAML 1.2\n---\na\n%YAML 1.2\n---\nname: a",
            "field-not-a-map",
            id="two versions",
        ),
        pytest.param(
            "%YAML 1.2 x\n---\nname: a", "yaml-invalid", id="a version and more"
        ),
        pytest.param(
            "%TAG !\n---\nname: a", "yaml-invalid", id="a tag directive with too little"
        ),
        pytest.param(
            "%TAG !! x\n---\nname: !!int b\ndescription: !!map d",
            "yaml-invalid",
            id="tags redefined",
        ),
        pytest.param(
            "%foo bar\nname: a", "yaml-invalid", id="a directive without a document"
        ),
        pytest.param("%foo", "yaml-invalid", id="a directive and no more"),
        pytest.param("%", "yaml-invalid", id="a directive without a name"),
        pytest.param(
            "%[a]\n---\nname: a", "yaml-invalid", id="a directive that is a list"
        ),
        pytest.param(
            "name: a\ndescription: d\nx: {a: !!int }",
            "yaml-invalid",
            id="a tag before a closing brace",
        ),
        pytest.param(
            "name: a\nx: {!!seq : b}", "yaml-invalid", id="a tag for a list as a key"
        ),
        pytest.param("!!str [a]: b", "yaml-invalid", id="a tag of nothing but a list"),
        pytest.param(
            "name: a\ndescription: d\nx: {&a b, &c d: e, &f : g}",
            "yaml-invalid",
            id="an anchor in braces",
        ),
        pytest.param(
            "name: a\ndescription: d\nx: [&a ]",
            "yaml-invalid",
            id="an anchor at the end in brackets",
        ),
        pytest.param(
            'name: "a\tb"\nx: c\ndescription: d',
            "yaml-invalid",
            id="a tab and a quote behind it",
        ),
        pytest.param(
            "'name': a\n'description':\n  - b",
            "description-not-text",
            id="a quoted key, then a deeper list",
        ),
        pytest.param(
            "%TAG !! x\n---\nname: !!int b\ndescription: !!map ",
            "yaml-invalid",
            id="redefined tags on nothing",
        ),
        pytest.param(
            "&n\t\nn\t\nkil", "field-not-a-map", id="an anchor before a text over lines"
        ),
        pytest.param(
            "!!str\na\ndescription: d", "yaml-invalid", id="a tagged scalar and a map"
        ),
        pytest.param("   &a-\n  &a-\n  ,a b", "yaml-invalid", id="anchors on lines"),
        pytest.param(
            "name: a\ndescription: d\nx: [\n y: 1\n z]",
            "yaml-invalid",
            id="a text in the column of a key",
        ),
        pytest.param(
            "name: a\n{- b",
            "yaml-invalid",
            id="a brace in the column of a key, and a dash",
        ),
        pytest.param(
            "name: {a\n  : b,}",
            "yaml-invalid",
            id="a colon at the start of a line in braces",
        ),
        pytest.param("x:\nx:", "key-duplicate", id="a key without a value twice"),
        pytest.param("x:\n&a \n&a }", "yaml-invalid", id="anchors and a brace"),
        pytest.param("{abc", "yaml-invalid", id="an open brace"),
        pytest.param(
            "name: a\ndescription: d\nx: {k: [\ny: 1\n}]}",
            "yaml-invalid",
            id="a brace for the map in brackets",
        ),
        pytest.param(
            "name: a\ndescription: d\nx: {k: [\ny: 1\nz: 2\n}\nw: 3\n]}",
            "yaml-invalid",
            id="a brace for one of two maps",
        ),
        pytest.param(
            "x: |\n\n   \n ''", "yaml-invalid", id="blanks before less indent"
        ),
        pytest.param("? ", "yaml-invalid", id="a question at the end"),
        pytest.param(
            "x: y\n'e: n\ndescription: |\n\ta", "yaml-invalid", id="a tab under a quote"
        ),
        pytest.param("?|", "field-not-a-map", id="a question mark and more"),
        pytest.param(">", "field-not-a-map", id="a header and no more"),
        pytest.param("   nax\n\n\n??", "field-not-a-map", id="two question marks"),
        pytest.param("--'", "field-not-a-map", id="dashes and a quote"),
        pytest.param(" \t- a", "yaml-invalid", id="a blank, a tab and a dash"),
        pytest.param("---a", "field-not-a-map", id="dashes and a letter"),
        pytest.param("&?&?", "yaml-invalid", id="an anchor with signs"),
        pytest.param("-@", "field-not-a-map", id="a dash and a reserved sign"),
        pytest.param("ab[c''", "field-not-a-map", id="a bracket in a text"),
        pytest.param("a]b", "field-not-a-map", id="a closing bracket in a text"),
        pytest.param(":{", "field-not-a-map", id="a brace behind a colon"),
        pytest.param(">-\n...\n...\n\n...\n", "yaml-invalid", id="dots in a block"),
        pytest.param(" >-\n ", "field-not-a-map", id="a header behind a blank"),
        pytest.param("!!bool ", "yaml-invalid", id="a tag alone"),
    ],
)
def test_what_is_refused(content: str, rule: str) -> None:
    assert read(content) == rule


def test_aliases_of_aliases_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    lists = "".join(f"l{n}: &l{n + 1} [*l{n}, *l{n}]\n" for n in range(9))
    content = f"l: &l0 [a]\n{lists}name: n\ndescription: *l9"
    assert read(content) == "description-not-text"
    monkeypatch.setattr(goccy_struct, "MAX_VALUES", 1_000)
    assert read(content) == "yaml-invalid"


def test_lists_in_lists_are_bounded() -> None:
    content = f"name: a\nx: {'[' * 49}"
    assert read(content) == "yaml-too-deep"


def test_a_chain_of_aliases_is_bounded() -> None:
    lists = "".join(f"l{n}: &l{n + 1} [*l{n}]\n" for n in range(1_500))
    content = f"l: &l0 [a]\n{lists}description: *l1500"
    assert read(content) == "yaml-too-deep"


def test_what_is_wrong_is_told_at_its_place() -> None:
    text = "---\nname: a\nx: @b\n---\n"
    _, found = read_tree(Header(text, 4, 18), RULE)
    assert found == (
        Diagnostic(
            rule="yaml-invalid",
            severity=Severity.ERROR,
            message="the frontmatter is not valid YAML: "
            "a reserved character cannot start a text",
            position=Position(3, 4),
            span=Span(15, 17),
            help=None,
        ),
    )


def test_what_is_no_unicode_is_one_sign() -> None:
    assert read("name: a\udc80\udcffb") == {"name": "a\ufffd\ufffdb"}
