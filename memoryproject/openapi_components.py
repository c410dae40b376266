"""Parts of the OpenAPI document that many operations have, written once and referred to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from memoryproject.problems import CONTENT_TYPE


def share_components(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """The document with problems (their examples, then whole answers) and repeated parameters under `components`.

    A second part of the same name gets a number: `slug_taken-2`. Source: drf-spectacular's post-processing hooks.
    """
    _share_examples(result)
    _share_problem_responses(result)
    _share_parameters(result)
    return result


def _share_examples(result: dict[str, Any]) -> None:
    shared: dict[str, Any] = {}
    for operation in _list_operations(result):
        for response in operation["responses"].values():
            examples = response.get("content", {}).get(CONTENT_TYPE, {}).get("examples", {})
            for code, example in examples.items():
                examples[code] = _refer("examples", _share(shared, code, example))
    _put(result, "examples", shared)


def _share_problem_responses(result: dict[str, Any]) -> None:
    shared: dict[str, Any] = {}
    for operation in _list_operations(result):
        responses = operation["responses"]
        for status, response in responses.items():
            if list(response.get("content", {})) == [CONTENT_TYPE]:
                responses[status] = _refer("responses", _share(shared, f"problem_{status}", response))
    _put(result, "responses", shared)


def _share_parameters(result: dict[str, Any]) -> None:
    """Parameters of one operation alone stay there."""
    uses = Counter(repr(each) for operation in _list_operations(result) for each in operation.get("parameters", ()))
    shared: dict[str, Any] = {}
    for operation in _list_operations(result):
        if "parameters" in operation:
            operation["parameters"] = [
                _refer("parameters", _share(shared, each["name"], each)) if uses[repr(each)] > 1 else each
                for each in operation["parameters"]
            ]
    _put(result, "parameters", shared)


def _list_operations(result: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for operations in result["paths"].values():
        yield from operations.values()


def _share(shared: dict[str, Any], name: str, part: dict[str, Any]) -> str:
    """The name under which an equal part stands among the shared ones."""
    number = 1
    while True:
        numbered = name if number == 1 else f"{name}-{number}"
        if shared.setdefault(numbered, part) == part:
            return numbered
        number += 1


def _refer(kind: str, name: str) -> dict[str, str]:
    return {"$ref": f"#/components/{kind}/{name}"}


def _put(result: dict[str, Any], kind: str, shared: dict[str, Any]) -> None:
    if shared:
        result.setdefault("components", {})[kind] = dict(sorted(shared.items()))
