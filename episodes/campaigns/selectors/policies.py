"""Reads of play policies."""

from __future__ import annotations

from episodes.models import WorldPlayPolicy
from knowledge.config import get_episode_settings


def get_summary_ttl_days(*, tenant_id: int, world_id: int) -> int:
    """For how many days a summary is found in the world: its policy's, or the default. One query."""
    rows = WorldPlayPolicy.objects.filter(tenant_id=tenant_id, world_id=world_id)
    return rows.values_list("summary_ttl_days", flat=True).first() or get_episode_settings().ttl_days
