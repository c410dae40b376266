"""Shapes, each written once, with an example of every member: typed dictionaries and pydantic models.

From them come the OpenAPI components, the examples of operations and, with mypy, the check of what renders them.
"""

from __future__ import annotations

import types
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired, Union, get_args, get_origin

from drf_spectacular.drainage import warn
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import Direction
from pydantic import BaseModel, GetJsonSchemaHandler, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import CoreSchema, core_schema
from typing_extensions import get_type_hints, is_typeddict


class _Nested:
    """No example of its own: it is that of the member's shape."""


NESTED = _Nested()


class _LeftOut:
    """No example shows it."""


LEFT_OUT = _LeftOut()


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """What a member says of itself in the OpenAPI document.

    Each is only itself: `typing` keeps equal annotations once, so that 1.0 would be shown as the 1 of another shape.
    """

    example: Any
    description: str
    choices: tuple[str, ...]
    more: tuple[tuple[str, Any], ...]

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The schema of the type with description, words and bounds. Source: pydantic's protocol."""
        described = dict(handler(schema))
        strings = [described, *described.get("anyOf", ())]
        if self.choices:
            text = next(each for each in strings if each.get("type") == "string")
            text["enum"] = list(self.choices)
        if self.description:
            described["description"] = self.description
        return described | dict(self.more)


def member(example: Any = NESTED, description: str = "", *, choices: Iterable[str] = (), **more: Any) -> Member:
    """Beside a member's type: `Annotated[int, member(3, "Its number.")]`. `more`: other words of JSON Schema.

    A member that need not be there and has no example is left out of examples.
    """
    return Member(example, description, tuple(choices), tuple(more.items()))


def deprecated(instead: str) -> Member:
    """For a member that is answered until 1.0 beside the one that took its place; no example shows it.

    Beside its type, in `NotRequired`: `NotRequired[Annotated[list[Fact], deprecated("data")]]`.
    """
    return member(LEFT_OUT, f"The same as `{instead}`, until 1.0.", deprecated=True)


@dataclass(frozen=True, slots=True)
class _Format:
    name: str

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {**handler(schema), "format": self.name}


Time = Annotated[str, _Format("date-time")]
"""As `render_time` writes it."""
Uuid = Annotated[str, _Format("uuid")]


def is_shape(hint: Any) -> bool:
    """Whether a type is a typed dictionary or a pydantic model."""
    return is_typeddict(hint) or (isinstance(hint, type) and issubclass(hint, BaseModel))


def build_example(shape: Any, **changed: Any) -> dict[str, Any]:
    """An example of a shape, from those of its members. Raises TypeError where one has none."""
    example: dict[str, Any] = {}
    for name, hint in _list_members(shape).items():
        origin: Any = get_origin(hint)
        found = _find_example(hint)
        if found is LEFT_OUT:
            continue
        if found is not NESTED:
            example[name] = found
        elif origin is not NotRequired and name not in changed:
            raise TypeError(f"{shape.__name__}.{name} has no example")
    return {**example, **changed}


def _list_members(shape: Any) -> dict[str, Any]:
    """Name, as it is sent, to type; a field of a model with a default need not be there."""
    if is_typeddict(shape):
        return get_type_hints(shape, include_extras=True)
    fields = {field.alias or name: field for name, field in shape.model_fields.items()}
    hints = {name: field.rebuild_annotation() for name, field in fields.items()}
    return {name: hint if fields[name].is_required() else NotRequired[hint] for name, hint in hints.items()}


def _find_example(hint: Any) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is NotRequired:
        return _find_example(arguments[0])
    if origin is Annotated:
        given = next((each.example for each in hint.__metadata__ if isinstance(each, Member)), NESTED)
        return _find_example(arguments[0]) if given is NESTED else given
    if origin in (Union, types.UnionType):
        return _find_example(arguments[0])
    if origin is list:
        item = _find_example(arguments[0])
        return item if item is NESTED else [item]
    return build_example(hint) if is_shape(hint) else NESTED


class ShapeSchema(GenerateJsonSchema):
    """JSON Schema as the rest of the document has it: no titles, numbers as doubles."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def float_schema(self, schema: core_schema.FloatSchema) -> JsonSchemaValue:
        return {**super().float_schema(schema), "format": "double"}

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        described = super().typed_dict_schema(schema)
        described.pop("title", None)
        return described


class TypedDictExtension(OpenApiSerializerExtension):
    """Lets drf-spectacular read typed dictionaries, as its own extension does pydantic models."""

    target_class = "typing_extensions.TypedDict"

    @classmethod
    def _matches(cls, target: Any) -> bool:
        return is_typeddict(target)

    def get_name(self, auto_schema: AutoSchema, direction: Direction) -> str:
        """The name of the class."""
        return str(self.target.__name__)

    def get_identity(self, auto_schema: AutoSchema, direction: Direction) -> str:
        """The same name, for nested shapes are known by it alone."""
        return str(self.target.__name__)

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        """Its schema; the shapes that it names become components of their own."""
        schema = TypeAdapter(self.target).json_schema(
            ref_template="#/components/schemas/{model}", schema_generator=ShapeSchema, mode="serialization"
        )
        for name, nested in schema.pop("$defs", {}).items():
            component = ResolvedComponent(name=name, type=ResolvedComponent.SCHEMA, object=name, schema=nested)
            auto_schema.registry.register_on_missing(component)
            if auto_schema.registry[component].schema not in (None, nested):
                warn(f"Two shapes are called {name}.")
        return schema
