"""JSON documents held against the files of `schemas/`: what does not fit, by JSON path."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator

from memoryproject.json_schema import FormError, describe_errors, load_schema, make_strict_validator

ERRORS_SHOWN = 20
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def describe_body(name: str, *, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """The schema as a request body of the OpenAPI document, without members that a writer never sends."""
    schema = {key: value for key, value in load_schema(name).items() if not key.startswith("$") and key != "examples"}
    members = {key: value for key, value in schema["properties"].items() if key not in without}
    return {**schema, "properties": members}


def list_schema_errors(name: str, content: Any) -> list[FormError]:
    """What does not fit the schema, each as path and message; empty when all fits."""
    errors = [{"path": path, "message": message} for path, message in _find_unstorable(content, "")]
    if not errors:
        errors = describe_errors(_validator(name).iter_errors(content))
    return errors[:ERRORS_SHOWN]


@functools.cache
def _validator(name: str) -> Draft202012Validator:
    return make_strict_validator(load_schema(name))


def _find_unstorable(value: object, path: str) -> Iterator[tuple[str, str]]:
    """Places of what the database can't keep: NUL, half of a surrogate pair, numbers that are not finite."""
    if isinstance(value, str):
        if _UNSTORABLE.search(value):
            yield path, "holds a NUL character or half of a surrogate pair"
    elif isinstance(value, float):
        if not math.isfinite(value):
            yield path, "is not a finite number"
    elif isinstance(value, Mapping):
        for key, member in value.items():
            if _UNSTORABLE.search(str(key)):
                yield path, "holds a member name that can't be kept"
            else:
                yield from _find_unstorable(member, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple):
        for index, member in enumerate(value):
            yield from _find_unstorable(member, f"{path}[{index}]")
