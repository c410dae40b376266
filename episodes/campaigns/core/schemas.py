"""The forms of what the engine tells of play, and what is wrong with what does not fit them."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator

from memoryproject.json_schema import FormError, describe_errors, load_inlined_schema, make_strict_validator

ERRORS_SHOWN = 20
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def load_summary_schema() -> dict[str, Any]:
    """`schemas/episodic_summary.schema.json` with its definitions put in place."""
    return load_inlined_schema("episodic_summary")


@functools.cache
def build_event_schema() -> dict[str, Any]:
    """The form of an event between scenes, made of the parts of a summary."""
    parts = load_summary_schema()["properties"]
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["event_id", "campaign_id", "kind", "when"],
        "properties": {
            "event_id": {**parts["scene_id"], "description": "The engine's id of this event, unique in the world."},
            "campaign_id": parts["campaign_id"],
            "party_id": {
                **parts["party_id"],
                "description": "The party that it concerns; left out, it concerns the whole campaign.",
            },
            "kind": {
                **parts["what"]["properties"]["event"],
                "description": "What kind of thing: quest_completed, item_found, flag_changed, or a word of your own.",
                "examples": ["quest_completed"],
            },
            "when": parts["when"],
            "flags": {**parts["flags"], "description": "Flags of the party, or of the whole campaign, that this set."},
            "notes": parts["notes"],
        },
    }


@functools.cache
def _validator(name: str) -> Draft202012Validator:
    return make_strict_validator({"summary": load_summary_schema(), "event": build_event_schema()}[name])


def list_schema_errors(name: str, body: Any) -> list[FormError]:
    """What does not fit the form `summary` or `event`, by path; empty when all fits. At most twenty are told."""
    errors = describe_errors(_validator(name).iter_errors(body)) or [
        {"path": path, "message": "holds control characters or what is no text"} for path in _find_unprintable(body, "")
    ]
    return errors[:ERRORS_SHOWN]


def _find_unprintable(node: Any, path: str) -> Iterator[str]:
    if isinstance(node, str) and _UNPRINTABLE.search(node):
        yield path
    elif isinstance(node, dict):
        for name, value in node.items():
            yield from _find_unprintable(name, path)
            yield from _find_unprintable(value, f"{path}.{name}" if path else name)
    elif isinstance(node, list):
        for place, value in enumerate(node):
            yield from _find_unprintable(value, f"{path}[{place}]")
