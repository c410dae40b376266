"""The tools' contracts of `mcp/tools/*.yaml`: what is listed, and what arguments are checked against."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import mcp_types as types
import yaml
from django.conf import settings
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from factcheck.errors import ClaimTooLong, EmptyClaim
from knowledge.errors import EmptyQuery, KOutOfRange, QueryTooLong
from memoryproject.errors import InvalidError
from memoryproject.json_schema import make_strict_validator, path_of

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


@dataclass(frozen=True)
class Contract:
    """One tool as its file describes it."""

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
    path = settings.BASE_DIR / "mcp" / "tools" / f"{name}.yaml"
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    schema = content["input_schema"]
    Draft202012Validator.check_schema(schema)
    if (output := content.get("output_schema")) is not None:
        Draft202012Validator.check_schema(output)
    tool = types.Tool(
        name=content["name"],
        title=content["title"],
        description=content["description"],
        input_schema=schema,
        output_schema=output,
        annotations=types.ToolAnnotations.model_validate(content["annotations"]),
    )
    return Contract(name=content["name"], tool=tool, validator=make_strict_validator(schema))


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
