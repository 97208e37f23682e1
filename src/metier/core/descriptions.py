"""Descriptions that a header does not state, or not in full."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from metier.core.fields import (
    CutAt,
    FieldRule,
    FieldRules,
    FieldType,
    FromBody,
    TextRule,
    Trim,
)
from metier.core.findings import Finding
from metier.core.judging import Judged, trim_text
from metier.core.lengths import length_of, start_of
from metier.core.text import JS_WHITE_SPACE, PYTHON_WHITE_SPACE, WHITE_SPACE
from metier.core.values import read_field
from metier.diagnostics import Severity, printable

if TYPE_CHECKING:
    from metier.core.scalars import ScalarSchema
    from metier.core.values import Fields


def is_completed(rules: FieldRules) -> bool:
    """Whether more than the header's own field may stand in a description."""
    rule = rules.description
    return rule.from_body is not FromBody.NONE or rule.appended is not None


def complete_description(
    judged: Judged, fields: Fields, body: str, rules: FieldRules, schema: ScalarSchema
) -> Judged:
    """`judged`, with the description that the agent shows."""
    rule = rules.description
    description, findings = judged.description, judged.findings
    if description is None and rule.from_body is not FromBody.NONE:
        description = _from_body(body, rule)
        findings = [*findings, _lent(description)]
    if description is not None and rule.appended is not None:
        extra = _appendix(fields, rules.other[rule.appended], rule.trim, schema)
        description += f"{rule.appendix}{extra}" if extra else ""
    return judged._replace(description=description, findings=findings)


def _appendix(fields: Fields, rule: FieldRule, trim: Trim, schema: ScalarSchema) -> str:
    text = read_field(fields, rule, schema)
    if not isinstance(text, str):
        return ""
    return text if rule.type is FieldType.JS_TEXT else trim_text(text, trim)


def _from_body(body: str, rule: TextRule) -> str:
    text = _PARTS[rule.from_body](body)
    most = rule.max_from_body
    if most is not None and length_of(text, rule.unit) > most:
        text = start_of(text, most - len(rule.ellipsis), rule.unit)
        text = _well_ended(text, rule) + rule.ellipsis
    return trim_text(text or rule.last_resort, rule.trim)


def _lent(description: str) -> Finding:
    return Finding(
        "description-missing",
        Severity.WARNING,
        f"`description` is missing; the agent shows `{printable(description)}`",
        help="add `description: ...`: most agents drop this skill",
    )


def _first_paragraph(body: str) -> str:
    return body.strip(JS_WHITE_SPACE).partition("\n\n")[0]


def _first_line(body: str) -> str:
    lines = (line.strip(PYTHON_WHITE_SPACE) for line in body.split("\n"))
    return next((line for line in lines if line and line != "---"), "")


def _first_heading(body: str) -> str:
    lines = (line.strip(JS_WHITE_SPACE) for line in body.split("\n"))
    line = next(filter(None, lines), "")
    heading = _heading().fullmatch(line) if line[:1] == "#" else None
    return heading[1] if heading else line


@cache
def _heading() -> re.Pattern[str]:
    return re.compile(rf"#++[{JS_WHITE_SPACE}]++([^\n\r\u2028\u2029]++)")


def _prose(body: str) -> str:
    for block in _BLANK_LINES.split(body):
        lines = (line.strip(WHITE_SPACE) for line in block.split("\n"))
        told = [line for line in lines if line and not line.startswith("#")]
        if told:
            return " ".join(told)
    return ""


def _well_ended(text: str, rule: TextRule) -> str:
    if rule.cut_at is CutAt.SENTENCE:
        return _whole_sentences(text)
    return text if rule.from_body is FromBody.FIRST_HEADING else text.rstrip()


def _whole_sentences(text: str) -> str:
    told = text[: max(map(text.rfind, ".!?")) + 1].strip(WHITE_SPACE)
    if told:
        return told
    at = max(map(text.rfind, WHITE_SPACE))
    return text[:at].strip(WHITE_SPACE) if at >= 0 else text


_BLANK_LINES = re.compile(rf"\n[{WHITE_SPACE}]*\n")
_PARTS: Mapping[FromBody, Callable[[str], str]] = {
    FromBody.FIRST_PARAGRAPH: _first_paragraph,
    FromBody.FIRST_LINE: _first_line,
    FromBody.FIRST_HEADING: _first_heading,
    FromBody.PROSE: _prose,
}
