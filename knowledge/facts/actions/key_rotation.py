"""Encrypting all facts, and what other apps keep sealed with their keys, anew under the first key of the ring."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from django.db import transaction
from django.db.models import Model, QuerySet

from knowledge.facts.core.cipher import KeyRing
from knowledge.facts.models import UserFact
from knowledge.facts.sealing import get_key_ring, seal_context, unseal

FACT_BATCH_SIZE = 500
Row = TypeVar("Row", bound=Model)
_rotations: dict[str, Callable[[], int]] = {}


def register_rotation(name: str, rotate: Callable[[], int]) -> None:
    """From now on rows of an app above move to the first key with the facts. Call it in an app's `ready`."""
    _rotations[name] = rotate


def rotate_fact_keys() -> int:
    """How many rows were encrypted anew; what was under the first key already is left. It may be run again.

    Raises FactKeysMissing when the ring lacks a key that is still in use; rows before it are done.
    """
    return rotate_rows(UserFact.objects.all(), _reseal, ("key_sealed", "value_sealed")) + sum(
        rotate() for rotate in _rotations.values()
    )


def rotate_rows(rows: QuerySet[Row], reseal: Callable[[Row, KeyRing], None], columns: Sequence[str]) -> int:
    """How many rows with `sealed_by` were encrypted anew, in batches, each a transaction. Raises FactKeysMissing."""
    ring = get_key_ring()
    done = 0
    while True:
        with transaction.atomic():
            old = rows.select_for_update(no_key=True).exclude(sealed_by=ring.primary)
            batch = list(old.order_by("sealed_by", "pk")[:FACT_BATCH_SIZE])
            for row in batch:
                reseal(row, ring)
                row.sealed_by = ring.primary  # type: ignore[attr-defined]
            rows.bulk_update(batch, [*columns, "sealed_by"])
        done += len(batch)
        if len(batch) < FACT_BATCH_SIZE:
            return done


def _reseal(fact: UserFact, ring: KeyRing) -> None:
    if not bytes(fact.value_sealed):
        return
    for field in ("key", "value"):
        context = seal_context(tenant_id=fact.tenant_id, end_user_id=fact.end_user_id, type_=fact.type, field=field)
        text = unseal(ring, bytes(getattr(fact, f"{field}_sealed")), context=context)
        setattr(fact, f"{field}_sealed", ring.encrypt(text, context=context))
