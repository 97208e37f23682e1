"""A header that PyYAML's safe loader reads, and what is then done with its fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from metier.core.json_nodes import Numbers, parse_json
from metier.core.nodes import Node, YamlError, diagnose_yaml
from metier.core.readers import Languages, ReaderEngine, ReaderRule, Shapeless
from metier.core.readers.trees import Fields, Header, tell_no_map
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
        return None, (diagnose_yaml(error, header.text, header_start=header.start),)
    if isinstance(value, dict):
        keys = cast("dict[object, object]", value)
        return _unless_reserved(fields, keys, header, rule)
    if value is None or rule.shapeless is Shapeless.EMPTY:
        return {}, ()
    return None, (tell_no_map(header),)


def _unless_reserved(
    fields: Fields, keys: Iterable[object], header: Header, rule: ReaderRule
) -> tuple[Fields | None, Diagnostics]:
    """`fields`, which some agents hand on as the keyword arguments of a function."""
    if not rule.reserved:
        return fields, ()
    for key in keys:
        if not isinstance(key, str):
            message = f"the key `{str(key)[:40]}` is no text"
            return None, (_finding("key-not-text", message, None, header),)
        if key in rule.reserved:
            message = f"the agent fails on the key `{key}`"
            return None, (_finding("key-reserved", message, fields[key], header),)
    return fields, ()


def _finding(rule: str, message: str, node: Node | None, header: Header) -> Diagnostic:
    start, end = (node.start, node.end) if node else (0, 0)
    return diagnostic_at(
        rule,
        Severity.ERROR,
        message,
        text=header.text,
        span=Span(header.start + start, header.start + end),
        help="give it another name",
    )


def _read_braces(header: Header, rule: ReaderRule) -> tuple[Fields | None, Diagnostics]:
    """The JSON that stands between a line `{` and a line `}`."""
    try:
        root = parse_json("{" + header.content + "}", numbers=Numbers.PYTHON)
    except YamlError as error:
        return None, (diagnose_yaml(error, header.text, header_start=header.start),)
    loaded = load_tree(root)
    fields = loaded.fields
    return _unless_reserved(fields, fields, header, rule)
