from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from metier.core.activation import ActivationRule, Means, Mentions, Slash
from metier.core.invocation import (
    Invocation,
    Mention,
    find_invocations,
    find_mentions,
    is_invocable,
    select_mentioned,
    split_invocation,
)
from metier.core.skill import Skill
from metier.testing import make_skill
from tests.making import SKILLS, dialect, library, skill

NOTHING = ActivationRule(means=Means.TOOL)
SLASH = replace(NOTHING, slash=Slash.NAME)
DOLLAR = replace(NOTHING, mentions=Mentions.DOLLAR_NAME)
SKILL_SLASH = replace(NOTHING, slash=Slash.SKILL_NAME)
BOTH = replace(SLASH, mentions=Mentions.DOLLAR_NAME)


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ("/pdf", ("pdf", "")),
        ("/pdf  fill this ", ("pdf", "fill this")),
        ("/", None),
        ("/ pdf", None),
        ("pdf", None),
        (" /pdf", None),
        ("", None),
    ],
)
def test_a_person_invokes_a_skill_with_a_slash(
    turn: str, expected: tuple[str, str] | None
):
    assert split_invocation(turn, SLASH) == expected


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ("/skill:pdf", ("pdf", "")),
        ("/skill:a/b  fill this\nor that ", ("a/b", "fill this\nor that")),
        ("/skill:pdf\nfill this", ("pdf\nfill", "this")),
        ("/skill:", None),
        ("/pdf", None),
    ],
)
def test_or_with_a_longer_one(turn: str, expected: tuple[str, str] | None):
    assert split_invocation(turn, SKILL_SLASH) == expected


def test_then_a_name_ends_at_the_first_blank():
    known = [skill("my pdf"), skill("my")]
    turn = "/skill:my pdf"
    assert [*find_invocations(turn, known, SKILL_SLASH)] == [
        Invocation(skill=known[1], arguments="pdf")
    ]


HYPHENS = replace(NOTHING, slash=Slash.HYPHENATED_NAME)


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ("/PDF", ("PDF", "")),
        ("/my-pdf\u2003fill\nthis ", ("my-pdf", "fill\nthis")),
        ("/usr/bin is broken", None),
        ("/ pdf", None),
        (" /pdf", None),
        ("", None),
    ],
)
def test_or_with_one_before_a_word(turn: str, expected: tuple[str, str] | None):
    assert split_invocation(turn, HYPHENS) == expected


@pytest.mark.parametrize(
    ("turn", "name"),
    [
        ("/my-pdf x", "My  (PDF)"),
        ("/MY--PDF", "My  (PDF)"),
        ("/my/pdf", "My  (PDF)"),
        ("/my", None),
        ("/a:b@c.d_e", "a:b@c.d_E"),
        ("/été-2", "-Été #2-"),
        ("/发布", "发布"),
        ("/a-b", "a/b"),
        ("/***", None),
        ("/skill-command-596f4162a52f", "***"),
    ],
)
def test_then_a_skill_goes_by_a_word_that_can_be_typed(turn: str, name: str | None):
    names = ("b", "My  (PDF)", "a:b@c.d_E", "-Été #2-", "发布", "a+b", "a/b", "***")
    found = find_invocations(turn, [skill(each) for each in names], HYPHENS)
    assert [each.skill.name for each in found] == ([name] if name else [])


def test_or_the_agent_knows_no_slash():
    assert split_invocation("/pdf", NOTHING) is None


# --- a name within a turn -----------------------------------------------------------


@pytest.mark.parametrize(
    ("turn", "names"),
    [
        ("use $pdf please", ["pdf"]),
        ("($pdf), $zip.", ["pdf", "zip"]),
        ("$pdf", ["pdf"]),
        ("$pdfs and $pdf_x and $a:b", ["pdfs", "pdf_x", "a:b"]),
        ("$pdf.form", ["pdf"]),
        ("$$pdf", ["pdf"]),
        ("$", []),
        ("$" * 300, []),
        ("it costs $ 5", []),
        ("echo $PATH $HOME $pdf", ["pdf"]),
        ("no dollar", []),
        ("[$pdf] x", ["pdf"]),
        ("[$pdf]()", ["pdf"]),
        ("[$pdf]( )", ["pdf"]),
        ("[$pdf](/open", ["pdf"]),
        ("[pdf](/f)", []),
        ("[$HOME](/f)", []),
        # Markdown that shows and does not ask:
        ("`$pdf` $zip", ["zip"]),
        ("```sh\n$pdf\n```\n$zip", ["zip"]),
        ("~~~\n$pdf", []),
        ("    $pdf\n$zip", ["zip"]),
        ("a\n\n\t$pdf\n\t$pdf\n$zip", ["zip"]),
        ("> $pdf\n$zip", ["zip"]),
        ("\\$pdf $zip", ["zip"]),
        ("a\n    $pdf", ["pdf"]),
    ],
)
def test_a_name_with_a_dollar_is_a_mention(turn: str, names: list[str]):
    assert find_mentions(turn) == tuple(Mention(name=name) for name in names)


@pytest.mark.parametrize(
    ("turn", "path"),
    [
        ("[$pdf](/s/pdf/SKILL.md)", "/s/pdf/SKILL.md"),
        ("[$pdf]   ( /s/pdf )", "/s/pdf"),
        ("[$pdf](/s (x (y))/SKILL.md)", "/s (x (y))/SKILL.md"),
        ("[$pdf](skill:///s/SKILL.md)", "skill:///s/SKILL.md"),
    ],
)
def test_a_path_may_stand_behind_a_name(turn: str, path: str):
    assert find_mentions(f"see {turn}.") == (Mention(name="pdf", path=path),)


def test_a_turn_of_brackets_is_read_quickly():
    assert find_mentions("[$a](" + "(" * 50_000) == (Mention(name="a"),)


PDF, ZIP = skill("pdf", path="/s/pdf/SKILL.md"), skill("zip", path="/s/zip/SKILL.md")
OTHER = skill("pdf", path="/t/pdf/SKILL.md")


@pytest.mark.parametrize(
    ("skills", "mentions", "selected"),
    [
        pytest.param((PDF, ZIP), ["zip", "pdf"], (PDF, ZIP), id="their own order"),
        pytest.param((PDF, ZIP), ["pdf", "pdf"], (PDF,), id="once"),
        pytest.param((PDF, ZIP), ["none"], (), id="unknown"),
        pytest.param((PDF, OTHER), ["pdf"], (), id="two of a name"),
        pytest.param((PDF, OTHER), [("pdf", OTHER.path)], (OTHER,), id="by path"),
        pytest.param(
            (PDF, OTHER), [("pdf", f"skill://{PDF.path}")], (PDF,), id="by address"
        ),
        pytest.param((PDF,), [("pdf", "/gone")], (), id="a path that leads nowhere"),
        pytest.param((PDF,), ["pdf", ("pdf", "/gone")], (), id="the path decides"),
    ],
)
def test_what_is_mentioned_is_selected(
    skills: tuple[Skill, ...],
    mentions: list[str | tuple[str, str]],
    selected: tuple[Skill, ...],
):
    made = [
        Mention(name=each)
        if isinstance(each, str)
        else Mention(name=each[0], path=each[1])
        for each in mentions
    ]
    assert select_mentioned(skills, made) == selected


# --- what a person asks for ---------------------------------------------------------


@pytest.mark.parametrize(
    ("turn", "rule", "found"),
    [
        ("/pdf fill $zip", BOTH, [Invocation(skill=PDF, arguments="fill $zip")]),
        ("/help me with $zip", BOTH, [Invocation(skill=ZIP)]),
        ("/help me with $zip", SLASH, []),
        ("$zip $pdf", BOTH, [Invocation(skill=PDF), Invocation(skill=ZIP)]),
        ("$zip", SLASH, []),
        ("/pdf", DOLLAR, []),
        ("pdf", BOTH, []),
    ],
)
def test_a_turn_invokes_what_the_agent_knows_how_to_ask_for(
    turn: str, rule: ActivationRule, found: list[Invocation]
):
    assert list(find_invocations(turn, (PDF, ZIP), rule)) == found


def test_a_name_with_a_blank_is_the_whole_turn():
    odd = skill("pdf form")
    found = find_invocations("/pdf form", (PDF, odd), SLASH)
    assert list(found) == [Invocation(skill=odd)]


def made(flag: Any, effect: str) -> Skill:
    """A skill whose author says `user-invocable`, in an agent that reads it so."""
    kind = "off-switch" if effect == "disables" else "flag"
    field = {"keys": ["user-invocable"], "type": kind, "effect": effect}
    fields = {**AGENTSKILLS_FIELDS, "other": {"user_invocable": field}}
    said = {} if flag is None else {"user-invocable": flag}
    text = make_skill("pdf", "d", fields=said)
    found = library({f"{SKILLS}/pdf/SKILL.md": text}, dialect(fields=fields))
    return found["pdf"]


AGENTSKILLS_FIELDS = {
    "name": {"expect": "string", "presence": "required"},
    "description": {"expect": "string", "presence": "required"},
}


@pytest.mark.parametrize(
    ("effect", "flag", "expected"),
    [
        ("bars-people", None, True),
        ("bars-people", True, True),
        ("bars-people", False, False),
        ("admits-people", None, False),
        ("admits-people", True, True),
        ("admits-people", False, False),
        ("none", False, True),
        ("disables", None, True),
        ("disables", False, True),
    ],
)
def test_an_author_says_whether_a_person_may_invoke_a_skill(
    effect: str, flag: bool | None, expected: bool
):
    found = made(flag, effect)
    assert is_invocable(found) is expected
    for turn in ("/pdf", "$pdf"):
        invoked = [each.skill for each in find_invocations(turn, (found,), BOTH)]
        assert invoked == ([found] if expected else [])
    assert not found.is_hidden


def test_nobody_invokes_what_is_switched_off():
    found = made(flag=True, effect="disables")
    assert not is_invocable(found)
    assert [*find_invocations("/pdf", (found,), BOTH)] == []
    assert found.is_hidden
