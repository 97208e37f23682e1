"""Secrets taken out of what a program said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

# What is shorter stands in every other text by chance.
SHORTEST = 6
MARK = b"[secret]"
# A variable whose name says that its value is nobody's business.
_NAME = re.compile(
    r"(?i)(?:^|_)(?:api_?key|access_?key|auth|credentials?|key|pass|passphrase|passwd"
    r"|password|private|pwd|secret|session|token)s?(?:_|\Z)"
)


def secrets_in(variables: Mapping[str, str]) -> frozenset[str]:
    """The values of the variables that are secrets by their name."""
    return frozenset(
        value
        for name, value in variables.items()
        if _NAME.search(name) and len(value) >= SHORTEST and not _is_place(value)
    )


def _is_place(value: str) -> bool:
    """Whether it is a path, such as that of a socket: no secret, and everywhere."""
    return value.startswith("/") and value.count("/") > 1


def redact(data: bytes, secrets: Iterable[str]) -> bytes:
    """`data` with a mark for every secret, the longest first."""
    coded = {each.encode("utf-8", "surrogateescape") for each in secrets}
    wanted = sorted((each for each in coded if each), key=len, reverse=True)
    if not wanted:
        return data
    return re.sub(b"|".join(map(re.escape, wanted)), lambda _: MARK, data)
