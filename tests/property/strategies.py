"""What the property tests draw from: headers, files and texts, real and hostile."""

from __future__ import annotations

from hypothesis import strategies as st

# The last few are no text to every engine, so that no header with them reads quickly.
KEYS = (
    *("name", "description", "license", "metadata", "allowed-tools", "tags", "_", "a-b"),
    *("__proto__", "constructor", "k" * 100, "true", "No", "y", "null"),
)
_PLAIN = (
    *("word", "two words", "word ", "a:b", "a::b", "http://x.y/z#w", "c#d", "c # d"),
    *("#d", "c #", "a: b", "a:", "a :b", ":a", ": a", "- a", "-a", "-", "--- a"),
    *("?", "? a", "?a", "a?", "a, b", "a [b] {c}", "[a", "a]", "{a", "a}", "|a", ">a"),
    *("&a b", "*a", "!a b", "!!str a", "!", "%a", "@a", "`a`", "a`b", "~", "null"),
    *("yes", "1_000", "0o7", "1.5", ".inf", "2026-01-01", "12:30:45", "=", "<<", "é"),
    *("日本語", "\U0001f52c", "a\u3000b", "\u3000", "a\xa0", "\xa0a", "\u200b", "a\tb"),
    *("\ta", "a\t", "a\x85b", "a\u2028b", "\ufeffa", "a\ufeff", "a\x7f", "\ud83d"),
    *("a\x00b", "\ufffe", "it's", 'say "x"', "a'", 'a"', "...", "... a", "a\\nb", "=a"),
)
_QUOTED = (
    *('""', "''", '"\'"', "'\"'", "'it''s'", "'a' ", '"a"  ', '"a" #b', '"a"#b'),
    *('"a" b', '"a"b', "'a'b", "'a", '"a', "'''", '"""', "''''", "'a'''", '"\\""'),
    *('"a\\nb"', '"\\t"', '"\\\\"', '"\\\\\\""', '"\\"', '"\\u00e9"', '"\\u0041b"'),
    *('"\\u0000"', '"\\u001f"', '"\\u0085"', '"\\u2028"', '"\\ud83d\\udd2c"'),
    *('"\\ufffe"', '"\\uFFFF"', '"\\ufeff"', '"\\u12"', '"\\x41"', '"\\U0001f52c"'),
    *('"\\/"', '"\\\'"', '"\\ "', '"\\e"', '"\\q"', '"a: b # c"', "'a: b # c'"),
    *('"- a"', "'[a'", '" a "', "' a '", '"a\tb"', '"a\xa0"', '"\x7f"', '"a": b'),
)
_FLOW = (
    *("[]", "{}", "[ ]", "{ }", "[a]", "[a, b]", "[a, b,]", "[,]", "[a,,b]", "[a b ]"),
    *("[a] b", "[a] # b", "[a]#b", "[a]  ", "[[a]]", "[[a], [b, c]]", "[a: b]", "[a:]"),
    *("[:a]", "[a:b]", "[a :b]", "[a#b]", "[a #b]", "[-a]", "[- a]", "[?a]", "[a?]"),
    *("[a?b]", "['a', \"b\"]", "['a'b]", '["a":b]', '["a" :b]', "[{a: b}]", "[*a]"),
    *("[{a: b, c: d}]", "{a: b}", "{a: b, c: d}", "{a: b, a: c}", "{a:b}", "{a: b }"),
    *("{ a: b}", "{a: [b]}", "{a: {b: c}}", "{a: b}}", "{a: }", "{a}", "{true: b}"),
    *('{"a": "b"}', '{"a":"b"}', '{"a":1,"b":[2,3]}', '{"a": {"b": {"c": null}}}'),
    *('{"a": 1, "a": 2}', '{"a":"\\/"}', '{"a": "\\u00e9"}', '{"a": NaN}', '{"a":-1}'),
    *('{"": 1}', '{"a": []}', '{"a": "b"} c', '{"a" : 1}', '{"a": 1,}', '{"a":true}'),
    *('{"true": 1, "a": 2}', "{{a}}", "{{ a }}", "[Bash(git:*), Read]", "[http://x]"),
    *(
        "[" * 14 + "]" * 14,
        "[" * 17 + "]" * 17,
        "[%a]",
        "[@a]",
        "[a",
        "[\ta]",
        "[a\xa0]",
    ),
    *('{"a": "' + "b" * 1000 + '"}', '["' + "b" * 1100 + '"]', "[a, ]", "[é, 日]"),
)
_MARKS = (
    *("|", ">", "|-", ">-", "|+", ">+", "|2", ">1-", "| ", "|a", "| # a", ">-  ", "|#"),
)
VALUES = ("", " ", "  ", *_PLAIN, *_QUOTED, *_FLOW, *_MARKS, *(f" {v}" for v in _MARKS))
_RAW = (
    *(
        "\n",
        "\n\n",
        " \n",
        "    \n",
        "\t\n",
        "\r\n",
        "\r",
        "# a\n",
        " # a\n",
        "#\n",
        "#",
    ),
    *(
        "---\n",
        "...\n",
        "--- a\n",
        "%YAML 1.1\n",
        "text\n",
        "? a\n",
        ": b\n",
        "{a: b}\n",
    ),
    *(
        "- a\n",
        "-\n",
        "'a': b\n",
        '"a": b\n',
        "a : b\n",
        "1: a\n",
        "a.b: c\n",
        "é: a\n",
    ),
    *(
        "<<: {a: b}\n",
        "name :a\n",
        "name:a\n",
        "name\n",
        "k" * 101 + ": a\n",
        "!a b: c\n",
    ),
)
_INDENTS = ("", " ", "  ", "   ", "    ", "\t", "- ", "  - ", "    - ", "  -  ", "- - ")
_BELOW = (
    *("a", "b c", "a ", "# a", "#a", "a # b", "a: b", "a:b", "a:", "c: d", "a: 'x'"),
    *("a: [b]", "a: {b: c}", "a: |", "a: >-", "[a, b]", "{a: b}", "'a'", '"a"', "a'"),
    *('a"', "- a", "-a", "-", "---", "...", "?", "&a b", "*a", "!a", "true: a", "x"),
    *(
        "k: v",
        "k: w",
        "- k: v",
        "x:  y",
        '"k": v',
        "a\\",
        "",
        "\xa0",
        "日本",
        "a: b: c",
    ),
    *("\ufeff", "]", "}", ",", "a,", '\\"', "''", '"a: b"', "k: # c", "- ", "k :"),
)
_TAME = (
    *("word", "two words", "word ", "a:b", "http://x.y/z#w", "c#d", "c # d", "日本語"),
    *("a, b", "a [b] {c}", "1.5", "yes", "~", "a\u3000b", "\U0001f52c", "it's", "=a"),
    *("''", '""', "'it''s'", '"a"  ', '"\\\\"', '"a\\nb"', '"\\u00e9"', '"a: b # c"'),
    *("[]", "[a, b]", "[Bash(git:*), Read]", "[[a], [b, c]]", "{a: b}", "[{a: b}]", ""),
    *('{"a":1,"b":[2,3]}', '{"a": {"b": {"c": null}}}', "{a: [b], c: d}", " a", "#a"),
)
_ALL_LINES = [
    *(f"{key}: {value}\n" for key in KEYS for value in VALUES),
    *(f"{indent}{text}\n" for indent in _INDENTS for text in _BELOW),
    *(_RAW * 10),
]
_TREE_LINES = [
    *(f"{item}{text}" for item in ("", "- ", "  ", "  - ", "    ") for text in _BELOW),
    *(["", "a", "b c", "k: v", "m:", "n: w", "  o: p", "- a", "- b", "- q: r"] * 20),
]
# What stands on the line of a key and below it: text after a mark, folded text, a
# list, a map, quoted text.
_LINES_BELOW = st.one_of(
    st.lists(st.sampled_from(_TREE_LINES), max_size=5),
    st.lists(st.sampled_from(["a", "b c", "d:e", "f ", "# g", ""]), max_size=5),
    st.lists(st.sampled_from([f"- {each}" for each in _TAME]), max_size=4),
    st.lists(
        st.sampled_from([f"{key}: {each}" for key in "abcd" for each in _TAME]),
        max_size=4,
    ),
)
_OPENINGS = st.sampled_from(
    [
        "",
        "",
        "",
        " ",
        *(f" {each}" for each in _MARKS),
        " |",
        " >",
        " a",
        " a b ",
        " [a",
    ]
)
_QUOTED_LINES = st.tuples(
    st.lists(st.sampled_from([*_BELOW, "", "", "\\n", "''"]), max_size=3),
    st.sampled_from(["'", '"', " 'x", "b'", 'c"', "d' ", '\\\\"', "'''"]),
).map(lambda parts: [*parts[0], parts[1]])
_FIELDS_BELOW = st.one_of(
    st.tuples(_OPENINGS, _LINES_BELOW),
    st.tuples(st.sampled_from([" 'a", ' "a', " '", ' "']), _QUOTED_LINES),
)
_FIELDS = st.one_of(
    st.sampled_from([f": {value}\n" for value in _TAME * 6 + VALUES]),
    st.builds(
        lambda margin, field: f":{field[0]}\n{indented(margin, field[1])}",
        st.sampled_from(["  ", " ", "    "]),
        _FIELDS_BELOW,
    ),
)
HOSTILE_CHARACTERS = (
    " \t\n\r:#-?,[]{}&*!|>'\"%@`\\~=<.a1é\xa0\x85\u2028\ufeff\x00\ud83d"
)
EDITS = st.lists(
    st.tuples(
        st.integers(0, 300), st.integers(0, 2), st.sampled_from(HOSTILE_CHARACTERS)
    ),
    max_size=2,
)


def indented(margin: str, lines: list[str]) -> str:
    """Every line on its own, those with a text moved to the right."""
    return "".join(f"{margin}{line}\n" if line else "\n" for line in lines)


def edited(text: str, edits: list[tuple[int, int, str]]) -> str:
    """`text` with a character put in, or in place of up to two, at each place."""
    for place, length, character in edits:
        at = place % (len(text) + 1)
        text = text[:at] + character + text[at + length :]
    return text


@st.composite
def headers(draw: st.DrawFn) -> str:
    """A header that YAML engines read, nearly read, or read in different ways."""
    keys = draw(st.lists(st.sampled_from(KEYS[:-4]), max_size=4, unique=True))
    lines = [key + draw(_FIELDS) for key in keys]
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
        lines.insert(
            draw(st.integers(0, len(lines))), draw(st.sampled_from(_ALL_LINES))
        )
    text = "".join(lines)
    if draw(st.sampled_from([False, False, True])):
        text = edited(text, draw(EDITS))
    ending = draw(st.sampled_from(["as it is", "as it is", "cut", "CRLF"]))
    if ending == "CRLF":
        return text.replace("\n", "\r\n")
    return text.removesuffix("\n") if ending == "cut" else text


HEADERS = headers()
