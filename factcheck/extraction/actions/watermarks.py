"""Up to which place of a conversation its messages are worked off."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils import timezone

from episodes.models import Conversation, MessageRole
from factcheck.extraction.selectors.given import count_changed


def move_watermarks(reaches: Mapping[int, int]) -> None:
    """Each conversation is worked off up to its place, never back. Locks the conversations in pk order.

    What is counted as waiting is what came after, and what was changed before it since.
    """
    rows = Conversation.objects.select_for_update(no_key=True).filter(pk__in=list(reaches)).order_by("pk")
    for conversation in rows:
        conversation.extracted_to = max(conversation.extracted_to, min(reaches[conversation.pk], conversation.last_seq))
        conversation.last_extraction_at = timezone.now()
        waiting = conversation.messages.filter(
            role=MessageRole.USER, is_current=True, seq__gt=conversation.extracted_to
        )
        conversation.pending_extraction_count = waiting.count() + count_changed(conversation)
        conversation.save(update_fields=["extracted_to", "last_extraction_at", "pending_extraction_count"])
