"""The OpenAPI document as operations read it: what stands under `components`, but for schemas, put in its place."""

from __future__ import annotations

import copy
from typing import Any

SHARED = ("examples", "responses", "parameters")


def inline_components(document: dict[str, Any]) -> dict[str, Any]:
    """A copy without references to shared examples, answers and parameters."""
    whole = copy.deepcopy(document)
    for operations in whole["paths"].values():
        for method, operation in operations.items():
            operations[method] = _inline(operation, whole["components"])
    return whole


def _inline(part: Any, components: dict[str, Any]) -> Any:
    if isinstance(part, list):
        return [_inline(each, components) for each in part]
    if not isinstance(part, dict):
        return part
    place = part.get("$ref", "").split("/") if isinstance(part.get("$ref"), str) else []
    if len(place) == 4 and place[2] in SHARED:
        return _inline(components[place[2]][place[3]], components)
    return {name: _inline(each, components) for name, each in part.items()}
