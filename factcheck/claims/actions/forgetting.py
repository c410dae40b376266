"""What is kept of NPCs' answers goes with the words that they answered."""

from __future__ import annotations

from episodes.forgetting.selectors.forgetting import list_own_messages
from episodes.models import Message
from factcheck.models import ContradictedClaim
from memoryproject.forgetting.registry import Forgotten, Gone, Withdrawal

QUERY_BATCH_SIZE = 1000


def forget_in_claims(forgotten: Forgotten) -> int:
    """How many contradicted claims are gone: they were made in answers that are forgotten, or to forgotten messages."""
    gone = 0
    for start in range(0, len(forgotten.message_ids), QUERY_BATCH_SIZE):
        ids = forgotten.message_ids[start : start + QUERY_BATCH_SIZE]
        rows = Message.objects.filter(tenant_id=forgotten.tenant_id, pk__in=ids, reply_to__isnull=False)
        answered = rows.values_list("reply_to_id", flat=True)
        claims = ContradictedClaim.objects.filter(tenant_id=forgotten.tenant_id, message_id__in={*ids, *answered})
        gone += claims.delete()[0]
    return gone


def withdraw_claims(withdrawal: Withdrawal) -> int:
    """How many contradicted claims are gone with a deselected message: they were made in it, or in answer to it."""
    answered = Message.objects.filter(pk=withdrawal.deselected_id, reply_to__isnull=False)
    ids = {withdrawal.deselected_id, *answered.values_list("reply_to_id", flat=True)}
    return ContradictedClaim.objects.filter(tenant_id=withdrawal.tenant_id, message_id__in=ids).delete()[0]


def forget_all_claims(gone: Gone) -> int:
    """How many contradicted claims are gone with all that a user said. One query to find them."""
    said = list_own_messages(tenant_id=gone.tenant_id, end_user_id=gone.end_user_id, world_id=gone.world_id)
    claims = ContradictedClaim.objects.filter(tenant_id=gone.tenant_id, message_id__in=said.values("pk"))
    return claims.delete()[0]
