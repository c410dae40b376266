"""The prompt `context_pack`: the tool of that name, as messages that a client's own model is given."""

from __future__ import annotations

import json
from typing import Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

from runtime.mcp.contracts import load_contracts

TOOL = "context_pack"


def _describe() -> types.Prompt:
    tool = load_contracts()[TOOL].tool
    schema = tool.input_schema
    return types.Prompt(
        name=TOOL,
        title=tool.title,
        description=tool.description,
        arguments=[
            types.PromptArgument(name=name, description=each["description"], required=name in schema["required"])
            for name, each in schema["properties"].items()
        ],
    )


PROMPT = _describe()


def read_prompt_arguments(arguments: dict[str, str]) -> dict[str, Any]:
    """A prompt's arguments, which are all texts, as the tool takes them."""
    tokens = arguments.get("max_tokens", "")
    return {**arguments, "max_tokens": int(tokens)} if tokens.isdecimal() and len(tokens) < 10 else dict(arguments)


def render_prompt(answer: types.CallToolResult) -> types.GetPromptResult:
    """The pack's texts. Prompts know no system's role: its text comes first, as the user's. Raises MCPError."""
    texts = [each for each in answer.content if isinstance(each, types.TextContent)]
    if answer.is_error:
        document = json.loads(texts[0].text)
        raise MCPError(code=types.INVALID_PARAMS, message=str(document.get("detail", "")), data=document)
    messages = [types.PromptMessage(role="user", content=text) for text in texts]
    return types.GetPromptResult(description=PROMPT.description, messages=messages)
