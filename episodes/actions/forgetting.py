"""Forgetting: messages and all that was derived from them, with a receipt. It can't be undone."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db import transaction

from episodes.actions.cascade import Cascade, LockedMessages, clear_messages, lock_messages
from episodes.actions.receipts import finish_receipt
from episodes.core.selections import Selection
from episodes.metrics import FORGOTTEN_DESCRIPTIONS, FORGOTTEN_FACTS
from episodes.models import ForgetReceipt, ReceiptState
from episodes.selectors.conversations import get_message
from memoryproject.database import after_commit


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

    A fact goes with its last proof, and what assistants said of it again with it (`echo_ids`); others lose a proof.
    Locks the end user, conversations, messages, passages and facts, in this order. Caches and other stores forget after
    the commit: until then, and while one of them fails, the receipt is pending. Raises UnknownEndUser, UnknownMessage.
    """
    with transaction.atomic():
        locked = lock_messages(tenant_id=tenant_id, end_user_id=end_user_id, selection=selection)
        cascade = clear_messages(locked)
        return write_receipt(
            locked, cascade, asked=selection.describe(), requested_by=requested_by, world_id=selection.world_id
        )


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
        cleared=cascade.cleared,
        work={"text_hashes": list(locked.text_hashes), "lexemes": list(cascade.lexemes), "talks": talks},
        state=ReceiptState.PENDING,
    )
    after_commit(_count, cascade.cleared)
    after_commit(finish_receipt, receipt.pk)
    return receipt


def _count(cleared: dict[str, int]) -> None:
    FORGOTTEN_DESCRIPTIONS.inc(cleared["descriptions"])
    FORGOTTEN_FACTS.inc(cleared["facts"])
