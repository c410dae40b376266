"""The tools' contracts: what is listed, and what arguments are checked against.

Words and arguments are declared in `declared/*.yaml`, answers in `shapes`. `mcp/tools/*.yaml` is what comes of it, for
readers: `manage.py mcp_contracts` writes it.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mcp_types as types
import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from factcheck.errors import ClaimTooLong, EmptyClaim
from knowledge.errors import EmptyQuery, KOutOfRange, QueryTooLong
from memoryproject.errors import InvalidError
from memoryproject.json_schema import make_strict_validator, path_of
from memoryproject.rest.typed_dicts import build_example
from runtime.mcp.schemas import build_input_schema, build_output_schema
from runtime.mcp.shapes import ANSWERS

TOOL_NAMES = (
    "rules_lookup",
    "lore_search",
    "lore_assert",
    "graph_lookup",
    "npc_profile",
    "art_suggest",
    "session_fetch",
    "event_search",
    "context_pack",
)
ERRORS: dict[tuple[str, str], type[InvalidError]] = {
    ("query", "minLength"): EmptyQuery,
    ("query", "maxLength"): QueryTooLong,
    ("term", "maxLength"): QueryTooLong,
    ("k", "minimum"): KOutOfRange,
    ("k", "maximum"): KOutOfRange,
    ("fact", "minLength"): EmptyClaim,
    ("fact", "maxLength"): ClaimTooLong,
}
"""Mistakes that REST names too; every other is `invalid`."""
SHOWN_LENGTH = 200
DECLARED = Path(__file__).parent / "declared"
FAILURE = (
    "A failed call has isError and, as structured content, the problem document that REST answers: type, title, "
    "status, detail, code, request_id."
)
CODES_OF_ALL_TOOLS = (
    "world_required",
    "world_not_found",
    "tenant_not_found",
    "invalid",
    "unstorable_value",
    "database_unavailable",
    "redis_unavailable",
    "query_timeout",
    "internal",
)


@dataclass(frozen=True)
class Contract:
    """One tool as it is listed."""

    name: str
    tool: types.Tool
    validator: Draft202012Validator

    def check(self, arguments: dict[str, Any]) -> None:
        """Raises InvalidError that lists every argument that does not fit."""
        mistakes = sorted(self.validator.iter_errors(arguments), key=lambda error: error.json_path)
        if not mistakes:
            return
        errors = [_describe(mistake) for mistake in mistakes]
        summary = "; ".join(
            f"{error['path']}: {error['message']}" if error["path"] else error["message"] for error in errors
        )
        raise _find_error(mistakes)(summary, errors=errors)


@functools.cache
def load_contracts() -> dict[str, Contract]:
    """The contracts by tool name, in the order in which they are listed."""
    return {name: _load(name) for name in TOOL_NAMES}


def _load(name: str) -> Contract:
    content = build_contract(name)
    schema = content["input_schema"]
    tool = types.Tool(
        name=name,
        title=content["title"],
        description=content["description"],
        input_schema=schema,
        output_schema=content.get("output_schema"),
        annotations=types.ToolAnnotations.model_validate(content["annotations"]),
    )
    return Contract(name=name, tool=tool, validator=make_strict_validator(schema))


def build_contract(name: str) -> dict[str, Any]:
    """Everything that is said of a tool, as its file in `mcp/tools` has it."""
    declared = yaml.safe_load((DECLARED / f"{name}.yaml").read_text(encoding="utf-8"))
    contract: dict[str, Any] = {
        "name": name,
        "title": declared["title"],
        "description": declared["description"],
        "annotations": {
            "title": declared["title"],
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        },
        "input_schema": build_input_schema(declared["input"]),
    }
    example = declared["example"]
    if (answer := ANSWERS.get(name)) is not None:
        contract["output_schema"] = build_output_schema(answer.shape, is_closed=answer.is_closed)
        example = {**example, "result": build_example(answer.shape)}
    if "errors" in declared:
        contract["errors"] = {"description": FAILURE, "codes": [*declared["errors"], *CODES_OF_ALL_TOOLS]}
    return {**contract, "example": example}


def _describe(mistake: ValidationError) -> dict[str, str]:
    """Where an argument does not fit and why, in the words of REST."""
    message = mistake.message
    if len(message) > SHOWN_LENGTH:
        message = f"does not fit {mistake.validator}: {mistake.validator_value}"
    return {"path": path_of(mistake), "message": message}


def _find_error(mistakes: list[ValidationError]) -> type[InvalidError]:
    """The error of the one mistake if REST has one for it too."""
    if len(mistakes) > 1:
        return InvalidError
    return ERRORS.get((path_of(mistakes[0]), str(mistakes[0].validator)), InvalidError)
