"""Facts that rest on messages: what the engine writes itself, with its evidence checked and widened."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from django.db import transaction

from episodes.errors import FactOfTenant
from episodes.facts.selectors.evidence import expand_evidence
from episodes.facts.selectors.worlds import ALL_WORLDS, FactsOfWorld, find_facts_of_world
from episodes.forgetting.actions.cascade import list_message_paths
from episodes.models import Conversation, Message
from knowledge.errors import UnknownFact
from knowledge.facts.actions import (
    AppliedFact,
    Correction,
    add_neighbour,
    apply_fact,
    delete_fact,
    delete_fact_by_hand,
    erase_versions,
    withdraw_proofs,
)
from knowledge.facts.actions.locks import lock_end_user
from knowledge.facts.core.drafts import FactDraft
from knowledge.facts.models import UserFact
from knowledge.facts.selectors import list_fact_history
from memoryproject.database import after_commit
from memoryproject.forgetting.registry import DeletedFacts, purge_fact_stores
from tenancy.actions.end_users import lock_named_user
from tenancy.actions.stored_answers import clear_stored_answers
from tenancy.core.caller import WorldRef
from tenancy.models import EndUser


def write_fact(*, tenant_id: int, user_id: str, draft: FactDraft, world: WorldRef | None = None) -> AppliedFact:
    """What came of the draft, with the messages before and after each of its evidence as its span.

    Without evidence the fact belongs to the named world, else to the whole tenant; a key that is bound to the world
    can't name messages of another.

    A user that is not known is created for onboarding only: nobody else can have evidence. Locks the user, so that
    nothing is forgotten meanwhile. Raises InvalidTenancy, UnknownEvidence, InvalidFact, SoftFactType, FactKeysMissing.
    """
    with transaction.atomic():
        user = lock_named_user(tenant_id=tenant_id, external_id=user_id)
        bound_id = None if world is None else world.bound_id
        evidence, span = expand_evidence(
            tenant_id=tenant_id, end_user_id=user.pk, message_ids=draft.evidence, world_id=bound_id
        )
        stated_in = () if evidence else (ALL_WORLDS if world is None else world.world_id,)
        draft = replace(draft, evidence=evidence, evidence_span=span, stated_in=stated_in)
        return apply_fact(tenant_id=tenant_id, end_user_id=user.pk, draft=draft)


def extend_span(*, tenant_id: int, end_user_id: int, said_in: int, message_id: int) -> int:
    """How many active facts, last said in one message, now span the one after it as well; none once it is forgotten.

    Locks the user, so that nothing is forgotten meanwhile.
    """
    with transaction.atomic():
        lock_end_user(tenant_id=tenant_id, end_user_id=end_user_id)
        if not Message.objects.living().filter(tenant_id=tenant_id, pk=message_id).exists():
            return 0
        return add_neighbour(tenant_id=tenant_id, end_user_id=end_user_id, said_in=said_in, message_id=message_id)


def remove_fact(*, tenant_id: int, end_user_id: int, fact_id: int, correction: Correction | None = None) -> int:
    """How many versions of the fact lost key and value; stored answers and traces that hold them lose them, too.

    With a correction it lands in the log, as a person's. Locks the user, the fact, its versions, the answers, traces.
    Raises UnknownFact, InvalidFact.
    """
    owner_filter = {"tenant_id": tenant_id, "end_user_id": end_user_id}
    with transaction.atomic():
        user = lock_end_user(**owner_filter)
        if correction is None:
            erased = delete_fact(**owner_filter, fact_id=fact_id)
        else:
            erased = delete_fact_by_hand(**owner_filter, fact_id=fact_id, correction=correction)
        if erased:
            _clear_told(user, erased)
    return len(erased)


def _clear_told(user: EndUser, fact_ids: Sequence[int]) -> None:
    """Stored answers and other stores lose what they tell of the facts."""
    conversations = Conversation.objects.filter(tenant_id=user.tenant_id, end_user=user).values_list("pk", flat=True)
    clear_stored_answers(
        tenant_id=user.tenant_id,
        paths=list_message_paths(list(conversations)),
        path_start=f"/api/v1/users/{user.external_id}/",
        ids={*fact_ids, *_list_evidence(fact_ids)},
    )
    deleted = DeletedFacts(user.tenant_id, user.pk, tuple(fact_ids))
    purge_fact_stores(deleted)
    after_commit(purge_fact_stores, deleted)


def remove_world_fact(*, tenant_id: int, end_user_id: int, fact_id: int, world_id: int) -> int:
    """How many versions of the fact are gone for a world: of what others hold as well, only what it says itself goes.

    Locks as `remove_fact` does. Raises UnknownFact, FactOfTenant.
    """
    owner_filter = {"tenant_id": tenant_id, "end_user_id": end_user_id}
    with transaction.atomic():
        user = lock_end_user(**owner_filter)
        own = find_facts_of_world(**owner_filter, world_id=world_id)
        versions = {each.id for each in list_fact_history(**owner_filter, fact_id=fact_id)} & own.fact_ids
        if fact_id not in versions:
            raise UnknownFact(f"There is no fact {fact_id}.")
        if not versions & own.shared_ids:
            return remove_fact(tenant_id=tenant_id, end_user_id=end_user_id, fact_id=fact_id)
        gone = erase_world_facts(**owner_filter, fact_ids=versions, own=own, world_id=world_id)
        if fact_id in find_facts_of_world(**owner_filter, world_id=world_id).fact_ids:
            raise FactOfTenant(f"The fact {fact_id} was stated for the whole tenant: it takes a key of the tenant.")
        _clear_told(user, gone)
    return len(gone)


def erase_world_facts(
    *, tenant_id: int, end_user_id: int, fact_ids: Collection[int], own: FactsOfWorld, world_id: int
) -> list[int]:
    """The versions that are gone for a world: those of its own lose key and value, of shared ones it withdraws.

    For the transaction that holds the user's lock.
    """
    owner_filter = {"tenant_id": tenant_id, "end_user_id": end_user_id}
    shared = own.shared_ids.intersection(fact_ids)
    erased = erase_versions(**owner_filter, fact_ids=sorted(set(fact_ids) - shared))
    withdraw_proofs(**owner_filter, fact_ids=sorted(shared), message_ids=own.message_ids, world_id=world_id)
    return sorted({*erased, *shared})


def _list_evidence(fact_ids: Sequence[int]) -> set[int]:
    """The messages that facts rest on: answers about them may tell a value that was never kept."""
    rested = UserFact.objects.filter(pk__in=fact_ids).values_list("evidence", flat=True)
    return {message_id for evidence in rested for message_id in evidence}
