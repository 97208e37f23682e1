from __future__ import annotations

import time

import pytest

from metier.core.globs import is_path_match


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ("a.py", "*.py"),
        ("src/deep/a.py", "*.py"),
        ("./src/a.py", "src/*.py"),
        ("src/a.py", "/src/*.py"),
        ("src/a.py", "src/**/*.py"),
        ("src/x/y/a.py", "src/**/*.py"),
        ("src/x/y/a.py", "src/**"),
        ("src/x/y/a.py", "**/y/*.py"),
        ("a/b/c/b/d", "**/b/d"),
        ("src/x/a.py", "src/"),
        ("a.tsx", "*.{ts,tsx}"),
        ("docs/de/a.md", "docs/{en,de}/*.md"),
        ("docs/de/b.md", "{docs,doc}/{en,de}/{a,b}.md"),
        ("a1.py", "a?.py"),
        ("ab.py", "[ab]b.py"),
        ("a{b}.py", "a{b}.py"),
    ],
)
def test_a_pattern_covers_a_path(path: str, pattern: str):
    assert is_path_match(path, pattern)


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ("a.pyc", "*.py"),
        ("lib/src/a.py", "src/*.py"),
        ("src/x/a.py", "src/*.py"),
        ("src", "src/*"),
        ("a/b/c", "**/b/d"),
        ("a/b", "a"),
        ("a.js", "*.{ts,tsx}"),
        ("a/b/c", "a/b"),
    ],
)
def test_a_pattern_covers_no_other_path(path: str, pattern: str):
    assert not is_path_match(path, pattern)


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ("a/" * 2000 + "b", "**/a/" * 200 + "c"),
        ("a" * 20_000, "*a" * 500 + "b"),
        ("x", "{a,b}" * 200),
        ("x", "{a,b}" * 5000),
    ],
)
def test_no_pattern_takes_long(path: str, pattern: str):
    start = time.process_time()
    assert not is_path_match(path, pattern)
    assert time.process_time() - start < 2
