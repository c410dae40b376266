"""Answers as typed shapes: filled from rows, cut into pages, sent."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, TypeVar, cast

from pydantic import BaseModel
from rest_framework.response import Response
from typing_extensions import is_typeddict

from memoryproject.times import render_time

Shape = TypeVar("Shape")
Row = TypeVar("Row")


def answer(shape: BaseModel, status: int = 200, *, etag: object = None) -> Response:
    """The shape as JSON, with its version as `ETag`."""
    headers = None if etag is None else {"ETag": f'"{etag}"'}
    return Response(shape.model_dump(mode="json"), status=status, headers=headers)


def fill(shape: type[Shape], row: object, /, **others: Any) -> Shape:
    """A shape with what the row has under the names of its members, but for `others`.

    In a typed dictionary times are as `render_time` writes them, and tuples are lists.
    Raises TypeError for `others` that the shape does not have.
    """
    names = shape.__annotations__ if is_typeddict(shape) else shape.model_fields  # type: ignore[attr-defined]
    if not others.keys() <= names.keys():
        raise TypeError(f"{shape.__name__} has no {', '.join(others.keys() - names.keys())}")
    if not is_typeddict(shape):
        return shape(**{name: getattr(row, name) for name in names if name not in others}, **others)
    return cast("Shape", {name: others[name] if name in others else _read(row, name) for name in names})


def cut_page(
    rows: Sequence[Row], limit: int, key: Callable[[Row], Any] = attrgetter("pk")
) -> tuple[Sequence[Row], Any]:
    """The rows of a page, and the key of its last one where more follow: then `rows` has more than `limit`."""
    return rows[:limit], key(rows[limit - 1]) if len(rows) > limit else None


def _read(row: object, name: str) -> Any:
    value = getattr(row, name)
    if isinstance(value, dt.datetime):
        return render_time(value)
    return list(value) if isinstance(value, tuple) else value
