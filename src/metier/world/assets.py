"""The style and the script of pages, which come with metier as files."""

from __future__ import annotations

import os

_FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "assets")


def read_asset(name: str) -> str:
    """The text of the file called `name`."""
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        return file.read()
