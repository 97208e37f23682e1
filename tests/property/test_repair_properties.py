"""Repairs against small models; they never fail and never touch plain lines."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.core.fence import FenceStyle, find_fence
from metier.core.repair import Repair, expand_go_template, is_idle, repair_text
from tests.property.strategies import FILES, HEADERS

# The repairs that quote, and the fences that they look for.
QUOTES = {
    Repair.QUOTE_VALUE: FenceStyle.TRIMMED_LINES,
    Repair.QUOTE_SPECIAL: FenceStyle.LINE_ANYWHERE,
}
REPAIRS = pytest.mark.parametrize(
    "repair",
    [each for each in Repair if each not in QUOTES],
    ids=lambda repair: repair.value,
)
TEMPLATES = st.lists(
    st.sampled_from(
        [*"$$$${}}019aé_-. \n", "$1", "${1}", "$name", "${x}", "٣", "²", "$$", "{1}"]
    ),
    max_size=12,
).map("".join)
# `$` and a name, or a name in braces, or a second `$`; else the sign stands for itself.
VARIABLE = re.compile(r"\$(?:(\$)|(\w+)|\{(\w+)\})")


def model(template: str, groups: tuple[str, ...]) -> str:
    """Go's `Expand` as one substitution; `\\w` is Go's letters, digits and `_` here."""

    def value(found: re.Match[str]) -> str:
        if found[1]:
            return "$"
        name = found[2] or found[3]
        if re.fullmatch(r"0|[1-9][0-9]{0,8}", name):
            return groups[int(name)] if int(name) < len(groups) else ""
        return ""

    return VARIABLE.sub(value, template)


@given(TEMPLATES.filter(lambda text: "²" not in text), st.tuples(st.text(), st.text()))
def test_templates_expand_as_in_a_small_model(
    template: str, groups: tuple[str, ...]
) -> None:
    assert expand_go_template(template, groups=groups) == model(template, groups)


@given(TEMPLATES | st.text())
def test_a_template_without_a_sign_stays(text: str) -> None:
    text = text.replace("$", "")
    assert expand_go_template(text, groups=("a", "b")) == text


@REPAIRS
@given(text=FILES | HEADERS.map(lambda header: f"---\n{header}\n---\n"))
def test_a_repair_never_fails_and_keeps_what_is_no_header(
    text: str, repair: Repair
) -> None:
    repaired = repair_text(text, repair)
    assert repaired[:3] == text[:3]
    body = re.search(r"\A---\r?\n.*?\n---(.*)\Z", text, re.DOTALL)
    assert repaired.endswith(body[1] if body else text)


@REPAIRS
@given(header=HEADERS)
def test_without_a_colon_nothing_changes_but_the_fences(
    header: str, repair: Repair
) -> None:
    header = re.sub(r"[:$\r]|---", "", header)
    text = f"---\n{header}\n---\nbody: a: b\n"
    assert repair_text(text, repair) == text


@REPAIRS
@given(header=HEADERS)
def test_a_second_repair_changes_nothing(header: str, repair: Repair) -> None:
    # Go's templates aside, which take two signs for one each time.
    text = f"---\n{header.replace('$', '')}\n---\n"
    once = repair_text(text, repair)
    assert repair_text(once, repair) == once


@pytest.mark.parametrize("repair", QUOTES, ids=lambda repair: repair.value)
@given(text=FILES | HEADERS.map(lambda header: f"---\n{header}\n---\n"))
def test_quotes_come_only_between_the_fences_and_only_once(
    text: str, repair: Repair
) -> None:
    fenced, _ = find_fence(text, QUOTES[repair])
    quoted = repair_text(text, repair)
    if fenced is None:
        assert quoted == text
    else:
        assert quoted.startswith(text[: fenced.header_start])
        assert quoted.endswith(text[fenced.header_end :])
        assert repair_text(quoted, repair) == quoted


@REPAIRS
@given(header=HEADERS)
def test_a_repair_that_is_idle_changes_nothing(header: str, repair: Repair) -> None:
    header = header.removesuffix("\n").replace("\n---", "\n")
    if is_idle(header, repair):
        text = f"---\n{header}\n---\nbody: a: b\n"
        assert repair_text(text, repair) == text
