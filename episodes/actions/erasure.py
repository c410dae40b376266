"""Erasure by law: the words of all that a user said, all facts, and what was derived. Audited; it can't be undone."""

from __future__ import annotations

import uuid

from django.db import transaction

from episodes.actions.cascade import clear_messages, list_message_paths, lock_messages
from episodes.actions.forgetting import write_receipt
from episodes.core.selections import Selection
from episodes.errors import InvalidForgetting
from episodes.models import ERASED_CONTENT, Conversation, Erasure, ForgetReceipt, Message
from knowledge.facts.actions import clear_correction_reasons, erase_facts
from tenancy.actions.stored_answers import clear_stored_answers


def erase_user(*, tenant_id: int, end_user_id: int, reason: str, requested_by: str) -> ForgetReceipt:
    """The receipt of erasing a user: every message keeps its place and loses its words, every fact its key and value.

    Forgets first, then erases what forgetting leaves. Writes the `Erasure` row that lets the words change. Locks as
    `forget_messages` does. Raises UnknownEndUser, InvalidForgetting.
    """
    if not reason.strip():
        raise InvalidForgetting("An erasure needs a reason.", code="erasure_reason_missing")
    receipt_id = uuid.uuid4()
    with transaction.atomic():
        locked = lock_messages(tenant_id=tenant_id, end_user_id=end_user_id, selection=Selection("all"))
        Erasure.objects.create(
            tenant_id=tenant_id,
            end_user_id=end_user_id,
            receipt_id=receipt_id,
            reason=reason.strip()[:500],
            requested_by=requested_by,
        )
        cascade = clear_messages(locked)
        cleared = cascade.cleared
        cleared["facts"] += len(erase_facts(tenant_id=tenant_id, end_user_id=end_user_id))
        cleared["correction_reasons"] += clear_correction_reasons(tenant_id=tenant_id, end_user_id=end_user_id)
        cleared["contents"] = _erase_contents(tenant_id, end_user_id)
        cleared["stored_answers"] = _clear_answers(tenant_id, end_user_id, locked.end_user.external_id)
        return write_receipt(
            locked, cascade, asked={"scope": "erasure"}, requested_by=requested_by, receipt_id=receipt_id
        )


def _erase_contents(tenant_id: int, end_user_id: int) -> int:
    """How many messages lost their words now, whether they were forgotten before or not."""
    messages = Message.objects.filter(tenant_id=tenant_id, conversation__end_user_id=end_user_id)
    ids = list(
        messages.exclude(content=ERASED_CONTENT, client_message_id__isnull=True)
        .select_for_update(no_key=True, of=("self",))
        .order_by("pk")
        .values_list("pk", flat=True)
    )
    return Message.objects.filter(pk__in=ids).update(
        content=ERASED_CONTENT, client_message_id=None, body_hash=None, response_description="", mood=""
    )


def _clear_answers(tenant_id: int, end_user_id: int, external_id: str) -> int:
    conversations = Conversation.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id)
    return clear_stored_answers(
        tenant_id=tenant_id,
        paths=list_message_paths(list(conversations.values_list("pk", flat=True))),
        path_start=f"/api/v1/users/{external_id}/",
        ids=None,
        with_hashes=True,
    )
