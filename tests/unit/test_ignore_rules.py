"""Ignore files: what `ignore` 7.0.16 answered for the same patterns and paths."""

from __future__ import annotations

import time

import pytest

from metier.core.ignore_rules import MAX_PATTERN, MAX_RULES, IgnoreRules


def rules_of(*files: tuple[str, str]) -> IgnoreRules:
    """The rules of ignore files, each in its folder."""
    rules = IgnoreRules()
    for folder, text in files:
        rules.add(text, folder, f"{folder}/.gitignore".lstrip("/"))
    return rules


def ignored(rules: IgnoreRules, paths: str) -> list[str]:
    """Those of some paths that are ignored; folders end with a slash."""
    return [
        path
        for path in paths.split()
        if rules.find(path.removesuffix("/"), is_folder=path.endswith("/"))
    ]


PATHS = "a a/ a/b a/b/c b b/ b/a c/a c/b/ a.md c/a.md ab A"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("# a\n  # b\n\n   ", ""),
        ("a", "a a/ a/b a/b/c b/a c/a A"),
        ("/a", "a a/ a/b a/b/c b/a c/a A"),
        ("//a", "a a/ a/b a/b/c A"),
        ("a/", "a/ a/b a/b/c"),
        ("a/b", "a/b a/b/c"),
        ("a/b/", "a/b/c"),
        ("*", PATHS),
        ("**", PATHS),
        ("**/", "a/ a/b a/b/c b/ b/a c/a c/b/ c/a.md"),
        ("*/", "a/ a/b a/b/c b/ b/a c/a c/b/ c/a.md"),
        ("a*", "a a/ a/b a/b/c b/a c/a a.md c/a.md ab A"),
        ("?", "a a/ a/b a/b/c b b/ b/a c/a c/b/ c/a.md A"),
        ("a?", "ab"),
        ("*b", "a/b a/b/c b b/ b/a c/b/ ab"),
        ("*.md", "a.md c/a.md"),
        ("a*d", "a.md c/a.md"),
        ("*a*.*m*", "a.md c/a.md"),
        ("a/**", "a/b a/b/c"),
        ("**/a", "a a/ a/b a/b/c b/a c/a A"),
        ("a/**/c", "a/b/c"),
        ("a/**/b", "a/b a/b/c"),
        ("***/c", "a/b/c c/a c/b/ c/a.md"),
        ("a/***/c", "a/b/c"),
        ("a/**c", ""),
        ("**/b/**", "a/b/c b/a"),
        ("**/c/**/", "c/b/"),
        ("a/**/", "a/b/c"),
        ("c/*", "c/a c/b/ c/a.md"),
        ("a//b", ""),
        ("[ab]", "a a/ a/b a/b/c b b/ b/a c/a c/b/ A"),
        ("[!b]", "a a/ a/b a/b/c b/a c/a c/b/ c/a.md A"),
        ("[^b]", "a a/ a/b a/b/c b/a c/a c/b/ c/a.md A"),
        ("[B-Z]", "a/b a/b/c b b/ b/a c/a c/b/ c/a.md"),
        ("[b-a]", "a/b a/b/c b b/ b/a c/b/"),
        ("[a-]", "a a/ a/b a/b/c b/a c/a A"),
        ("[]a]", "a a/ a/b a/b/c b/a c/a A"),
        ("[[:alpha:]]", "a a/ a/b a/b/c b b/ b/a c/a c/b/ c/a.md A"),
        ("[[:upper:]b-]", "a a/ a/b a/b/c b b/ b/a c/a c/b/ c/a.md A"),
        ("[[:digit:]-a]", "a a/ a/b a/b/c b/a c/a A"),
        ("[[:foo:]]", ""),
        ("[[:a]", "a a/ a/b a/b/c b/a c/a A"),
        ("[[:", ""),
        ("[[:]", ""),
        ("[[:]a]", ""),
        ("[a", ""),
        ("[", ""),
        ("[\\a-\\b]", "a a/ a/b a/b/c b b/ b/a c/a c/b/ A"),
        ("[/]", ""),
        ("\\a", "a a/ a/b a/b/c b/a c/a A"),
        ("\\*", ""),
        ("\\", ""),
        ("a\\/b", "a/b a/b/c"),
        ("a\\/", ""),
        ("**\\/c", ""),
        ("**\\/b", "a/b a/b/c c/b/"),
        ("\\!a", ""),
        ("a   ", "a a/ a/b a/b/c b/a c/a A"),
        ("a\\  ", ""),
        ("a\r", "a a/ a/b a/b/c b/a c/a A"),
        ("a\r\nab\r\n", "a a/ a/b a/b/c b/a c/a ab A"),
        ("\ufeffab", "ab"),
        ("a\n!a", ""),
        ("a\n!a/", "a b/a c/a A"),
        ("a/\n!a/b", "a/ a/b a/b/c"),
        ("*\n!c/", PATHS),
        ("*\n!c/\n!*.md", "a a/ a/b a/b/c b b/ b/a c/a c/b/ ab A"),
        ("!a", ""),
        ("a/b/*\n!a/b", "a/b/c"),
        ("/#a\nab", "ab"),
        ("!", ""),
        ("/", ""),
    ],
)
def test_a_pattern_in_the_root_names(text: str, expected: str) -> None:
    assert ignored(rules_of(("", text)), PATHS) == expected.split()


@pytest.mark.parametrize(
    ("folder", "text", "expected"),
    [
        ("c", "a", "c/a"),
        ("c", "/a", "c/a"),
        ("c", "*.md", "c/a.md"),
        ("c", "**/a", "c/a"),
        ("c", "/", "c/a c/b/ c/a.md"),
        ("c", "!a", ""),
        ("a", "c", ""),
        ("a", "*/c", "a/b/c"),
        ("a/b", "c", "a/b/c"),
        ("c", "\\!a", ""),
        ("[ac]", "b", "a/b a/b/c c/b/"),
    ],
)
def test_a_pattern_below_the_root_is_about_its_folder(
    folder: str, text: str, expected: str
) -> None:
    assert ignored(rules_of((folder, text)), PATHS) == expected.split()


def test_an_exclamation_mark_and_a_hash_may_be_escaped() -> None:
    rules = rules_of(("", "\\!a\n\\#b\n\\\\!c"))
    assert ignored(rules, "!a #b !c a") == ["#b"]


def test_blanks_at_the_end_may_be_kept() -> None:
    rules = rules_of(("", "a\\ "))
    assert rules.find("a ", is_folder=False) == ".gitignore"


@pytest.mark.parametrize(
    ("text", "name", "is_ignored"),
    [
        ("É", "é", True),
        ("[À-Ü]", "é", True),
        ("[\u0100-\U0001ffff]", "\u0101", True),
        ("s", "ſ", False),
        ("ß", "SS", False),
        ("[!é]", "É", False),
    ],
)
def test_letters_count_in_either_case(text: str, name: str, *, is_ignored: bool):
    found = rules_of(("", text)).find(name, is_folder=False)
    assert (found is not None) is is_ignored


def test_a_later_rule_changes_what_was_answered() -> None:
    rules = rules_of(("", "a"))
    assert ignored(rules, "a/b c/") == ["a/b"]
    rules.add("!a\nc", "", ".ignore")
    assert ignored(rules, "a/b c/") == ["c/"]
    assert rules.find("c", is_folder=True) == ".ignore"


def test_so_many_rules_count_and_no_longer_ones() -> None:
    rules = rules_of(("", "x" * (MAX_PATTERN + 1) + "\n" + "b\n" * MAX_RULES + "a"))
    assert rules.is_full
    assert ignored(rules, PATHS) == "a/b a/b/c b b/ b/a c/b/".split()


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a" * 500 + "b", "a" * 4_000),
        ("**/a/" * 200 + "b", "a/" * 200 + "c"),
        ("?*" * 500, "a" * 400),
        ("[a-z]*" * 100 + "!", "a" * 4_000),
    ],
)
def test_hostile_patterns_take_linear_time(pattern: str, path: str) -> None:
    started = time.process_time()
    rules = rules_of(("", pattern))
    assert rules.find(path, is_folder=False) is None
    assert time.process_time() - started < 2
