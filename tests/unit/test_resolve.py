from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from metier.core.resolve import (
    Collision,
    FailurePolicy,
    Meeting,
    PrecedenceRule,
    Resolution,
    SameFile,
    Sorting,
    Spelling,
    Tie,
    Within,
    in_scope_order,
    resolve,
)
from metier.core.roots import Scope
from metier.core.skill import Candidate, Origin, Rejection, Shadowed, Skill
from metier.diagnostics import Diagnostic, Severity
from tests.making import rejection, root, skill

FIRST = skill("pdf", path="/a/pdf/SKILL.md")
SECOND = skill("pdf", path="/b/pdf/SKILL.md")
THIRD = skill("pdf", path="/c/pdf/SKILL.md")
BETTER = skill("pdf", path="/d/pdf/SKILL.md", precedence=1)


def outcome(
    candidates: Sequence[Candidate],
    collision: Collision = Collision.FIRST_WINS,
    *,
    sorting: Sorting = Sorting.DISCOVERY,
    tie: Tie = Tie.FIRST_WINS,
    same_file: SameFile = SameFile.COLLIDES,
    meeting: Meeting = Meeting.AS_FOUND,
    failure: FailurePolicy = FailurePolicy.SKIP,
) -> Resolution:
    rule = PrecedenceRule(
        collision=collision,
        sorting=sorting,
        tie=tie,
        same_file=same_file,
        meeting=meeting,
    )
    return resolve(candidates, rule, failure)


def named(names: str) -> list[Skill]:
    return [skill(name) for name in names.split()]


def names_of(resolution: Resolution) -> list[str]:
    return [each.name for each in resolution.skills]


def test_nothing_in_is_nothing_out():
    assert outcome([]) == Resolution((), (), (), ())


def test_of_one_name_the_last_wins():
    found = outcome([FIRST, SECOND, THIRD], Collision.LAST_WINS)
    assert found.skills == (THIRD,)
    assert found.shadowed == (
        Shadowed(FIRST, SECOND, "last-wins"),
        Shadowed(SECOND, THIRD, "last-wins"),
    )


def test_of_one_name_the_first_wins():
    found = outcome([FIRST, SECOND, THIRD], Collision.FIRST_WINS)
    assert found.skills == (FIRST,)
    assert found.shadowed == (
        Shadowed(SECOND, FIRST, "first-wins"),
        Shadowed(THIRD, FIRST, "first-wins"),
    )


@pytest.mark.parametrize("candidates", [[FIRST, BETTER], [BETTER, FIRST]])
def test_of_one_name_the_one_of_higher_precedence_wins(candidates: list[Skill]):
    found = outcome(candidates, Collision.HIGHER_PRECEDENCE)
    assert found.skills == (BETTER,)
    assert found.shadowed == (Shadowed(FIRST, BETTER, "higher-precedence"),)


@pytest.mark.parametrize(
    ("tie", "winner"), [(Tie.FIRST_WINS, FIRST), (Tie.LAST_WINS, SECOND)]
)
def test_of_one_name_and_precedence_the_tie_decides(tie: Tie, winner: Skill):
    found = outcome([FIRST, SECOND], Collision.HIGHER_PRECEDENCE, tie=tie)
    assert found.skills == (winner,)


def test_a_collision_is_told_at_the_loser():
    found = outcome([FIRST, SECOND], Collision.LAST_WINS)
    assert found.diagnostics == (
        Diagnostic(
            rule="name-collision",
            severity=Severity.WARNING,
            message="`pdf` is also in /b/pdf/SKILL.md, which counts (last-wins)",
            path="/a/pdf/SKILL.md",
            help="rename one of them",
        ),
    )


def test_a_tie_may_stop_everything():
    other = skill("zip")
    broken, later = rejection("/x/SKILL.md"), rejection("/y/SKILL.md")
    found = outcome(
        [other, broken, FIRST, SECOND, THIRD, later],
        Collision.HIGHER_PRECEDENCE,
        tie=Tie.ERROR,
    )
    duplicate = Diagnostic(
        rule="name-duplicate",
        severity=Severity.ERROR,
        message="duplicate skill name 'pdf' in discovery layer at /b/pdf",
        path="/b/pdf/SKILL.md",
        help="rename it: /a/pdf/SKILL.md has the same name and precedence",
    )
    abort = Diagnostic(
        rule="host-aborts",
        severity=Severity.ERROR,
        message=f"one bad file stops the discovery of all: {duplicate.message}",
        path="/b/pdf/SKILL.md",
        help=duplicate.help,
    )
    assert found == Resolution(
        skills=(),
        shadowed=(),
        rejected=(
            Rejection(other.path, other.origin, "host-aborts", (abort,), "zip"),
            broken,
            Rejection(FIRST.path, FIRST.origin, "host-aborts", (abort,), "pdf"),
            Rejection(
                SECOND.path, SECOND.origin, "name-duplicate", (duplicate,), "pdf"
            ),
            Rejection(THIRD.path, THIRD.origin, "host-aborts", (abort,), "pdf"),
            later,
        ),
        diagnostics=(abort,),
        aborted_by=duplicate,
    )


def test_a_broken_file_is_rejected_beside_the_others():
    broken = rejection("/x/SKILL.md")
    found = outcome([broken, FIRST])
    assert (found.skills, found.rejected) == ((FIRST,), (broken,))


def test_a_broken_file_may_stop_everything():
    broken = rejection("/x/SKILL.md", Severity.WARNING, Severity.ERROR)
    found = outcome([FIRST, broken, SECOND], failure=FailurePolicy.ABORT_ALL)
    stopper = broken.diagnostics[1].located("/x/SKILL.md")
    assert found.skills == found.shadowed == ()
    assert [(each.path, each.rule) for each in found.rejected] == [
        ("/a/pdf/SKILL.md", "host-aborts"),
        ("/x/SKILL.md", "yaml-invalid"),
        ("/b/pdf/SKILL.md", "host-aborts"),
    ]
    assert found.aborted_by == stopper


def test_a_file_that_the_host_does_not_see_stops_nothing():
    unseen = rejection("/x/SKILL.md", Severity.WARNING)
    found = outcome([unseen, FIRST], failure=FailurePolicy.ABORT_ALL)
    assert (found.skills, found.rejected) == ((FIRST,), (unseen,))
    assert found.aborted_by is None


@pytest.mark.parametrize("rule", ["link-dangling", "link-cycle", "special-file"])
def test_what_a_host_passes_over_stops_nothing(rule: str):
    passed_over = replace(rejection("/x/SKILL.md"), rule=rule)
    found = outcome([passed_over, FIRST], failure=FailurePolicy.ABORT_ALL)
    assert (found.skills, found.rejected) == ((FIRST,), (passed_over,))


def test_an_agent_may_keep_all_of_one_name():
    found = outcome([FIRST, SECOND, FIRST], Collision.KEEP_ALL)
    assert found == Resolution((FIRST, SECOND, FIRST), (), (), ())


@pytest.mark.parametrize("collision", [Collision.KEEP_ALL, Collision.LAST_WINS])
def test_the_same_file_found_twice_may_count_once(collision: Collision):
    again = skill("pdf", path=FIRST.path, precedence=5)
    found = outcome([FIRST, again], collision, same_file=SameFile.ONCE)
    assert found == Resolution((FIRST,), (Shadowed(again, FIRST, "same-file"),), (), ())


def test_or_where_links_lead_to_it():
    again = skill("pdf", path="/linked/SKILL.md")
    rule = PrecedenceRule(
        collision=Collision.LAST_WINS,
        sorting=Sorting.DISCOVERY,
        same_file=SameFile.ONCE_REAL,
    )
    found = resolve(
        [FIRST, again],
        rule,
        FailurePolicy.SKIP,
        locate=lambda path: path.replace("/linked", FIRST.directory),
    )
    assert found == Resolution((FIRST,), (Shadowed(again, FIRST, "same-file"),), (), ())


def test_copies_below_one_folder_count_once_whatever_they_are_called():
    def copy(name: str, base: str) -> Skill:
        made = skill(name, path=f"{base}/{name}/SKILL.md")
        below = replace(made.root, base=base)
        return replace(made, origin=Origin(below, made.origin.dialect), content="x")

    first, second, other = copy("a", "/r"), copy("b", "/r"), copy("a", "/q")
    plain = replace(first, content=None)
    found = outcome([plain, first, second, other], Collision.KEEP_ALL)
    assert found.skills == (plain, first, other)
    assert found.shadowed == (Shadowed(second, first, "same-content"),)


@pytest.mark.parametrize(
    ("sorting", "given", "expected"),
    [
        pytest.param(Sorting.DISCOVERY, "b a C", "b a C", id="as found"),
        pytest.param(Sorting.NAME, "b a é C 10 9", "10 9 C a b é", id="by code point"),
        pytest.param(
            Sorting.JS_OBJECT,
            "b 10 a 9 4294967294 4294967295 00 01 -1 1.0 ٣ 99999999999 0",
            "0 9 10 4294967294 b a 4294967295 00 01 -1 1.0 ٣ 99999999999",
            id="array indices first",
        ),
        pytest.param(
            Sorting.JS_LOCALE,
            "b-a B 10 é ba ea e9 a _x Ba 技 eb ß st \u200da",
            "_x 10 a \u200da B b-a ba Ba é e9 ea eb ß st 技",
            id="letters, then accents, then case",
        ),
    ],
)
def test_the_skills_come_out_in_this_order(sorting: Sorting, given: str, expected: str):
    assert names_of(outcome(named(given), sorting=sorting)) == expected.split()


def test_what_is_known_by_a_key_collides_and_sorts_by_it():
    a, b, c = (
        replace(skill(name), alias=alias)
        for name, alias in (("x", "b"), ("x", "A"), ("y", "b"))
    )
    found = outcome([a, b, c], sorting=Sorting.KEY_JS_LOCALE)
    assert found.skills == (b, a)
    assert found.shadowed == (Shadowed(c, a, "first-wins"),)


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        (Spelling.EXACT, ["PDF", "pdf", "straße", "STRASSE"]),
        (Spelling.LOWER, ["pdf", "straße", "STRASSE"]),
        (Spelling.ANY_CASE, ["pdf", "STRASSE"]),
    ],
)
def test_names_may_be_one_name_in_any_letter_case(
    spelling: Spelling, expected: list[str]
):
    given = named("PDF pdf straße STRASSE")
    rule = PrecedenceRule(
        collision=Collision.LAST_WINS, sorting=Sorting.DISCOVERY, spelling=spelling
    )
    found = resolve(given, rule, FailurePolicy.SKIP)
    assert names_of(found) == expected


def test_in_one_root_the_last_folder_may_count_and_between_roots_the_first():
    flat, first, last = (
        skill("pdf", path=path)
        for path in ("/r/pdf.md", "/r/a/SKILL.md", "/r/b/SKILL.md")
    )
    other = replace(BETTER, origin=replace(BETTER.origin, root=root("/d")))
    rule = PrecedenceRule(
        collision=Collision.FIRST_WINS,
        sorting=Sorting.DISCOVERY,
        within=Within.LAST_FOLDER,
    )
    found = resolve([flat, first, last, flat, other], rule, FailurePolicy.SKIP)
    assert found.skills == (last,)
    assert [each.skill for each in found.shadowed] == [flat, first, flat, other]


def test_in_one_root_both_may_stay_and_between_roots_the_first():
    zip_ = skill("zip")
    other = replace(FIRST, origin=replace(FIRST.origin, root=root("/other")))
    rule = PrecedenceRule(
        collision=Collision.FIRST_WINS, sorting=Sorting.DISCOVERY, within=Within.BOTH
    )
    found = resolve([FIRST, zip_, SECOND, other], rule, FailurePolicy.SKIP)
    assert found.skills == (FIRST, SECOND, zip_)
    assert found.shadowed == (Shadowed(other, FIRST, "first-wins"),)


def test_a_fatal_rule_stops_everything_but_for_a_file_without_a_folder():
    rule = PrecedenceRule(collision=Collision.FIRST_WINS, sorting=Sorting.DISCOVERY)
    bad, flat = rejection("/r/bad/SKILL.md"), rejection("/r/bad.md")

    def stopped(*fatal: str, by: Rejection = bad) -> bool:
        found = resolve([FIRST, by], rule, FailurePolicy.SKIP, fatal=fatal)
        return found.aborted_by is not None

    assert stopped("yaml-invalid")
    assert not stopped("yaml-invalid", by=flat)
    assert not stopped("text-not-utf8")
    assert not stopped()


def test_those_of_one_name_come_out_by_their_folders():
    given = [skill("a", path=f"/r/{folder}/SKILL.md") for folder in ("x-y", "x/z", "x")]
    found = outcome(given, Collision.KEEP_ALL, sorting=Sorting.NAME_AND_PATH)
    assert [each.directory for each in found.skills] == ["/r/x", "/r/x/z", "/r/x-y"]


def test_they_come_out_by_their_folders_in_lower_case():
    paths = [f"/{folder}/SKILL.md" for folder in ("b", "C", "a/x", "İb", "ia", "ic")]
    given = [skill("n", path=path) for path in paths]
    found = outcome(given, Collision.KEEP_ALL, sorting=Sorting.FOLDED_FOLDER)
    folders = [each.directory for each in found.skills]
    assert folders == ["/a/x", "/b", "/C", "/ia", "/İb", "/ic"]


def test_the_alphabet_decides_where_skills_meet_as_they_are_sorted():
    paths = ("/r/.claude/pdf", "/r/.agents/pdf", "/r/.Crush/pdf")
    claude, agents, crush = (skill("pdf", path=f"{p}/SKILL.md") for p in paths)
    broken = rejection("/r/x/SKILL.md")
    found = outcome(
        [claude, agents, broken, crush],
        Collision.LAST_WINS,
        sorting=Sorting.FOLDED_FOLDER,
        meeting=Meeting.AS_SORTED,
    )
    assert (found.skills, found.rejected) == ((crush,), (broken,))
    assert [(each.skill, each.by) for each in found.shadowed] == [
        (agents, claude),
        (claude, crush),
    ]


def test_scopes_come_out_in_their_order_and_what_has_no_place_comes_last():
    scopes = (Scope.PROJECT, Scope.EXPLICIT, Scope.USER)
    given = tuple(skill(each.value, scope=each) for each in reversed(scopes))
    assert in_scope_order(given, ()) == given
    assert in_scope_order(given, (Scope.PROJECT, Scope.USER)) == tuple(
        skill(each.value, scope=each)
        for each in (Scope.PROJECT, Scope.USER, Scope.EXPLICIT)
    )


def test_a_name_keeps_the_place_where_it_was_first_found():
    found = outcome([FIRST, skill("zip"), SECOND], Collision.LAST_WINS)
    assert [each.path for each in found.skills] == [SECOND.path, "/r/zip/SKILL.md"]


def test_a_javascript_object_loses_one_name():
    lost = skill("__proto__")
    found = outcome([lost, FIRST], sorting=Sorting.JS_OBJECT)
    finding = Diagnostic(
        rule="name-lost",
        severity=Severity.ERROR,
        message="the host's registry cannot hold the name `__proto__`",
        path=lost.path,
        help="rename the skill",
    )
    assert found.skills == (FIRST,)
    assert found.rejected == (
        Rejection(lost.path, lost.origin, "name-lost", (finding,), "__proto__"),
    )


def test_where_chance_decides_the_last_one_stands_for_both():
    found = outcome([FIRST, SECOND], Collision.UNDEFINED)
    assert found.skills == (SECOND,)
    assert found.shadowed == (Shadowed(FIRST, SECOND, "name-collision-undefined"),)
    assert found.diagnostics == (
        Diagnostic(
            rule="name-collision-undefined",
            severity=Severity.WARNING,
            message="`pdf` is also in /b/pdf/SKILL.md, and which of them counts is "
            "chance",
            path=FIRST.path,
            help="rename one of them: the host may load another one each time",
        ),
    )
