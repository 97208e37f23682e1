"""Secrets taken out of what a program said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

# What is shorter stands in every other text by chance.
SHORTEST = 6
MARK = b"[secret]"
# A variable whose name says that its value is nobody's business.
_NAME = re.compile(
    r"(?i)(?:^|_)(?:api_?key|access_?key|auth|credentials?|key|pass|passphrase|passwd"
    r"|password|private|pwd|secret|session|token)s?(?:_|\Z)"
    r"|(?:api_?key|passphrase|passwd|password|secret|token)s?\Z"
)
# `postgres://ada:this@host`, under whatever name.
_IN_URL = re.compile(r"://[^/?#\s:@]*+:([^/?#\s@]++)@")


def secrets_in(variables: Mapping[str, str]) -> frozenset[str]:
    """The values of the variables that are secrets by their name, or hold one."""
    return frozenset(
        secret
        for name, value in variables.items()
        for secret in _secrets_of(name, value)
        if len(secret) >= SHORTEST
    )


def _secrets_of(name: str, value: str) -> Iterator[str]:
    if _NAME.search(name) and not _is_place(value):
        yield value
    yield from _IN_URL.findall(value)


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
