"""Locks of user facts, always in this order: the end user, then one fact."""

from __future__ import annotations

from knowledge.errors import FactEnded, UnknownFact
from knowledge.facts.models import UserFact
from memoryproject.prepared import fetch_prepared
from tenancy.errors import UnknownEndUser
from tenancy.models import EndUser

_LOCK_END_USER = "SELECT {columns} FROM tenancy_enduser WHERE tenant_id = %s AND id = %s FOR NO KEY UPDATE"


def lock_end_user(*, tenant_id: int, end_user_id: int) -> EndUser:
    """The tenant's end user, locked until the transaction ends: writes of facts wait here. Raises UnknownEndUser."""
    found = fetch_prepared(EndUser, _LOCK_END_USER, (tenant_id, end_user_id))
    if not found:
        raise UnknownEndUser("There is no such user.")
    return found[0]


def lock_active_fact(*, tenant_id: int, end_user_id: int, fact_id: int) -> UserFact:
    """The user's fact, locked after the user. Raises UnknownFact, FactEnded."""
    fact = lock_fact(tenant_id=tenant_id, end_user_id=end_user_id, fact_id=fact_id)
    if not fact.is_active:
        raise FactEnded(f"The fact {fact_id} has ended: {fact.ended_reason}.", ended_reason=fact.ended_reason)
    return fact


def lock_fact(*, tenant_id: int, end_user_id: int, fact_id: int) -> UserFact:
    """The user's fact, active or not, locked after the user. Raises UnknownFact."""
    lock_end_user(tenant_id=tenant_id, end_user_id=end_user_id)
    try:
        return UserFact.objects.select_for_update(no_key=True).get(
            tenant_id=tenant_id, end_user_id=end_user_id, pk=fact_id
        )
    except UserFact.DoesNotExist:
        raise UnknownFact(f"There is no fact {fact_id}.") from None
