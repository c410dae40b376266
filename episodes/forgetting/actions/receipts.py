"""Receipts come to their end: every other store forgets, and a search for what was forgotten finds nothing."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence

import structlog
from django.db import transaction
from django.utils import timezone

from episodes.forgetting.actions.cascade import Cascade, LockedMessages
from episodes.forgetting.models import OPEN_STATES
from episodes.forgetting.selectors.forgetting import count_leftovers
from episodes.metrics import FORGOTTEN_DESCRIPTIONS, FORGOTTEN_FACTS
from episodes.models import FailureCode, ForgetReceipt, ReceiptState
from memoryproject.database import after_commit
from memoryproject.forgetting.registry import Forgotten, list_memory_stores

log = structlog.get_logger(__name__)
SWEEP_BATCH_SIZE = 100
FRESH_FOR = dt.timedelta(minutes=1)
"""A receipt that young is still in the hands of the call that wrote it."""


def write_receipt(
    locked: LockedMessages,
    cascade: Cascade,
    *,
    asked: dict[str, str],
    requested_by: str,
    world_id: int | None = None,
    receipt_id: uuid.UUID | None = None,
    talks: Sequence[tuple[int, str, str]] | None = None,
) -> ForgetReceipt:
    """The pending receipt; once the transaction holds, the other stores are told and the check is made."""
    receipt = ForgetReceipt.objects.create(
        id=receipt_id or uuid.uuid4(),
        tenant_id=locked.end_user.tenant_id,
        end_user=locked.end_user,
        world_id=world_id,
        asked=asked,
        requested_by=requested_by,
        message_ids=list(locked.message_ids),
        echo_ids=list(locked.echo_ids),
        echoes_searched=locked.echo_search,
        cleared=cascade.cleared,
        changes=cascade.changes.as_lists(),
        work={"text_hashes": list(locked.text_hashes), "lexemes": list(cascade.lexemes), "talks": talks},
        state=ReceiptState.PENDING,
    )
    after_commit(_count, cascade.cleared)
    after_commit(finish_receipt, receipt.pk)
    return receipt


def _count(cleared: dict[str, int]) -> None:
    FORGOTTEN_DESCRIPTIONS.inc(cleared["descriptions"] + cleared["snippets"])
    FORGOTTEN_FACTS.inc(cleared["facts"])


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
    cleared, left, errors = ask_stores(forgotten, is_checked=True)
    left |= count_leftovers(receipt)
    return _write(receipt_id, cleared, left, errors)


def sweep_receipts(*, now: dt.datetime | None = None) -> int:
    """How many open receipts came to their end by this run; the others are tried again by the next. No orders."""
    before = (now or timezone.now()) - FRESH_FOR
    waiting = ForgetReceipt.objects.filter(order_kind="", state__in=OPEN_STATES, created_at__lt=before).order_by(
        "attempts", "created_at"
    )
    done = 0
    for receipt_id in list(waiting.values_list("pk", flat=True)[:SWEEP_BATCH_SIZE]):
        done += finish_receipt(receipt_id) == ReceiptState.DONE
    return done


def ask_stores(
    forgotten: Forgotten, *, is_checked: bool = False
) -> tuple[dict[str, int], dict[str, int], dict[str, str]]:
    """What each store cleared, what it still held when it was asked again, and which ones failed."""
    cleared: dict[str, int] = {}
    left: dict[str, int] = {}
    errors: dict[str, str] = {}
    for name, store in list_memory_stores().items():
        try:
            cleared[name] = store(forgotten)
            if is_checked:
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
        receipt.add_cleared(cleared)
        receipt.verification = left
        receipt.errors = errors
        receipt.attempts += 1
        receipt.state = (
            ReceiptState.PENDING if errors else ReceiptState.FAILED if any(left.values()) else ReceiptState.DONE
        )
        receipt.code = FailureCode.STILL_FOUND if receipt.state == ReceiptState.FAILED else ""
        if receipt.state == ReceiptState.DONE:
            receipt.work = None
            receipt.finished_at = timezone.now()
        receipt.save()
        return ReceiptState(receipt.state)
