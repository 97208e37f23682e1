"""Headers that are read with npm's `yaml`, and what programs do with its values."""

from __future__ import annotations

import re
from collections.abc import Callable

from metier.core.js_text import bare_js_text
from metier.core.nodes import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    YamlError,
    diagnose_yaml,
    target_of,
)
from metier.core.readers import Bytes, FieldShape, ReaderRule, Recovery, Shapeless
from metier.core.readers.trees import Fields, Header, read_fields
from metier.core.readers.two_levels import read_two_levels
from metier.core.scalars import Kind, ScalarSchema, kind_of
from metier.core.yaml_npm_properties import settle_bytes
from metier.diagnostics import Diagnostic, Diagnostics, Severity, Span, diagnostic_at


def read_npm(
    root: Node | None, header: Header, rule: ReaderRule
) -> tuple[Fields | None, Diagnostics]:
    """The top-level fields of a tree, or None and the reason."""
    if rule.shapeless is Shapeless.EMPTY and not isinstance(root, Mapping):
        return {}, ()
    fields, found = read_fields(root, header, rule)
    if fields is not None:
        if rule.bytes is Bytes.TEXT:
            fields = {key: settle_bytes(node) for key, node in fields.items()}
        return _checked(fields, found, header, rule)
    if rule.recovery is Recovery.TWO_LEVELS:
        return _read_lines(found[0], header, rule)
    return None, found


def read_lines(
    error: YamlError, header: Header, rule: ReaderRule
) -> tuple[Fields | None, Diagnostics]:
    """The fields of the lines of a header that is no YAML."""
    found = diagnose_yaml(error, header.text, header_start=header.start)
    return _read_lines(found, header, rule)


def _read_lines(
    problem: Diagnostic, header: Header, rule: ReaderRule
) -> tuple[Fields | None, Diagnostics]:
    warning = Diagnostic(
        rule="yaml-recovered",
        severity=Severity.WARNING,
        message=problem.message,
        position=problem.position,
        span=problem.span,
        help="the host reads it line by line; most agents drop this skill",
    )
    return _checked(read_two_levels(header.content), (warning,), header, rule)


def _checked(
    fields: Fields, found: Diagnostics, header: Header, rule: ReaderRule
) -> tuple[Fields | None, Diagnostics]:
    """`fields`, or None where one is not of its type."""
    for key, shape in rule.types.items():
        problem = _problem_of(fields.get(key), shape)
        if problem:
            return None, (*found, _misfit(key, problem, fields[key], header))
    return fields, found


def _misfit(key: str, problem: str, node: Node, header: Header) -> Diagnostic:
    return diagnostic_at(
        "field-misfit",
        Severity.ERROR,
        f"`{key}` {problem}",
        text=header.text,
        span=Span(header.start + node.start, header.start + node.end),
        help=None,
    )


def _problem_of(node: Node | None, shape: FieldShape) -> str | None:
    target = target_of(node) if node is not None else None
    if target is None or _kind(target) is Kind.NULL:
        return None
    return _SHAPES[shape](target)


def _kind(node: Node) -> Kind | None:
    return kind_of(node, ScalarSchema.CORE) if isinstance(node, Scalar) else None


def _check_string(node: Node) -> str | None:
    return None if _kind(node) is Kind.STRING else "is no text"


def _check_boolean(node: Node) -> str | None:
    return None if _kind(node) is Kind.BOOL else "is neither `true` nor `false`"


def _check_list(node: Node) -> str | None:
    if not isinstance(node, Sequence):
        return "is no list"
    is_text = bare_js_text(node, ScalarSchema.CORE) is not None
    return None if is_text else "is a list with a map in it"


_ABSOLUTE = re.compile(r"/|[A-Za-z]:")


def _check_paths(node: Node) -> str | None:
    problem = _check_list(node)
    if problem or not isinstance(node, Sequence):
        return problem
    for item in node.items:
        path = bare_js_text(item, ScalarSchema.CORE) or ""
        path = path.strip().replace("\\", "/")
        if _ABSOLUTE.match(path) or ".." in path.split("/"):
            return f"leads out of the project: `{path[:60]}`"
    return None


_SHAPES: dict[FieldShape, Callable[[Node], str | None]] = {
    FieldShape.STRING: _check_string,
    FieldShape.BOOLEAN: _check_boolean,
    FieldShape.LIST: _check_list,
    FieldShape.INNER_PATHS: _check_paths,
}
