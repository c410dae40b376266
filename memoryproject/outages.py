"""Recognises failures of PostgreSQL and Redis: which are outages that pass, which are values nobody can store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import django.db
import kombu.exceptions
import psycopg
import redis

from memoryproject.errors import EmbeddedServiceError

QUERY_CANCELED = "57014"
BUSY_STATES = frozenset({"40001", "40P01", "55P03", "53300", "53400"})
UNSTORABLE_STATES = frozenset({"22001", "22003", "22007", "22008", "22021", "22P05"})


@dataclass(frozen=True)
class Outage:
    """A part that does not answer now and may answer soon."""

    code: str
    detail: str
    retry_after_seconds: int


DATABASE_UNAVAILABLE = Outage("database_unavailable", "The database does not answer. Try again shortly.", 5)
DATABASE_BUSY = Outage("database_busy", "The database is busy. Try again shortly.", 1)
QUERY_TIMEOUT = Outage("query_timeout", "The database took too long over this request and was stopped.", 10)
REDIS_UNAVAILABLE = Outage("redis_unavailable", "Redis does not answer. Try again shortly.", 5)


def classify_outage(error: BaseException) -> Outage | None:
    """The outage that an exception speaks of, or None when it speaks of something else."""
    if isinstance(error, redis.ConnectionError | redis.TimeoutError | kombu.exceptions.OperationalError):
        return REDIS_UNAVAILABLE
    if isinstance(error, EmbeddedServiceError):
        return DATABASE_UNAVAILABLE if error.service == "postgres" else REDIS_UNAVAILABLE
    if not isinstance(error, _DATABASE_OUTAGES):
        return None
    state = find_sqlstate(error)
    if state == QUERY_CANCELED:
        return QUERY_TIMEOUT
    return DATABASE_BUSY if state in BUSY_STATES else DATABASE_UNAVAILABLE


def is_unstorable_value(error: BaseException) -> bool:
    """Whether a caller's value is what the database refuses: NUL, lone surrogates, numbers out of range."""
    if isinstance(error, UnicodeEncodeError):
        return True
    if isinstance(error, ValueError) and "NUL (0x00)" in str(error):
        return True
    return isinstance(error, django.db.DataError | psycopg.DataError) and (
        find_sqlstate(error) in UNSTORABLE_STATES or "NUL (0x00)" in str(error)
    )


def find_sqlstate(error: BaseException) -> str:
    """PostgreSQL's code for the error, or an empty text."""
    states = (getattr(cause, "sqlstate", None) for cause in _walk_causes(error))
    return next((str(state) for state in states if state), "")


def _walk_causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


_DATABASE_OUTAGES = (
    django.db.OperationalError,
    django.db.InterfaceError,
    psycopg.OperationalError,
    psycopg.InterfaceError,
)
