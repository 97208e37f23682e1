"""Ignore files of any content: never an error, and what holds for all of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from metier.core.ignore_rules import IgnoreRules

_TOKENS = st.sampled_from(
    (
        *"a b * ** *** ? / ! # \\ [ ] [a-z] [!a] [[:alpha:]] [z-a] - .md . é \r".split(
            " "
        ),
        *(
            "\n",
            " ",
            "\t",
            "\ufeff",
            "[[:",
            "[\\]]",
            "\\ ",
            "\\/",
            "/**",
            "**/",
            "(",
            "+",
        ),
    )
)
_TEXTS = st.lists(_TOKENS, max_size=20).map("".join) | st.text(max_size=30)
_NAMES = st.sampled_from(("a", "b", "ab", "A", "é", "a.md", "*", "[", "\\", "a b"))
_PATHS = st.lists(_NAMES, min_size=1, max_size=4).map("/".join)


def rules_of(text: str, folder: str = "") -> IgnoreRules:
    rules = IgnoreRules()
    rules.add(text, folder, ".gitignore")
    return rules


@given(_TEXTS, _PATHS, st.booleans())
def test_any_text_is_an_ignore_file(text: str, path: str, is_folder: bool):
    assert rules_of(text).find(path, is_folder=is_folder) in (None, ".gitignore")


@given(_TEXTS, _PATHS, _NAMES)
def test_below_what_is_ignored_everything_is(text: str, path: str, name: str):
    rules = rules_of(text)
    if rules.find(path, is_folder=True) is not None:
        assert rules.find(f"{path}/{name}", is_folder=False) is not None


@given(_TEXTS, _PATHS)
def test_a_folder_says_nothing_about_what_lies_outside_of_it(text: str, path: str):
    assert rules_of(text, "inner").find(path, is_folder=False) is None


@given(st.lists(_NAMES.filter(str.isalnum)), _PATHS)
def test_a_name_alone_is_about_that_name_at_any_depth(names: list[str], path: str):
    found = rules_of("\n".join(names)).find(path, is_folder=False)
    folded = {name.upper() for name in names}
    is_named = any(name.upper() in folded for name in path.split("/"))
    assert (found is not None) is is_named
