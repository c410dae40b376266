"""Forgetting: messages and all that was derived from them, with a receipt. It can't be undone."""

from __future__ import annotations

import uuid
from contextlib import AbstractContextManager, nullcontext

from django.db import transaction

from episodes.conversations.selectors.conversations import get_message
from episodes.facts.selectors.losses import find_lost_facts
from episodes.forgetting.actions.cascade import clear_messages, lock_messages
from episodes.forgetting.actions.orders import (
    OrderTarget,
    clear_told_answers,
    hide_messages,
    join_order,
    needs_order,
    write_order,
)
from episodes.forgetting.actions.receipts import write_receipt
from episodes.forgetting.core.replays import get_fact_replay
from episodes.forgetting.core.selections import Selection
from episodes.forgetting.selectors.forgetting import select_messages
from episodes.forgetting.selectors.orders import count_places, find_open_order, list_gone_proofs, list_session_talks
from episodes.models import ForgetReceipt, OrderKind
from knowledge.facts.actions import clear_correction_reasons, forget_facts
from knowledge.facts.actions.locks import lock_end_user
from tenancy.models import EndUser


def forget_message(*, tenant_id: int, message_id: int, requested_by: str, world_id: int | None = None) -> ForgetReceipt:
    """The receipt of forgetting one message; see `forget_messages`. Raises UnknownMessage."""
    message = get_message(tenant_id=tenant_id, message_id=message_id)
    return forget_messages(
        tenant_id=tenant_id,
        end_user_id=message.conversation.end_user_id,
        selection=Selection("messages", message_ids=(message_id,), world_id=world_id),
        requested_by=requested_by,
    )


def forget_messages(*, tenant_id: int, end_user_id: int, selection: Selection, requested_by: str) -> ForgetReceipt:
    """The receipt of forgetting some of a user's messages; what was forgotten before is not counted again.

    All of more than a batch becomes an order (`order_kind`), which a worker takes up; nobody reads them meanwhile.
    A fact goes with its last proof, and what assistants said of it again with it (`echo_ids`); others lose a proof.
    What the messages had replaced, denied or disputed stands as what is left gives it (`changes`), unless all goes.
    Locks the end user, conversations, messages, passages and facts, in this order. Caches and other stores forget after
    the commit: until then, and while one of them fails, the receipt is pending. Raises UnknownEndUser, UnknownMessage.
    """
    with _read_ahead(tenant_id, end_user_id, selection), transaction.atomic():
        target = OrderTarget(tenant_id, end_user_id, selection.world_id)
        if selection.scope == "all":
            lock_end_user(tenant_id=tenant_id, end_user_id=end_user_id)
            if needs_order(target, OrderKind.FORGET):
                return order_forgetting(target, requested_by=requested_by)
        locked = lock_messages(tenant_id=tenant_id, end_user_id=end_user_id, selection=selection)
        cascade = clear_messages(locked, with_replay=selection.scope != "all")
        return write_receipt(
            locked, cascade, asked=selection.describe(), requested_by=requested_by, world_id=selection.world_id
        )


def _read_ahead(tenant_id: int, end_user_id: int, selection: Selection) -> AbstractContextManager[None]:
    """What the replay will read is embedded before anything is locked; nothing of all that a user said."""
    known = get_fact_replay()
    if known is None or selection.scope == "all":
        return nullcontext()
    owner_filter = {"tenant_id": tenant_id, "end_user_id": end_user_id}
    ids = list(select_messages(**owner_filter, selection=selection).values_list("pk", flat=True))
    return known.read_ahead(**owner_filter, message_ids=ids)


def order_forgetting(target: OrderTarget, *, requested_by: str) -> ForgetReceipt:
    """The receipt of the order, new or open already; facts go when it is accepted. Call it under the user's lock."""
    owner_filter = {"tenant_id": target.tenant_id, "end_user_id": target.end_user_id}
    known = find_open_order(**target.as_filter(), kind=OrderKind.FORGET)
    places, talks = count_places(**target.as_filter(), kind=OrderKind.FORGET), list_session_talks(**target.as_filter())
    hidden = hide_messages(target)
    conversation_ids, cleared = hidden.conversation_ids, dict(hidden.cleared)
    proofs = list_gone_proofs(**target.as_filter())
    lost = find_lost_facts(**owner_filter, message_ids=proofs, world_id=target.world_id)
    facts = forget_facts(**owner_filter, fact_ids=[row.pk for row in lost], message_ids=proofs)
    cleared["facts"] = len(facts)
    cleared["correction_reasons"] = clear_correction_reasons(**owner_filter)
    user_id = EndUser.objects.values_list("external_id", flat=True).get(pk=target.end_user_id)
    cleared["stored_answers"] = clear_told_answers(target, user_id, conversation_ids, {*facts, *proofs})
    if known is not None:
        return join_order(known, cleared, talks, is_further=hidden.is_further)
    return write_order(
        target, OrderKind.FORGET, receipt_id=uuid.uuid4(), places=places, requested_by=requested_by,
        cleared=cleared, talks=talks,
    )  # fmt: skip
