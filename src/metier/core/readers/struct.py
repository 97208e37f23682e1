"""A header that is read into a struct, as serde does: known keys have types.

The keys are texts, each known one stands once, and what is unknown may be anything at
all, twice if need be. `<<` merges nothing: it is one more unknown key.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from metier.core.nodes import Mapping, Node, Scalar, Style, target_of
from metier.core.readers import FieldShape, ReaderRule
from metier.core.readers.trees import Fields, Header, tell_duplicate, tell_no_map
from metier.core.scalars import is_misfit_null, is_serde_flag
from metier.diagnostics import Diagnostic, Diagnostics, Severity, Span, diagnostic_at


def read_struct(
    root: Node | None, header: Header, rule: ReaderRule
) -> tuple[Fields | None, Diagnostics]:
    """The top-level fields of `root`, or None and what is not of its type."""
    top = target_of(root) if root else None
    if top is None or _is_empty(top):
        return {}, ()
    if not isinstance(top, Mapping):
        return None, (tell_no_map(header),)
    found = next(_misfits(top, rule.known, header, rule), None)
    fields = {key.text: value for key, value in _texts(top)}
    for name, shape in rule.types.items():
        if found is None and name in fields:
            fields[name], found = _shaped(name, fields[name], shape, header)
    for name, members in rule.maps.items():
        if found is None and name in fields:
            found = _misfit_in(name, fields[name], members, header, rule)
    return (None, (found,)) if found else (fields, ())


def _shaped(
    name: str, value: Node, shape: FieldShape, header: Header
) -> tuple[Node, Diagnostic | None]:
    """What a field is read into, and why it cannot be."""
    target = target_of(value)
    if shape is FieldShape.VALUE_MAP:
        from metier.core.readers.serde_values import find_misfit

        if target is None or not (isinstance(target, Mapping) or _is_empty(target)):
            message = f"`{name}` is no map"
            return value, _finding("field-not-a-map", message, value, header)
        odd = find_misfit(target)
        if odd is None:
            return value, None
        message = f"`{name}`: {odd.problem}"
        return value, _finding("field-not-text", message, odd.node, header)
    if not isinstance(target, Scalar):
        rule = f"{name}-not-text" if name in _NEEDED else "field-not-text"
        return value, _finding(rule, f"`{name}` is no text", value, header)
    if shape is FieldShape.TEXT:
        return target._replace(style=Style.DOUBLE, tag=None), None
    if is_serde_flag(target):
        return target._replace(style=Style.PLAIN, tag=None), None
    message = f"`{name}` is neither true nor false"
    return value, _finding("field-not-flag", message, value, header)


_NEEDED = ("name", "description")


def _is_empty(node: Node) -> bool:
    return isinstance(node, Scalar) and node.style is Style.PLAIN and not node.text


def _texts(mapping: Mapping) -> Iterator[tuple[Scalar, Node]]:
    for written, value in mapping.entries:
        key = target_of(written)
        if isinstance(key, Scalar):
            yield key, value


def _misfits(
    mapping: Mapping, known: Collection[str], header: Header, rule: ReaderRule
) -> Iterator[Diagnostic]:
    """Keys that are no text, and known ones that stand twice, in their order."""
    seen: set[str] = set()
    for written, _ in mapping.entries:
        key = target_of(written)
        if not isinstance(key, Scalar):
            message = "a key that is a list or a map"
            yield _finding("key-not-text", message, written, header)
        elif key.text in known and key.text in seen:
            yield tell_duplicate(key, header, rule)
        else:
            seen.add(key.text)


def _misfit_in(
    name: str, value: Node, members: tuple[str, ...], header: Header, rule: ReaderRule
) -> Diagnostic | None:
    target = target_of(value)
    if target is not None and _is_empty(target):
        return None
    if not isinstance(target, Mapping):
        return _finding("field-not-a-map", f"`{name}` is no map", value, header)
    found = next(_misfits(target, members, header, rule), None)
    if found is not None:
        return found
    for key, member in _texts(target):
        if key.text in members and not _is_text_or_null(target_of(member)):
            message = f"`{name}.{key.text}` is no text"
            return _finding("field-not-text", message, member, header)
    return None


def _is_text_or_null(node: Node | None) -> bool:
    return isinstance(node, Scalar) and not is_misfit_null(node)


def _finding(rule: str, message: str, node: Node, header: Header) -> Diagnostic:
    return diagnostic_at(
        rule,
        Severity.ERROR,
        message,
        text=header.text,
        span=Span(header.start + node.start, header.start + node.end),
        help="this agent reads the header into fields of fixed types",
    )
