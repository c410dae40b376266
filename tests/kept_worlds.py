"""Worlds that take a second or more to make, made once a process: a later test finds the same rows and keys again."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from django.conf import settings
from django.db import connection

from memoryproject.redis import get_redis
from tests.initial_rows import InitialRows, may_restore, put_rows, read_initial_rows

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class KeptWorld:
    """Every row and every Redis key after a fixture had made its world, and what it returned."""

    rows: InitialRows
    keys: dict[bytes, tuple[bytes, int]]
    sequences: tuple[list[str], list[int]]
    made: Any


_KEPT: dict[str, KeptWorld] = {}


def make_once(name: str, make: Callable[[], T]) -> T:
    """What ``make`` returns, its rows and Redis keys in place. Sequences go on: what a test adds gets other ids than
    what an earlier test has added. For tests that begin with an empty database, or with another world kept here.
    """
    if not may_restore(connection):
        return make()
    if name in _KEPT:
        kept = _KEPT[name]
        put_rows(connection, kept.rows)
        _put_keys(kept.keys)
        _advance_sequences(kept.sequences)
    else:
        made = make()
        rows, keys, sequences = read_initial_rows(connection), _read_keys(), _read_sequences()
        kept = _KEPT[name] = KeptWorld(rows, keys, sequences, copy.deepcopy(made))
    return copy.deepcopy(kept.made)


def _read_keys() -> dict[bytes, tuple[bytes, int]]:
    """What Redis has of this worker: each value as ``DUMP`` gives it, and its milliseconds to live, 0 for ever."""
    client = get_redis()
    found = {key: client.dump(key) for key in client.scan_iter(match=f"{settings.REDIS_KEY_PREFIX}:*", count=1000)}
    return {key: (value, max(client.pttl(key), 0)) for key, value in found.items() if value is not None}


def _put_keys(keys: dict[bytes, tuple[bytes, int]]) -> None:
    pipeline = get_redis().pipeline()
    for key, (value, milliseconds) in keys.items():
        pipeline.restore(key, milliseconds, value, replace=True)
    pipeline.execute()


def _read_sequences() -> tuple[list[str], list[int]]:
    """Names of the sequences that have given numbers, and the last number of each."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT sequencename, last_value FROM pg_sequences WHERE last_value IS NOT NULL")
        found = cursor.fetchall()
    return [name for name, _ in found], [value for _, value in found]


def _advance_sequences(sequences: tuple[list[str], list[int]]) -> None:
    """A test between may have had them begin anew (``reset_sequences``)."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT setval(quote_ident(name)::regclass, value)"
            " FROM unnest(%s::text[], %s::bigint[]) AS kept(name, value)"
            " JOIN pg_sequences ON sequencename = name WHERE coalesce(last_value, 0) < value",
            sequences,
        )
