"""The environment of a program is what was asked for, and no more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from metier.core.execution import Backend, Confinement
from metier.world.child_environment import build_environment, known_secrets


def build(
    names: Iterable[str] = (),
    settings: Mapping[str, str] | None = None,
    *,
    backend: Backend = Backend.NONE,
) -> dict[str, str]:
    return build_environment(
        names,
        settings or {},
        scratch="/scratch",
        cwd="/proj",
        confinement=Confinement(readable=("/home/ada/.nvm",)),
        backend=backend,
    )


def test_there_is_a_home_and_a_place_for_what_is_temporary():
    assert build() == {"HOME": "/scratch", "TMPDIR": "/scratch", "PWD": "/proj"}


def test_variables_are_there_by_name_and_settings_last(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("ONE", "1")
    monkeypatch.setenv("TWO", "2")
    monkeypatch.setenv("HOME", "/home/ada")
    assert build(("ONE", "TWO", "MISSING", "HOME"), {"TWO": "zwei", "NEW": ""}) == {
        "HOME": "/home/ada",
        "TMPDIR": "/scratch",
        "PWD": "/proj",
        "ONE": "1",
        "TWO": "zwei",
        "NEW": "",
    }


PATHS = ".:/usr/bin:node_modules/.bin::/home/ada/.nvm/bin:/home/ada/bin:/usr/bin"


@pytest.mark.parametrize(
    ("backend", "expected"),
    [
        (Backend.NONE, "/usr/bin:/home/ada/.nvm/bin:/home/ada/bin"),
        (Backend.LANDLOCK, "/usr/bin:/home/ada/.nvm/bin"),
    ],
)
def test_a_search_path_has_no_folder_of_a_project_or_that_cannot_be_seen(
    monkeypatch: pytest.MonkeyPatch, backend: Backend, expected: str
):
    monkeypatch.setenv("PATH", PATHS)
    assert build(("PATH",), backend=backend)["PATH"] == expected


def test_secrets_are_those_of_this_process_and_those_given(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("SOME_API_KEY", "swordfish")
    found = known_secrets({"OTHER_TOKEN": "tunafish", "OTHER": "goldfish"})
    assert {"swordfish", "tunafish"} <= found
    assert "goldfish" not in found
