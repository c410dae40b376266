"""Receipts come to their end: every other store forgets, and a search for what was forgotten finds nothing."""

from __future__ import annotations

import datetime as dt
import uuid

import structlog
from django.db import transaction
from django.utils import timezone

from episodes.core.stores import Forgotten, list_memory_stores
from episodes.models import ForgetReceipt, ReceiptState
from episodes.models.forgetting import OPEN_STATES
from episodes.selectors.forgetting import count_leftovers

log = structlog.get_logger(__name__)
SWEPT_AT_A_TIME = 100
FRESH_FOR = dt.timedelta(minutes=1)
"""A receipt that young is still in the hands of the call that wrote it."""


def finish_receipt(receipt_id: uuid.UUID) -> ReceiptState:
    """The receipt's state after another try: `done` once all stores forgot and the check finds nothing.

    Stores are asked outside transactions; two tries at once do no harm. Locks the receipt to write.
    """
    receipt = ForgetReceipt.objects.select_related("end_user").get(pk=receipt_id)
    if receipt.state == ReceiptState.DONE:
        return ReceiptState.DONE
    work = receipt.work or {}
    talks = work.get("talks")
    forgotten = Forgotten(
        tenant_id=receipt.tenant_id,
        end_user_id=receipt.end_user_id,
        world_id=receipt.world_id,
        message_ids=tuple(receipt.message_ids),
        text_hashes=tuple(work["text_hashes"]),
        is_everything=receipt.asked.get("scope") in ("all", "erasure"),
        talks=None
        if talks is None
        else tuple((world_id, session_id, npc_id) for world_id, session_id, npc_id in talks),
    )
    cleared, left, errors = _ask_stores(forgotten)
    left |= count_leftovers(receipt)
    return _write(receipt_id, cleared, left, errors)


def sweep_receipts(*, now: dt.datetime | None = None) -> int:
    """How many open receipts came to their end by this run; the others are tried again by the next."""
    before = (now or timezone.now()) - FRESH_FOR
    waiting = ForgetReceipt.objects.filter(state__in=OPEN_STATES, created_at__lt=before).order_by(
        "attempts", "created_at"
    )
    done = 0
    for receipt_id in list(waiting.values_list("pk", flat=True)[:SWEPT_AT_A_TIME]):
        done += finish_receipt(receipt_id) == ReceiptState.DONE
    return done


def _ask_stores(forgotten: Forgotten) -> tuple[dict[str, int], dict[str, int], dict[str, str]]:
    """What each store cleared, what it still held when it was asked again, and which ones failed."""
    cleared: dict[str, int] = {}
    left: dict[str, int] = {}
    errors: dict[str, str] = {}
    for name, store in list_memory_stores().items():
        try:
            cleared[name] = store(forgotten)
            left[name] = store(forgotten)
        except Exception as error:  # noqa: BLE001 - whatever a store raises, the others are asked and the receipt waits
            log.warning("store_did_not_forget", store=name, error=type(error).__name__)
            errors[name] = type(error).__name__
    return cleared, left, errors


def _write(
    receipt_id: uuid.UUID, cleared: dict[str, int], left: dict[str, int], errors: dict[str, str]
) -> ReceiptState:
    with transaction.atomic():
        receipt = ForgetReceipt.objects.select_for_update(no_key=True).get(pk=receipt_id)
        if receipt.state == ReceiptState.DONE:
            return ReceiptState.DONE
        for name, count in cleared.items():
            receipt.cleared[name] = receipt.cleared.get(name, 0) + count
        receipt.verification = left
        receipt.errors = errors
        receipt.attempts += 1
        receipt.state = (
            ReceiptState.PENDING if errors else ReceiptState.FAILED if any(left.values()) else ReceiptState.DONE
        )
        if receipt.state == ReceiptState.DONE:
            receipt.work = None
            receipt.finished_at = timezone.now()
        receipt.save()
        return ReceiptState(receipt.state)
