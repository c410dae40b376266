"""Facts that rest on messages: what the engine writes itself, with its evidence checked and widened."""

from __future__ import annotations

from dataclasses import replace

from django.db import transaction

from episodes.actions.cascade import list_message_paths
from episodes.core.stores import DeletedFacts, tell_fact_stores
from episodes.models import Conversation, Message
from episodes.selectors.evidence import expand_evidence
from knowledge.facts.actions import (
    AppliedFact,
    Correction,
    add_evidence,
    apply_fact,
    delete_fact,
    delete_fact_by_hand,
)
from knowledge.facts.actions.locks import lock_end_user
from knowledge.facts.core.drafts import FactDraft
from knowledge.facts.models import UserFact
from memoryproject.database import after_commit
from tenancy.actions.end_users import lock_named_user
from tenancy.actions.stored_answers import clear_stored_answers


def write_fact(*, tenant_id: int, user_id: str, draft: FactDraft) -> AppliedFact:
    """What came of the draft, its evidence widened by the messages before and after each.

    A user that is not known is created for onboarding only: nobody else can have evidence. Locks the user, so that
    nothing is forgotten meanwhile. Raises InvalidTenancy, UnknownEvidence, InvalidFact, SoftFactType, FactKeysMissing.
    """
    with transaction.atomic():
        user = lock_named_user(tenant_id=tenant_id, external_id=user_id)
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


def remove_fact(*, tenant_id: int, end_user_id: int, fact_id: int, correction: Correction | None = None) -> int:
    """How many versions of the fact lost key and value; stored answers and traces that hold them lose them, too.

    With a correction it lands in the log, as a person's. Locks the user, the fact, its versions, the answers, traces.
    Raises UnknownFact, InvalidFact.
    """
    whose = {"tenant_id": tenant_id, "end_user_id": end_user_id}
    with transaction.atomic():
        user = lock_end_user(**whose)
        if correction is None:
            erased = delete_fact(**whose, fact_id=fact_id)
        else:
            erased = delete_fact_by_hand(**whose, fact_id=fact_id, correction=correction)
        if erased:
            conversations = Conversation.objects.filter(**whose).values_list("pk", flat=True)
            clear_stored_answers(
                tenant_id=tenant_id,
                paths=list_message_paths(list(conversations)),
                path_start=f"/api/v1/users/{user.external_id}/",
                ids={*erased, *_list_evidence(erased)},
            )
            deleted = DeletedFacts(tenant_id, end_user_id, tuple(erased))
            tell_fact_stores(deleted)
            after_commit(tell_fact_stores, deleted)
    return len(erased)


def _list_evidence(fact_ids: list[int]) -> set[int]:
    """The messages that facts rest on: answers about them may tell a value that was never kept."""
    rested = UserFact.objects.filter(pk__in=fact_ids).values_list("evidence", flat=True)
    return {message_id for evidence in rested for message_id in evidence}
