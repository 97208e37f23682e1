"""What a field that wants text makes of a value of another type."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan
from typing import cast

from metier.core import nodes
from metier.core.fields import Expect, Presence, TextRule
from metier.core.findings import Finding, error_at, warning_at
from metier.core.js_text import bare_js_text, js_scalar, number_of
from metier.core.nodes import Node, Scalar, Style, target_of
from metier.core.scalars import (
    BINARY,
    Kind,
    ScalarSchema,
    is_misfit_null,
    is_true,
)

# To these, what they cannot use is not there.
_ABSENT = (Expect.STRING_OR_ABSENT, Expect.JS_TEXT)


def convert_scalar(
    key: str,
    node: Scalar,
    kind: Kind,
    rule: TextRule,
    findings: list[Finding],
) -> str | None:
    """What a field that wants text makes of a number, a date or nothing at all."""
    if _is_absent(node, kind, rule):
        return None
    if take := _TAKERS.get(rule.expect):
        return take(key, node, kind, findings)
    if write := _WRITERS.get(rule.expect):
        return write(key, node, findings)
    if rule.expect is Expect.PYDANTIC_TEXT and node.tag == BINARY:
        return _binary_text(key, node, findings)
    if rule.expect in _STRICT:
        message = f"`{key}` is read as {_KIND_NAMES[kind]}, not as text"
        found = error_at(f"{key}-not-text", message, node, help="put it in quotes")
        findings.append(found)
        return None
    if kind is Kind.NULL:
        return None
    message = f"`{key}` is read as {_KIND_NAMES[kind]} by many agents"
    found = warning_at(f"{key}-not-text", message, node, help="put it in quotes")
    findings.append(found)
    return node.text


_STRICT = (
    *(Expect.STRING, Expect.STRING_OR_NULL, Expect.STRING_OR_FALSY),
    Expect.PYDANTIC_TEXT,
)


def _is_absent(node: Scalar, kind: Kind, rule: TextRule) -> bool:
    """Whether a value that is no text counts as not there."""
    if rule.expect is Expect.PYDANTIC_TEXT:
        return kind is Kind.NULL and rule.presence is Presence.OPTIONAL
    if rule.expect is Expect.STRING_OR_FALSY:
        return _is_falsy(node, kind)
    if rule.expect in (Expect.JS_TEXT, Expect.JS_STRING, Expect.STRING_OR_NULL):
        return kind is Kind.NULL
    return rule.expect is Expect.STRING_OR_ABSENT


def _is_falsy(node: Scalar, kind: Kind) -> bool:
    """Whether JavaScript takes it for false."""
    if kind in (Kind.INT, Kind.FLOAT):
        number = number_of(node.text)
        return number == 0 or isnan(number)
    return kind is Kind.NULL or (kind is Kind.BOOL and not is_true(node.text))


def _js_text(key: str, node: Node, findings: list[Finding]) -> str | None:
    text = bare_js_text(node, ScalarSchema.CORE)
    if text is None:
        message = f"`{key}` holds a map, of which JavaScript can make no text"
        findings.append(error_at(f"{key}-not-text", message, node))
    return text


def is_falsy(node: Node) -> bool:
    """Whether Python takes the value of `node` for false."""
    # PyYAML costs as much to import as the rest of metier: only when it is needed.
    from metier.core.yaml_python import construct_python

    return not construct_python(node)


def _python_text(key: str, node: Node, findings: list[Finding]) -> str | None:
    from metier.core.yaml_python import write_python

    try:
        return write_python(node)
    except ValueError:
        message = f"`{key}` is a number of more digits than Python writes"
        findings.append(error_at(f"{key}-not-text", message, node))
        return None


_WRITERS: dict[Expect, Callable[[str, Node, list[Finding]], str | None]] = {
    Expect.JS_STRING: _js_text,
    Expect.PYTHON_TEXT: _python_text,
}


def _binary_text(key: str, node: Scalar, findings: list[Finding]) -> str | None:
    from metier.core.yaml_python import construct_python

    try:
        return cast("bytes", construct_python(node)).decode()
    except UnicodeDecodeError:
        findings.append(error_at(f"{key}-not-text", f"`{key}` is no UTF-8", node))
        return None


def _any_scalar(
    key: str, node: Scalar, kind: Kind, findings: list[Finding]
) -> str | None:
    if kind is not Kind.NULL or node.style is not Style.PLAIN:
        return node.text
    if is_misfit_null(node):
        message = f"`{key}` does not fit its tag `{node.tag}`"
        findings.append(error_at(f"{key}-not-text", message, node))
    return None


def _as_written(_key: str, node: Scalar, kind: Kind, _findings: list[Finding]) -> str:
    return "" if kind is Kind.NULL else node.text


def _as_javascript(
    _key: str, node: Scalar, kind: Kind, _findings: list[Finding]
) -> str:
    return js_scalar(node, kind)


_TAKERS: dict[Expect, Callable[[str, Scalar, Kind, list[Finding]], str | None]] = {
    Expect.AS_WRITTEN: _as_written,
    Expect.SCALAR: _any_scalar,
    Expect.JS_TEXT: _as_javascript,
}


def convert_collection(
    key: str, node: Node, rule: TextRule, findings: list[Finding]
) -> str | None:
    if write := _WRITERS.get(rule.expect):
        return write(key, node, findings)
    if rule.expect not in _ABSENT:
        message = f"`{key}` is {name_of_collection(target_of(node))}, not a text"
        found = error_at(f"{key}-not-text", message, node, help="put it in quotes")
        findings.append(found)
    return None


_KIND_NAMES = {
    Kind.NULL: "nothing (null)",
    Kind.BOOL: "a boolean",
    Kind.INT: "a number",
    Kind.FLOAT: "a number",
    Kind.TIMESTAMP: "a date",
    Kind.OTHER: "a tagged value",
}


def name_of_collection(node: Node | None) -> str:
    return "a list" if isinstance(node, nodes.Sequence) else "a map"
