"""Facts that rest on messages: what the engine writes itself, with its evidence checked and widened."""

from __future__ import annotations

from dataclasses import replace

from django.db import transaction

from episodes.selectors.evidence import expand_evidence
from knowledge.facts.actions import AppliedFact, apply_fact
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
