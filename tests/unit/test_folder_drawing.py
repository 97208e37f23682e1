from __future__ import annotations

from collections.abc import Mapping

from metier.core.folder_drawing import Drawing, Listing, draw_folder

FOLDERS: Mapping[str, Listing] = {
    "": (["b.md", "SKILL.md", "a.md"], ["scripts", "empty", "dist"]),
    "scripts": (["run.py"], ["lib"]),
    "scripts/lib": (["pages.py"], []),
    "empty": ([], []),
    "dist": (["never.js"], []),
}


def draw(limit: int) -> Drawing:
    return draw_folder(FOLDERS.__getitem__, limit=limit, closed=frozenset(["dist"]))


def test_files_come_before_folders_in_the_order_of_a_locale():
    assert draw(100) == Drawing(
        "├───a.md\n"
        "├───b.md\n"
        "├───SKILL.md\n"
        "├───dist/...\n"
        "├───empty/\n"
        "└───scripts/\n"
        "    ├───run.py\n"
        "    └───lib/\n"
        "        └───pages.py",
        is_cut=True,
    )


def test_where_nothing_is_closed_or_missing_nothing_is_cut():
    drawing = draw_folder(lambda _: (["a"], []), limit=2, closed=frozenset())
    assert drawing == Drawing("└───a", is_cut=False)


def test_of_too_many_files_the_last_are_missing_and_all_folders():
    assert draw(2).text == "├───a.md\n├───b.md\n├───...\n└───..."


def test_of_too_many_folders_the_last_are_missing():
    assert draw(4).text.splitlines()[-2:] == ["├───dist/...", "└───..."]


def test_levels_are_filled_one_after_the_other():
    assert draw(7).text.splitlines()[-3:] == [
        "└───scripts/",
        "    ├───run.py",
        "    └───...",
    ]


def test_a_folder_for_which_there_is_no_room_is_drawn_as_empty():
    assert draw(6).text.splitlines()[-1] == "└───scripts/"


def test_the_line_of_an_open_branch_goes_on():
    folders: dict[str, Listing] = {
        "": ([], ["a", "b"]),
        "a": (["x"], []),
        "b": ([], []),
    }
    drawing = draw_folder(folders.__getitem__, limit=9, closed=frozenset())
    assert drawing.text == "├───a/\n│   └───x\n└───b/"
