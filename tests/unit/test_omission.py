from __future__ import annotations

import pytest

from metier.core.omission import explain_omission
from metier.core.selection import (
    Case,
    FlatReach,
    Hidden,
    Links,
    Nested,
    RootFile,
    Selection,
)

NOT_REACHED = "the walk does not reach it"
NO_DOTS = "folders whose name starts with a dot are not searched"


def explained(path: str, *links: str, **rules: object) -> str:
    selection = Selection(**rules)  # pyright: ignore[reportArgumentType]
    return explain_omission(path, selection, is_link=lambda folder: folder in links)


@pytest.mark.parametrize(
    ("path", "rules", "reason"),
    [
        (".a/x/SKILL.md", {"hidden": Hidden.SKIP}, NO_DOTS),
        (".a/x/SKILL.md", {}, NOT_REACHED),
        ("a/x/SKILL.md", {"hidden": Hidden.SKIP}, NOT_REACHED),
        (
            "a/dist/SKILL.md",
            {"skip": ("dist",)},
            "folders called `dist` are not searched",
        ),
        (
            "a\tb/x/SKILL.md",
            {"skip_characters": "\n\t"},
            "folders with `\\t` in their name are not searched",
        ),
        ("a/x/SKILL.md", {"skip_characters": "\n\t"}, NOT_REACHED),
        ("a/x/SKILL.md", {"under": ("b", "c")}, "only `b` or `c` is searched"),
        ("b/x/SKILL.md", {"under": ("b", "c")}, NOT_REACHED),
        ("x/skill.md", {}, "the file would have to be called `SKILL.md`"),
        (
            "x/skill.md",
            {"names": ("skill.md",), "case": Case.INSENSITIVE},
            NOT_REACHED,
        ),
        ("x/Skill.MD", {"names": ("skill.md",), "case": Case.INSENSITIVE}, NOT_REACHED),
        ("x.md", {"flat_suffix": ".md"}, NOT_REACHED),
        (
            "x/y.md",
            {"flat_suffix": ".md", "flat_reach": FlatReach.ANYWHERE},
            NOT_REACHED,
        ),
        (
            "x.txt",
            {"flat_suffix": ".md", "names": ()},
            "only files that end in `.md` are looked for",
        ),
        (
            "x/y.md",
            {"flat_suffix": ".md"},
            "the file would have to be called `SKILL.md`",
        ),
        ("a/x/SKILL.md", {"max_depth": 1}, "it is searched 1 folder deep"),
        ("a/b/x/SKILL.md", {"max_depth": 2}, "it is searched 2 folders deep"),
        (
            "SKILL.md",
            {"root_file": RootFile.IGNORE},
            "a file directly in it is no skill",
        ),
        ("SKILL.md", {}, NOT_REACHED),
        (
            "x/y/SKILL.md",
            {"nested": Nested.STOP},
            "below a skill no other one is looked for",
        ),
        ("x/SKILL.md", {"nested": Nested.STOP}, NOT_REACHED),
    ],
    ids=str,
)
def test_the_first_rule_that_a_path_breaks_is_told(
    path: str, rules: dict[str, object], reason: str
):
    assert explained(path, **rules) == reason


@pytest.mark.parametrize(
    ("link", "links", "reason"),
    [
        ("a", Links.IGNORE, "links to folders are not followed"),
        ("a/b", Links.IGNORE, "links to folders are not followed"),
        ("a", Links.CONTAINED, "links to folders are followed within the root alone"),
        ("a", Links.FOLLOW, NOT_REACHED),
        ("b", Links.IGNORE, NOT_REACHED),
    ],
)
def test_a_link_on_the_way_is_told(link: str, links: Links, reason: str):
    assert explained("a/b/SKILL.md", link, directory_links=links) == reason
