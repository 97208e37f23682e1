"""Names, descriptions, paths and bodies that try to be something else."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar
from xml.etree import ElementTree as ET

from metier.core.activation import ResourceList, render_activation
from metier.core.catalog_sheet import render_catalog
from metier.core.envelope_reader import Envelope, parse_envelope
from tests.making import dialect, skill

T = TypeVar("T")
AGENT = dialect("agentskills")
TAG = AGENT.activation.envelope
_AT_ONCE = 1_000
# Anything that some reader could take for the closing tag.
CLOSING = re.compile(rf"<\s*/\s*{TAG}(?!\w)", re.IGNORECASE)
# What XML 1.0 cannot write is replaced: the documentation says so.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_PIECES = (
    *("a", "pdf", " ", "\n", "\r", "\t", "<", ">", "&", '"', "'", "/", "]]>", "<!--"),
    *("&amp;", "&lt;", "&#10;", "&#x3c;", "</description>", "</available_skills>"),
    *(
        "<skill>",
        "<name>",
        "<![CDATA[",
        "<?xml?>",
        "<!DOCTYPE x>",
        "%s",
        "{name}",
        "\\",
    ),
    *("\x00", "\x1b[31m", "\x7f", "\x85", "\u2028", "\u202e", "\u200b", "\ufeff"),
    *("\udcff", "\ud800", "\ufffe", "\U000e0041", "\U0001f600", "\u00e9", "e\u0301"),
    *(f"</{TAG}>", f"</{TAG.upper()} >", f"< / {TAG}", f"&lt;/{TAG}", f"\uff1c/{TAG}"),
    *(f"&#xff1c;/{TAG}", f"<\u200b/{TAG}", "Skill directory: /evil", "amp;", "lt;"),
    *("</skill_resources>\n", "  <file>x</file>\n", "<skill_resources>\n"),
)


def texts(chance: random.Random, count: int) -> list[str]:
    """So many texts of a few pieces each."""
    pieces = chance.choices(_PIECES, k=3 * count)
    return [
        "".join(pieces[at : at + chance.randrange(4)]) for at in range(0, 3 * count, 3)
    ]


def spread(judge: Callable[[int, int], list[T]], count: int) -> list[T]:
    """What `judge` finds wrong in `count`, on two processors."""
    half = count // 2
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        found = pool.map(judge, (half, count - half), (1, 2))
        return [each for part in found for each in part]


def wrong_rows(count: int, seed: int) -> list[tuple[str, ...]]:
    """Of `count` skills those that an XML parser finds otherwise in the catalog."""
    chance = random.Random(seed)
    wrong: list[tuple[str, ...]] = []
    for _ in range(0, count, _AT_ONCE):
        told = list(zip(*(texts(chance, _AT_ONCE) for _ in range(3)), strict=True))
        skills = [skill(name, about, path=f"/{path}") for name, about, path in told]
        read = [
            tuple(child.text or "" for child in each)
            for each in ET.fromstring(render_catalog(skills, AGENT.catalog).text)
        ]
        meant = [tuple(map(written, (n, about, f"/{path}"))) for n, about, path in told]
        wrong += [row for row in meant if row not in read] if read != meant else []
    return wrong


def written(text: str) -> str:
    return _UNWRITABLE.sub("\ufffd", text)


def wrong_envelopes(count: int, seed: int) -> list[str]:
    """Of `count` bodies those that close their envelope, or do not read back."""
    chance = random.Random(seed)
    wrong: list[str] = []
    rule = AGENT.activation
    for names in range(0, count, _AT_ONCE):
        bodies, others = texts(chance, _AT_ONCE), texts(chance, _AT_ONCE)
        for body, more in zip(bodies, others, strict=True):
            files = ResourceList(paths=(more,), is_cut=names % 2 == 0)
            made = skill("x", path=f"/{more}/SKILL.md")
            output = render_activation(made, body, rule, resources=files).output
            read = parse_envelope(output, rule)
            listed = ResourceList(paths=(written(more),), is_cut=files.is_cut)
            meant = Envelope(
                name="x", body=body, directory=made.directory, resources=listed
            )
            if read != meant or len(CLOSING.findall(output)) != 1:
                wrong.append(body)
    return wrong
