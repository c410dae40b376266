"""Proposals for events as lists and pages read them."""

from __future__ import annotations

from episodes.events.models import EventProposal


def list_proposals(
    *, tenant_id: int, world_id: int | None = None, state: str = "", before_id: int = 0, limit: int = 50
) -> list[EventProposal]:
    """Proposals, the newest first; of a world only, where one is named. One query."""
    rows = EventProposal.objects.filter(tenant_id=tenant_id).select_related("node")
    if world_id is not None:
        rows = rows.filter(node__world_id=world_id)
    if state:
        rows = rows.filter(state=state)
    if before_id:
        rows = rows.filter(pk__lt=before_id)
    return list(rows.order_by("-pk")[:limit])
