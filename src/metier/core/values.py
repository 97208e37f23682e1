"""Optional fields: from the nodes of a header to plain values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from metier.core import nodes
from metier.core.fields import (
    Consequence,
    Effect,
    FieldRule,
    FieldType,
    KeyPick,
    Quotes,
)
from metier.core.lengths import start_of
from metier.core.nodes import Node, Scalar, target_of
from metier.core.scalars import Kind, ScalarSchema, is_true, kind_of
from metier.core.switches import find_switch
from metier.core.tools import split_phrases, split_tools, split_words

# A node is None where a quick reader has seen that there is one, but not read it.
Fields = Mapping[str, Node | None]
FieldValue = str | bool | tuple[str, ...] | dict[str, str] | None


def read_field(fields: Fields, rule: FieldRule, schema: ScalarSchema) -> FieldValue:
    """The value of an optional field, None where it is not there or not usable."""
    if rule.type is FieldType.OFF_SWITCH:
        switch = find_switch(fields, rule, schema)
        return switch is not None and bool(switch.is_off)
    if rule.type is FieldType.STRINGS:
        return _read_strings(fields, rule.keys, schema)
    value = _read_value(fields, rule, schema)
    if rule.when_invalid is Consequence.CUT and isinstance(value, str):
        return start_of(value, rule.max_length or len(value), rule.unit)
    return value


def _read_value(fields: Fields, rule: FieldRule, schema: ScalarSchema) -> FieldValue:
    keys: Iterable[str] = rule.keys
    if rule.pick is KeyPick.LAST_WRITTEN:
        keys = (key for key in reversed(tuple(fields)) if key in rule.keys)
    node = next((fields[key] for key in keys if key in fields), None)
    node = target_of(node) if node else None
    if rule.quotes is not Quotes.KEEP and isinstance(node, Scalar):
        node = node._replace(text=unquote(node.text, rule.quotes))
    match rule.type:
        case FieldType.TEXT | FieldType.STRING:
            return _read_text(node, rule, schema)
        case (
            FieldType.FLAG
            | FieldType.BOOLEAN
            | FieldType.BOOLEAN_OR_WORD
            | FieldType.WORD_FLAG
            | FieldType.EXACT_FLAG
            | FieldType.ANSWER
        ):
            return _read_any_flag(node, rule, schema)
        case FieldType.WORDS:
            return split_words(node.text) if isinstance(node, Scalar) else ()
        case FieldType.BLANK_WORDS:
            items = _read_items(node, _split_blanks, schema)
            return items if isinstance(node, Scalar) else tuple(map(_bare(rule), items))
        case FieldType.TOOLS:
            return _read_items(node, split_tools, schema)
        case FieldType.PHRASES:
            return _read_items(node, split_phrases, schema)
        case FieldType.TEXT_MAP:
            return _read_map(node)
        case _:
            return _read_as_a_language_does(node, rule, schema)


def _read_strings(
    fields: Fields, keys: Iterable[str], schema: ScalarSchema
) -> tuple[str, ...]:
    first, *others = (_target(fields.get(key)) for key in keys)
    if isinstance(first, nodes.Sequence):
        items = map(target_of, first.items)
        return tuple(text for each in items if (text := _string_of(each, schema)))
    texts = (_string_of(other, schema) for other in others)
    return next(((text,) for text in texts if text), ())


def _target(node: Node | None) -> Node | None:
    return target_of(node) if node else None


def _string_of(node: Node | None, schema: ScalarSchema) -> str:
    is_string = isinstance(node, Scalar) and kind_of(node, schema) is Kind.STRING
    return node.text if is_string and isinstance(node, Scalar) else ""


_OF_JAVASCRIPT = (FieldType.JS_TEXT, FieldType.JS_FLAG, FieldType.PATTERNS)


def _read_as_a_language_does(
    node: Node | None, rule: FieldRule, schema: ScalarSchema
) -> FieldValue:
    if rule.type is FieldType.STATED:
        return node is not None
    if rule.type in _OF_JAVASCRIPT:
        from metier.core.js_fields import read_js_field

        return read_js_field(node, rule, schema)
    # PyYAML costs as much to import as the rest of metier: only when it is needed.
    from metier.core.python_fields import read_python_field

    value = read_python_field(node, rule.type)
    return True if value is None and rule.effect is Effect.BARS_PEOPLE else value


def _read_text(node: Node | None, rule: FieldRule, schema: ScalarSchema) -> str | None:
    if not isinstance(node, Scalar):
        return None
    kind = kind_of(node, schema)
    is_string = kind is Kind.STRING or rule.type is FieldType.TEXT
    return node.text or None if is_string and kind is not Kind.NULL else None


def _read_flag(node: Node | None, schema: ScalarSchema) -> bool:
    if not isinstance(node, Scalar):
        return False
    kind = kind_of(node, schema)
    if schema is ScalarSchema.TEXT:
        return node.text.isascii() and node.text.lower() == "true"
    if kind is Kind.BOOL:
        return is_true(node.text)
    return kind is Kind.STRING and node.text.lower() == "true"


def _read_any_flag(node: Node | None, rule: FieldRule, schema: ScalarSchema) -> bool:
    if rule.type in _WORDS:
        return _read_word_flag(node, rule)
    if rule.type in _BOOLEANS and not _is_boolean(node, rule, schema):
        node = None
    return (
        rule.effect is Effect.BARS_PEOPLE if node is None else _read_flag(node, schema)
    )


_BOOLEANS = (FieldType.BOOLEAN, FieldType.BOOLEAN_OR_WORD)


def _is_boolean(node: Node | None, rule: FieldRule, schema: ScalarSchema) -> bool:
    if not isinstance(node, Scalar):
        return False
    kind = kind_of(node, schema)
    is_word = rule.type is FieldType.BOOLEAN_OR_WORD and node.text in ("true", "false")
    return kind is Kind.BOOL or (is_word and kind is Kind.STRING)


def _read_word_flag(node: Node | None, rule: FieldRule) -> bool:
    word = node.text if isinstance(node, Scalar) else ""
    word = word if rule.type is FieldType.EXACT_FLAG else word.lower()
    word = _ANSWERS.get(word.strip(), word) if rule.type is FieldType.ANSWER else word
    return word == "true" or (word != "false" and rule.effect is Effect.BARS_PEOPLE)


_WORDS = (FieldType.WORD_FLAG, FieldType.EXACT_FLAG, FieldType.ANSWER)
_ANSWERS = {
    **dict.fromkeys(("true", "1", "yes", "on"), "true"),
    **dict.fromkeys(("false", "0", "no", "off"), "false"),
}


def _bare(rule: FieldRule) -> Callable[[str], str]:
    return (
        (lambda text: unquote(text, rule.quotes)) if rule.quotes is not _KEEP else str
    )


def _split_blanks(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_KEEP = Quotes.KEEP


def unquote(text: str, quotes: Quotes) -> str:
    """`text` without the quotes around it."""
    if quotes is Quotes.STRIP_ALL:
        return text.strip().strip("'\"")
    return text[1:-1] if text[:1] in ("'", '"') and text[-1] == text[0] else text


def _read_items(
    node: Node | None, split: Callable[[str], tuple[str, ...]], schema: ScalarSchema
) -> tuple[str, ...]:
    if isinstance(node, Scalar):
        return () if kind_of(node, schema) is Kind.NULL else split(node.text)
    if not isinstance(node, nodes.Sequence):
        return ()
    items = (target_of(item) for item in node.items)
    texts = (i for i in items if isinstance(i, Scalar) and i.text.strip())
    return tuple(i.text for i in texts if kind_of(i, schema) is not Kind.NULL)


def _read_map(node: Node | None) -> dict[str, str] | None:
    if not isinstance(node, nodes.Mapping):
        return None
    pairs = ((target_of(key), target_of(value)) for key, value in node.entries)
    return {
        key.text: value.text
        for key, value in pairs
        if isinstance(key, Scalar) and isinstance(value, Scalar)
    }
