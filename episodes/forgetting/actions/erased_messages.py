"""The words of messages go for ever: their rows stay, each in its place."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import F, Value
from django.db.models.functions import Coalesce

from episodes.models import ERASED_CONTENT, Conversation, Erasure, Message, OrderKind, ReceiptState

WITHOUT_WORDS: dict[str, Any] = {
    "content": ERASED_CONTENT,
    "client_message_id": None,
    "body_hash": None,
    "response_description": "",
    "mood": "",
    "session_id": "",
}
"""What is left of a message. Ids of sessions go with the words: they may be made of the user's."""
WITHOUT_NAMES: dict[str, Any] = {"external_id": None, "session_id": "", "user_name": "", "assistant_name": ""}
"""What is left of a conversation: ids of the game's own and names may be made of the user's."""
ERASED: dict[str, Any] = {
    "content": ERASED_CONTENT,
    "client_message_id__isnull": True,
    "response_description": "",
    "session_id": "",
}
"""As a filter: there is nothing left to erase."""


def erase_locked(message_ids: Collection[int], **more: Any) -> int:
    """How many of the messages lost their words now. The caller holds their locks, and an order to erase."""
    rows = Message.objects.filter(pk__in=list(message_ids))
    return rows.exclude(**ERASED).update(**WITHOUT_WORDS, **more)


def erase_under_order(conversation: Conversation, message_ids: Collection[int]) -> set[int]:
    """Those of a conversation's gone messages that an open order erases: they lose their words now, before their batch.

    None where the order only forgets. The caller holds the conversation's lock. Locks the messages in pk order.
    """
    orders = Erasure.objects.filter(
        tenant_id=conversation.tenant_id,
        end_user_id=conversation.end_user_id,
        receipt__order_kind=OrderKind.ERASE,
    )
    ordered = orders.exclude(receipt__state=ReceiptState.DONE).values_list("world_id", flat=True)
    if not any(world_id in (None, conversation.world_id) for world_id in ordered):
        return set()
    rows = Message.objects.filter(conversation=conversation, pk__in=message_ids)
    ids = list(rows.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
    erase_locked(ids, forgotten_at=Coalesce(F("forgotten_at"), Value(conversation.gone_at)))
    return set(ids)
