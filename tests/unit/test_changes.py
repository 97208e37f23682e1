from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from metier.core.changes import (
    Aspect,
    Changes,
    SkillChange,
    SkillState,
    compare_states,
)
from metier.core.skill import Status


def state(name: str, **changes: Any) -> SkillState:
    plain = SkillState(
        path=f"/s/{name}/SKILL.md",
        name=name,
        description="Does it",
        status=Status.LOADED,
        rule="loaded",
        header="h",
        body="b",
    )
    return replace(plain, **changes)


A, B = state("a"), state("b")


def test_the_same_files_are_no_change():
    assert compare_states([A, B], [B, A]) == Changes()
    assert not Changes()


def test_files_come_and_go():
    assert compare_states([A], [B]) == Changes(added=(B,), removed=(A,))
    assert Changes(added=(B,))
    assert Changes(removed=(A,))


@pytest.mark.parametrize(
    ("changes", "aspects"),
    [
        pytest.param({"name": "c"}, (Aspect.NAME,), id="the name"),
        pytest.param(
            {"description": "Other", "header": "i"},
            (Aspect.DESCRIPTION, Aspect.HEADER),
            id="the description",
        ),
        pytest.param({"header": "i"}, (Aspect.HEADER,), id="another field"),
        pytest.param({"body": "c"}, (Aspect.BODY,), id="the instructions"),
        pytest.param(
            {"status": Status.HIDDEN, "rule": "hidden"},
            (Aspect.STATUS,),
            id="what became of it",
        ),
        pytest.param({"rule": "other"}, (Aspect.STATUS,), id="why it became of it"),
    ],
)
def test_what_of_a_file_is_another_one(
    changes: dict[str, Any], aspects: tuple[Aspect, ...]
):
    after = replace(A, **changes)
    change = SkillChange(before=A, after=after, aspects=aspects)
    assert compare_states([A, B], [after, B]) == Changes(changed=(change,))
    assert Changes(changed=(change,))


def test_of_a_file_that_is_told_twice_the_first_counts():
    second = replace(A, status=Status.SHADOWED)
    assert compare_states([A, second], [A]) == Changes()
