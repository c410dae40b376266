"""Work on conversations that runs in Celery. Every task may run twice."""

from __future__ import annotations

from typing import Any

from celery import shared_task

from episodes.actions import embeddings, queueing, receipts, summary_passages
from memoryproject.celery import RETRY_OUTAGES

PRIORITY_HIGH, PRIORITY_NORMAL, PRIORITY_RECOVERY = 0, 3, 9
"""A message just said, a batch or history, what an outage left. Source: seed 002, fixes 9 and 14."""
PRIORITIES = {PRIORITY_HIGH: "high", PRIORITY_NORMAL: "normal", PRIORITY_RECOVERY: "recovery"}
"""As metrics name them. No other task has these priorities: what waits under them is enrichment."""


@shared_task(bind=True, name="episodes.embed_messages", **RETRY_OUTAGES)
def embed_messages(self: Any, conversation_id: int) -> None:
    """Give a conversation's waiting messages their vectors; what an outage leaves waits for the sweeper."""
    queueing.take_up_queued(conversation_id)
    delivery: dict[str, Any] = self.request.delivery_info or {}
    priority = PRIORITIES.get(delivery.get("priority", PRIORITY_NORMAL), PRIORITIES[PRIORITY_NORMAL])
    embeddings.embed_messages(conversation_id, priority=priority)


@shared_task(name="episodes.sweep_embeddings", acks_late=True)
def sweep_embeddings() -> None:
    """Pick up messages that have waited for over an hour: a killed worker, an outage or a lost task left them."""
    for conversation_id in embeddings.list_orphaned_conversations():
        embed_messages.apply_async((conversation_id,), priority=PRIORITY_RECOVERY)


@shared_task(name="episodes.sweep_receipts", acks_late=True)
def sweep_receipts() -> None:
    """Try again where a store did not forget; until it does, the receipt stays pending."""
    receipts.sweep_receipts()


@shared_task(name="episodes.embed_summaries", **RETRY_OUTAGES)
def embed_summaries(campaign_id: int) -> None:
    """Give a campaign's waiting summaries their vectors; what an outage leaves waits for the sweeper."""
    summary_passages.embed_summaries(campaign_id)


@shared_task(name="episodes.sweep_summaries", acks_late=True)
def sweep_summaries() -> None:
    """Let summaries expire by their world's policy, and pick up those that have waited for a vector too long."""
    summary_passages.expire_summaries()
    for campaign_id in summary_passages.list_campaigns_with_orphans():
        embed_summaries.apply_async((campaign_id,), priority=PRIORITY_RECOVERY)
