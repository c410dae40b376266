"""JSON Schemas that agents send for the answers of people: bounded in work, without references to elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import re2
from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import SchemaError, ValidationError

MAX_SCHEMA_NODES = 5_000
"""Of a schema with all references put in place: a chain of doubling references is small and takes forever."""
MAX_SCHEMA_DEPTH = 40


class UnusableSchema(ValueError):
    """The schema is none, or would take more work than an answer is worth."""


def check_schema(schema: Any) -> None:
    """Raises UnusableSchema."""
    if not isinstance(schema, Mapping):
        raise UnusableSchema("A schema is an object.")
    try:
        Draft202012Validator.check_schema(schema)
    except (SchemaError, RecursionError) as error:
        raise UnusableSchema("The schema is not a JSON Schema (2020-12).") from error
    if _measure(schema, schema, (), {}) > MAX_SCHEMA_NODES:
        raise UnusableSchema(f"The schema has more than {MAX_SCHEMA_NODES} parts, references put in place.")


def list_misfits(schema: Mapping[str, Any], value: Any) -> list[ValidationError]:
    """Where the value does not fit a checked schema."""
    return list(_Validator(schema).iter_errors(value))


def _measure(node: Any, root: Mapping[str, Any], above: tuple[str, ...], known: dict[str, int]) -> int:
    if len(above) > MAX_SCHEMA_DEPTH:
        raise UnusableSchema(f"The schema nests deeper than {MAX_SCHEMA_DEPTH}.")
    if isinstance(node, list):
        return 1 + sum(_measure(each, root, (*above, ""), known) for each in node)
    if not isinstance(node, Mapping):
        return 1
    for name in ("$dynamicRef", "$recursiveRef", "$id", "$anchor", "$dynamicAnchor", "patternProperties"):
        if name in node and not isinstance(node[name], list):
            raise UnusableSchema(f"A schema here has no {name}.")
    if isinstance(node.get("pattern"), str):
        _compile(node["pattern"])
    count = 1 + sum(_measure(each, root, (*above, ""), known) for name, each in node.items() if name != "$defs")
    reference = node.get("$ref")
    return count if not isinstance(reference, str) else count + _follow(reference, root, above, known)


def _follow(reference: str, root: Mapping[str, Any], above: tuple[str, ...], known: dict[str, int]) -> int:
    if reference in above:
        raise UnusableSchema(f"The schema refers to itself by {reference[:80]!r}.")
    if reference not in known:
        target: Any = root
        path = reference.removeprefix("#/").split("/") if reference.startswith("#/") else ["?"]
        for part in path:
            name = part.replace("~1", "/").replace("~0", "~")
            if not isinstance(target, Mapping) or name not in target:
                raise UnusableSchema(f"The schema has no {reference[:80]!r}: references lead into the schema itself.")
            target = target[name]
        known[reference] = _measure(target, root, (*above, reference), known)
    return known[reference]


def _compile(pattern: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        raise UnusableSchema(f"The pattern {pattern[:80]!r} can't be matched in one pass.") from error


def _check_pattern(_validator: Any, pattern: str, instance: object, _schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str) and _compile(pattern).search(instance) is None:
        yield ValidationError(f"{instance[:80]!r} does not match {pattern!r}")


_Validator = validators.extend(Draft202012Validator, {"pattern": _check_pattern})
