"""Work on conversations that runs in Celery. Every task may run twice."""

from __future__ import annotations

import uuid
from functools import partial
from typing import Any

from celery import shared_task

from episodes.art.actions import passages as art_passages
from episodes.campaigns.actions import passages as summary_passages
from episodes.embedding.actions import backlog as embedding_backlog
from episodes.embedding.actions import embeddings, vector_codes
from episodes.embedding.actions import queue as embedding_queue
from episodes.embedding.actions import renewal as vector_renewal
from episodes.embedding.priorities import PRIORITIES, PRIORITY_NORMAL, PRIORITY_RECOVERY
from episodes.embedding.selectors.enrichment import has_backlog, list_tenants_with_backlog
from episodes.events.actions.archive import archive_conversation
from episodes.events.actions.archive import renew_vectors as renew_event_vectors
from episodes.events.actions.policies import render_worlds
from episodes.events.selectors.due import list_conversations_without_vectors, list_full_buffers
from episodes.forgetting.actions import order_work, receipts
from episodes.models import ReceiptState
from episodes.threads.actions.deletion import expire_threads as delete_expired_threads
from episodes.threads.actions.interrupts import expire_interrupts
from knowledge.search.backlog import BATCH_SIZE
from knowledge.search.backlog_queue import queue_backlog, run_backlog
from memoryproject.celery import RETRY_OUTAGES
from memoryproject.jobs import JobMarkers

MAX_ARCHIVED = 200
"""Conversations whose events one sweep archives; the rest is due in the next."""
ARCHIVE_MARKERS = JobMarkers("event-archive")


@shared_task(bind=True, name="episodes.embed_messages", **RETRY_OUTAGES)
def embed_messages(self: Any, conversation_id: int) -> None:
    """Give a conversation's newest waiting messages their vectors; older ones join the tenant's backlog."""
    embedding_queue.take_up_queued(conversation_id)
    report = embeddings.embed_messages(conversation_id, limit=BATCH_SIZE, priority=_name_priority(self))
    if report.taken:
        embedding_queue.queue_rest_of_conversation(conversation_id)


@shared_task(bind=True, name="episodes.embed_backlog", **RETRY_OUTAGES)
def embed_backlog(self: Any, tenant_id: int) -> None:
    """Work off a part of what a tenant has waiting, and queue the next part; an outage leaves it to the sweeper."""
    embed = partial(embedding_backlog.embed_tenant_backlog, priority=_name_priority(self))
    run_backlog(embed_backlog, tenant_id, embed, has_backlog)


@shared_task(name="episodes.sweep_embeddings", acks_late=True)
def sweep_embeddings() -> None:
    """Pick up what has waited too long: a killed worker, an outage or a lost task left it."""
    for tenant_id in list_tenants_with_backlog():
        queue_backlog(embed_backlog, tenant_id)


@shared_task(name="episodes.renew_vectors", **RETRY_OUTAGES)
def renew_vectors(tenant_id: int, after: int = 0) -> None:
    """Embed a part of a tenant's messages anew after a change of the embedder, and queue the next part."""
    embedding_queue.mark_renewal(tenant_id)
    go_on = vector_renewal.renew_vectors(tenant_id, after=after)
    if go_on is not None:
        renew_vectors.apply_async((tenant_id, go_on), priority=PRIORITY_RECOVERY)


@shared_task(name="episodes.sweep_vectors", acks_late=True)
def sweep_vectors() -> None:
    """Begin, or begin again, where messages have vectors of another embedder."""
    for tenant_id in vector_renewal.list_tenants_to_renew():
        if embedding_queue.mark_renewal(tenant_id):
            renew_vectors.apply_async((tenant_id,), priority=PRIORITY_RECOVERY)


@shared_task(name="episodes.build_vector_codes", acks_late=True)
def build_vector_codes(end_user_id: int) -> None:
    """Give the vectors of a user who said much their codes; what is broken off, the sweeper begins again."""
    vector_codes.build_vector_codes(end_user_id)


@shared_task(name="episodes.sweep_vector_codes", acks_late=True)
def sweep_vector_codes() -> None:
    """Queue users who have outgrown the comparison of all their vectors, or whose embedder has changed."""
    for end_user_id in vector_codes.list_users_without_codes():
        build_vector_codes.apply_async((end_user_id,), priority=PRIORITY_RECOVERY)


def _name_priority(task: Any) -> str:
    delivery: dict[str, Any] = task.request.delivery_info or {}
    return PRIORITIES.get(delivery.get("priority", PRIORITY_NORMAL), PRIORITIES[PRIORITY_NORMAL])


@shared_task(name="episodes.sweep_receipts", acks_late=True)
def sweep_receipts() -> None:
    """Try again where a store did not forget, and queue orders that have no worker; until then they stay open."""
    order_work.sweep_orders()
    receipts.sweep_receipts()


@shared_task(name="episodes.run_order", acks_late=True)
def run_order(receipt_id: str) -> None:
    """Work off a part of an order to forget or erase, and queue the next part; the sweeper takes up what stops."""
    if order_work.run_order(uuid.UUID(receipt_id)) == ReceiptState.RUNNING:
        order_work.queue_order(uuid.UUID(receipt_id))


@shared_task(name="episodes.embed_summaries", **RETRY_OUTAGES)
def embed_summaries(campaign_id: int) -> None:
    """Give a campaign's newest waiting summaries their vectors; older ones join the tenant's backlog."""
    if summary_passages.embed_summaries(campaign_id).taken:
        embedding_queue.queue_rest_of_campaign(campaign_id)


@shared_task(name="episodes.sweep_summaries", acks_late=True)
def sweep_summaries() -> None:
    """Let summaries expire by their world's policy."""
    summary_passages.expire_summaries()
    summary_passages.renew_vectors()


@shared_task(name="episodes.embed_art_cards", **RETRY_OUTAGES)
def embed_art_cards(world_id: int) -> None:
    """Give a world's waiting art cards their vectors; what an outage leaves waits for the sweeper."""
    art_passages.embed_art_cards(world_id)


@shared_task(name="episodes.sweep_art_cards", acks_late=True)
def sweep_art_cards() -> None:
    """Let cards expire, put those into the index that are older than it, and pick up those that wait for a vector."""
    art_passages.expire_cards()
    art_passages.index_missing_cards()
    art_passages.renew_vectors()
    for world_id in art_passages.list_waiting_worlds():
        embed_art_cards.apply_async((world_id,), priority=PRIORITY_RECOVERY)


@shared_task(name="episodes.archive_events", acks_late=True)
def archive_events() -> None:
    """Queue the conversations whose buffer of events is full or half archived, or whose vectors are to be renewed.

    Before that the books of worlds whose policy changed are rendered by it.
    """
    render_worlds()
    due = [*list_full_buffers(limit=MAX_ARCHIVED), *list_conversations_without_vectors(limit=MAX_ARCHIVED)]
    jobs = ((pk, (pk,)) for pk in dict.fromkeys(due))
    ARCHIVE_MARKERS.queue(archive_event_buffer, jobs, limit=MAX_ARCHIVED)


@shared_task(name="episodes.archive_event_buffer", acks_late=True)
def archive_event_buffer(conversation_id: int) -> None:
    """Archive a conversation's buffer of events and renew the vectors of those archived before.

    An outage of the embedder leaves them to the next sweep.
    """
    ARCHIVE_MARKERS.take_up(conversation_id)
    archive_conversation(conversation_id)
    renew_event_vectors(conversation_id)


@shared_task(name="episodes.sweep_threads", acks_late=True)
def sweep_threads() -> None:
    """Reject interrupts that nobody answered in time, and delete threads that nobody used, at most so many."""
    expire_interrupts()
    delete_expired_threads()
