"""Facts that rest on messages: what the engine writes itself, with its evidence checked and widened."""

from __future__ import annotations

from dataclasses import replace

from django.db import transaction

from episodes.models import Message
from episodes.selectors.evidence import expand_evidence
from knowledge.facts.actions import AppliedFact, add_evidence, apply_fact
from knowledge.facts.actions.locks import lock_end_user
from knowledge.facts.core.drafts import FactDraft
from tenancy.actions.end_users import ensure_end_user


def write_fact(*, tenant_id: int, user_id: str, draft: FactDraft) -> AppliedFact:
    """What came of the draft, its evidence widened by the messages before and after each.

    A user that is not known is created for onboarding only: nobody else can have evidence. Locks the user, so that
    nothing is forgotten meanwhile. Raises InvalidTenancy, UnknownEvidence, InvalidFact, SoftFactType, FactKeysMissing.
    """
    with transaction.atomic():
        user = ensure_end_user(tenant_id=tenant_id, external_id=user_id)
        lock_end_user(tenant_id=tenant_id, end_user_id=user.pk)
        evidence = expand_evidence(tenant_id=tenant_id, end_user_id=user.pk, message_ids=draft.evidence)
        return apply_fact(tenant_id=tenant_id, end_user_id=user.pk, draft=replace(draft, evidence=evidence))


def widen_evidence(*, tenant_id: int, end_user_id: int, said_in: int, message_id: int) -> int:
    """How many active facts, last said in one message, now rest on the one after it as well; none once it is forgotten.

    Locks the user, so that nothing is forgotten meanwhile.
    """
    with transaction.atomic():
        lock_end_user(tenant_id=tenant_id, end_user_id=end_user_id)
        if not Message.objects.filter(tenant_id=tenant_id, pk=message_id, forgotten_at__isnull=True).exists():
            return 0
        return add_evidence(tenant_id=tenant_id, end_user_id=end_user_id, said_in=said_in, message_id=message_id)
