"""JSON documents held against the files of `schemas/`: what does not fit, by JSON path."""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import ValidationError

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"
ERRORS_SHOWN = 20
MESSAGE_LENGTH_MOST = 300
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


@functools.cache
def load_schema(name: str) -> dict[str, Any]:
    """`schemas/<name>.schema.json`."""
    schema: dict[str, Any] = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    return schema


def describe_body(name: str, *, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """The schema as a request body of the OpenAPI document, without members that a writer never sends."""
    schema = {key: value for key, value in load_schema(name).items() if not key.startswith("$") and key != "examples"}
    members = {key: value for key, value in schema["properties"].items() if key not in without}
    return {**schema, "properties": members}


def list_form_errors(name: str, content: Any) -> list[dict[str, str]]:
    """What does not fit the schema, each as path and message; empty when all fits."""
    errors = [{"path": path, "message": message} for path, message in _find_unstorable(content, "")]
    if not errors:
        errors = [
            {"path": error.json_path.removeprefix("$").removeprefix("."), "message": _shorten(error.message)}
            for error in sorted(_validator(name).iter_errors(content), key=lambda error: error.json_path)
        ]
    return errors[:ERRORS_SHOWN]


def summarise_errors(errors: list[dict[str, str]], *, what: str) -> str:
    """One sentence on the first error and how many more there are."""
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return f"{errors[0]['path'] or what}: {errors[0]['message']}{more}"


@functools.cache
def _validator(name: str) -> Draft202012Validator:
    """A validator whose patterns a line break at the end can't slip past, as in ECMAScript."""
    strict = validators.extend(Draft202012Validator, {"pattern": _check_pattern})
    return strict(load_schema(name))


def _check_pattern(
    _validator: Draft202012Validator, pattern: str, instance: object, _schema: Mapping[str, Any]
) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not _compile_pattern(pattern).search(instance):
        yield ValidationError(f"{instance[:80]!r} does not match {pattern!r}")


@functools.cache
def _compile_pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.removesuffix("$") + r"\Z" if pattern.endswith("$") else pattern)


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


def _shorten(message: str) -> str:
    return message if len(message) <= MESSAGE_LENGTH_MOST else f"{message[:200]} … {message[-80:]}"
