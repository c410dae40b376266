"""JSON Schemas of what bodies hold: objects of named members, and texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memoryproject.rest.parameters import MAX_ID, PLAIN_TEXT

ID: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": MAX_ID}
FLAG: dict[str, Any] = {"type": "boolean"}


def form(required: Mapping[str, Any], optional: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """An object of these members and no others. `more`: other words of JSON Schema."""
    schema: dict[str, Any] = {"type": "object", "additionalProperties": False, **more}
    if required:
        schema["required"] = list(required)
    return {**schema, "properties": {**required, **(optional or {})}}


def text(max_length: int, description: str = "", *, pattern: str = PLAIN_TEXT, **more: Any) -> dict[str, Any]:
    """A text that is not blank, without control characters. `more`: other words of JSON Schema."""
    schema: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": max_length, "pattern": pattern, **more}
    return {**schema, "description": description} if description else schema
