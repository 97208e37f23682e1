"""One file of a skill as a value: what kind it is, and a page of its bytes."""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from metier.core.envelope import close_proof
from metier.core.escaping import escape_xml
from metier.core.record import record

# As for an approved tree; the largest file of 4,156 real skills has less than 5.6 MB.
MAX_RESOURCE = 16 * 1024 * 1024
# About 8,000 tokens: a page that a model can read without losing its thread.
PAGE_SIZE = 32 * 1024
# A path that is longer is refused by Linux itself.
MAX_PATH = 4096


class Refusal(Enum):
    """Why a path names no file that could be read."""

    EMPTY = "it names no file"
    ABSOLUTE = "it has to be relative to the skill's folder"
    OUTSIDE = "it leads out of the skill's folder"
    IMPOSSIBLE = "no file can have such a name"


class Place(NamedTuple):
    """The way to a file below a skill's folder, or why there is none."""

    path: str
    refusal: Refusal | None = None


# A NUL ends a path; half a pair is in no name that has bytes.
_IMPOSSIBLE = re.compile("[\0\ud800-\udc7f\udd00-\udfff]")


def parse_place(path: str) -> Place:
    """The file that `path` names, its `.` and `..` resolved by the text alone.

    What the links on the way do is seen where the file is opened.
    """
    if len(path) > MAX_PATH or _IMPOSSIBLE.search(path):
        return Place("", Refusal.IMPOSSIBLE)
    if path.startswith("/"):
        return Place("", Refusal.ABSOLUTE)
    steps: list[str] = []
    for step in path.split("/"):
        if step == ".." and not steps:
            return Place("", Refusal.OUTSIDE)
        if step == "..":
            steps.pop()
        elif step not in ("", "."):
            steps.append(step)
    return Place("/".join(steps), None if steps else Refusal.EMPTY)


# --- what kind a file is ------------------------------------------------------------


class ResourceKind(Enum):
    """Whether a file can be shown as text."""

    TEXT = "text"  # UTF-8 without a NUL
    BINARY = "binary"


# First what the bytes say: a picture under a wrong name is refused by those who get it.
_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"%PDF-", "application/pdf"),
    (b"\x1f\x8b", "application/gzip"),
    (b"wOF2", "font/woff2"),
)
# A table of our own, so that the answer is the same on every machine.
_TEXT_TYPES = {
    "css": "text/css",
    "csv": "text/csv",
    "htm": "text/html",
    "html": "text/html",
    "js": "text/javascript",
    "json": "application/json",
    "md": "text/markdown",
    "mjs": "text/javascript",
    "py": "text/x-python",
    "sh": "text/x-shellscript",
    "svg": "image/svg+xml",
    "toml": "application/toml",
    "tsv": "text/tab-separated-values",
    "xml": "application/xml",
    "yaml": "application/yaml",
    "yml": "application/yaml",
}
_OFFICE = "application/vnd.openxmlformats-officedocument"
_BINARY_TYPES = {
    "docx": f"{_OFFICE}.wordprocessingml.document",
    "ico": "image/vnd.microsoft.icon",
    "mp3": "audio/mpeg",
    "mp4": "video/mp4",
    "otf": "font/otf",
    "pptx": f"{_OFFICE}.presentationml.presentation",
    "ttf": "font/ttf",
    "wasm": "application/wasm",
    "wav": "audio/wav",
    "woff": "font/woff",
    "xlsx": f"{_OFFICE}.spreadsheetml.sheet",
    "zip": "application/zip",
}


def kind_of(data: bytes) -> ResourceKind:
    """Whether `data`, a whole file, is text."""
    if b"\0" in data:
        return ResourceKind.BINARY
    try:
        data.decode()
    except UnicodeDecodeError:
        return ResourceKind.BINARY
    return ResourceKind.TEXT


def media_type_of(path: str, data: bytes) -> str:
    """The media type of a file, by its bytes first and by its name then."""
    suffix = path.rpartition("/")[2].rpartition(".")[2].lower()
    if kind_of(data) is ResourceKind.TEXT:
        return _TEXT_TYPES.get(suffix, "text/plain")
    for start, media_type in _SIGNATURES:
        if data.startswith(start):
            return media_type
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    return _BINARY_TYPES.get(suffix, "application/octet-stream")


# --- pages --------------------------------------------------------------------------


@record
class Resource:
    """A file of a skill, or the page of it that was asked for.

    `offset` and `next_offset` count bytes; a page of text ends with a whole character.
    """

    path: str
    kind: ResourceKind
    media_type: str
    data: bytes
    size: int
    offset: int = 0
    next_offset: int | None = None

    @property
    def text(self) -> str:
        """The page as text; what is no UTF-8 in it becomes U+FFFD."""
        return self.data.decode("utf-8", "replace")


def cut_page(path: str, data: bytes, *, offset: int, limit: int | None) -> Resource:
    """The page of a file that starts at `offset` and has at most `limit` bytes.

    The pages that follow one another give the whole file.
    """
    kind = kind_of(data)
    start = min(max(offset, 0), len(data))
    end = len(data) if limit is None else min(len(data), start + max(limit, 1))
    if kind is ResourceKind.TEXT:
        start, end = _whole_characters(data, start, end)
    return Resource(
        path=path,
        kind=kind,
        media_type=media_type_of(path, data),
        data=data[start:end],
        size=len(data),
        offset=start,
        next_offset=end if end < len(data) else None,
    )


def _whole_characters(data: bytes, start: int, end: int) -> tuple[int, int]:
    while _is_inside(data, start):
        start -= 1
    cut = end
    while _is_inside(data, cut):
        cut -= 1
    if cut > start:
        return start, cut
    while _is_inside(data, end):  # one character at least, so that it goes on
        end += 1
    return start, end


def _is_inside(data: bytes, at: int) -> bool:
    """Whether a character started before `at` and goes on there."""
    return at < len(data) and data[at] & 0xC0 == 0x80


# --- for a model --------------------------------------------------------------------

_TAG = "skill_resource"


def render_resource(resource: Resource, skill: str) -> str:
    """What a model gets to read: text in an envelope that it cannot close."""
    end = resource.offset + len(resource.data)
    head = (
        f'<{_TAG} skill="{_attribute(skill)}" path="{_attribute(resource.path)}" '
        f'type="{resource.media_type}" bytes="{resource.offset}-{end}" '
        f'size="{resource.size}"'
    )
    if resource.kind is ResourceKind.BINARY:
        return f"{head}>\nThis file is binary and is not shown as text.\n</{_TAG}>"
    more = ""
    if resource.next_offset is not None:
        more = f"\nThere is more: read on with offset {resource.next_offset}."
    return f"{head}>\n{close_proof(resource.text, _TAG)}\n</{_TAG}>{more}"


def _attribute(text: str) -> str:
    return escape_xml(text).replace("\n", "&#10;")
