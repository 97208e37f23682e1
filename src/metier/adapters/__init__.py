"""What joins metier with other libraries: thin, optional, imported by who wants it."""

from __future__ import annotations


def missing(extra: str, error: ModuleNotFoundError) -> ModuleNotFoundError:
    """The exception for a library that is not installed: it names the extra."""
    message = f"{error}: it comes with the extra `metier[{extra}]`"
    return ModuleNotFoundError(message, name=error.name, path=error.path)
