"""What the property tests draw from: headers, files and texts, real and hostile."""

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import settings
from hypothesis import strategies as st


def times(factor: int) -> settings:
    """So many times as many examples as the profile says."""
    return settings(max_examples=factor * settings().max_examples)


# The last few are no text to every engine, so that no header with them reads quickly.
KEYS = (
    *(
        "name",
        "description",
        "license",
        "metadata",
        "allowed-tools",
        "tags",
        "_",
        "a-b",
    ),
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

# --- whole trees, and what can stand in a catalog -------------------------------------

_ANY_CHARACTER = st.characters(codec=None, exclude_categories=())
_MARKUP = (
    *("<", ">", "&", "'", '"', "]]>", "<![CDATA[", "<!--", "-->", "<?x", "&amp;"),
    *("&#13;", "&lt;", "&#x0;", "</name>", "</skill>", "</available_skills>", "{name}"),
    *("\r", "\n", "\r\n", "\t", " ", "\x00", "\x1b", "\x7f", "\x85", "\u2028"),
    *("\ud800", "\udfff", "\udc80", "\ufffe", "\uffff", "\ufffd", "\ufeff", "a", "日"),
)
# Text that is made to break out of a catalog.
MARKUP_TEXTS = st.lists(
    st.sampled_from(_MARKUP) | st.text(_ANY_CHARACTER, max_size=5), max_size=8
).map("".join)

SKILL_NAMES = st.sampled_from(["a", "b", "c", "10", "9", "__proto__"])

_TREE_NAMES = ("a", "b", "a-b", ".h", "node_modules", "vendor", "x y", "é", "skills")
_FILE_NAMES = (
    *("SKILL.md", "SKILL.md", "SKILL.md", "skill.md", "Skill.MD", "flat.md"),
    *(".md", "README.txt"),
)
_TREE_FOLDERS = st.lists(st.sampled_from(_TREE_NAMES), max_size=3).map("/".join)


def _file_text(name: str, mark: str, extra: str, ending: str) -> str:
    text = f"{mark}---\nname: {name}\ndescription: Does {name}\n{extra}---\nBody\n"
    return text.replace("\n", ending)


TREE_FILES = st.one_of(
    st.builds(
        _file_text,
        st.sampled_from([*_TREE_NAMES, "__proto__", "7", "Odd Name"]),
        st.sampled_from(["", "", "", "\ufeff", "\n"]),
        st.sampled_from(
            ["", "", "disable-model-invocation: true\n", "x: [\n", "a:b\n"]
        ),
        st.sampled_from(["\n", "\n", "\r\n"]),
    ),
    st.sampled_from(["", "text", "---\n", "---\n---\n", "---\nname: '\n---\n", "\x00"]),
    st.sampled_from([b"\xff\xfe", b"---\nname: a\xff\ndescription: b\n---\n"]),
)
_LINK_TARGETS = st.sampled_from(
    [
        *(".", "..", "../..", "a", "b", "../a", "../b", "a/b", "../a/../b", "gone"),
        *("gone/../a", "a/../../b", "SKILL.md", "../SKILL.md", "../a/SKILL.md"),
        *("SKILL.md/../a", "flat.md", "x y", ".h", "./a/.", "é/"),
    ]
)
_ENTRIES = st.one_of(
    TREE_FILES.map(lambda content: ("file", content)),
    TREE_FILES.map(lambda content: ("file", content)),
    _LINK_TARGETS.map(lambda target: ("link", target)),
    st.just(("pipe", "")),
    st.just(("folder", "")),
)


def trees(
    places: tuple[tuple[str, ...], ...],
) -> st.SearchStrategy[dict[str, tuple[str, Any]]]:
    """Files, links, pipes and folders by their path, most below one group of places."""
    return st.sampled_from(places).flatmap(_tree_below)


def _tree_below(
    group: tuple[str, ...],
) -> st.SearchStrategy[dict[str, tuple[str, Any]]]:
    place = st.sampled_from(group)
    name = st.sampled_from(_TREE_NAMES)
    # A good skill where it should be, one deeper, anything anywhere, a link to it all.
    good = st.builds(
        _good_skill,
        place,
        st.sampled_from(["a", "b", "a-b"]),
        st.sampled_from(["", "", "", "b", ".h"]),
    )
    odd = st.tuples(
        st.builds(_joined, place, _TREE_FOLDERS, st.sampled_from(_FILE_NAMES)), _ENTRIES
    )
    link = st.tuples(
        st.builds(_joined, place, _TREE_FOLDERS, name),
        _LINK_TARGETS.map(lambda target: ("link", target)),
    )
    entries = st.lists(st.one_of(good, good, odd, link), min_size=1, max_size=12)
    return entries.map(_consistent)


def _good_skill(place: str, name: str, above: str) -> tuple[str, tuple[str, Any]]:
    text = _file_text(name, "", "", "\n")
    return _joined(place, above, name, "SKILL.md"), ("file", text)


def _joined(*parts: str) -> str:
    return "/".join(filter(None, parts))


def _consistent(
    entries: list[tuple[str, tuple[str, Any]]],
) -> dict[str, tuple[str, Any]]:
    """The entries that can stand in one tree: nothing below what is no folder."""
    tree: dict[str, tuple[str, Any]] = {}
    folders: set[str] = set()
    for path, entry in entries:
        parts = path.split("/")
        above = {"/".join(parts[:count]) for count in range(1, len(parts))}
        taken = {each for each in tree if tree[each][0] != "folder"}
        if path in tree or path in folders or above & taken:
            continue
        tree[path] = entry
        folders |= above
    return tree


_FILE_PIECES = (
    *("---", "---", "---\n", "---\r\n", "\n---", "\n---\n", "\r\n---\r\n", "--- \n"),
    *(
        "\n",
        "\r\n",
        "\r",
        " ",
        "\t",
        "-",
        "----",
        "---x",
        "x",
        "a: b",
        "a: b: c\n",
        "#",
    ),
    *(
        "name: n\n",
        "description: d\n",
        "\ufeff",
        "\xa0",
        "\x85",
        "\u2028",
        "\x1c",
        "yaml",
    ),
    *("json", " ---\n", "--", ":", "$1", "'", '"', "é"),
)
# Texts of whole files in which a fence may start and end anywhere.
FILES = st.lists(st.sampled_from(_FILE_PIECES), max_size=12).map("".join) | st.text(
    "-\n\r a:", max_size=20
)

_KEY_TEXTS = st.sampled_from(KEYS) | st.text(max_size=6)
_TEXTS = st.text() | st.sampled_from([each for each in _PLAIN if each != "\ud83d"])
_LEAVES = st.none() | st.booleans() | st.integers() | _TEXTS
# What a header may hold, as PyYAML writes it in one of its manners.
DUMPED = st.builds(
    lambda tree, style, is_unicode: yaml.safe_dump(
        tree, default_flow_style=style, allow_unicode=is_unicode, width=40
    ),
    st.dictionaries(
        _KEY_TEXTS,
        st.recursive(
            _LEAVES,
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(_KEY_TEXTS, inner, max_size=3)
            ),
            max_leaves=6,
        ),
        max_size=5,
    ),
    st.sampled_from([None, True, False]),
    st.booleans(),
)
_TYPICAL_VALUES = st.one_of(
    st.sampled_from(
        [f" {value}\n" for value in (*_TAME, '"\\ud83d\\udd2c"', "a: b", "*a*")]
    ),
    st.builds(
        lambda mark, lines: f" {mark}\n{indented('  ', lines)}",
        st.sampled_from(["|", ">", "|-", ">-", "a", "'b", ""]),
        st.lists(st.sampled_from(["c d", "", "- e", "f: g", "h'", "# i"]), min_size=1),
    ),
)
# What authors write, mistakes included.
TYPICAL = st.dictionaries(st.sampled_from(KEYS), _TYPICAL_VALUES, max_size=4).map(
    lambda fields: "".join(f"{key}:{value}" for key, value in fields.items())
)
