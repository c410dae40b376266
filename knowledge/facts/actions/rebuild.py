"""Facts put right by a rebuild from RAW."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F, Value
from django.db.models.functions import Greatest
from django.utils import timezone

from knowledge.facts.actions.locks import lock_end_user
from knowledge.facts.actions.writes import build_fact
from knowledge.facts.core.drafts import FactDraft, complete
from knowledge.facts.models import EndReason, UserFact
from knowledge.facts.sealing import get_key_ring


@dataclass(frozen=True, slots=True)
class RebuiltFact:
    """A fact as RAW gives it; the draft's `valid_from` is when it was first said, `said_at` when last."""

    draft: FactDraft
    said_at: dt.datetime
    is_disputed: bool = False
    disputed_at: dt.datetime | None = None
    corrected_message_id: int | None = None


def put_facts(*, tenant_id: int, end_user_id: int, facts: Sequence[RebuiltFact]) -> int:
    """How many facts were written, each in the place of an active one of its key, whatever was said later.

    Locks the user. Raises FactKeysMissing.
    """
    ring = get_key_ring()
    now = timezone.now()
    with transaction.atomic(savepoint=False):
        lock_end_user(tenant_id=tenant_id, end_user_id=end_user_id)
        for each in facts:
            draft = complete(each.draft, now=now)
            row = build_fact(tenant_id, end_user_id, draft, ring, draft.valid_from or each.said_at)
            row.said_at = each.said_at
            row.is_disputed = each.is_disputed
            row.disputed_at = each.disputed_at
            row.corrected_message_id = each.corrected_message_id
            row.save(force_insert=True)
    return len(facts)


def settle_dispute(*, tenant_id: int, end_user_id: int, fact_id: int, rebuilt: RebuiltFact) -> None:
    """The active fact is disputed as RAW has it, or no longer. Locks the user."""
    with transaction.atomic(savepoint=False):
        lock_end_user(tenant_id=tenant_id, end_user_id=end_user_id)
        UserFact.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id, pk=fact_id, is_active=True).update(
            is_disputed=rebuilt.is_disputed,
            disputed_at=rebuilt.disputed_at,
            corrected_message_id=rebuilt.corrected_message_id if rebuilt.is_disputed else None,
            updated_at=timezone.now(),
        )


def end_unsupported_facts(*, tenant_id: int, end_user_id: int, fact_ids: Collection[int]) -> int:
    """How many active facts ended because RAW does not bear them out. Locks the user."""
    now = timezone.now()
    with transaction.atomic(savepoint=False):
        lock_end_user(tenant_id=tenant_id, end_user_id=end_user_id)
        facts = UserFact.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id, pk__in=fact_ids, is_active=True)
        return facts.update(
            is_active=False,
            is_disputed=False,
            ended_reason=EndReason.REBUILT,
            valid_to=Greatest(Value(now), F("valid_from")),
            updated_at=now,
        )


def put_proofs(
    fact: UserFact,
    *,
    evidence: Sequence[int],
    evidence_span: Sequence[int],
    said_at: dt.datetime | None,
    said_in: int | None,
) -> None:
    """The active fact rests on these messages now; `said_at` None: it was last said when it was. Locks the user."""
    with transaction.atomic(savepoint=False):
        lock_end_user(tenant_id=fact.tenant_id, end_user_id=fact.end_user_id)
        UserFact.objects.filter(pk=fact.pk, is_active=True).update(
            evidence=list(evidence),
            evidence_span=list(evidence_span),
            said_at=F("said_at") if said_at is None else Greatest(Value(said_at), F("valid_from")),
            said_in=said_in,
            updated_at=timezone.now(),
        )


def replace_neighbour(*, tenant_id: int, end_user_id: int, old_id: int, new_id: int) -> int:
    """How many active facts that one message explained are explained by another in its place. Locks the user."""
    with transaction.atomic(savepoint=False):
        lock_end_user(tenant_id=tenant_id, end_user_id=end_user_id)
        facts = UserFact.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id, is_active=True)
        rows = list(facts.filter(evidence_span__contains=[old_id]).select_for_update(no_key=True).order_by("pk"))
        for row in rows:
            kept = {*row.evidence_span} - {old_id}
            row.evidence_span = sorted(kept | ({new_id} - {*row.evidence}))
            row.updated_at = timezone.now()
        UserFact.objects.bulk_update(rows, ["evidence_span", "updated_at"])
    return len(rows)
