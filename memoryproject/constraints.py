"""The rules of the database that refuse a write, and the domain errors that they mean: one table, which the apps join.

Each app lists its own beside its errors (`CONSTRAINT_ERRORS`) and joins in `ready()`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import psycopg.errors
from django.db import IntegrityError, transaction

from memoryproject.errors import DomainError

_ERRORS: dict[str, tuple[type[DomainError], str]] = {}


def register_constraint_errors(errors: Mapping[str, tuple[type[DomainError], str]]) -> None:
    """From now on `atomic_write` raises these errors, with these details, for the rules of these names."""
    _ERRORS.update(errors)


def list_constraint_errors() -> Mapping[str, tuple[type[DomainError], str]]:
    """The table: names of constraints and triggers to errors with their details."""
    return dict(_ERRORS)


@contextmanager
def atomic_write() -> Iterator[None]:
    """A transaction whose refusal by a rule of the table comes out as its domain error. Others stay IntegrityError."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        known = _ERRORS.get(find_constraint(error))
        if known is None:
            raise
        kind, detail = known
        raise kind(detail) from error


def find_constraint(error: IntegrityError) -> str:
    """The name of the constraint, or the one that a trigger raised as its message; empty if the error bears none."""
    diagnosis = getattr(error.__cause__, "diag", None)
    name = str(getattr(diagnosis, "constraint_name", "") or getattr(diagnosis, "message_primary", "") or "")
    return name if name.isidentifier() else ""


def is_unique_violation(error: IntegrityError) -> bool:
    """Whether a row of the same key stands already."""
    return isinstance(error.__cause__, psycopg.errors.UniqueViolation)
