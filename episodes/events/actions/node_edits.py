"""What a person writes of an event stands in its lorebook and in the index, with who wrote it."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from episodes.events.actions.books import take_revision
from episodes.events.actions.cards import publish_event, render_event
from episodes.events.models import EventBook, EventEdit, EventNode, EventPolicy


def edit_event(node: EventNode, change: dict[str, Any], *, book: EventBook, policy: EventPolicy, author: str) -> None:
    """The event as a person wrote it, in the lorebook and in the index. Call it under the locks of book and event."""
    EventEdit.objects.create(tenant_id=node.tenant_id, node=node, author=author[:150], change=change)
    if "is_disabled" in change:
        node.is_disabled = change["is_disabled"]
    words = {name: value for name, value in change.items() if name != "is_disabled"}
    if words:
        node.edit = {**(node.edit or {}), **words}
    render_event(node, policy)
    node.rev = take_revision(book)
    node.updated_at = timezone.now()
    node.save()
    publish_event(node)
