"""What runs a script: its first line says so, or else its name."""

from __future__ import annotations

from typing import NamedTuple

from metier.core.arguments import split_arguments
from metier.core.substitution import Splitting, Unbalanced


class Interpreter(NamedTuple):
    """The program that runs a script: the first of `names` that there is."""

    names: tuple[str, ...]
    arguments: tuple[str, ...] = ()


# Run by the kernel, without anything in front.
NATIVE = Interpreter(())

_BY_SUFFIX = {
    "py": ("python3", "python"),
    "sh": ("sh",),
    "bash": ("bash",),
    "zsh": ("zsh",),
    "js": ("node",),
    "mjs": ("node",),
    "cjs": ("node",),
    "pl": ("perl",),
    "rb": ("ruby",),
    "php": ("php",),
    "lua": ("lua",),
    "r": ("Rscript",),
}
_NATIVE_STARTS = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
# As much of a first line as Linux reads.
_FIRST_LINE = 255


def find_interpreter(path: str, data: bytes) -> Interpreter | None:
    """What runs the file at `path`; None where nothing says so."""
    stated = _stated(data)
    if stated is not None:
        return stated
    suffix = suffix_of(path)
    if suffix in _BY_SUFFIX:
        return Interpreter(_BY_SUFFIX[suffix])
    return NATIVE if data.startswith(_NATIVE_STARTS) else None


def is_script(path: str) -> bool:
    """Whether a file looks like a script by where it lies and how it is called."""
    suffix = suffix_of(path)
    if suffix in _BY_SUFFIX:
        return True
    return not suffix and path.startswith("scripts/")


def suffix_of(path: str) -> str:
    """What stands behind the last dot of a name, in lower case."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name.lstrip(".") else ""


def _stated(data: bytes) -> Interpreter | None:
    """The interpreter behind `#!`, which may be `env`'s to find."""
    if not data.startswith(b"#!"):
        return None
    line = data[2:_FIRST_LINE].partition(b"\n")[0].decode("utf-8", "replace").strip()
    program, _, rest = line.partition(" ")
    name, rest = program.rpartition("/")[2], rest.strip()
    if name in ("", "env"):
        return _found_by_env(rest) if name else None
    # Where it lies on this machine is another question.
    names = (program, *_alternatives(name))
    return Interpreter(names, (rest,) if rest else ())


def _found_by_env(rest: str) -> Interpreter | None:
    """What `env` would run; with `-S` the words behind it are told apart."""
    words = (rest,)
    if rest.startswith("-S"):
        found = split_arguments(rest[2:], Splitting.SHELL, Unbalanced.REST)
        words = found.words
    if not words or not words[0] or words[0].startswith("-") or "=" in words[0]:
        return None
    return Interpreter(_alternatives(words[0]), tuple(words[1:]))


def _alternatives(name: str) -> tuple[str, ...]:
    # Many machines have only one of the two.
    if name == "python":
        return ("python", "python3")
    return ("python3", "python") if name == "python3" else (name,)
