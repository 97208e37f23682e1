from __future__ import annotations

import json
from dataclasses import replace

import pytest
from inline_snapshot import snapshot

from metier.accounts import Account
from metier.core.budget import Budget, Measure
from metier.core.catalog import Catalog
from metier.core.skill import Status
from metier.core.triggers import Match, Score
from metier.diagnostics import Diagnostic, Position, Severity, Span
from metier.library import Library
from metier.report.catalogs import catalog_notes
from metier.report.jsons import (
    account_as_json,
    catalog_as_json,
    library_as_json,
    match_as_json,
    render_json,
)
from metier.report.texts import render_accounts, render_diagnostic, render_library
from metier.testing import Content, make_skill
from tests.making import library, root

PDF = "opi/skills/pdf/SKILL.md"
FILES: dict[str, Content] = {
    "/proj/.opi/skills/ops/SKILL.md": make_skill(
        "ops", "Deploys", fields={"disable-model-invocation": True}
    ),
    "/proj/.opi/skills/pdf/SKILL.md": make_skill("pdf", "Fills forms " * 9),
    "/home/.config/opi/skills/pdf/SKILL.md": make_skill("pdf", "Older"),
}


@pytest.fixture
def skills() -> Library:
    return library(FILES, "opi")


@pytest.fixture
def broken() -> Library:
    return library({"/proj/.agents/skills/a/SKILL.md": "text"})


# --- text ---------------------------------------------------------------------------


def test_a_library_is_shown_one_line_a_candidate(skills: Library):
    shown = render_library(skills, tuple(skills.accounts()), width=60)
    assert shown.splitlines() == [
        "o ops  (manual only) Deploys",
        "+ pdf  Fills forms Fills forms Fills forms Fills forms Fi...",
        f"- pdf  /home/.config/{PDF}: /proj/.{PDF} counts instead (higher-precedence)",
        "opi: 1 loaded, 1 hidden, 1 shadowed, 0 rejected, in 2 folders",
    ]


def test_what_is_rejected_is_told_in_full(broken: Library):
    (finding,) = broken.diagnostics
    shown = render_library(broken, tuple(broken.accounts()), width=60)
    assert shown.splitlines() == [
        f"x (a)  {finding.path}: {finding.message} (frontmatter-missing)",
        "agentskills: 0 loaded, 0 hidden, 0 shadowed, 1 rejected, in 1 folder",
    ]


def test_an_empty_library_is_only_its_summary():
    assert render_library(library({}), (), width=60) == (
        "agentskills: 0 loaded, 0 hidden, 0 shadowed, 0 rejected, in 0 folders"
    )


def account(**changes: object) -> Account:
    plain = Account(
        name="a",
        description=None,
        path="/r/a/SKILL.md",
        root=root("/r", precedence=2),
        status=Status.LOADED,
        rule="loaded",
        because="found",
        source=None,
    )
    return replace(plain, **changes)


def test_a_long_name_is_cut_and_a_missing_description_is_nothing():
    long = account(name="n" * 40)
    rows = render_library(library({}), (long, account()), width=60).splitlines()
    assert rows[:2] == [f"+ {'n' * 29}...  ", f"+ a{' ' * 31}  "]


def test_why_is_told_with_the_rule_and_its_source(skills: Library):
    source = skills.dialect.sources["precedence"]
    assert render_accounts(skills.why("pdf")[1:]).splitlines() == [
        "- pdf: shadowed",
        "  file    /home/.config/opi/skills/pdf/SKILL.md",
        "  root    /home/.config/opi/skills (user, precedence 0)",
        "  rule    higher-precedence: /proj/.opi/skills/pdf/SKILL.md counts instead",
        f"  source  {source}",
    ]


def test_why_is_told_with_what_was_found():
    found = Diagnostic(rule="r", severity=Severity.INFO, message="odd")
    told = account(name=None, status=Status.REJECTED, diagnostics=(found,))
    assert render_accounts([account(), told]) == (
        "+ a: loaded\n"
        "  file    /r/a/SKILL.md\n"
        "  root    /r (project, precedence 2)\n"
        "  rule    loaded: found\n"
        "\n"
        "x (a): rejected\n"
        "  file    /r/a/SKILL.md\n"
        "  root    /r (project, precedence 2)\n"
        "  rule    loaded: found\n"
        "  /r/a/SKILL.md: info: odd [r]"
    )


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param({}, "error: bad [r]", id="nowhere"),
        pytest.param({"path": "/f"}, "/f: error: bad [r]", id="in a file"),
        pytest.param(
            {"path": "/f", "position": Position(3, 7)},
            "/f:3:7: error: bad [r]",
            id="at a place",
        ),
        pytest.param(
            {"help": "do this"}, "error: bad [r]\n    help: do this", id="with a remedy"
        ),
    ],
)
def test_a_finding_is_told(changes: dict[str, object], expected: str):
    found = Diagnostic(rule="r", severity=Severity.ERROR, message="bad")
    assert render_diagnostic(replace(found, **changes)) == expected


HOSTILE = "\x1b]0;x\x07\n\u202e"


def test_nothing_that_a_file_says_can_steer_the_terminal():
    found = Diagnostic(
        rule="r", severity=Severity.ERROR, message=HOSTILE, path=HOSTILE, help=HOSTILE
    )
    told = account(
        name=HOSTILE,
        description=HOSTILE,
        path=HOSTILE,
        root=root(HOSTILE),
        because=HOSTILE,
        diagnostics=(found,),
    )
    shadowed = replace(told, status=Status.SHADOWED)
    texts = [
        render_diagnostic(found),
        render_accounts([told]),
        render_library(library({}), (told, shadowed), width=200),
    ]
    for text in texts:
        assert text.replace("\n", "").isprintable()
        assert "\\x1b]0;x\\x07\\n\\u202e" in text


# --- JSON ---------------------------------------------------------------------------


def test_a_library_as_json(skills: Library):
    assert library_as_json(skills, skills.why("ops")) == snapshot(
        {
            "version": 1,
            "dialect": "opi",
            "cwd": "/proj",
            "roots": [
                {"path": "/home/.config/opi/skills", "scope": "user", "precedence": 0},
                {"path": "/proj/.opi/skills", "scope": "project", "precedence": 1},
            ],
            "skills": [
                {
                    "name": "ops",
                    "path": "/proj/.opi/skills/ops/SKILL.md",
                    "root": "/proj/.opi/skills",
                    "scope": "project",
                    "precedence": 1,
                    "status": "hidden",
                    "rule": "hidden",
                    "because": "found in project folder /proj/.opi/skills; "
                    "the model may not invoke it by itself",
                    "source": "yofriadi/opi@f3a61f32:"
                    "crates/opi-coding-agent/src/skill.rs#L113-L255",
                    "description": "Deploys",
                    "diagnostics": [],
                }
            ],
            "diagnostics": [
                {
                    "rule": "name-collision",
                    "severity": "warning",
                    "message": "`pdf` is also in /proj/.opi/skills/pdf/SKILL.md, "
                    "which counts (higher-precedence)",
                    "path": "/home/.config/opi/skills/pdf/SKILL.md",
                    "line": None,
                    "column": None,
                    "span": None,
                    "help": "rename one of them",
                    "source": None,
                }
            ],
        }
    )


def test_a_finding_of_an_account_is_placed_in_its_file():
    found = Diagnostic(
        rule="r",
        severity=Severity.WARNING,
        message="m",
        position=Position(2, 3),
        span=Span(4, 5),
    )
    told = library_as_json(library({}), [account(diagnostics=(found,))])
    assert told["skills"][0]["diagnostics"] == [
        {
            "rule": "r",
            "severity": "warning",
            "message": "m",
            "path": "/r/a/SKILL.md",
            "line": 2,
            "column": 3,
            "span": [4, 5],
            "help": None,
            "source": None,
        }
    ]


def test_an_account_as_json_is_about_one_candidate():
    assert account_as_json(account()) == {
        "name": "a",
        "path": "/r/a/SKILL.md",
        "root": "/r",
        "scope": "project",
        "precedence": 2,
        "status": "loaded",
        "rule": "loaded",
        "because": "found",
        "source": None,
    }


def test_a_catalog_as_json_tells_what_was_cut():
    catalog = Catalog(
        text="t",
        shown=("a", "b"),
        trimmed=("a",),
        bare=("b",),
        omitted=("c",),
        tokens=1,
        size=8,
        budget=Budget(amount=9, measure=Measure.CHARACTERS),
    )
    assert catalog_as_json(catalog, "x", asked=2) == {
        "version": 1,
        "dialect": "x",
        "text": "t",
        "shown": ["a", "b"],
        "cut": {"trimmed": ["a"], "names_only": ["b"], "omitted": ["c"]},
        "tokens": {"estimate": 1, "budget": 2},
        "budget": {
            "amount": 9,
            "measure": "characters",
            "origin": "caller",
            "used": 8,
        },
    }


def test_a_match_as_json_tells_the_scores():
    scores = (Score(name="a", score=1.5, because="a word"),)
    assert match_as_json(Match(winner="a", scores=scores)) == {
        "match": "a",
        "scores": [{"name": "a", "score": 1.5, "because": "a word"}],
    }
    assert match_as_json(Match()) == {"match": None, "scores": []}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param({"a": [1, None]}, '{"a": [1, null]}', id="ASCII"),
        pytest.param("é日", '"é日"', id="as it is"),
        pytest.param("a\udcffb", '"a\ufffdb"', id="a byte that was not UTF-8"),
        pytest.param("\ud800", '"\\ud800"', id="half a pair"),
        pytest.param("\ud83d\ude00", '"\\ud83d\\ude00"', id="two halves"),
    ],
)
def test_json_is_always_utf_8(value: object, text: str):
    rendered = render_json(value, indent=None)
    assert rendered == text
    assert rendered.encode().decode() == text


def test_json_is_indented_for_people():
    assert render_json({"a": "é"}) == '{\n  "a": "é"\n}'
    assert json.loads(render_json([1])) == [1]


def test_what_did_not_fit_is_told_in_sentences():
    catalog = Catalog(
        text="t",
        shown=("a", "b"),
        trimmed=("a",),
        bare=("b", "c"),
        omitted=("d",),
        size=1_200,
        budget=Budget(amount=1_000, measure=Measure.CHARACTERS),
    )
    assert list(catalog_notes(catalog)) == [
        "1 skill with a shortened description",
        "2 skills by name only",
        "1 skill left out",
        "even so it takes 1,200 of 1,000 characters",
    ]


def test_a_catalog_that_fits_needs_no_words():
    assert list(catalog_notes(Catalog(text="t", shown=("a",)))) == []
    fitting = Catalog(text="t", shown=("a",), size=1, budget=Budget(amount=1))
    assert list(catalog_notes(fitting)) == []
