"""Each way of finding fences against a slow and simple one, out of the documents.

The oracles follow the code of the five systems: the regular expression of BRUTUS, the
splits of shelley, the trims and finds of opi, the line starts of batuta, gray-matter.
"""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given

from metier.core.fence import FenceStyle, find_fence, find_plain_header
from metier.core.text import JS_WHITE_SPACE, WHITE_SPACE
from metier.diagnostics import Severity
from tests.property.strategies import FILES, HEADERS

Cut = tuple[str, str] | tuple[str, str, str] | None


def tolerant_lines(text: str) -> Cut:
    """Lines of `---` and blanks; blank lines before the first are skipped."""
    lines = re.split(r"(?<=\n)", text.lstrip(" \t\r\n"))
    fences = [bool(re.fullmatch(r"---[ \t\xa0]*(\r?\n|\r?\Z)", line)) for line in lines]
    opens = re.fullmatch(r"---[ \t\xa0]*(\r?\n|\Z)", lines[0])
    if not opens or True not in fences[1:]:
        return None
    at = fences.index(True, 1)
    return "".join(lines[1:at]), "".join(lines[at + 1 :])


def exact_lines(text: str) -> Cut:
    """batuta: the first line whose text, less carriage returns, is `---`."""
    return whole_lines(text, 0)


def later_lines(text: str) -> Cut:
    """Letta Code: the same, but for the line below the opener."""
    return whole_lines(text, 1)


def whole_lines(text: str, first: int) -> Cut:
    opened = re.match(r"---\r?\n", text)
    if not opened:
        return None
    lines = text[opened.end() :].split("\n")
    for index, line in enumerate(lines):
        if index >= first and line.rstrip("\r") == "---":
            header = "".join(f"{each}\n" for each in lines[:index])
            return header, "\n".join(lines[index + 1 :])
    return None


def closed_lines(text: str) -> Cut:
    """BRUTUS: the expression of its parser."""
    found = re.match(r"---\r?\n(.*?)\r?\n---\r?\n(.*)\Z", text, re.DOTALL)
    return (found[1], found[2]) if found else None


def ended_lines(text: str) -> Cut:
    """Qwen Code: the expression of its parser, which asks for no line break behind."""
    pattern = r"---\r?\n(.*?)\r?\n---(?:\r?\n|\Z)(.*)\Z"
    found = re.match(pattern, text, re.DOTALL)
    return (found[1], found[2]) if found else None


def prefix(text: str) -> Cut:
    """opi: trimmed, then up to the next line that starts with `---`."""
    trimmed = text.lstrip(WHITE_SPACE)
    if not trimmed.startswith("---"):
        return None
    header, closer, body = trimmed[3:].lstrip("\r\n").partition("\n---")
    return (header, body.lstrip("\r\n")) if closer else None


def line_prefix(text: str) -> Cut:
    """Gemini CLI: its expression; what is glued to the closer takes the body along."""
    pattern = r"---\r?\n(.*?)\r?\n---(?:\r?\n(.*))?"
    found = re.match(pattern, text, re.DOTALL)
    return (found[1], found[2] or "") if found else None


def anywhere(text: str) -> Cut:
    """shelley: the second of three parts."""
    parts = text.split("---", 2)
    return (parts[1], parts[2]) if not parts[0] and len(parts) == 3 else None


def four_characters(text: str) -> Cut:
    """pi: two slices, around the first line that starts with `---`."""
    end = text.find("\n---", 3)
    if not text.startswith("---") or end < 0:
        return None
    return text[4:end], text[end + 4 :]


def line_to_prefix(text: str) -> Cut:
    """Cline: its expression."""
    found = re.match(r"---\r?\n(.*?)\r?\n---(.*)\Z", text, re.DOTALL)
    return (found[1], found[2]) if found else None


def line_anywhere(text: str) -> Cut:
    """Claude Code: its expression, as far as its answers tell it."""
    blank = f"[{JS_WHITE_SPACE}]"
    pattern = rf"---{blank}*\n(.*?)---{blank}*(.*)\Z"
    found = re.match(pattern, text, re.DOTALL)
    return (found[1], found[2]) if found else None


def gray_matter(text: str) -> Cut:
    """gray-matter: the language is what stands on the opener's line."""
    text = text.removeprefix("\ufeff")
    if not text.startswith("---") or text.startswith("----"):
        return "", text, ""
    line, broken, _ = text[3:].partition("\n")
    raw = (line if broken else line[:-1]).removesuffix("\r")
    language = raw.strip(JS_WHITE_SPACE)
    rest = text[3 + len(raw) if language else 3 :]
    header, _, body = rest.partition("\n---")
    return header, body.removeprefix("\r").removeprefix("\n"), language


def trimmed_lines(text: str) -> Cut:
    """Codex: lines as Rust has them, trimmed; the header has one line at least."""
    lines = text.split("\n")
    fences = [line.strip(WHITE_SPACE) == "---" for line in lines]
    if not fences[0] or True not in fences[2:] or fences[1]:
        return None
    at = fences.index(True, 1)
    header = "\n".join(lines[1:at])
    return header.removesuffix("\r"), "\n".join(lines[at + 1 :])


def dash_lines(text: str) -> Cut:
    """Mistral Vibe: three parts, of which the first is blank."""
    parts = re.split(r"^-{3,}\s*$", text, maxsplit=2, flags=re.MULTILINE)
    return (parts[1], parts[2]) if len(parts) == 3 and not parts[0].strip() else None


def python_frontmatter(text: str) -> Cut:
    """The library: the expression that fits at the start of the trimmed text."""
    stripped = text.strip()
    for pattern, language in ((r"^-{3,}\s*$", ""), (r"^(?:{|})$", "json")):
        line = re.compile(pattern, re.MULTILINE)
        parts = line.split(stripped, maxsplit=2)
        if line.match(stripped) and len(parts) == 3:
            return parts[1], parts[2].strip(), language
    return "", stripped, ""


def late_trimmed_lines(text: str) -> Cut:
    """Crush: the first line that is not blank, and the next that is the same."""
    lines = text.split("\n")
    trimmed = [line.strip(WHITE_SPACE) for line in lines]
    start = next((at for at, line in enumerate(trimmed) if line), None)
    if start is None or trimmed[start] != "---" or "---" not in trimmed[start + 1 :]:
        return None
    at = trimmed.index("---", start + 1)
    return "\n".join(lines[start + 1 : at]), "\n".join(lines[at + 1 :])


def cut_prefix(text: str) -> Cut:
    """docker-agent: from the fifth byte to the next line that starts with `---`."""
    data = text.encode("utf-8", "surrogatepass")
    end = data[3:].find(b"\n---") + 3
    if not text.startswith("---") or end < 4:
        return None
    if data[3] < 128:
        return data[4:end].decode("utf-8", "surrogatepass"), _behind(text, end)
    return text[3:].partition("\n---")[0], _behind(text, end)


def _behind(text: str, end: int) -> str:
    data = text.encode("utf-8", "surrogatepass")
    return data[end + 4 :].decode("utf-8", "surrogatepass")


def open_end(text: str) -> Cut:
    """VS Code: a line is three dashes and blanks; without a second one, all of it."""
    lines = [a + b for a, b in re.findall(r"([^\r\n]*)(\r\n|\r|\n|\Z)", text)]
    fences = [
        line[:3] == "---" and not line[3:].strip(JS_WHITE_SPACE) for line in lines
    ]
    if not fences[0]:
        return None
    at = fences.index(True, 1) if True in fences[1:] else len(lines)
    return "".join(lines[1:at]), "".join(lines[at + 1 :])


def split(text: str) -> Cut:
    """Goose: the second part, trimmed, and all behind it."""
    parts = text.split("---", 2)
    return (parts[1].strip(WHITE_SPACE), parts[2]) if len(parts) == 3 else None


def exact_closer(text: str) -> Cut:
    """Zed: candidates are lines; the opener is YAML's, unless it says nothing there."""
    trimmed = text.lstrip(WHITE_SPACE)
    lines = trimmed.split("\n")
    fences = [line.removesuffix("\r") == "---" for line in lines[:-1]]
    fences.append(lines[-1] == "---")
    if not trimmed.startswith("---") or True not in fences[1:]:
        return None
    at = fences.index(True, 1)
    inner = lines[1:at]
    header = "".join(f"{line}\n" for line in inner)
    is_sign = any(line.startswith(("%", "---", "...")) for line in inner)
    if not fences[0] or is_sign:
        header = f"{lines[0]}\n{header}"
    return header, "\n".join(lines[at + 1 :])


def loose_closed_lines(text: str) -> Cut:
    """Warp: its expression, and what it captures trimmed."""
    blank = f"[{WHITE_SPACE}]"
    pattern = rf"{blank}*---[ \t]*\r?\n(.*?)\r?\n---[ \t]*\r?\n"
    found = re.match(pattern, text, re.DOTALL)
    return (found[1].strip(WHITE_SPACE), text[found.end() :]) if found else None


def spaced_lines(text: str) -> Cut:
    """deepagents: its expression, but for a header of blanks alone."""
    found = re.match(r"---\s*\n(.*?)\n---\s*\n", text, re.DOTALL)
    blank = found and not found[1].strip()
    return (found[1], text[found.end() :]) if found and not blank else None


def spaced_closer(text: str) -> Cut:
    """Hermes: what starts with dashes, up to the closer that its expression finds."""
    found = re.search(r"\n---\s*\n", text[3:]) if text.startswith("---") else None
    return (text[3 : found.start() + 3], text[found.end() + 3 :]) if found else None


def stripped_lines(text: str) -> Cut:
    """Kimi CLI: its lines, of which the header has no blanks around it."""
    lines = re.split(r"(?<=\n)", text)
    if lines[0].strip() != "---":
        return None
    for index, line in enumerate(lines[1:], 1):
        if line.strip() == "---":
            return "".join(lines[1:index]).strip(), "".join(lines[index + 1 :])
    return None


ORACLES = {
    FenceStyle.SPACED_LINES: spaced_lines,
    FenceStyle.SPACED_CLOSER: spaced_closer,
    FenceStyle.STRIPPED_LINES: stripped_lines,
    FenceStyle.TOLERANT_LINES: tolerant_lines,
    FenceStyle.EXACT_LINES: exact_lines,
    FenceStyle.LATER_LINES: later_lines,
    FenceStyle.CLOSED_LINES: closed_lines,
    FenceStyle.ENDED_LINES: ended_lines,
    FenceStyle.PREFIX: prefix,
    FenceStyle.LINE_PREFIX: line_prefix,
    FenceStyle.ANYWHERE: anywhere,
    FenceStyle.FOUR_CHARACTERS: four_characters,
    FenceStyle.LINE_TO_PREFIX: line_to_prefix,
    FenceStyle.LINE_ANYWHERE: line_anywhere,
    FenceStyle.GRAY_MATTER: gray_matter,
    FenceStyle.TRIMMED_LINES: trimmed_lines,
    FenceStyle.DASH_LINES: dash_lines,
    FenceStyle.PYTHON_FRONTMATTER: python_frontmatter,
    FenceStyle.LATE_TRIMMED_LINES: late_trimmed_lines,
    FenceStyle.CUT_PREFIX: cut_prefix,
    FenceStyle.OPEN_END: open_end,
    FenceStyle.SPLIT: split,
    FenceStyle.EXACT_CLOSER: exact_closer,
    FenceStyle.LOOSE_CLOSED_LINES: loose_closed_lines,
}
styles = pytest.mark.parametrize("style", FenceStyle, ids=lambda style: style.value)


@styles
@given(text=FILES)
def test_a_slow_reading_of_the_documents_finds_the_same(
    text: str, style: FenceStyle
) -> None:
    fenced, _ = find_fence(text, style)
    cut: Cut = None
    if fenced is not None:
        cut = text[fenced.header_start : fenced.header_end], text[fenced.body_start :]
        if style is FenceStyle.GRAY_MATTER:
            cut = (*cut, fenced.language)
        if style is FenceStyle.PYTHON_FRONTMATTER:
            # Whoever hands the body over trims it.
            cut = (cut[0], cut[1].strip(), fenced.language)
    assert cut == ORACLES[style](text)


@styles
@given(text=FILES)
def test_parts_stand_in_order_and_findings_within_the_text(
    text: str, style: FenceStyle
) -> None:
    fenced, found = find_fence(text, style)
    if fenced is None:
        assert [each.severity for each in found] == [Severity.ERROR]
    else:
        start, end, body, _ = fenced
        assert 0 <= start <= end <= body <= len(text)
        is_all_body = (start, end) == (0, 0) and style is FenceStyle.GRAY_MATTER
        severity = Severity.ERROR if is_all_body else Severity.WARNING
        assert all(each.severity is severity for each in found)
    for each in found:
        assert each.span is not None
        assert 0 <= each.span.start <= each.span.end
        assert each.position is not None


@styles
@pytest.mark.parametrize(
    ("opening", "repeated"),
    [
        pytest.param("---\n", "\n---x", id="closers that are none"),
        pytest.param("---\n", " ---\n", id="indented closers"),
        pytest.param("---\n", "--- ", id="hyphens in one line"),
        pytest.param("---\n", "---\r", id="carriage returns"),
        pytest.param("---\n", "--- \t\xa0", id="blanks"),
        pytest.param("", " \t\r\n", id="blanks at the start"),
        pytest.param("---\n", "\n", id="line feeds"),
        pytest.param("---", "\r", id="returns behind the opener"),
    ],
)
def test_half_a_megabyte_takes_no_time(
    style: FenceStyle, opening: str, repeated: str
) -> None:
    text = opening + repeated * (500_000 // len(repeated))
    start = time.process_time()
    find_fence(text, style)
    assert time.process_time() - start < 1  # quadratic time would be minutes


@pytest.mark.parametrize("style", FenceStyle, ids=lambda style: style.value)
@given(text=FILES | HEADERS.map(lambda header: f"---\n{header}---\nBody\n"))
def test_a_plain_header_is_the_header_that_a_search_finds(
    text: str, style: FenceStyle
) -> None:
    data = text.encode("utf-8", "replace")
    text = data.decode()
    closer = data.find(b"\n---", 3)
    bounds = find_plain_header(data, closer, style) if closer >= 0 else None
    if bounds is not None:
        fenced, found = find_fence(text, style)
        assert fenced is not None
        header = text[fenced.header_start : fenced.header_end]
        plain = data[bounds[0] : bounds[1]].decode()
        assert (plain, found) == (header, ())
