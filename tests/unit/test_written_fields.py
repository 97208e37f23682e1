"""Optional fields as programs in Python write them out."""

from __future__ import annotations

import pytest

from metier.core.fields import Consequence, FieldRule, FieldType
from metier.core.nodes import Mapping, Node, Scalar, Sequence, Style
from metier.core.python_fields import read_python_field
from metier.core.scalars import ScalarSchema
from metier.core.values import FieldValue, read_field

LIST = Sequence((Scalar(" a "), Scalar("1"), Scalar("", Style.SINGLE)))


@pytest.mark.parametrize(
    ("kind", "node", "value"),
    [
        (FieldType.WRITTEN, None, None),
        (FieldType.WRITTEN, Scalar("~"), "None"),
        (FieldType.WRITTEN, Scalar("1.50"), "1.5"),
        (FieldType.WRITTEN, Scalar(" ", Style.SINGLE), None),
        (FieldType.WRITTEN, Mapping(((Scalar("a"), Scalar("b")),)), "{'a': 'b'}"),
        (FieldType.WRITTEN_LIST, Scalar("a b"), ("a b",)),
        (FieldType.WRITTEN_LIST, Scalar("0"), ()),
        (FieldType.WRITTEN_LIST, LIST, (" a ", "1", "")),
        (FieldType.WORDS_OR_TEXTS, Scalar(" a,b  c\td "), ("a", "b", "c", "d")),
        (FieldType.WORDS_OR_TEXTS, LIST, ("a",)),
        (FieldType.WORDS_OR_TEXTS, Scalar("1"), None),
        (FieldType.WORDS_OR_TEXTS, Mapping(()), None),
    ],
)
def test_a_field_as_it_is_written(
    kind: FieldType, node: Node | None, value: FieldValue
) -> None:
    assert read_python_field(node, kind) == value


def test_a_field_may_be_cut() -> None:
    rule = FieldRule(
        keys=("k",),
        type=FieldType.WRITTEN,
        max_length=2,
        when_invalid=Consequence.CUT,
    )
    fields = {"k": Scalar("abc")}
    assert read_field(fields, rule, ScalarSchema.YAML_1_1) == "ab"
