"""Messages to measure with, across tenants. Their words never leave the caller: only counts do."""

from __future__ import annotations

from django.db.models.functions import Left

from episodes.models import Message, MessageRole


def list_recent_user_texts(*, limit: int, longest: int = 2_000) -> list[str]:
    """The beginnings of what users said last, forgotten messages left out. One query by primary key."""
    rows = Message.objects.living().filter(role=MessageRole.USER).order_by("-pk")
    return list(rows.values_list(Left("content", longest), flat=True)[:limit])
