"""Talks that are edited, swiped and branched."""

from __future__ import annotations

from episodes.alternatives.actions import AlternativeDraft
from factcheck.alternatives.actions import add_swipe, edit_message, select_message


def swipe(chat, seq, text):
    return add_swipe(
        tenant_id=chat.tenant_id,
        conversation_id=chat.pk,
        seq=seq,
        draft=AlternativeDraft(text),
        requested_by="test",
    )


def edit(message, text, **more):
    return edit_message(
        tenant_id=message.tenant_id, message_id=message.pk, draft=AlternativeDraft(text, **more), requested_by="test"
    )


def select(message):
    return select_message(tenant_id=message.tenant_id, message_id=message.pk, requested_by="test")
