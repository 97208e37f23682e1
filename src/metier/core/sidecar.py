"""A file beside the skill file in which its author says who may have the skill.

An agent that reads one reads it into types of its own; where it does not fit them, the
file counts for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from metier.core.nodes import Mapping, Node, Scalar, Sequence, YamlError, target_of
from metier.core.record import record
from metier.core.scalars import Kind, ScalarSchema, is_true, kind_of
from metier.core.yaml_events import Documents, parse_events
from metier.diagnostics import Diagnostic, Severity

if TYPE_CHECKING:
    from metier.core.dialect import Dialect


# A few lines in practice; as much as a header may have.
MAX_SIDECAR = 64 * 1024


class SidecarType(Enum):
    """What stands under a key of a sidecar."""

    MAP = "map"  # or nothing
    TEXT = "text"  # any scalar
    FLAG = "flag"  # true, false or nothing
    LIST = "list"
    TEXTS = "texts"  # a list of texts
    PRODUCTS = "products"  # a list of the names of products, and of nothing else


class SidecarMisfit(Enum):
    """What a file that does not fit the types does to its skill."""

    NOTHING = "nothing"  # the file counts for nothing
    HIDES = "hides"  # as the flag would: better too few skills than one too many


@record
class SidecarRule:
    """Which file it is, below the folder of the skill, and what in it decides.

    `shape` are the types, by the keys from the outside in (`policy.products`). Where
    the flag under `invocation` is false, the model is not offered the skill; where the
    list under `products` is not empty and has no `product`, there is no such skill. The
    maps that are `closed` have no other keys.
    """

    path: str = ""
    shape: dict[str, SidecarType] = field(default_factory=dict[str, SidecarType])
    invocation: str = ""
    products: str = ""
    product: str = ""
    known_products: tuple[str, ...] = ()
    schema: ScalarSchema = ScalarSchema.CORE
    closed: tuple[str, ...] = ()
    misfit: SidecarMisfit = SidecarMisfit.NOTHING


class Sidecar(NamedTuple):
    """What a sidecar does to its skill, and why."""

    is_hidden: bool = False
    is_excluded: bool = False
    finding: Diagnostic | None = None


def sidecar_of(dialect: Dialect) -> SidecarRule:
    """What `dialect` says of such files; without a path where it knows none."""
    return dialect.sidecar.build(SidecarRule)


def read_sidecar(data: bytes, rule: SidecarRule) -> Sidecar:
    """What the file that holds `data` does to the skill beside it."""
    try:
        values = _values(_parse(data, rule), rule)
    except _MisfitError as error:
        if rule.misfit is SidecarMisfit.HIDES:
            message = f"`{rule.path}` keeps the model from invoking it: {error}"
            found = _finding("sidecar-hides", message, Severity.WARNING)
            return Sidecar(is_hidden=True, finding=found)
        message = f"`{rule.path}` counts for nothing: {error}"
        return Sidecar(finding=_finding("sidecar-invalid", message, Severity.WARNING))
    products = _texts(values.get(rule.products))
    if products and rule.product not in products:
        message = f"`{rule.path}` is for other products: {', '.join(products)}"
        found = _finding("sidecar-excludes", message, Severity.ERROR)
        return Sidecar(is_excluded=True, finding=found)
    if not _is_false(values.get(rule.invocation), rule):
        return Sidecar()
    message = f"`{rule.path}` keeps the model from invoking it by itself"
    return Sidecar(
        is_hidden=True, finding=_finding("sidecar-hides", message, Severity.INFO)
    )


class _MisfitError(Exception):
    """What in the file is not of the type that it has to be."""


def _finding(rule: str, message: str, severity: Severity) -> Diagnostic:
    return Diagnostic(rule=rule, severity=severity, message=message)


def _parse(data: bytes, rule: SidecarRule) -> Mapping | None:
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
        if rule.schema is ScalarSchema.YAML_1_1:
            return _parse_python(text)
        root = parse_events(text, documents=Documents.ONE)
    except (UnicodeDecodeError, YamlError) as error:
        raise _MisfitError("it is not YAML") from error
    if root is None or isinstance(root, Mapping):
        return root
    raise _MisfitError("it holds no `key: value`")


def _parse_python(text: str) -> Mapping | None:
    from metier.core.yaml_python import Grammar, load_python

    value, fields = load_python(text, Grammar.PURE)
    if value is not None and not isinstance(value, dict):
        raise _MisfitError("it holds no `key: value`")
    # Duplicates and merges are settled: what is left is what the agent sees.
    entries = ((Scalar(key), node) for key, node in fields.items())
    return Mapping(tuple(entries))


Values = dict[str, Node]


def _values(root: Mapping | None, rule: SidecarRule) -> Values:
    """What stands under each key of the shape."""
    found: Values = {}
    if root is not None:
        _collect(root, "", rule, found)
    return found


def _collect(mapping: Mapping, prefix: str, rule: SidecarRule, found: Values) -> None:
    for name, node in _named(mapping):
        key = prefix + name
        if key not in rule.shape:
            if prefix[:-1] in rule.closed:
                raise _MisfitError(f"`{key}` is not known")
            continue
        if key in found:
            raise _MisfitError(f"`{key}` stands twice")
        if not _fits(node, rule.shape[key], rule):
            raise _MisfitError(f"`{key}` is no {rule.shape[key].value}")
        found[key] = node
        if isinstance(node, Mapping):
            _collect(node, f"{key}.", rule, found)


def _named(mapping: Mapping) -> Iterator[tuple[str, Node]]:
    for key, value in mapping.entries:
        name, node = target_of(key), target_of(value)
        if isinstance(name, Scalar) and node is not None:
            yield name.text, node


def _fits(node: Node, wanted: SidecarType, rule: SidecarRule) -> bool:
    match wanted:
        case SidecarType.MAP:
            return isinstance(node, Mapping) or _kind(node, rule) is Kind.NULL
        case SidecarType.TEXT:
            return isinstance(node, Scalar)
        case SidecarType.FLAG:
            return _kind(node, rule) in (Kind.BOOL, Kind.NULL)
        case SidecarType.LIST:
            return isinstance(node, Sequence)
        case SidecarType.TEXTS:
            items = node.items if isinstance(node, Sequence) else (node,)
            kinds = {_kind(target_of(item), rule) for item in items}
            return isinstance(node, Sequence) and kinds <= {Kind.STRING}
        case _:  # SidecarType.PRODUCTS
            known = set(rule.known_products)
            return isinstance(node, Sequence) and set(_texts(node)) <= known


def _kind(node: Node | None, rule: SidecarRule) -> Kind | None:
    return kind_of(node, rule.schema) if isinstance(node, Scalar) else None


def _texts(node: Node | None) -> tuple[str, ...]:
    items = node.items if isinstance(node, Sequence) else ()
    targets = [target_of(item) for item in items]
    return tuple(each.text if isinstance(each, Scalar) else "?" for each in targets)


def _is_false(node: Node | None, rule: SidecarRule) -> bool:
    if not isinstance(node, Scalar) or _kind(node, rule) is not Kind.BOOL:
        return False
    return not is_true(node.text)
