"""Events once more, from RAW, the answers that were kept and what people wrote: what should stand, stands."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from uuid import UUID

from django.db import transaction

from episodes.events.actions.books import lock_book, take_revision
from episodes.events.actions.cards import publish_event, render_event
from episodes.events.actions.graph import unlink_events
from episodes.events.actions.passages import unindex_events
from episodes.events.core.plot import PlotInvalid
from episodes.events.models import SHOWN_STATES, EventBook, EventNode, EventState
from episodes.events.selectors.policies import get_policy
from episodes.models import Conversation
from factcheck.plots.core.gate import check_plot
from factcheck.plots.selectors import load_chunk


@dataclass(frozen=True, slots=True)
class RebuildReport:
    """What became of a conversation's events, by count: `unchanged`, `changed`, `failed` at the gate of today."""

    conversation_id: int
    counts: Counter[str] = field(default_factory=Counter)


def rebuild_events(*, conversation_id: int, dry_run: bool = False) -> RebuildReport:
    """The gate, the card, the names and the index of each event anew; no model is asked. People's edits stay.

    Each event in a transaction of its own: it may be stopped and run again. Locks the conversation's book.
    """
    report = RebuildReport(conversation_id)
    shown = EventNode.objects.filter(conversation_id=conversation_id, state__in=SHOWN_STATES)
    for node_id in list(shown.order_by("first_seq").values_list("pk", flat=True)):
        report.counts[_rebuild(conversation_id, node_id, dry_run=dry_run)] += 1
    return report


def list_rebuildable(*, tenant_id: int, world_id: int | None = None) -> list[int]:
    """Conversations of a tenant that have a book."""
    rows = Conversation.objects.filter(tenant_id=tenant_id, event_book__isnull=False)
    if world_id is not None:
        rows = rows.filter(world_id=world_id)
    return list(rows.order_by("pk").values_list("pk", flat=True))


def _rebuild(conversation_id: int, node_id: UUID, *, dry_run: bool) -> str:
    node = EventNode.objects.get(pk=node_id)
    chunk = load_chunk(node, with_frequencies=False)
    with transaction.atomic():
        book = lock_book(conversation_id)
        node = EventNode.objects.select_for_update(no_key=True).get(pk=node_id)
        if node.state not in SHOWN_STATES or node.raw_data is None:
            return "unchanged"
        try:
            gated = check_plot(node.raw_data, chunk)
        except PlotInvalid:
            return "failed"
        if gated.plot is None:
            return "failed"
        before = (node.plot, node.title, node.display_text, node.refusals)
        node.plot, node.refusals = gated.plot.as_document(), [dict(each) for each in gated.refusals]
        node.spans = {name: list(span) for name, span in gated.spans.items()}
        render_event(node, get_policy(node.world_id))
        is_changed = before != (node.plot, node.title, node.display_text, node.refusals)
        if not dry_run:
            _save(node, book, is_changed=is_changed)
    return "changed" if is_changed else "unchanged"


def _save(node: EventNode, book: EventBook, *, is_changed: bool) -> None:
    """The event and its index. An archived one that changed goes back to the buffer, with neither vector nor graph."""
    if is_changed:
        node.rev = take_revision(book)
        if node.state == EventState.ARCHIVED and not node.is_hidden:
            node.state, node.archived_at = EventState.BUFFER, None
            unindex_events([node.pk])
            unlink_events([node.pk])
        node.save()
    publish_event(node)
