"""Orders are worked off: batch by batch, each its own transaction, so that a killed worker loses one at most."""

from __future__ import annotations

import datetime as dt
import time
import uuid
from collections.abc import Sequence
from functools import partial
from typing import Any

import structlog
from django.db import transaction
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from episodes.embedding.actions.queue import publish_in_one_try
from episodes.errors import ReceiptNotFailed, UnknownReceipt
from episodes.forgetting.actions.cascade import MAX_CACHED_QUERY_LENGTH, hash_as_query
from episodes.forgetting.actions.erased_messages import ERASED, erase_locked
from episodes.forgetting.actions.receipts import ask_stores, finish_receipt
from episodes.forgetting.selectors.forgetting import count_erased_names
from episodes.forgetting.selectors.orders import (
    OrderedMessage,
    SessionTalk,
    count_order_leftovers,
    list_batch,
    list_stalled_orders,
)
from episodes.metrics import FORGOTTEN_DESCRIPTIONS
from episodes.models import Conversation, FailureCode, ForgetReceipt, Message, OrderKind, ReceiptState
from memoryproject.celery import find_task
from memoryproject.database import after_commit
from memoryproject.forgetting.registry import Forgotten

log = structlog.get_logger("memory37.orders")
MESSAGE_BATCH_SIZE = 500
"""Messages of one transaction: some 50 ms of row locks (measured), and all that a killed worker does again."""
MAX_ATTEMPTS = 5
"""Starts in a row without a batch; then somebody has to look. A store that is away costs none of them."""
RUN_SECONDS = 20.0
"""After so long a run queues the next, so that other tasks get their turn."""
SWEEP_BATCH_SIZE = 100


def run_order(receipt_id: uuid.UUID, *, seconds: float = RUN_SECONDS) -> ReceiptState:
    """The order's state after this run; `running` when the time was up before the work was done.

    Several runs at once do each batch once. Every store hears of a batch before its words go, so nothing is kept of
    them: a run that is killed between the two tells the stores again. Locks the receipt, then messages in pk order.
    """
    until = time.monotonic() + seconds
    receipt = _begin(receipt_id)
    if receipt is None or receipt.state != ReceiptState.RUNNING:
        return ReceiptState.DONE if receipt is None else ReceiptState(receipt.state)
    try:
        while batch := list_batch(receipt, longest=MAX_CACHED_QUERY_LENGTH + 1, batch_size=MESSAGE_BATCH_SIZE):
            if time.monotonic() >= until:
                return ReceiptState.RUNNING
            cleared, _, errors = ask_stores(_describe_batch(receipt, batch))
            if errors:
                return _wait_for_stores(receipt_id, errors)
            receipt = _clear_batch(receipt, batch, cleared)
        return _finish(receipt)
    except Exception as error:
        log.exception("order_interrupted", receipt=str(receipt_id))
        return _note_failure(receipt_id, error)


def retry_receipt(*, tenant_id: int, receipt_id: uuid.UUID, requested_by: str) -> ForgetReceipt:
    """The failed receipt, on its way again with no try counted. Locks it. Raises UnknownReceipt, ReceiptNotFailed."""
    with transaction.atomic():
        rows = ForgetReceipt.objects.select_for_update(no_key=True, of=("self",)).select_related("end_user")
        receipt = rows.filter(tenant_id=tenant_id, pk=receipt_id).first()
        if receipt is None:
            raise UnknownReceipt(f"There is no receipt {receipt_id}.")
        if receipt.state != ReceiptState.FAILED:
            raise ReceiptNotFailed(f"The receipt {receipt_id} is {receipt.state}.")
        receipt.reopen()
        if receipt.order_kind:
            receipt.restart_batches()
        receipt.save(update_fields=["state", "code", "attempts", "work"])
        log.info("receipt_retried", receipt=str(receipt_id), requested_by=requested_by)
        if receipt.order_kind:
            queue_order(receipt_id)
        else:
            after_commit(finish_receipt, receipt_id)
    return receipt


def queue_order(receipt_id: uuid.UUID) -> None:
    """Enqueue a run once the transaction holds. A broker that is down costs a log line; the sweeper catches up."""
    publish = partial(find_task("episodes.run_order").apply_async, (str(receipt_id),), retry=False)
    after_commit(publish_in_one_try, publish)


def sweep_orders(*, now: dt.datetime | None = None) -> int:
    """How many orders were queued again because nobody works on them."""
    stalled = list_stalled_orders(now=now or timezone.now(), limit=SWEEP_BATCH_SIZE)
    for receipt_id in stalled:
        queue_order(receipt_id)
    return len(stalled)


def clear_session_talks(receipt: ForgetReceipt, talks: Sequence[SessionTalk]) -> None:
    """Session memory and caches lose what was said last, at once: batches may take minutes to get there."""
    ids = tuple(message_id for talk in talks for message_id in talk.message_ids)
    if ids:
        told = tuple((talk.world_id, talk.session_id, talk.npc_id) for talk in talks)
        ask_stores(_describe(receipt, ids, (), told if receipt.order_kind == OrderKind.ERASE else None))


def _begin(receipt_id: uuid.UUID) -> ForgetReceipt | None:
    """The receipt, running, with one more try; failed after too many; None once it is done."""
    with transaction.atomic():
        receipt = ForgetReceipt.objects.select_for_update(no_key=True).get(pk=receipt_id)
        if receipt.state == ReceiptState.DONE:
            return None
        if receipt.code == FailureCode.INTERRUPTED:
            return receipt
        if receipt.code == FailureCode.STILL_FOUND:
            receipt.restart_batches()
        receipt.attempts += 1
        receipt.state, receipt.code = ReceiptState.RUNNING, ""
        if receipt.attempts > MAX_ATTEMPTS:
            receipt.state, receipt.code = ReceiptState.FAILED, FailureCode.INTERRUPTED
            log.error("order_failed", receipt=str(receipt_id), code=receipt.code)
        receipt.advanced_at = timezone.now()
        receipt.save(update_fields=["attempts", "state", "code", "work", "advanced_at"])
        return receipt


def _clear_batch(receipt: ForgetReceipt, batch: Sequence[OrderedMessage], told: dict[str, int]) -> ForgetReceipt:
    """The receipt after the batch. Where another run was faster, nothing is done twice. Five queries."""
    with transaction.atomic():
        fresh = ForgetReceipt.objects.select_for_update(no_key=True).get(pk=receipt.pk)
        if fresh.has_moved_on(receipt):
            return fresh
        due = _filter_due(Message.objects.filter(pk__in=[each.id for each in batch]), fresh)
        columns = due.order_by("pk").values_list("pk", "forgotten_at", "response_description")
        rows = list(columns.select_for_update(no_key=True))
        counts = {
            "messages": sum(forgotten_at is None for _, forgotten_at, _ in rows),
            "descriptions": sum(description != "" for *_, description in rows),
            **told,
        }
        gone_at = Conversation.objects.filter(pk=OuterRef("conversation_id")).values("gone_at")
        forgotten = {"forgotten_at": Coalesce(F("forgotten_at"), Subquery(gone_at)), "response_description": ""}
        ids = [pk for pk, *_ in rows]
        if fresh.order_kind == OrderKind.ERASE:
            counts["contents"] = erase_locked(ids, forgotten_at=forgotten["forgotten_at"])
        else:
            Message.objects.filter(pk__in=ids).update(**forgotten)
        _advance(fresh, counts, ids, batch[-1])
        after_commit(FORGOTTEN_DESCRIPTIONS.inc, counts["descriptions"])
        return fresh


def _filter_due(messages: QuerySet[Message], receipt: ForgetReceipt) -> QuerySet[Message]:
    """Those that the order has not cleared before."""
    if receipt.order_kind == OrderKind.ERASE:
        return messages.exclude(**ERASED)
    return messages.exclude(forgotten_at__isnull=False, response_description="")


def _advance(receipt: ForgetReceipt, counts: dict[str, int], ids: list[int], last: OrderedMessage) -> None:
    """The receipt names the batch and where the next one begins."""
    receipt.add_cleared(counts)
    receipt.message_ids = [*receipt.message_ids, *ids]
    receipt.work = {**(receipt.work or {}), "after": [last.conversation_id, last.seq]}
    receipt.attempts, receipt.errors, receipt.advanced_at = 0, {}, timezone.now()
    receipt.save(update_fields=["cleared", "message_ids", "work", "attempts", "errors", "advanced_at"])


def _finish(receipt: ForgetReceipt) -> ReceiptState:
    """What came of the order once no message is left: stores forget what they hold of the user, the check looks."""
    talks = tuple((world_id, session_id, npc_id) for world_id, session_id, npc_id in (receipt.work or {})["talks"])
    talks = talks if receipt.order_kind == OrderKind.ERASE else ()
    cleared, left, errors = ask_stores(_describe(receipt, (), (), talks, is_everything=True), is_checked=True)
    if errors:
        return _wait_for_stores(receipt.pk, errors)
    left |= count_order_leftovers(receipt)
    if receipt.order_kind == OrderKind.ERASE and receipt.world_id is None:
        left |= count_erased_names(receipt)
    with transaction.atomic():
        fresh = ForgetReceipt.objects.select_for_update(no_key=True).get(pk=receipt.pk)
        if fresh.has_moved_on(receipt):
            return ReceiptState(fresh.state)
        fresh.add_cleared(cleared)
        fresh.verification, fresh.errors, fresh.attempts, fresh.advanced_at = left, {}, 0, timezone.now()
        if any(left.values()):
            fresh.state, fresh.code = ReceiptState.FAILED, FailureCode.STILL_FOUND
        else:
            fresh.state, fresh.work, fresh.finished_at = ReceiptState.DONE, None, timezone.now()
        fresh.save()
        return ReceiptState(fresh.state)


def _wait_for_stores(receipt_id: uuid.UUID, errors: dict[str, str]) -> ReceiptState:
    """Pending until the sweeper comes: the words of the batch are in RAW still, and nobody reads them."""
    return _write_stop(receipt_id, errors, attempts=0)


def _note_failure(receipt_id: uuid.UUID, error: Exception) -> ReceiptState:
    """Pending for another try, or failed after too many."""
    return _write_stop(receipt_id, {"batch": type(error).__name__})


def _write_stop(receipt_id: uuid.UUID, errors: dict[str, str], *, attempts: int | None = None) -> ReceiptState:
    with transaction.atomic():
        receipt = ForgetReceipt.objects.select_for_update(no_key=True).get(pk=receipt_id)
        if receipt.state != ReceiptState.RUNNING:
            return ReceiptState(receipt.state)
        receipt.errors = errors
        receipt.attempts = receipt.attempts if attempts is None else attempts
        receipt.state = ReceiptState.PENDING
        if receipt.attempts >= MAX_ATTEMPTS:
            receipt.state, receipt.code = ReceiptState.FAILED, FailureCode.INTERRUPTED
        receipt.advanced_at = timezone.now()
        receipt.save(update_fields=["errors", "attempts", "state", "code", "advanced_at"])
        return ReceiptState(receipt.state)


def _describe_batch(receipt: ForgetReceipt, batch: Sequence[OrderedMessage]) -> Forgotten:
    hashes = dict.fromkeys(each for message in batch for each in hash_as_query(message.content))
    return _describe(receipt, tuple(message.id for message in batch), tuple(hashes), None)


def _describe(
    receipt: ForgetReceipt, ids: tuple[int, ...], hashes: tuple[str, ...], talks: Any, *, is_everything: bool = False
) -> Forgotten:
    """What stores are told. With talks, preferences of their sessions go, too: that is for an erasure alone."""
    return Forgotten(
        tenant_id=receipt.tenant_id,
        end_user_id=receipt.end_user_id,
        world_id=receipt.world_id,
        message_ids=ids,
        text_hashes=hashes,
        is_everything=is_everything,
        talks=talks,
    )
