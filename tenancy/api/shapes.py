"""Answers as typed shapes: what an operation declares of them, and how they are sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse
from pydantic import BaseModel
from rest_framework.response import Response

from tenancy.api.schemas import Problems, describe_problems


def describe_answer(
    shape: type[BaseModel], example: Mapping[str, Any], *problems: Problems, status: int = 200
) -> dict[Any, OpenApiResponse]:
    """The answers of an operation: its shape with an example, which must fit it, and its problems."""
    shape.model_validate(example)
    description = (shape.__doc__ or "").partition("\n")[0]
    shown = OpenApiResponse(
        shape, description=description, examples=[OpenApiExample("example", example, status_codes=[str(status)])]
    )
    return {status: shown, **describe_problems(*problems)}


def answer(shape: BaseModel, status: int = 200) -> Response:
    """The shape as JSON."""
    return Response(shape.model_dump(mode="json"), status=status)
