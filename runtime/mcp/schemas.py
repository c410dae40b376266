"""JSON schemas of the tools: answers from their shapes, arguments from what is declared and from parameters of REST."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from knowledge.api.parameters import ALIAS, DOMAIN, LANGUAGE, NPC_ID, RELEASE, SESSION_ID, TAGS, TYPE
from memoryproject.rest.typed_dicts import ShapeSchema

CANON_PARAMETERS = {
    parameter.name: parameter
    for parameter in (
        DOMAIN,
        RELEASE,
        ALIAS,
        NPC_ID,
        LANGUAGE,
        TAGS,
        TYPE,
        replace(SESSION_ID, description="The play session. A canary's share of sessions reads the staged release."),
    )
}
LEFT_OUT = ("$defs", "$ref", "format", "title")
"""`format`: of numbers it is OpenAPI's, and a client may not know it."""


def build_output_schema(shape: Any, *, is_closed: bool) -> dict[str, Any]:
    """The schema of a shape in one piece, for not every client follows references."""
    schema = TypeAdapter(shape).json_schema(schema_generator=ShapeSchema, mode="serialization")
    schema.pop("description", None)
    return _inline(schema, schema.get("$defs", {}), is_closed)


def build_input_schema(declared: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of arguments: no others are taken.

    A property without a type is the parameter of that name of reads of canon, but for what is declared.
    """
    properties = {name: _build_argument(name, own or {}) for name, own in declared["properties"].items()}
    return {"type": "object", **declared, "properties": properties, "additionalProperties": False}


def _build_argument(name: str, own: dict[str, Any]) -> dict[str, Any]:
    if "properties" in own:
        return {**own, **build_input_schema(own)}
    return own if "type" in own else {**_describe_parameter(name), **own}


def _describe_parameter(name: str) -> dict[str, Any]:
    """Without the pattern: control characters are read as blanks here."""
    parameter = CANON_PARAMETERS[name]
    schema = parameter.describe()
    schema.pop("pattern", None)
    schema.get("items", {}).pop("pattern", None)
    return {**schema, "description": parameter.description.replace("`", "")}


def _inline(schema: Mapping[str, Any], shapes: Mapping[str, Any], is_closed: bool) -> dict[str, Any]:
    if "$ref" in schema:
        named = dict(shapes[schema["$ref"].rpartition("/")[2]])
        named.pop("description", None)  # of a shape: its members say more
        schema = {**named, **schema}
    built: dict[str, Any] = {}
    for word, value in schema.items():
        if word == "properties":
            built[word] = {name: _inline(each, shapes, is_closed) for name, each in value.items()}
        elif word == "items" or (word == "additionalProperties" and isinstance(value, dict)):
            built[word] = _inline(value, shapes, is_closed)
        elif word == "anyOf":
            built |= _join([_inline(each, shapes, is_closed) for each in value])
        elif word not in LEFT_OUT:
            built[word] = value
    if is_closed and "properties" in built:
        built["additionalProperties"] = False
    return built


def _join(options: list[dict[str, Any]]) -> dict[str, Any]:
    """One schema of several types, where at most one of them has more to it than its type."""
    detailed = [option for option in options if len(option) > 1]
    if len(detailed) > 1:
        return {"anyOf": options}
    joined = dict(*detailed) | {"type": [option["type"] for option in options]}
    if "enum" in joined:
        joined["enum"] = [*joined["enum"], None]
    return joined
