"""Transactions of this app: what the database refuses by one of its rules is a domain error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError

from memoryproject.constraints import atomic_write, find_constraint
from reviews.errors import RuleBroken

OWN_RULES = ("change_", "review_", "golden_", "npc_", "sample_")
"""How names of rules of this app's tables begin."""


@contextmanager
def atomic_action() -> Iterator[None]:
    """A transaction whose refusals by constraint or trigger come out as domain errors."""
    try:
        with atomic_write():
            yield
    except IntegrityError as error:
        name = find_constraint(error)
        if name.startswith(OWN_RULES):
            raise RuleBroken(f"The database refused it by its rule {name}.", constraint=name) from error
        raise
