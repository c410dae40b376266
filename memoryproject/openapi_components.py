"""Parts of the OpenAPI document that many operations have, written once and referred to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from memoryproject.problems import CONTENT_TYPE


def share_components(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """The document with bodies, problems (their examples, then whole answers) and repeated parameters as `components`.

    A second part of the same name gets a number: `slug_taken-2`. What says nothing is left out: titles and labels that
    repeat a name, and the same security at each operation. Source: drf-spectacular's post-processing hooks.
    """
    _share_security(result)
    _drop_labels(result)
    _share_bodies(result)
    _share_examples(result)
    _share_problem_responses(result)
    _share_parameters(result)
    return result


def _share_security(result: dict[str, Any]) -> None:
    """That of the document holds for each operation without its own."""
    uses = Counter(repr(operation["security"]) for operation in _list_operations(result))
    for operation in _list_operations(result):
        if repr(operation["security"]) == max(uses, key=lambda each: uses[each]):
            result["security"] = operation.pop("security")


def _drop_labels(result: dict[str, Any]) -> None:
    """Takes away summaries of examples and titles of schemas that are their names in other letters."""
    for operation in _list_operations(result):
        for place in (operation.get("requestBody", {}), *operation["responses"].values()):
            for content in place.get("content", {}).values():
                for name, example in content.get("examples", {}).items():
                    if _squeeze(example.get("summary", "")) == _squeeze(name):
                        del example["summary"]
    for name, schema in result["components"]["schemas"].items():
        _drop_title(schema, name)


def _drop_title(schema: Any, name: str) -> None:
    if isinstance(schema, list):
        for each in schema:
            _drop_title(each, "")
    if not isinstance(schema, dict):
        return
    if isinstance(schema.get("title"), str) and _squeeze(schema["title"]) == _squeeze(name):
        del schema["title"]
    for keyword, inner in schema.items():
        if keyword == "properties":
            for member, each in inner.items():
                _drop_title(each, member)
        elif keyword not in ("default", "examples", "enum", "const"):
            _drop_title(inner, "")


def _squeeze(name: str) -> str:
    return name.replace("_", "").replace(" ", "").casefold()


def _share_bodies(result: dict[str, Any]) -> None:
    """Bodies get the name of the first operation that takes them, parts of them that have a title get that."""
    schemas = result["components"]["schemas"]
    contents = [
        (operation["operationId"], content)
        for operation in _list_operations(result)
        for content in operation.get("requestBody", {}).get("content", {}).values()
    ]
    names: dict[str, str] = {}
    for operation_id, content in contents:
        if "$ref" not in content["schema"]:
            names.setdefault(repr(content["schema"]), f"{_camelize(operation_id)}Body")
    for _, content in contents:
        for titled in _list_titled(content["schema"]):
            names.setdefault(repr(titled), _camelize(titled["title"]))
    for _, content in contents:
        content["schema"] = _share_named(schemas, names, content["schema"])
    result["components"]["schemas"] = dict(sorted(schemas.items()))


def _list_titled(schema: Any) -> Iterator[dict[str, Any]]:
    for inner in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from _list_titled(inner)
    if isinstance(schema, dict) and isinstance(schema.get("title"), str) and "type" in schema:
        yield schema


def _share_named(schemas: dict[str, Any], names: dict[str, str], schema: Any) -> Any:
    if isinstance(schema, list):
        return [_share_named(schemas, names, each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    part = {keyword: _share_named(schemas, names, inner) for keyword, inner in schema.items()}
    name = names.get(repr(schema))
    return part if name is None else _refer("schemas", _share(schemas, name, part))


def _camelize(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in name.replace("_", " ").split())


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
