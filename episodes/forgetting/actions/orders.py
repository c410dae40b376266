"""Orders to forget or erase all that a user said: accepted at once, worked off in batches. See docs/adr/0018."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import connection
from django.db.models import F
from django.utils import timezone

from episodes.condensing.actions.snippets import clear_gone_snippets
from episodes.condensing.actions.talk_summaries import clear_summaries_of
from episodes.events.actions.staleness import withdraw_events_of
from episodes.forgetting.actions.cascade import list_message_paths
from episodes.forgetting.actions.order_work import clear_session_talks, queue_order
from episodes.forgetting.models import FIRST_PLACE
from episodes.forgetting.selectors.orders import (
    SessionTalk,
    count_places,
    find_open_order,
    list_own_conversations,
)
from episodes.metrics import FORGOTTEN_DESCRIPTIONS, FORGOTTEN_FACTS
from episodes.models import Conversation, EchoSearch, ForgetReceipt, OrderKind, ReceiptState
from knowledge.search.sql import read_query
from memoryproject.database import after_commit
from memoryproject.forgetting.registry import Gone, purge_gone_stores
from tenancy.actions.stored_answers import clear_stored_answers

MAX_IMMEDIATE_MESSAGES = 500
"""What is larger becomes an order. So many messages take half a second (measured), which a caller can wait for."""
_PURGE_PASSAGES = Path(__file__).resolve().parents[1] / "sql" / "purge_gone_passages.sql"


@dataclass(frozen=True, slots=True)
class OrderTarget:
    """Whose messages, and of which world; None: of all."""

    tenant_id: int
    end_user_id: int
    world_id: int | None

    def as_filter(self) -> dict[str, Any]:
        """The columns by name."""
        return {"tenant_id": self.tenant_id, "end_user_id": self.end_user_id, "world_id": self.world_id}


def needs_order(target: OrderTarget, kind: OrderKind) -> bool:
    """Whether the work is more than one batch, or an order of that kind is open. Call it under the user's lock."""
    if count_places(**target.as_filter(), kind=kind) > MAX_IMMEDIATE_MESSAGES:
        return True
    return find_open_order(**target.as_filter(), kind=kind) is not None


@dataclass(frozen=True, slots=True)
class HiddenMessages:
    """The conversations that nobody reads up to where they are, and what was cleared by count."""

    conversation_ids: list[int]
    cleared: dict[str, int]
    is_further: bool
    """Whether something was said since the last order."""


def hide_messages(target: OrderTarget) -> HiddenMessages:
    """What was hidden: from now on nobody reads what was said so far.

    Locks the conversations, then passages, each in pk order: what is being posted comes before, or stays. Few queries,
    whatever was said.
    """
    rows = list_own_conversations(**target.as_filter()).select_for_update(no_key=True).order_by("pk")
    ids = list(rows.values_list("pk", flat=True))
    further = Conversation.objects.filter(pk__in=ids, last_seq__gt=F("gone_to"))
    raised = further.update(gone_to=F("last_seq"), gone_at=timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(read_query(_PURGE_PASSAGES), target.as_filter())
        passages, vectors = cursor.fetchone()
    cleared = purge_gone_stores(Gone(target.tenant_id, target.end_user_id, target.world_id))
    cleared["snippets"] = clear_gone_snippets(ids)
    cleared["talk_summaries"] = clear_summaries_of(ids)
    events = withdraw_events_of(ids)
    cleared["events"], vectors = events.events, vectors + events.vectors
    return HiddenMessages(ids, {"passages": passages, "vectors": vectors, **cleared}, is_further=raised > 0)


def write_order(
    target: OrderTarget,
    kind: OrderKind,
    *,
    receipt_id: uuid.UUID,
    places: int,
    requested_by: str,
    cleared: dict[str, int],
    talks: Sequence[SessionTalk],
) -> ForgetReceipt:
    """The pending receipt of the order; once the transaction holds, sessions forget and a worker takes it up."""
    receipt = ForgetReceipt.objects.create(
        id=receipt_id,
        **target.as_filter(),
        order_kind=kind,
        asked={"scope": "erasure" if kind == OrderKind.ERASE else "all", "messages": places},
        requested_by=requested_by,
        message_ids=[],
        echoes_searched=EchoSearch.NOT_NEEDED,
        cleared={"messages": 0, "echoes": 0, "descriptions": 0, **cleared},
        work={
            "after": list(FIRST_PLACE),
            "talks": [[talk.world_id, talk.session_id, talk.npc_id] for talk in talks],
            "text_hashes": [],
        },
        state=ReceiptState.PENDING,
        advanced_at=timezone.now(),
    )
    after_commit(FORGOTTEN_FACTS.inc, cleared.get("facts", 0))
    after_commit(FORGOTTEN_DESCRIPTIONS.inc, cleared.get("snippets", 0))
    _start(receipt, talks)
    return receipt


def join_order(
    receipt: ForgetReceipt, cleared: dict[str, int], talks: Sequence[SessionTalk], *, is_further: bool
) -> ForgetReceipt:
    """The open order, which now reaches what was said since it came; batches begin anew only where there was some.

    A failed one is tried again. Call it under the receipt's lock, after `hide_messages`.
    """
    receipt.add_cleared(cleared)
    if is_further or receipt.state == ReceiptState.FAILED:
        receipt.restart_batches()
    if receipt.state == ReceiptState.FAILED:
        receipt.reopen()
    work = receipt.work or {}
    known = [tuple(talk) for talk in work["talks"]]
    fresh = {(talk.world_id, talk.session_id, talk.npc_id) for talk in talks}
    receipt.work = {**work, "talks": sorted({*known, *fresh})}
    receipt.save(update_fields=["cleared", "work", "state", "code", "attempts"])
    _start(receipt, talks)
    return receipt


def clear_told_answers(
    target: OrderTarget,
    user_id: str,
    conversation_ids: Sequence[int],
    ids: Collection[int] | None,
    *,
    with_hashes: bool = False,
) -> int:
    """How many stored answers lost what they tell: all to messages of the conversations, and about the user those that
    name one of the facts or messages; with `ids` None all of them."""
    paths = list_message_paths(conversation_ids)
    common: dict[str, Any] = {"tenant_id": target.tenant_id, "with_hashes": with_hashes}
    cleared = clear_stored_answers(**common, paths=paths, path_start=None, ids=None)
    return cleared + clear_stored_answers(**common, paths=(), path_start=f"/api/v1/users/{user_id}/", ids=ids)


def _start(receipt: ForgetReceipt, talks: Sequence[SessionTalk]) -> None:
    after_commit(clear_session_talks, receipt, talks)
    queue_order(receipt.pk)
