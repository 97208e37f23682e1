"""What holds for every regular expression of the package."""

from __future__ import annotations

import re
from pathlib import Path

import metier

# CPython before 3.11.5 goes on at the wrong place behind such a group whose last
# turn failed halfway; `(?>(?:ab?c)*)` says the same, and is read rightly by all.
_POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{[0-9,]+\})\+")


def test_no_expression_repeats_a_group_possessively():
    package = Path(metier.__file__).parent
    texts = [
        *package.rglob("*.py"),
        *package.rglob("*.toml"),
    ]
    found = [
        f"{path.name}:{number}"
        for path in texts
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if _POSSESSIVE_GROUP.search(line)
    ]
    assert (len(texts) > 200, found) == (True, [])
