"""A header that PyYAML's safe loader reads, and what is then done with its fields."""

from __future__ import annotations

from typing import cast

from metier.core.json_nodes import Numbers, parse_json
from metier.core.nodes import Node, YamlError, diagnose_yaml
from metier.core.python_fields import MisfitError, Values, check_shape
from metier.core.readers import (
    Languages,
    ReaderEngine,
    ReaderRule,
    Recovery,
    Shapeless,
)
from metier.core.readers.lines import read_split_lines
from metier.core.readers.trees import Fields, Header, tell_no_map, tell_recovered
from metier.core.yaml_python import Grammar, load_python, load_tree
from metier.diagnostics import Diagnostic, Diagnostics, Severity, Span, diagnostic_at

_GRAMMARS = {
    ReaderEngine.PYYAML: Grammar.PURE,
    ReaderEngine.PYYAML_LIBYAML: Grammar.LIBYAML,
}


def read_python(header: Header, rule: ReaderRule) -> tuple[Fields | None, Diagnostics]:
    """The fields with a text for a key, or None and the reason."""
    if header.language == "json" and rule.languages is Languages.PYTHON_FRONTMATTER:
        return _read_braces(header, rule)
    try:
        value, fields = load_python(header.content, _GRAMMARS[rule.engine])
    except YamlError as error:
        found = diagnose_yaml(error, header.text, header_start=header.start)
        if rule.recovery is Recovery.LINES:
            return read_split_lines(header.content), (tell_recovered(found),)
        return None, (found,)
    if isinstance(value, dict):
        return _checked(fields, cast("Values", value), header, rule)
    is_rejected = rule.shapeless is Shapeless.REJECT_COMMENTS and header.content
    if (value is None and not is_rejected) or rule.shapeless is Shapeless.EMPTY:
        return {}, ()
    return None, (tell_no_map(header),)


def _checked(
    fields: Fields, values: Values, header: Header, rule: ReaderRule
) -> tuple[Fields | None, Diagnostics]:
    """`fields`, where the agent has no trouble with a key or a type."""
    found = _reserved_key(fields, values, header, rule) if rule.reserved else None
    found = found or _misfit(fields, values, header, rule)
    return (None, (found,)) if found else (fields, ())


def _reserved_key(
    fields: Fields, values: Values, header: Header, rule: ReaderRule
) -> Diagnostic | None:
    """A key that cannot be handed on as a keyword argument of a function."""
    for key in values:
        if not isinstance(key, str):
            message = "a key that is no text"
            return _finding("key-not-text", message, None, header)
        if key in rule.reserved:
            message = f"the agent fails on the key `{key}`"
            return _finding("key-reserved", message, fields[key], header)
    return None


def _misfit(
    fields: Fields, values: Values, header: Header, rule: ReaderRule
) -> Diagnostic | None:
    """A field that is not of the type which the agent wants.

    Of two spellings of a key, with `-` and with `_`, the first counts.
    """
    for key, shape in rule.types.items():
        dashed = key.replace("_", "-")
        if key not in fields or (key != dashed and dashed in fields):
            continue
        try:
            check_shape(values[key], shape, values)
        except MisfitError as error:
            message = f"`{key}` {error}"
            return _finding("field-misfit", message, fields[key], header)
    return None


def _finding(rule: str, message: str, node: Node | None, header: Header) -> Diagnostic:
    start, end = (node.start, node.end) if node else (0, 0)
    return diagnostic_at(
        rule,
        Severity.ERROR,
        message,
        text=header.text,
        span=Span(header.start + start, header.start + end),
        help="most agents take the file; this one does not",
    )


def _read_braces(header: Header, rule: ReaderRule) -> tuple[Fields | None, Diagnostics]:
    """The JSON that stands between a line `{` and a line `}`."""
    try:
        root = parse_json("{" + header.content + "}", numbers=Numbers.PYTHON)
    except YamlError as error:
        return None, (diagnose_yaml(error, header.text, header_start=header.start),)
    value, fields = load_tree(root)
    return _checked(fields, cast("Values", value), header, rule)
