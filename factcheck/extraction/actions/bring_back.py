"""A fact that a person ended holds again, where nothing speaks against it."""

from __future__ import annotations

from dataclasses import replace

from django.db import transaction
from django.utils import timezone

from episodes.models import Message
from knowledge.facts.actions import RebuiltFact, put_facts
from knowledge.facts.actions.locks import lock_end_user
from knowledge.facts.actions.tombstones import is_buried
from knowledge.facts.models import CorrectionOutcome, EndReason, MemoryCorrection, UserFact
from knowledge.facts.selectors.facts import view_fact


def bring_back_fact(*, tenant_id: int, end_user_id: int, fact_id: int, reason: str) -> UserFact | None:
    """The fact as a new version that was said when the ended one was; None where it stays ended.

    So it does where the newest word on it is another than `reason`, by which a person ended it; where something stands
    in its place; and where it, or a message that proves it, is forgotten, or its time is over. Locks the player.
    """
    with transaction.atomic():
        lock_end_user(tenant_id=tenant_id, end_user_id=end_user_id)
        own = UserFact.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id)
        ended = own.filter(pk=fact_id, is_active=False, ended_reason=EndReason.DENIED).first()
        if ended is None or not _may_hold(ended, reason):
            return None
        put_facts(tenant_id=tenant_id, end_user_id=end_user_id, facts=[draft_version(ended)])
        return own.get(type=ended.type, key_index=ended.key_index, is_active=True)


def draft_version(row: UserFact) -> RebuiltFact:
    """A version as it is to hold again."""
    draft = view_fact(row).to_draft(valid_from=row.valid_from, said_in=row.said_in)
    return RebuiltFact(replace(draft, stated_in=tuple(row.stated_in)), row.said_at)


def _may_hold(ended: UserFact, reason: str) -> bool:
    if not bytes(ended.value_sealed) or (ended.expires_at is not None and ended.expires_at <= timezone.now()):
        return False
    fact_filter = {"tenant_id": ended.tenant_id, "end_user_id": ended.end_user_id, "type": ended.type}
    if UserFact.objects.filter(**fact_filter, key_index=ended.key_index, pk__gt=ended.pk).exists():
        return False
    last = MemoryCorrection.objects.filter(fact=ended).order_by("-pk").first()
    if last is None or (last.outcome, last.reason) != (CorrectionOutcome.DEACTIVATED, reason):
        return False
    if is_buried((ended.tenant_id, ended.end_user_id, ended.type, bytes(ended.key_index)), said_at=ended.said_at):
        return False
    return Message.objects.living().filter(pk__in=ended.evidence).count() == len(ended.evidence)
