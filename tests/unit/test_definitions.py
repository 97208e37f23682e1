from __future__ import annotations

from typing import Any

import pytest

from metier.core.definitions import define_tool, gemini_schema, is_strict
from metier.errors import ConfigError

# Of more kinds than the `skill` tool needs: other tools are defined here as well.
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "enum": ["a", "b"], "description": "Which"},
        "lines": {"type": "integer", "minimum": 1, "title": "Lines"},
        "words": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
        "more": {"type": "object", "properties": {}, "additionalProperties": True},
    },
    "required": ["name"],
    "additionalProperties": False,
}


def test_gemini_gets_the_part_of_a_schema_that_it_knows():
    assert gemini_schema(SCHEMA) == {
        "type": "OBJECT",
        "properties": {
            "name": {
                "type": "STRING",
                "format": "enum",
                "enum": ["a", "b"],
                "description": "Which",
            },
            "lines": {"type": "INTEGER", "minimum": 1},
            "words": {"type": "ARRAY", "items": {"type": "STRING"}, "maxItems": 3},
            "more": {"type": "OBJECT", "properties": {}},
        },
        "required": ["name"],
    }


def with_names(*names: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"name": {"type": "string", "enum": list(names)}},
        "required": ["name"],
        "additionalProperties": False,
        **more,
    }


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        pytest.param(with_names("a"), True, id="short"),
        pytest.param(SCHEMA, False, id="with arguments that may be absent"),
        pytest.param(
            with_names("a", additionalProperties=True), False, id="with any others"
        ),
        pytest.param(with_names(*("a" * 15_000).split()), True, id="one long name"),
        pytest.param(with_names(*map(str, range(1_000))), True, id="1,000 names"),
        pytest.param(with_names(*map(str, range(1_001))), False, id="1,001 names"),
        pytest.param(with_names(*["n" * 60] * 250), True, id="few long names"),
        pytest.param(with_names(*["n" * 60] * 251), False, id="many long names"),
    ],
)
def test_openai_is_told_to_be_strict_where_it_can_be(
    schema: dict[str, Any], strict: bool
):
    assert is_strict(schema) is strict
    about: dict[str, Any] = {"name": "t", "description": "d", "schema": schema}
    assert define_tool("openai-responses", **about)["strict"] is strict


def test_an_unknown_kind_is_answered_with_the_known_ones():
    kind: Any = "antropic"
    with pytest.raises(ConfigError, match=r"`antropic` is no kind .*: `anthropic`, "):
        define_tool(kind, name="skill", description="", schema={})
