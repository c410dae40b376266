"""The input of the memory tool as a JSON schema. Source: anthropic 2.12.0, `BetaMemoryTool20250818Command`."""

from __future__ import annotations

from typing import Any

from knowledge.notebook.core.limits import MAX_DOCUMENT_BYTES

PATH = {"type": "string", "minLength": 1, "maxLength": 2000, "description": "Below /memories."}
TEXT = {"type": "string", "maxLength": MAX_DOCUMENT_BYTES}
LINE = {"type": "integer", "minimum": -2147483648, "maximum": 2147483647}


def _describe(command: str, required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["command", *required],
        "properties": {"command": {"const": command}, **required, **(optional or {})},
    }


MEMORY_SCHEMA: dict[str, Any] = {
    "oneOf": [
        _describe(
            "view",
            {"path": PATH},
            {
                "view_range": {
                    "type": ["array", "null"],
                    "items": LINE,
                    "maxItems": 2,
                    "description": "First and last line.",
                }
            },
        ),
        _describe("create", {"path": PATH, "file_text": TEXT}),
        _describe("str_replace", {"path": PATH, "old_str": TEXT, "new_str": TEXT}),
        _describe("insert", {"path": PATH, "insert_line": LINE, "insert_text": TEXT}),
        _describe("delete", {"path": PATH}),
        _describe("rename", {"old_path": PATH, "new_path": PATH}),
    ]
}
MEMORY_TOOL_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["command"],
    "properties": {
        "command": {"type": "string", "enum": ["view", "create", "str_replace", "insert", "delete", "rename"]},
        "path": PATH,
        "view_range": {"type": ["array", "null"], "items": LINE, "maxItems": 2, "description": "For view."},
        "file_text": {**TEXT, "description": "For create."},
        "old_str": {**TEXT, "description": "For str_replace: what stands there, once."},
        "new_str": {**TEXT, "description": "For str_replace."},
        "insert_line": {**LINE, "description": "For insert: after this line, 0 for the beginning."},
        "insert_text": {**TEXT, "description": "For insert."},
        "old_path": {**PATH, "description": "For rename."},
        "new_path": {**PATH, "description": "For rename."},
    },
}
"""The same flat, as clients of MCP like schemas of tools."""
