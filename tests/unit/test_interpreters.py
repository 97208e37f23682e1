"""What runs a script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.core.interpreters import (
    NATIVE,
    Interpreter,
    find_interpreter,
    is_script,
    suffix_of,
)

PYTHON = Interpreter(("python3", "python"))


@pytest.mark.parametrize(
    ("path", "first_line", "expected"),
    [
        ("a.py", "", PYTHON),
        ("a.PY", "", PYTHON),
        ("a.sh", "", Interpreter(("sh",))),
        ("a.R", "", Interpreter(("Rscript",))),
        ("a.mjs", "", Interpreter(("node",))),
        ("a", "", None),
        ("a.txt", "", None),
        (".py", "", None),
        ("a", "#!/bin/sh", Interpreter(("/bin/sh", "sh"))),
        ("a.py", "#!/bin/bash -eu", Interpreter(("/bin/bash", "bash"), ("-eu",))),
        ("a", "#! /bin/sh -e x ", Interpreter(("/bin/sh", "sh"), ("-e x",))),
        ("a", "#!/usr/bin/env python3", PYTHON),
        ("a", "#!/usr/bin/env python", Interpreter(("python", "python3"))),
        ("a", "#!/opt/x/python3", Interpreter(("/opt/x/python3", "python3", "python"))),
        ("a", "#!/usr/bin/env -S uv run --x 'a b'",
         Interpreter(("uv",), ("run", "--x", "a b"))),
        ("a", "#!/usr/bin/env -S", None),
        ("a", "#!/usr/bin/env -i sh", None),
        ("a", "#!/usr/bin/env A=1 sh", None),
        ("a", "#!/usr/bin/env", None),
        ("a.py", "#!", PYTHON),
    ],
)  # fmt: skip
def test_the_first_line_says_what_runs_a_script_or_else_its_name(
    path: str, first_line: str, expected: Interpreter | None
):
    assert find_interpreter(path, f"{first_line}\nexit\n".encode()) == expected


def test_a_program_of_the_machine_runs_by_itself():
    assert find_interpreter("bin/tool", b"\x7fELF\2\1") is NATIVE


def test_a_first_line_is_read_no_further_than_by_linux():
    found = find_interpreter("a", b"#!/bin/sh " + b"x" * 300)
    assert found == Interpreter(("/bin/sh", "sh"), ("x" * 245,))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("scripts/fill.py", True),
        ("tools/fill.sh", True),
        ("scripts/fill", True),
        ("scripts/data.json", False),
        ("fill", False),
        ("references/x.md", False),
    ],
)
def test_a_script_is_known_by_its_name_or_its_folder(path: str, expected: bool):
    assert is_script(path) is expected


def test_a_hidden_file_has_no_suffix_but_one_behind_its_name():
    assert (suffix_of("a/.bashrc"), suffix_of(".x.sh"), suffix_of("a.b/c")) == (
        "",
        "sh",
        "",
    )


@given(st.binary(max_size=300), st.text(max_size=20))
def test_no_bytes_are_too_odd(data: bytes, path: str):
    found = find_interpreter(path, b"#!" + data)
    assert found is None or all(found.names)
