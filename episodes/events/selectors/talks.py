"""The last words of a talk: what a vague question points into."""

from __future__ import annotations

from episodes.events.core.references import MAX_TALK
from episodes.models import Message, MessageRole


def list_recent_texts(
    *, tenant_id: int, end_user_id: int, conversation_id: int | None, world_id: int | None = None
) -> list[str]:
    """The last messages of a player's conversation in order; none without one. One query.

    With `world_id` a conversation of another world, or of none, has none.
    """
    if conversation_id is None:
        return []
    rows = Message.objects.living().filter(
        tenant_id=tenant_id, conversation_id=conversation_id, conversation__end_user_id=end_user_id
    )
    if world_id is not None:
        rows = rows.filter(conversation__world_id=world_id)
    newest = rows.exclude(role=MessageRole.SYSTEM).order_by("-seq").values_list("content", flat=True)[:MAX_TALK]
    return list(reversed(newest))
