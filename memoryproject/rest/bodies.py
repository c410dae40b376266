"""Request bodies: JSON of a bounded size and depth, held against the schema that the OpenAPI document shows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any, NoReturn

from django.http import HttpRequest
from jsonschema.exceptions import ValidationError
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from memoryproject.json_schema import describe_errors, make_strict_validator, read_number, summarise_errors
from memoryproject.rest.errors import InvalidBody

ERRORS_SHOWN = 20


class JsonParser(BaseParser):
    """Parses JSON in UTF-8; refuses NaN and what nests too deep. A body over the limit is told by its length."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """The value. Raises ParseError, RequestDataTooBig."""
        body = stream.body if isinstance(stream, HttpRequest) else stream.read()
        try:
            return json.loads(body.decode("utf-8"), parse_constant=_refuse_constant, parse_float=read_number)
        except RecursionError as error:
            raise ParseError("The body nests too deep.") from error
        except ValueError as error:
            raise ParseError(f"The body is not JSON in UTF-8: {error}") from error


class Body:
    """A JSON body by its schema (JSON Schema 2020-12)."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = schema
        self._validator = make_strict_validator(schema)

    def read(self, request: Request) -> dict[str, Any]:
        """The body, which has the form of the schema. Raises InvalidBody with `errors`: a list of path and message."""
        body = request.data
        mistakes = (told for error in self._validator.iter_errors(body) for told in _choose_branch(error))
        errors = describe_errors(mistakes)
        if errors:
            raise InvalidBody(summarise_errors(errors, what="body"), errors=errors[:ERRORS_SHOWN])
        return dict(body)


def _choose_branch(error: ValidationError) -> list[ValidationError]:
    """Of a `oneOf` that no branch fits, the errors of the nearest branch whose constants fit, else the error itself."""
    branches: dict[Any, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.schema_path[0], []).append(inner)
    meant = [each for each in branches.values() if all(inner.validator != "const" for inner in each)]
    return min(meant, key=len) if meant else [error]


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")
