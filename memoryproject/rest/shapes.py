"""Answers as typed shapes: filled from rows, cut into pages, sent."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, cast

from pydantic import BaseModel
from rest_framework.response import Response
from typing_extensions import is_typeddict

from memoryproject.times import render_time

Shape = TypeVar("Shape")
Row = TypeVar("Row")
_WRITTEN = (dt.datetime, tuple)
"""What typed dictionaries hold in another form."""


def answer(shape: BaseModel, status: int = 200, *, etag: object = None) -> Response:
    """The shape as JSON, with its version as `ETag`."""
    headers = None if etag is None else {"ETag": f'"{etag}"'}
    return Response(shape.model_dump(mode="json"), status=status, headers=headers)


def fill(shape: type[Shape], row: object, /, **others: Any) -> Shape:
    """A shape with what the row has under the names of its members, but for `others`.

    In a typed dictionary times are as `render_time` writes them, and tuples are lists.
    Raises TypeError for `others` that the shape does not have.
    """
    names, is_dictionary = _list_members(cast("Any", shape))
    if not others.keys() <= names.keys():
        raise TypeError(f"{shape.__name__} has no {', '.join(others.keys() - names.keys())}")
    values = {}
    for name in names:
        value = others[name] if name in others else getattr(row, name)
        values[name] = _write(value) if is_dictionary and isinstance(value, _WRITTEN) else value
    return cast("Shape", values if is_dictionary else shape(**values))


@cache
def _list_members(shape: Any) -> tuple[dict[str, Any], bool]:
    """Its members by name, and whether it is a typed dictionary."""
    is_dictionary = is_typeddict(shape)
    return dict(shape.__annotations__ if is_dictionary else shape.model_fields), is_dictionary


def _write(value: dt.datetime | tuple[Any, ...]) -> Any:
    return list(value) if isinstance(value, tuple) else render_time(value)


def cut_page(
    rows: Sequence[Row], limit: int, key: Callable[[Row], Any] = attrgetter("pk")
) -> tuple[Sequence[Row], Any]:
    """The rows of a page, and the key of its last one where more follow: then `rows` has more than `limit`."""
    return rows[:limit], key(rows[limit - 1]) if len(rows) > limit else None
