"""What is wrong with a field, before its place in the text is known."""

from __future__ import annotations

from typing import NamedTuple

from metier.core.nodes import Node
from metier.diagnostics import Severity, Span


class Finding(NamedTuple):
    """A diagnostic whose text is not at hand yet: the span is within the header."""

    rule: str
    severity: Severity
    message: str
    span: Span | None = None
    help: str | None = None


def span_of(node: Node | None) -> Span | None:
    return Span(node.start, node.end) if node else None


def error_at(
    rule: str, message: str, node: Node | None = None, *, help: str | None = None
) -> Finding:
    return Finding(rule, Severity.ERROR, message, span_of(node), help)


def warning_at(
    rule: str, message: str, node: Node | None = None, *, help: str | None = None
) -> Finding:
    return Finding(rule, Severity.WARNING, message, span_of(node), help)
