"""How a world wants its events."""

from __future__ import annotations

from django.conf import settings

from episodes.events.models import EventPolicy


def get_policy(world_id: int | None) -> EventPolicy:
    """The policy of a world, or that of all others, which is not stored. One query at most."""
    found = None if world_id is None else EventPolicy.objects.filter(world_id=world_id).first()
    return found or EventPolicy(
        is_enabled=settings.EVENTS_ENABLED,
        every=settings.EVENTS_EVERY,
        archive_at=settings.EVENTS_ARCHIVE_AT,
        archive_tokens=settings.EVENTS_ARCHIVE_TOKENS,
    )
