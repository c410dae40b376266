"""Query parameters, declared once: the declaration reads the request and describes itself in the OpenAPI document."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework.request import Request

from memoryproject.errors import InvalidError
from memoryproject.json_schema import compile_pattern
from memoryproject.rest.errors import (
    InvalidParameter,
    MissingParameter,
    ReleaseAndAlias,
    ReplacedParameter,
    UnknownParameter,
)

CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
PLAIN_CHARACTER = r"[^\x00-\x1f\x7f-\x9f]"
PLAIN_TEXT = rf"^{PLAIN_CHARACTER}*[^\s\x00-\x1f\x7f-\x9f]{PLAIN_CHARACTER}*$"
"""Not blank, no control characters: the same in Python and in ECMAScript."""
PLAIN_WORD = r"^[^,\x00-\x1f\x7f-\x9f]*[^\s,\x00-\x1f\x7f-\x9f][^,\x00-\x1f\x7f-\x9f]*$"
"""The same without commas, which separate the words of a list."""

WHOLE_NUMBER = re.compile(r"-?[0-9]{1,19}", re.ASCII)
MAX_LIST_ITEMS = 20
MAX_TIME_LENGTH = 40
MAX_ID = 9_223_372_036_854_775_807


@dataclass(frozen=True, slots=True)
class TextParameter:
    """A text of bounded length without control characters, or with them read as blanks."""

    name: str
    description: str
    example: str
    max_length: int
    pattern: str = ""
    is_required: bool = False
    is_prose: bool = False
    """Prose may hold line breaks and other control characters: each is read as a blank. Its reader checks the rest."""
    replaced_by: str = ""
    """The parameter that took its place: it is read as that one, and deprecated."""

    def parse(self, values: Sequence[str]) -> str:
        """The text. Raises InvalidParameter."""
        value = _one(self.name, values)
        if self.is_prose:
            return CONTROL_CHARACTERS.sub(" ", value)
        return _plain_text(self.name, value, self.max_length, self.pattern)

    def describe(self) -> dict[str, Any]:
        """Its JSON schema."""
        schema: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": self.max_length}
        if self.is_prose:
            return {**schema, "pattern": r"[^\s\x00-\x1f\x7f-\x9f]"}
        return {**schema, "pattern": self.pattern or PLAIN_TEXT}


@dataclass(frozen=True, slots=True)
class NumberParameter:
    """A whole number within bounds."""

    name: str
    description: str
    example: int
    least: int
    most: int
    default: int | None = None
    is_required: bool = False
    error: type[InvalidError] = InvalidParameter
    replaced_by: str = ""

    def parse(self, values: Sequence[str]) -> int:
        """The number. Raises InvalidParameter."""
        value = _one(self.name, values)
        if not WHOLE_NUMBER.fullmatch(value):
            raise InvalidParameter(f"{self.name} must be a whole number.", parameter=self.name)
        number = int(value)
        if not self.least <= number <= self.most:
            raise self.error(f"{self.name} must lie between {self.least} and {self.most}.", parameter=self.name)
        return number

    def describe(self) -> dict[str, Any]:
        """Its JSON schema."""
        schema: dict[str, Any] = {"type": "integer", "minimum": self.least, "maximum": self.most}
        return schema if self.default is None else {**schema, "default": self.default}


@dataclass(frozen=True, slots=True)
class ListParameter:
    """Several words: the parameter repeated, or the words separated by commas."""

    name: str
    description: str
    example: str
    max_length: int
    pattern: str
    is_required: bool = False

    def parse(self, values: Sequence[str]) -> tuple[str, ...]:
        """The words, each once, in order. Raises InvalidParameter."""
        words = tuple(dict.fromkeys(word for value in values for word in value.split(",")))
        if len(words) > MAX_LIST_ITEMS:
            raise InvalidParameter(f"{self.name} takes at most {MAX_LIST_ITEMS} words.", parameter=self.name)
        return tuple(_plain_text(self.name, word, self.max_length, self.pattern) for word in words)

    def describe(self) -> dict[str, Any]:
        """Its JSON schema."""
        items = {"type": "string", "minLength": 1, "maxLength": self.max_length, "pattern": self.pattern}
        return {"type": "array", "maxItems": MAX_LIST_ITEMS, "items": items}


@dataclass(frozen=True, slots=True)
class ChoiceParameter:
    """One word of a few."""

    name: str
    description: str
    example: str
    words: tuple[str, ...]
    is_required: bool = False
    error: type[InvalidError] = InvalidParameter

    def parse(self, values: Sequence[str]) -> str:
        """The word. Raises InvalidParameter."""
        value = _one(self.name, values)
        if value not in self.words:
            raise self.error(f"{self.name} must be one of {', '.join(self.words)}.", parameter=self.name)
        return value

    def describe(self) -> dict[str, Any]:
        """Its JSON schema."""
        return {"type": "string", "enum": list(self.words)}


@dataclass(frozen=True, slots=True)
class TimeParameter:
    """A time with an offset, as ISO 8601 writes it."""

    name: str
    description: str
    example: str
    error: type[InvalidError] = InvalidParameter
    is_required: bool = False

    def parse(self, values: Sequence[str]) -> dt.datetime:
        """The time in UTC. Raises InvalidParameter."""
        try:
            time = dt.datetime.fromisoformat(_plain_text(self.name, _one(self.name, values), MAX_TIME_LENGTH, ""))
            if time.tzinfo is not None:
                return time.astimezone(dt.UTC)
        except (ValueError, OverflowError):
            pass
        raise self.error(f"{self.name} is not a time with an offset.", parameter=self.name)

    def describe(self) -> dict[str, Any]:
        """Its JSON schema."""
        return {"type": "string", "minLength": 1, "maxLength": MAX_TIME_LENGTH, "pattern": PLAIN_TEXT}


Parameter = TextParameter | NumberParameter | ListParameter | ChoiceParameter | TimeParameter


@dataclass(frozen=True)
class Parameters:
    """The query parameters of one operation; anything else in the query is an error."""

    declared: tuple[Parameter, ...]
    exclusive: tuple[tuple[str, str, type[InvalidError]], ...] = (("release", "alias", ReleaseAndAlias),)
    """Pairs of which at most one may be sent, and the error that both are."""

    def read(self, request: Request) -> dict[str, Any]:
        """Name to parsed value for those that were sent, and for those with a default. Raises InvalidParameter.

        What came under an old name stands under the new one.
        """
        sent = request.query_params
        known = {parameter.name: parameter for parameter in self.declared}
        for name in sent:
            if name not in known:
                raise UnknownParameter(
                    f"There is no parameter {name[:100]!r} here. Known: {', '.join(known) or 'none'}.",
                    parameter=name[:100],
                )
        for one, other, error in self.exclusive:
            if one in sent and other in sent:
                raise error(f"Send {one} or {other}, not both.")
        values: dict[str, Any] = {}
        for name, parameter in known.items():
            if name in sent:
                values[_find_name(parameter, sent)] = parameter.parse(sent.getlist(name))
            elif parameter.is_required:
                raise MissingParameter(f"{name} is missing.", parameter=name)
            elif isinstance(parameter, NumberParameter) and parameter.default is not None:
                values[name] = parameter.default
        return values

    def list_errors(self) -> tuple[type[InvalidError], ...]:
        """What `read` raises beyond UnknownParameter and InvalidParameter."""
        names = {parameter.name for parameter in self.declared}
        errors = [getattr(parameter, "error", InvalidParameter) for parameter in self.declared]
        errors += [error for one, other, error in self.exclusive if {one, other} <= names]
        if any(parameter.is_required for parameter in self.declared):
            errors.append(MissingParameter)
        if any(_is_replaced(parameter) for parameter in self.declared):
            errors.append(ReplacedParameter)
        return tuple(error for error in dict.fromkeys(errors) if error is not InvalidParameter)

    def describe(self) -> list[OpenApiParameter]:
        """The parameters for the OpenAPI document, with an example each."""
        return [describe_parameter(parameter) for parameter in self.declared]


NO_PARAMETERS = Parameters(())


def describe_parameter(parameter: Parameter, *, location: str = OpenApiParameter.QUERY) -> OpenApiParameter:
    """One parameter for the OpenAPI document."""
    value = [parameter.example] if isinstance(parameter, ListParameter) else parameter.example
    return OpenApiParameter(
        name=parameter.name,
        type=parameter.describe(),
        location=location,  # type: ignore[arg-type]
        required=parameter.is_required,
        description=parameter.description,
        deprecated=_is_replaced(parameter),
        examples=[OpenApiExample("example", value=value)],
    )


def describe_uuid(name: str, example: str) -> OpenApiParameter:
    """A UUID in a path."""
    schema = {"type": "string", "format": "uuid"}
    return OpenApiParameter(name, schema, OpenApiParameter.PATH, examples=[OpenApiExample("example", example)])


def read_header(request: Request, parameter: TextParameter) -> str | None:
    """A header by its declaration, or None when it is absent. Raises InvalidParameter."""
    value = request.headers.get(parameter.name)
    return None if value is None else parameter.parse([value])


def _is_replaced(parameter: Parameter) -> bool:
    return isinstance(parameter, (TextParameter, NumberParameter)) and bool(parameter.replaced_by)


def _find_name(parameter: Parameter, sent: Container[str]) -> str:
    """The name under which a value stands. Raises ReplacedParameter where both the old and the new one were sent."""
    if not isinstance(parameter, (TextParameter, NumberParameter)) or not parameter.replaced_by:
        return parameter.name
    if parameter.replaced_by in sent:
        raise ReplacedParameter(
            f"{parameter.name} is the old name of {parameter.replaced_by}: send one of them.", parameter=parameter.name
        )
    return parameter.replaced_by


def _one(name: str, values: Sequence[str]) -> str:
    if len(values) != 1:
        raise InvalidParameter(f"{name} was sent more than once.", parameter=name)
    return values[0]


def _plain_text(name: str, value: str, max_length: int, pattern: str) -> str:
    if not value.strip():
        raise InvalidParameter(f"{name} is empty.", parameter=name)
    if len(value) > max_length:
        raise InvalidParameter(f"{name} may have at most {max_length} characters.", parameter=name)
    if CONTROL_CHARACTERS.search(value):
        raise InvalidParameter(f"{name} holds control characters.", parameter=name)
    if pattern and not compile_pattern(pattern).search(value):
        raise InvalidParameter(f"{name} is not of the form {pattern}", parameter=name)
    return value
