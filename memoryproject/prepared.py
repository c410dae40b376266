"""Statements of the hottest paths, which the server parses and plans once a connection, not at each call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, TypeVar

import psycopg
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.db.models import Model
from django.db.models.expressions import DatabaseDefault

AnyModel = TypeVar("AnyModel", bound=Model)


@contextmanager
def prepared_cursor() -> Iterator[CursorWrapper]:
    """A cursor that prepares what it executes. Parameters go to the server by themselves, so their types must show.

    Only for statements whose text does not vary: each text is prepared once on every connection.
    """
    connection.ensure_connection()
    raw: Any = _PreparingCursor(connection.connection)
    with connection.make_debug_cursor(raw) if connection.queries_logged else connection.make_cursor(raw) as cursor:
        yield cursor


def fetch_prepared(model: type[AnyModel], query: str, params: Sequence[Any]) -> list[AnyModel]:
    """The rows of a prepared query, whose text holds `{columns}` in the place of all columns of the model."""
    names, columns = _list_columns(model)
    with prepared_cursor() as cursor:
        cursor.execute(query.replace("{columns}", columns), params)
        return [model.from_db(connection.alias, names, row) for row in cursor.fetchall()]


def insert_prepared(instance: Model) -> None:
    """Store a new row as it is and take over what the database fills in: its id and defaults. Sends no signals."""
    columns: list[str] = []
    slots: list[str] = []
    values: list[Any] = []
    filled: list[str] = []
    for field in instance._meta.concrete_fields:  # noqa: SLF001 - Django's public way to a model's fields
        value = field.pre_save(instance, add=True)
        if field.primary_key or isinstance(value, DatabaseDefault):
            filled.append(field.attname)
        else:
            columns.append(f'"{field.column}"')
            slots.append(f"%s::{field.db_type(connection)}")
            values.append(field.get_db_prep_save(value, connection))
    table = instance._meta.db_table  # noqa: SLF001
    query = (
        f'INSERT INTO "{table}" ({", ".join(columns)}) VALUES ({", ".join(slots)}) '  # noqa: S608 - names of models
        f"RETURNING {', '.join(filled)}"
    )
    with prepared_cursor() as cursor:
        cursor.execute(query, values)
        for name, value in zip(filled, cursor.fetchone(), strict=True):
            setattr(instance, name, value)
    instance._state.adding = False  # noqa: SLF001
    instance._state.db = connection.alias  # noqa: SLF001


@lru_cache
def _list_columns(model: type[Model]) -> tuple[list[str], str]:
    fields = model._meta.concrete_fields  # noqa: SLF001 - Django's public way to a model's fields
    return [field.attname for field in fields], ", ".join(f'"{field.column}"' for field in fields)


class _PreparingCursor(psycopg.Cursor[Any]):
    def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
        return super().execute(query, params, prepare=True, **options)
