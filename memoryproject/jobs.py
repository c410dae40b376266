"""Jobs that ask a model: rows that a worker takes up under a lease, with the answer kept until it is applied.

A worker may die at any point. Its row is taken up by another once the lease is over, a few times; an answer that was
kept is never asked for again.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import connection, models

from memoryproject.redis import build_key, get_redis

LEASE = dt.timedelta(minutes=10)
"""Longer than a model may take with all its repairs; then another worker takes the job up."""
MAX_TRIES = 3
"""Workers that may die over one job."""
QUEUED_SECONDS = 900
"""After so long a job that was lost at the broker no longer holds back the next."""
PRIORITY = 9
"""Behind all other work."""
PRIORITY_MANUAL = 3
"""A person waits for it."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What a model was paid over a job; None where the server does not count."""

    input_tokens: int | None = 0
    output_tokens: int | None = 0
    cost: float | None = 0.0


class ModelJob(models.Model):
    """What a job that asks a model keeps: its answer until it is applied, what that cost, why it failed."""

    proposer = models.CharField(max_length=16)
    model = models.CharField(max_length=120, blank=True)
    prompt_version = models.CharField(max_length=40, blank=True)
    language = models.CharField(max_length=35, blank=True, help_text="That most of the messages are in.")
    answer_sealed = models.BinaryField(default=b"", help_text="What the proposer answered, until it is applied.")
    sealed_by = models.PositiveSmallIntegerField(default=0, help_text="The number of the key of the ring.")
    input_tokens = models.PositiveIntegerField(null=True, blank=True)
    output_tokens = models.PositiveIntegerField(null=True, blank=True)
    cost_usd = models.DecimalField(max_digits=10, decimal_places=6, null=True, blank=True)
    duration_ms = models.PositiveIntegerField(null=True, blank=True)
    error_code = models.CharField(max_length=40, blank=True)
    error_detail = models.CharField(max_length=300, blank=True)

    class Meta:
        abstract = True


def try_lock(name: str) -> bool:
    """Whether nobody else holds the lock of that name; held until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [name])
        return bool(cursor.fetchone()[0])


def round_cost(cost: float | None) -> Decimal | None:
    """A cost as it is kept."""
    return None if cost is None else Decimal(f"{cost:.6f}")


class JobMarkers:
    """One waiting task a job: what is queued already is not queued again."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def queue(self, task: Any, jobs: Iterable[tuple[Any, tuple[Any, ...]]], *, limit: int) -> int:
        """How many of the jobs, each a key and the task's arguments, were queued: at most `limit`."""
        queued = 0
        for key, arguments in jobs:
            if get_redis().set(self._name(key), 1, nx=True, ex=QUEUED_SECONDS):
                task.apply_async(arguments, priority=PRIORITY, retry=False)
                queued += 1
            if queued == limit:
                break
        return queued

    def take_up(self, key: Any) -> None:
        """A worker has the job: it may be queued again."""
        get_redis().delete(self._name(key))

    def rest(self, key: Any) -> None:
        """The job is left alone for a while."""
        get_redis().set(self._name(key), 1, ex=QUEUED_SECONDS)

    def _name(self, key: Any) -> str:
        return build_key(f"{self._kind}-queued", key)
