"""JSON documents held against JSON Schemas: what does not fit, each as path and message."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import ValidationError

SCHEMAS = Path(__file__).resolve().parents[1] / "schemas"
MAX_MESSAGE_LENGTH = 300
MAX_INTEGER = 2**63
_HALF_PAIR = re.compile(r"[\ud800-\udfff]")

Check = Callable[[Any, Any, Any, Any], Iterable[ValidationError]]
FormError = dict[str, str]
"""`path` (JSON path without its root) and `message`."""


@functools.cache
def load_schema(name: str) -> dict[str, Any]:
    """`schemas/<name>.schema.json`."""
    schema: dict[str, Any] = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    return schema


@functools.cache
def load_inlined_schema(name: str) -> dict[str, Any]:
    """The schema with its definitions put in place, as the OpenAPI document shows it."""
    schema = load_schema(name)
    definitions = schema.get("$defs", {})
    return {key: _inline(value, definitions) for key, value in schema.items() if not key.startswith("$")}


def read_number(text: str) -> int | float:
    """A number with a point or an exponent; a whole one as an integer, for JSON does not tell 3 from 3.0."""
    number = float(text)
    return int(number) if number.is_integer() and abs(number) <= MAX_INTEGER else number


def make_strict_validator(schema: Mapping[str, Any]) -> Draft202012Validator:
    """A validator whose patterns neither a line break at the end slips past, as in ECMAScript, nor what is no text.

    An array that is too long is refused for that alone: a body of half a million members costs no look at each.
    """
    standard = Draft202012Validator.VALIDATORS
    of_arrays = {name: _unless_too_long(standard[name]) for name in ("items", "uniqueItems")}
    strict = validators.extend(Draft202012Validator, {"pattern": _check_pattern, **of_arrays})
    return strict(schema)


def describe_errors(errors: Iterable[ValidationError]) -> list[FormError]:
    """The errors in the order of their paths, without the whole document in their messages."""
    return [
        {"path": path_of(error), "message": _shorten(error.message)}
        for error in sorted(errors, key=lambda error: error.json_path)
    ]


@functools.cache
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """A pattern of a schema, whose end no line break slips past."""
    return re.compile(pattern.removesuffix("$") + r"\Z" if pattern.endswith("$") else pattern)


def path_of(error: ValidationError) -> str:
    """Where the error is, such as `items[0].name`; empty for the document itself."""
    path: str = error.json_path
    return path.removeprefix("$").removeprefix(".")


def summarise_errors(errors: Sequence[FormError], *, what: str = "") -> str:
    """One sentence on the first error and how many more there are. `what`: a name for the document itself."""
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    where = errors[0]["path"] or what
    return f"{where}: {errors[0]['message']}{more}" if where else f"{errors[0]['message']}{more}"


def _inline(node: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(node, dict):
        if "$ref" in node:
            rest = {name: value for name, value in node.items() if name != "$ref"}
            return {**_inline(definitions[node["$ref"].rsplit("/", 1)[1]], definitions), **rest}
        return {name: _inline(value, definitions) for name, value in node.items()}
    if isinstance(node, list):
        return [_inline(value, definitions) for value in node]
    return node


def _check_pattern(
    _validator: Draft202012Validator, pattern: str, instance: object, _schema: Mapping[str, Any]
) -> Iterator[ValidationError]:
    if not isinstance(instance, str):
        return
    if _HALF_PAIR.search(instance):
        yield ValidationError(f"{instance[:80]!r} holds half of a surrogate pair, which is not text")
    elif not compile_pattern(pattern).search(instance):
        yield ValidationError(f"{instance[:80]!r} does not match {pattern!r}")


def _unless_too_long(check: Check) -> Check:
    """The check, but for arrays that are too long by their schema."""

    def check_array(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        if not isinstance(instance, list) or len(instance) <= schema.get("maxItems", len(instance)):
            yield from check(validator, value, instance, schema)

    return check_array


def _shorten(message: str) -> str:
    return message if len(message) <= MAX_MESSAGE_LENGTH else f"{message[:200]} … {message[-80:]}"
