"""Erasure by law: the words of all that a user said, all facts, what was derived, and the id. Audited, for ever."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import transaction

from episodes.condensing.actions.talk_summaries import clear_summaries_of
from episodes.conversations.selectors.sessions import list_talks_of_user
from episodes.errors import ErasureReasonMissing
from episodes.facts.actions import erase_world_facts
from episodes.facts.selectors.worlds import find_facts_of_world
from episodes.forgetting.actions.cascade import clear_messages, list_message_paths, lock_messages
from episodes.forgetting.actions.erased_messages import WITHOUT_NAMES, erase_locked
from episodes.forgetting.actions.orders import (
    OrderTarget,
    clear_told_answers,
    hide_messages,
    join_order,
    needs_order,
    write_order,
)
from episodes.forgetting.actions.play_erasure import ErasedPlay, erase_in_play
from episodes.forgetting.actions.receipts import write_receipt
from episodes.forgetting.core.selections import Selection
from episodes.forgetting.selectors.forgetting import list_own_messages
from episodes.forgetting.selectors.orders import (
    count_places,
    find_open_order,
    list_own_conversations,
    list_session_talks,
)
from episodes.models import Conversation, Erasure, ForgetReceipt, OrderKind
from knowledge.facts.actions import clear_correction_reasons, erase_facts
from knowledge.facts.actions.locks import lock_end_user
from memoryproject.forgetting.erased_names import ErasedName
from memoryproject.forgetting.registry import ErasedUser, purge_name_stores
from tenancy.actions.stored_answers import clear_stored_answers, erase_in_answers
from tenancy.models import EndUser

MAX_REASON_LENGTH = 500


def erase_user(
    *, tenant_id: int, end_user_id: int, reason: str, requested_by: str, world_id: int | None = None
) -> ForgetReceipt:
    """The receipt of erasing a user: every message keeps its place and loses its words, every fact its key and value.

    With `world_id` that holds for what was said in the world, and for what is known from there: the id is the
    tenant's and stays.

    In all that others share with the user a placeholder stands for the id from now on, drawn at random; what was about
    the user alone goes. Who comes under the id later is a new user. Forgets first, then erases what forgetting leaves.
    More than a batch of messages becomes an order (`order_kind`): nobody reads them any more, and a worker takes their
    words; while one is open, asking again gives its receipt.
    Writes the `Erasure` row that lets the words and the id change. Locks as `forget_messages` does, then the user
    against every new mention, stored answers, and rows of play and traces. Raises UnknownEndUser, InvalidForgetting.
    """
    if not reason.strip():
        raise ErasureReasonMissing("An erasure needs a reason.")
    owner_filter = {"tenant_id": tenant_id, "end_user_id": end_user_id}
    with transaction.atomic():
        user = lock_end_user(**owner_filter)
        target = OrderTarget(**owner_filter, world_id=world_id)
        if needs_order(target, OrderKind.ERASE):
            return order_erasure(user, target, reason=reason, requested_by=requested_by)
        if world_id is not None:
            return _erase_in_world(**owner_filter, world_id=world_id, reason=reason, requested_by=requested_by)
        return _erase_at_once(**owner_filter, reason=reason, requested_by=requested_by)


def order_erasure(user: EndUser, target: OrderTarget, *, reason: str, requested_by: str) -> ForgetReceipt:
    """The receipt of the order, new or open already. All but the words of messages is erased when it is accepted."""
    owner_filter = {"tenant_id": target.tenant_id, "end_user_id": target.end_user_id}
    known = find_open_order(**target.as_filter(), kind=OrderKind.ERASE)
    places, talks = count_places(**target.as_filter(), kind=OrderKind.ERASE), list_session_talks(**target.as_filter())
    receipt_id = uuid.uuid4() if known is None else known.pk
    old = user.external_id
    own = None if target.world_id is None else find_facts_of_world(**owner_filter, world_id=target.world_id)
    hidden = hide_messages(target)
    conversation_ids, cleared = hidden.conversation_ids, dict(hidden.cleared)
    Conversation.objects.filter(pk__in=conversation_ids).update(**WITHOUT_NAMES)
    name = None
    if known is None:
        name = _order(**target.as_filter(), old=old, receipt_id=receipt_id, reason=reason, requested_by=requested_by)
    if own is None or target.world_id is None:
        gone = erase_facts(**owner_filter)
    else:
        gone = erase_world_facts(**owner_filter, fact_ids=own.fact_ids, own=own, world_id=target.world_id)
    cleared["facts"] = len(gone)
    cleared["correction_reasons"] = clear_correction_reasons(**owner_filter)
    proofs = None if own is None else {*gone, *own.message_ids}
    cleared["stored_answers"] = clear_told_answers(target, old, conversation_ids, proofs, with_hashes=True)
    if name is not None and target.world_id is None:
        cleared["stored_answers"] += erase_in_answers(tenant_id=target.tenant_id, name=name)
        play = erase_in_play(**owner_filter, name=name)
        cleared |= play.cleared
        cleared |= purge_name_stores(_build_erased_user(target.end_user_id, target.tenant_id, name, play))
    if known is not None:
        return join_order(known, cleared, talks, is_further=hidden.is_further)
    return write_order(
        target, OrderKind.ERASE, receipt_id=receipt_id, places=places, requested_by=requested_by,
        cleared={"contents": 0, **cleared}, talks=talks,
    )  # fmt: skip


def _erase_at_once(*, tenant_id: int, end_user_id: int, reason: str, requested_by: str) -> ForgetReceipt:
    owner_filter = {"tenant_id": tenant_id, "end_user_id": end_user_id}
    receipt_id = uuid.uuid4()
    locked = lock_messages(**owner_filter, selection=Selection("all"))
    old = locked.end_user.external_id
    talks = list_talks_of_user(**owner_filter)
    name = _order(
        **owner_filter, world_id=None, old=old, receipt_id=receipt_id, reason=reason, requested_by=requested_by
    )
    cascade = clear_messages(locked)
    cleared = cascade.cleared
    cleared["facts"] += len(erase_facts(**owner_filter))
    cleared["correction_reasons"] += clear_correction_reasons(**owner_filter)
    cleared["contents"] = _erase_contents(tenant_id, end_user_id)
    cleared["stored_answers"] += _clear_answers(tenant_id, end_user_id, name)
    play = erase_in_play(**owner_filter, name=name)
    cleared |= play.cleared
    cleared |= purge_name_stores(_build_erased_user(end_user_id, tenant_id, name, play))
    return write_receipt(
        locked,
        cascade,
        asked={"scope": "erasure"},
        requested_by=requested_by,
        receipt_id=receipt_id,
        talks=talks,
    )


def _erase_in_world(
    *, tenant_id: int, end_user_id: int, world_id: int, reason: str, requested_by: str
) -> ForgetReceipt:
    receipt_id = uuid.uuid4()
    owner_filter = {"tenant_id": tenant_id, "end_user_id": end_user_id}
    locked = lock_messages(**owner_filter, selection=Selection("all", world_id=world_id))
    talks = list_talks_of_user(**owner_filter, world_id=world_id)
    own = find_facts_of_world(**owner_filter, world_id=world_id)
    _write_order(**owner_filter, world_id=world_id, receipt_id=receipt_id, reason=reason, requested_by=requested_by)
    gone = erase_world_facts(**owner_filter, fact_ids=own.fact_ids, own=own, world_id=world_id)
    cascade = clear_messages(locked)
    cleared = cascade.cleared
    cleared["facts"] += len(gone)
    cleared["contents"] = _erase_contents(tenant_id, end_user_id, world_id)
    cleared["stored_answers"] += _clear_world_answers(locked.end_user, {*locked.message_ids, *gone}, world_id)
    return write_receipt(
        locked,
        cascade,
        asked={"scope": "erasure"},
        requested_by=requested_by,
        world_id=world_id,
        receipt_id=receipt_id,
        talks=talks,
    )


def _clear_world_answers(user: EndUser, ids: set[int], world_id: int) -> int:
    conversations = list_own_conversations(tenant_id=user.tenant_id, end_user_id=user.pk, world_id=world_id)
    return clear_stored_answers(
        tenant_id=user.tenant_id,
        paths=list_message_paths(list(conversations.values_list("pk", flat=True))),
        path_start=f"/api/v1/users/{user.external_id}/",
        ids=ids,
        with_hashes=True,
    )


def _order(
    *,
    tenant_id: int,
    end_user_id: int,
    world_id: int | None,
    old: str,
    receipt_id: uuid.UUID,
    reason: str,
    requested_by: str,
) -> ErasedName:
    """The id and the placeholder that the order gave; who is erased again keeps the first one."""
    order = _write_order(
        tenant_id=tenant_id,
        end_user_id=end_user_id,
        world_id=world_id,
        receipt_id=receipt_id,
        reason=ErasedName(old, "[user]").in_line(reason.strip()),
        requested_by=requested_by,
    )
    return ErasedName(old, EndUser.objects.values_list("external_id", flat=True).get(pk=order.end_user_id))


def _write_order(*, reason: str, **columns: Any) -> Erasure:
    """The order in the log: from now on the words may change. Locks the user against every new mention."""
    return Erasure.objects.create(reason=reason.strip()[:MAX_REASON_LENGTH], **columns)


def _build_erased_user(end_user_id: int, tenant_id: int, name: ErasedName, play: ErasedPlay) -> ErasedUser:
    return ErasedUser(
        tenant_id=tenant_id,
        end_user_id=end_user_id,
        name=name,
        summary_ids=play.summary_ids,
        event_ids=play.event_ids,
        flags=play.flags,
        npc_ids=play.npc_ids,
    )


def _erase_contents(tenant_id: int, end_user_id: int, world_id: int | None = None) -> int:
    """How many messages lost their words now, whether they were forgotten before or not.

    Ids of sessions go with them, and those of conversations: they may be made of the user's.
    """
    messages = list_own_messages(tenant_id=tenant_id, end_user_id=end_user_id, world_id=world_id)
    conversations = list_own_conversations(tenant_id=tenant_id, end_user_id=end_user_id, world_id=world_id)
    ids = list(messages.select_for_update(no_key=True, of=("self",)).order_by("pk").values_list("pk", flat=True))
    clear_summaries_of(list(conversations.values_list("pk", flat=True)))
    conversations.update(**WITHOUT_NAMES)
    return erase_locked(ids)


def _clear_answers(tenant_id: int, end_user_id: int, name: ErasedName) -> int:
    conversations = list_own_conversations(tenant_id=tenant_id, end_user_id=end_user_id, world_id=None)
    cleared = clear_stored_answers(
        tenant_id=tenant_id,
        paths=list_message_paths(list(conversations.values_list("pk", flat=True))),
        path_start=f"/api/v1/users/{name.old}/",
        ids=None,
        with_hashes=True,
    )
    return cleared + erase_in_answers(tenant_id=tenant_id, name=name)
