"""A tool as each provider wants it described."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from metier.errors import ConfigError

DefinitionKind = Literal[
    "anthropic", "openai", "openai-responses", "gemini", "json-schema"
]
Schema = Mapping[str, Any]

# What OpenAI takes of a strict schema: so many values of enums in all, and no longer
# than this where one enum has more than 250.
MAX_STRICT_VALUES = 1_000
MANY_VALUES = 250
MAX_STRICT_CHARACTERS = 15_000


def define_tool(
    kind: DefinitionKind, *, name: str, description: str, schema: Schema
) -> dict[str, Any]:
    """One entry of the list of tools that goes to the provider; plain data.

    `schema` is the JSON Schema of the arguments: an object that allows no others.
    """
    about = {"name": name, "description": description}
    match kind:
        case "anthropic":
            return {**about, "input_schema": dict(schema)}
        case "openai":
            function = {**about, "parameters": dict(schema)}
            return {"type": "function", "function": function}
        case "openai-responses":
            strict = is_strict(schema)
            return {
                "type": "function",
                **about,
                "parameters": dict(schema),
                "strict": strict,
            }
        case "gemini":
            declaration = {**about, "parameters": gemini_schema(schema)}
            return {"functionDeclarations": [declaration]}
        case "json-schema":
            return {"title": name, "description": description, **schema}
        case _:
            known = ", ".join(f"`{each}`" for each in get_args(DefinitionKind))
            raise ConfigError(f"`{kind!s}` is no kind of definition: {known}")


def is_strict(schema: Schema) -> bool:
    """Whether OpenAI can hold a model to `schema`: all required, and not too long."""
    if schema.get("additionalProperties") is not False:
        return False
    properties: dict[str, Schema] = schema.get("properties", {})
    if sorted(properties) != sorted(schema.get("required", ())):
        return False
    enums: list[list[str]] = [each.get("enum", []) for each in properties.values()]
    return sum(map(len, enums)) <= MAX_STRICT_VALUES and all(map(_is_short, enums))


def _is_short(enum: list[str]) -> bool:
    return len(enum) <= MANY_VALUES or sum(map(len, enum)) <= MAX_STRICT_CHARACTERS


def gemini_schema(schema: Schema) -> dict[str, Any]:
    """The part of `schema` that Gemini's own schemas can say."""
    made: dict[str, Any] = {"type": str(schema["type"]).upper()}
    if schema.get("enum"):
        made["format"] = "enum"
    made.update({key: schema[key] for key in _GEMINI_KEYS if key in schema})
    if "properties" in schema:
        parts: dict[str, Schema] = schema["properties"]
        made["properties"] = {key: gemini_schema(each) for key, each in parts.items()}
    if "items" in schema:
        made["items"] = gemini_schema(schema["items"])
    return made


_GEMINI_KEYS = (
    *("description", "enum", "required", "minimum", "maximum"),
    *("minItems", "maxItems", "minLength", "maxLength"),
)
