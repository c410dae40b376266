"""Statements of the hottest paths, which the server parses and plans once a connection, not at each call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.utils import CursorWrapper
from django.db.models import Field, Model
from django.db.models.expressions import Col, DatabaseDefault

AnyModel = TypeVar("AnyModel", bound=Model)


@contextmanager
def prepared_cursor() -> Iterator[CursorWrapper]:
    """A cursor that prepares what it executes. Parameters go to the server by themselves, so their types must show.

    Only for statements whose text does not vary: each text is prepared once on every connection.
    """
    own = connections[DEFAULT_DB_ALIAS]
    own.ensure_connection()
    raw: Any = _PreparingCursor(own.connection)
    with own.make_debug_cursor(raw) if own.queries_logged else own.make_cursor(raw) as cursor:
        yield cursor


def fetch_prepared(model: type[AnyModel], query: str, params: Sequence[Any] | Mapping[str, Any]) -> list[AnyModel]:
    """The rows of a prepared query, whose text holds `{columns}` in the place of all columns of the model."""
    table = _describe(model)
    own = connections[DEFAULT_DB_ALIAS]
    with prepared_cursor() as cursor:
        cursor.execute(query.replace("{columns}", table.columns), params)
        rows = cursor.fetchall()
    if table.converters:
        rows = [list(row) for row in rows]
        for row in rows:
            for index, convert, column in table.converters:
                row[index] = convert(row[index], column, own)
    return [model.from_db(DEFAULT_DB_ALIAS, table.names, row) for row in rows]


def insert_prepared(instance: Model) -> None:
    """Store a new row as it is and take over what the database fills in: its id and defaults. Sends no signals."""
    own = connections[DEFAULT_DB_ALIAS]
    table = _describe(type(instance))
    given: list[str] = []
    values: list[Any] = []
    filled: list[str] = []
    for field in table.fields:
        value = field.pre_save(instance, add=True)
        if field.primary_key or isinstance(value, DatabaseDefault):
            filled.append(field.attname)
        else:
            given.append(field.attname)
            values.append(field.get_db_prep_save(value, own))
    with prepared_cursor() as cursor:
        cursor.execute(_write_insert(type(instance), tuple(given), tuple(filled)), values)
        for name, value in zip(filled, cursor.fetchone(), strict=True):
            setattr(instance, name, value)
    instance._state.adding = False  # noqa: SLF001 - as Django's own save does
    instance._state.db = DEFAULT_DB_ALIAS  # noqa: SLF001


@dataclass(frozen=True, slots=True)
class _Table:
    name: str
    fields: tuple[Field[Any, Any], ...]
    names: list[str]
    columns: str
    converters: tuple[tuple[int, Callable[..., Any], Col], ...]
    """By the index of the column: what makes its values of what the driver reads, such as JSON of text."""


@lru_cache
def _describe(model: type[Model]) -> _Table:
    meta = model._meta  # noqa: SLF001 - Django's public way to a model's fields
    fields = tuple(meta.concrete_fields)
    own = connections[DEFAULT_DB_ALIAS]
    columns = [Col(meta.db_table, field) for field in fields]
    return _Table(
        meta.db_table,
        fields,
        [field.attname for field in fields],
        ", ".join(f'"{field.column}"' for field in fields),
        tuple(
            (index, convert, column)
            for index, column in enumerate(columns)
            for convert in (*own.ops.get_db_converters(column), *column.get_db_converters(own))
        ),
    )


@lru_cache
def _write_insert(model: type[Model], given: tuple[str, ...], filled: tuple[str, ...]) -> str:
    table = _describe(model)
    fields = {field.attname: field for field in table.fields}
    columns = ", ".join(f'"{fields[name].column}"' for name in given)
    values = ", ".join(f"%s::{fields[name].db_type(connections[DEFAULT_DB_ALIAS])}" for name in given)
    returned = ", ".join(f'"{fields[name].column}"' for name in filled)
    return f'INSERT INTO "{table.name}" ({columns}) VALUES ({values}) RETURNING {returned}'  # noqa: S608 - a model's


class _PreparingCursor(psycopg.Cursor[Any]):
    def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
        return super().execute(query, params, prepare=True, **options)
