"""Encrypting all facts anew under the first key of the ring."""

from __future__ import annotations

from django.db import transaction

from knowledge.facts.core.cipher import KeyRing
from knowledge.facts.models import UserFact
from knowledge.facts.sealing import get_key_ring, seal_context, unseal

FACT_BATCH_SIZE = 500


def rotate_fact_keys() -> int:
    """How many facts were encrypted anew; what was under the first key already is left. It may be run again.

    Raises FactKeysMissing when the ring lacks a key that is still in use; facts before it are done.
    """
    ring = get_key_ring()
    done = 0
    while True:
        with transaction.atomic():
            facts = list(
                UserFact.objects.select_for_update(no_key=True)
                .exclude(sealed_by=ring.primary)
                .order_by("sealed_by", "pk")[:FACT_BATCH_SIZE]
            )
            for fact in facts:
                _reseal(fact, ring)
            UserFact.objects.bulk_update(facts, ["key_sealed", "value_sealed", "sealed_by"])
        done += len(facts)
        if len(facts) < FACT_BATCH_SIZE:
            return done


def _reseal(fact: UserFact, ring: KeyRing) -> None:
    fact.sealed_by = ring.primary
    if not bytes(fact.value_sealed):
        return
    for field in ("key", "value"):
        context = seal_context(tenant_id=fact.tenant_id, end_user_id=fact.end_user_id, type_=fact.type, field=field)
        text = unseal(ring, bytes(getattr(fact, f"{field}_sealed")), context=context)
        setattr(fact, f"{field}_sealed", ring.encrypt(text, context=context))
