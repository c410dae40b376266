"""The OpenAPI document as operations read it: what stands under `components` put in its place."""

from __future__ import annotations

import copy
import functools
from typing import Any

import yaml

from tests.tree import ROOT

SHARED = ("examples", "responses", "parameters")


@functools.cache
def load_openapi() -> dict[str, Any]:
    """`docs/openapi.yaml`, read once a process; not to be changed."""
    text = (ROOT / "docs" / "openapi.yaml").read_text(encoding="utf-8")
    document: dict[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    return document


def inline_components(document: dict[str, Any]) -> dict[str, Any]:
    """A copy without references to shared examples, answers, parameters and bodies, and with security everywhere."""
    whole = copy.deepcopy(document)
    for operations in whole["paths"].values():
        for method, operation in operations.items():
            operations[method] = _inline(operation, whole["components"], SHARED)
            operations[method].setdefault("security", whole.get("security"))
            if "requestBody" in operation:
                body = _inline(operation["requestBody"], whole["components"], (*SHARED, "schemas"))
                operations[method]["requestBody"] = body
    return whole


def _inline(part: Any, components: dict[str, Any], kinds: tuple[str, ...]) -> Any:
    if isinstance(part, list):
        return [_inline(each, components, kinds) for each in part]
    if not isinstance(part, dict):
        return part
    place = part.get("$ref", "").split("/") if isinstance(part.get("$ref"), str) else []
    if len(place) == 4 and place[2] in kinds:
        return _inline(components[place[2]][place[3]], components, kinds)
    return {name: _inline(each, components, kinds) for name, each in part.items()}
