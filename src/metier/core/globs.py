"""Path patterns: `*.py`, `src/**/*.ts`, `docs/{en,de}/*.md`, in linear time.

`*` and `?` stay within one name, `**` crosses folders, braces list alternatives. A
pattern without a slash is about a name at any depth, as in `.gitignore`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import translate
from functools import lru_cache
from itertools import islice

ANY_DEPTH = "**"

# `{a,b}{a,b}{a,b}...` doubles with each pair; a skill needs a handful. In a pattern
# that is longer than any person writes, braces stand for themselves.
MAX_ALTERNATIVES = 64
MAX_BRACED = 1024

PATTERNS_KEPT = 1024


def is_path_match(path: str, pattern: str) -> bool:
    """Whether `pattern` covers `path`, both with slashes and relative to one folder."""
    names = [name for name in path.split("/") if name not in ("", ".")]
    return any(_is_covered(names, alternative) for alternative in _compiled(pattern))


_Steps = tuple[re.Pattern[str] | None, ...]


@lru_cache(maxsize=PATTERNS_KEPT)
def _compiled(pattern: str) -> tuple[_Steps, ...]:
    alternatives = islice(_alternatives(pattern), MAX_ALTERNATIVES)
    return tuple(map(_steps, alternatives))


def _steps(pattern: str) -> _Steps:
    """One expression for each name of a path; None stands for any number of names."""
    names = [name for name in pattern.split("/") if name not in ("", ".")]
    if "/" not in pattern.rstrip("/"):
        names = [ANY_DEPTH, *names]
    if pattern.endswith("/"):
        names.append(ANY_DEPTH)
    return tuple(None if n == ANY_DEPTH else re.compile(translate(n)) for n in names)


def _is_covered(names: Sequence[str], steps: _Steps) -> bool:
    # Only the last `**` has to be tried again: what stands before an earlier one has
    # been matched as early as can be.
    at = step = 0
    retry: tuple[int, int] | None = None
    while at < len(names):
        expression = steps[step] if step < len(steps) else _NOTHING
        if expression is None:
            retry = (at, step)
            step += 1
        elif expression.match(names[at]):
            at, step = at + 1, step + 1
        elif retry is not None:
            retry = (retry[0] + 1, retry[1])
            at, step = retry[0], retry[1] + 1
        else:
            return False
    return all(rest is None for rest in steps[step:])


_NOTHING = re.compile(r"(?!)")
_INNERMOST = re.compile(r"\{([^{}]*,[^{}]*)\}")


def _alternatives(pattern: str) -> Iterator[str]:
    """The patterns that the braces of `pattern` stand for, in the order as written."""
    braces = _INNERMOST.search(pattern) if len(pattern) <= MAX_BRACED else None
    if braces is None:
        yield pattern
        return
    before, after = pattern[: braces.start()], pattern[braces.end() :]
    for choice in braces[1].split(","):
        yield from _alternatives(before + choice + after)
